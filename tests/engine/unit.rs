//! Parts of the library on their own, against independent code.

mod gf2;
mod lightest;
