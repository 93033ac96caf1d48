//! Numbers as text, and answers that are read back.

use kibitzer::report::{Claim, bytes, count, duration, grouped};
use serde_json::json;

#[test]
fn numbers_are_formatted_for_readers() {
    assert_eq!([grouped(0), grouped(999), grouped(1000), grouped(23475688)], ["0", "999", "1,000", "23,475,688"]);
    assert_eq!([count(0, "board"), count(1, "board"), count(1234, "board")], ["0 boards", "1 board", "1,234 boards"]);
    assert_eq!([bytes(9999), bytes(12_345), bytes(94_000_000)], ["9999 B", "12 kB", "94 MB"]);
    assert_eq!([duration(0.0000453), duration(0.0123), duration(2.0)], ["45 µs", "12.3 ms", "2.00 s"]);
}

#[test]
fn claims_are_read_or_refused_with_a_sentence() {
    assert!(matches!(Claim::read("# x\n a b \n\nc", "x").unwrap(), Claim::Plan { moves, .. } if moves == [json!("a b"), json!("c")]));
    assert!(matches!(Claim::read("{\"verdict\":\"unknown\"}", "x").unwrap(), Claim::Unknown(_)));
    let decided = Claim::read("{\"winner\":null,\"stats\":{},\"length\":9}", "x").unwrap();
    assert!(matches!(decided, Claim::Decided(said) if said.keys().eq(["winner", "length"])));
    for (text, message) in [
        ("{", "broken JSON"),
        ("{}", "no `moves` list"),
        ("{\"verdict\":3}", "`verdict` is 3"),
        ("{\"game\":\"y\",\"moves\":[]}", "for `y`"),
        ("# x: there is no solution", "a proof must be JSON"),
        ("{\"verdict\":\"maybe\"}", "is `maybe`, but it must be `solved`"),
        ("{\"moves\":3}", "not a list"),
        ("{\"moves\":[],\"cost\":1,\"cost\":2}", "the key `cost` occurs twice"),
        ("{\"moves\":[],\"why\":7}", "`why` cannot be combined with the verdict `solved`"),
        ("{\"verdict\":\"unsolvable\",\"cost\":1,\"why\":{}}", "`cost` cannot be combined with the verdict `unsolvable`"),
        ("{\"verdict\":\"unknown\",\"winner\":2}", "`winner` cannot be combined with the verdict `unknown`"),
        ("{\"verdict\":\"unsolvable\",\"why\":{\"kind\":\"exhausted\",\"states\":5,\"x\":1}}", "unknown field `x` in `exhausted`"),
        (" ", "is empty"),
        ("[]", "a JSON object"),
        ("{\"verdict\":\"unsolvable\"}", "no `why`"),
        ("{\"verdict\":\"unsolvable\",\"why\":{}}", "no `kind`"),
        ("{\"verdict\":\"unsolvable\",\"why\":{\"kind\":\"exhausted\"}}", "`states`"),
    ] {
        let error = Claim::read(text, "x").unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}
