//! Follows the invariants and potentials behind proofs along random moves: no move changes an invariant or increases a potential, and every
//! goal has a different value.

use kibitzer::drawing::{Drawing, Measure, MeasureFn, MeasureKind};
use kibitzer::limits::Limits;
use kibitzer::outcome::Certificate;
use kibitzer::random::Random;
use kibitzer::rules::{Problem, Proofs};

use crate::any::moves_of;
use crate::{amount, boards};

/// Number of states that a search is assumed to need instead of a proof; small, so that slow proofs are skipped.
const NODES: u64 = 500;

pub fn check<P: Problem + Drawing>() {
    let (Some(proofs), Some(measure)) = (P::PROOFS, P::LESSON.and_then(|lesson| lesson.measure)) else { return };
    for board in boards::<P>(amount(4, 24)) {
        let problem: P = board.read();
        let context = format!("{} {}", P::INFO.name, board.name);
        let mut random = Random::new(1);
        for _ in 0..amount(4, 12) {
            walk(&problem, &proofs, measure, &mut random, &context);
        }
    }
}

/// Makes random moves, and measures every state once a proof has been found.
fn walk<P: Problem + Drawing>(problem: &P, proofs: &Proofs<P>, measure: MeasureFn<P>, random: &mut Random, context: &str) {
    let mut state = problem.start();
    let mut proved: Option<(Certificate, Measure)> = None;
    for step in 0..40 {
        if proved.is_none() && step % 4 == 0 {
            let certificate = (proofs.refute)(problem, &state, &Limits::nodes(NODES));
            proved = certificate.and_then(|certificate| measure(problem, &state, &certificate).map(|measured| (certificate, measured)));
            if let Some((certificate, measured)) = &proved {
                assert_eq!(
                    measure(problem, &state, certificate).as_ref(),
                    Some(measured),
                    "{context}: measuring a state again gives the same result"
                );
                goals(problem, measure, certificate, measured, context);
            }
        }
        let moves = moves_of(problem, &state);
        if moves.is_empty() {
            return;
        }
        let mv = &moves[random.below(moves.len())];
        state = problem.apply(&state, mv);
        if let Some((certificate, before)) = &mut proved {
            let after = measure(problem, &state, certificate).unwrap_or_else(|| panic!("{context}: there is no measure after {mv:?}"));
            let context = format!("{context}: {mv:?} turns {before:?} into {after:?}");
            assert!(after.kind == before.kind && after.goal == before.goal && after.numbers.len() == before.numbers.len(), "{context}");
            match after.kind {
                MeasureKind::Invariant => assert!(after.numbers == before.numbers && after.value == before.value, "{context}"),
                MeasureKind::Potential => assert!(after.numbers.iter().zip(&before.numbers).all(|(now, then)| now <= then), "{context}"),
            }
            *before = after;
        }
    }
}

/// Checks that the measure excludes every goal, if the goals can be enumerated.
fn goals<P: Problem + Drawing>(problem: &P, measure: MeasureFn<P>, certificate: &Certificate, measured: &Measure, context: &str) {
    assert_ne!(measured.value, measured.goal, "{context}: {measured:?}");
    for goal in P::BACKWARD.map(|backward| (backward.goals)(problem)).unwrap_or_default() {
        let Some(there) = measure(problem, &goal, certificate) else { continue };
        let separates = match measured.kind {
            MeasureKind::Invariant => there.numbers != measured.numbers && there.value != measured.value,
            MeasureKind::Potential => there.numbers.iter().zip(&measured.numbers).any(|(goal, now)| goal > now),
        };
        assert!(separates, "{context}: {measured:?} does not exclude {goal:?}, which has {there:?}");
    }
}
