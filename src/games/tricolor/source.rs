//! Boards in the form of the game's source: the matrix M with ones on its diagonal, the vector c of green vertices, and the
//! vector bp of vertices that are not black. Such boards are converted to the usual text without moving any character, so that errors
//! report the right position.

use crate::notation::json::{Members, Node};
use crate::notation::{Field, ParseError};

const FORM: &str = "write 1 in `c` for each green vertex and 0 in `bp` for each black one; both need an entry for every vertex";

/// The text with `c = …` and `bp = …` changed to `key: value` lines, and with the key of `M = …` removed. Leaves everything else
/// unchanged.
pub fn with_colons(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.trim_start();
        let key = ["M", "c", "bp"].into_iter().find(|key| {
            let after = bare.strip_prefix(key).map(str::trim_start);
            after.is_some_and(|after| after.starts_with('=') || *key == "M" && after.starts_with(':'))
        });
        match key {
            Some("M") => {
                let at = line.find([':', '=']).map_or(0, |at| at + 1);
                out.extend(std::iter::repeat_n(' ', at));
                out.push_str(&line[at..]);
            }
            Some(_) => out.push_str(&line.replacen('=', ":", 1)),
            None => out.push_str(line),
        }
    }
    out
}

/// The color letters for the vectors. `wrong` turns a message about `bp` into an error.
fn letters(c: &[bool], bp: &[bool], wrong: impl Fn(String) -> ParseError) -> Result<String, ParseError> {
    if c.len() != bp.len() {
        return Err(wrong(format!("`c` has {} entries, but `bp` has {}", c.len(), bp.len())));
    }
    if let Some(v) = (0..c.len()).find(|&v| c[v] && !bp[v]) {
        return Err(wrong(format!("vertex {v} is green in `c` but black in `bp`")));
    }
    let letter = |(c, bp): (&bool, &bool)| match (c, bp) {
        (true, _) => 'G',
        (_, true) => 'R',
        _ => 'B',
    };
    Ok(c.iter().zip(bp).map(letter).collect())
}

/// The colors from the lines `c` and `bp`; `None` if neither is given.
pub fn from_fields(c: Option<&Field<'_>>, bp: Option<&Field<'_>>) -> Result<Option<String>, ParseError> {
    let (c, bp) = match (c, bp) {
        (None, None) => return Ok(None),
        (Some(c), Some(bp)) => (c, bp),
        (Some(one), None) | (None, Some(one)) => return Err(one.error("`c` and `bp` must be given together", FORM)),
    };
    let bits = |field: &Field<'_>| -> Result<Vec<bool>, ParseError> {
        let mut bits = Vec::new();
        for (at, character) in field.value.char_indices().filter(|(_, c)| !c.is_whitespace() && !",{}[]()".contains(*c)) {
            match character {
                '0' | '1' => bits.push(character == '1'),
                _ => return Err(field.error_at(at, format!("`{}` may contain only 0 and 1", field.key), FORM)),
            }
        }
        Ok(bits)
    };
    letters(&bits(c)?, &bits(bp)?, |message| bp.error(message, FORM)).map(Some)
}

/// The colors and the rows from the members `M`, `c` and `bp` of an object; `None` if `M` is not given.
pub fn from_json(members: &Members<'_>) -> Result<Option<(String, String)>, ParseError> {
    let Some(matrix) = members.get("M") else { return Ok(None) };
    let bits = |node: Node<'_>| -> Result<Vec<bool>, ParseError> {
        let bit = |node: &Node<'_>| match node.integer()? {
            bit @ (0 | 1) => Ok(bit == 1),
            other => Err(node.error(format!("{other} is neither 0 nor 1"), FORM)),
        };
        node.array()?.iter().map(bit).collect()
    };
    let bp = members.require("bp", FORM)?;
    let colors = letters(&bits(members.require("c", FORM)?)?, &bits(bp)?, |message| bp.error(message, FORM))?;
    let row = |row: &Node<'_>| Ok(bits(*row)?.into_iter().map(|bit| if bit { '1' } else { '0' }).chain(['\n']).collect::<String>());
    let rows: Vec<String> = matrix.array()?.iter().map(row).collect::<Result<_, ParseError>>()?;
    Ok(Some((colors, rows.concat())))
}
