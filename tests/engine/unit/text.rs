//! Positions of errors in text and JSON, and reproducible random numbers.

use kibitzer::random::Random;
use kibitzer::text::Source;
use kibitzer::text::json::read;

#[test]
fn errors_in_json_have_a_position() {
    for (text, line, column, message) in [
        ("{\"a\":[1,\n 2.5]}", 2, 2, "2.5 is not a whole number in range"),
        ("{\"a\":[1e3]}", 1, 7, "1e3 is not a whole number in range"),
        ("{\"a\":[true]}", 1, 7, "expected a whole number, found true"),
        ("{\"b\":1}", 1, 1, "the key `a` is missing"),
        ("{\"a\":[],\n\"c\":1}", 2, 1, "unknown key `c`"),
        ("{\"a\":[],\"a\":[]}", 1, 9, "`a` is given twice"),
        ("[]", 1, 1, "expected an object, found a list"),
        ("", 1, 1, "there is no JSON value here"),
        ("{\"a\":[1,]}", 1, 8, "broken JSON: trailing commas are not allowed"),
        (&"[".repeat(1_000_000), 1, 513, "nesting depth"),
    ] {
        let read = read(&Source::new(text), |node| {
            let list = node.object(&["a", "b"])?.require("a", "add it")?.array()?;
            list.iter().map(|item| item.integer()).collect::<Result<Vec<_>, _>>()
        });
        let error = read.expect_err(text);
        assert!((error.line, error.column) == (line, column) && error.message.contains(message), "{error}");
    }
}

#[test]
fn comments_preserve_positions() {
    let source = Source::without_comments("# héllo\nab: 1\n  # x\ncd: x\n");
    let fields = source.fields(&["ab", "cd"], "").unwrap();
    assert_eq!((fields[0].key, fields[0].value), ("ab", "1"));
    let error = fields[1].integers("give numbers").unwrap_err();
    assert_eq!((error.line, error.column), (4, 5));
    assert_eq!(error.message, "`x` is not a whole number");
}

#[test]
fn fields_on_one_line() {
    let source = Source::new("a: 1 2 ; b:(3,-4)");
    let fields = source.fields(&["a", "b"], "").unwrap();
    assert_eq!(fields[0].integers("").unwrap(), [(1, 0), (2, 2)]);
    assert_eq!(fields[1].integers("").unwrap(), [(3, 1), (-4, 3)]);
    assert_eq!(fields[1].error("x", "").column, 12);
}

#[test]
fn fields_refuse_unknown_and_repeated_keys() {
    let refused = |text: &str| Source::new(text).fields(&["a"], "write `a: 1`").err().map(|error| (error.line, error.message));
    assert_eq!(refused("a: 1\nb: 2"), Some((2, "unknown key `b`".to_owned())));
    assert_eq!(refused("a: 1\na: 2"), Some((2, "`a` is given twice".to_owned())));
    assert_eq!(refused("\n\nhello"), Some((3, "expected `key: value`, found `hello`".to_owned())));
    assert_eq!(refused(""), None);
}

#[test]
fn rows_of_numbers_preserve_positions() {
    let source = Source::without_comments("# tiles\n1 2, 3/4 5 6\n\n7 8 0");
    let rows = source.rows("").unwrap();
    let numbers: Vec<Vec<i64>> = rows.iter().map(|row| row.iter().map(|(number, _)| *number).collect()).collect();
    assert_eq!(numbers, [[1, 2, 3], [4, 5, 6], [7, 8, 0]]);
    let error = Source::new("1 2\n3 x").rows("write numbers").unwrap_err();
    assert_eq!((error.line, error.column, error.help.as_str()), (2, 3, "write numbers"));
}

#[test]
fn a_seed_always_gives_the_same_numbers() {
    let mut random = Random::new(1);
    assert_eq!([random.word(), random.word()], [10451216379200822465, 13757245211066428519]);
    let mut items: Vec<u8> = (0..10).collect();
    Random::new(7).shuffle(&mut items, 10);
    assert_eq!(items, [3, 1, 9, 7, 6, 4, 0, 5, 8, 2]);
}
