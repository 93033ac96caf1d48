//! Algebra over GF(2).

pub mod poly;
