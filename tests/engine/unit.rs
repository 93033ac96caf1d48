//! Unit tests of the library's modules, through their public functions.

mod bits;
mod documents;
mod formats;
mod graph;
mod layout;
mod modular;
mod sat;
mod scene;
mod text;
