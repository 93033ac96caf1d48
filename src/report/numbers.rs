//! Numbers as text.

/// Formats `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and a word, in the plural unless the number is 1: `1 board`, `1,234 boards`.
pub fn count(number: u64, word: &str) -> String {
    format!("{} {word}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number of bytes, with a unit.
pub fn bytes(bytes: usize) -> String {
    match bytes as f64 {
        n if n < 10e3 => format!("{bytes} B"),
        n if n < 10e6 => format!("{:.0} kB", n / 1e3),
        n if n < 10e9 => format!("{:.0} MB", n / 1e6),
        n => format!("{:.1} GB", n / 1e9),
    }
}

/// A number of seconds, with a unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The effective branching factor b*, rounded to four decimals: a tree of depth `depth` in which every inner node has b* children has
/// `generated` nodes besides its root, so 1 + generated = 1 + b* + b*^2 + ... + b*^depth (Russell and Norvig). `None` if the plan is
/// empty or no state was generated.
pub fn branching(generated: u64, depth: usize) -> Option<f64> {
    if generated == 0 || depth == 0 {
        return None;
    }
    let (nodes, depth) = (generated as f64, depth as f64);
    let sum = |b: f64| if (b - 1.0).abs() < 1e-9 { depth } else { b * (depth * b.ln()).exp_m1() / (b - 1.0) };
    let (mut low, mut high) = (0.0, nodes);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if sum(middle) < nodes { low = middle } else { high = middle }
    }
    Some((high * 1e4).round() / 1e4)
}
