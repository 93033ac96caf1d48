//! Tests of searches, spaces, game graphs, questions and documents, and of the module order.

#[path = "../common/mod.rs"]
mod common;

mod ask;
mod counts;
mod docs;
mod gamegraph;
mod golden;
mod instances;
mod layers;
mod minimax;
mod opponent;
mod pattern;
mod plans;
mod refused;
mod schema;
mod search;
mod space;
mod unit;
