//! The CRC-32 checksum that gzip and PNG use. It detects damage, not forgery.
//!
//! Eight bytes are processed at a time, with tables that are computed on first use. If the tables were stored instead, they would not
//! compress and would make up 1 % of the page's download.

use std::sync::OnceLock;

/// The CRC remainder of each byte followed by 0 to 7 zero bytes.
type Tables = [[u32; 256]; 8];

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = [[0; 256]; 8];
        // The polynomial, with its bits reversed.
        let step = |rest: u32| if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
        let first: [u32; 256] = std::array::from_fn(|byte| (0..8).fold(byte as u32, |rest, _| step(rest)));
        tables[0] = first;
        for zeros in 1..8 {
            tables[zeros] = tables[zeros - 1].map(|rest: u32| rest >> 8 ^ first[rest as usize & 255]);
        }
        tables
    })
}

/// Extends a checksum by more bytes. `before` is the checksum of the preceding bytes, or 0 if there are none.
pub fn extend(before: u32, bytes: &[u8]) -> u32 {
    let tables = tables();
    let (words, rest) = bytes.as_chunks::<8>();
    let mut sum = !before;
    for word in words {
        let word = u64::from_le_bytes(*word) ^ u64::from(sum);
        sum = 0;
        for (byte, table) in word.to_le_bytes().into_iter().zip(tables.iter().rev()) {
            sum ^= table[byte as usize];
        }
    }
    !rest.iter().fold(sum, |sum, byte| sum >> 8 ^ tables[0][(sum as u8 ^ byte) as usize])
}

/// The checksum of these bytes.
pub fn crc32(bytes: &[u8]) -> u32 {
    extend(0, bytes)
}
