//! Parts of documents and levels: ranges, scripts, dates, time shares.

use kibitzer::compare::{METHOD_TIME, Share, TABLE_TIME};
use kibitzer::level::daily::Date;
use kibitzer::sheet::Span;
use kibitzer::viewer::bundle::bundle;

#[test]
fn ranges_include_both_ends() {
    let span = |text: &str| text.parse::<Span>();
    let all = u64::MAX;
    for (text, least, most) in
        [("6..9", 6, 9), ("6", 6, 6), ("6..", 6, all), ("..9", 0, 9), ("..", 0, all), ("6..=9", 6, 9), (" 1 .. 2 ", 1, 2)]
    {
        assert_eq!(span(text), Ok(Span { least, most }), "{text}");
    }
    for text in ["", " ", "9..6", "x..", "..x", "-1..3", "1..-3", "1.5", "6...9", "6..9..12", "99999999999999999999", "+1", "1e3"] {
        assert!(span(text).is_err_and(|error| error.len() > 10), "{text}");
    }
    for text in ["6..9", "6", "6.."] {
        assert_eq!(span(text).expect("valid").to_string(), text);
    }
}

#[test]
fn modules_become_functions_that_return_their_exports() {
    let made = bundle(&[
        ("a.js", "export const one = 1;\nexport class Two {}\nexport async function three() {}\n"),
        ("b/c.js", "import { one, Two } from '../a.js';\nnew Two(one);\n"),
    ]);
    let expected = "const $module0 = (() => {\nconst one = 1;\nclass Two {}\nasync function three() {}\nreturn { one, Two, three };\n})();\n\
                    const $module1 = (() => {\nconst { one, Two } = $module0;\nnew Two(one);\nreturn {  };\n})();\n";
    assert_eq!(made.as_deref(), Ok(expected));
}

#[test]
fn unsupported_module_syntax_is_refused() {
    for source in [
        "import * as a from './a.js';",
        "import a from './a.js';",
        "import { one as two } from './a.js';",
        "import { one } from './later.js';",
        "import { one } from '../a.js';",
        "export default 1;",
        "export { one };",
        "export * from './a.js';",
        "export let one = 1;",
        "const text = '</script>';",
        "const later = import('./a.js');",
    ] {
        let one = "export const one = 1;\n";
        assert!(bundle(&[("a.js", one), ("b.js", source), ("later.js", one)]).is_err(), "{source}");
    }
}

#[test]
fn weekdays_match_the_calendar() {
    let day = |text: &str| text.parse::<Date>().expect("a date").weekday();
    // Weekdays from almanacs.
    for (text, weekday) in [("1969-07-20", 6), ("1970-01-01", 3), ("2000-02-29", 1), ("2024-02-29", 3), ("2026-11-16", 0)] {
        assert_eq!(day(text), weekday, "{text}");
    }
    // Over 401 years, each day's weekday follows that of the day before.
    let mut before = day("1999-12-31");
    for year in 2000..2401 {
        for (month, number) in (1..=12).flat_map(|month| (1..=31).map(move |number| (month, number))) {
            let Ok(date) = format!("{year}-{month:02}-{number:02}").parse::<Date>() else { continue };
            assert_eq!(date.weekday(), (before + 1) % 7, "{date}");
            before = date.weekday();
        }
    }
}

#[test]
fn invalid_dates_are_refused() {
    for text in
        ["", "2026", "2026-1-1", "2026-13-01", "2026-00-10", "2025-02-29", "1900-02-29", "2026-04-31", "2026-11-16 ", "x", "+026-11-16"]
    {
        assert!(text.parse::<Date>().is_err(), "{text}");
    }
    assert_eq!("2026-11-16".parse::<Date>().map(|date| date.to_string()), Ok("2026-11-16".to_owned()));
}

#[test]
fn methods_share_the_remaining_time() {
    assert_eq!(Share::of(Some(6.0), 0.0, 3), Share { time: 2.0, grace: 4.0 });
    assert_eq!(Share::of(Some(6.0), 5.0, 1), Share { time: 1.0, grace: 0.0 });
    assert_eq!(Share::of(Some(6.0), 7.0, 2), Share { time: 0.0, grace: 0.0 });
    assert_eq!(Share::of(None, 0.0, 2), Share { time: METHOD_TIME, grace: TABLE_TIME - METHOD_TIME });
}
