//! Results to stdout or, whole or not at all, to a file.

use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a result. A file is written beside its place and moved there, so an old one is never lost half-way.
pub fn write(text: &str, file: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = file else {
        let mut out = std::io::stdout().lock();
        return match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // The reader has seen enough, as in `| head`.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"), "check where it goes")),
            Ok(()) => Ok(()),
        };
    };
    let fail =
        |error: std::io::Error| Failure::input(format!("cannot write {}: {error}", path.display()), "check the folder and the permissions");
    // A device or pipe cannot be replaced by a file.
    if path.metadata().is_ok_and(|meta| !meta.is_file()) {
        return std::fs::write(path, text).map_err(fail);
    }
    let name = path.file_name().ok_or_else(|| Failure::input(format!("{} is not a file name", path.display()), "name a file"))?;
    let beside = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
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
