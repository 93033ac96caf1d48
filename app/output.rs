//! Writes results to standard output or, atomically, to a file. A result is printed once: by the worker thread, or by a thread that took
//! over because the work overran its time limit.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, ThreadId};

use comfy_table::{CellAlignment, Table, presets};

use crate::failure::{Failure, SOLVED};
use crate::parallel::lock;

/// Decides which thread may print.
struct Turn {
    /// True once a result was printed or a file was finished.
    printed: bool,
    /// True if results are printed piece by piece, so that printed output does not mean that the command is complete.
    streams: bool,
    /// The thread that took over. All other threads block when they try to print.
    owner: Option<ThreadId>,
}

static TURN: Mutex<Turn> = Mutex::new(Turn { printed: false, streams: false, owner: None });
/// The temporary file that is being written.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Acquires the right to print. Waits forever if another thread has taken over the output.
fn turn() -> MutexGuard<'static, Turn> {
    let turn = lock(&TURN);
    if turn.owner.is_some_and(|owner| owner != thread::current().id()) {
        drop(turn);
        loop {
            thread::park();
        }
    }
    turn
}

/// Waits forever if another thread has taken over the output.
pub fn wait_for_turn() {
    drop(turn());
}

/// Prints a result or a piece of one, while no other thread can print.
pub fn hold<T>(print: impl FnOnce() -> T) -> T {
    let mut turn = turn();
    turn.printed = true;
    print()
}

/// Standard output for results that are printed piece by piece. Another thread may end the program between two writes.
pub struct Stream;

pub fn stream() -> Stream {
    turn().streams = true;
    Stream
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut out = std::io::stdout();
        hold(|| out.write_all(bytes).and_then(|()| out.flush()))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The result of [`take_over`], which says if this thread may print instead of the worker thread.
pub enum Taken {
    Yes,
    /// The worker thread is writing a result.
    Busy,
    /// The result was already printed, or another thread has taken over.
    Late,
}

pub fn take_over() -> Taken {
    let mut turn = match TURN.try_lock() {
        Ok(turn) => turn,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return Taken::Busy,
    };
    if turn.printed && !turn.streams || turn.owner.is_some() {
        return Taken::Late;
    }
    turn.owner = Some(thread::current().id());
    Taken::Yes
}

/// Removes the unfinished output file. Called if the program ends while another thread is still writing that file.
pub fn clean_up() {
    if let Some(path) = lock(&UNFINISHED).take() {
        let _ = std::fs::remove_file(path);
    }
}

/// Checks, before any work is done, that the output can be written and does not overwrite the board. `-` is stdout.
pub fn target(path: Option<PathBuf>, board: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = path.filter(|path| path != Path::new("-")) else { return Ok(None) };
    // Write through symlinks. A dangling link names a new file; a link cycle is an error.
    if path.is_symlink()
        && let Err(error) = std::fs::metadata(&path)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(Failure::input(format!("cannot write {}: {error}", path.display()), "choose another file"));
    }
    let path = path.canonicalize().unwrap_or(path);
    if board.is_some_and(|board| Path::new(board).canonicalize().is_ok_and(|board| board == path)) {
        return Err(Failure::input(format!("{} is the board itself", path.display()), "choose another file with `-o`"));
    }
    let wrong = if path.is_dir() {
        "it is a folder"
    } else if path.file_name().is_none() {
        "it is not a file name"
    } else if !folder(&path).is_dir() {
        "its folder does not exist"
    } else {
        return Ok(Some(path));
    };
    Err(Failure::input(format!("cannot write {}: {wrong}", path.display()), "choose a file in a folder that exists"))
}

/// The file extension, in lower case.
pub fn ending(path: Option<&Path>) -> Option<String> {
    path?.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes text as a result. Returns exit code 0, which most commands return in turn.
pub fn write(text: &str, file: Option<&Path>) -> Result<u8, Failure> {
    write_with(file, |out| out.write_all(text.as_bytes()))
}

/// Writes a result. A file is written under a temporary name and then renamed, so an existing file is never left partly overwritten.
pub fn write_with(file: Option<&Path>, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<u8, Failure> {
    let Some(path) = file else {
        let print = || {
            let mut out = std::io::stdout().lock();
            fill(&mut out).and_then(|()| out.flush())
        };
        return match hold(print) {
            // The reader closed the pipe, as `head` does.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::writing("to standard output", &error)),
            _ => Ok(SOLVED),
        };
    };
    let fail = |error: std::io::Error| Failure::writing(&path.display().to_string(), &error);
    let old = path.metadata();
    // A device or pipe cannot be replaced by a file.
    if old.as_ref().is_ok_and(|meta| !meta.is_file()) {
        hold(|| {});
        std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| fill(&mut file)).map_err(fail)?;
        return Ok(SOLVED);
    }
    replace(path, old.ok().map(|meta| meta.permissions()), fill).map_err(fail)?;
    note(&format!("wrote {}", path.display()));
    Ok(SOLVED)
}

fn replace(
    path: &Path,
    permissions: Option<std::fs::Permissions>,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    wait_for_turn();
    let mut beside = tempfile::Builder::new();
    beside.prefix(".kibitzer.");
    // Use the normal permissions of a new file; by default, only the owner could read a temporary file.
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let (mut file, unfinished) = beside.tempfile_in(folder(path))?.into_parts();
    *lock(&UNFINISHED) = Some(unfinished.to_path_buf());
    let finish = || -> std::io::Result<()> {
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        fill(&mut file)?;
        file.sync_all()?;
        let mut turn = turn();
        unfinished.persist(path)?;
        turn.printed = true;
        Ok(())
    };
    let finished = finish();
    lock(&UNFINISHED).take();
    finished
}

/// A human-readable table. Columns for which `right` returns true are right-aligned.
pub fn table(header: Vec<&str>, right: impl Fn(&str) -> bool, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(&header).add_rows(rows);
    for (column, name) in table.column_iter_mut().zip(header) {
        if right(name) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{table}\n")
}

/// Prints a note on standard error.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
