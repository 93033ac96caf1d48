//! Products of words with the processor's carry-less multiplication.
//!
//! Callers check [`available`] first; the functions check it again, because this makes them safe to call.

use std::arch::x86_64::{
    __m128i, _mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_setzero_si128, _mm_unpackhi_epi64, _mm_xor_si128,
};

#[inline]
pub fn available() -> bool {
    is_x86_feature_detected!("pclmulqdq")
}

/// Writes the product of `a` and `b` to `out`, which must be as long as `a` and `b` together. Neither factor may be empty.
pub fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    assert!(available());
    // SAFETY: the CPU has the instruction.
    #[allow(unsafe_code)]
    unsafe {
        multiply_by(a, b, out);
    }
}

/// Replaces `a` and `b`, which have equal length, by `m[0] a + m[1] b` and `m[2] a + m[3] b`. Returns the words that overflow.
pub fn combine(m: &[u64; 4], a: &mut [u64], b: &mut [u64]) -> [u64; 2] {
    assert!(available());
    // SAFETY: the CPU has the instruction.
    #[allow(unsafe_code)]
    unsafe {
        combine_by(m, a, b)
    }
}

/// Adds `factor` times `from` to `to`, which must be one word longer than `from`.
pub fn add_multiple(to: &mut [u64], from: &[u64], factor: u64) {
    assert!(available());
    // SAFETY: the CPU has the instruction.
    #[allow(unsafe_code)]
    unsafe {
        add_multiple_by(to, from, factor);
    }
}

#[inline]
#[target_feature(enable = "pclmulqdq")]
fn product(a: u64, b: u64) -> __m128i {
    _mm_clmulepi64_si128(_mm_cvtsi64_si128(a as i64), _mm_cvtsi64_si128(b as i64), 0)
}

#[inline]
#[target_feature(enable = "pclmulqdq")]
fn halves(product: __m128i) -> (u64, u64) {
    (_mm_cvtsi128_si64(product) as u64, _mm_cvtsi128_si64(_mm_unpackhi_epi64(product, product)) as u64)
}

/// Computes one column of the product at a time.
#[target_feature(enable = "pclmulqdq")]
fn multiply_by(a: &[u64], b: &[u64], out: &mut [u64]) {
    let mut carry = 0;
    for column in 0..a.len() + b.len() - 1 {
        let mut sum = _mm_setzero_si128();
        let first = (column + 1).saturating_sub(b.len());
        let last = column.min(a.len() - 1);
        for (a, b) in a[first..=last].iter().zip(b[column - last..=column - first].iter().rev()) {
            sum = _mm_xor_si128(sum, product(*a, *b));
        }
        let (low, high) = halves(sum);
        out[column] = low ^ carry;
        carry = high;
    }
    out[a.len() + b.len() - 1] = carry;
}

#[target_feature(enable = "pclmulqdq")]
fn combine_by(m: &[u64; 4], a: &mut [u64], b: &mut [u64]) -> [u64; 2] {
    let mut carry = [0; 2];
    for (a, b) in a.iter_mut().zip(b) {
        let (one, above_one) = halves(_mm_xor_si128(product(m[0], *a), product(m[1], *b)));
        let (two, above_two) = halves(_mm_xor_si128(product(m[2], *a), product(m[3], *b)));
        (*a, *b) = (one ^ carry[0], two ^ carry[1]);
        carry = [above_one, above_two];
    }
    carry
}

#[target_feature(enable = "pclmulqdq")]
fn add_multiple_by(to: &mut [u64], from: &[u64], factor: u64) {
    let mut carry = 0;
    for (to, from) in to.iter_mut().zip(from) {
        let (low, high) = halves(product(*from, factor));
        *to ^= low ^ carry;
        carry = high;
    }
    to[from.len()] ^= carry;
}
