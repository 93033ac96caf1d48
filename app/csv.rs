//! Rows of comma-separated values, as in RFC 4180 except for the line endings.

/// Formats a row, with a line ending. Fields are quoted if necessary.
pub fn row<T: AsRef<str>>(fields: impl IntoIterator<Item = T>) -> String {
    let quoted = |field: T| match field.as_ref() {
        field if field.contains([',', '"', '\n', '\r']) => format!("\"{}\"", field.replace('"', "\"\"")),
        field => field.to_owned(),
    };
    fields.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// Parses a row whose fields contain no line breaks. Returns `None` if the row is malformed.
pub fn fields(row: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = row;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            None => rest.split_at(rest.find(',').unwrap_or(rest.len())),
            Some(quoted) => {
                let end = quoted.replace("\"\"", "  ").find('"')?;
                (&quoted[..end], &quoted[end + 1..])
            }
        };
        fields.push(field.replace("\"\"", "\""));
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None => return after.is_empty().then_some(fields),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_back_unchanged() {
        for list in [vec!["a", "", "b c"], vec!["a,b", "\"", "\"\",\"", "ü"], vec![""]] {
            let text = row(&list);
            assert_eq!(fields(text.trim_end_matches('\n')).as_deref(), Some(&*list.iter().map(|&f| f.to_owned()).collect::<Vec<_>>()));
        }
        assert_eq!(row(["a\nb", "c"]), "\"a\nb\",c\n");
        assert_eq!(fields("\"a"), None);
    }
}
