//! Results to stdout or, whole or not at all, to a file. A result is printed once: by the working thread, or by the main
//! thread after it took over because the work was late.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};

use tempfile::TempPath;

use crate::failure::Failure;

/// Which thread may print.
struct Turn {
    /// Was a result printed, or a file finished?
    printed: bool,
    /// Do results come piece by piece? Then what was printed so far does not make the command complete.
    streams: bool,
    /// The thread that took over; all others stop where they are.
    owner: Option<ThreadId>,
}

static TURN: Mutex<Turn> = Mutex::new(Turn { printed: false, streams: false, owner: None });
/// The file being written beside its place.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Waits for the turn to print, forever if another thread took over.
fn turn() -> MutexGuard<'static, Turn> {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if turn.owner.is_some_and(|owner| owner != thread::current().id()) {
        drop(turn);
        loop {
            thread::park();
        }
    }
    turn
}

/// Prints something that ends the command.
pub fn hold(print: impl FnOnce()) {
    let mut turn = turn();
    turn.printed = true;
    print();
}

/// From now on results come piece by piece.
pub fn stream() {
    turn().streams = true;
}

/// May the main thread print instead of the work?
pub enum Taken {
    Yes,
    /// A result is being written just now.
    Busy,
    /// The result is out.
    Late,
}

pub fn take_over() -> Taken {
    let mut turn = match TURN.try_lock() {
        Ok(turn) => turn,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return Taken::Busy,
    };
    if turn.printed && !turn.streams {
        return Taken::Late;
    }
    turn.owner = Some(thread::current().id());
    Taken::Yes
}

/// Removes an unfinished file: the program ends while another thread writes it.
pub fn clean_up() {
    if let Some(path) = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = std::fs::remove_file(path);
    }
}

/// Refuses, before any work is done, a place that cannot be written or that would overwrite the board. `-` is stdout.
pub fn target(path: Option<PathBuf>, board: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = path.filter(|path| path != Path::new("-")) else { return Ok(None) };
    // Write through symlinks. A dangling link names a new file; a link cycle is an error.
    if path.is_symlink()
        && let Err(error) = std::fs::metadata(&path)
        && error.kind() != ErrorKind::NotFound
    {
        return Err(Failure::input(format!("cannot write {}: {error}", path.display()), "name another file"));
    }
    let path = path.canonicalize().unwrap_or(path);
    if board.is_some_and(|board| Path::new(board).canonicalize().is_ok_and(|board| board == path)) {
        return Err(Failure::input(format!("{} is the board itself", path.display()), "name another file with `-o`"));
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
    Err(Failure::input(format!("cannot write {}: {wrong}", path.display()), "name a file in a folder that exists"))
}

/// The ending of a file's name, in lower case.
pub fn ending(path: Option<&Path>) -> Option<String> {
    path?.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a text as a result.
pub fn write(text: &str, file: Option<&Path>) -> Result<(), Failure> {
    write_with(file, |out| out.write_all(text.as_bytes()))
}

/// Writes a result. A file is written beside its place and moved there, so an old one is never lost half-way.
pub fn write_with(file: Option<&Path>, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let Some(path) = file else { return print(fill) };
    let fail = |error: std::io::Error| Failure::writing(&path.display().to_string(), &error);
    let old = path.metadata();
    // A device or pipe cannot be replaced by a file.
    if old.as_ref().is_ok_and(|meta| !meta.is_file()) {
        hold(|| {});
        return std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| fill(&mut file)).map_err(fail);
    }
    replace(path, old.ok().map(|meta| meta.permissions()), fill).map_err(fail)?;
    note(&format!("wrote {}", path.display()));
    Ok(())
}

fn print(fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut turn = turn();
    turn.printed = true;
    let mut out = std::io::stdout().lock();
    match fill(&mut out).and_then(|()| out.flush()) {
        // The reader has seen enough, as in `| head`.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::writing("to standard output", &error)),
        Ok(()) => Ok(()),
    }
}

fn replace(
    path: &Path,
    permissions: Option<std::fs::Permissions>,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    drop(turn());
    let mut beside = tempfile::Builder::new();
    beside.prefix(".kibitzer.");
    // As any new file, not for the owner alone.
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let (mut file, unfinished) = beside.tempfile_in(folder(path))?.into_parts();
    let finished: std::io::Result<TempPath> = {
        *UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(unfinished.to_path_buf());
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions)).and_then(|()| fill(&mut file)).and_then(|()| {
            file.sync_all()?;
            Ok(unfinished)
        })
    };
    let persisted = finished.and_then(|finished| {
        let mut turn = turn();
        finished.persist(path).map_err(|error| error.error)?;
        turn.printed = true;
        Ok(())
    });
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).take();
    persisted
}

/// A note for the person at the terminal.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
