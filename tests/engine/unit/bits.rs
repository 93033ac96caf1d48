//! Compares packed bits and bitmaps with lists of booleans.

use kibitzer::bits::bitmap::{Bitmap, read_pbm};
use kibitzer::bits::crc;
use kibitzer::bits::{bit, low_mask, ones, ones_in, pack};
use kibitzer::random::Random;
use proptest::prelude::*;

fn random(rows: usize, columns: usize, seed: u64) -> Bitmap {
    let mut random = Random::new(seed);
    let mut map = Bitmap::new(rows, columns).expect("memory");
    (0..rows * columns).filter(|_| random.below(2) == 1).for_each(|at| map.flip(at / columns, at % columns));
    map
}

proptest! {
    #[test]
    fn a_packed_row_behaves_like_a_list(list in prop::collection::vec(any::<bool>(), 0..200)) {
        let words = pack(list.iter().copied());
        prop_assert_eq!(words.len(), list.len().div_ceil(64));
        prop_assert!((0..list.len()).all(|at| bit(&words, at) == list[at]));
        prop_assert_eq!(ones_in(&words).collect::<Vec<_>>(), (0..list.len()).filter(|&at| list[at]).collect::<Vec<_>>());
    }

    #[test]
    fn ones_of_single_words(word: u128) {
        prop_assert_eq!(ones(word).fold(0, |sum, at| sum | 1u128 << at), word);
        prop_assert_eq!(ones(word as u64).collect::<Vec<_>>(), ones(word).take_while(|&at| at < 64).collect::<Vec<_>>());
    }

    #[test]
    fn bitmaps_are_transposed_reversed_and_packed(rows in 1..200_usize, columns in 1..200_usize, seed: u64) {
        let map = random(rows, columns, seed);
        let turned = map.transposed();
        prop_assert!((0..rows).all(|r| (0..columns).all(|c| map.get(r, c) == turned.get(c, r))));
        let mut reversed = map.clone();
        reversed.reverse_rows();
        prop_assert!((0..rows).all(|r| map.row(r) == reversed.row(rows - 1 - r)));
        let bytes: Vec<Vec<u8>> = map.packed_rows().collect();
        prop_assert!(bytes.len() == rows && bytes.iter().all(|row| row.len() == columns.div_ceil(8)));
        prop_assert!((0..rows).all(|r| (0..columns).all(|c| map.get(r, c) == (bytes[r][c / 8] >> (7 - c % 8) & 1 == 1))));
        prop_assert!(Bitmap::unpack(rows, columns, &bytes.concat()).as_ref() == Some(&map));
        let text: String = (0..rows * columns).map(|at| if map.get(at / columns, at % columns) { "1 " } else { "0" }).collect();
        let plain = format!("P1\n# {seed}\n{columns} {rows}\n{text}\n");
        prop_assert!(read_pbm(plain.as_bytes()).is_ok_and(|read| read == map));
        let packed = [format!("P4 {columns} {rows}\n").into_bytes(), bytes.concat()].concat();
        prop_assert!(read_pbm(&packed).is_ok_and(|read| read == map));
        prop_assert!(map.ones().eq((0..rows * columns).filter(|at| map.get(at / columns, at % columns))));
    }
}

#[test]
fn masks_have_at_most_64_bits() {
    assert_eq!([low_mask(0), low_mask(3), low_mask(63), low_mask(64), low_mask(99)], [0, 7, u64::MAX >> 1, u64::MAX, u64::MAX]);
}

#[test]
fn headers_of_images() {
    let map = read_pbm(b"P4 # a comment\n # more\n 12\n2\n\x01\x0f\x80\x1f \n").expect("valid");
    assert_eq!((map.rows(), map.columns(), map.ones().collect::<Vec<_>>()), (2, 12, vec![7, 12, 23]));
    for (text, expected) in [
        ("P4 0 1 ", "width is 0"),
        ("P4 1 -1 ", "height is missing"),
        ("P1 99999999999999999999999 1 ", "too large"),
        ("P4 99999999999999999 1 ", "ends after 0 of 1 rows"),
        ("P4 8 18446744073709551615 \n", "ends after 1 of 18446744073709551615 rows"),
        ("P4 1 1", "whitespace must follow"),
        ("P4 1", "height is missing"),
        ("P4", "width is missing"),
    ] {
        let (_, error) = read_pbm(text.as_bytes()).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn checksums_are_those_of_gzip() {
    assert_eq!(crc::crc32(b"123456789"), 0xcbf4_3926);
    let mut random = Random::new(1);
    let bytes: Vec<u8> = (0..100).map(|_| random.below(256) as u8).collect();
    for end in 0..bytes.len() {
        let sum = crate::common::crc32(&bytes[..end]);
        for middle in 0..=end {
            assert_eq!(crc::extend(crc::crc32(&bytes[..middle]), &bytes[middle..end]), sum, "{middle} of {end} bytes");
        }
    }
}
