//! The rules of a maze in three pictures: a move, the prices, and the goal.

use std::collections::BTreeSet;

use super::{FOUR, Grid, Ground, Maze};
use crate::drawing::{Card, Drawing, Primer, Topic};

pub const PRIMER: Primer<Maze> = Primer { cards, picture: |maze, state, limits| maze.scene(state, limits) };

/// Maximum number of prices on a card. If a grid has more, or if the board is a map, the cards are derived from the board.
const MOST: usize = 4;

fn cards(maze: &Maze) -> Vec<Card> {
    let Ground::Grid(grid) = &maze.ground else { return Vec::new() };
    let mut prices = BTreeSet::new();
    prices.extend(grid.prices.iter().copied().filter(|&price| price > 0));
    if prices.len() > MOST {
        return Vec::new();
    }
    let settings = if grid.neighbors == FOUR { String::new() } else { format!("neighbors: {}\n", grid.neighbors.name) };
    let (step, name, end) = match grid.neighbors == FOUR {
        true => ("Move to a free cell next to this one. Walls block the way.", "right", "right"),
        false => ("Move to a free cell next to this one. A diagonal move needs both cells beside it free.", "down-right", "right"),
    };
    vec![
        Card::new(Topic::Move, step, format!("{settings}S..\n..#\n#.G\n")).making(name),
        cost(grid, &prices, &settings),
        Card::new(Topic::Goal, "You win when you reach the goal.", format!("{settings}.#.\n.SG\n")).making(end),
    ]
}

/// The card that names all prices. Its picture shows all of them around the start.
fn cost(grid: &Grid, prices: &BTreeSet<u8>, settings: &str) -> Card {
    let (straight, diagonal) = (grid.neighbors.straight, grid.neighbors.diagonal);
    let list = |factor: u32| {
        let costs: Vec<String> = prices.iter().map(|&price| (u32::from(price) * factor).to_string()).collect();
        match costs.split_last() {
            Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
            _ => costs.concat(),
        }
    };
    let sentence = match (diagonal, prices.len()) {
        (0, 1) => format!("Every move costs {}.", list(straight)),
        (0, _) => format!("Entering a cell costs its price: {}.", list(straight)),
        _ => format!("Straight moves cost {}, diagonal moves {}.", list(straight), list(diagonal)),
    };
    // For each price, the picture has a straight step and a diagonal step.
    let signs: String = prices.iter().map(|&price| if price == 1 { '.' } else { (b'0' + price) as char }).collect();
    let turned: String = signs.chars().cycle().skip(1).take(prices.len()).collect();
    let instance = format!("{settings}S{signs}\n.{turned}\n.{signs}\nG{turned}\n");
    Card::new(Topic::Cost, sentence, instance).pricing("right")
}
