//! The option `--cache`: a folder in which tables of heuristics are kept between runs.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kibitzer::limits::{Cache, Limits};

use crate::failure::Failure;
use crate::output;

#[derive(clap::Args, Clone, Default)]
pub struct CacheArgs {
    /// Store the tables of the heuristic `pattern` in DIR, so that later runs can reuse them
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns these limits with a cache for tables in the folder, which is created if it does not exist.
    pub fn limits(&self, limits: &Limits) -> Result<Limits, Failure> {
        let Some(folder) = &self.cache else { return Ok(limits.clone()) };
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::input(
                format!("cannot use {} as a cache: {error}", folder.display()),
                "with `--cache`, choose a folder in which files can be created",
            )
        })?;
        Ok(Limits { cache: Some(Arc::new(Folder(folder.clone()))), ..limits.clone() })
    }
}

/// A cache folder, with one file for each table.
struct Folder(PathBuf);

impl Cache for Folder {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.0.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                self.note(&format!("cannot read {}: {error}", path.display()));
                None
            }
        }
    }

    fn store(&self, name: &str, parts: &[&[u8]]) {
        let path = self.0.join(name);
        if let Err(error) = write(&self.0, &path, parts) {
            self.note(&format!("cannot write {}: {error}", path.display()));
        }
    }

    fn note(&self, text: &str) {
        output::note(&format!("note: {text}"));
    }
}

/// Writes a file under a temporary name and then renames it, so that a file with its final name is always complete.
fn write(folder: &Path, path: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let mut beside = tempfile::Builder::new();
    beside.prefix(".kibitzer.");
    #[cfg(unix)]
    beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = beside.tempfile_in(folder)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
