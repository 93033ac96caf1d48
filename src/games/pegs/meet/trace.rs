//! The trace of a search. The search stores one image of each state; the trace records which image occurs in actual play.

use std::collections::HashMap;

use super::field::PegField;
use super::{Jump, PegSet, Pegs};
use crate::rules::{Cost, Problem, Rules};
use crate::trace::{Child, Expanded, Fate, Side, Way};

/// A state as it occurs in actual play.
#[derive(Clone)]
struct Node {
    id: u64,
    parent: Option<u64>,
    /// A jump, and the state before it. Forward, the jump leads to this state; backward, it leads from this state to its parent.
    way: Option<(PegSet, Jump)>,
    state: PegSet,
    depth: u32,
}

pub struct MeetTrace<'a> {
    board: &'a Pegs,
    field: &'a PegField,
    start: PegSet,
    pub emit: &'a mut dyn FnMut(Expanded<Pegs>),
    /// The states of the current round, by direction (true for forward) and canonical state.
    nodes: HashMap<(bool, u64), Node>,
    /// The next free node number.
    next: u64,
    /// The children of the state that is being expanded.
    children: Vec<Child<Pegs>>,
}

impl<'a> MeetTrace<'a> {
    pub fn new(board: &'a Pegs, field: &'a PegField, start: PegSet, emit: &'a mut dyn FnMut(Expanded<Pegs>)) -> Self {
        MeetTrace { board, field, start, emit, nodes: HashMap::new(), next: 0, children: Vec::new() }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn root(&mut self, side: Side, canonical: u64, state: PegSet) {
        let id = self.number();
        self.nodes.insert((side == Side::Forward, canonical), Node { id, parent: None, way: None, state, depth: 0 });
    }

    /// Begins a round.
    pub fn begin(&mut self) {
        self.nodes.clear();
        self.root(Side::Forward, self.field.least(self.field.start), self.start.clone());
        for &goal in &self.field.goals {
            let goal = self.field.least(goal);
            self.root(Side::Backward, goal, PegSet::bare(u128::from(goal)));
        }
    }

    /// The image of a canonical state that occurs in play.
    pub fn image(&self, side: Side, canonical: u64) -> u64 {
        self.nodes.get(&(side == Side::Forward, canonical)).map_or(canonical, |node| node.state.pegs as u64)
    }

    /// Records a child of a state, and the jump that leads to it.
    pub fn child(&mut self, side: Side, parent: u64, jump: usize, canonical: u64, (cost, estimate): (Cost, Cost), fate: Fate) {
        let forward = side == Side::Forward;
        let Some(node) = self.nodes.get(&(forward, parent)).cloned() else { return };
        let mask = &self.field.jumps[jump];
        let jump = Jump::single(mask.holes.0, mask.holes.1);
        let state = match side {
            Side::Forward => self.board.apply(&node.state, &jump),
            Side::Backward => PegSet::bare(node.state.pegs ^ u128::from(mask.flips)),
        };
        let from = if forward { node.state } else { state.clone() };
        let goal = forward && self.board.is_goal(&state);
        let mut id = self.nodes.get(&(forward, canonical)).map(|known| known.id).filter(|_| fate != Fate::Dead);
        if matches!(fate, Fate::New | Fate::Better) {
            let new = id.unwrap_or_else(|| self.number());
            let way = Some((from.clone(), jump));
            self.nodes.insert((forward, canonical), Node { id: new, parent: Some(node.id), way, state, depth: node.depth + 1 });
            id = Some(new);
        }
        let (from, estimate) = ((!forward).then_some(from), (fate != Fate::Dead).then_some(estimate));
        self.children.push(Child { id, moves: vec![jump], from, cost, estimate, priority: None, fate, goal });
    }

    /// The record of an expanded state with its recorded children. The caller fills in the cost and the bounds.
    pub fn expanded(&mut self, side: Side, canonical: u64) -> Option<Expanded<Pegs>> {
        let children = std::mem::take(&mut self.children);
        let Node { id, parent, way, state, depth } = self.nodes.get(&(side == Side::Forward, canonical))?.clone();
        let way = way.map(|(from, jump)| Way { from, moves: vec![jump] });
        let (cost, estimate, priority, open, lower, upper, bound) = (0, None, None, 0, 0, None, None);
        Some(Expanded { id, parent, way, state, depth, cost, estimate, priority, open, lower, upper, bound, side: Some(side), children })
    }
}
