//! Search, spaces, game graphs, questions, documents, and the order of modules.

#[path = "../common/mod.rs"]
mod common;

mod ask;
mod counts;
mod docs;
mod gamegraph;
mod golden;
mod instances;
mod layers;
mod schema;
mod search;
mod space;
mod unit;
