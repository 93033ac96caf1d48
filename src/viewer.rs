//! A trace for people: [`page`] is one HTML document that steps through it, [`tree`] a drawing, and [`moment`] a sentence that
//! says what proves the answer.

mod bundle;
mod moment;
pub mod page;
pub mod tree;

pub(crate) use bundle::bundle;
pub use moment::moment;
