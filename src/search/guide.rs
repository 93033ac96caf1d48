//! A heuristic that is prepared for one instance and combined with the problem's own test for dead states.

use crate::limits::{Limit, Limits};
use crate::rules::{Cost, DEAD, Estimate, Heuristic, Problem};

pub(super) struct Guide<P: Problem> {
    estimate: Option<Estimate<P>>,
    pub(super) admissible: bool,
}

/// The estimate for a state that an inadmissible heuristic calls dead: very large but finite, because the heuristic proves nothing.
pub(super) const FAR: Cost = Cost::MAX / 8;

impl<P: Problem> Guide<P> {
    /// Prepares a heuristic. Without one, the estimate is 0 everywhere.
    pub(super) fn new(heuristic: Option<&Heuristic<P>>, problem: &P, limits: &Limits) -> Result<Self, Limit> {
        let estimate = heuristic.map(|heuristic| (heuristic.build)(problem, limits)).transpose()?;
        Ok(Guide { estimate, admissible: heuristic.is_none_or(|heuristic| heuristic.admissible) })
    }

    /// The size of the heuristic's tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.estimate.as_ref().map_or(0, Estimate::bytes)
    }

    /// True if computing one estimate may take a long time.
    pub(super) fn is_slow(&self) -> bool {
        self.estimate.as_ref().is_some_and(Estimate::is_slow)
    }

    /// The table of the differences by which moves change an estimate below [`FAR`], if there is one. The sum of an estimate and a
    /// difference must be passed to [`Guide::proved`]. The state after the move may also be dead for a reason that the estimate does
    /// not show.
    #[inline]
    pub(super) fn differences(&self) -> &[Cost] {
        self.estimate.as_ref().map_or(&[], Estimate::differences)
    }

    /// The estimate. The heuristic must not be slow.
    #[inline]
    pub(super) fn quick(&self, problem: &P, state: &P::State, limits: &Limits) -> Cost {
        self.at(problem, state, limits).expect("only a slow estimate runs into a limit")
    }

    /// The estimate. It is [`DEAD`] only if the state is proved dead.
    #[inline]
    pub(super) fn at(&self, problem: &P, state: &P::State, limits: &Limits) -> Result<Cost, Limit> {
        if problem.is_dead(state) {
            return Ok(DEAD);
        }
        Ok(match &self.estimate {
            None => 0,
            Some(estimate) => self.proved(estimate.at(problem, state, limits)?),
        })
    }

    /// The estimate, capped at [`FAR`]. [`DEAD`] is kept only if the heuristic is admissible, because only then is the state proved
    /// dead.
    #[inline]
    pub(super) fn proved(&self, estimate: Cost) -> Cost {
        match estimate {
            h if h <= FAR => h,
            DEAD if self.admissible => DEAD,
            _ => FAR,
        }
    }
}
