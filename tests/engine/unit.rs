//! Unit tests of the library's modules, through their public functions.

mod bits;
mod documents;
mod formats;
mod gf2;
mod graph;
mod layout;
mod lightest;
mod modular;
mod sat;
mod scene;
mod text;
