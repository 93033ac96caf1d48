//! The state of a run on disk, from which it can resume after any kind of stop.
//!
//! A folder contains *manifests* and files with the states of finished layers. Once a file is written, it never changes. Each manifest
//! lists the files and the counts of all layers so far. A manifest is written after all files that it lists are on disk, under a temporary
//! name, and then renamed. Therefore, the newest manifest and all files that it lists are always complete. Files that no manifest lists are
//! removed at the next start.
//!
//! Each process writes the files of its own buckets, and all processes write the same manifest. All processes may share one folder, or each
//! host may have its own folder. With separate folders, a resumed run needs the files of a host's buckets in the folder of that host, so if
//! the list of hosts has changed, the folders must be merged first.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use kibitzer::search::explore::Layer;
use serde::{Deserialize, Serialize};

use super::Halt;
use super::expand::Counted;
use super::table::{FORMAT, Meta, Seal, StateFile, cannot_read, cannot_write};

/// The state of a run between two layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub checkpoint: u32,
    pub meta: Meta,
    /// The number of manifests written before this one.
    pub sequence: u32,
    /// The counts of all layers but the last, or of all layers if the space is complete.
    pub done: Vec<Counted>,
    /// The number of the last layer.
    pub layer: u32,
    pub complete: bool,
    /// Files with the states of finished layers, by layer.
    pub files: Vec<LayerFile>,
    /// Files with states of later layers.
    pub ahead: Vec<LayerFile>,
    /// Files with labels, last layer first.
    pub labels: Vec<LayerFile>,
    /// The counts of the labeled layers, last layer first.
    pub labeled: Vec<Layer>,
}

/// A file with some buckets of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerFile {
    pub layer: u32,
    pub buckets: Range<usize>,
    pub seal: Seal,
}

impl Manifest {
    /// A manifest without files.
    pub fn new(meta: Meta) -> Manifest {
        Manifest {
            checkpoint: FORMAT,
            meta,
            sequence: 0,
            done: Vec::new(),
            layer: 0,
            complete: false,
            files: Vec::new(),
            ahead: Vec::new(),
            labels: Vec::new(),
            labeled: Vec::new(),
        }
    }
}

impl LayerFile {
    /// True if the file contains any of these buckets.
    pub fn has(&self, buckets: &Range<usize>) -> bool {
        self.buckets.start < buckets.end && buckets.start < self.buckets.end
    }
}

/// A folder with a checkpoint, locked against other runs with the same process number.
pub struct Folder {
    pub path: PathBuf,
    /// The folder is locked as long as this file is open.
    _lock: File,
}

const START_OVER: &str = "choose another folder with `--checkpoint`, or remove this one to start over";

impl Folder {
    /// Creates the folder if needed, and locks it.
    pub fn hold(path: &Path, process: usize) -> Result<Folder, Halt> {
        fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
        let lock = path.join(format!("lock-{process}"));
        let file = File::create(&lock).map_err(|error| cannot_write(&lock, &error))?;
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) => {
                let message = format!("another run is using {}", path.display());
                Err(Halt::fault(message, "wait until it ends, or choose another folder with `--checkpoint`"))
            }
            // Some network file systems do not support locks.
            Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(Folder { path: path.to_owned(), _lock: file }),
        }
    }

    fn manifest_path(&self, sequence: u32) -> PathBuf {
        self.path.join(format!("manifest-{sequence:06}.json"))
    }

    fn names(&self) -> Result<Vec<String>, Halt> {
        let read = fs::read_dir(&self.path).map_err(|error| cannot_read(&self.path, &error))?;
        Ok(read.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
    }

    /// The number of the newest manifest.
    pub fn newest(&self) -> Result<Option<u32>, Halt> {
        Ok(self.names()?.iter().filter_map(|name| sequence_of(name)).max())
    }

    /// Reads a manifest and its checksum. A manifest that is damaged, in another format, or from a different job is refused.
    pub fn read(&self, sequence: u32, meta: &Meta) -> Result<(Manifest, u32), Halt> {
        let path = self.manifest_path(sequence);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => Halt::fault(format!("{} is damaged: it is not text", path.display()), START_OVER),
            _ => cannot_read(&path, &error),
        })?;
        let refused = |why: &str| Halt::fault(format!("{} {why}", path.display()), START_OVER);
        let whole = text.strip_suffix('\n').and_then(|text| text.rsplit_once("\ncrc32 "));
        let Some((body, crc)) = whole else { return Err(refused("is damaged: its end is missing")) };
        let sum = crc32fast::hash(body.as_bytes());
        if u32::from_str_radix(crc, 16) != Ok(sum) {
            return Err(refused("is damaged: its checksum is wrong"));
        }
        // In every version, the first field is the format number.
        let format = body.strip_prefix("{\"checkpoint\":").and_then(|rest| rest.split(',').next()?.parse::<u32>().ok());
        if let Some(format) = format.filter(|format| *format != FORMAT) {
            let message = format!("{} has format {format}; this program reads format {FORMAT}", path.display());
            return Err(Halt::fault(message, "resume with the version of kibitzer that wrote it, or a newer one"));
        }
        let manifest: Manifest = serde_json::from_slice(body.as_bytes()).map_err(|_| refused("is not a kibitzer checkpoint"))?;
        match meta.difference(&manifest.meta) {
            Some(why) => Err(refused(&format!("cannot be resumed: {why}"))),
            None => Ok((manifest, sum)),
        }
    }

    /// Writes a manifest, which is on disk when this returns. All processes write the same manifest, possibly to the same folder.
    pub fn write(&self, manifest: &Manifest, process: usize) -> Result<(), Halt> {
        let path = self.manifest_path(manifest.sequence);
        let failed = |error: std::io::Error| cannot_write(&path, &error);
        let body = serde_json::to_string(manifest).map_err(|error| Halt::fault(error.to_string(), "this is a bug; please report it"))?;
        let text = format!("{body}\ncrc32 {:08x}\n", crc32fast::hash(body.as_bytes()));
        let beside = self.path.join(format!("unfinished-manifest-{process}"));
        let mut file = File::create(&beside).map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&beside, &path).map_err(failed)?;
        sync_folder(&self.path)?;
        if let Some(old) = manifest.sequence.checked_sub(2) {
            // The previous manifest is kept, because another process may stop before it has written this one.
            let _ = fs::remove_file(self.manifest_path(old));
        }
        Ok(())
    }

    /// Removes the files that the manifest does not list, and newer manifests.
    pub fn clean(&self, manifest: Option<&Manifest>) -> Result<(), Halt> {
        let named = |name: &str| {
            manifest.is_some_and(|manifest| {
                manifest.files.iter().chain(&manifest.ahead).chain(&manifest.labels).any(|file| file.seal.name == name)
            })
        };
        let sequence = manifest.map(|manifest| manifest.sequence);
        for name in self.names()? {
            let stale = match sequence_of(&name) {
                Some(number) => sequence.is_none_or(|sequence| number > sequence),
                None => ["layer-", "run-", "label-", "unfinished-"].iter().any(|start| name.starts_with(start)) && !named(&name),
            };
            if stale {
                match fs::remove_file(self.path.join(&name)) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(cannot_write(&self.path.join(&name), &error)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Opens a file that a manifest lists.
    pub fn open(&self, seal: &Seal, meta: &Meta) -> Result<StateFile, Halt> {
        let path = self.path.join(&seal.name);
        if !path.exists() {
            let message = format!("{} is missing", path.display());
            let help = "if another host wrote it, copy the files from every host's folder into this one, or use a shared folder";
            return Err(Halt::fault(message, help));
        }
        let table = StateFile::open(&path)?;
        if table.seal != *seal {
            let message = format!("{} is damaged: it is not the file that the manifest lists", path.display());
            return Err(Halt::fault(message, START_OVER));
        }
        match meta.difference(&table.meta) {
            Some(why) => Err(Halt::fault(format!("{}: {why}", path.display()), START_OVER)),
            None => Ok(table),
        }
    }
}

/// The number of the manifest with this file name.
fn sequence_of(name: &str) -> Option<u32> {
    name.strip_prefix("manifest-")?.strip_suffix(".json")?.parse().ok()
}

/// Syncs a folder, because a new file name is on disk only once its folder has been synced.
pub fn sync_folder(path: &Path) -> Result<(), Halt> {
    // Some systems cannot sync a folder; nothing more can be done there.
    match File::open(path) {
        Ok(folder) => folder.sync_all().map_err(|error| cannot_write(path, &error)),
        Err(_) => Ok(()),
    }
}
