//! Promises about memory, measured by counting allocations.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/counting.rs"]
mod counting;

mod drawing;
mod memory;
