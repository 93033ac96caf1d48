//! Reads table files and detects damage.

use crc32fast::Hasher;
use kibitzer::report::count;
use serde_json::Value;

use super::{CSV_TOTALS, ListCounts, RowFormat, TableHead, closing};

impl ListCounts {
    /// Reads the counts in a closing line.
    fn read(format: RowFormat, line: &str) -> Option<ListCounts> {
        let number = |name: &str| match format {
            RowFormat::Csv => line.split("; ").find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse().ok()),
            RowFormat::Jsonl => serde_json::from_str::<Value>(line).ok()?[name].as_u64(),
        };
        Some(ListCounts { lines: number("lines")?, skipped: number("skipped")? })
    }
}

/// True if a line is a closing line, or the beginning of one.
fn begins_closing(format: RowFormat, line: &str) -> bool {
    begins(line, if format == RowFormat::Csv { "# end: rows=" } else { "{\"rows\":" })
}

/// True if a line is a line with totals, or the beginning of one.
fn begins_totals(format: RowFormat, line: &str) -> bool {
    begins(line, if format == RowFormat::Csv { CSV_TOTALS } else { "{\"totals\":" })
}

fn begins(line: &str, start: &str) -> bool {
    start.starts_with(line) || line.starts_with(start)
}

fn not_a_row(line: usize) -> String {
    format!("line {line} is not a row of this table")
}

/// A table read from a file.
pub struct TextTable {
    pub head: TableHead,
    pub format: RowFormat,
    /// The line number in the file and the fields of each row.
    pub rows: Vec<(usize, Vec<String>)>,
    /// True if the table ends with a closing line.
    pub complete: bool,
    /// The line with totals between the rows and the closing line.
    pub totals: Option<String>,
    counts: Option<ListCounts>,
    /// Number of bytes up to the end of the last complete row.
    pub whole: usize,
    /// The checksum of the bytes up to the end of the last complete row.
    pub sum: Hasher,
}

impl TextTable {
    /// Reads a table. An incomplete last line is ignored; any other fault is an error that names its line.
    pub fn read(text: &str) -> Result<TextTable, String> {
        let Some((head, format, rest, first)) = TableHead::read(text) else {
            return Err("it does not start with the header of a table that `census` or `kernel` wrote".to_owned());
        };
        let whole = text.len() - rest.len();
        let mut table =
            TextTable { head, format, rows: Vec::new(), complete: false, totals: None, counts: None, whole, sum: Hasher::new() };
        table.sum.update(&text.as_bytes()[..whole]);
        for (at, line) in rest.split_inclusive('\n').enumerate() {
            let number = at + first + 1;
            if table.complete {
                return Err(format!("line {number} follows the end of the table"));
            }
            let Some(bare) = line.strip_suffix('\n') else {
                // An incomplete last line must be the beginning of a row or of the closing line.
                let begins_row = match format {
                    RowFormat::Csv => line.starts_with(|c: char| c.is_ascii_digit()),
                    RowFormat::Jsonl => line.starts_with('{'),
                };
                let begins_end = begins_closing(format, line) || begins_totals(format, line);
                return if begins_row || begins_end { Ok(table) } else { Err(not_a_row(number)) };
            };
            if table.totals.is_none() && begins_totals(format, bare) && bare.len() >= CSV_TOTALS.len() {
                table.totals = Some(line.to_owned());
            } else if let (Some(fields), None) = (table.head.fields(format, bare), &table.totals) {
                table.rows.push((number, fields));
                table.whole += line.len();
                table.sum.update(line.as_bytes());
            } else if begins_closing(format, bare) {
                table.counts = ListCounts::read(format, bare);
                let mut sum = table.sum.clone();
                sum.update(table.totals.as_deref().unwrap_or_default().as_bytes());
                let sum = sum.finalize();
                if line != closing(format, table.rows.len() as u64, sum, table.counts) {
                    let rows = count(table.rows.len() as u64, "row");
                    return Err(format!("line {number} says `{bare}`, but the table has {rows} with checksum {sum:08x}: it is damaged"));
                }
                table.complete = true;
            } else {
                return Err(not_a_row(number));
            }
        }
        Ok(table)
    }

    /// Returns an error if rows are out of order, or missing from a table that ends with a closing line. A row begins with its number: the
    /// line number in the list, or the board size. Lines without a board have no row, so gaps are allowed up to the number of skipped
    /// lines.
    pub fn missing(&self) -> Option<String> {
        let mut numbers: Vec<u64> = Vec::with_capacity(self.rows.len());
        for (at, fields) in &self.rows {
            match fields[0].parse() {
                Err(_) => return Some(format!("line {at} has no number")),
                Ok(number) if numbers.last().is_some_and(|&last| last >= number) => return Some(format!("line {at} is out of order")),
                Ok(number) => numbers.push(number),
            }
        }
        let (first, last) = (numbers.first()?, numbers.last()?);
        let span = last - first + 1;
        let gaps = span - numbers.len() as u64;
        let column = &self.head.columns[0];
        match self.counts {
            _ if !self.complete => None,
            Some(ListCounts { lines, skipped }) if numbers.len() as u64 + skipped != lines || gaps > skipped || span > lines => {
                let (rows, lines) = (count(numbers.len() as u64, "row"), count(lines, "line"));
                Some(format!("it has {rows}, but was made from {lines}, {skipped} of them without a row: rows are missing"))
            }
            None if gaps > 0 => {
                let at = numbers.windows(2).position(|pair| pair[0] + 1 < pair[1])?;
                Some(format!("`{column}` {} is followed by {}: rows are missing", numbers[at], numbers[at + 1]))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> TableHead {
        let options = [("colors", "each graph's EDCN"), ("winner", "no")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        TableHead::new("census", 2, "edge", options.to_vec(), ["line", "graph", "n", "first"].into_iter())
    }

    #[test]
    fn tables_are_read_back_even_if_they_were_cut_off() {
        for format in [RowFormat::Csv, RowFormat::Jsonl] {
            let rows = [["1", "K3,3", "6", "a:1 \"b\":2"], ["3", "?", "", ""]];
            let mut text = head().lines(format);
            rows.iter().for_each(|row| text += &head().row(format, row));
            let whole = text.len();
            text += &closing(format, 2, crc32fast::hash(text.as_bytes()), Some(ListCounts { lines: 5, skipped: 3 }));
            let table = TextTable::read(&text).expect("sound");
            assert_eq!((&table.head, table.format, table.complete, table.whole), (&head(), format, true, whole));
            assert_eq!(table.rows.iter().map(|(_, fields)| fields.clone()).collect::<Vec<_>>(), rows);
            let start = head().lines(format).len();
            for cut in start..text.len() {
                let part = TextTable::read(&text[..cut]).unwrap_or_else(|why| panic!("{cut}: {why}"));
                assert!(!part.complete && part.whole <= cut && part.rows.len() <= 2);
                assert_eq!(text[..part.whole].lines().count(), part.rows.len() + if format == RowFormat::Csv { 2 } else { 1 });
            }
            // Any changed character in a row is detected.
            for at in start..whole - 1 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
                let why = TextTable::read(&String::from_utf8(bytes).expect("text")).err();
                assert!(why.is_some_and(|why| why.starts_with("line ")), "{at}");
            }
            assert!(TextTable::read(&format!("{text}x\n")).is_err_and(|why| why.contains("follows the end")));
        }
        assert!(TextTable::read("a,b\n1,2\n").is_err());
    }
}
