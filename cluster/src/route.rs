//! The assignment of states to workers. The bucket of a state depends only on the state, so that files on disk can be used with any
//! number of workers. Each worker owns a contiguous range of buckets.

use std::ops::Range;

use super::block::word_of;

/// Number of parts into which every space is divided, and therefore also the maximum number of workers.
pub const BUCKETS: usize = 256;

/// The bucket of a packed state. Sets and stores use a different hash ([`kibitzer::search::store`]); with the same hash, the states of a
/// bucket would cluster in one part of the worker's table.
#[inline]
pub fn bucket(state: &[u8]) -> usize {
    if state.len() <= 8 {
        return bucket_of_word(word_of(state));
    }
    let hash = state.chunks(8).fold(0, |hash, bytes| mix(hash ^ word_of(bytes)));
    (hash >> 56) as usize
}

/// Like [`bucket`], but for a state of at most eight bytes that is given as a little-endian number.
#[inline]
pub fn bucket_of_word(word: u64) -> usize {
    (mix(word) >> 56) as usize
}

#[inline]
fn mix(word: u64) -> u64 {
    let product = (word ^ (word >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (product ^ (product >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// The worker that owns a bucket.
#[inline]
pub fn owner(bucket: usize, workers: usize) -> usize {
    bucket * workers / BUCKETS
}

/// The buckets that a worker owns.
pub fn buckets_of(worker: usize, workers: usize) -> Range<usize> {
    (worker * BUCKETS).div_ceil(workers)..((worker + 1) * BUCKETS).div_ceil(workers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_has_one_owner() {
        for workers in 1..=BUCKETS {
            let of_all: Vec<usize> = (0..workers).flat_map(|worker| buckets_of(worker, workers)).collect();
            assert_eq!(of_all, (0..BUCKETS).collect::<Vec<_>>());
            (0..workers).for_each(|worker| buckets_of(worker, workers).for_each(|bucket| assert_eq!(owner(bucket, workers), worker)));
        }
    }

    /// Even if states differ in only a few bits, as boards do, no bucket is much larger than the others.
    #[test]
    fn buckets_have_about_the_same_size() {
        for width in [3usize, 5, 8, 12, 20] {
            let mut counts = [0u32; BUCKETS];
            for number in 0..256_000u64 {
                let mut state = vec![0; width];
                state[width - 3..].copy_from_slice(&number.to_le_bytes()[..3]);
                counts[bucket(&state)] += 1;
            }
            assert!(counts.iter().all(|count| (800..1200).contains(count)), "{width}: {counts:?}");
        }
    }
}
