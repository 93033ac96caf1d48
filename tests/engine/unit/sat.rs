//! The SAT solver: limits, and random formulas and gates compared with an enumeration of all assignments.

use kibitzer::limits::{Limit, Limits, Progress};
use kibitzer::random::Random;
use kibitzer::sat::gates::{Count, Gates};
use kibitzer::sat::{Lit, Sat};

use crate::common::stopped;

fn solve(sat: &mut Sat, assumed: &[Lit]) -> bool {
    sat.solve(assumed, &Limits::none(), Progress::default()).expect("no limit")
}

fn is_true(lit: Lit, assignment: u32) -> bool {
    (assignment >> lit.var().idx() & 1 == 1) == lit.sign()
}

fn random_literal(random: &mut Random, variables: &[Lit]) -> Lit {
    variables[random.below(variables.len())].apply_sign(random.below(2) == 0)
}

/// Adds clauses in several batches, with solver calls in between. A model satisfies all clauses and assumptions. A core is a subset of
/// the assumptions under which the formula is unsatisfiable.
#[test]
fn small_formulas_agree_with_enumeration() {
    let mut random = Random::new(3);
    let (mut yes, mut no, mut cores) = (0, 0, 0);
    for round in 0..600 {
        let mut sat = Sat::default();
        let list: Vec<Lit> = (0..3 + random.below(9)).map(|_| sat.var()).collect();
        let variables = list.len();
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..6 {
            for _ in 0..1 + random.below(variables) {
                let clause: Vec<Lit> = (0..1 + random.below(4)).map(|_| random_literal(&mut random, &list)).collect();
                sat.add(&clause);
                clauses.push(clause);
            }
            let assumed: Vec<Lit> = (0..random.below(4)).map(|_| random_literal(&mut random, &list)).collect();
            let possible = |assumed: &[Lit]| {
                (0..1_u32 << variables).any(|assignment| {
                    assumed.iter().all(|&lit| is_true(lit, assignment))
                        && clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(lit, assignment)))
                })
            };
            let found = solve(&mut sat, &assumed);
            assert_eq!(found, possible(&assumed), "round {round}");
            if found {
                yes += 1;
                assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| sat.holds(lit))));
                assert!(assumed.iter().all(|&lit| sat.holds(lit)));
            } else {
                no += 1;
                let core = sat.core();
                cores += usize::from(!core.is_empty() && core.len() < assumed.len());
                assert!(core.iter().all(|lit| assumed.contains(lit)) && !possible(&core), "round {round}");
            }
        }
    }
    assert!(yes > 300 && no > 300 && cores > 20, "{yes} {no} {cores}");
}

/// Eight pigeons in seven holes: every limit stops the search, and the next call resumes it.
#[test]
fn limits_stop_the_search() {
    let mut sat = Sat::default();
    let holes = 7;
    let at: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| sat.var()).collect()).collect();
    let gate = sat.var();
    for (number, pigeon) in at.iter().enumerate() {
        sat.add(&[pigeon.as_slice(), &[!gate]].concat());
        for other in &at[..number] {
            pigeon.iter().zip(other).for_each(|(one, other)| sat.add(&[!*one, !*other]));
        }
    }
    assert_eq!(sat.solve(&[gate], &Limits::nodes(500), Progress::default()), Err(Limit::Nodes));
    let conflicts = sat.conflicts();
    assert!((500..1000).contains(&conflicts), "{conflicts}");
    // Memory is counted, and a cancel flag that is already set stops the search at once.
    let limits = Limits { bytes: 50_000, ..Limits::none() };
    assert_eq!(sat.solve(&[gate], &limits, Progress { bytes: 49_000, ..Progress::default() }), Err(Limit::Memory));
    let conflicts = sat.conflicts();
    assert_eq!(sat.solve(&[gate], &stopped(), Progress::default()), Err(Limit::Time));
    assert_eq!(sat.conflicts(), conflicts);
    assert!(solve(&mut sat, &[!gate]));
    assert!(!solve(&mut sat, &[gate]));
    assert_eq!(sat.core(), [gate]);
}

#[test]
fn gates_count_and_add() {
    for inputs in 0..=6_usize {
        for least in 0..=inputs {
            let mut gates = Gates::default();
            let list: Vec<Lit> = (0..inputs).map(|_| gates.sat.var()).collect();
            let (odd, enough) = (gates.xor(&list), gates.at_least(&list, least));
            let mut count = Count::new(list.clone());
            let reached = if least == 0 { gates.yes } else { count.reaches(least, &mut gates).expect("enough inputs") };
            assert_eq!(count.reaches(inputs + 1, &mut gates), None);
            for set in 0..1_usize << inputs {
                let assumed: Vec<Lit> = list.iter().enumerate().map(|(at, lit)| lit.apply_sign(set >> at & 1 == 1)).collect();
                let mut can = |lit: Lit| solve(&mut gates.sat, &[&assumed[..], &[lit]].concat());
                let number = set.count_ones() as usize;
                assert_eq!((can(odd), can(!odd)), (number % 2 == 1, number.is_multiple_of(2)));
                assert_eq!(can(enough), number >= least);
                assert_eq!((can(reached), can(!reached)), (true, number < least));
            }
        }
    }
}
