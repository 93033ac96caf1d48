//! Heuristics for peg solitaire. Most of them cover the pegs with lines: every jump changes squares in only one row or column.
//!
//! A *cover* of a set of squares is a set of rows and columns that contains them all. Take any plan. A square whose content must
//! change (its peg must leave it, or a peg must land on it) lies on the line of at least one jump. So the lines of the plan's jumps
//! cover all squares that must change, and the plan costs at least as much as the cheapest such cover, where a column costs the
//! cheaper of up and down, and a row the cheaper of left and right. This is `lines`. If every line costs the price of the cheapest
//! direction, the bound is `h2`. If the goal is one peg anywhere, the square of that peg need not change, so the cover may lack one
//! line: the price of the cheapest line is subtracted.
//!
//! Both `lines` and `h2` are consistent. If a jump on the line L leads from s to t, then s and t differ only on L. So a cover of the
//! squares that must change in t, with L added, covers those that must change in s, and the jump costs at least as much as L.
//!
//! `potential` gives every hole a weight such that each jump reduces the weight of the board by at most its price. (A jump removes
//! the weights of its start and of the jumped pegs and adds that of its landing hole.) So a plan costs at least the weight that the
//! board loses. The best weights for the start are the solution of a linear program, the dual of play with fractional jumps. The
//! heuristic is consistent by construction. With single jumps at unit prices, all weights are 1 and `potential` is exact. `priced`
//! is the larger of `potential`, which is quick to look up, and `lines`. The maximum of consistent heuristics is consistent.
//!
//! All these heuristics count jumps. If consecutive jumps by one peg count as one move, they are not lower bounds, and `corners`
//! takes their place.
//!
//! If the squares lie in few rows, the cheapest cover is found by branching: each row is covered by itself or by the columns of its
//! squares. In general, the cheapest cover is a minimum vertex cover of the bipartite graph whose vertices are rows and columns and
//! whose edges are squares. By the weighted form of Koenig's theorem, its cost is that of a maximum flow, found by augmenting
//! paths.

use super::{Down, Left, MOST, PegSet, Pegs, Right, Up, chains, holes_of, weights};
use crate::bits::ones;
use crate::rules::{Cost, DEAD, Estimate, Heuristic};

pub(super) const HEURISTICS: &[Heuristic<Pegs>] = &[
    Heuristic {
        name: "priced",
        about: "the larger of `potential` and `lines`; only `lines` if the linear program for `potential` is too large to solve",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, limits| {
            Ok(match weights::heaviest(board, limits)? {
                _ if board.by_moves => chains::estimate(board),
                None => Estimate::new(|board: &Pegs, state: &PegSet| lines(board, state.pegs, None)),
                Some(found) => {
                    let (potential, table) = (Potential::new(board, found), LineTable::new(board));
                    let bytes = potential.bytes() + table.bytes();
                    let at = move |board: &Pegs, state: &PegSet| {
                        let weight = potential.at(state.pegs);
                        // A cover takes longer to compute, so it is computed only if its price can exceed the weight.
                        if table.most(board, state.pegs) <= weight { weight } else { weight.max(lines(board, state.pegs, None)) }
                    };
                    Estimate::new(at).with_tables(bytes)
                }
            })
        },
    },
    Heuristic {
        name: "potential",
        about: "the weight that the board must still lose; a linear program chooses the weights so that no jump removes more weight than its price",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, limits| {
            if board.by_moves {
                return Ok(chains::estimate(board));
            }
            let potential = Potential::new(board, weights::heaviest(board, limits)?.unwrap_or_else(|| weights::plain(board)));
            let bytes = potential.bytes();
            Ok(Estimate::new(move |_: &Pegs, state: &PegSet| potential.at(state.pegs)).with_tables(bytes))
        },
    },
    Heuristic {
        name: "lines",
        about: "the least total price of rows and columns that cover all squares that must change (a row or column costs the lower \
                price of its two directions), minus the price of the cheapest line if the goal is one peg anywhere",
        admissible: true,
        consistent: true,
        aliases: &[],
        build: |board, _| match board.by_moves {
            true => Ok(chains::estimate(board)),
            false => Ok(Estimate::new(|board: &Pegs, state: &PegSet| lines(board, state.pegs, None))),
        },
    },
    Heuristic {
        name: "h2",
        about: "the minimum number of rows and columns that cover all squares that must change (minus 1 if the goal is one peg \
                anywhere), times the least price of a direction",
        admissible: true,
        consistent: true,
        aliases: &[("A*2", "astar")],
        build: |board, _| {
            if board.by_moves {
                return Ok(chains::estimate(board));
            }
            let least = board.costs.iter().copied().min().unwrap_or(0);
            Ok(Estimate::new(move |board: &Pegs, state: &PegSet| h2(board, state).checked_mul(least).unwrap_or(DEAD)))
        },
    },
    Heuristic {
        name: "h1",
        about: "the number of rows or columns with pegs, whichever is smaller, minus 1; not a lower bound, because a cover that mixes rows and columns may need fewer lines",
        admissible: false,
        consistent: false,
        aliases: &[("GS", "greedy"), ("A*", "astar")],
        build: |_, _| Ok(Estimate::new(|board: &Pegs, state: &PegSet| h1(board, state))),
    },
    // The last heuristic is for boards on which moves are counted.
    chains::CORNERS,
];

/// The holes of each row and of each column.
struct LineTable {
    rows: Vec<u128>,
    columns: Vec<u128>,
}

impl LineTable {
    fn new(board: &Pegs) -> LineTable {
        let (mut rows, mut columns) = (vec![0; MOST], vec![0; MOST]);
        for (hole, &(row, column)) in board.lines.iter().enumerate() {
            rows[row as usize] |= 1 << hole;
            columns[column as usize] |= 1 << hole;
        }
        rows.retain(|&line| line != 0);
        columns.retain(|&line| line != 0);
        LineTable { rows, columns }
    }

    /// An upper bound on the price of the cheapest cover: the price of all rows, or of all columns, with squares that must change.
    fn most(&self, board: &Pegs, pegs: u128) -> Cost {
        let (squares, _) = must_change(board, pegs);
        let (row, column) = line_prices(board);
        let price = |lines: &[u128], each: Cost| each.saturating_mul(lines.iter().filter(|&&line| line & squares != 0).count() as Cost);
        price(&self.rows, row).min(price(&self.columns, column))
    }

    fn bytes(&self) -> usize {
        (self.rows.capacity() + self.columns.capacity()) * size_of::<u128>()
    }
}

/// Weights of holes, in units of 1/`scale`.
struct Potential {
    /// The weight of each byte of the state, indexed by byte position and value.
    tables: Vec<[i64; 256]>,
    /// The weight of the heaviest goal.
    goal: i64,
    scale: i64,
}

impl Potential {
    fn new(board: &Pegs, (weights, scale): (weights::HoleWeights, i64)) -> Potential {
        let value = |pegs: u128| weights::value(&weights, pegs);
        let table = |byte: usize| std::array::from_fn(|bits| value((bits as u128) << (8 * byte) & board.all()));
        let goal = board.goals().into_iter().map(value).max().unwrap_or(0);
        Potential { tables: (0..board.holes.len().div_ceil(8)).map(table).collect(), goal, scale }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.tables)
    }

    fn at(&self, pegs: u128) -> Cost {
        let bytes = pegs.to_le_bytes();
        let mut value = 0;
        for (at, table) in self.tables.iter().enumerate() {
            value += table[bytes[at] as usize];
        }
        let surplus = value - self.goal;
        if surplus <= 0 { 0 } else { ((surplus + self.scale - 1) / self.scale) as Cost }
    }
}

/// The number of rows with pegs or of columns with pegs, whichever is smaller, minus 1.
pub(super) fn h1(board: &Pegs, state: &PegSet) -> Cost {
    let (mut rows, mut columns) = (0u128, 0u128);
    for hole in holes_of(state.pegs) {
        let (row, column) = board.lines[hole as usize];
        rows |= 1 << row;
        columns |= 1 << column;
    }
    rows.count_ones().min(columns.count_ones()).saturating_sub(1)
}

/// The minimum number of lines that cover all squares that must change, minus 1 if the goal is one peg anywhere.
pub(super) fn h2(board: &Pegs, state: &PegSet) -> Cost {
    cover(board, state.pegs, 1, 1)
}

/// The price of a row and of a column: for each, the lower price of its two directions.
fn line_prices(board: &Pegs) -> (Cost, Cost) {
    let [up, right, down, left] = [Up, Right, Down, Left].map(|direction| board.costs[direction as usize]);
    (left.min(right), up.min(down))
}

/// The price of the cheapest cover: a lower bound on the cost from a state to the goals or, if a start is given, from the start to
/// the state.
pub(super) fn lines(board: &Pegs, pegs: u128, start: Option<u128>) -> Cost {
    let (row, column) = line_prices(board);
    match start {
        None => cover(board, pegs, row, column),
        Some(start) => covered(board, start ^ pegs, row, column),
    }
}

/// The squares that must change, and whether one of them, whichever it is, is exempt.
pub(super) fn must_change(board: &Pegs, pegs: u128) -> (u128, bool) {
    match board.goal {
        None => (pegs, true),
        Some(goal) => (pegs ^ goal, false),
    }
}

/// The lowest price at which rows and columns can cover all squares that must change.
fn cover(board: &Pegs, pegs: u128, row: Cost, column: Cost) -> Cost {
    let (squares, one_stays) = must_change(board, pegs);
    covered(board, squares, row, column).saturating_sub(if one_stays { row.min(column) } else { 0 })
}

/// The price of the cheapest cover of these squares.
fn covered(board: &Pegs, squares: u128, row: Cost, column: Cost) -> Cost {
    few_lines(board, squares, row, column).unwrap_or_else(|| flow(board, squares, row, column))
}

/// The maximum number of rows for which covers are enumerated.
const FEW: usize = 8;

/// The price of the cheapest cover if the squares lie in few rows: each row is covered by itself or by the columns of its squares.
pub fn few_lines(board: &Pegs, squares: u128, row: Cost, column: Cost) -> Option<Cost> {
    if board.columns > 64 {
        return None;
    }
    let (mut rows, mut count, mut last) = ([0_u64; FEW], 0, u8::MAX);
    // Holes are numbered row by row.
    for hole in holes_of(squares) {
        let (at, column) = board.lines[hole as usize];
        if at != last {
            if count == FEW {
                return None;
            }
            (count, last) = (count + 1, at);
        }
        rows[count - 1] |= 1 << column;
    }
    let mut best = row.saturating_mul(count as Cost);
    cheapest(&rows[..count], 0, 0, (row, column), &mut best);
    Some(best)
}

/// Lowers `best` to the price of the cheapest cover of these rows, given the columns already taken and the amount already spent.
fn cheapest(rows: &[u64], taken: u64, spent: Cost, prices: (Cost, Cost), best: &mut Cost) {
    if spent >= *best {
        return;
    }
    let Some((first, rest)) = rows.split_first() else {
        *best = spent;
        return;
    };
    let left = first & !taken;
    if left == 0 {
        return cheapest(rest, taken, spent, prices, best);
    }
    cheapest(rest, taken | left, spent.saturating_add(prices.1.saturating_mul(left.count_ones())), prices, best);
    cheapest(rest, taken, spent.saturating_add(prices.0), prices, best);
}

/// Like [`few_lines`], but for any number of rows.
pub fn flow(board: &Pegs, squares: u128, row: Cost, column: Cost) -> Cost {
    Flow::new(board, squares, row, column).most()
}

/// A minimum set of rows and columns that covers these squares, by Koenig's theorem.
pub(super) fn fewest_lines(board: &Pegs, squares: u128) -> (Vec<usize>, Vec<usize>) {
    let mut flow = Flow::new(board, squares, 1, 1);
    flow.most();
    // The cover consists of the columns that can be reached from rows with capacity left, and of the rows that cannot be reached.
    let (mut used, mut rows, mut columns) = (0_u128, 0_u128, 0_u128);
    loop {
        let before = (rows, columns);
        for at in 0..flow.count {
            let (row, column) = flow.squares[at];
            used |= 1 << row;
            if flow.row_left[row as usize] > 0 || columns >> column & 1 == 1 && flow.through[at] > 0 {
                rows |= 1 << row;
            }
            if rows >> row & 1 == 1 {
                columns |= 1 << column;
            }
        }
        if before == (rows, columns) {
            let hole = |is_on: &dyn Fn(&(u8, u8)) -> bool| board.holes[board.lines.iter().position(is_on).expect("lines have holes")];
            let row = |at: usize| hole(&|line| usize::from(line.0) == at).0;
            let column = |at: usize| hole(&|line| usize::from(line.1) == at).1;
            return (ones(used & !rows).map(row).collect(), ones(columns).map(column).collect());
        }
    }
}

/// A flow from rows through squares to columns. Each row and each column has a capacity. Everything is on the stack because
/// this is the innermost loop of a search.
struct Flow {
    squares: [(u8, u8); MOST],
    count: usize,
    through: [Cost; MOST],
    row_left: [Cost; MOST],
    column_left: [Cost; MOST],
}

impl Flow {
    fn new(board: &Pegs, squares: u128, row: Cost, column: Cost) -> Flow {
        let mut flow = Flow { squares: [(0, 0); MOST], count: 0, through: [0; MOST], row_left: [row; MOST], column_left: [column; MOST] };
        for hole in holes_of(squares) {
            flow.squares[flow.count] = board.lines[hole as usize];
            flow.count += 1;
        }
        flow
    }

    /// The value of a maximum flow.
    fn most(&mut self) -> Cost {
        let mut total: Cost = 0;
        // First, assigns flow greedily, without rerouting.
        for at in 0..self.count {
            let (row, column) = self.squares[at];
            let amount = self.row_left[row as usize].min(self.column_left[column as usize]);
            self.through[at] += amount;
            self.row_left[row as usize] -= amount;
            self.column_left[column as usize] -= amount;
            total = total.saturating_add(amount);
        }
        // Squares are ordered row by row.
        let mut at = 0;
        while at < self.count {
            let row = self.squares[at].0;
            while self.row_left[row as usize] > 0 {
                let amount = self.augment(row, self.row_left[row as usize], &mut 0);
                if amount == 0 {
                    break;
                }
                self.row_left[row as usize] -= amount;
                total = total.saturating_add(amount);
            }
            while at < self.count && self.squares[at].0 == row {
                at += 1;
            }
        }
        total
    }

    /// Sends up to `amount` from a row to any column with capacity left, rerouting flow if needed. `seen` has one bit per column.
    fn augment(&mut self, row: u8, amount: Cost, seen: &mut u128) -> Cost {
        for at in 0..self.count {
            let (from, column) = self.squares[at];
            if from != row || *seen >> column & 1 == 1 {
                continue;
            }
            *seen |= 1 << column;
            let free = amount.min(self.column_left[column as usize]);
            if free > 0 {
                self.through[at] += free;
                self.column_left[column as usize] -= free;
                return free;
            }
            for other in 0..self.count {
                let (rival, same) = self.squares[other];
                if same == column && rival != row && self.through[other] > 0 {
                    let sent = self.augment(rival, amount.min(self.through[other]), seen);
                    if sent > 0 {
                        self.through[other] -= sent;
                        self.through[at] += sent;
                        return sent;
                    }
                }
            }
        }
        0
    }
}
