//! Proof-number search, best-first: Allis, van der Meulen and van den Herik, *Proof-number search* (1994).
//!
//! The search answers a yes-no question. It first asks whether the player to move at the start wins and, if not, whether that player at
//! least draws. The proof number of a position is the least number of unvisited positions that must all be proved for a proof of the
//! position; the disproof number is the same for a disproof. Each step visits a position that counts in both numbers of the start. The
//! tree is kept in memory.
//!
//! The second question is only asked if the first search met a draw. Otherwise, all lines of the disproof end with a loss.

use std::sync::Arc;

use super::order::{Listed, Order, Sorter};
use super::tally::Tally;
use super::tree::{Proved, Range, TreeSearch, Visit, VisitedChild, Watch, sorted};
use crate::limits::{Limit, Limits};
use crate::outcome::Stats;
use crate::rules::{Game, Score};
use crate::trace::{Fate, INFINITE, Judged, ProofNumbers};

/// The numbers of a position that has not been visited.
pub(super) const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };

impl ProofNumbers {
    /// The numbers of a position that is proved or disproved.
    pub(super) fn decided(proved: bool) -> ProofNumbers {
        let (proof, disproof) = if proved { (0, INFINITE) } else { (INFINITE, 0) };
        ProofNumbers { proof, disproof }
    }

    /// The same numbers with the question negated.
    pub(super) fn turned(self) -> ProofNumbers {
        ProofNumbers { proof: self.disproof, disproof: self.proof }
    }

    pub(super) fn is_decided(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The sum of proof numbers. A finite sum stays finite.
pub(super) fn sum(numbers: impl Iterator<Item = u32>) -> u32 {
    let add = |sum: u32, number: u32| match sum.max(number) {
        INFINITE => INFINITE,
        _ => sum.saturating_add(number).min(INFINITE - 1),
    };
    numbers.fold(0, add)
}

/// The numbers of a position whose player chooses the move, for the question whether that player succeeds. `after` are the numbers of
/// the positions after its moves, for the same question.
pub(super) fn any(after: impl Iterator<Item = ProofNumbers> + Clone) -> ProofNumbers {
    let proof = after.clone().map(|numbers| numbers.proof).min().unwrap_or(INFINITE);
    ProofNumbers { proof, disproof: sum(after.map(|numbers| numbers.disproof)) }
}

/// The questions that have been answered.
#[derive(Clone, Copy)]
pub(super) struct Questions {
    /// The score that the player to move at the start may reach: the current question.
    pub goal: Score,
    /// True if the search has met a draw.
    pub met_draw: bool,
}

impl Questions {
    pub const FIRST: Questions = Questions { goal: Score::Win, met_draw: false };

    /// The score, once it follows from the answer to the current question. `None` if the second question must be asked.
    pub fn score(self, proved: bool) -> Option<Score> {
        match (self.goal, proved) {
            (goal, true) => Some(goal),
            (Score::Win, false) if self.met_draw => None,
            _ => Some(Score::Loss),
        }
    }

    pub fn range(self) -> Range {
        Range { at_most: self.goal, ..Range::ALL }
    }

    /// The answer, from the numbers of the positions after each move. `score` is the score of the start position.
    pub fn answer<M: Ord>(score: Score, after: impl Iterator<Item = (M, ProofNumbers)>) -> Proved<M> {
        let (mut best, mut all_best) = (Vec::new(), true);
        for (mv, numbers) in after {
            match numbers.proof == 0 {
                true => best.push(mv),
                false => all_best &= numbers.disproof == 0,
            }
        }
        if score == Score::Loss {
            (best, all_best) = (Vec::new(), true);
        }
        Proved { score, length: None, best: sorted(best), all_best }
    }
}

struct Node<M> {
    /// The move to the position; `None` at the root.
    mv: Option<M>,
    parent: u32,
    /// The positions after its moves are `first..first + count`. Positions that have not been visited, and positions in which the game
    /// is over, have none.
    first: u32,
    count: u32,
    /// For the question whether the player to move at the start succeeds.
    numbers: ProofNumbers,
}

/// A proof-number search in progress.
pub struct ProofNumber<G: Game> {
    game: Arc<G>,
    start: G::State,
    sorter: Sorter<G::Move>,
    questions: Questions,
    nodes: Vec<Node<G::Move>>,
    /// The number of nodes of earlier trees, which precede those of this tree.
    before: u64,
    /// The positions from the root to the current one, with their nodes.
    path: Vec<(u32, G::State)>,
    tally: Tally,
    found: Option<Proved<G::Move>>,
}

impl<G: Game> ProofNumber<G> {
    pub fn new(game: Arc<G>, start: G::State, order: Order) -> Self {
        let mut search = ProofNumber {
            game,
            start,
            sorter: Sorter::new(order),
            questions: Questions::FIRST,
            nodes: Vec::new(),
            before: 0,
            path: Vec::new(),
            tally: Tally::new(Stats::default()),
            found: None,
        };
        search.plant();
        search
    }

    /// Begins a new tree.
    fn plant(&mut self) {
        self.before += self.nodes.len() as u64;
        self.nodes.clear();
        self.nodes.push(Node { mv: None, parent: 0, first: 0, count: 0, numbers: UNKNOWN });
        self.path.clear();
        self.path.push((0, self.start.clone()));
    }

    fn children(&self, node: u32) -> &[Node<G::Move>] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.nodes[first as usize..(first + count) as usize]
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<G::Move>>() + self.path.capacity() * size_of::<(u32, G::State)>()
    }

    /// The numbers of a visited node that follow from those of its children. The player to move at the start chooses at even depth.
    fn numbers(&self, node: u32, depth: usize) -> ProofNumbers {
        let after = self.children(node).iter().map(|child| child.numbers);
        if depth.is_multiple_of(2) { any(after) } else { any(after.map(ProofNumbers::turned)).turned() }
    }

    /// Extends the path to the position to visit next.
    fn descend(&mut self) {
        loop {
            let (at, state) = self.path.last().expect("the path contains the root");
            let chooses = self.path.len() % 2 == 1;
            let number = |child: &Node<G::Move>| if chooses { child.numbers.proof } else { child.numbers.disproof };
            let children = self.children(*at);
            let Some(best) = (0..children.len()).min_by_key(|&child| number(&children[child])) else { return };
            let mv = children[best].mv.as_ref().expect("only the root has no move");
            let next = (self.nodes[*at as usize].first + best as u32, self.game.apply(state, mv));
            self.path.push(next);
        }
    }

    /// Visits the last position of the path.
    fn visit(&mut self, limits: &Limits, watch: &mut Watch<'_, G>) -> Result<(), Limit> {
        // As in the depth-first searches, the open positions in a progress report are those in progress.
        let (open, bytes) = (self.path.len() as u64, self.bytes());
        self.tally.check(limits, open, || bytes)?;
        let depth = self.path.len() - 1;
        let (at, state) = self.path.last().expect("the path contains the root");
        let at = *at;
        let first = u32::try_from(self.nodes.len()).map_err(|_| Limit::Memory)?;
        let listed = self.sorter.list(&*self.game, state, depth, false, limits)?;
        let mut end = None;
        match listed {
            Listed::End(score) => {
                end = Some(score);
                self.tally.visited(0, 0);
                self.questions.met_draw |= score == Score::Draw;
                let score = if depth.is_multiple_of(2) { score } else { score.reversed() };
                self.nodes[at as usize].numbers = ProofNumbers::decided(score >= self.questions.goal);
            }
            Listed::Moves(moves) => {
                let count =
                    u32::try_from(moves.list.len()).ok().filter(|count| first.checked_add(*count).is_some()).ok_or(Limit::Memory)?;
                self.tally.visited(moves.list.len(), moves.bytes());
                let node = |mv| Node { mv: Some(mv), parent: at, first: 0, count: 0, numbers: UNKNOWN };
                self.nodes.extend(moves.list.into_iter().map(node));
                let node = &mut self.nodes[at as usize];
                (node.first, node.count) = (first, count);
                self.nodes[at as usize].numbers = self.numbers(at, depth);
            }
        }
        if let Some(watch) = watch {
            let node = &self.nodes[at as usize];
            let id = |node: u32| self.before + u64::from(node);
            let moves = (first..).zip(self.children(at)).filter_map(|(child, node)| Some((id(child), node.mv.as_ref()?)));
            let children = moves.map(|(id, mv)| VisitedChild { mv, id: Some(id), exact: None, fate: Fate::New }).collect();
            let judged = Judged::Proof { question: self.questions.goal, numbers: Some(node.numbers) };
            let mv = node.mv.as_ref().map(|mv| (&self.path[depth - 1].1, mv));
            let parent = mv.map(|_| id(node.parent));
            let (exact, open) = (end.map(|score| (score, None)), self.nodes.len() as u64);
            watch(Visit { id: id(at), parent, mv, depth: depth as u32, state: &self.path[depth].1, open, judged, exact, children });
        }
        Ok(())
    }

    /// Recomputes the numbers above the last position of the path. Removes the positions below the first whose numbers do not change.
    fn climb(&mut self) {
        while self.path.len() > 1 {
            self.path.pop();
            let depth = self.path.len() - 1;
            let at = self.path[depth].0;
            let numbers = self.numbers(at, depth);
            if std::mem::replace(&mut self.nodes[at as usize].numbers, numbers) == numbers {
                return;
            }
        }
    }
}

impl<G: Game> TreeSearch<G> for ProofNumber<G> {
    fn solve(&mut self, limits: &Limits, mut watch: Watch<'_, G>) -> Result<Proved<G::Move>, Limit> {
        self.tally.begin();
        loop {
            if let Some(found) = &self.found {
                return Ok(found.clone());
            }
            let root = self.nodes[0].numbers;
            if !root.is_decided() {
                self.descend();
                self.visit(limits, &mut watch)?;
                self.climb();
            } else if let Some(score) = self.questions.score(root.proof == 0) {
                let after = self.children(0).iter().filter_map(|child| Some((child.mv.clone()?, child.numbers)));
                self.found = Some(Questions::answer(score, after));
            } else {
                self.tally.holds(self.bytes());
                self.questions.goal = Score::Draw;
                self.plant();
            }
        }
    }

    fn stats(&self) -> Stats {
        let before = self.tally.stats;
        Stats { stored: self.nodes.len() as u64, peak_bytes: before.peak_bytes.max(self.bytes()), ..before }
    }

    fn range(&self) -> Range {
        self.questions.range()
    }
}
