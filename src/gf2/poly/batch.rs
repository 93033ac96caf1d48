//! Division and Euclid's algorithm, 64 coefficients at a time.
//!
//! The leading coefficients of a quotient depend only on the leading coefficients of the dividend and the divisor. So dozens of
//! steps can be computed in a few registers and then applied to the whole polynomials at once, as products with words. The steps
//! and results are the same as with one coefficient at a time.

use super::clmul;
use crate::limits::{Limit, Limits};

/// Number of leading coefficients that are used to compute steps.
const WINDOW: usize = 128;

/// The `WINDOW` coefficients that start at `from`.
fn window(words: &[u64], from: usize) -> u128 {
    let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
    let (at, bits) = (from / 64, from % 64);
    let low = word(at) | word(at + 1) << 64;
    if bits == 0 { low } else { low >> bits | word(at + 2) << (128 - bits) }
}

/// The steps of Euclid's algorithm on `a` and `b` that the leading coefficients determine. The degree of `b` must be smaller
/// than that of `a`. The steps turn the pair into `m[0] a + m[1] b` and `m[2] a + m[3] b`, in either order, where m is the result.
/// `None` if no step is determined.
pub fn steps(a: &[u64], b: &[u64]) -> Option<[u64; 4]> {
    let degree = (64 * a.len()).checked_sub(1 + a.last()?.leading_zeros() as usize)?;
    let from = (degree + 1).checked_sub(WINDOW)?;
    // For each polynomial: its window, its factors, and a bound on the degree of the factors. Coefficients of the window below that
    // degree depend on coefficients outside the window.
    let mut one = (window(a, from), [1_u64, 0], 0);
    let mut two = (window(b, from), [0, 1_u64], 0);
    let mut any = false;
    let leading = |window: u128| 127_u32.checked_sub(window.leading_zeros());
    while let (Some(high), Some(low)) = (leading(one.0), leading(two.0)) {
        if high < one.2 || low < two.2 {
            break;
        }
        if high < low {
            std::mem::swap(&mut one, &mut two);
            continue;
        }
        let shift = high - low;
        if two.2 + shift > 63 {
            break;
        }
        one.0 ^= two.0 << shift;
        one.1 = [one.1[0] ^ two.1[0] << shift, one.1[1] ^ two.1[1] << shift];
        one.2 = one.2.max(two.2 + shift);
        any = true;
    }
    any.then_some([one.1[0], one.1[1], two.1[0], two.1[1]])
}

/// Quotient and remainder for a divisor of degree `low`, which must be at least 64.
pub fn divide(dividend: &[u64], divisor: &[u64], low: usize, limits: &Limits) -> Result<(Vec<u64>, Vec<u64>), Limit> {
    // Both polynomials are shifted so that the divisor's leading coefficient is the lowest bit of its word.
    let up = (64 - low % 64) % 64;
    let shifted = |words: &[u64]| {
        let mut out = vec![0; words.len() + 1];
        for (at, &word) in words.iter().enumerate() {
            out[at] |= word << up;
            out[at + 1] |= if up == 0 { 0 } else { word >> (64 - up) };
        }
        out
    };
    let (mut rest, divisor) = (shifted(dividend), shifted(divisor));
    let top = (low + up) / 64;
    let inverse = inverse(divisor[top - 1]);
    let mut quotient = vec![0; rest.len() - top];
    for at in (top..rest.len()).rev().filter(|&at| at >= top) {
        if at % 64 == 0 {
            limits.check()?;
        }
        let word = rest[at];
        if word == 0 {
            continue;
        }
        // The factor is the high word of the product of `word` and x^64 + inverse.
        let mut product = [0; 2];
        clmul::multiply(&[word], &[inverse], &mut product);
        let factor = word ^ product[1];
        clmul::add_multiple(&mut rest[at - top..=at], &divisor[..top], factor);
        rest[at] ^= factor;
        debug_assert_eq!(rest[at], 0);
        quotient[at - top] = factor;
    }
    rest.truncate(top);
    if up > 0 {
        for at in 0..top {
            rest[at] = rest[at] >> up | rest.get(at + 1).map_or(0, |next| next << (64 - up));
        }
    }
    Ok((quotient, rest))
}

/// The quotient of x^128 divided by x^64 + `low`, without its leading coefficient.
fn inverse(low: u64) -> u64 {
    let divisor = 1_u128 << 64 | u128::from(low);
    let mut rest = u128::from(low) << 64;
    let mut quotient = 0;
    for bit in (0..64).rev() {
        if rest >> (64 + bit) & 1 == 1 {
            rest ^= divisor << bit;
            quotient |= 1 << bit;
        }
    }
    quotient
}
