//! Unit tests of the library's modules through their public functions.

mod bits;
mod decider;
mod documents;
mod formats;
mod gf2;
mod graph;
mod layout;
mod lightest;
mod limits;
mod modular;
mod pack;
mod report;
mod sat;
mod scene;
mod sort;
mod states;
mod text;
