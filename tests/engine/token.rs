//! Games on random directed graphs, in which positions can repeat.

use kibitzer::random::Random;
use kibitzer::rules::{Game, Rules, Score};

/// A piece on a vertex of a directed graph, which both players move in turn. A vertex without a successor ends the game.
pub struct Token {
    pub after: Vec<Vec<u8>>,
    pub ends: Vec<Score>,
}

impl Rules for Token {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn moves(&self, at: &u8, out: &mut Vec<u8>) {
        out.extend(&self.after[usize::from(*at)]);
    }

    fn apply(&self, _: &u8, to: &u8) -> u8 {
        *to
    }
}

impl Game for Token {
    fn terminal(&self, at: &u8) -> Option<Score> {
        self.after[usize::from(*at)].is_empty().then(|| self.ends[usize::from(*at)])
    }

    fn impartial(&self) -> bool {
        false
    }
}

/// A game with up to 24 positions. Many positions repeat, and some ends are drawn.
pub fn random_game(random: &mut Random) -> Token {
    let size = 1 + random.below(24);
    // Few moves per vertex give long wins, many moves give draws.
    let (moves, ends) = (1 + random.below(3), 2 + random.below(6));
    let mut after: Vec<Vec<u8>> = Vec::new();
    for _ in 0..size {
        let count = if random.below(ends) == 0 { 0 } else { 1 + random.below(moves) };
        let mut list: Vec<u8> = (0..count).map(|_| random.below(size) as u8).collect();
        list.sort_unstable();
        list.dedup();
        after.push(list);
    }
    let scores = [Score::Loss, Score::Loss, Score::Win, Score::Draw];
    let ends = (0..size).map(|_| scores[random.below(4)]).collect();
    Token { after, ends }
}
