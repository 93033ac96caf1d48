//! Two-player games as puzzles: who wins and by which moves, labels for every move, and the graph of positions.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Checked, Choice, ChoiceError, Inside, LegalMove, MethodInfo, MoveError, Position, Puzzle, Run, SelfCheck, Space};
use super::{Edit, draw, paint, show_proof};
use crate::drawing::Drawing;
use crate::gamegraph::induction::{self, Count, Labeled};
use crate::gamegraph::picture::{self, Picture};
use crate::gamegraph::search::{Grundy, Search};
use crate::gamegraph::{self, Kind, METHODS, Method};
use crate::limits::{Limit, Limits};
use crate::notation::{Notation, Options, ReadError, shorten};
use crate::outcome::{Certificate, Stats};
use crate::random::Random;
use crate::report::{Answer, Claim, Decided, Report, Written};
use crate::rules::Game;
use crate::scene::{self, Brush, Explanation, Gesture, Paint, Scene};
use crate::search::explore::{Explored, Layer};
use crate::verify;

/// A two-player game as a puzzle.
pub struct TwoPlayer<G: Game> {
    game: Arc<G>,
    start: G::State,
    /// Moves made since the instance's own start: player 1 moves when it is even.
    made: usize,
}

/// A legal move and what it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub text: String,
    /// Does it win? Then it leads to a P-position.
    pub wins: bool,
    /// The Grundy value after it, where that is known.
    pub grundy: Option<Grundy>,
    /// Moves to the end after it under best play, where that is known.
    pub length: Option<u16>,
}

/// Why a graph of positions is not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureError {
    /// There are more positions than was asked for at most.
    TooLarge,
    Limit(Limit),
}

/// What only two-player games can be asked.
pub trait Duel {
    /// Who is to move: 1 or 2.
    fn turn(&self) -> u8;

    /// Every legal move with its label, in the order of the moves.
    fn labels(&self, limits: &Limits) -> Result<Vec<Label>, Limit>;

    /// The graph of all positions with at most `most` of them; with `fold`, one of each set of symmetric ones.
    fn picture(&self, fold: bool, most: u64, limits: &Limits) -> Result<Picture, PictureError>;
}

/// Positions that `auto` spends on Grundy values before it asks for the winner only.
const GRUNDY_NODES: u64 = 100_000;
/// Positions up to which labels come with the length of play.
const LENGTH_NODES: u64 = 100_000;

impl<G: Game + Notation> TwoPlayer<G> {
    pub fn new(game: G) -> Self {
        TwoPlayer { start: game.start(), game: Arc::new(game), made: 0 }
    }

    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.start, &mut moves);
        moves
    }

    fn written(&self, mv: &G::Move) -> Written {
        Written { text: self.game.write_move(&self.start, mv), json: self.game.move_json(&self.start, mv) }
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        let legal = |mv: &G::Move| {
            let Written { text, json } = self.written(mv);
            LegalMove { text, alias: self.game.move_alias(&self.start, mv), json, cost: 1 }
        };
        self.moves().iter().map(legal).collect()
    }

    fn find(&self, choice: &Choice) -> Result<&'static Method, ChoiceError> {
        let Some(name) = &choice.method else { return Ok(&METHODS[0]) };
        let method = gamegraph::find(name).ok_or_else(|| ChoiceError {
            message: format!("there is no method `{}` for two players", shorten(name)),
            help: format!("the methods are {}", METHODS.iter().map(|method| method.name).collect::<Vec<_>>().join(", ")),
        })?;
        if method.kind == Kind::Grundy && !self.game.impartial() {
            return Err(ChoiceError {
                message: format!("{} has no Grundy values under these rules", G::NAME),
                help: "take `--method winner`".to_owned(),
            });
        }
        Ok(method)
    }

    /// Checks an answer by plain induction and writes it down.
    fn report(&self, method: &str, found: Found<G::Move>, stats: Stats, limits: &Limits) -> Result<Report, SelfCheck> {
        let fail = |fault: String| SelfCheck { method: method.to_owned(), fault };
        let best = found.all_best.then_some(found.best.as_slice());
        let limits = limits.with_nodes(verify::STATES);
        let verified = self.confirm(found.wins, found.grundy.map(u64::from), best, &limits).map_err(fail)?;
        let to_move = self.made.is_multiple_of(2);
        let decided = Decided {
            winner: if found.wins == to_move { 1 } else { 2 },
            wins: found.wins,
            grundy: found.grundy,
            length: found.length,
            best: found.best.iter().map(|mv| self.written(mv)).collect(),
            all_best: found.all_best,
        };
        let mut facts = self.game.facts();
        facts.extend(found.facts);
        Ok(Report { game: G::NAME, method: method.to_owned(), answer: Answer::Decided(decided), verified, stats, facts, all: None })
    }

    /// Compares claims with a plain induction: `false` if there were too many positions for it.
    fn confirm(&self, wins: bool, grundy: Option<u64>, best: Option<&[G::Move]>, limits: &Limits) -> Result<bool, String> {
        let Some((worth, after)) = verify::worth(&*self.game, &self.start, limits) else { return Ok(false) };
        if worth.0 != wins {
            return Err(format!("the player to move {}", if worth.0 { "wins" } else { "loses" }));
        }
        if let Some(grundy) = grundy.filter(|&grundy| grundy != u64::from(worth.1)) {
            return Err(format!("the Grundy value is {}, not {grundy}", worth.1));
        }
        for (mv, (loses, _)) in &after {
            let text = || self.game.write_move(&self.start, mv);
            match best.is_none_or(|best| best.contains(mv) != *loses) {
                true => {}
                false if *loses => return Err(format!("`{}` does not win", text())),
                false => return Err(format!("`{}` wins, too", text())),
            }
        }
        Ok(true)
    }

    fn unknown(&self, method: &str, limit: Limit, stats: Stats) -> Report {
        let answer = Answer::Unknown { limit, lower: 0, upper: None, moves: Vec::new() };
        Report { game: G::NAME, method: method.to_owned(), answer, verified: false, stats, facts: self.game.facts(), all: None }
    }

    fn found_in(&self, labeled: &Labeled<'_, G>) -> Found<G::Move> {
        let moves = self.moves();
        let worth = labeled.worth(&self.start);
        let wins = |mv: &&G::Move| !labeled.worth(&self.game.apply(&self.start, mv)).wins;
        let best = moves.iter().filter(wins).cloned().collect();
        let mut facts = Map::from_iter([("positions".to_owned(), json!(labeled.layers.iter().map(|layer| layer.len()).sum::<usize>()))]);
        // Symmetric images of reachable positions are reachable themselves only if the start is its own image.
        if self.game.orbit(&self.game.canonical(self.start.clone())) == 1 {
            let sum = |of: fn(&Count) -> u64| labeled.counts().iter().map(of).fold(0, u64::saturating_add);
            let counts =
                [("boards", sum(|count| count.boards)), ("boards_over", sum(|count| count.over)), ("boards_P", sum(|count| count.losing))];
            facts.extend(counts.into_iter().filter(|(_, sum)| *sum < u64::MAX).map(|(name, sum)| (name.to_owned(), json!(sum))));
        }
        let grundy = self.game.impartial().then_some(worth.grundy);
        Found { wins: worth.wins, grundy, length: Some(worth.length), best, all_best: true, facts }
    }
}

/// An answer before it is checked.
struct Found<M> {
    wins: bool,
    grundy: Option<Grundy>,
    length: Option<u16>,
    best: Vec<M>,
    all_best: bool,
    facts: Map<String, Value>,
}

impl<G: Game + Drawing> Puzzle for TwoPlayer<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn position(&self) -> Position {
        let (game, state) = (&*self.game, &self.start);
        let moves = self.legal_moves();
        let mut scene = game.scene(state);
        let gesture = |(mv, written): (&G::Move, &LegalMove)| Gesture { text: written.text.clone(), clicks: game.clicks(state, mv) };
        scene.moves = self.moves().iter().zip(&moves).map(gesture).collect();
        Position { instance: game.write(state), ascii: game.ascii(state), scene, moves, goal: game.terminal(state).is_some() }
    }

    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError> {
        let mut here = TwoPlayer { game: Arc::clone(&self.game), start: self.start.clone(), made: self.made };
        for (at, text) in moves.iter().enumerate() {
            let (legal, written) = (here.moves(), here.legal_moves());
            let meant = LegalMove::find(&written, text).and_then(|meant| written.iter().position(|mv| std::ptr::eq(mv, meant)));
            let Some(meant) = meant else {
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                return Err(MoveError { number: at + 1, text: shorten(&text) });
            };
            here.start = here.game.apply(&here.start, &legal[meant]);
            here.made += 1;
        }
        Ok(Box::new(here))
    }

    fn methods(&self) -> Vec<MethodInfo> {
        let fits = |method: &&Method| method.kind != Kind::Grundy || self.game.impartial();
        let info = |method: &Method| {
            let (name, about) = (method.name.to_owned(), method.about.to_owned());
            MethodInfo { name, about, optimal: false, memory: None, course: false }
        };
        METHODS.iter().filter(fits).map(info).collect()
    }

    fn method(&self, choice: &Choice) -> Result<String, ChoiceError> {
        Ok(self.find(choice)?.name.to_owned())
    }

    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, ChoiceError> {
        let method = self.find(choice)?;
        let this: &'static TwoPlayer<G> =
            Box::leak(Box::new(TwoPlayer { game: Arc::clone(&self.game), start: self.start.clone(), made: self.made })); // SHIM
        let grundy = method.kind == Kind::Grundy || method.kind == Kind::Auto && self.game.impartial();
        Ok(Box::new(Deciding {
            puzzle: this,
            method,
            winner: Search::new(&*this.game),
            grundy: grundy.then(|| Search::new(&*this.game)),
            spent: Stats::default(),
        }))
    }

    fn explore(&self, limits: &Limits) -> Space {
        let symmetric = self.game.orbit(&self.game.canonical(self.start.clone())) == 1;
        // Without a symmetric start, what is counted are the boards themselves.
        let (explored, losing) = match induction::label(&*self.game, &self.start, symmetric, limits) {
            Err(limit) => (Explored { limit: Some(limit), ..Explored::default() }, Vec::new()),
            Ok(labeled) => {
                let counts = labeled.counts();
                let layer = |count: &Count| Layer {
                    layer: count.layer,
                    states: count.positions,
                    unfolded: count.boards,
                    goals: 0,
                    dead_ends: count.over,
                    moves: count.moves,
                };
                let layers = counts.iter().map(layer).collect();
                (Explored { layers, limit: None, peak_bytes: labeled.bytes }, counts.iter().map(|count| count.losing).collect())
            }
        };
        let names = explored.layers.iter().map(|layer| self.game.layer_name(layer.layer)).collect();
        Space {
            unfolded: explored.limit.is_none().then(|| explored.total().unfolded).filter(|&boards| boards < u64::MAX),
            explored,
            names,
            losing: Some(losing),
        }
    }

    fn check(&self, claim: &Claim, limits: &Limits) -> Result<Checked, String> {
        let Claim::Decided { wins, grundy, best, all_best } = claim else {
            return match claim {
                Claim::Unknown => {
                    let text = "the answer says `unknown`: there is nothing to check".to_owned();
                    Ok(Checked { text, verified: false, complete: false })
                }
                _ => Err(format!("the answer is for one player, and {} has two", G::NAME)),
            };
        };
        let (legal, written) = (self.moves(), self.legal_moves());
        let find = |text: &Value| {
            let meant = LegalMove::find(&written, text).and_then(|meant| written.iter().position(|mv| std::ptr::eq(mv, meant)));
            meant.map(|at| legal[at].clone()).ok_or_else(|| format!("`{}` is not legal here", shorten(&text.to_string())))
        };
        let best: Option<Vec<G::Move>> = best.as_ref().map(|best| best.iter().map(find).collect()).transpose()?;
        let best = best.as_deref().filter(|_| *all_best);
        let complete = self.confirm(*wins, *grundy, best, limits)?;
        let text = match complete {
            true => format!("a plain induction finds the same: the player to move {}", if *wins { "wins" } else { "loses" }),
            false => "not decided: there are too many positions for a plain induction".to_owned(),
        };
        Ok(Checked { text, verified: complete, complete })
    }

    fn duel(&self) -> Option<&dyn Duel> {
        Some(self)
    }

    fn state_bytes(&self) -> usize {
        self.game.state_bytes()
    }

    /// What the game says, or else the label of every move.
    fn explain(&self, limits: &Limits) -> Option<Explanation> {
        let said = G::LESSON.and_then(|lesson| (lesson.explain)(&self.game, &self.start, limits));
        said.or_else(|| self.labeled(limits))
    }

    fn show_proof(&self, certificate: &Certificate) -> Explanation {
        show_proof(&*self.game, &self.start, certificate)
    }

    fn editor(&self) -> Option<&dyn Edit> {
        G::EDITOR.is_some().then_some(self as &dyn Edit)
    }
}

impl<G: Game + Drawing> Edit for TwoPlayer<G> {
    fn brushes(&self) -> &'static [Brush] {
        G::EDITOR.map_or(&[], |editor| (editor.brushes)(&self.game))
    }

    fn canvas(&self) -> Scene {
        G::EDITOR.map_or_else(|| self.game.scene(&self.start), |editor| (editor.canvas)(&self.game, &self.start))
    }

    fn paint(&self, brush: &str, shapes: &[&str]) -> Option<String> {
        paint(&*self.game, &self.start, brush, shapes)
    }
}

/// Positions that an explanation may look at: about a second.
const EXPLAIN_NODES: u64 = 200_000;

impl<G: Game + Drawing> TwoPlayer<G> {
    /// Who wins and by which moves. A place is tinted by the best that a move beginning there does.
    fn labeled(&self, limits: &Limits) -> Option<Explanation> {
        let labels = self.labels(&limits.with_nodes(limits.nodes.min(EXPLAIN_NODES))).ok()?;
        let winning = labels.iter().filter(|label| label.wins).count();
        let mut explanation = Explanation::new(match (labels.len(), winning) {
            (0, _) => "No move is left: the game is over.".to_owned(),
            (all, 0) => format!(
                "A P-position: whatever the player to move does, the other one wins. All {all} moves lead to N-positions, which the \
                 next player wins."
            ),
            (all, some) => format!(
                "An N-position: the player to move wins, by {some} of {all} moves. Those lead to P-positions, where the next player \
                 can only lose; the others hand the win over."
            ),
        });
        for (mv, label) in self.moves().iter().zip(&labels) {
            let text = match label.grundy {
                Some(grundy) => format!("{} {grundy}", if label.wins { "P" } else { "N" }),
                None => if label.wins { "P" } else { "N" }.to_owned(),
            };
            let paint = if label.wins { Paint::Win } else { Paint::Lose };
            explanation.labels.push(scene::MoveLabel { mv: label.text.clone(), text, paint, good: label.wins });
            let Some(first) = self.game.clicks(&self.start, mv).into_iter().next() else { continue };
            match explanation.tints.iter_mut().find(|tint| tint.name == first) {
                Some(tint) if label.wins => tint.paint = paint,
                Some(_) => {}
                None => explanation.tint(first, paint, 0.9),
            }
        }
        Some(explanation)
    }
}

impl<G: Game + Drawing> Duel for TwoPlayer<G> {
    fn turn(&self) -> u8 {
        1 + (self.made % 2) as u8
    }

    fn labels(&self, limits: &Limits) -> Result<Vec<Label>, Limit> {
        let moves = self.moves();
        let few = limits.with_nodes(limits.nodes.min(LENGTH_NODES));
        if let Ok(labeled) = induction::label(&*self.game, &self.start, true, &few) {
            let label = |mv: &G::Move| {
                let worth = labeled.worth(&self.game.apply(&self.start, mv));
                let grundy = self.game.impartial().then_some(worth.grundy);
                Label { text: self.game.write_move(&self.start, mv), wins: !worth.wins, grundy, length: Some(worth.length) }
            };
            return Ok(moves.iter().map(label).collect());
        }
        let mut search: Search<'_, G, bool> = Search::new(&*self.game);
        let label = |mv: &G::Move| {
            let wins = !search.value(&self.game.apply(&self.start, mv), limits)?;
            Ok(Label { text: self.game.write_move(&self.start, mv), wins, grundy: None, length: None })
        };
        moves.iter().map(label).collect()
    }

    fn picture(&self, fold: bool, most: u64, limits: &Limits) -> Result<Picture, PictureError> {
        let game = &*self.game;
        let few = limits.with_nodes(limits.nodes.min(most));
        let labeled = induction::label(game, &self.start, fold, &few).map_err(|limit| match limit {
            Limit::Nodes if most <= limits.nodes => PictureError::TooLarge,
            limit => PictureError::Limit(limit),
        })?;
        let title = format!("{}: {}", G::NAME, game.line(&self.start));
        let mut picture = Picture { title, ..Picture::default() };
        let mut number: HashMap<G::State, usize> = HashMap::new();
        let mut states = Vec::new();
        for (layer, state, worth) in labeled.positions() {
            number.insert(state.clone(), states.len());
            picture.nodes.push(picture::Node {
                text: game.line(&state),
                instance: game.write(&state),
                layer,
                wins: worth.wins,
                grundy: game.impartial().then_some(worth.grundy),
                length: worth.length,
                over: game.terminal(&state).is_some(),
                boards: if fold { game.orbit(&state) } else { 1 },
            });
            states.push(state);
        }
        for (from, state) in states.iter().enumerate().filter(|(from, _)| !picture.nodes[*from].over) {
            let first = picture.arcs.len();
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            for mv in &moves {
                let next = game.apply(state, mv);
                let to = number[&if fold { game.canonical(next) } else { next }];
                match picture.arcs[first..].iter_mut().find(|arc| arc.to == to) {
                    Some(arc) => arc.count += 1,
                    None => picture.arcs.push(picture::Arc { from, to, text: game.write_move(state, mv), count: 1 }),
                }
            }
        }
        Ok(picture)
    }
}

/// A solver at work: a search for Grundy values if they are wanted, and one for the winner.
struct Deciding<'a, G: Game> {
    puzzle: &'a TwoPlayer<G>,
    method: &'static Method,
    winner: Search<'a, G, bool>,
    grundy: Option<Search<'a, G, Grundy>>,
    /// What a search for Grundy values took before it was given up.
    spent: Stats,
}

impl<G: Game + Notation> Deciding<'_, G> {
    fn stats(&self) -> Stats {
        let (winner, grundy) = (self.winner.stats(), self.grundy.as_ref().map_or(self.spent, Search::stats));
        Stats {
            expanded: winner.expanded + grundy.expanded,
            generated: winner.generated + grundy.generated,
            stored: winner.stored + grundy.stored,
            peak_bytes: winner.peak_bytes.max(grundy.peak_bytes),
            ..Stats::default()
        }
    }

    /// By Grundy values of the position and of all that follow.
    fn by_grundy(&mut self, limits: &Limits) -> Option<Result<Found<G::Move>, Limit>> {
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let search = self.grundy.as_mut()?;
        let nodes = if self.method.kind == Kind::Auto { GRUNDY_NODES.min(limits.nodes / 2) } else { limits.nodes };
        let grundy = match search.value(start, &limits.with_nodes(nodes)) {
            Err(Limit::Nodes) if self.method.kind == Kind::Auto => return None,
            Err(limit) => return Some(Err(limit)),
            Ok(grundy) => grundy,
        };
        let mut best = Vec::new();
        for mv in self.puzzle.moves() {
            match search.value(&game.apply(start, &mv), limits) {
                Ok(0) => best.push(mv),
                Ok(_) => {}
                Err(limit) => return Some(Err(limit)),
            }
        }
        Some(Ok(Found { wins: grundy != 0, grundy: Some(grundy), length: None, best, all_best: true, facts: Map::new() }))
    }

    /// By the winner only. A limit that is hit while further winning moves are looked for does not lose the winner.
    fn by_winner(&mut self, limits: &Limits) -> Result<Found<G::Move>, Limit> {
        let (game, start) = (&*self.puzzle.game, &self.puzzle.start);
        let wins = self.winner.value(start, limits)?;
        let mut found = Found { wins, grundy: None, length: None, best: Vec::new(), all_best: true, facts: Map::new() };
        for mv in self.puzzle.moves().iter().filter(|_| wins) {
            match self.winner.value(&game.apply(start, mv), limits) {
                Ok(false) => found.best.push(mv.clone()),
                Ok(true) => {}
                Err(_) => found.all_best = false,
            }
        }
        Ok(found)
    }
}

impl<G: Game + Notation> Run for Deciding<'_, G> {
    fn advance(&mut self, limits: &Limits) -> Result<Report, SelfCheck> {
        let name = self.method.name;
        if self.method.kind == Kind::Induction {
            let (puzzle, game) = (self.puzzle, &*self.puzzle.game);
            return match induction::label(game, &puzzle.start, true, limits) {
                Err(limit) => Ok(puzzle.unknown(name, limit, Stats::default())),
                Ok(labeled) => {
                    let positions = labeled.layers.iter().map(|layer| layer.len() as u64).sum();
                    let (expanded, generated, peak_bytes) = (labeled.expanded, labeled.generated, labeled.bytes);
                    let stats = Stats { expanded, generated, reopened: 0, stored: positions, peak_bytes };
                    puzzle.report(name, puzzle.found_in(&labeled), stats, limits)
                }
            };
        }
        let found = match self.by_grundy(limits) {
            Some(found) => found,
            None => {
                if let Some(grundy) = self.grundy.take() {
                    self.spent = grundy.stats();
                }
                self.by_winner(&limits.with_nodes(limits.nodes.saturating_sub(self.spent.expanded)))
            }
        };
        match found {
            Ok(found) => self.puzzle.report(name, found, self.stats(), limits),
            Err(limit) => Ok(self.puzzle.unknown(name, limit, self.stats())),
        }
    }

    fn resumes(&self) -> bool {
        self.method.kind != Kind::Induction
    }

    fn look(&self) -> Option<Inside> {
        None
    }
}

pub(super) fn generate<G: Game + Notation>(seed: u64, options: &Options, limits: &Limits) -> Result<String, ReadError> {
    let game: G = draw(&mut Random::new(seed), options, limits)?;
    Ok(game.write(&game.start()))
}
