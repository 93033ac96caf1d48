//! The rules of a board in up to three small pictures: cards written by the game ([`Drawing::PRIMER`]) or, if it has none for the
//! board, cards derived from the contract alone.
//!
//! No picture is drawn by hand. A card names a small board and a move. The board is read, the move is found among the legal ones
//! and made, and its cost is computed. So only the words on a card can be wrong, and `tests/games/primer.rs` checks them.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use super::{Choice, LegalMove, OnePlayer, Puzzle, TwoPlayer};
use crate::drawing::{Card, Drawing, ShownMove, Topic};
use crate::limits::{Limit, Limits};
use crate::notation::{Input, Notation, Options, ReadError, shorten};
use crate::report::Answer;
use crate::rules::{Cost, Game, Problem, Score};
use crate::scene::{Form, Paint, Scene};

/// A card with its pictures.
#[derive(Clone, Debug)]
pub struct Illustrated {
    pub card: Card,
    /// One picture, or two: before and after a move. Empty if the board has too many shapes for a small picture.
    pub pictures: Vec<Scene>,
    /// The cost of the move, if the card shows it.
    pub price: Option<Cost>,
}

/// Maximum number of shapes in a small picture.
const MOST_SHAPES: usize = 600;
/// Maximum number of states expanded to find the end of a game.
const END_NODES: u64 = 5000;

/// The cards of a one-player board.
pub(super) fn one_player<P: Problem + Drawing>(puzzle: &OnePlayer<P>, limits: &Limits) -> Result<Vec<Illustrated>, Limit> {
    let price = |board: &P, state: &P::State, mv: &P::Move| board.cost(state, mv);
    let written = P::PRIMER.map(|primer| ((primer.cards)(&puzzle.problem), primer.picture));
    match written.filter(|(cards, _)| !cards.is_empty()) {
        Some((cards, picture)) => illustrate(cards, picture, price, limits),
        None => {
            let mut legal = Vec::new();
            puzzle.problem.moves(&puzzle.start, &mut legal);
            let moves: Vec<LegalMove> = legal.iter().map(|mv| puzzle.legal_move(&puzzle.start, mv)).collect();
            illustrate(of_problem(puzzle, &moves, puzzle.problem.move_costs(), limits), P::scene, price, limits)
        }
    }
}

/// The cards of a two-player board.
pub(super) fn two_player<G: Game + Drawing>(puzzle: &TwoPlayer<G>, limits: &Limits) -> Result<Vec<Illustrated>, Limit> {
    let written = G::PRIMER.map(|primer| ((primer.cards)(&puzzle.game), primer.picture));
    match written.filter(|(cards, _)| !cards.is_empty()) {
        Some((cards, picture)) => illustrate(cards, picture, |_, _, _| 1, limits),
        None => illustrate(of_game(puzzle, limits)?, G::scene, |_, _, _| 1, limits),
    }
}

/// Cards derived from the contract alone: a move, its cost, and the last move of a plan.
fn of_problem(puzzle: &dyn Puzzle, moves: &[LegalMove], costs: RangeInclusive<Cost>, limits: &Limits) -> Vec<Card> {
    let mut cards = first_move(puzzle.instance(), moves.first().map(|mv| mv.text.as_str()));
    if let Some(mv) = moves.iter().max_by_key(|mv| mv.cost) {
        let sentence = match costs.into_inner() {
            (least, most) if least == most => format!("Every move costs {most}."),
            // The range is not printed, because it may be wider than the actual costs.
            _ => format!("Not all moves cost the same; `{}` costs {}.", shorten(&mv.text), mv.cost),
        };
        cards.push(Card::new(Topic::Cost, sentence, puzzle.instance()).pricing(mv.text.as_str()));
    }
    let solved = puzzle.solve(&Choice::default(), &limits.with_nodes(limits.nodes.min(END_NODES)));
    if let Ok(Answer::Solved { moves, .. }) = solved.map(|report| report.answer) {
        let plan: Vec<serde_json::Value> = moves.iter().map(|mv| mv.json.clone()).collect();
        let sentence = "You win when you reach a goal, as here.";
        match plan.split_last() {
            None => cards.push(Card::new(Topic::Goal, sentence, puzzle.instance())),
            Some((_, before)) => {
                if let (Ok(before), Some(last)) = (puzzle.after(before), moves.last()) {
                    cards.push(Card::new(Topic::Goal, sentence, before.instance()).making(last.text.as_str()));
                }
            }
        }
    }
    cards
}

/// Cards derived from the contract alone: a move, and the end of a game in which both players always make the first move in their
/// list that leads to a new position.
fn of_game<G: Game + Drawing>(puzzle: &TwoPlayer<G>, limits: &Limits) -> Result<Vec<Card>, Limit> {
    let game = &puzzle.game;
    let moves = |state: &G::State| {
        let mut moves = Vec::new();
        if game.terminal(state).is_none() {
            game.moves(state, &mut moves);
        }
        moves
    };
    let mut state = puzzle.start.clone();
    let opening = moves(&state).first().map(|mv| game.write_move(&state, mv));
    let mut cards = first_move(puzzle.instance(), opening.as_deref());
    let mut last: Option<(G::State, G::Move)> = None;
    // Only if positions can repeat, the positions so far are stored.
    let repeats = game.repeats();
    let mut seen: HashSet<G::State> = HashSet::new();
    while let Some((mv, after)) = moves(&state)
        .into_iter()
        .map(|mv| (mv.clone(), game.apply(&state, &mv)))
        .find(|(_, after)| *after != state && !seen.contains(after))
    {
        limits.check()?;
        if repeats {
            seen.insert(state.clone());
        }
        if seen.len() as u64 > END_NODES {
            return Ok(cards);
        }
        last = Some((std::mem::replace(&mut state, after), mv));
    }
    if !moves(&state).is_empty() {
        // Every move leads back to a position that occurred before.
        return Ok(cards);
    }
    let end = game.terminal(&state).unwrap_or(Score::Loss);
    cards.push(match last {
        None => Card::new(Topic::Goal, "No move is left: the game is over.", puzzle.instance()),
        Some((before, mv)) => {
            let sentence = match end {
                Score::Loss => "The game is over: you win if you made this last move.",
                Score::Draw => "The game is over after this move: a draw.",
                Score::Win => "The game is over: you lose if you made this last move.",
            };
            Card::new(Topic::Goal, sentence, game.write(&before)).making(game.write_move(&before, &mv))
        }
    });
    Ok(cards)
}

fn first_move(instance: String, mv: Option<&str>) -> Vec<Card> {
    let card = |mv: &str| Card::new(Topic::Move, format!("This is a move: `{}`.", shorten(mv)), instance).making(mv);
    mv.map(card).into_iter().collect()
}

/// A card's board before its move, the shapes to click, the board after the move, and the move's cost.
struct Depicted {
    before: Scene,
    clicked: Vec<String>,
    after: Option<Scene>,
    price: Option<Cost>,
}

fn illustrate<R: Drawing>(
    cards: Vec<Card>,
    picture: fn(&R, &R::State, &Limits) -> Result<Scene, Limit>,
    price: impl Fn(&R, &R::State, &R::Move) -> Cost,
    limits: &Limits,
) -> Result<Vec<Illustrated>, Limit> {
    let depict = |card: &Card| {
        let Some((board, state)) = read_board::<R>(&card.instance, limits)? else { return Ok(None) };
        let mut depicted = Depicted { before: picture(&board, &state, limits)?, clicked: Vec::new(), after: None, price: None };
        if let ShownMove::Move(text) | ShownMove::Priced(text) = &card.shown {
            let mut moves = Vec::new();
            board.moves(&state, &mut moves);
            if let Some(mv) = moves.iter().find(|mv| board.write_move(&state, mv) == *text) {
                depicted.clicked = board.clicks(&state, mv);
                depicted.after = Some(picture(&board, &board.apply(&state, mv), limits)?);
                depicted.price = matches!(card.shown, ShownMove::Priced(_)).then(|| price(&board, &state, mv));
            }
        }
        Ok(Some(depicted))
    };
    cards.into_iter().map(|card| Ok(finished(depict(&card)?, card))).collect()
}

/// A card with its pictures, if the game could read the card's board.
fn finished(depicted: Option<Depicted>, card: Card) -> Illustrated {
    let Some(Depicted { mut before, clicked, after, price }) = depicted else {
        return Illustrated { card, pictures: Vec::new(), price: None };
    };
    clicked.iter().chain(&card.points).for_each(|name| halo(&mut before, name));
    annotate(&mut before, &card);
    let mut pictures: Vec<Scene> = [before].into_iter().chain(after).collect();
    if pictures.iter().any(|picture| picture.shapes.len() > MOST_SHAPES) {
        pictures.clear();
    }
    Illustrated { card, pictures, price }
}

/// Reads a card's board; `None` if the game cannot read it.
fn read_board<R: Notation>(text: &str, limits: &Limits) -> Result<Option<(R, R::State)>, Limit> {
    match R::read(&Input::new(text, &Options::default(), limits)) {
        Ok(board) => {
            let start = board.start();
            Ok(Some((board, start)))
        }
        Err(ReadError::Stopped(limit)) => Err(limit),
        Err(_) => Ok(None),
    }
}

/// Adds a glow behind the shapes with this name and brings them to the front.
fn halo(picture: &mut Scene, name: &str) {
    let (mut named, others): (Vec<_>, Vec<_>) = picture.shapes.drain(..).partition(|shape| shape.name.as_deref() == Some(name));
    picture.shapes = others;
    if let Some(first) = named.first() {
        picture.add(first.form.grown(first.form.reach() * 0.22), Paint::Glow);
    }
    picture.shapes.append(&mut named);
}

fn annotate(picture: &mut Scene, card: &Card) {
    for note in &card.notes {
        let Some(shape) = picture.shapes.iter().find(|shape| shape.name.as_deref() == Some(note.name.as_str())) else { continue };
        let ((x, y), reach) = (shape.form.middle(), shape.form.reach());
        picture.add(Form::Text { x, y, size: 1.4 * reach, text: note.text.clone() }, note.paint);
        if note.crossed {
            let by = 0.62 * reach;
            picture.add(Form::Line { from: (x - by, y + by), to: (x + by, y - by) }, Paint::Red);
            picture.add(Form::Line { from: (x - by, y - by), to: (x + by, y + by) }, Paint::Red);
        }
    }
}
