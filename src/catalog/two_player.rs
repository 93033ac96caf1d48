//! Two-player games as puzzles: the winner and the winning moves, labels for every move, and the position graph.

mod certificate;
mod check;
mod graph;
mod reply;
mod run;
mod trace;

use std::sync::Arc;

pub use certificate::{CertificateError, is_certificate};
pub use graph::GraphError;
use run::DuelRun;
use serde_json::Value;

use super::packed::Packed;
use super::{Checker, Choice, Exploration, LegalMove, MethodInfo, MoveError, Position, Puzzle, Run, SolveError};
use super::{Edit, Illustrated, board, entry, primer};
use crate::drawing::Drawing;
use crate::gamegraph::decider::{Decider, Grundy};
use crate::gamegraph::graph::PositionGraph;
use crate::gamegraph::labels;
use crate::gamegraph::opponent::Opponent;
use crate::gamegraph::order::ORDERS;
use crate::gamegraph::sum::Adder;
use crate::gamegraph::{self, DuelKind, DuelMethod, METHODS};
use crate::graph::Graph;
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, Input, Notation, Options, ReadError, shorten};
use crate::outcome::Certificate;
use crate::random::Random;
use crate::report::Written;
use crate::rules::{CheckError, Game, Packing, Score, is_own_image};
use crate::scene::{self, Explanation, Paint};
use crate::search::explore::{Explored, Layer};
use crate::space::{RulesSpace, Space};
use crate::verify;

/// Adapts a two-player [`Game`] to the interface [`Puzzle`].
pub struct TwoPlayer<G: Game> {
    pub(super) game: Arc<G>,
    pub(super) start: G::State,
    /// Number of moves made since the start. Player 1 is to move if this is even.
    made: usize,
}

/// A legal move and the value of the position after it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveValue {
    pub text: String,
    /// The score of the player who makes the move. A winning move leads to a P-position.
    pub score: Score,
    /// The Grundy value after the move, if known.
    pub grundy: Option<Grundy>,
    /// The number of moves to the end after this one with best play, if known. There is none in a draw by repetition.
    pub length: Option<u16>,
}

impl MoveValue {
    /// The index of the best move: a move that wins soonest, else a move that draws soonest, else a move that loses latest. 0 if
    /// the list is empty.
    pub fn best(labels: &[MoveValue]) -> usize {
        // A draw by repetition has no length and lasts longest.
        let unknown = |label: &MoveValue| if label.score == Score::Draw { i32::MAX } else { 0 };
        let length = |label: &MoveValue| label.length.map_or(unknown(label), i32::from);
        let rank = |label: &MoveValue| (label.score, if label.score == Score::Loss { length(label) } else { -length(label) });
        (0..labels.len()).rev().max_by_key(|&at| rank(&labels[at])).unwrap_or(0)
    }
}

/// The move of an opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    pub mv: LegalMove,
    /// The score of the player who makes the move. `None` if the opponent does not know it.
    pub score: Option<Score>,
    /// The number of moves to the end after this one with best play, if known.
    pub length: Option<u16>,
}

/// A two-player board.
pub trait Duel {
    /// The player to move, 1 or 2.
    fn turn(&self) -> u8;

    /// Every legal move with its label, in the order in which `moves` lists them.
    fn labels(&self, limits: &Limits) -> Result<Vec<MoveValue>, Limit>;

    /// The score of the player to move if the game is over.
    fn end(&self) -> Option<Score>;

    /// The move of an opponent who is to move. `None` if the game is over. The same opponent, seed and number of moves made choose the
    /// same move, unless a limit is reached. When a limit is reached, the move is random, or the best one found so far.
    fn reply(&self, opponent: Opponent, seed: u64, limits: &Limits) -> Result<Option<Reply>, SolveError>;

    /// Checks a strategy certificate on this board, from the rules alone, and returns a sentence about it. `limits.nodes` is the
    /// maximum number of positions.
    fn check(&self, certificate: &str, limits: &Limits) -> Result<String, CertificateError>;

    /// The graph of all positions, at most `most` of them. With `fold`, symmetric positions are merged.
    fn graph(&self, fold: bool, most: u64, limits: &Limits) -> Result<PositionGraph, GraphError>;
}

/// Maximum number of positions for which labels include the length of play.
const LENGTH_NODES: u64 = 100_000;
/// Maximum number of positions for which labels include the length of play, if positions split. The values of parts are found much sooner
/// than the length.
const SUM_NODES: u64 = 10_000;

impl<G: Game + Notation> TwoPlayer<G> {
    pub fn new(game: G) -> Self {
        TwoPlayer { start: game.start(), game: Arc::new(game), made: 0 }
    }

    /// The legal moves. A terminal state has none, even if the game lists some.
    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.terminal(&self.start).is_none() {
            self.game.moves(&self.start, &mut moves);
        }
        moves
    }

    fn clone(&self) -> Self {
        TwoPlayer { game: Arc::clone(&self.game), start: self.start.clone(), made: self.made }
    }

    fn written(&self, mv: &G::Move) -> Written {
        Written { text: self.game.write_move(&self.start, mv), json: self.game.move_json(&self.start, mv) }
    }

    fn legal_move(&self, mv: &G::Move) -> LegalMove {
        let Written { text, json } = self.written(mv);
        LegalMove { text, json, cost: 1 }
    }

    fn legal_moves(&self) -> Vec<LegalMove> {
        self.moves().iter().map(|mv| self.legal_move(mv)).collect()
    }

    fn find(&self, choice: &Choice) -> Result<&'static DuelMethod, Fault> {
        let named = |name: &String| {
            gamegraph::find(name).ok_or_else(|| {
                let names = METHODS.iter().map(|method| method.name).collect::<Vec<_>>().join(", ");
                Fault::new(format!("unknown method `{}` for two players", shorten(name)), format!("the methods are {names}"))
            })
        };
        let method = choice.method.as_ref().map_or(Ok(&METHODS[0]), named)?;
        if let Some(order) = choice.order.filter(|order| !method.kind.takes(*order)) {
            return Err(match method.kind.searches_tree() {
                true => Fault::new(format!("`{}` has no `{}` order", method.name, order.name()), "use `--order game` or `--order none`"),
                false => {
                    let message = format!("`{}` takes no order of moves", method.name);
                    Fault::new(message, "omit `--order`, or use a method such as `alphabeta`")
                }
            });
        }
        if self.game.repeats() && !method.kind.allows_repetition() {
            let message = format!("`{}` needs a game in which no position can repeat, unlike {}", method.name, self.game.name());
            return Err(Fault::new(message, "use `--method retrograde`"));
        }
        if method.kind == DuelKind::Grundy && !self.game.impartial() {
            let message = format!("{} has no Grundy values under these rules", self.game.name());
            return Err(Fault::new(message, "use `--method winner`"));
        }
        Ok(method)
    }
}

/// Combines the layers counted in boards with the positions and moves counted up to symmetry.
fn with_positions(boards: Vec<Layer>, folded: &[Layer]) -> Vec<Layer> {
    let of = |layer: u32| folded.iter().find(|count| count.layer == layer).copied().unwrap_or_default();
    boards.into_iter().map(|count| Layer { states: of(count.layer).states, moves: of(count.layer).moves, ..count }).collect()
}

impl<G: Game + Drawing> Puzzle for TwoPlayer<G> {
    fn game(&self) -> &'static str {
        self.game.name()
    }

    fn board_graph(&self) -> Option<Graph> {
        (G::INFO.board_graph)(&self.game)
    }

    fn instance(&self) -> String {
        self.game.write(&self.start)
    }

    fn ascii(&self) -> String {
        self.game.ascii(&self.start)
    }

    fn position(&self, limits: &Limits) -> Result<Position, Limit> {
        let (game, state) = (&*self.game, &self.start);
        board::position(game, state, &self.moves(), |mv| self.legal_move(mv), game.terminal(state).is_some(), limits)
    }

    fn meant(&self, value: &Value) -> Option<LegalMove> {
        LegalMove::find(&self.legal_moves(), value).cloned()
    }

    fn after(&self, moves: &[Value]) -> Result<Box<dyn Puzzle>, MoveError> {
        let mut here = self.clone();
        for (at, text) in moves.iter().enumerate() {
            let (legal, written) = (here.moves(), here.legal_moves());
            let meant = LegalMove::position(&written, text).ok_or_else(|| MoveError::new(at, text))?;
            here.start = here.game.apply(&here.start, &legal[meant]);
            here.made += 1;
        }
        Ok(Box::new(here))
    }

    fn methods(&self) -> Vec<MethodInfo> {
        let repeats = self.game.repeats();
        let fits = |method: &&DuelMethod| match method.kind {
            kind if repeats => kind.allows_repetition(),
            kind => kind != DuelKind::Grundy || self.game.impartial(),
        };
        let info = |method: &DuelMethod| {
            let (name, about) = (method.name.to_owned(), method.about.to_owned());
            let orders = ORDERS.iter().filter(|(order, ..)| method.kind.takes(*order)).map(|(_, name, _)| *name).collect();
            MethodInfo { name, about, optimal: false, promise: None, memory: None, course: false, orders }
        };
        METHODS.iter().filter(fits).map(info).collect()
    }

    fn method(&self, choice: &Choice) -> Result<String, Fault> {
        Ok(self.find(choice)?.name.to_owned())
    }

    fn begin(&self, choice: &Choice) -> Result<Box<dyn Run + Send>, Fault> {
        let method = self.find(choice)?;
        Ok(Box::new(DuelRun::new(self.clone(), method, choice.order.unwrap_or_default())))
    }

    fn explore(&self, limits: &Limits) -> Exploration {
        let counted = |fold| {
            let labeled = labels::label(&self.game, &self.start, fold, limits)?;
            Ok((labeled.counts(limits)?, labeled.stats().peak_bytes))
        };
        let symmetric = is_own_image(&*self.game, &self.start);
        // The reported counts are counts of boards, so these are computed first. If symmetry cannot be used for them, the
        // positions up to symmetry are counted separately.
        let counted = match counted(symmetric) {
            Ok((boards, bytes)) if !symmetric => counted(true).map(|(folded, _)| (with_positions(boards, &folded), bytes)),
            counted => counted,
        };
        let explored = match counted {
            Err(limit) => Explored { limit: Some(limit), ..Explored::default() },
            Ok((layers, peak_bytes)) => Explored { layers, limit: None, peak_bytes },
        };
        let names = explored.layers.iter().map(|layer| self.game.layer_name(layer.layer)).collect();
        Exploration { unfolded: explored.images(), explored, names, labeled: true }
    }

    fn checker(&self) -> Box<dyn Checker + '_> {
        Box::new(check::OutcomeChecker::new(self))
    }

    fn duel(&self) -> Option<&dyn Duel> {
        Some(self)
    }

    fn space(&self, fold: bool) -> Box<dyn Space> {
        Box::new(RulesSpace::of_game(Arc::clone(&self.game), self.start.clone(), fold))
    }

    fn packed(&self) -> &dyn Packed {
        self
    }

    fn state_bytes(&self) -> usize {
        self.game.state_bytes()
    }

    /// The game's own explanation, or else the label of every move.
    fn explain(&self, limits: &Limits) -> Option<Explanation> {
        let said = G::LESSON.and_then(|lesson| (lesson.explain)(&self.game, &self.start, limits));
        said.or_else(|| self.labeled(limits))
    }

    fn show_proof(&self, certificate: &Certificate) -> Explanation {
        board::show_proof(&*self.game, &self.start, certificate)
    }

    fn primer(&self, limits: &Limits) -> Result<Vec<Illustrated>, Limit> {
        primer::two_player(self, limits)
    }

    fn editor(&self) -> Option<Box<dyn Edit + '_>> {
        board::editor(&*self.game, &self.start)
    }
}

/// Maximum number of positions searched for an explanation. The search takes about a second.
const EXPLAIN_NODES: u64 = 200_000;

/// A phrase with the number of best moves among all moves, and the kind of position that they lead to.
fn share(some: usize, all: usize, to: &str) -> String {
    match (some, all) {
        (_, 1) => format!("with the only move. It leads to a {to}"),
        (1, _) => format!("with 1 of {all} moves. It leads to a {to}"),
        _ if some == all => format!("with all {all} moves. They lead to {to}s"),
        _ => format!("with {some} of {all} moves. Those lead to {to}s"),
    }
}

impl<G: Game + Drawing> TwoPlayer<G> {
    /// The winner and the winning moves. Each shape is tinted by the score of the best move that starts with it.
    fn labeled(&self, limits: &Limits) -> Option<Explanation> {
        let labels = self.labels(&limits.with_nodes(limits.nodes.min(EXPLAIN_NODES))).ok()?;
        let best = labels.iter().map(|label| label.score).max();
        let (all, some) = (labels.len(), labels.iter().filter(|label| Some(label.score) == best).count());
        let mut explanation = Explanation::new(match best {
            None => "No move is left: the game is over.".to_owned(),
            Some(Score::Loss) => {
                let lead = match all {
                    1 => "The only move leads to an N-position".to_owned(),
                    2 => "Both moves lead to N-positions".to_owned(),
                    _ => format!("All {all} moves lead to N-positions"),
                };
                format!("A P-position: whatever the player to move does, the other player wins. {lead}, which the next player wins.")
            }
            Some(Score::Draw) => {
                let by = share(some, all, "D-position");
                format!("A D-position: the game is a draw with best play, {by}{}.", if some == all { "" } else { "; the others lose" })
            }
            Some(Score::Win) => {
                let rest = if some == all { "" } else { "; the other moves throw away the win" };
                format!(
                    "An N-position: the player to move wins {}, where the next player can only lose{rest}.",
                    share(some, all, "P-position")
                )
            }
        });
        let mut tinted: Vec<Score> = Vec::new();
        for (mv, label) in self.moves().iter().zip(&labels) {
            let outcome = label.score.reversed().outcome();
            let text = label.grundy.map_or_else(|| outcome.to_owned(), |grundy| format!("{outcome} {grundy}"));
            let good = label.score != Score::Loss && Some(label.score) == best;
            let paint = match label.score {
                Score::Win => Paint::Win,
                Score::Draw => Paint::Draw,
                Score::Loss => Paint::Lose,
            };
            explanation.labels.push(scene::MoveLabel { mv: label.text.clone(), text, paint, good });
            let Some(first) = self.game.clicks(&self.start, mv).into_iter().next() else { continue };
            match explanation.tints.iter().position(|tint| tint.name == first) {
                Some(at) if tinted[at] < label.score => (explanation.tints[at].paint, tinted[at]) = (paint, label.score),
                Some(_) => {}
                None => {
                    explanation.tint(first, paint, 0.9);
                    tinted.push(label.score);
                }
            }
        }
        Some(explanation)
    }
}

impl<G: Game + Drawing> Duel for TwoPlayer<G> {
    fn turn(&self) -> u8 {
        1 + (self.made % 2) as u8
    }

    fn labels(&self, limits: &Limits) -> Result<Vec<MoveValue>, Limit> {
        let most = if G::PARTS.is_some() { SUM_NODES } else { LENGTH_NODES };
        let repeats = self.game.repeats();
        let few = if repeats { limits.clone() } else { limits.with_nodes(limits.nodes.min(most)) };
        let labeled = match labels::label(&self.game, &self.start, true, &few) {
            // If positions can repeat, no search can replace the labels.
            Err(limit) if repeats => return Err(limit),
            labeled => labeled.ok(),
        };
        let mut decider: Decider<G, Score> = Decider::new(Arc::clone(&self.game));
        let mut sum = Adder::new(&self.game);
        let mut score = |after: &G::State| match &mut sum {
            Some(sum) if G::PARTS.is_some() => {
                sum.is_lost(after, limits, &mut ()).map(|is_lost| if is_lost { Score::Loss } else { Score::Win })
            }
            _ => decider.value(after, limits),
        };
        let label = |mv: &G::Move| {
            limits.check()?;
            let (text, after) = (self.game.write_move(&self.start, mv), self.game.apply(&self.start, mv));
            Ok(match &labeled {
                None => MoveValue { text, score: score(&after)?.reversed(), grundy: None, length: None },
                Some(labeled) => {
                    let worth = labeled.worth(&after);
                    let grundy = labeled.grundy(&self.game, worth);
                    MoveValue { text, score: worth.score.reversed(), grundy, length: worth.moves() }
                }
            })
        };
        self.moves().iter().map(label).collect()
    }

    fn end(&self) -> Option<Score> {
        let end = self.game.terminal(&self.start);
        end.or_else(|| self.moves().is_empty().then_some(Score::Loss))
    }

    fn reply(&self, opponent: Opponent, seed: u64, limits: &Limits) -> Result<Option<Reply>, SolveError> {
        reply::reply(self, opponent, seed, limits)
    }

    fn check(&self, certificate: &str, limits: &Limits) -> Result<String, CertificateError> {
        let file = certificate::File::read(certificate).map_err(CertificateError::Unreadable)?;
        if file.game != self.game.name() {
            return Err(CertificateError::Wrong(format!("the certificate is for `{}`, not `{}`", shorten(&file.game), self.game.name())));
        }
        // Boards can be written in several ways, so their data is compared if the game provides it.
        let data = (G::OUTLINE.data)(&self.game, &self.start);
        let same = if data.is_empty() { file.board == self.game.write(&self.start) } else { file.data == data };
        if !same {
            return Err(CertificateError::Wrong("the certificate is for another board".to_owned()));
        }
        match G::read(&Input::new(&file.board, &Options::default(), limits)) {
            Ok(game) if (G::OUTLINE.data)(&game, &game.start()) == data => {}
            Err(ReadError::Stopped(limit)) => return Err(CertificateError::Stopped(limit)),
            _ => return Err(CertificateError::Wrong("the certificate's `board` does not match its `data`".to_owned())),
        }
        let mut positions = 0;
        for strategy in &file.strategies {
            positions += verify::strategy(&*self.game, &self.start, strategy, limits).map_err(|error| match error {
                CheckError::Wrong(fault) => CertificateError::Wrong(fault),
                CheckError::Stopped(limit) => CertificateError::Stopped(limit),
            })?;
        }
        let claim = match self.winner(file.score) {
            Some(winner) => format!("player {winner} wins"),
            None => "the game is a draw".to_owned(),
        };
        Ok(format!("the strategy was played against every reply, in {}: {claim}", crate::report::count(positions, "position")))
    }

    fn graph(&self, fold: bool, most: u64, limits: &Limits) -> Result<PositionGraph, GraphError> {
        graph::graph(self, fold, most, limits)
    }
}

pub(super) fn generate<G: Game + Notation>(seed: u64, options: &Options, limits: &Limits) -> Result<String, ReadError> {
    let game: G = entry::draw(&mut Random::new(seed), options, limits)?;
    Ok(game.write(&game.start()))
}
