//! Linear algebra over GF(2).

pub mod lightest;
