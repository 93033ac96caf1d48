//! Clauses for parities, conjunctions and counts, each with a literal for its result.
//!
//! Counts are sequential counters with implications in one direction: either the result implies that enough inputs are true
//! ([`Gates::at_least`]), or enough true inputs imply the result ([`Count`]).

use std::collections::HashMap;

use super::{Lit, Sat};

/// A set of clauses with a literal that is always true, to which gates can be added.
pub struct Gates {
    pub sat: Sat,
    pub yes: Lit,
    both: HashMap<(Lit, Lit), Lit>,
}

/// A long exclusive or is split into groups of this many inputs. Larger groups mean fewer variables and more clauses.
const TOGETHER: usize = 3;

impl Default for Gates {
    fn default() -> Gates {
        let mut sat = Sat::default();
        let yes = sat.var();
        sat.add(&[yes]);
        Gates { sat, yes, both: HashMap::new() }
    }
}

impl Gates {
    /// Approximate number of bytes used.
    pub fn bytes(&self) -> usize {
        self.sat.bytes() + self.both.capacity() * 2 * size_of::<((Lit, Lit), Lit)>()
    }

    /// A new variable that can be true only if `other` is true.
    pub fn var_below(&mut self, other: Lit) -> Lit {
        let var = self.sat.var();
        self.implies(var, other);
        var
    }

    pub fn implies(&mut self, a: Lit, b: Lit) {
        self.sat.add(&[!a, b]);
    }

    /// A literal that is true iff both `a` and `b` are true.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            _ if a == self.yes || a == b => b,
            _ if b == self.yes => a,
            _ if a == !self.yes || b == !self.yes || a == !b => !self.yes,
            _ => {
                let key = (a.min(b), a.max(b));
                if let Some(&known) = self.both.get(&key) {
                    return known;
                }
                let both = self.sat.var();
                self.sat.add(&[!both, a]);
                self.sat.add(&[!both, b]);
                self.sat.add(&[both, !a, !b]);
                self.both.insert(key, both);
                both
            }
        }
    }

    /// A literal that is true iff an odd number of these literals are true.
    pub fn xor(&mut self, literals: &[Lit]) -> Lit {
        let always = literals.iter().filter(|&&lit| lit == self.yes).count();
        let mut list: Vec<Lit> = literals.iter().copied().filter(|&lit| lit != self.yes && lit != !self.yes).collect();
        let mut from = 0;
        while list.len() - from > 1 {
            let to = list.len().min(from + TOGETHER);
            let sum = self.sat.var();
            let mut part = list[from..to].to_vec();
            part.push(sum);
            self.even(&part);
            list.push(sum);
            from = to;
        }
        list.get(from).map_or(!self.yes, |&lit| lit).apply_sign(always % 2 == 0)
    }

    /// Requires an even number of these literals to be true. Takes 2^(n-1) clauses for n literals, so n must be small.
    pub fn even(&mut self, literals: &[Lit]) {
        for wrong in (0_usize..1 << literals.len()).filter(|wrong| wrong.count_ones() % 2 == 1) {
            let clause: Vec<Lit> = literals.iter().enumerate().map(|(at, lit)| lit.apply_sign(wrong >> at & 1 == 0)).collect();
            self.sat.add(&clause);
        }
    }

    /// A literal that can be true only if at least `least` of these literals are true.
    pub fn at_least(&mut self, literals: &[Lit], least: usize) -> Lit {
        // Entry j can be true only if at least j of the literals processed so far are true.
        let mut row = vec![!self.yes; least + 1];
        row[0] = self.yes;
        for (at, &lit) in literals.iter().enumerate() {
            let left = literals.len() - at - 1;
            for j in (1..=least.min(at + 1)).rev().filter(|j| least - j <= left) {
                let more = self.sat.var();
                self.sat.add(&[!more, row[j], lit]);
                self.sat.add(&[!more, row[j], row[j - 1]]);
                row[j] = more;
            }
        }
        row[least]
    }
}

/// The number of true literals in unary, built on demand, one count at a time.
pub struct Count {
    pub literals: Vec<Lit>,
    /// For each input, a literal that is true if at least `reached.len()` of the inputs up to and including this one are true.
    row: Vec<Lit>,
    /// For each number from 1 up, a literal that is true if at least that many inputs are true.
    reached: Vec<Lit>,
}

impl Count {
    pub fn new(literals: Vec<Lit>) -> Count {
        Count { literals, row: Vec::new(), reached: Vec::new() }
    }

    /// A literal that is true if at least `number` inputs (1 or more) are true; `None` if there are fewer inputs.
    pub fn reaches(&mut self, number: usize, gates: &mut Gates) -> Option<Lit> {
        if number > self.literals.len() {
            return None;
        }
        while self.reached.len() < number {
            let mut row: Vec<Lit> = Vec::with_capacity(self.literals.len());
            for (at, &lit) in self.literals.iter().enumerate() {
                let fewer = match (self.reached.len(), at) {
                    (0, _) => gates.yes,
                    (_, 0) => !gates.yes,
                    (_, at) => self.row[at - 1],
                };
                let before = row.last().map_or(!gates.yes, |&lit| lit);
                row.push(if fewer == !gates.yes && before == !gates.yes {
                    !gates.yes
                } else {
                    let now = gates.sat.var();
                    gates.implies(before, now);
                    gates.sat.add(&[!lit, !fewer, now]);
                    now
                });
            }
            self.row = row;
            self.reached.extend(self.row.last());
        }
        self.reached.get(number - 1).copied()
    }
}
