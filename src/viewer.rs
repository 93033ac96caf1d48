//! Views of a trace: [`page`] is an HTML document that steps through it, [`tree`] and [`painted`] are drawings, and [`moment()`] is a
//! sentence that names what proves the answer.

// Public for the tests.
#[doc(hidden)]
pub mod bundle;
mod moment;
pub mod page;
pub mod painted;
pub mod tree;

pub(crate) use bundle::bundle;
pub use moment::moment;
