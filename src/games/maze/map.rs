//! Maps: places joined by roads with prices, with optional coordinates and a table of estimates.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fmt::Write;
use std::ops::RangeInclusive;

use super::{Given, Ground, Maze, Place, endpoint, lines};
use crate::graph::{Graph, layout};
use crate::limits::{Limit, Limits};
use crate::notation::{Fault, Input, ParseError, ReadError, Source, shorten};
use crate::rules::{Cost, DEAD, MAX_MOVE_COST};

const HELP: &str =
    "after `map:`, write one road per line, such as `A B 3`, or `A > B 3` if it is one-way; then `start: A` and `goal: B`, one per line";
const ENDS_HELP: &str = "name a place that has a road, such as `start: A` and `goal: B`";
/// Maximum number of roads.
const MOST: usize = 1_000_000;
/// On a map with more places than this and no coordinates, the places are drawn on a circle.
const MOST_LAID_OUT: usize = 300;
const MOST_COORDINATE: i64 = 1_000_000;

/// The quality of a heuristic's estimates, found by comparing them with the exact costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    Unsafe,
    Admissible,
    Consistent,
}

/// The other end and the price of a road.
type Road = (Place, Cost);

#[derive(Clone)]
pub struct Map {
    names: Vec<String>,
    /// The roads as they were given: two places, the price, and whether the road is one-way.
    given: Vec<(Place, Place, Cost, bool)>,
    /// The roads from each place and to each place, in ascending order of the other end.
    from: Vec<Vec<Road>>,
    to: Vec<Vec<Road>>,
    coordinates: Option<Vec<(i64, i64)>>,
    table: Option<Vec<Cost>>,
    trust: [Option<Trust>; 2],
    prices: RangeInclusive<Cost>,
}

impl Map {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn name(&self, place: Place) -> &str {
        &self.names[place as usize]
    }

    #[inline]
    pub fn roads(&self, place: Place) -> &[Road] {
        &self.from[place as usize]
    }

    #[inline]
    pub fn roads_to(&self, place: Place) -> &[Road] {
        &self.to[place as usize]
    }

    /// Every road: its two ends, its price, and whether it is one-way.
    pub fn all_roads(&self) -> &[(Place, Place, Cost, bool)] {
        &self.given
    }

    pub fn price(&self, from: Place, to: Place) -> Cost {
        let roads = self.roads(from);
        roads.binary_search_by_key(&to, |road| road.0).map_or(DEAD, |at| roads[at].1)
    }

    pub fn prices(&self) -> RangeInclusive<Cost> {
        self.prices.clone()
    }

    pub fn table(&self) -> Option<&[Cost]> {
        self.table.as_deref()
    }

    pub fn table_trust(&self) -> Option<Trust> {
        self.trust[0]
    }

    pub fn straight_trust(&self) -> Option<Trust> {
        self.trust[1]
    }

    /// Straight-line distances to the goal, rounded down.
    pub fn straight(&self, goal: Place) -> Option<Vec<Cost>> {
        let places = self.coordinates.as_ref()?;
        let (x, y) = places[goal as usize];
        let distance = |place: &(i64, i64)| (place.0.abs_diff(x).pow(2) + place.1.abs_diff(y).pow(2)).isqrt() as Cost;
        Some(places.iter().map(distance).collect())
    }

    /// Coordinates from 0 to 1 for drawing, with y pointing down.
    pub fn layout(&self, limits: &Limits) -> Result<Vec<(f64, f64)>, Limit> {
        if let Some(places) = &self.coordinates {
            let range = |along: fn(&(i64, i64)) -> i64| {
                let all = || places.iter().map(along);
                (all().min().unwrap_or(0), all().max().unwrap_or(0))
            };
            let ((left, right), (bottom, top)) = (range(|place| place.0), range(|place| place.1));
            let size = (right - left).max(top - bottom).max(1) as f64;
            return Ok(places.iter().map(|&(x, y)| ((x - left) as f64 / size, (top - y) as f64 / size)).collect());
        }
        if self.len() > MOST_LAID_OUT {
            let angle = |place: usize| std::f64::consts::TAU * place as f64 / self.len() as f64;
            return Ok((0..self.len()).map(|place| (0.5 + 0.5 * angle(place).sin(), 0.5 - 0.5 * angle(place).cos())).collect());
        }
        let edges = self.given.iter().map(|&(a, b, ..)| (a as usize, b as usize));
        layout::places(&Graph::from_edges(self.len(), edges), limits)
    }

    pub fn write(&self, start: Place, goal: Place) -> String {
        let mut text = String::from("map:\n");
        for &(a, b, price, one_way) in &self.given {
            let _ = writeln!(text, "{} {}{} {price}", self.name(a), if one_way { "> " } else { "" }, self.name(b));
        }
        if let Some(places) = &self.coordinates {
            text.push_str("places:\n");
            self.names.iter().zip(places).for_each(|(name, (x, y))| _ = writeln!(text, "{name} {x} {y}"));
        }
        if let Some(table) = &self.table {
            text.push_str("table:\n");
            self.names.iter().zip(table).for_each(|(name, value)| _ = writeln!(text, "{name} {value}"));
        }
        let _ = writeln!(text, "start: {}\ngoal: {}", self.name(start), self.name(goal));
        text
    }

    /// Sets the goal of the estimates. A table is for one goal, so it is dropped if the goal changes.
    pub fn aim(&mut self, goal: Place, keeps_table: bool, limits: &Limits) -> Result<(), Limit> {
        if !keeps_table {
            self.table = None;
        }
        let exact = self.exact(goal, limits)?;
        let trust = |values: &[Cost]| -> Trust {
            let consistent = |&(a, b, price, one_way): &(Place, Place, Cost, bool)| {
                let [a, b] = [a, b].map(|place| values[place as usize]);
                a <= b.saturating_add(price) && (one_way || b <= a.saturating_add(price))
            };
            match values[goal as usize] == 0 && self.given.iter().all(consistent) {
                true => Trust::Consistent,
                false if values.iter().zip(&exact).all(|(value, exact)| value <= exact) => Trust::Admissible,
                false => Trust::Unsafe,
            }
        };
        self.trust = [self.table.as_deref().map(trust), self.straight(goal).as_deref().map(trust)];
        Ok(())
    }

    /// The exact cost from every place to the goal.
    fn exact(&self, goal: Place, limits: &Limits) -> Result<Vec<Cost>, Limit> {
        let mut exact = vec![DEAD; self.len()];
        exact[goal as usize] = 0;
        let mut queue = BinaryHeap::from([(Reverse(0), goal)]);
        while let Some((Reverse(cost), place)) = queue.pop() {
            limits.check()?;
            if cost > exact[place as usize] {
                continue;
            }
            for &(before, price) in self.roads_to(place) {
                let through = cost.saturating_add(price);
                if through < exact[before as usize] {
                    exact[before as usize] = through;
                    queue.push((Reverse(through), before));
                }
            }
        }
        Ok(exact)
    }
}

/// The parts of a map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Map,
    Places,
    Table,
}

const PARTS: [(&str, Part); 3] = [("map", Part::Map), ("places", Part::Places), ("table", Part::Table)];

/// A map that is being read.
#[derive(Default)]
struct Draft<'a> {
    numbers: HashMap<&'a str, Place>,
    names: Vec<&'a str>,
    roads: Vec<(Place, Place, Cost, bool)>,
    /// The number of the road from one place to another, used to detect roads that are given twice.
    ends: HashMap<(Place, Place), usize>,
    places: Vec<Option<(i64, i64)>>,
    table: Vec<Option<Cost>>,
    /// The offset of each part that the text contains.
    parts: [Option<usize>; 3],
}

pub fn read(input: &Input<'_>, source: &Source<'_>) -> Result<Maze, ReadError> {
    if let Some(name) = ["neighbors", "scenario"].into_iter().find(|name| input.options.get(name).is_some()) {
        return Err(Fault::new(format!("option `{name}` is for grids, but this is a map"), format!("leave out `{name}`")).into());
    }
    let (mut draft, mut part, mut ends) = (Draft::default(), None, [None; 2]);
    for (at, line) in lines(source) {
        input.limits.check()?;
        let mut rest = (at, line);
        if let Some((key, value)) = line.split_once(':') {
            let (key, value) = (key.trim(), value.trim());
            if let Some(end) = ["start", "goal"].iter().position(|known| *known == key) {
                if ends[end].replace((at, value)).is_some() {
                    return Err(source.error(at, format!("`{key}` is given twice"), "keep one of the two lines").into());
                }
                continue;
            }
            let Some(&(_, found)) = PARTS.iter().find(|(name, _)| *name == key) else {
                let help = "the parts of a map are `map:`, `places:`, `table:`, `start:` and `goal:`";
                return Err(source.error(at, format!("unknown part `{}`", shorten(key)), help).into());
            };
            if draft.parts[found as usize].replace(at).is_some() {
                return Err(source.error(at, format!("`{key}:` is given twice"), "keep one of the two parts").into());
            }
            part = Some(found);
            rest = (at + line.len() - value.len(), value);
            if value.is_empty() {
                continue;
            }
        }
        match part {
            Some(Part::Map) => draft.road(source, rest)?,
            Some(part) => draft.about_place(source, rest, part)?,
            None => return Err(source.error(at, format!("expected `map:`, found `{}`", shorten(line)), HELP).into()),
        }
    }
    let map = draft.finish(source)?;
    // The table's estimates are for the goal that the text names.
    let find = |name: &str| {
        let place = map.names.iter().position(|known| known == name);
        place.map(|place| place as Place).ok_or_else(|| format!("there is no place `{}`", shorten(name)))
    };
    let end = |at: usize, given: Given<'_>| endpoint((["start", "goal"][at], source, input), given, None, (&find, ENDS_HELP));
    let (start, goal) = (end(0, ends[0])?, end(1, ends[1])?);
    let keeps_table = ends[1].is_none_or(|(_, name)| name == map.names[goal as usize]);
    if !keeps_table && map.table.is_some() {
        input.note("the table is for another goal, so it is not used");
    }
    let mut map = map;
    map.aim(goal, keeps_table, input.limits)?;
    Ok(Maze { ground: Ground::Map(map), start, goal })
}

impl<'a> Draft<'a> {
    /// Reads `A B 3` or `A > B 3`.
    fn road(&mut self, source: &Source<'_>, (at, line): (usize, &'a str)) -> Result<(), ParseError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (a, b, price, one_way) = match words[..] {
            [a, ">", b, price] => (a, b, price, true),
            [a, b, price] if a != ">" && b != ">" => (a, b, price, false),
            _ => return Err(source.error(at, format!("`{}` is not a road", shorten(line)), HELP)),
        };
        let Some(cost) = price.parse().ok().filter(|price| (1..=MAX_MOVE_COST).contains(price)) else {
            let help = format!("a price must be a whole number from 1 to {MAX_MOVE_COST}");
            return Err(source.error(at + line.len() - price.len(), format!("`{}` is not a price", shorten(price)), help));
        };
        if a == b {
            return Err(source.error(at, format!("this road leads from `{0}` back to `{0}`", shorten(a)), "leave it out"));
        }
        if self.roads.len() == MOST {
            return Err(source.error(at, format!("the map has more than {MOST} roads"), "make the map smaller"));
        }
        let [from, to] = [a, b].map(|name| self.number(name));
        let number = self.roads.len();
        for ends in [(from, to), (to, from)].into_iter().take(if one_way { 1 } else { 2 }) {
            if self.ends.insert(ends, number).is_some() {
                let message = format!("the road from `{}` to `{}` is given twice", shorten(a), shorten(b));
                return Err(source.error(at, message, "keep the cheaper of the two; `A > B 3` is a one-way road"));
            }
        }
        self.roads.push((from, to, cost, one_way));
        Ok(())
    }

    /// The number of a place, which is added if it is new.
    fn number(&mut self, name: &'a str) -> Place {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.places.push(None);
            self.table.push(None);
            self.names.len() as Place - 1
        })
    }

    /// Reads `A 3 4` in the part `places:`, or `A 5` in the part `table:`.
    fn about_place(&mut self, source: &Source<'_>, (at, line): (usize, &'a str), part: Part) -> Result<(), ParseError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Option<Vec<i64>> = words[1..].iter().map(|word| word.parse().ok()).collect();
        let numbers = numbers.unwrap_or_default();
        let fits = match (part, &numbers[..]) {
            (Part::Places, [x, y]) => x.abs().max(y.abs()) <= MOST_COORDINATE,
            (Part::Table, [value]) => (0..i64::from(DEAD)).contains(value),
            _ => false,
        };
        if !fits {
            let (what, help) = match part {
                Part::Places => ("a place with its coordinates", "write a place and two whole numbers up to 1000000, such as `A 30 -40`"),
                _ => ("a place with its estimate", "write a place and a whole number, such as `A 366`"),
            };
            return Err(source.error(at, format!("`{}` is not {what}", shorten(line)), help));
        }
        let Some(&place) = self.numbers.get(words[0]) else {
            return Err(source.error(
                at,
                format!("no road starts or ends at `{}`", shorten(words[0])),
                "put `map:` first, with a road for every place",
            ));
        };
        let twice = match part {
            Part::Places => self.places[place as usize].replace((numbers[0], numbers[1])).is_some(),
            _ => self.table[place as usize].replace(numbers[0] as Cost).is_some(),
        };
        match twice {
            true => Err(source.error(at, format!("`{}` is given twice", shorten(words[0])), "keep one of the two lines")),
            false => Ok(()),
        }
    }

    fn finish(self, source: &Source<'_>) -> Result<Map, ParseError> {
        let Some(at) = self.parts[Part::Map as usize].filter(|_| !self.roads.is_empty()) else {
            return Err(source.error(0, "the map has no roads", HELP));
        };
        // The costs of paths must fit in a `Cost`.
        if self.roads.iter().map(|road| u64::from(road.2)).sum::<u64>() >= u64::from(DEAD) {
            return Err(source.error(at, "the sum of the prices of all roads is too large", "use smaller prices"));
        }
        for (part, complete) in [(1, self.places.iter().position(Option::is_none)), (2, self.table.iter().position(Option::is_none))] {
            if let (Some(at), Some(place)) = (self.parts[part], complete) {
                let message = format!("`{}` is missing from `{}:`", shorten(self.names[place]), PARTS[part].0);
                return Err(source.error(at, message, "add a line for every place of the map, or leave out this part"));
            }
        }
        let (mut from, mut to) = (vec![Vec::new(); self.names.len()], vec![Vec::new(); self.names.len()]);
        for &(a, b, price, one_way) in &self.roads {
            for (a, b) in [(a, b), (b, a)].into_iter().take(if one_way { 1 } else { 2 }) {
                from[a as usize].push((b, price));
                to[b as usize].push((a, price));
            }
        }
        from.iter_mut().chain(&mut to).for_each(|roads: &mut Vec<Road>| roads.sort_unstable());
        let prices = || self.roads.iter().map(|road| road.2);
        let prices = prices().min().unwrap_or(1)..=prices().max().unwrap_or(1);
        Ok(Map {
            prices,
            names: self.names.iter().map(|&name| name.to_owned()).collect(),
            given: self.roads,
            from,
            to,
            coordinates: self.places.into_iter().collect(),
            table: self.table.into_iter().collect(),
            trust: [None; 2],
        })
    }
}
