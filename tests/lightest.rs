//! The lightest solutions of Lights Out on square boards against published values.

#[path = "common/lights_out.rs"]
mod lights_out;

use kibitzer::bits::bit;
use kibitzer::gf2::lightest::Lightest;
use lights_out::lights_out;

/// The fewest presses for n = 1, 2, ..., and two larger boards.
#[test]
fn fewest_presses_on_the_square_board() {
    let known = [1, 4, 5, 4, 15, 28, 33, 40, 25, 44, 55, 72];
    let wanted = known.iter().enumerate().map(|(i, &presses)| (i + 1, presses)).chain([(19, 141), (30, 376)]);
    for (n, presses) in wanted {
        let (member, kernel) = lights_out(n);
        let mut search = Lightest::new(n * n, &member, &kernel);
        assert!(search.step(u64::MAX));
        assert_eq!(search.cost(), presses, "{n}");
        let found = search.member();
        let pressed = |r: usize, c: usize| r < n && c < n && bit(&found, r * n + c);
        for (r, c) in (0..n * n).map(|at| (at / n, at % n)) {
            let around = [(r, c), (r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)];
            assert!(around.iter().filter(|&&(r, c)| pressed(r, c)).count() % 2 == 1, "{n}: lamp {r}, {c} stays on");
        }
    }
}
