//! Kayles and its relatives: two players take objects in turn, and a player who cannot move loses. A board is a graph, from which a move
//! takes an edge with both ends or a vertex with its neighbors, or a number of heaps under the rules of an octal game; or a sum of these.
//!
//! A position is the set of objects (vertices or pins) that are left. A heap is a row of pins, so taking pins from the middle of a row
//! splits the heap. The parts of a position are its connected components.

mod drawing;
mod notation;
mod octal;
mod outline;
mod primer;
mod tools;

use std::sync::OnceLock;

use drawing::Figure;
pub use octal::{Octal, Period};

use crate::bits::ones_in;
use crate::graph::{Graph, symmetry};
use crate::limits::{Limit, Limits};
use crate::rules::{Game, Keys, Outline, Pack, Parts, Rules};

/// Maximum number of vertices and pins on a board.
pub const MOST: usize = 256;
const WORDS: usize = MOST / 64;
/// Maximum number of symmetries used. With more, only the identity is used.
const MOST_WAYS: usize = 128;

/// A set of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Objects([u64; WORDS]);

impl Objects {
    fn of(objects: impl IntoIterator<Item = usize>) -> Objects {
        let mut set = Objects::default();
        objects.into_iter().for_each(|object| set.0[object / 64] |= 1 << (object % 64));
        set
    }

    #[inline]
    fn has(&self, object: usize) -> bool {
        self.0[object / 64] >> (object % 64) & 1 == 1
    }

    #[inline]
    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        ones_in(&self.0)
    }

    #[inline]
    fn and(&self, other: &Objects) -> Objects {
        Objects(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    #[inline]
    fn or(&self, other: &Objects) -> Objects {
        Objects(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    #[inline]
    fn without(&self, other: &Objects) -> Objects {
        Objects(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    #[inline]
    fn count(&self) -> usize {
        // Most boards need only the first word.
        self.0.iter().filter(|&&word| word != 0).map(|word| word.count_ones() as usize).sum()
    }
}

/// A move. In heaps, it takes the objects from `first` to `last`. With rule `arc`, it takes the two vertices `first` and `last`. With rule
/// `node`, where `first == last`, it takes that vertex and its neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take {
    first: u8,
    last: u8,
}

/// The objects that a move takes from a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// An edge with both ends.
    Arc,
    /// A vertex with its neighbors.
    Node,
}

#[derive(Clone, Debug)]
enum Kind {
    /// With the name of the graph's family, if it was given by name.
    Graph { graph: Graph, name: Option<String>, rule: Rule },
    /// The sizes of the heaps, and the octal game (for Nim, none is written).
    Heaps { sizes: Vec<usize>, octal: Octal, is_nim: bool },
}

/// One term of a sum.
#[derive(Clone, Debug)]
struct Board {
    kind: Kind,
    /// Its objects.
    first: usize,
    len: usize,
    /// The number of columns, if it is a grid by name.
    columns: Option<usize>,
    /// The number of the first board with the same rules.
    rules: u8,
}

/// A sum of boards, and a starting position.
#[derive(Clone, Debug)]
pub struct Kayles {
    boards: Vec<Board>,
    /// The board of each object.
    board_of: Vec<u8>,
    /// The neighbors of each object. Pins next to each other in the same heap are neighbors.
    near: Vec<Objects>,
    /// Symmetries, the identity first: the image of object `v` is `way[v]`.
    ways: Vec<Vec<u8>>,
    start: Objects,
    figure: OnceLock<Figure>,
}

impl Kayles {
    /// A sum of boards from which nothing has been taken.
    fn new(kinds: Vec<Kind>, limits: &Limits) -> Result<Kayles, Limit> {
        let mut boards: Vec<Board> = Vec::new();
        let (mut board_of, mut edges, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        for kind in kinds {
            let (first, at) = (board_of.len(), boards.len());
            let rules = boards.iter().position(|other| other.kind.has_rules_of(&kind)).unwrap_or(at) as u8;
            let columns = kind.columns();
            match &kind {
                Kind::Graph { graph, .. } => {
                    edges.extend(graph.edges().map(|(u, v)| (first + u, first + v)));
                    colors.extend(vec![u32::from(rules) * MOST as u32; graph.len()]);
                }
                Kind::Heaps { sizes, octal, .. } => {
                    for &size in sizes {
                        let from = colors.len();
                        edges.extend((1..size).map(|pin| (from + pin - 1, from + pin)));
                        // Pins are taken from both ends, or only from the last one.
                        let place = |pin: usize| if octal.splits() { 0 } else { pin as u32 };
                        colors.extend((0..size).map(|pin| u32::from(rules) * MOST as u32 + place(pin)));
                    }
                }
            }
            board_of.resize(colors.len(), at as u8);
            boards.push(Board { kind, first, len: colors.len() - first, columns, rules });
        }
        let n = board_of.len();
        assert!(n <= MOST, "the reader refuses larger boards");
        let whole = Graph::from_edges(n, edges);
        let near = (0..n).map(|v| Objects::of(whole.neighbors(v).iter().map(|&u| u as usize))).collect();
        let elements = symmetry::within(&whole, Some(&colors), limits)?.elements(MOST_WAYS);
        let ways = elements.unwrap_or_else(|| vec![(0..n as u32).collect()]);
        let ways = ways.into_iter().map(|way| way.into_iter().map(|v| v as u8).collect()).collect();
        let (start, figure) = (Objects::of(0..n), OnceLock::new());
        Ok(Kayles { boards, board_of, near, ways, start, figure })
    }

    /// The game on a graph, for tests.
    pub fn on(graph: Graph, rule: Rule) -> Kayles {
        Kayles::new(vec![Kind::Graph { graph, name: None, rule }], &Limits::none()).expect("there are no limits")
    }

    fn board(&self, object: usize) -> &Board {
        &self.boards[usize::from(self.board_of[object])]
    }

    /// The pins from the first to the last one of the heap that has this pin.
    fn heap(&self, left: &Objects, pin: usize) -> (usize, usize) {
        let joined = |pin: usize| left.has(pin) && left.has(pin + 1) && self.near[pin].has(pin + 1);
        let (mut first, mut last) = (pin, pin);
        while first > 0 && joined(first - 1) {
            first -= 1;
        }
        while last + 1 < self.near.len() && joined(last) {
            last += 1;
        }
        (first, last)
    }

    /// The neighbors that are left.
    #[inline]
    fn near(&self, left: &Objects, object: usize) -> Objects {
        self.near[object].and(left)
    }

    /// Appends the connected components in which there is a move.
    fn components(&self, left: &Objects, out: &mut Vec<Objects>) {
        let mut rest = *left;
        loop {
            let root = rest.each().next();
            let Some(root) = root else { return };
            let mut part = Objects::of([root]);
            let mut rim = part;
            while !rim.is_empty() {
                let reached = rim.each().fold(Objects::default(), |reached, object| reached.or(&self.near[object]));
                rim = reached.and(&rest).without(&part);
                part = part.or(&rim);
            }
            rest = rest.without(&part);
            let is_live = match &self.board(root).kind {
                Kind::Graph { rule: Rule::Node, .. } => true,
                Kind::Graph { rule: Rule::Arc, .. } => part.count() > 1,
                Kind::Heaps { octal, .. } => !octal.is_dead(part.count()),
            };
            if is_live {
                out.push(part);
            }
        }
    }

    /// The image of a position under a symmetry.
    #[inline]
    fn image(&self, left: &Objects, way: &[u8]) -> Objects {
        Objects::of(left.each().map(|object| usize::from(way[object])))
    }

    /// Writes the key of a component: the size of a heap, a path or a cycle; the least image of a shape on a grid; or the least image under
    /// the symmetries of the whole board.
    fn component_key(&self, part: &Objects, out: &mut Vec<u8>) {
        let root = part.each().next().expect("a component is not empty");
        let (board, count) = (self.board(root), part.count() as u8);
        out.push(board.rules);
        if let Kind::Heaps { .. } = board.kind {
            return out.push(count);
        }
        if part.each().all(|object| self.near(part, object).count() <= 2) {
            let is_cycle = part.each().all(|object| self.near(part, object).count() == 2);
            return out.extend([u8::from(is_cycle), count]);
        }
        match board.columns {
            Some(columns) => {
                out.push(2);
                least_shape(part.each().map(|object| ((object - board.first) / columns, (object - board.first) % columns)), out);
            }
            None => {
                out.push(3);
                let least = self.ways.iter().map(|way| self.image(part, way)).min().expect("there is the identity");
                out.extend(least.0.iter().flat_map(|word| word.to_le_bytes()).take(self.near.len().div_ceil(8)));
            }
        }
    }

    /// Writes a key that is equal only for positions of the same value: the keys of the components, without pairs of equal ones.
    fn key(&self, left: &Objects, out: &mut Vec<u8>) {
        let mut parts = Vec::new();
        self.components(left, &mut parts);
        if let [part] = &parts[..] {
            return self.component_key(part, out);
        }
        let mut keys: Vec<Vec<u8>> = Vec::new();
        for part in &parts {
            let mut key = Vec::new();
            self.component_key(part, &mut key);
            match keys.iter().position(|other| *other == key) {
                Some(equal) => _ = keys.swap_remove(equal),
                None => keys.push(key),
            }
        }
        keys.sort_unstable();
        match &keys[..] {
            [key] => out.extend(key),
            _ => {
                // No component has this number of rules.
                out.push(u8::MAX);
                keys.iter().for_each(|key| {
                    out.push(key.len() as u8);
                    out.extend(key);
                });
            }
        }
    }
}

/// Writes the least of the eight images of a set of cells, each moved to the corner.
fn least_shape(cells: impl Iterator<Item = (usize, usize)>, out: &mut Vec<u8>) {
    let mut buffer = [(0u8, 0u8); MOST];
    let mut count = 0;
    let (mut low, mut high) = ((u8::MAX, u8::MAX), (0, 0));
    for (row, column) in cells {
        let (row, column) = (row as u8, column as u8);
        (low, high) = ((low.0.min(row), low.1.min(column)), (high.0.max(row), high.1.max(column)));
        buffer[count] = (row, column);
        count += 1;
    }
    let (rows, columns) = (usize::from(high.0 - low.0) + 1, usize::from(high.1 - low.1) + 1);
    let (short, long) = (rows.min(columns), rows.max(columns));
    let mut least: Option<[u64; WORDS]> = None;
    for way in 0..8 {
        let (is_turned, up, back) = (way & 4 != 0, way & 1 != 0, way & 2 != 0);
        // Shapes are wider than high.
        if is_turned && rows < columns || !is_turned && rows > columns {
            continue;
        }
        let mut bits = [0; WORDS];
        for &(row, column) in &buffer[..count] {
            let row = usize::from(if up { high.0 - row } else { row - low.0 });
            let column = usize::from(if back { high.1 - column } else { column - low.1 });
            let at = if is_turned { column * long + row } else { row * long + column };
            bits[at / 64] |= 1 << (at % 64);
        }
        if least.is_none_or(|least| bits < least) {
            least = Some(bits);
        }
    }
    out.push(short as u8);
    out.push(long as u8);
    let bits = least.expect("one of two opposite orientations is wide");
    out.extend(bits.iter().flat_map(|word| word.to_le_bytes()).take((short * long).div_ceil(8)));
}

impl Kind {
    /// True if a component has the same value on both boards.
    fn has_rules_of(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Graph { graph, rule, .. }, Kind::Graph { graph: other_graph, rule: other_rule, .. }) => {
                rule == other_rule && graph == other_graph
            }
            (Kind::Heaps { octal, .. }, Kind::Heaps { octal: other, .. }) => octal == other,
            _ => false,
        }
    }

    fn columns(&self) -> Option<usize> {
        let Kind::Graph { graph, name: Some(name), .. } = self else { return None };
        let size = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let columns: usize = size.split_once('x')?.1.parse().ok()?;
        let rows = graph.len().checked_div(columns)?;
        // Other families also have names with two numbers.
        let is_step = |(u, v): (usize, usize)| v == u + columns || v == u + 1 && v % columns != 0;
        (graph.edge_count() == rows * (columns - 1) + columns * (rows - 1) && graph.edges().all(is_step)).then_some(columns)
    }
}

impl Pack<Kayles> for Objects {
    fn bytes(rules: &Kayles) -> usize {
        rules.near.len().div_ceil(8)
    }

    #[inline]
    fn pack(&self, _: &Kayles, out: &mut [u8]) {
        let bytes = self.0.iter().flat_map(|word| word.to_le_bytes());
        out.iter_mut().zip(bytes).for_each(|(place, byte)| *place = byte);
    }

    #[inline]
    fn unpack(_: &Kayles, bytes: &[u8]) -> Self {
        let mut set = Objects::default();
        bytes.iter().enumerate().for_each(|(at, &byte)| set.0[at / 8] |= u64::from(byte) << (at % 8 * 8));
        set
    }
}

impl Rules for Kayles {
    type State = Objects;
    type Move = Take;

    fn start(&self) -> Objects {
        self.start
    }

    #[inline]
    fn moves(&self, left: &Objects, out: &mut Vec<Take>) {
        let (mut low, mut high) = (1, 0);
        for object in left.each() {
            let first = object as u8;
            match &self.board(object).kind {
                Kind::Graph { rule: Rule::Arc, .. } => {
                    out.extend(self.near(left, object).each().filter(|&other| other > object).map(|last| Take { first, last: last as u8 }));
                }
                Kind::Graph { rule: Rule::Node, .. } => out.push(Take { first, last: first }),
                Kind::Heaps { octal, .. } => {
                    if low > high || object > high {
                        (low, high) = self.heap(left, object);
                    }
                    let fits = |&last: &usize| octal.allows(last + 1 - object, object - low, high - last);
                    out.extend((object..=high).filter(fits).map(|last| Take { first, last: last as u8 }));
                }
            }
        }
    }

    #[inline]
    fn apply(&self, left: &Objects, take: &Take) -> Objects {
        let (first, last) = (usize::from(take.first), usize::from(take.last));
        left.without(&match &self.board(first).kind {
            Kind::Graph { rule: Rule::Arc, .. } => Objects::of([first, last]),
            Kind::Graph { rule: Rule::Node, .. } => self.near[first].or(&Objects::of([first])),
            Kind::Heaps { .. } => Objects::of(first..=last),
        })
    }

    #[inline]
    fn canonical(&self, left: Objects) -> Objects {
        self.ways[1..].iter().map(|way| self.image(&left, way)).min().map_or(left, |least| least.min(left))
    }

    #[inline]
    fn layer(&self, left: &Objects) -> Option<u32> {
        Some((self.near.len() - left.count()) as u32)
    }

    fn orbit(&self, canonical: &Objects) -> u64 {
        let fixing = self.ways.iter().filter(|way| self.image(canonical, way) == *canonical).count();
        (self.ways.len() / fixing) as u64
    }
}

impl Game for Kayles {
    const KEYS: Keys<Self> = Keys { key: Kayles::key, ..Keys::DEFAULT };

    const PARTS: Option<Parts<Self>> = Some(Parts { of: Kayles::components });

    const OUTLINE: Outline<Self> = Outline { position: outline::outline, data: outline::data };
}
