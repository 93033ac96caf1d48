//! Results to stdout or, whole or not at all, to a file.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Refuses, before any work is done, a place that cannot be written or that would overwrite the board. `-` is stdout.
pub fn target(path: Option<PathBuf>, board: Option<&str>) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = path.filter(|path| path != Path::new("-")) else { return Ok(None) };
    // A link is followed, so that it stays one.
    let path = path.canonicalize().unwrap_or(path);
    if board.is_some_and(|board| Path::new(board).canonicalize().is_ok_and(|board| board == path)) {
        return Err(Failure::input(format!("{} is the board itself", path.display()), "name another file with `-o`"));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wrong = match () {
        () if path.is_dir() => "it is a folder",
        () if path.file_name().is_none() => "it is not a file name",
        () if !folder.is_dir() => "its folder does not exist",
        () => return Ok(Some(path)),
    };
    Err(Failure::input(format!("cannot write {}: {wrong}", path.display()), "name a file in a folder that exists"))
}

/// Writes a text as a result.
pub fn write(text: &str, file: Option<&Path>) -> Result<(), Failure> {
    write_with(file, |out| out.write_all(text.as_bytes()))
}

/// Writes a result. A file is written beside its place and moved there, so an old one is never lost half-way.
pub fn write_with(file: Option<&Path>, fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let Some(path) = file else {
        let mut out = std::io::stdout().lock();
        return match fill(&mut out).and_then(|()| out.flush()) {
            // The reader has seen enough, as in `| head`.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"), "check where it goes")),
            Ok(()) => Ok(()),
        };
    };
    let fail =
        |error: std::io::Error| Failure::input(format!("cannot write {}: {error}", path.display()), "check the folder and the permissions");
    let old = path.metadata();
    // A device or pipe cannot be replaced by a file.
    if old.as_ref().is_ok_and(|meta| !meta.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| fill(&mut file)).map_err(fail);
    }
    let beside = path.with_file_name(format!(".kibitzer.{}.part", std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        if let Ok(meta) = &old {
            file.set_permissions(meta.permissions())?;
        }
        fill(&mut file)?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    });
    written.map_err(|error| {
        let _ = std::fs::remove_file(&beside);
        fail(error)
    })?;
    note(&format!("wrote {}", path.display()));
    Ok(())
}

/// A remark for the person at the terminal.
pub fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
