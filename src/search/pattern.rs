//! Pattern databases: the heuristic `pattern` of every problem with [`Patterns`].
//!
//! A table is built by uniform-cost search from the patterns of the goals, backward, over all patterns of a projection. The search keeps
//! a bit for every pattern, a list of the patterns at each cost, and the table, which has one or two bytes per entry.
//!
//! Tables can be kept between runs ([`Cache`](crate::limits::Cache)). A file begins with a few lines of text: the version of this format,
//! the projection, the size of the table and its checksum. A file that begins with different lines, or whose checksum is wrong, is
//! ignored, and the table is rebuilt.

use std::collections::BTreeMap;

use crate::bits::crc::{self, crc32};
use crate::limits::{Limit, Limits, Progress};
use crate::rules::{Cost, DEAD, Estimate, Heuristic, Patterns, Problem, Projection};

/// Maximum number of projections of an instance.
const MOST: usize = 32;
/// Maximum number of patterns of a projection.
const MOST_PATTERNS: u64 = 1 << 32;
/// Number of patterns between two checks of the limits.
const PERIOD: u64 = 4096;
/// Number of bytes of a table between two checks of the limits.
const PIECE: usize = 1 << 22;

/// All heuristics of a problem: its own and, if it has patterns, `pattern`.
pub fn heuristics<P: Problem>(problem: &P) -> Vec<&'static Heuristic<P>> {
    problem.heuristics().iter().chain(Free::<P>::HEURISTIC).collect()
}

struct Free<P>(std::marker::PhantomData<P>);

impl<P: Problem> Free<P> {
    const HEURISTIC: &'static [Heuristic<P>] = match &P::PATTERNS {
        Some(Patterns { about, consistent, .. }) => {
            &[Heuristic { name: "pattern", about, admissible: true, consistent: *consistent, aliases: &[], build: build::<P> }]
        }
        None => &[],
    };
}

fn build<P: Problem>(problem: &P, limits: &Limits) -> Result<Estimate<P>, Limit> {
    let Some(patterns) = P::PATTERNS else { return Ok(Estimate::new(|_, _| 0)) };
    let projections = (patterns.projections)(problem);
    assert!(projections.len() <= MOST, "a problem has at most {MOST} projections");
    // If the tables do not all fit in memory, none of them is built.
    limits.room(projections.iter().map(|projection| projection.entries as usize).sum())?;
    let mut tables: Vec<Table> = Vec::new();
    for (at, projection) in projections.iter().enumerate() {
        let used = tables.iter().map(|table| table.bytes.len()).sum();
        tables.push(loaded(projection, used, limits).transpose().unwrap_or_else(|| {
            let table = Table::build(problem, &patterns, at, projection, used, limits)?;
            keep(projection, &table, limits)?;
            Ok(table)
        })?);
    }
    let bytes = tables.iter().map(|table| table.bytes.len()).sum();
    let estimate = move |problem: &P, state: &P::State| {
        let mut entries = [0; MOST];
        let entries = &mut entries[..tables.len()];
        (patterns.entries)(problem, state, entries);
        let costs = tables.iter().zip(entries).map(|(table, entry)| table.get(*entry));
        if patterns.additive { costs.fold(0, Cost::saturating_add) } else { costs.max().unwrap_or(0) }
    };
    Ok(Estimate::new(estimate).with_tables(bytes))
}

/// The least cost of each entry of a projection. Costs are numbers of one or two bytes. The largest number stands for [`DEAD`], and larger
/// costs are stored as the number before it, which is still a lower bound.
struct Table {
    bytes: Vec<u8>,
    wide: bool,
}

impl Table {
    fn new(entries: u32) -> Table {
        Table { bytes: vec![u8::MAX; entries as usize], wide: false }
    }

    #[inline]
    fn get(&self, entry: u32) -> Cost {
        let at = entry as usize;
        if self.wide {
            match u16::from_le_bytes([self.bytes[2 * at], self.bytes[2 * at + 1]]) {
                u16::MAX => DEAD,
                cost => cost.into(),
            }
        } else {
            match self.bytes[at] {
                u8::MAX => DEAD,
                cost => cost.into(),
            }
        }
    }

    /// Stores the cost of an entry. Unless the table is wide, the cost must fit into a byte.
    #[inline]
    fn set(&mut self, entry: u32, cost: Cost) {
        let at = entry as usize;
        if self.wide {
            self.bytes[2 * at..2 * at + 2].copy_from_slice(&(cost.min(u16::MAX as Cost - 1) as u16).to_le_bytes());
        } else {
            self.bytes[at] = cost as u8;
        }
    }

    /// Converts the table to costs of two bytes.
    fn widen(&mut self) {
        let wide = |&byte: &u8| if byte == u8::MAX { [u8::MAX; 2] } else { [byte, 0] };
        *self = Table { bytes: self.bytes.iter().flat_map(wide).collect(), wide: true };
    }

    /// Builds the table for a projection. Other tables take `used` bytes.
    fn build<P: Problem>(
        problem: &P,
        patterns: &Patterns<P>,
        at: usize,
        projection: &Projection,
        used: usize,
        limits: &Limits,
    ) -> Result<Table, Limit> {
        if projection.patterns() > MOST_PATTERNS {
            return Err(Limit::Memory);
        }
        limits.room(used + projection.bytes() as usize)?;
        let costs = problem.move_costs();
        // If all steps have the same cost, the first cost found for a pattern is its least cost.
        let mut only = (costs.start() == costs.end()).then_some(*costs.start());
        loop {
            let search = Build { problem, patterns, at, projection, used, limits, only };
            match search.run()? {
                Some(table) => return Ok(table),
                None => only = None,
            }
        }
    }
}

/// A search that computes the values of a table.
struct Build<'a, P: Problem> {
    problem: &'a P,
    patterns: &'a Patterns<P>,
    at: usize,
    projection: &'a Projection,
    used: usize,
    limits: &'a Limits,
    /// The cost that all steps are assumed to have; `None` if costs may differ.
    only: Option<Cost>,
}

impl<P: Problem> Build<'_, P> {
    /// Returns `None` if the steps turn out to have different costs although they were assumed to have the same cost.
    fn run(&self) -> Result<Option<Table>, Limit> {
        let Build { problem, patterns, at, projection, limits, only, .. } = *self;
        let mut table = Table::new(projection.entries);
        // If all costs are equal, patterns are marked when they are added to the queue; otherwise, they are marked when they are taken
        // from it.
        let mut seen = vec![0_u64; projection.patterns().div_ceil(64) as usize];
        let mut waiting: BTreeMap<Cost, Stack> = BTreeMap::new();
        let goals = waiting.entry(0).or_default();
        for goal in (patterns.goals)(problem, at) {
            if only.is_none() || mark(&mut seen, goal) {
                goals.push(goal);
            }
        }
        let (mut until_check, mut unequal) = (0, false);
        while let Some((cost, mut stack)) = waiting.pop_first() {
            if cost >= Cost::from(u8::MAX) && !table.wide {
                table.widen();
            }
            while let Some(pattern) = stack.pop() {
                if until_check == 0 {
                    until_check = PERIOD;
                    let open = waiting.values().chain([&stack]);
                    let (length, bytes) = open.fold((0, 0), |(length, bytes), stack| (length + stack.len(), bytes + stack.bytes()));
                    let bytes = self.used + table.bytes.len() + 8 * seen.len() + bytes;
                    limits.room(bytes)?;
                    limits.report(&Progress { open: length, bytes, ..Progress::default() })?;
                }
                until_check -= 1;
                if only.is_none() && !mark(&mut seen, pattern) {
                    continue;
                }
                let entry = (pattern / u64::from(projection.details)) as u32;
                if table.get(entry) == DEAD {
                    table.set(entry, cost);
                }
                (patterns.step)(problem, at, pattern, &mut |before, price| match only {
                    Some(each) if price == each => {
                        if mark(&mut seen, before) {
                            waiting.entry(cost.saturating_add(price)).or_default().push(before);
                        }
                    }
                    Some(_) => unequal = true,
                    None if is_marked(&seen, before) => {}
                    None if price == 0 => stack.push(before),
                    None => waiting.entry(cost.saturating_add(price).min(DEAD - 1)).or_default().push(before),
                });
                if unequal {
                    return Ok(None);
                }
            }
        }
        Ok(Some(table))
    }
}

#[inline]
fn is_marked(seen: &[u64], pattern: u64) -> bool {
    seen[(pattern / 64) as usize] >> (pattern % 64) & 1 == 1
}

/// Marks a pattern. Returns true if it was not marked before.
#[inline]
fn mark(seen: &mut [u64], pattern: u64) -> bool {
    let (word, bit) = (&mut seen[(pattern / 64) as usize], 1 << (pattern % 64));
    let new = *word & bit == 0;
    *word |= bit;
    new
}

/// Patterns of equal cost, in chunks, so that a large list never has to be copied.
#[derive(Default)]
struct Stack {
    chunks: Vec<Vec<u32>>,
}

/// Number of patterns per chunk.
const CHUNK: usize = 1 << 14;

impl Stack {
    #[inline]
    fn push(&mut self, pattern: u64) {
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(pattern as u32),
            _ => self.chunks.push(vec![pattern as u32]),
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<u64> {
        loop {
            match self.chunks.last_mut()?.pop() {
                Some(pattern) => return Some(pattern.into()),
                None => _ = self.chunks.pop(),
            }
        }
    }

    fn len(&self) -> u64 {
        let last = self.chunks.last().map_or(0, Vec::len);
        (self.chunks.len().saturating_sub(1) * CHUNK + last) as u64
    }

    fn bytes(&self) -> usize {
        self.chunks.len() * CHUNK * size_of::<u32>()
    }
}

/// The first line of a stored table. The number must change whenever the format or the way in which tables are computed changes.
const FORMAT: &str = "kibitzer pattern database 1";

/// The text that precedes a stored table in its file.
fn head(projection: &Projection, wide: bool, sum: u32) -> String {
    let width = 1 + usize::from(wide);
    let Projection { id, entries, .. } = projection;
    format!("{FORMAT}\nid: {id}\nentries: {entries}\nbytes per entry: {width}\ncrc32: {sum:08x}\n\n")
}

/// The name under which a table is stored: the beginning of [`Projection::id`], and a checksum of the whole of it.
fn name(projection: &Projection) -> String {
    let short: String =
        projection.id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).take(60).collect();
    format!("{}-{:08x}.pattern", short.trim_matches('-'), crc32(projection.id.as_bytes()))
}

fn checksum(bytes: &[u8], limits: &Limits) -> Result<u32, Limit> {
    let mut sum = 0;
    for piece in bytes.chunks(PIECE) {
        limits.check()?;
        sum = crc::extend(sum, piece);
    }
    Ok(sum)
}

/// The stored table of a projection, if there is a valid one. Other tables take `used` bytes.
fn loaded(projection: &Projection, used: usize, limits: &Limits) -> Result<Option<Table>, Limit> {
    let Some(cache) = &limits.cache else { return Ok(None) };
    limits.room(used + projection.entries as usize)?;
    let name = name(projection);
    let Some(mut bytes) = cache.load(&name) else { return Ok(None) };
    for wide in [false, true] {
        let (text, size) = (head(projection, wide, 0).len(), projection.entries as usize * (1 + usize::from(wide)));
        if bytes.len() == text + size && bytes.starts_with(head(projection, wide, checksum(&bytes[text..], limits)?).as_bytes()) {
            limits.room(used + size)?;
            bytes.drain(..text);
            return Ok(Some(Table { bytes, wide }));
        }
    }
    cache.note(&format!("{name} is damaged or belongs to another table; it is rebuilt"));
    Ok(None)
}

/// Stores a table, if there is a cache for tables.
fn keep(projection: &Projection, table: &Table, limits: &Limits) -> Result<(), Limit> {
    if let Some(cache) = &limits.cache {
        let head = head(projection, table.wide, checksum(&table.bytes, limits)?);
        cache.store(&name(projection), &[head.as_bytes(), &table.bytes]);
    }
    Ok(())
}
