//! States as bytes. Searches store packed states and compare their bytes.

use super::Rules;

/// A state that can be packed into bytes. Implemented for integers, and for arrays and tuples of integers. A game implements this
/// trait for its own state type, or to use fewer bytes. `R` is the game, because the width may depend on the board.
///
/// Smaller states are searched faster. States of at most eight bytes are handled as single words.
pub trait Pack<R: ?Sized>: Sized {
    /// The number of bytes per packed state, which is the same for all states of an instance.
    fn bytes(rules: &R) -> usize;

    /// Writes the state into exactly [`Pack::bytes`] bytes. Equal states must yield equal bytes and different states different
    /// bytes; anything else causes wrong answers.
    fn pack(&self, rules: &R, out: &mut [u8]);

    /// The inverse of [`Pack::pack`].
    fn unpack(rules: &R, bytes: &[u8]) -> Self;

    /// The bytes of [`Pack::pack`] as a little-endian number, for states of at most eight bytes.
    ///
    /// Default: uses `pack`. Override it only for speed. An override that returns a different number causes wrong counts.
    #[inline]
    fn word(&self, rules: &R) -> u64 {
        let mut bytes = [0; 8];
        self.pack(rules, &mut bytes[..Self::bytes(rules)]);
        u64::from_le_bytes(bytes)
    }
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl<R: ?Sized> Pack<R> for $integer {
            #[inline]
            fn bytes(_: &R) -> usize {
                size_of::<$integer>()
            }

            #[inline]
            fn pack(&self, _: &R, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn unpack(_: &R, bytes: &[u8]) -> Self {
                let mut whole = [0; size_of::<$integer>()];
                whole.copy_from_slice(bytes);
                Self::from_le_bytes(whole)
            }
        }
    )*};
}

integers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);

impl<R: ?Sized, T: Pack<R>, const N: usize> Pack<R> for [T; N] {
    #[inline]
    fn bytes(rules: &R) -> usize {
        N * T::bytes(rules)
    }

    #[inline]
    fn pack(&self, rules: &R, out: &mut [u8]) {
        let width = T::bytes(rules);
        self.iter().enumerate().for_each(|(at, item)| item.pack(rules, &mut out[at * width..(at + 1) * width]));
    }

    #[inline]
    fn unpack(rules: &R, bytes: &[u8]) -> Self {
        let width = T::bytes(rules);
        std::array::from_fn(|at| T::unpack(rules, &bytes[at * width..(at + 1) * width]))
    }
}

macro_rules! tuples {
    ($(($($name:ident $at:tt),*)),*) => {$(
        impl<R: ?Sized, $($name: Pack<R>),*> Pack<R> for ($($name,)*) {
            #[inline]
            fn bytes(rules: &R) -> usize {
                0 $(+ $name::bytes(rules))*
            }

            #[inline]
            fn pack(&self, rules: &R, out: &mut [u8]) {
                let mut rest = out;
                $(
                    let (first, after) = rest.split_at_mut($name::bytes(rules));
                    self.$at.pack(rules, first);
                    rest = after;
                )*
                debug_assert!(rest.is_empty());
            }

            #[inline]
            fn unpack(rules: &R, bytes: &[u8]) -> Self {
                let mut rest = bytes;
                let mut take = |width: usize| {
                    let (first, after) = rest.split_at(width);
                    rest = after;
                    first
                };
                ($($name::unpack(rules, take($name::bytes(rules))),)*)
            }
        }
    )*};
}

tuples!((A 0, B 1), (A 0, B 1, C 2), (A 0, B 1, C 2, D 3));

/// The packed states of any game, in the form that engines use.
pub trait Packing: Rules {
    /// See [`Pack::bytes`].
    #[inline]
    fn state_bytes(&self) -> usize {
        Self::State::bytes(self)
    }

    /// See [`Pack::pack`].
    #[inline]
    fn pack(&self, state: &Self::State, out: &mut [u8]) {
        state.pack(self, out);
    }

    /// See [`Pack::word`].
    #[inline]
    fn pack_word(&self, state: &Self::State) -> u64 {
        state.word(self)
    }

    /// See [`Pack::unpack`].
    #[inline]
    fn unpack(&self, bytes: &[u8]) -> Self::State {
        Self::State::unpack(self, bytes)
    }
}

impl<R: Rules> Packing for R {}
