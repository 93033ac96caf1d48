//! The relaxed problem: a black vertex must be clicked, but may end in any color.
//!
//! Only the equations of the colored vertices remain, with one unknown per click. The sets of clicks that solve them form a coset
//! of dimension b + nullity for b black vertices, which is small if b is small, however large the graph. If b is large, there are
//! few equations, and a table over all their right-hand sides is small instead. Either way, the bound is the exact least cost of
//! the relaxed problem, and consistent: a black vertex that turns red or green adds an equation, which cannot lower the bound. If
//! neither the coset nor the table is small, the bound of the heuristic `count` is used instead, which may be lower.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::{Colors, count};
use crate::bits::{bit, dot, pack, xor};
use crate::gf2::echelon::reduce;
use crate::gf2::matrix::Matrix;
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::rules::{Cost, DEAD};

/// The cost of clicking a vertex an even or an odd number of times.
#[derive(Clone, Copy, Debug)]
pub struct Prices {
    pub colored: [u32; 2],
    pub black: [u32; 2],
}

impl Prices {
    /// The least cost of a set of clicks if the vertices in `black` are black.
    #[inline]
    pub fn cost(&self, clicks: &[u64], black: &[u64]) -> Cost {
        let (mut odd, mut odd_black, mut blacks) = (0, 0, 0);
        for (clicks, black) in clicks.iter().zip(black) {
            odd += (clicks & !black).count_ones();
            odd_black += (clicks & black).count_ones();
            blacks += black.count_ones();
        }
        self.colored[1] * odd + self.black[1] * odd_black + self.black[0] * (blacks - odd_black)
    }
}

/// Describes, for every board with the same black vertices, all sets of clicks that make every colored vertex green.
pub struct Coset {
    /// For each click with a pivot, the vertices that decide whether it is made: it is made if an odd number of them are red.
    decided: Vec<(usize, Vec<u64>)>,
    /// Sets of vertices of which every click swaps an even number, so the number of red vertices in each set stays even or odd.
    pub even: Vec<Vec<u64>>,
    /// A basis, over GF(2), of the sets of clicks that leave every colored vertex unchanged.
    pub kernel: Vec<Vec<u64>>,
}

impl Coset {
    pub fn new(graph: &Graph, black: &[u64], limits: &Limits) -> Result<Coset, Limit> {
        let (n, words) = (graph.len(), black.len());
        limits.room(Coset::most_bytes(n))?;
        let colored = colored(graph, black);
        // The left half of each row contains the clicks that swap a vertex, and the right half contains the vertex itself.
        let mut matrix = Matrix::zero(colored.len(), 128 * words);
        for (row, &v) in colored.iter().enumerate() {
            limits.check()?;
            matrix.row_mut(row)[..words].copy_from_slice(graph.row(v));
            matrix.flip(row, v);
            matrix.flip(row, 64 * words + v);
        }
        let pivots = reduce(&mut matrix, n, limits)?;
        let right = |row: usize| matrix.row(row)[words..].to_vec();
        let decided: Vec<(usize, Vec<u64>)> = pivots.iter().enumerate().map(|(row, &click)| (click, right(row))).collect();
        let even = (pivots.len()..colored.len()).map(right).collect();
        let mut row_of = vec![None; n];
        pivots.iter().enumerate().for_each(|(row, &click)| row_of[click] = Some(row));
        let mut kernel = Vec::new();
        for free in (0..n).filter(|&click| row_of[click].is_none()) {
            limits.check()?;
            kernel.push(pack((0..n).map(|click| row_of[click].map_or(click == free, |row| matrix.get(row, free)))));
        }
        Ok(Coset { decided, even, kernel })
    }

    /// Maximum number of bytes needed to compute a coset: the matrix, and the rows copied from it.
    pub fn most_bytes(vertices: usize) -> usize {
        2 * Matrix::bytes(vertices, 128 * vertices.div_ceil(64))
    }

    /// A set of clicks that makes every colored vertex green.
    pub fn member(&self, red: &[u64]) -> Option<Vec<u64>> {
        if self.even.iter().any(|set| dot(set, red)) {
            return None;
        }
        let mut member = vec![0; red.len()];
        for (click, _) in self.decided.iter().filter(|(_, set)| dot(set, red)) {
            member[click / 64] |= 1 << (click % 64);
        }
        Some(member)
    }

    fn bytes(&self) -> usize {
        let vectors = self.decided.len() + self.even.len() + self.kernel.len();
        vectors * (32 + 8 * self.decided.first().map_or(1, |(_, set)| set.len()))
    }
}

/// The bound of the heuristic `count`: a click makes at most `reach` vertices green.
pub fn count_bound(colors: &Colors, reach: usize) -> Cost {
    count(&colors.words).div_ceil(reach) as Cost
}

/// Maximum dimension of a coset whose members are all compared.
const MEMBERS: usize = 16;
/// Maximum number of equations for a table.
const TABLE: usize = 16;
/// Maximum number of bytes for the tables that are kept.
const MOST_KEPT: usize = 32 << 20;

/// The precomputed data for a given set of black vertices.
enum Known {
    Members(Coset),
    /// The least cost for every set of red vertices, indexed by a bit mask over the colored vertices.
    Table(Vec<u16>),
    /// No data, because it would be too large. [`count_bound`] is used instead, which is never higher.
    Nothing,
}

/// The lower bound from the relaxed problem, with the tables it keeps for each set of black vertices.
pub struct Relaxed {
    prices: Prices,
    kept: Mutex<Kept>,
}

/// The precomputed data for each set of black vertices, and its size in bytes.
#[derive(Default)]
struct Kept {
    known: HashMap<Vec<u64>, Arc<Known>>,
    bytes: usize,
}

impl Relaxed {
    pub fn new(prices: Prices) -> Relaxed {
        Relaxed { prices, kept: Mutex::default() }
    }

    pub fn bytes(&self) -> usize {
        self.kept.lock().map_or(0, |kept| kept.bytes)
    }

    /// The bound for a board.
    pub fn at(&self, graph: &Graph, colors: &Colors, limits: &Limits) -> Result<Cost, Limit> {
        Ok(match &*self.known(graph, colors.black(), limits)? {
            Known::Members(coset) => match coset.member(colors.red()) {
                None => DEAD,
                Some(member) => self.lightest(coset, member, colors.black(), limits)?,
            },
            Known::Table(costs) => {
                let colored = colored(graph, colors.black());
                let reds = colored.iter().enumerate().fold(0, |sum, (at, &v)| sum | usize::from(bit(colors.red(), v)) << at);
                if costs[reds] == u16::MAX { DEAD } else { Cost::from(costs[reds]) }
            }
            Known::Nothing => count_bound(colors, graph.max_degree() + 1),
        })
    }

    fn known(&self, graph: &Graph, black: &[u64], limits: &Limits) -> Result<Arc<Known>, Limit> {
        if let Ok(kept) = self.kept.lock()
            && let Some(found) = kept.known.get(black)
        {
            return Ok(Arc::clone(found));
        }
        let (found, bytes) = self.learn(graph, black, limits)?;
        let found = Arc::new(found);
        if let Ok(mut kept) = self.kept.lock() {
            if kept.bytes + bytes > MOST_KEPT {
                *kept = Kept::default();
            }
            kept.known.insert(black.to_vec(), Arc::clone(&found));
            kept.bytes += bytes;
        }
        Ok(found)
    }

    fn learn(&self, graph: &Graph, black: &[u64], limits: &Limits) -> Result<(Known, usize), Limit> {
        limits.check()?;
        let equations = graph.len() - count(black);
        // The dimension is at least the number of black vertices.
        if count(black) > MEMBERS && equations > TABLE {
            return Ok((Known::Nothing, 64));
        }
        let coset = Coset::new(graph, black, limits)?;
        let dims = coset.kernel.len();
        Ok(if dims <= MEMBERS && (dims <= equations.max(8) || equations > TABLE) {
            let bytes = coset.bytes();
            (Known::Members(coset), bytes)
        } else if equations <= TABLE {
            (Known::Table(self.table(graph, black, limits)?), 2 << equations)
        } else {
            (Known::Nothing, 64)
        })
    }

    /// The least cost of a member of the coset, enumerated in Gray-code order.
    fn lightest(&self, coset: &Coset, mut member: Vec<u64>, black: &[u64], limits: &Limits) -> Result<Cost, Limit> {
        let mut least = self.prices.cost(&member, black);
        for step in 1_u64..1 << coset.kernel.len() {
            if step % 1024 == 0 {
                limits.check()?;
            }
            xor(&mut member, &coset.kernel[step.trailing_zeros() as usize]);
            least = least.min(self.prices.cost(&member, black));
        }
        Ok(least)
    }

    /// The least cost for every set of red vertices, computed click by click.
    fn table(&self, graph: &Graph, black: &[u64], limits: &Limits) -> Result<Vec<u16>, Limit> {
        let colored = colored(graph, black);
        let mut costs = vec![u16::MAX; 1 << colored.len()];
        costs[0] = 0;
        for click in 0..graph.len() {
            limits.check()?;
            let swaps = |&v: &usize| v == click || graph.has_edge(click, v);
            let swapped = colored.iter().enumerate().filter(|(_, v)| swaps(v)).fold(0, |sum, (at, _)| sum | 1_usize << at);
            let [even, odd] = if bit(black, click) { self.prices.black } else { self.prices.colored };
            let add = |cost: u16, more: u32| cost.saturating_add(more as u16);
            for reds in 0..costs.len() {
                // Update both sets of red vertices together.
                let other = reds ^ swapped;
                if reds <= other {
                    let (here, there) = (costs[reds], costs[other]);
                    costs[reds] = add(here, even).min(add(there, odd));
                    costs[other] = add(there, even).min(add(here, odd));
                }
            }
        }
        Ok(costs)
    }
}

/// The vertices that are not black.
pub fn colored(graph: &Graph, black: &[u64]) -> Vec<usize> {
    (0..graph.len()).filter(|&v| !bit(black, v)).collect()
}
