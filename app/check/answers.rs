//! The answers named on the command line: files, standard input, and all files in a folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use kibitzer::report::count;

use crate::failure::Failure;
use crate::{input, output};

pub struct Answer {
    /// The displayed name, which includes the folder, because files in different folders may have the same name.
    pub name: String,
    /// `None` for standard input.
    pub path: Option<PathBuf>,
}

impl Answer {
    fn file(path: PathBuf) -> Answer {
        Answer { name: shown(path.as_os_str()), path: Some(path) }
    }
}

pub struct Answers {
    pub list: Vec<Answer>,
    /// True if the results are printed as a table.
    pub many: bool,
}

/// Finds the answers. The files in a folder are sorted by name. If the file `board` is in the folder, it is not an answer.
pub fn find(arguments: &[OsString], board: &str) -> Result<Answers, Failure> {
    let mut answers = Answers { list: Vec::new(), many: arguments.len() > 1 };
    let streams = arguments.iter().filter(|argument| *argument == "-").count();
    if streams > 1 || streams == 1 && board == "-" {
        return Err(Failure::input("standard input can be read only once", "use `-` only once, and pass files for the other arguments"));
    }
    for argument in arguments {
        let path = Path::new(argument);
        if argument == "-" {
            answers.list.push(Answer { name: "-".to_owned(), path: None });
        } else if path.is_dir() {
            answers.many = true;
            answers.list.extend(folder(path, board)?);
        } else {
            answers.list.push(Answer::file(path.to_owned()));
        }
    }
    if answers.list.is_empty() {
        return Err(Failure::input("there is no answer to check: the folder has no files", "pass a folder with one file per answer"));
    }
    Ok(answers)
}

/// The files in a folder, without subfolders. Links are followed.
fn folder(path: &Path, board: &str) -> Result<Vec<Answer>, Failure> {
    let name = shown(path.as_os_str());
    let fail = |error: std::io::Error| input::cannot_read(&name, &error);
    let board = Path::new(board).canonicalize().ok();
    let mut paths: Vec<PathBuf> = Vec::new();
    let [mut folders, mut hidden, mut special, mut boards] = [0; 4];
    for entry in std::fs::read_dir(path).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        match path.metadata() {
            _ if is_hidden => hidden += 1,
            Ok(meta) if meta.is_dir() => folders += 1,
            // Reading from a pipe without a writer would block forever.
            Ok(meta) if !meta.is_file() => special += 1,
            Ok(_) if board.is_some() && path.canonicalize().ok() == board => boards += 1,
            // An entry without metadata is reported as unreadable in its row.
            _ => paths.push(path),
        }
    }
    let kinds = [(folders, "folder"), (hidden, "hidden file"), (special, "special file"), (boards, "board")];
    let skipped: Vec<String> = kinds.into_iter().filter(|(number, _)| *number > 0).map(|(number, word)| count(number, word)).collect();
    if !skipped.is_empty() {
        output::note(&format!("note: {name}: skipped {}", skipped.join(", ")));
    }
    paths.sort();
    Ok(paths.into_iter().map(Answer::file).collect())
}

/// A unique printable form of a file name: invalid text and control characters are escaped.
fn shown(name: &OsStr) -> String {
    let letter = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    let chunks = name.as_encoded_bytes().utf8_chunks();
    chunks.flat_map(|chunk| chunk.valid().chars().map(letter).chain(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")))).collect()
}
