//! Unit tests of the library's modules, through their public functions.

mod sat;
