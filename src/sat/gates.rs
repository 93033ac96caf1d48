//! Clauses for parities, conjunctions and counts, each with a literal for its result.
//!
//! Counts are sequential counters. One direction of the implication is enough for all uses here: a result that holds forces
//! its inputs ([`Gates::at_least`]), or inputs that hold force the result ([`Count`]).

use std::collections::HashMap;

use super::{Lit, Sat};

/// Clauses, with a literal that always holds.
pub struct Gates {
    pub sat: Sat,
    pub yes: Lit,
    both: HashMap<(Lit, Lit), Lit>,
}

/// Inputs of an exclusive or that are taken together: more means fewer variables and more clauses.
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
    /// Bytes held, about.
    pub fn bytes(&self) -> usize {
        self.sat.bytes() + self.both.capacity() * 2 * size_of::<((Lit, Lit), Lit)>()
    }

    pub fn var(&mut self) -> Lit {
        self.sat.var()
    }

    /// A new variable that holds only if `other` does.
    pub fn var_below(&mut self, other: Lit) -> Lit {
        let var = self.sat.var();
        self.implies(var, other);
        var
    }

    pub fn add(&mut self, clause: &[Lit]) {
        self.sat.add(clause);
    }

    pub fn implies(&mut self, a: Lit, b: Lit) {
        self.sat.add(&[!a, b]);
    }

    /// Holds exactly if both do.
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

    /// Holds exactly if an odd number of these do.
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

    /// An even number of these hold. There are 2^(n-1) clauses: for a few literals only.
    pub fn even(&mut self, literals: &[Lit]) {
        for wrong in (0_usize..1 << literals.len()).filter(|wrong| wrong.count_ones() % 2 == 1) {
            let clause: Vec<Lit> = literals.iter().enumerate().map(|(at, lit)| lit.apply_sign(wrong >> at & 1 == 0)).collect();
            self.sat.add(&clause);
        }
    }

    /// A literal that holds only if at least `least` of these do.
    pub fn at_least(&mut self, literals: &[Lit], least: usize) -> Lit {
        // At place j: at least j of those before.
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

/// The number of true literals among some, in unary; built one number at a time, on demand.
pub struct Count {
    literals: Vec<Lit>,
    /// For each literal: at least as many as the last number reached are true up to it.
    row: Vec<Lit>,
    /// By number, from 1: a literal that is true if at least that many inputs are.
    reached: Vec<Lit>,
}

impl Count {
    pub fn new(literals: Vec<Lit>) -> Count {
        Count { literals, row: Vec::new(), reached: Vec::new() }
    }

    pub fn literals(&self) -> &[Lit] {
        &self.literals
    }

    /// A literal that is true if at least `number` (from 1) inputs are; `None` if there are fewer inputs.
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
                    let now = gates.var();
                    gates.implies(before, now);
                    gates.add(&[!lit, !fewer, now]);
                    now
                });
            }
            self.row = row;
            self.reached.extend(self.row.last());
        }
        self.reached.get(number - 1).copied()
    }
}
