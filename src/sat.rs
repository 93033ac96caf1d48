//! Boolean satisfiability with assumptions and cores: a wrapper around the crate `batsat`, a descendant of MiniSat, that adds
//! limits.
//!
//! Clauses can be added at any time. [`Sat::solve`] decides whether the clauses are satisfiable under the assumption that some literals
//! are true, and keeps learned clauses for the next call. If the clauses are not satisfiable, [`Sat::core`] lists assumptions that
//! contradict them. Answers are deterministic: the same calls return the same models and cores on every machine. [`gates`] builds
//! clauses for parities and counts.
//!
//! Proofs are not logged. Instead, callers verify a model by the rules of their game, and the tests compare negative answers with
//! exhaustive search.
//!
//! ```
//! use kibitzer::limits::{Limits, Progress};
//! use kibitzer::sat::Sat;
//!
//! let mut sat = Sat::default();
//! let (a, b) = (sat.var(), sat.var());
//! sat.add(&[a, b]);
//! let (limits, progress) = (Limits::none(), Progress::default());
//! assert_eq!(sat.solve(&[!a], &limits, progress), Ok(true));
//! assert!(sat.holds(b) && !sat.holds(a));
//! assert_eq!(sat.solve(&[!a, !b], &limits, progress), Ok(false));
//! assert_eq!(sat.core().len(), 2);
//! ```

pub mod gates;

use std::cell::Cell;

pub use batsat::Lit;
use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, lbool};

use crate::limits::{Limit, Limits, Progress};
use crate::sort;

/// Approximate number of bytes per variable, in all of the solver's lists.
const VARIABLE: usize = 120;
/// Approximate number of bytes per clause, without its literals.
const CLAUSE: usize = 48;
/// Maximum number of decisions between two progress reports.
const DECISIONS: u64 = 1 << 10;
/// Maximum number of conflicts between two progress reports.
const CONFLICTS: u64 = 1 << 8;

/// A set of clauses, and a solver that searches for a model.
#[derive(Default)]
pub struct Sat {
    solver: Solver<Watch>,
    /// A buffer for the clause being added.
    clause: Vec<Lit>,
}

/// The limits of the search in progress.
#[derive(Default)]
struct Watch {
    limits: Limits,
    /// The caller's progress before this search.
    progress: Progress,
    /// The size of all clauses in bytes.
    bytes: usize,
    /// The size, in bytes, of the clauses that existed before this search.
    before: usize,
    conflicts: u64,
    decisions: Cell<u64>,
    /// The numbers of decisions and conflicts at which progress is next reported.
    next: Cell<(u64, u64)>,
    stopped: Cell<Option<Limit>>,
}

fn bytes_of(clause: &[Lit]) -> usize {
    CLAUSE + size_of_val(clause)
}

impl Watch {
    /// Checks all limits and reports progress when a report is due. The cancel flag is checked at every decision.
    fn check(&self) -> Result<(), Limit> {
        self.decisions.set(self.decisions.get() + 1);
        let (decision, conflict) = self.next.get();
        if self.decisions.get() < decision && self.conflicts < conflict {
            return self.limits.check();
        }
        self.next.set((self.decisions.get() + DECISIONS, self.conflicts + CONFLICTS));
        if self.progress.expanded + self.conflicts >= self.limits.nodes {
            return Err(Limit::Nodes);
        }
        let bytes = self.progress.bytes + self.bytes.saturating_sub(self.before);
        self.limits.room(bytes)?;
        self.limits.report(&Progress { bytes, ..self.progress })?;
        self.limits.take_turns()
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.conflicts += 1;
        self.bytes += bytes_of(clause);
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.bytes -= bytes_of(clause);
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_none() {
            self.stopped.set(self.check().err());
        }
        self.stopped.get().is_some()
    }
}

impl Sat {
    pub fn var(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Approximate number of bytes used.
    pub fn bytes(&self) -> usize {
        self.solver.cb().bytes + self.solver.num_vars() as usize * VARIABLE
    }

    /// True if the literal is true in the last model.
    pub fn holds(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// After a call that found no model: the assumptions that together contradict the clauses, sorted. Empty if the clauses alone have
    /// no model.
    pub fn core(&self) -> Vec<Lit> {
        let mut core: Vec<Lit> = self.solver.unsat_core().iter().map(|&lit| !lit).collect();
        sort::ascending(&mut core);
        core
    }

    /// The number of conflicts so far. This method is public for the tests.
    #[doc(hidden)]
    pub fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }

    /// Adds a clause: at least one of these literals must be true.
    pub fn add(&mut self, lits: &[Lit]) {
        self.solver.cb_mut().bytes += bytes_of(lits);
        self.clause.clear();
        self.clause.extend(lits);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Decides whether there is a model in which all of these literals are true. `progress` is the caller's progress so far. The node
    /// limit counts each conflict as one state.
    pub fn solve(&mut self, assumed: &[Lit], limits: &Limits, progress: Progress) -> Result<bool, Limit> {
        let conflicts = self.solver.num_conflicts();
        let watch = self.solver.cb_mut();
        watch.limits = limits.clone();
        (watch.progress, watch.before, watch.conflicts) = (progress, watch.bytes, conflicts);
        watch.decisions.set(0);
        watch.next.set((DECISIONS, conflicts + CONFLICTS));
        watch.stopped.set(None);
        let found = self.solver.solve_limited(assumed);
        if found == lbool::FALSE && !self.solver.unsat_core().is_empty() {
            // The solver reports a core as a new clause, but does not store it.
            let core = bytes_of(self.solver.unsat_core());
            self.solver.cb_mut().bytes -= core;
        }
        if found == lbool::UNDEF { Err(self.solver.cb().stopped.get().unwrap_or(Limit::Nodes)) } else { Ok(found == lbool::TRUE) }
    }
}
