//! The search step by step, for those who watch it.

use std::collections::HashMap;

use super::field::Field;
use super::watch::{Made, Observer, Seen};
use super::{Jump, PegSet, Pegs};
use crate::rules::{Problem, Rules};
use crate::trace::{Child, Expanded, Fate, Side, Way};

/// A state as it was come to.
#[derive(Clone)]
struct Node {
    id: u64,
    parent: Option<u64>,
    /// The jump to it; backward, the jump to its parent. And where that starts.
    jump: Option<(PegSet, Jump)>,
    state: PegSet,
    depth: u32,
}

pub struct Show<'a> {
    board: &'a Pegs,
    field: &'a Field,
    start: PegSet,
    emit: &'a mut dyn FnMut(Expanded<Pegs>),
    /// By side and canonical state, for the round under way.
    nodes: HashMap<(bool, u64), Node>,
    /// The next number that no node has.
    next: u64,
}

impl<'a> Show<'a> {
    pub fn new(board: &'a Pegs, field: &'a Field, start: PegSet, emit: &'a mut dyn FnMut(Expanded<Pegs>)) -> Self {
        Show { board, field, start, emit, nodes: HashMap::new(), next: 0 }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn root(&mut self, side: Side, canonical: u64, state: PegSet) {
        let id = self.number();
        self.nodes.insert((side == Side::Forward, canonical), Node { id, parent: None, jump: None, state, depth: 0 });
    }

    /// Remembers how a child was come to, and shows it.
    fn child(&mut self, side: Side, node: &Node, made: &Made) -> Child<Pegs> {
        let way = &self.field.jumps[made.jump];
        let jump = Jump { from: way.holes.0, to: way.holes.1 };
        let state = match side {
            Side::Forward => self.board.apply(&node.state, &jump),
            Side::Backward => PegSet::bare(node.state.pegs ^ u128::from(way.flips)),
        };
        let from = if side == Side::Forward { node.state.clone() } else { state.clone() };
        let key = (side == Side::Forward, made.canonical);
        let known = self.nodes.get(&key).map(|known| known.id);
        let id = match made.fate {
            Fate::Dead => None,
            Fate::Known => known,
            Fate::New | Fate::Better => {
                let id = known.unwrap_or_else(|| self.number());
                let jump = Some((from.clone(), jump));
                self.nodes.insert(key, Node { id, parent: Some(node.id), jump, state: state.clone(), depth: node.depth + 1 });
                Some(id)
            }
        };
        Child {
            id,
            moves: vec![jump],
            from: (side == Side::Backward).then_some(from),
            cost: made.cost,
            estimate: (made.fate != Fate::Dead).then_some(made.estimate),
            priority: None,
            fate: made.fate,
            goal: side == Side::Forward && self.board.is_goal(&state),
        }
    }
}

impl Observer for Show<'_> {
    fn begin(&mut self) {
        self.nodes.clear();
        self.root(Side::Forward, self.field.least(self.field.start), self.start.clone());
        for at in 0..self.field.goals.len() {
            let goal = self.field.least(self.field.goals[at]);
            self.root(Side::Backward, goal, PegSet::bare(u128::from(goal)));
        }
    }

    fn image(&self, side: Side, canonical: u64) -> u64 {
        self.nodes.get(&(side == Side::Forward, canonical)).map_or(canonical, |node| node.state.pegs as u64)
    }

    fn expanded(&mut self, seen: &Seen<'_>) {
        let Some(node) = self.nodes.get(&(seen.side == Side::Forward, seen.canonical)).cloned() else { return };
        let children = seen.made.iter().map(|made| self.child(seen.side, &node, made)).collect();
        (self.emit)(Expanded {
            id: node.id,
            parent: node.parent,
            way: node.jump.map(|(from, jump)| Way { from, moves: vec![jump] }),
            state: node.state,
            depth: node.depth,
            cost: seen.cost,
            estimate: Some(seen.estimate),
            priority: None,
            open: seen.open,
            lower: seen.lower,
            upper: seen.upper,
            bound: seen.bound,
            side: Some(seen.side),
            children,
        });
    }
}
