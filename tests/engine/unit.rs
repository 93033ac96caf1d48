//! Parts of the library that other tests reach only through a whole search.

mod decider;
mod limits;
mod pack;
mod report;
mod states;
