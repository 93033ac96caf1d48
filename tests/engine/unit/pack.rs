//! Packed integers, arrays and tuples.

use kibitzer::rules::Pack;

fn round_trip<T: Pack<()> + PartialEq + std::fmt::Debug>(value: T, bytes: &[u8]) {
    let mut packed = vec![0; T::bytes(&())];
    value.pack(&(), &mut packed);
    assert_eq!(packed, bytes);
    assert_eq!(T::unpack(&(), &packed), value);
}

#[test]
fn integers_arrays_and_tuples_are_packed_and_unpacked() {
    round_trip(0x0102_u16, &[2, 1]);
    round_trip(-2_i8, &[254]);
    round_trip([1_u8, 2, 3], &[1, 2, 3]);
    round_trip([[1_u16, 2], [3, 4]], &[1, 0, 2, 0, 3, 0, 4, 0]);
    round_trip((7_u8, [1_u16; 2], 9_u32), &[7, 1, 0, 1, 0, 9, 0, 0, 0]);
    assert_eq!(Pack::word(&[1_u8, 2], &()), 0x0201);
}
