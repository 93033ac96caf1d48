//! Maps and scenarios of the Moving AI Lab, as described at movingai.com/benchmarks/formats.html.
//!
//! A map consists of a header of four lines, followed by one row per line. Lines of a scenario file may follow the map. Each of
//! these lines has nine fields: bucket, map, the map's width and height, the start's column and row, the goal's column and row, and
//! the length of the shortest path.

use super::{Grid, MOST, Maze, OCTILE, lines, too_many};
use crate::notation::{Fault, Input, ParseError, ReadError, Source, shorten};

const HEADER_HELP: &str = "a map must begin with the lines `type octile`, `height N`, `width N` and `map`";
const SIGNS_HELP: &str = "the terrain must be `.`, `G`, `S`, `W`, `T`, `@` or `O`";
const ENDS_HELP: &str = "append the lines of a .scen file to the map, or name cells by column and row, as in `start=3,4` and `goal=0,0`";
const SCENARIO_HELP: &str =
    "a scenario must have nine fields: bucket, map, width, height, start column, start row, goal column, goal row, length";

pub fn read(input: &Input<'_>, source: &Source<'_>) -> Result<Maze, ReadError> {
    let mut lines = lines(source).peekable();
    let mut sizes = [None; 2];
    let mut given = [None; 2];
    for (at, line) in lines.by_ref() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], line.split_once(':')) {
            (["map"], _) => break,
            (["type", _], _) => {}
            (["height", number], _) => sizes[0] = Some(size(source, at, number)?),
            (["width", number], _) => sizes[1] = Some(size(source, at, number)?),
            (_, Some(("start", value))) => given[0] = Some((at, value.trim())),
            (_, Some(("goal", value))) => given[1] = Some((at, value.trim())),
            _ => return Err(source.error(at, format!("`{}` is not part of a map's header", shorten(line)), HEADER_HELP).into()),
        }
    }
    let [Some(height), Some(width)] = sizes else {
        return Err(source.error(0, "`height` or `width` is missing from the map's header", HEADER_HELP).into());
    };
    if height.saturating_mul(width) > MOST {
        return Err(too_many(source, 0).into());
    }
    let mut rows: Vec<&str> = Vec::new();
    while rows.len() < height {
        input.limits.check()?;
        let Some((at, row)) = lines.next() else {
            let message = format!("the map has {} rows, but its height is {height}", rows.len());
            return Err(source.error(source.text().len(), message, "add the missing rows, or correct `height`").into());
        };
        if let Some((offset, sign)) = row.char_indices().find(|&(_, sign)| !".GSWT@O".contains(sign)) {
            return Err(source.error(at + offset, format!("`{}` is not a terrain", shorten(&sign.to_string())), SIGNS_HELP).into());
        }
        if row.len() != width {
            let message = format!("this row has {} cells, but the width is {width}", row.len());
            return Err(source.error(at + row.len(), message, "make the row as long as `width` says").into());
        }
        rows.push(row);
    }
    let scenarios: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.starts_with("version")).collect();
    let ends = scenario(input, source, &scenarios, (width, height))?;
    // Water can be entered only from water, so the terrain of the start decides what is passable.
    let grid = |passable: &str| {
        let mut grid = Grid::new(width, OCTILE);
        rows.iter().for_each(|row| grid.push_row(row.chars().map(|sign| u8::from(passable.contains(sign)))));
        grid.close()
    };
    let start = input.options.get("start").or(given[0].map(|(_, value)| value));
    let start = match (start, ends) {
        (Some(text), _) => grid(".GSW").find(text).ok(),
        (None, Some((_, [start, _]))) => Some(grid_cell(width, start)),
        (None, None) => None,
    };
    let at_sea = start.is_some_and(|start| {
        let stride = width + 1;
        rows[start as usize / stride - 1].as_bytes()[start as usize % stride] == b'W'
    });
    let grid = grid(if at_sea { "W" } else { ".GS" });
    let mut marks = [None; 2];
    for (end, what) in [(0, "start"), (1, "goal")] {
        let chosen = given[end].is_some() || input.options.get(what).is_some();
        if ends.is_none() && !chosen {
            return Err(source.error(0, format!("there is no {what}, and no scenario follows the map"), ENDS_HELP).into());
        }
        if let (Some((at, ends)), false) = (ends, chosen) {
            let (x, y) = ends[end];
            let place = grid.find(&format!("{x},{y}"));
            let help = "use another scenario: in this one, the start or the goal cannot be entered";
            marks[end] = Some(place.map_err(|wrong| source.error(at, wrong, help))?);
        }
    }
    Maze::finish(grid, input, source, given, marks)
}

/// The offset of a scenario in the text, and the columns and rows of its start and goal.
type Scenario = (usize, [(usize, usize); 2]);

/// The number of a cell in a grid of this width.
fn grid_cell(width: usize, (x, y): (usize, usize)) -> u32 {
    ((y + 1) * (width + 1) + x) as u32
}

fn size(source: &Source<'_>, at: usize, number: &str) -> Result<usize, ParseError> {
    let size = number.parse().ok().filter(|&size| size > 0);
    size.ok_or_else(|| source.error(at, format!("`{}` is not a size", shorten(number)), HEADER_HELP))
}

/// The chosen scenario; `None` if no scenario follows the map.
fn scenario(
    input: &Input<'_>,
    source: &Source<'_>,
    scenarios: &[(usize, &str)],
    (width, height): (usize, usize),
) -> Result<Option<Scenario>, ReadError> {
    let number = input.options.integer("scenario", 1..=i64::from(u32::MAX))?;
    let Some(&(at, line)) = scenarios.get(number.unwrap_or(1) as usize - 1) else {
        let fault = match (scenarios.len(), number) {
            (_, None) => return Ok(None),
            (0, _) => Fault::new("no scenarios follow the map", "append the lines of a .scen file to the map, or name `start` and `goal`"),
            (count, Some(number)) => Fault::new(
                format!("there is no scenario {number}: the last one is scenario {count}"),
                format!("use a number from 1 to {count}, as in `scenario={count}`"),
            ),
        };
        return Err(fault.into());
    };
    // The name of the map may contain spaces, so the fields are counted from the end.
    let words: Vec<&str> = line.split_whitespace().rev().skip(1).take(6).collect();
    let numbers: Option<Vec<usize>> = words.iter().rev().map(|word| word.parse().ok()).collect();
    let Some([scenario_width, scenario_height, x, y, goal_x, goal_y]) = numbers.and_then(|numbers| <[usize; 6]>::try_from(numbers).ok())
    else {
        return Err(source.error(at, format!("`{}` is not a scenario", shorten(line)), SCENARIO_HELP).into());
    };
    if (scenario_width, scenario_height) != (width, height) {
        let message =
            format!("the scenario is for a map of {scenario_width} x {scenario_height} cells, but this map has {width} x {height}");
        return Err(source.error(at, message, "append the scenarios of this map").into());
    }
    let inside = |(x, y): (usize, usize)| x < width && y < height;
    if !inside((x, y)) || !inside((goal_x, goal_y)) {
        return Err(source.error(at, "the scenario names a cell outside the map", SCENARIO_HELP).into());
    }
    Ok(Some((at, [(x, y), (goal_x, goal_y)])))
}
