//! Tests limits while boards are drawn and certificates are checked, on every game's largest boards. Work is measured in allocations, so
//! that no clock is needed: the allocator sets the cancel flag during the work and counts the allocations after it.

use kibitzer::catalog::Choice;
use kibitzer::games::GAMES;
use kibitzer::limits::{Limit, Limits};
use kibitzer::notation::{Input, Options};
use kibitzer::outcome::Why;
use kibitzer::random::Random;
use kibitzer::report::{Answer, Claim};

use crate::common::{amount, instances, stopped};
use crate::counting;

/// Runs `work` and sets its cancel flag at allocation number `last`. Returns the number of allocations, and whether the work stopped.
fn made<T>(last: u64, work: impl FnOnce(&Limits) -> Result<T, Limit>) -> (u64, bool) {
    let limits = Limits::none();
    if last == 0 {
        limits.cancel.stop(Limit::Time);
    }
    let (done, made) = counting::stopped_at(last, &limits.cancel, || work(&limits));
    let limit = done.err();
    assert!(matches!(limit, None | Some(Limit::Time)), "{limit:?}");
    (made, limit.is_some())
}

/// Maximum number of allocations between two checks of the limits. Growing a list, or building a shape with its text, takes a few.
const FEW: u64 = 60;
/// Maximum size of a packed state, in bytes, for which the board is drawn completely.
const MOST_STATE: usize = 20_000;
/// Maximum number of steps that reading a board may take.
const STEPS: u64 = 100_000;

/// Checks that `work` stops soon if it is canceled before it begins and, unless the board is large, if it is canceled at points before its
/// last `rest` allocations.
fn assert_stops<T>(name: &str, large: bool, rest: u64, work: impl Fn(&Limits) -> Result<T, Limit>) {
    let (allocations, stopped) = made(0, &work);
    assert!(stopped && allocations < FEW, "{name}: {allocations} allocations after the time had run out");
    if large {
        return;
    }
    // The first drawing may compute a layout that the others reuse.
    made(u64::MAX, &work);
    let (all, stopped) = made(u64::MAX, &work);
    assert!(!stopped, "{name}: {all} allocations");
    // If a drawing consists of a few long lists, most of its allocations are made before and after the lists.
    if all < 100 {
        return;
    }
    let parts = amount(1, 8);
    for part in 1..=parts {
        let last = (all - rest) * part / (parts + 1);
        let (allocations, stopped) = made(last, &work);
        assert!(stopped && allocations - last < FEW, "{name}: {allocations} allocations of {all}, canceled at {last}, stopped: {stopped}");
    }
}

#[test]
fn drawing_and_checking_stop_soon() {
    let _alone = counting::alone();
    for entry in GAMES {
        let mut drawn = 0;
        for monster in entry.monsters {
            let text = (monster.make)(&mut Random::new(1));
            let few = Limits::until(|progress| progress.expanded > STEPS);
            // Some boards take too long even to be read.
            let Ok(puzzle) = (entry.read)(&Input::new(&text, &Options::default(), &few)) else { continue };
            drawn += 1;
            let name = format!("{}, {}", entry.name, monster.name);
            let large = puzzle.state_bytes() > MOST_STATE;
            // Writing a board as text checks no limits, because a text of the same size was read before.
            let (texts, _) = made(u64::MAX, |_| Ok((puzzle.instance(), puzzle.ascii())));
            assert_stops(&format!("{name}: position"), large, texts, |limits| puzzle.position(limits));
            if let Some(editor) = puzzle.editor() {
                assert_stops(&format!("{name}: canvas"), large, 0, |limits| editor.canvas(limits));
            }
            if !large {
                let scene = puzzle.position(&Limits::none()).expect("no limit").scene;
                assert_stops(&format!("{name}: SVG"), false, 0, |limits| scene.svg(limits));
            }
            let tight = Limits { bytes: 1000, ..Limits::none() };
            assert_eq!(puzzle.position(&tight).err(), Some(Limit::Memory), "{name}");
        }
        assert!(drawn > 0, "{}", entry.name);
    }

    let over = stopped();
    let mut proved = Vec::new();
    for entry in GAMES.iter().filter(|entry| entry.players == 1) {
        let mut checked = 0;
        for instance in instances(entry.name) {
            let puzzle = instance.open(entry);
            let report = puzzle.solve(&Choice::default(), &Limits::nodes(amount(1_000, 20_000))).expect("no fault");
            let Answer::Unsolvable { why: why @ Why::Certificate(_) } = report.answer else { continue };
            let check = |limits: &Limits| puzzle.check(&Claim::from(why.clone()), limits).expect("valid");
            assert!(check(&Limits::none()).complete(), "{}", instance.path.display());
            let late = check(&over);
            assert!(!late.complete(), "{}: {late:?}", instance.path.display());
            checked += 1;
        }
        proved.extend((checked > 0).then_some(entry.name));
    }
    // Not every game has certificates.
    assert!(proved.len() >= 5, "only {proved:?} have boards with a certificate");
}
