//! Single-player Chexers: bring all pieces of one color off a hex board, past immovable blocks, in the fewest actions.
//!
//! A state is the set of hexes with a piece. Pieces are interchangeable, and those that have left are not recorded. Hexes are
//! numbered in reading order.
//!
//! A piece is *enclosed* if it could not reach an exit even if it could jump over empty hexes. A board has a solution if and only
//! if no piece is enclosed. A jump over a hex without a block can be replaced by two steps, so every piece that is not enclosed has
//! a path of steps and jumps over blocks. Take the piece with the shortest path. No other piece stands on this path, because that
//! piece would have an even shorter one. So this piece can leave, and all other pieces still have their paths. Therefore `refute`
//! finds a proof for every unsolvable board.

mod columns;
mod drawing;
mod heuristics;
mod hex_set;
mod lesson;
mod notation;
mod primer;
mod wasted;

pub use hex_set::HexSet;
use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use crate::limits::Limits;
use crate::notation::shorten;
use crate::outcome::Certificate;
use crate::rules::{Backward, CheckError, Cost, Heuristic, Pack, Problem, Proofs, Rules, Solver};

/// The number of a hex, in reading order.
type Hex = u16;
/// Marks a missing hex in tables.
const OFF: Hex = Hex::MAX;

/// The six steps as (q, r), in the reading order of their target hexes.
const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    Red,
    Green,
    Blue,
}

const COLORS: [(Color, &str); 3] = [(Color::Red, "red"), (Color::Green, "green"), (Color::Blue, "blue")];

impl Color {
    fn name(self) -> &'static str {
        COLORS[self as usize].1
    }

    /// The coordinate that equals `radius` on this color's exit hexes.
    fn progress(self, (q, r): (i32, i32)) -> i32 {
        match self {
            Color::Red => q,
            Color::Green => r,
            Color::Blue => -q - r,
        }
    }

    /// The reflection of the board that preserves this color's exit side.
    fn mirror(self, (q, r): (i32, i32)) -> (i32, i32) {
        match self {
            Color::Red => (q, -q - r),
            Color::Green => (-q - r, r),
            Color::Blue => (r, q),
        }
    }
}

/// One board: hexes, blocks, exits, and the starting pieces.
#[derive(Clone, Debug)]
pub struct Chexers {
    radius: i32,
    color: Color,
    start: HexSet,
    /// The coordinates of each hex, in reading order.
    hexes: Vec<(i32, i32)>,
    blocked: HexSet,
    /// The unblocked exit hexes.
    exit: HexSet,
    /// For each hex, the hex one step away in each direction.
    step: Vec<[Hex; 6]>,
    /// For each hex, the hex two steps away in each direction.
    leap: Vec<[Hex; 6]>,
    /// The mirror image of each hex, if the blocks are symmetric.
    mirror: Option<Vec<Hex>>,
    /// True if states are packed as lists of two-byte hex numbers (few pieces on a large board), not as one bit per hex.
    packs_as_list: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    from: Hex,
    kind: Kind,
    to: Hex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    Move,
    Jump,
    Exit,
}

impl Chexers {
    /// A board of the given radius, without pieces or blocks.
    fn empty(radius: i32, color: Color) -> Chexers {
        let all = (-radius..=radius).flat_map(|r| (-radius..=radius).map(move |q| (q, r)));
        let hexes: Vec<(i32, i32)> = all.filter(|(q, r)| (q + r).abs() <= radius).collect();
        let away =
            |length: i32| hexes.iter().map(|(q, r)| STEPS.map(|(dq, dr)| find(&hexes, (q + length * dq, r + length * dr)))).collect();
        let (step, leap, none) = (away(1), away(2), HexSet::none(hexes.len()));
        let (start, blocked, exit) = (none.clone(), none.clone(), none);
        Chexers { radius, color, start, hexes, blocked, exit, step, leap, mirror: None, packs_as_list: false }
    }

    /// Puts blocks and pieces on an empty board. All given hexes must be on the board.
    fn set_up(mut self, blocks: &[Hex], pieces: &[Hex]) -> Chexers {
        blocks.iter().for_each(|&block| self.blocked.insert(block));
        pieces.iter().for_each(|&piece| self.start.insert(piece));
        for hex in 0..self.hexes.len() as Hex {
            if self.color.progress(self.hexes[hex as usize]) == self.radius && !self.blocked.has(hex) {
                self.exit.insert(hex);
            }
        }
        let mirror: Vec<Hex> = self.hexes.iter().map(|&hex| self.find(self.color.mirror(hex))).collect();
        // Pieces that start on blocked exits must also be symmetric.
        let keeps = |hex: Hex, image: Hex| self.blocked.has(image) && self.start.has(hex) == self.start.has(image);
        self.mirror = self.blocked.iter().all(|hex| keeps(hex, mirror[hex as usize])).then_some(mirror);
        self.packs_as_list = 4 * self.start.len() <= self.hexes.len().div_ceil(8);
        self
    }

    /// The number of the hex at these coordinates, or `OFF`.
    fn find(&self, hex: (i32, i32)) -> Hex {
        find(&self.hexes, hex)
    }

    /// The mirror image of the pieces, if the board is symmetric.
    fn image(&self, pieces: &HexSet) -> Option<HexSet> {
        let mirror = self.mirror.as_ref()?;
        let mut image = HexSet::none(self.hexes.len());
        pieces.iter().for_each(|piece| image.insert(mirror[piece as usize]));
        Some(image)
    }

    /// The hexes with a piece or a block.
    #[inline]
    fn occupied(&self, pieces: &HexSet) -> HexSet {
        pieces.union(&self.blocked)
    }

    /// The hexes that a piece could reach from the given ones if every jump to an unblocked hex were allowed.
    fn reach(&self, from: impl Iterator<Item = Hex>) -> HexSet {
        let mut reached = HexSet::none(self.hexes.len());
        let mut todo: Vec<Hex> = from.collect();
        todo.iter().for_each(|&hex| reached.insert(hex));
        while let Some(hex) = todo.pop() {
            for &to in self.step[hex as usize].iter().chain(&self.leap[hex as usize]) {
                if to != OFF && !self.blocked.has(to) && !reached.has(to) {
                    reached.insert(to);
                    todo.push(to);
                }
            }
        }
        reached
    }
}

/// The number of the hex at these coordinates, or `OFF`.
fn find(hexes: &[(i32, i32)], (q, r): (i32, i32)) -> Hex {
    hexes.binary_search_by_key(&(r, q), |&(q, r)| (r, q)).map_or(OFF, |at| at as Hex)
}

/// The claim of a certificate: the piece at these coordinates is enclosed.
fn claim(piece: &Value) -> String {
    format!("the piece at ({}, {}) could not reach an exit even if every jump were allowed", piece[0], piece[1])
}

/// The pieces after one of them has moved.
#[inline]
fn moved(pieces: &HexSet, from: Hex, to: Hex) -> HexSet {
    let mut after = pieces.clone();
    after.remove(from);
    after.insert(to);
    after
}

impl Pack<Chexers> for HexSet {
    fn bytes(rules: &Chexers) -> usize {
        if rules.packs_as_list { 2 * rules.start.len() } else { rules.hexes.len().div_ceil(8) }
    }

    fn pack(&self, rules: &Chexers, out: &mut [u8]) {
        if rules.packs_as_list {
            out.fill(u8::MAX);
            for (bytes, piece) in out.chunks_exact_mut(2).zip(self.iter()) {
                bytes.copy_from_slice(&piece.to_le_bytes());
            }
        } else {
            self.write_bytes(out);
        }
    }

    #[inline]
    fn word(&self, rules: &Chexers) -> u64 {
        match self {
            HexSet::Small([word, _]) if !rules.packs_as_list => *word,
            _ => {
                let mut bytes = [0; 8];
                self.pack(rules, &mut bytes[..Self::bytes(rules)]);
                u64::from_le_bytes(bytes)
            }
        }
    }

    #[inline]
    fn unpack(rules: &Chexers, bytes: &[u8]) -> Self {
        let mut pieces = HexSet::none(rules.hexes.len());
        if rules.packs_as_list {
            let list = bytes.chunks_exact(2).map(|two| Hex::from_le_bytes([two[0], two[1]]));
            list.filter(|&hex| hex != OFF).for_each(|hex| pieces.insert(hex));
        } else {
            pieces.read_bytes(bytes);
        }
        pieces
    }
}

impl Rules for Chexers {
    type State = HexSet;
    type Move = Action;

    fn start(&self) -> HexSet {
        self.start.clone()
    }

    #[inline]
    fn moves(&self, pieces: &HexSet, out: &mut Vec<Action>) {
        let occupied = self.occupied(pieces);
        let free = |hex: Hex| hex != OFF && !occupied.has(hex);
        for from in pieces.iter() {
            let (step, leap) = (&self.step[from as usize], &self.leap[from as usize]);
            for &to in step {
                if free(to) {
                    out.push(Action { from, kind: Kind::Move, to });
                }
            }
            for way in 0..STEPS.len() {
                let (over, to) = (step[way], leap[way]);
                if free(to) && occupied.has(over) {
                    out.push(Action { from, kind: Kind::Jump, to });
                }
            }
            if self.exit.has(from) {
                out.push(Action { from, kind: Kind::Exit, to: OFF });
            }
        }
    }

    #[inline]
    fn apply(&self, pieces: &HexSet, action: &Action) -> HexSet {
        match action.kind {
            Kind::Exit => {
                let mut after = pieces.clone();
                after.remove(action.from);
                after
            }
            Kind::Move | Kind::Jump => moved(pieces, action.from, action.to),
        }
    }

    #[inline]
    fn canonical(&self, pieces: HexSet) -> HexSet {
        // Most boards have no symmetry, so the common case is tested inline.
        if self.mirror.is_none() {
            return pieces;
        }
        match self.image(&pieces) {
            Some(image) => pieces.min(image),
            None => pieces,
        }
    }

    fn orbit(&self, pieces: &HexSet) -> u64 {
        if self.image(pieces).is_some_and(|image| image != *pieces) { 2 } else { 1 }
    }
}

impl Problem for Chexers {
    const HEURISTICS: &'static [Heuristic<Self>] = heuristics::HEURISTICS;

    const SOLVERS: &'static [Solver<Self>] = &[Solver {
        name: "wasted",
        about: "for 7 or more pieces: depth-first search with a growing limit on wasted actions; beam searches find plans early",
        optimal: true,
        course: false,
        beside: Some(|_| ("astar:relaxed", 16_384)),
        applies: wasted::applies,
        run: wasted::solve,
        trace: None,
    }];

    const PROOFS: Option<Proofs<Self>> = Some(Proofs {
        quick: true,
        refute: |board, state, _| board.refute(state),
        check: Chexers::check_refutation,
        data: &["piece", "region"],
        claim: |_, _, certificate| claim(&certificate.data["piece"]),
        least: None,
    });

    const BACKWARD: Option<Backward<Self>> =
        Some(Backward { goals: |board| vec![HexSet::none(board.hexes.len())], step: |board, pieces, emit| board.backward(pieces, emit) });

    #[inline]
    fn is_goal(&self, pieces: &HexSet) -> bool {
        pieces.is_empty()
    }
}

impl Chexers {
    fn refute(&self, pieces: &HexSet) -> Option<Certificate> {
        let coordinates = |hex: Hex| json!(self.hexes[hex as usize]);
        // Steps and jumps can be reversed, so the hexes that can be reached from an exit are those from which an exit can be
        // reached.
        let inside = self.reach(self.exit.iter());
        let near = |hex: Hex| self.step[hex as usize].iter().chain(&self.leap[hex as usize]);
        let leaves = |piece: Hex| inside.has(piece) || near(piece).any(|&to| to != OFF && inside.has(to));
        let piece = pieces.iter().find(|&piece| !leaves(piece))?;
        Some(Certificate {
            kind: "enclosed".to_owned(),
            claim: claim(&coordinates(piece)),
            data: Map::from_iter([
                ("piece".to_owned(), coordinates(piece)),
                ("region".to_owned(), self.reach([piece].into_iter()).iter().map(coordinates).collect()),
            ]),
        })
    }

    /// Checks, using only coordinates, that the region contains the piece but no free exit, and that it contains every free hex
    /// that is one or two steps in a straight line from one of its hexes.
    fn check_refutation(&self, pieces: &HexSet, certificate: &Certificate, limits: &Limits) -> Result<(), CheckError> {
        if certificate.kind != "enclosed" {
            return Err(format!("chexers has no certificates of kind `{}`", shorten(&certificate.kind)).into());
        }
        let pair = |value: &Value| -> Option<(i32, i32)> {
            let [q, r] = value.as_array()?.as_slice() else { return None };
            let coordinate = |value: &Value| value.as_i64().and_then(|n| i32::try_from(n).ok());
            Some((coordinate(q)?, coordinate(r)?)).filter(|&hex| self.find(hex) != OFF)
        };
        let data = |key: &str| certificate.data.get(key).ok_or_else(|| format!("the certificate has no `{key}`"));
        let piece = pair(data("piece")?).ok_or("`piece` is not a hex of this board")?;
        let region = data("region")?.as_array().ok_or("`region` is not a list")?;
        let region: Vec<(i32, i32)> = region.iter().map(pair).collect::<Option<_>>().ok_or("`region` has an entry that is not a hex")?;
        let region: std::collections::HashSet<(i32, i32)> = region.into_iter().collect();
        if !pieces.iter().any(|at| self.hexes[at as usize] == piece) {
            return Err(format!("there is no piece at {piece:?}").into());
        }
        if !region.contains(&piece) {
            return Err(format!("the region does not contain the piece at {piece:?}").into());
        }
        let is_block = |hex| self.find(hex) != OFF && self.blocked.has(self.find(hex));
        for &(q, r) in &region {
            limits.check()?;
            if self.color.progress((q, r)) == self.radius && !is_block((q, r)) {
                return Err(format!("the region contains the exit {:?}", (q, r)).into());
            }
            for (dq, dr) in STEPS {
                for length in [1, 2] {
                    let to = (q + length * dq, r + length * dr);
                    if self.find(to) != OFF && !is_block(to) && !region.contains(&to) {
                        return Err(format!("{to:?} can be reached from {:?} but is not in the region", (q, r)).into());
                    }
                }
            }
        }
        Ok(())
    }

    fn backward(&self, pieces: &HexSet, mut emit: impl FnMut(HexSet, Cost) -> ControlFlow<()>) -> ControlFlow<()> {
        if pieces.len() < self.start.len() {
            for hex in self.exit.iter().filter(|&hex| !pieces.has(hex)) {
                let mut before = pieces.clone();
                before.insert(hex);
                emit(before, 1)?;
            }
        }
        let occupied = self.occupied(pieces);
        // A piece may have started on a blocked exit, although no piece can land there.
        let could_stand = |hex: Hex| hex != OFF && !pieces.has(hex) && (!self.blocked.has(hex) || self.start.has(hex));
        for to in pieces.iter().filter(|&to| !self.blocked.has(to)) {
            let (step, leap) = (&self.step[to as usize], &self.leap[to as usize]);
            for (&near, &far) in step.iter().zip(leap) {
                if could_stand(near) {
                    emit(moved(pieces, to, near), 1)?;
                }
                if could_stand(far) && occupied.has(near) {
                    emit(moved(pieces, to, far), 1)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
