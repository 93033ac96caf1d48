//! Systems of linear equations modulo k, as the game meets them, and the road that fits every field: one equation and one
//! unknown per hole.

use super::field::Field;
use crate::gf2::echelon::Echelon;
use crate::gf2::matrix::Matrix;
use crate::gf2::vector::Vector;
use crate::gf2::{echelon, plain};
use crate::modular;

/// Hits that solve a system, and independent quiet patterns: all solutions are the hits plus multiples of these, each counted
/// up to its order.
pub struct Solved {
    pub hits: Vec<u8>,
    pub quiet: Vec<(Vec<u8>, u8)>,
}

/// How a system is brought into echelon form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elimination {
    /// The method of four Russians.
    Russians,
    /// The textbooks' way, row by row; modulo 2 only.
    Plain,
}

/// A system modulo k, by its rows.
pub struct Linear {
    states: u8,
    columns: usize,
    rows: Vec<Vec<u8>>,
}

impl Linear {
    pub fn new(states: u8, columns: usize, rows: Vec<Vec<u8>>) -> Linear {
        Linear { states, columns, rows }
    }

    /// A solution with all quiet patterns, or weights of the rows that prove that there is none.
    pub fn solve(&self, sides: &[u8]) -> Result<Solved, Vec<u8>> {
        if self.states == 2 {
            let matrix = Matrix::from_fn(self.rows.len(), self.columns, |row, column| self.rows[row][column] == 1);
            return solve_bits(&matrix, sides, Elimination::Russians);
        }
        solve_modular(self.states, self.columns, &self.rows, sides)
    }
}

fn solve_bits(matrix: &Matrix, sides: &[u8], elimination: Elimination) -> Result<Solved, Vec<u8>> {
    let bytes = |bits: &Vector| {
        let mut bytes = vec![0; bits.len()];
        bits.ones().for_each(|at| bytes[at] = 1);
        bytes
    };
    let side = Vector::from_fn(sides.len(), |at| sides[at] == 1);
    let echelon = match elimination {
        Elimination::Russians => Echelon::with_sides(matrix, &[&side]),
        Elimination::Plain => Echelon::by(matrix, &[&side], plain::reduce),
    };
    match echelon.solution(0) {
        Some(x) => {
            let kernel = echelon.kernel();
            let quiet = (0..kernel.rows()).map(|row| (bytes(&kernel.row_vector(row)), 2)).collect();
            Ok(Solved { hits: bytes(&x), quiet })
        }
        None => Err(bytes(&echelon::refute(matrix, &side).z)),
    }
}

fn solve_modular(states: u8, columns: usize, rows: &[Vec<u8>], sides: &[u8]) -> Result<Solved, Vec<u8>> {
    let wide = |numbers: &[u8]| numbers.iter().map(|&number| u32::from(number)).collect::<Vec<u32>>();
    let narrow = |numbers: Vec<u32>| numbers.into_iter().map(|number| number as u8).collect::<Vec<u8>>();
    let rows: Vec<Vec<u32>> = rows.iter().map(|row| wide(row)).collect();
    match modular::solve(u32::from(states), columns, &rows, &wide(sides)) {
        Ok(modular::Solution { x, kernel }) => {
            let quiet = kernel.into_iter().map(|generator| (narrow(generator.vector), generator.order as u8)).collect();
            Ok(Solved { hits: narrow(x), quiet })
        }
        Err(certificate) => Err(narrow(certificate.z)),
    }
}

/// About the bytes that one equation per hole takes.
pub fn bytes(field: &Field, states: u8) -> usize {
    let holes = field.len();
    if states == 2 { holes.saturating_mul(holes.div_ceil(64)).saturating_mul(16) } else { holes.saturating_mul(holes).saturating_mul(8) }
}

/// Solves a field with one equation per hole.
pub fn solve(field: &Field, states: u8, need: &[u8], elimination: Elimination) -> Result<Solved, Vec<u8>> {
    let places = |fits: &dyn Fn(usize) -> bool| (0..field.len()).filter(|&at| fits(at)).collect::<Vec<usize>>();
    let (holes, hits) = (places(&|at| field.exists(at)), places(&|at| field.can_hit(at)));
    let mut row_of = vec![usize::MAX; field.len()];
    holes.iter().enumerate().for_each(|(row, &hole)| row_of[hole] = row);
    let sides: Vec<u8> = holes.iter().map(|&hole| need[hole]).collect();
    let solved = if states == 2 {
        let mut matrix = Matrix::zero(holes.len(), hits.len());
        for (column, &hit) in hits.iter().enumerate() {
            field.toggled(hit, |hole| matrix.flip(row_of[hole], column));
        }
        solve_bits(&matrix, &sides, elimination)
    } else {
        let mut rows = vec![vec![0; hits.len()]; holes.len()];
        for (column, &hit) in hits.iter().enumerate() {
            field.toggled(hit, |hole| rows[row_of[hole]][column] = 1);
        }
        Linear::new(states, hits.len(), rows).solve(&sides)
    };
    let spread = |values: &[u8], places: &[usize]| {
        let mut all = vec![0; field.len()];
        places.iter().zip(values).for_each(|(&at, &value)| all[at] = value);
        all
    };
    match solved {
        Ok(solved) => Ok(Solved {
            hits: spread(&solved.hits, &hits),
            quiet: solved.quiet.iter().map(|(pattern, order)| (spread(pattern, &hits), *order)).collect(),
        }),
        Err(weights) => Err(spread(&weights, &holes)),
    }
}
