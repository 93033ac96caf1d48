//! Whack-a-mole.

pub mod chase;
