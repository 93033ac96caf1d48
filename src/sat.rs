//! Boolean satisfiability: conflict-driven clause learning, with assumptions.
//!
//! Clauses can be added at any time; [`Sat::solve`] answers for all clauses together with some assumed literals, and what it
//! learns stays for the next call. Where the answer is no, [`Sat::core`] has assumptions that cannot hold together. The parts
//! are the usual ones: two watched literals per clause, the first unique implication point, decaying activities, saved phases,
//! Luby restarts, and forgetting learned clauses that span many decision levels. It is deterministic: the same calls give the
//! same answers on every machine. `gates` builds clauses for parities and counts.
//!
//! Absent on purpose: preprocessing and proof logging. Callers verify a model by the rules of their game; that a "no" is right
//! is tested against exhaustive search.
//!
//! ```
//! use kibitzer::sat::Sat;
//!
//! let mut sat = Sat::new();
//! let (a, b) = (sat.var(), sat.var());
//! sat.add(&[a, b]);
//! let go_on = |_: &Sat| Ok::<(), ()>(());
//! assert_eq!(sat.solve(&[!a], go_on), Ok(true));
//! assert!(sat.holds(b) && !sat.holds(a));
//! assert_eq!(sat.solve(&[!a, !b], go_on), Ok(false));
//! assert_eq!(sat.core().len(), 2);
//! ```

pub mod gates;

#[cfg(test)]
mod tests;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    fn var(self) -> usize {
        (self.0 / 2) as usize
    }

    /// A number of its own, below twice the number of variables.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// This literal if `sign`, else its negation.
    pub fn signed(self, sign: bool) -> Lit {
        if sign { self } else { !self }
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A clause in the arena: where its literals begin and how many there are, and for learned ones their levels.
#[derive(Clone, Copy)]
struct Clause {
    from: u32,
    len: u32,
    /// Different decision levels when it was learned; 0 for one that was given.
    levels: u32,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Some other literal: if it is true, the clause need not be looked at.
    other: Lit,
}

const NONE: u32 = u32::MAX;
/// Bytes of a variable in all lists.
const VARIABLE: usize = 120;
/// How much less a conflict counts than the next one, and the activity at which all are scaled down.
const DECAY: f64 = 0.95;
const LARGE: f64 = 1e100;
/// Conflicts in the shortest run between two restarts.
const RESTART: u64 = 64;
/// Learned clauses before the first are forgotten.
const LEARNED: usize = 4000;
/// Propagations between two looks at the limits.
const LOOK: u64 = 1 << 14;

/// A set of clauses, and a search for a model.
#[derive(Default)]
pub struct Sat {
    literals: Vec<Lit>,
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    /// By literal: true (1), false (-1), open (0).
    values: Vec<i8>,
    /// By variable: the decision level and the clause that assigned it, the value it had last, and its activity.
    level: Vec<u32>,
    reason: Vec<u32>,
    phase: Vec<bool>,
    activity: Vec<f64>,
    /// What the next conflict adds to an activity.
    bump: f64,
    /// Variables by activity, a binary heap, and the place of each in it.
    heap: Vec<u32>,
    place: Vec<u32>,
    /// What is assigned, in order; where each decision level begins; how much of it was propagated.
    trail: Vec<Lit>,
    ends: Vec<usize>,
    done: usize,
    marked: Vec<bool>,
    /// Learned clauses now, and how many there may be.
    learned: usize,
    room: usize,
    /// The clauses alone have no model.
    clash: bool,
    core: Vec<Lit>,
    model: Vec<bool>,
    conflicts: u64,
    propagated: u64,
}

impl Sat {
    pub fn new() -> Sat {
        Sat { bump: 1.0, room: LEARNED, ..Sat::default() }
    }

    /// A new variable.
    pub fn var(&mut self) -> Lit {
        let var = self.level.len() as u32;
        self.level.push(0);
        self.reason.push(NONE);
        self.phase.push(false);
        self.activity.push(0.0);
        self.place.push(NONE);
        self.marked.push(false);
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.push(var);
        Lit(2 * var)
    }

    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        // Every clause has two watches, in lists that may be half empty.
        let clause = size_of::<Clause>() + 4 * size_of::<Watch>();
        self.literals.capacity() * size_of::<Lit>() + self.clauses.capacity() * clause + self.level.capacity() * VARIABLE
    }

    /// Conflicts so far: a measure of the work that is the same on every machine.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    /// Is it true in the model found last?
    ///
    /// # Panics
    /// If the variable is newer than the model.
    pub fn holds(&self, lit: Lit) -> bool {
        self.model[lit.var()] == (lit.0 & 1 == 0)
    }

    /// After an answer of no: assumptions that cannot hold together. None if the clauses alone have no model.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Adds a clause: one of these must hold.
    pub fn add(&mut self, lits: &[Lit]) {
        self.back_to(0);
        let mut lits = lits.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|pair| pair[0] == !pair[1]) || lits.iter().any(|&lit| self.value(lit) > 0) {
            return;
        }
        lits.retain(|&lit| self.value(lit) == 0);
        match lits[..] {
            [] => self.clash = true,
            [lit] => {
                self.assign(lit, NONE);
                self.clash |= self.propagate() != NONE;
            }
            _ => _ = self.attach(&lits, 0),
        }
    }

    fn attach(&mut self, lits: &[Lit], levels: u32) -> u32 {
        let id = self.clauses.len() as u32;
        self.clauses.push(Clause { from: self.literals.len() as u32, len: lits.len() as u32, levels });
        self.literals.extend(lits);
        self.watches[(!lits[0]).index()].push(Watch { clause: id, other: lits[1] });
        self.watches[(!lits[1]).index()].push(Watch { clause: id, other: lits[0] });
        id
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var();
        self.level[var] = self.ends.len() as u32;
        self.reason[var] = reason;
        self.trail.push(lit);
    }

    /// Assigns what follows; a clause that is violated, or `NONE`.
    fn propagate(&mut self) -> u32 {
        while self.done < self.trail.len() {
            let lit = self.trail[self.done];
            self.done += 1;
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.index()]);
            let (mut read, mut kept) = (0, 0);
            let mut violated = NONE;
            while read < watches.len() {
                let watch = watches[read];
                read += 1;
                if self.values[watch.other.index()] > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let Clause { from, len, .. } = self.clauses[watch.clause as usize];
                let lits = &mut self.literals[from as usize..(from + len) as usize];
                if lits[0] == !lit {
                    lits.swap(0, 1);
                }
                let first = lits[0];
                let watch = Watch { clause: watch.clause, other: first };
                if self.values[first.index()] > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                if let Some(next) = (2..lits.len()).find(|&at| self.values[lits[at].index()] >= 0) {
                    lits.swap(1, next);
                    let to = !lits[1];
                    self.watches[to.index()].push(watch);
                    continue;
                }
                watches[kept] = watch;
                kept += 1;
                if self.values[first.index()] < 0 {
                    violated = watch.clause;
                    while read < watches.len() {
                        watches[kept] = watches[read];
                        kept += 1;
                        read += 1;
                    }
                } else {
                    self.assign(first, watch.clause);
                }
            }
            watches.truncate(kept);
            self.watches[lit.index()] = watches;
            if violated != NONE {
                self.done = self.trail.len();
                return violated;
            }
        }
        NONE
    }

    fn back_to(&mut self, level: usize) {
        if self.ends.len() <= level {
            return;
        }
        let end = self.ends[level];
        for at in (end..self.trail.len()).rev() {
            let lit = self.trail[at];
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phase[lit.var()] = lit.0 & 1 == 0;
            self.push(lit.var() as u32);
        }
        self.trail.truncate(end);
        self.ends.truncate(level);
        self.done = end;
    }

    /// Learns from a violated clause: the clause, asserting literal first, and the level to go back to.
    fn learn(&mut self, violated: u32) -> (Vec<Lit>, usize) {
        let now = self.ends.len() as u32;
        let mut learned = vec![Lit(0)];
        let mut open = 0;
        let mut clause = violated;
        let mut at = self.trail.len();
        let mut asserting = None;
        loop {
            let Clause { from, len, .. } = self.clauses[clause as usize];
            for i in from..from + len {
                let lit = self.literals[i as usize];
                let var = lit.var();
                if Some(lit) == asserting || self.marked[var] || self.level[var] == 0 {
                    continue;
                }
                self.marked[var] = true;
                self.raise(var);
                if self.level[var] == now {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.marked[self.trail[at].var()] {
                    break;
                }
            }
            let lit = self.trail[at];
            self.marked[lit.var()] = false;
            open -= 1;
            if open == 0 {
                learned[0] = !lit;
                break;
            }
            asserting = Some(lit);
            clause = self.reason[lit.var()];
        }
        // A literal that follows from the others adds nothing.
        let all = learned.clone();
        let follows = |sat: &Sat, lit: Lit| {
            let reason = sat.reason[lit.var()];
            reason != NONE && {
                let Clause { from, len, .. } = sat.clauses[reason as usize];
                sat.literals[from as usize..(from + len) as usize]
                    .iter()
                    .all(|&other| other.var() == lit.var() || sat.marked[other.var()] || sat.level[other.var()] == 0)
            }
        };
        let mut kept = vec![learned[0]];
        kept.extend(learned[1..].iter().filter(|&&lit| !follows(self, lit)));
        all.iter().for_each(|lit| self.marked[lit.var()] = false);
        if let Some(second) = (1..kept.len()).max_by_key(|&at| self.level[kept[at].var()]) {
            kept.swap(1, second);
        }
        let level = kept.get(1).map_or(0, |lit| self.level[lit.var()] as usize);
        (kept, level)
    }

    /// This assumption, which is false, and those that its negation follows from.
    fn blame(&mut self, lit: Lit) {
        self.core = vec![lit];
        if self.level[lit.var()] == 0 {
            return;
        }
        self.marked[lit.var()] = true;
        for at in (self.ends[0]..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::take(&mut self.marked[lit.var()]) {
                continue;
            }
            match self.reason[lit.var()] {
                NONE => self.core.push(lit),
                reason => {
                    let Clause { from, len, .. } = self.clauses[reason as usize];
                    for i in from..from + len {
                        let other = self.literals[i as usize].var();
                        if other != lit.var() && self.level[other] > 0 {
                            self.marked[other] = true;
                        }
                    }
                }
            }
        }
        self.core.sort_unstable();
        self.core.dedup();
    }

    /// Is there a model in which all of these hold? An error is one of `go_on`, which is called every few milliseconds.
    pub fn solve<E>(&mut self, assumed: &[Lit], mut go_on: impl FnMut(&Sat) -> Result<(), E>) -> Result<bool, E> {
        self.back_to(0);
        self.core.clear();
        let mut looked = self.propagated;
        let mut run = 1;
        let mut left = RESTART * luby(run);
        loop {
            if self.clash {
                return Ok(false);
            }
            let violated = self.propagate();
            if self.propagated - looked > LOOK || violated != NONE && self.conflicts % 256 == 255 {
                looked = self.propagated;
                go_on(self)?;
            }
            if violated != NONE {
                self.conflicts += 1;
                if self.ends.is_empty() {
                    self.clash = true;
                    return Ok(false);
                }
                let (clause, level) = self.learn(violated);
                self.back_to(level);
                let reason = if clause.len() == 1 {
                    NONE
                } else {
                    let mut levels: Vec<u32> = clause.iter().map(|lit| self.level[lit.var()]).collect();
                    levels.sort_unstable();
                    levels.dedup();
                    self.learned += 1;
                    self.attach(&clause, levels.len() as u32)
                };
                self.assign(clause[0], reason);
                self.bump /= DECAY;
                left = left.saturating_sub(1);
                continue;
            }
            if left == 0 {
                run += 1;
                left = RESTART * luby(run);
                self.back_to(0);
                if self.learned > self.room {
                    self.forget();
                }
                continue;
            }
            if let Some(&lit) = assumed.get(self.ends.len()) {
                match self.value(lit) {
                    -1 => {
                        self.blame(lit);
                        return Ok(false);
                    }
                    value => {
                        self.ends.push(self.trail.len());
                        if value == 0 {
                            self.assign(lit, NONE);
                        }
                    }
                }
                continue;
            }
            let next = loop {
                match self.pop() {
                    None => break None,
                    Some(var) if self.values[2 * var as usize] == 0 => break Some(var),
                    Some(_) => {}
                }
            };
            let Some(var) = next else {
                self.model = (0..self.level.len()).map(|var| self.values[2 * var] > 0).collect();
                return Ok(true);
            };
            self.ends.push(self.trail.len());
            self.assign(Lit(2 * var + u32::from(!self.phase[var as usize])), NONE);
        }
    }

    /// Forgets half of the learned clauses, those of the most levels. At level 0 only.
    fn forget(&mut self) {
        let mut levels: Vec<u32> = self.clauses.iter().map(|clause| clause.levels).filter(|&levels| levels > 0).collect();
        levels.sort_unstable();
        let most = levels[levels.len() / 2].max(2);
        let clauses = std::mem::take(&mut self.clauses);
        let literals = std::mem::take(&mut self.literals);
        self.watches.iter_mut().for_each(Vec::clear);
        self.reason.fill(NONE);
        self.learned = 0;
        for clause in clauses {
            if clause.levels > most {
                continue;
            }
            let lits = &literals[clause.from as usize..(clause.from + clause.len) as usize];
            if lits.iter().any(|&lit| self.value(lit) > 0) {
                continue;
            }
            let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| self.value(lit) == 0).collect();
            self.attach(&lits, clause.levels);
            self.learned += usize::from(clause.levels > 0);
        }
        self.room += self.room / 10;
    }

    fn raise(&mut self, var: usize) {
        self.activity[var] += self.bump;
        if self.activity[var] > LARGE {
            self.activity.iter_mut().for_each(|activity| *activity /= LARGE);
            self.bump /= LARGE;
        }
        if self.place[var] != NONE {
            self.up(self.place[var] as usize);
        }
    }

    fn push(&mut self, var: u32) {
        if self.place[var as usize] == NONE {
            self.place[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        let last = self.heap.pop()?;
        self.place[top as usize] = NONE;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    fn before(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn up(&mut self, mut at: usize) {
        while at > 0 && self.before(self.heap[at], self.heap[(at - 1) / 2]) {
            self.exchange(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn down(&mut self, mut at: usize) {
        loop {
            let mut best = at;
            for child in [2 * at + 1, 2 * at + 2] {
                if child < self.heap.len() && self.before(self.heap[child], self.heap[best]) {
                    best = child;
                }
            }
            if best == at {
                return;
            }
            self.exchange(at, best);
            at = best;
        }
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.heap.swap(a, b);
        self.place[self.heap[a] as usize] = a as u32;
        self.place[self.heap[b] as usize] = b as u32;
    }
}

/// 1, 1, 2, 1, 1, 2, 4, ...
fn luby(at: u64) -> u64 {
    let mut power = 1;
    while power < at + 1 {
        power *= 2;
    }
    if power == at + 1 { power / 2 } else { luby(at + 1 - power / 2) }
}
