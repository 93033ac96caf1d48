//! The heuristic `pattern`: additive pattern databases (Korf and Felner, 2002).
//!
//! The tiles are divided into groups. A pattern consists of the cells of a group's tiles and the connected region of other cells
//! that contains the blank. Only moves of the group's tiles cost anything, so the costs of all groups can be added. The table of a
//! group has one entry for each placement of its tiles. The place of the blank is a detail that the table leaves out: an entry is
//! the least cost over all places of the blank.

use super::{MOST, Tiles};
use crate::notation::{Field, Notation, OptionSpec, ParseError, shorten};
use crate::rules::{Cost, Patterns, Projection};

pub(super) const OPTION: OptionSpec = OptionSpec {
    name: "patterns",
    about: "sizes of the groups of tiles for the heuristic `pattern`, such as `6-6-3`",
    default: "5-5-5 on 4 x 4",
};

/// Pairs `(cells, tiles)`: on boards with at most `cells` cells, a group has at most `tiles` tiles, unless an option says
/// otherwise. The tables of groups of this size are built in about a second.
const USUAL: [(usize, usize); 3] = [(12, 6), (20, 5), (MOST * MOST, 4)];
/// Maximum number of patterns per group, so that a pattern's index fits in 32 bits.
const MOST_PATTERNS: u64 = 1 << 32;

/// The cells of a 4 x 4 board, in an order that makes groups compact if the blank is last.
const BY_FIVES: [u8; 15] = [0, 4, 5, 8, 12, 1, 2, 3, 6, 7, 9, 10, 11, 13, 14];
const BY_SIXES: [u8; 15] = [0, 4, 5, 8, 9, 12, 6, 7, 10, 11, 13, 14, 1, 2, 3];

pub(super) const PATTERNS: Patterns<Tiles> = Patterns {
    about: "the least number of moves that each group of tiles needs, from a table, summed over the groups (`--option patterns` sets them)",
    additive: true,
    // The estimate is not consistent, because the best place of the blank differs from entry to entry.
    consistent: false,
    projections: |board| board.groups.iter().map(|group| board.projection(group)).collect(),
    entries: |board, cells, out| {
        let mut places = [0; 32];
        for cell in 0..board.len() {
            places[board.tile(*cells, cell)] = cell as u8;
        }
        for (entry, group) in out.iter_mut().zip(&board.groups) {
            *entry = board.rank(group.iter().map(|&tile| places[tile % 32]));
        }
    },
    goals: |board, at| {
        let homes: Vec<u8> = board.groups[at].iter().map(|&tile| board.homes[tile] as u8).collect();
        vec![board.pattern(&homes, board.homes[0] as u8)]
    },
    step: |board, at, pattern, emit| board.step(&board.groups[at], pattern, emit),
};

/// The sizes of the groups on a board with this number of cells, unless an option says otherwise.
pub(super) fn usual_sizes(len: usize) -> Vec<usize> {
    let tiles = len - 1;
    let most = USUAL.iter().find(|(cells, _)| len <= *cells).map_or(1, |(_, most)| *most);
    let groups = tiles.div_ceil(most);
    (0..groups).map(|at| (tiles + groups - 1 - at) / groups).collect()
}

/// Sizes as text.
fn written(sizes: &[usize]) -> String {
    sizes.iter().map(usize::to_string).collect::<Vec<_>>().join("-")
}

/// The `patterns:` line, if the sizes are not the usual ones.
pub(super) fn setting(board: &Tiles) -> String {
    let sizes: Vec<usize> = board.groups.iter().map(Vec::len).collect();
    if sizes == usual_sizes(board.len()) { String::new() } else { format!("patterns: {}\n", written(&sizes)) }
}

pub(super) fn read_sizes(setting: &Field<'_>, len: usize) -> Result<Vec<usize>, ParseError> {
    let value = setting.value;
    let help = format!("write sizes whose sum is {}, such as `{}`", len - 1, written(&usual_sizes(len)));
    let sizes: Option<Vec<usize>> = value.trim().split('-').map(|size| size.trim().parse().ok().filter(|&size| size > 0)).collect();
    let Some(sizes) = sizes.filter(|sizes| sizes.iter().try_fold(0_usize, |sum, &size| sum.checked_add(size)) == Some(len - 1)) else {
        return Err(setting.error(format!("`{}` does not divide {} tiles into groups", shorten(value.trim()), len - 1), help));
    };
    if let Some(size) = sizes.iter().find(|&&size| entries(len, size) * (len - size) as u64 > MOST_PATTERNS) {
        let message = format!("a group of {size} tiles has {} entries on this board, which is too many", entries(len, *size));
        return Err(setting.error(message, "use smaller groups"));
    }
    Ok(sizes)
}

/// Number of ways to place this number of tiles.
fn entries(len: usize, tiles: usize) -> u64 {
    (0..tiles).map(|at| (len - at) as u64).product()
}

impl Tiles {
    /// Divides the tiles into groups of these sizes. The goal cells of a group's tiles are near each other.
    pub(super) fn group(&mut self, sizes: &[usize]) {
        let (len, blank) = (self.len(), self.homes[0]);
        let order: Vec<u8> = match (len, self.columns, blank, sizes) {
            (16, 4, 15, [5, 5, 5]) => BY_FIVES.into(),
            (16, 4, 0, [5, 5, 5]) => BY_FIVES.iter().map(|cell| 15 - cell).collect(),
            (16, 4, 15, [6, 6, 3]) => BY_SIXES.into(),
            (16, 4, 0, [6, 6, 3]) => BY_SIXES.iter().map(|cell| 15 - cell).collect(),
            _ if blank < len / 2 => (0..len as u8).collect(),
            _ => (0..len as u8).rev().collect(),
        };
        let goal = self.tiles(self.goal);
        let mut tiles = order.into_iter().map(|cell| goal[usize::from(cell)]).filter(|&tile| tile > 0);
        self.groups = sizes.iter().map(|&size| tiles.by_ref().take(size).collect()).collect();
    }

    /// Number of bytes needed to build the tables of all groups.
    fn pattern_bytes(&self) -> u64 {
        let tables = self.groups.iter().map(|group| self.projection(group));
        let (sum, most) = tables.fold((0, 0), |(sum, most), table| {
            let own = u64::from(table.entries);
            (sum + own, most.max(table.bytes() - own))
        });
        sum + most
    }

    fn projection(&self, group: &[usize]) -> Projection {
        let (goal, cost) = (self.line(&self.goal), if self.by_tile { "tile" } else { "unit" });
        let id = format!("tiles {} x {}, cost {cost}, tiles {group:?}, goal {goal}", self.rows, self.columns);
        let details = (self.len() - group.len()) as u32;
        Projection { id, entries: entries(self.len(), group.len()) as u32, details }
    }

    /// The number of the placement of tiles in these cells. Its digits, in a mixed radix, are each cell's index among the cells that are
    /// not taken by earlier tiles.
    #[inline]
    fn rank(&self, places: impl Iterator<Item = u8>) -> u32 {
        let (mut taken, mut rank, mut free) = (0_u32, 0_u32, self.len() as u32);
        for place in places {
            let bit = 1 << place;
            rank = rank * free + u32::from(place) - (taken & (bit - 1)).count_ones();
            taken |= bit;
            free -= 1;
        }
        rank
    }

    /// The inverse of [`Tiles::rank`].
    fn unrank(&self, mut rank: u32, places: &mut [u8]) {
        let (len, count) = (self.len(), places.len());
        for (at, place) in places.iter_mut().enumerate().rev() {
            let free = (len - at) as u32;
            (*place, rank) = ((rank % free) as u8, rank / free);
        }
        let mut rest = (1_u32 << len) - 1;
        for place in places.iter_mut().take(count) {
            let cell = nth(rest, u32::from(*place));
            *place = cell;
            rest &= !(1 << cell);
        }
    }

    /// The pattern with tiles in these cells and the blank in this cell. It is numbered by the placement of the tiles and by the index,
    /// among the other cells, of the first cell that the blank can reach.
    fn pattern(&self, places: &[u8], blank: u8) -> u64 {
        let all = (1_u32 << self.len()) - 1;
        let open = places.iter().fold(all, |open, &place| open & !(1 << place));
        let first = self.reach(open, blank).trailing_zeros();
        let detail = (open & ((1 << first) - 1)).count_ones();
        let entry = self.rank(places.iter().copied());
        u64::from(entry) * (self.len() - places.len()) as u64 + u64::from(detail)
    }

    /// The cells of `open` that the blank can reach.
    fn reach(&self, open: u32, blank: u8) -> u32 {
        let left = (0..self.rows).fold(0, |cells, row| cells | 1 << (row * self.columns));
        let mut reached = 1_u32 << blank;
        loop {
            // Steps to the left and right must not cross the edge of the board.
            let sides =
                reached << 1 & !left | reached >> 1 & !(left << (self.columns - 1)) | reached << self.columns | reached >> self.columns;
            let more = reached | sides & open;
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// Calls `emit` with every pattern that is one move of a tile away. Moves can be reversed, so these are also the predecessors.
    fn step(&self, group: &[usize], pattern: u64, emit: &mut dyn FnMut(u64, Cost)) {
        let (mut places, details) = ([0; MOST * MOST], (self.len() - group.len()) as u64);
        let places = &mut places[..group.len()];
        self.unrank((pattern / details) as u32, places);
        let open = places.iter().fold((1_u32 << self.len()) - 1, |open, &place| open & !(1 << place));
        let reached = self.reach(open, nth(open, (pattern % details) as u32));
        for (at, &tile) in group.iter().enumerate() {
            let from = places[at];
            for to in self.near(usize::from(from)).filter(|&to| reached >> to & 1 == 1) {
                places[at] = to as u8;
                emit(self.pattern(places, from), self.price(tile));
            }
            places[at] = from;
        }
    }
}

/// The position of the nth set bit of `bits`; n is counted from 0.
#[inline]
fn nth(mut bits: u32, n: u32) -> u8 {
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    bits.trailing_zeros() as u8
}

/// The remedy if the memory limit is too low for the tables.
pub(super) fn note_on_memory(board: &Tiles, bytes: usize) -> Option<String> {
    let needed = board.pattern_bytes();
    (needed > bytes as u64).then(|| {
        let sizes = written(&board.groups.iter().map(Vec::len).collect::<Vec<_>>());
        format!(
            "the heuristic `pattern` with groups {sizes} needs about {} MB of memory; raise `--memory`, or use smaller groups",
            needed / 1_000_000 + 1
        )
    })
}
