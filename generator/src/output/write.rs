//! Writing of output files.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::paths::{self, There};
use super::{OutputError, OutputFile, Record, Summary, io_error};

/// Writes the files to a folder, removes stale files, and returns the changes.
///
/// # Errors
/// Returns an error if a file operation fails, if a path leads out of the folder, or if a file of
/// the user would be overwritten. The folder is then unchanged, except if a rename fails after
/// others succeeded.
pub fn write(dir: &Path, files: &[OutputFile], record: Record) -> Result<Summary, OutputError> {
    let known = Manifest::read(dir, record)?;
    let wanted = Manifest::new(files);
    let mut summary = Summary::default();
    let manifest = wanted.to_file();
    let mut staged = Staged::default();
    let mut foreign = Vec::new();
    for (file, place, there) in paths::survey(dir, files)? {
        if there.is(&file.text) {
            summary.unchanged.push(file.path.clone());
        } else if there == There::Nothing || there.is_marked() || known.lists(&file.path) {
            staged.plan(place, &file.text);
            summary.written.push(file.path.clone());
        } else {
            foreign.push(file.path.clone());
        }
    }
    if !foreign.is_empty() {
        return Err(OutputError::Foreign(foreign));
    }
    let stale = stale(dir, &known, &wanted, &mut summary)?;
    if record == Record::Kept {
        let place = paths::place(dir, &manifest.path)?;
        if !paths::read(&place)?.is(&manifest.text) {
            staged.plan(place, &manifest.text);
        }
    }
    staged.write()?;
    staged.commit()?;
    for place in stale {
        fs::remove_file(&place).map_err(io_error("remove", &place))?;
        remove_empty_parents(dir, &place);
    }
    Ok(summary)
}

/// Writes a file that the user named. Returns `false` if the file was up to date.
///
/// # Errors
/// Returns an error if a file operation fails. The file is then unchanged.
pub fn write_file(path: &Path, text: &str) -> Result<bool, OutputError> {
    if paths::read(path)?.is(text) {
        return Ok(false);
    }
    let mut staged = Staged::default();
    staged.plan(path.to_path_buf(), text);
    staged.write()?;
    staged.commit()?;
    Ok(true)
}

/// Returns the files that are only on the old list and still contain the mark.
fn stale(
    dir: &Path,
    known: &Manifest,
    wanted: &Manifest,
    summary: &mut Summary,
) -> Result<Vec<PathBuf>, OutputError> {
    let mut stale = Vec::new();
    for path in known.beyond(wanted) {
        let place = paths::place(dir, path)?;
        let there = paths::read(&place)?;
        if there.is_marked() {
            summary.removed.push(path.to_owned());
            stale.push(place);
        } else if there != There::Nothing {
            summary.kept.push(path.to_owned());
        }
    }
    Ok(stale)
}

/// Removes the folders that a removed file leaves empty. The system refuses to remove other
/// folders.
fn remove_empty_parents(dir: &Path, place: &Path) {
    for parent in place
        .ancestors()
        .skip(1)
        .take_while(|parent| *parent != dir)
    {
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
}

/// Files under temporary names. Dropping removes the files and the folders created for them.
#[derive(Default)]
struct Staged<'t> {
    planned: Vec<(PathBuf, &'t str)>,
    temporary: Vec<(PathBuf, PathBuf)>,
    folders: Vec<PathBuf>,
}

impl<'t> Staged<'t> {
    fn plan(&mut self, place: PathBuf, text: &'t str) {
        self.planned.push((place, text));
    }

    fn write(&mut self) -> Result<(), OutputError> {
        for (place, text) in std::mem::take(&mut self.planned) {
            let parent = match place.parent() {
                Some(parent) if !parent.as_os_str().is_empty() => parent,
                _ => Path::new("."),
            };
            self.make_folder(parent)?;
            let name = place.file_name().unwrap_or_default().to_string_lossy();
            let temporary = parent.join(format!(".{name}.{}.tmp", std::process::id()));
            self.temporary.push((temporary.clone(), place));
            // The temporary file must be new, so that no existing link is followed.
            let file = fs::OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&temporary);
            let mut file = file.map_err(io_error("write", &temporary))?;
            file.write_all(text.as_bytes())
                .map_err(io_error("write", &temporary))?;
        }
        Ok(())
    }

    fn make_folder(&mut self, folder: &Path) -> Result<(), OutputError> {
        let missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
            .collect();
        for folder in missing.into_iter().rev() {
            fs::create_dir(folder).map_err(io_error("create", folder))?;
            self.folders.push(folder.to_path_buf());
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), OutputError> {
        while let Some((temporary, place)) = self.temporary.last() {
            fs::rename(temporary, place).map_err(io_error("write", place))?;
            self.temporary.pop();
        }
        self.folders.clear();
        Ok(())
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        for (temporary, _) in &self.temporary {
            let _ = fs::remove_file(temporary);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}
