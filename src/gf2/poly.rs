//! Polynomials over GF(2): one bit per coefficient, 64 per word.
//!
//! Addition is exclusive or. Multiplication, division and the extended Euclidean algorithm use the processor's carry-less
//! multiplication if available (`clmul`), 64 coefficients at a time (`batch`). This takes about n²/64² word products for degree n. On
//! other processors, they use shifts and exclusive ors, one coefficient at a time.

#[cfg(target_arch = "x86_64")]
mod batch;
#[cfg(target_arch = "x86_64")]
mod clmul;

use crate::bits::xor;
use crate::limits::{Limit, Limits};

/// Number of word products between two checks of the limits, which take about ten milliseconds.
const PIECE: usize = 1 << 24;
/// Quotients with fewer coefficients are computed one coefficient at a time.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 64;

/// A polynomial; coefficient `i` is bit `i % 64` of word `i / 64`. The last word is never 0, and the zero polynomial has no
/// words.
#[derive(Clone, Debug, PartialEq, Eq, Default, Hash)]
pub struct Poly {
    words: Vec<u64>,
}

impl Poly {
    pub fn zero() -> Poly {
        Poly::default()
    }

    pub fn one() -> Poly {
        Poly::monomial(0)
    }

    /// x to the power `degree`.
    pub fn monomial(degree: usize) -> Poly {
        let mut words = vec![0; degree / 64 + 1];
        words[degree / 64] = 1 << (degree % 64);
        Poly { words }
    }

    /// The polynomial with these coefficients, the constant term first.
    pub fn from_words(words: Vec<u64>) -> Poly {
        let mut poly = Poly { words };
        poly.trim();
        poly
    }

    /// The sum of x to the power of each of these exponents.
    pub fn from_exponents(exponents: &[usize]) -> Poly {
        exponents.iter().fold(Poly::zero(), |mut sum, &exponent| {
            sum.add(&Poly::monomial(exponent));
            sum
        })
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The coefficients as exactly `count` words, which must be enough.
    pub fn into_words(mut self, count: usize) -> Vec<u64> {
        self.words.resize(count, 0);
        self.words
    }

    pub fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    /// The degree; `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        let last = self.words.last()?;
        Some(self.words.len() * 64 - 1 - last.leading_zeros() as usize)
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// Adds a polynomial, which is the same as subtracting it.
    pub fn add(&mut self, other: &Poly) {
        self.add_shifted(other, 0);
    }

    /// Adds `other` times x to the power `shift`.
    pub fn add_shifted(&mut self, other: &Poly, shift: usize) {
        let Some(degree) = other.degree() else { return };
        let need = (degree + shift) / 64 + 1;
        if self.words.len() < need {
            self.words.resize(need, 0);
        }
        add_shifted(&mut self.words, &other.words, shift);
        self.trim();
    }

    pub fn mul_within(&self, other: &Poly, limits: &Limits) -> Result<Poly, Limit> {
        let step = (PIECE / other.words.len().max(1)).max(1);
        let mut product = vec![0; self.words.len() + other.words.len()];
        for (at, words) in self.words.chunks(step).enumerate() {
            limits.check()?;
            let mut part = vec![0; words.len() + other.words.len()];
            multiply(words, &other.words, &mut part);
            xor(&mut product[at * step..], &part);
        }
        Ok(Poly::from_words(product))
    }

    /// Returns the quotient and the remainder.
    ///
    /// # Panics
    /// If the divisor is zero.
    pub fn div_rem(&self, divisor: &Poly, limits: &Limits) -> Result<(Poly, Poly), Limit> {
        let low = divisor.degree().expect("the divisor is not zero");
        let mut rest = self.clone();
        let Some(high) = rest.degree().filter(|&degree| degree >= low) else { return Ok((Poly::zero(), rest)) };
        #[cfg(target_arch = "x86_64")]
        if high - low >= FEW && low >= 64 && clmul::available() {
            let (quotient, rest) = batch::divide(&self.words, &divisor.words, low, limits)?;
            return Ok((Poly::from_words(quotient), Poly::from_words(rest)));
        }
        let mut quotient = vec![0; (high - low) / 64 + 1];
        rest.reduce(divisor, low, limits, |shift| quotient[shift / 64] ^= 1 << (shift % 64))?;
        Ok((Poly::from_words(quotient), rest))
    }

    /// Subtracts multiples of `other`, whose degree is `low`, until the degree is below `low`; calls `report` with each shift.
    fn reduce(&mut self, other: &Poly, low: usize, limits: &Limits, mut report: impl FnMut(usize)) -> Result<(), Limit> {
        while let Some(shift) = self.degree().and_then(|degree| degree.checked_sub(low)) {
            limits.check()?;
            add_shifted(&mut self.words, &other.words, shift);
            self.trim();
            report(shift);
        }
        Ok(())
    }

    /// The greatest common divisor `g` of `self` and `modulus`, and a polynomial `u` such that `self * u = g` modulo `modulus`. The
    /// degree of `u` is below that of `modulus / g`. The modulus must not be zero.
    pub fn gcd_with_inverse(&self, modulus: &Poly, limits: &Limits) -> Result<(Poly, Poly), Limit> {
        let (mut a, mut b) = (modulus.clone(), self.div_rem(modulus, limits)?.1);
        let (mut ua, mut ub) = (Poly::zero(), Poly::one());
        // Invariant: a = ua * self and b = ub * self, modulo the modulus.
        while let Some(low) = b.degree() {
            #[cfg(target_arch = "x86_64")]
            if let Some(steps) = batch::steps(&a.words, &b.words).filter(|_| clmul::available()) {
                limits.check()?;
                Poly::combine(&steps, &mut a, &mut b);
                Poly::combine(&steps, &mut ua, &mut ub);
                if a.degree() < b.degree() {
                    std::mem::swap(&mut a, &mut b);
                    std::mem::swap(&mut ua, &mut ub);
                }
                continue;
            }
            a.reduce(&b, low, limits, |shift| ua.add_shifted(&ub, shift))?;
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut ua, &mut ub);
        }
        Ok((a, ua))
    }

    /// Replaces `a` and `b` by the two linear combinations that `steps` describes.
    #[cfg(target_arch = "x86_64")]
    fn combine(steps: &[u64; 4], a: &mut Poly, b: &mut Poly) {
        let words = a.words.len().max(b.words.len());
        for poly in [&mut *a, &mut *b] {
            poly.words.resize(words, 0);
        }
        let above = clmul::combine(steps, &mut a.words, &mut b.words);
        for (poly, above) in [a, b].into_iter().zip(above) {
            poly.words.push(above);
            poly.trim();
        }
    }

    /// The polynomial with x + 1 substituted for x.
    pub fn shifted_by_one(&self) -> Poly {
        let mut words = self.words.clone();
        words.resize(words.len().next_power_of_two(), 0);
        for (j, mask) in LOW_HALVES.iter().enumerate() {
            for word in &mut words {
                *word ^= *word >> (1 << j) & mask;
            }
        }
        let mut half = 1;
        while half < words.len() {
            for block in words.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                xor(low, high);
            }
            half *= 2;
        }
        Poly::from_words(words)
    }

    /// The polynomial f(n) of the sequence f(0) = 1, f(1) = x, f(k+1) = x f(k) + f(k-1), which is the characteristic polynomial of a
    /// path with n vertices.
    pub fn of_path(n: usize) -> Poly {
        let mut words = vec![0; n / 64 + 1];
        // The coefficient of x^(n-2k) is C(n-k, k) modulo 2.
        for k in (0..=n / 2).filter(|&k| k & !(n - k) == 0) {
            let exponent = n - 2 * k;
            words[exponent / 64] |= 1 << (exponent % 64);
        }
        Poly::from_words(words)
    }
}

/// For `half` = 1, 2, 4, ..., 32: masks of the low half of every block of 2 * `half` bits.
const LOW_HALVES: [u64; 6] =
    [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f, 0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0xffff_ffff];

/// Converts a row, whose bit i is the coefficient of f(i) (see [`Poly::of_path`]), to a polynomial in x.
pub fn row_to_poly(row: &[u64]) -> Poly {
    let mut words = row.to_vec();
    words.resize(words.len().next_power_of_two(), 0);
    let mut half = words.len() * 32;
    while half >= 2 {
        fold_mirrored(&mut words, half);
        half /= 2;
    }
    Poly::from_words(words)
}

/// The inverse of [`row_to_poly`]. The row has `count` words, which must be enough.
pub fn poly_to_row(poly: &Poly, count: usize) -> Vec<u64> {
    let mut words = poly.words.clone();
    words.resize(count.next_power_of_two(), 0);
    let mut half = 2;
    while half <= words.len() * 32 {
        fold_mirrored(&mut words, half);
        half *= 2;
    }
    words.truncate(count);
    words
}

/// In every block of 2 * `half` bits, adds bit 2 * `half` - 2 - i to bit i, for i < `half` - 1.
///
/// With s(j) = f(j-1), this applies s(half + j) = x^half s(j) + s(half - j). This operation is its own inverse.
fn fold_mirrored(words: &mut [u64], half: usize) {
    if half < 64 {
        let low = LOW_HALVES[half.trailing_zeros() as usize];
        // All bits of each low half except the highest one.
        let mask = low & low >> 1;
        for word in words {
            let mirrored = mirror_blocks(*word, 2 * half);
            *word ^= mirrored >> 1 & mask;
        }
        return;
    }
    for block in words.chunks_exact_mut(half / 32) {
        let (low, high) = block.split_at_mut(half / 64);
        let mirrored = high.iter().rev().map(|word| word.reverse_bits());
        let next = mirrored.clone().skip(1).chain([0]);
        for ((word, a), b) in low.iter_mut().zip(mirrored).zip(next) {
            *word ^= a >> 1 | b << 63;
        }
    }
}

/// Reverses the bits of every block of `size` bits (a power of two).
fn mirror_blocks(mut word: u64, size: usize) -> u64 {
    for (j, mask) in LOW_HALVES.iter().enumerate().take(size.trailing_zeros() as usize) {
        let step = 1 << j;
        word = (word >> step & mask) | (word & mask) << step;
    }
    word
}

/// `to ^= from << shift`. The bits shifted beyond the end of `to` must be 0.
fn add_shifted(to: &mut [u64], from: &[u64], shift: usize) {
    let to = &mut to[shift / 64..];
    let bits = shift % 64;
    if bits == 0 {
        return xor(to, from);
    }
    let Some((&first, _)) = from.split_first() else { return };
    to[0] ^= first << bits;
    let inner = from.len().min(to.len());
    for (to, pair) in to[1..inner].iter_mut().zip(from.windows(2)) {
        *to ^= pair[1] << bits | pair[0] >> (64 - bits);
    }
    if let Some(last) = to.get_mut(from.len()) {
        *last ^= from[from.len() - 1] >> (64 - bits);
    }
}

/// Writes the product of `a` and `b` to `out`, which must be all 0 and as long as `a` and `b` together.
fn multiply(a: &[u64], b: &[u64], out: &mut [u64]) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if clmul::available() {
        return clmul::multiply(a, b, out);
    }
    multiply_portable(a, b, out);
}

/// Like `multiply`, but without special CPU instructions. Processes four bits of each word of `a` at a time, with a table of the
/// multiples of `b`. Public for the tests.
#[doc(hidden)]
pub fn multiply_portable(a: &[u64], b: &[u64], out: &mut [u64]) {
    // multiples[d] = d * b, one word longer than b.
    let mut multiples = vec![vec![0; b.len() + 1]; 16];
    for (digit, multiple) in multiples.iter_mut().enumerate() {
        for bit in (0..4).filter(|bit| digit >> bit & 1 == 1) {
            add_shifted(multiple, b, bit);
        }
    }
    let length = out.len();
    for place in (0..16).rev() {
        if place < 15 {
            for at in (1..length).rev() {
                out[at] = out[at] << 4 | out[at - 1] >> 60;
            }
            out[0] <<= 4;
        }
        for (at, word) in a.iter().enumerate() {
            let digit = (word >> (4 * place) & 15) as usize;
            if digit != 0 {
                xor(&mut out[at..=at + b.len()], &multiples[digit]);
            }
        }
    }
}
