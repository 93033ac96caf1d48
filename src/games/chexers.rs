//! Single-player Chexers: bring all pieces of one colour off a hex board, past immovable blocks, in the fewest actions.
//!
//! A state is the sorted list of occupied hexes: pieces of a colour are alike, and a piece that has left is simply gone.
//! Hexes are numbered in reading order, so lists sort as one reads.

mod heuristics;
mod notation;

use serde_json::{Map, Value, json};
use smallvec::SmallVec;

use crate::outcome::Certificate;
use crate::rules::{Cost, Heuristic, Problem, Rules};

/// The number of a hex in reading order.
type Hex = u16;
/// "Off the board" in the tables.
const OFF: Hex = Hex::MAX;

/// The six steps as (q, r), in the order in which they lead to hexes of growing number.
const STEPS: [(i32, i32); 6] = [(0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Red,
    Green,
    Blue,
}

const COLOURS: [(Colour, &str); 3] = [(Colour::Red, "red"), (Colour::Green, "green"), (Colour::Blue, "blue")];

impl Colour {
    fn name(self) -> &'static str {
        COLOURS[self as usize].1
    }

    /// The coordinate that is `radius` on this colour's exit hexes.
    fn progress(self, (q, r): (i32, i32)) -> i32 {
        match self {
            Colour::Red => q,
            Colour::Green => r,
            Colour::Blue => -q - r,
        }
    }

    /// The reflection of the board that keeps this colour's exit side.
    fn mirror(self, (q, r): (i32, i32)) -> (i32, i32) {
        match self {
            Colour::Red => (q, -q - r),
            Colour::Green => (-q - r, r),
            Colour::Blue => (r, q),
        }
    }
}

/// One board: where hexes, blocks and exits are, and where the pieces start.
#[derive(Clone, Debug)]
pub struct Chexers {
    radius: i32,
    colour: Colour,
    start: Pieces,
    /// The coordinates of each hex, and the way back: hexes by row and column of the bounding square.
    hexes: Vec<(i32, i32)>,
    number: Vec<Hex>,
    blocked: Vec<bool>,
    exit: Vec<bool>,
    /// The hex one and two steps away in each direction.
    step: Vec<[Hex; 6]>,
    leap: Vec<[Hex; 6]>,
    /// The mirror image of each hex, if the blocks are their own mirror image.
    mirror: Option<Vec<Hex>>,
}

/// Occupied hexes, sorted. Eight fit without a heap allocation.
pub type Pieces = SmallVec<[Hex; 8]>;

/// One action.
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
    /// The empty board of a radius, before pieces and blocks are put on it.
    fn empty(radius: i32, colour: Colour) -> Chexers {
        let side = 2 * radius + 1;
        let on_board = |(q, r): (i32, i32)| q.abs() <= radius && r.abs() <= radius && (q + r).abs() <= radius;
        let all = (-radius..=radius).flat_map(|r| (-radius..=radius).map(move |q| (q, r)));
        let hexes: Vec<(i32, i32)> = all.filter(|&hex| on_board(hex)).collect();
        let mut number = vec![OFF; (side * side) as usize];
        for (at, (q, r)) in hexes.iter().enumerate() {
            number[((r + radius) * side + q + radius) as usize] = at as Hex;
        }
        let find = |hex: (i32, i32)| if on_board(hex) { number[((hex.1 + radius) * side + hex.0 + radius) as usize] } else { OFF };
        let away = |length: i32| hexes.iter().map(|(q, r)| STEPS.map(|(dq, dr)| find((q + length * dq, r + length * dr)))).collect();
        let (step, leap) = (away(1), away(2));
        let blocked = vec![false; hexes.len()];
        Chexers { radius, colour, start: Pieces::new(), hexes, number, blocked, exit: Vec::new(), step, leap, mirror: None }
    }

    /// Puts blocks and pieces on an empty board. All hexes are on the board and none is used twice.
    fn set_up(mut self, blocks: &[Hex], mut pieces: Vec<Hex>) -> Chexers {
        for &block in blocks {
            self.blocked[block as usize] = true;
        }
        let is_exit = |at: usize| !self.blocked[at] && self.colour.progress(self.hexes[at]) == self.radius;
        self.exit = (0..self.hexes.len()).map(is_exit).collect();
        let mirror: Vec<Hex> = self.hexes.iter().map(|&hex| self.find(self.colour.mirror(hex))).collect();
        let symmetric = (0..mirror.len()).all(|at| self.blocked[at] == self.blocked[mirror[at] as usize]);
        self.mirror = symmetric.then_some(mirror);
        pieces.sort_unstable();
        self.start = Pieces::from_vec(pieces);
        self
    }

    /// The number of the hex at these coordinates, or `OFF`.
    fn find(&self, (q, r): (i32, i32)) -> Hex {
        let side = 2 * self.radius + 1;
        let range = -self.radius..=self.radius;
        if range.contains(&q) && range.contains(&r) { self.number[((r + self.radius) * side + q + self.radius) as usize] } else { OFF }
    }

    fn occupied(&self, pieces: &Pieces, hex: Hex) -> bool {
        self.blocked[hex as usize] || pieces.contains(&hex)
    }

    /// Can a piece land here?
    fn free(&self, pieces: &Pieces, hex: Hex) -> bool {
        hex != OFF && !self.occupied(pieces, hex)
    }

    /// Bytes per piece if states are packed as lists; as bit sets they take one bit per hex.
    fn list_width(&self) -> usize {
        if self.hexes.len() < 255 { 1 } else { 2 }
    }

    fn packs_as_list(&self) -> bool {
        self.start.len() * self.list_width() <= self.hexes.len().div_ceil(8)
    }

    /// The hexes from which a piece could go on for ever without reaching an exit, jumps needing no hurdle; empty if it
    /// can get out.
    fn enclosure(&self, from: Hex) -> Vec<Hex> {
        let mut region = vec![from];
        let mut at = 0;
        while at < region.len() {
            let here = region[at] as usize;
            if self.exit[here] {
                return Vec::new();
            }
            for &to in self.step[here].iter().chain(&self.leap[here]) {
                if to != OFF && !self.blocked[to as usize] && !region.contains(&to) {
                    region.push(to);
                }
            }
            at += 1;
        }
        region.sort_unstable();
        region
    }
}

/// The pieces with one of them moved: those between its old place and its new one shift by one.
fn moved(pieces: &Pieces, from: Hex, to: Hex) -> Pieces {
    let mut after = Pieces::from_slice(pieces);
    let mut at = pieces.iter().position(|&piece| piece == from).unwrap_or_default();
    while at + 1 < after.len() && after[at + 1] < to {
        after[at] = after[at + 1];
        at += 1;
    }
    while at > 0 && after[at - 1] > to {
        after[at] = after[at - 1];
        at -= 1;
    }
    after[at] = to;
    after
}

impl Rules for Chexers {
    type State = Pieces;
    type Move = Action;

    fn start(&self) -> Pieces {
        self.start.clone()
    }

    fn moves(&self, pieces: &Pieces, out: &mut Vec<Action>) {
        for &from in pieces {
            let (step, leap) = (&self.step[from as usize], &self.leap[from as usize]);
            for &to in step {
                if self.free(pieces, to) {
                    out.push(Action { from, kind: Kind::Move, to });
                }
            }
            for (&over, &to) in step.iter().zip(leap) {
                if self.free(pieces, to) && self.occupied(pieces, over) {
                    out.push(Action { from, kind: Kind::Jump, to });
                }
            }
            if self.exit[from as usize] {
                out.push(Action { from, kind: Kind::Exit, to: OFF });
            }
        }
    }

    fn apply(&self, pieces: &Pieces, action: &Action) -> Pieces {
        match action.kind {
            Kind::Exit => {
                let mut after = Pieces::from_slice(pieces);
                after.retain(|piece| *piece != action.from);
                after
            }
            Kind::Move | Kind::Jump => moved(pieces, action.from, action.to),
        }
    }

    fn canonical(&self, pieces: Pieces) -> Pieces {
        let Some(mirror) = &self.mirror else { return pieces };
        let mut image: Pieces = pieces.iter().map(|&piece| mirror[piece as usize]).collect();
        image.sort_unstable();
        pieces.min(image)
    }

    fn state_bytes(&self) -> usize {
        if self.packs_as_list() { self.start.len() * self.list_width() } else { self.hexes.len().div_ceil(8) }
    }

    fn pack(&self, pieces: &Pieces, out: &mut [u8]) {
        if !self.packs_as_list() {
            out.fill(0);
            for &piece in pieces {
                out[piece as usize / 8] |= 1 << (piece % 8);
            }
        } else if self.list_width() == 1 {
            out.fill(u8::MAX);
            for (byte, &piece) in out.iter_mut().zip(pieces) {
                *byte = piece as u8;
            }
        } else {
            out.fill(u8::MAX);
            for (bytes, &piece) in out.chunks_exact_mut(2).zip(pieces) {
                bytes.copy_from_slice(&piece.to_le_bytes());
            }
        }
    }

    fn unpack(&self, bytes: &[u8]) -> Pieces {
        if !self.packs_as_list() {
            (0..self.hexes.len() as Hex).filter(|&hex| bytes[hex as usize / 8] >> (hex % 8) & 1 == 1).collect()
        } else if self.list_width() == 1 {
            bytes.iter().filter(|&&byte| byte != u8::MAX).map(|&byte| Hex::from(byte)).collect()
        } else {
            bytes.chunks_exact(2).map(|two| Hex::from_le_bytes([two[0], two[1]])).filter(|&hex| hex != OFF).collect()
        }
    }
}

impl Problem for Chexers {
    const HEURISTICS: &'static [Heuristic<Self>] = heuristics::HEURISTICS;

    fn is_goal(&self, pieces: &Pieces) -> bool {
        pieces.is_empty()
    }

    fn refute(&self, pieces: &Pieces) -> Option<Certificate> {
        let coordinates = |hex: Hex| json!(self.hexes[hex as usize]);
        pieces.iter().find_map(|&piece| {
            let region = self.enclosure(piece);
            let (q, r) = self.hexes[piece as usize];
            (!region.is_empty()).then(|| Certificate {
                kind: "enclosed".to_owned(),
                claim: format!("the piece at ({q}, {r}) cannot reach an exit even if every jump were allowed"),
                data: Map::from_iter([
                    ("piece".to_owned(), coordinates(piece)),
                    ("region".to_owned(), region.into_iter().map(coordinates).collect()),
                ]),
            })
        })
    }

    /// Works on coordinates alone: the region holds the piece and no free exit, and every free hex one or two steps from
    /// it in a straight line is in it.
    fn check_refutation(&self, pieces: &Pieces, certificate: &Certificate) -> Result<(), String> {
        if certificate.kind != "enclosed" {
            return Err(format!("chexers has no certificates of the kind `{}`", certificate.kind));
        }
        let pair = |value: &Value| -> Option<(i32, i32)> {
            let [q, r] = value.as_array()?.as_slice() else { return None };
            let coordinate = |value: &Value| value.as_i64().and_then(|n| i32::try_from(n).ok());
            Some((coordinate(q)?, coordinate(r)?)).filter(|&hex| self.find(hex) != OFF)
        };
        let data = |key: &str| certificate.data.get(key).ok_or_else(|| format!("the certificate has no `{key}`"));
        let piece = pair(data("piece")?).ok_or("`piece` is not a hex of this board")?;
        let region = data("region")?.as_array().ok_or("`region` is not a list")?;
        let region: Vec<(i32, i32)> = region.iter().map(pair).collect::<Option<_>>().ok_or("`region` has something that is no hex")?;
        let region: std::collections::HashSet<(i32, i32)> = region.into_iter().collect();
        if !pieces.iter().any(|&at| self.hexes[at as usize] == piece) {
            return Err(format!("there is no piece at {piece:?}"));
        }
        if !region.contains(&piece) {
            return Err(format!("the region does not hold the piece at {piece:?}"));
        }
        let is_block = |hex| self.find(hex) != OFF && self.blocked[self.find(hex) as usize];
        for &(q, r) in &region {
            if self.colour.progress((q, r)) == self.radius && !is_block((q, r)) {
                return Err(format!("the region has the exit {:?}", (q, r)));
            }
            for (dq, dr) in STEPS {
                for length in [1, 2] {
                    let to = (q + length * dq, r + length * dr);
                    if self.find(to) != OFF && !is_block(to) && !region.contains(&to) {
                        return Err(format!("{to:?} can be reached from {:?} and is not in the region", (q, r)));
                    }
                }
            }
        }
        Ok(())
    }

    fn goals(&self) -> Vec<Pieces> {
        vec![Pieces::new()]
    }

    fn backward(&self, pieces: &Pieces, out: &mut Vec<(Pieces, Cost)>) {
        if pieces.len() < self.start.len() {
            for hex in (0..self.hexes.len() as Hex).filter(|&hex| self.exit[hex as usize] && !pieces.contains(&hex)) {
                let mut before = Pieces::from_slice(pieces);
                before.insert(pieces.partition_point(|&piece| piece < hex), hex);
                out.push((before, 1));
            }
        }
        // A piece may have begun on a blocked exit, where none can land.
        let could_stand = |hex: Hex| hex != OFF && !pieces.contains(&hex) && (!self.blocked[hex as usize] || self.start.contains(&hex));
        for &to in pieces.iter().filter(|&&to| !self.blocked[to as usize]) {
            let (step, leap) = (&self.step[to as usize], &self.leap[to as usize]);
            for (&near, &far) in step.iter().zip(leap) {
                if could_stand(near) {
                    out.push((moved(pieces, to, near), 1));
                }
                if could_stand(far) && self.occupied(pieces, near) {
                    out.push((moved(pieces, to, far), 1));
                }
            }
        }
    }
}
