//! Runs that end early: inputs, settings, program and output are those of an earlier run.
//!
//! The record of a run is a file in the `target` folder of cargo around the output, where nothing is committed and
//! `cargo clean` removes it. Without such a folder, and for each doubt about a record, the whole work is done.

mod recording;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bothends::Config;
use bothends::output::{self, MANIFEST, OutputFile, Record, Summary};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use recording::Inputs;
pub(super) use recording::Recording;

/// The tag of folders that cargo creates for what can be removed.
const TAG: &str = "CACHEDIR.TAG";

/// The first line of cargo's tag, which <https://bford.info/cachedir/> defines.
const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";

/// The place of the record of runs with the same document and output folder.
#[derive(Debug, Clone)]
pub(super) struct Place {
    file: PathBuf,
    /// The digest of what a run depends on beside files: the program, the settings and the form of messages.
    settings: String,
    out: PathBuf,
    record: Record,
}

/// A run without errors whose output was up to date at its end.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Run {
    /// The digest of what it depends on beside files.
    settings: String,
    inputs: Inputs,
    /// The digests of the texts of generated files.
    outputs: BTreeMap<String, String>,
    /// What the run printed to standard error.
    pub(super) messages: String,
}

impl Place {
    /// Returns the place for a document with its settings; `form` is that of messages. Returns `None` if
    /// nothing is recorded: the folder is missing, the program is unknown, or other documents are read for imports.
    pub(super) fn new(spec: &Path, config: &Config, record: Record, form: &str) -> Option<Self> {
        let out = config.out.clone()?;
        if !config.imports.is_empty() {
            return None;
        }
        let absolute = |path: &Path| std::path::absolute(path).ok();
        let (document, folder) = (absolute(spec)?, absolute(&out)?);
        let name = digest(format!("{document:?} {folder:?}").as_bytes());
        let file = target(&folder)?
            .join("bothends")
            .join(format!("{}.json", &name[..16]));
        let runtime = config.runtime_path.as_deref();
        let parts = (
            (
                program()?,
                std::env::current_dir().ok()?,
                std::env::home_dir(),
            ),
            (spec, config, form),
            runtime.map(|path| path.canonicalize().ok()),
        );
        Some(Self {
            file,
            settings: digest(format!("{parts:?}").as_bytes()),
            out,
            record,
        })
    }

    /// Returns the digest of the settings and of where the output folder is, which exists after a run.
    fn settings(&self) -> String {
        let real = self.out.canonicalize().ok();
        digest(format!("{} {real:?}", self.settings).as_bytes())
    }

    /// Returns the earlier run, if a run would do nothing else now.
    pub(super) fn earlier(&self) -> Option<Run> {
        let run = Run::parse(&fs::read_to_string(&self.file).ok()?, &self.settings())?;
        let is_there = |(path, before): (&String, &String)| {
            let text = output::text(&self.out, path).ok().flatten();
            text.is_some_and(|text| digest(text.as_bytes()) == *before)
        };
        (run.outputs.iter().all(is_there) && run.inputs.are_as_before()).then_some(run)
    }

    /// Records a run whose output is up to date. A record that cannot be written is left out.
    pub(super) fn keep(&self, recording: Recording, files: &[OutputFile], messages: String) {
        let Some(inputs) = recording.finish() else {
            return;
        };
        let files = match self.record {
            Record::Kept => output::with_manifest(files.to_vec()),
            Record::None => files.to_vec(),
        };
        let outputs = files.into_iter();
        let outputs = outputs.map(|file| (file.path, digest(file.text.as_bytes())));
        let run = Run {
            settings: self.settings(),
            inputs,
            outputs: outputs.collect(),
            messages,
        };
        if let Some(text) = run.to_text() {
            let folder = self.file.parent().map(fs::create_dir_all);
            let _ = folder
                .and_then(Result::ok)
                .map(|()| output::write_file(&self.file, &text));
        }
    }
}

impl Run {
    /// Returns what writing would report.
    pub(super) fn summary(&self) -> Summary {
        let files = self.outputs.keys().filter(|path| *path != MANIFEST);
        Summary {
            unchanged: files.cloned().collect(),
            ..Summary::default()
        }
    }

    /// Returns the record, after a line with its digest. `None` if a path is not UTF-8.
    fn to_text(&self) -> Option<String> {
        let text = serde_json::to_string(self).ok()?;
        Some(format!("{}\n{text}\n", digest(text.as_bytes())))
    }

    /// Reads a record; `None` if it is not complete, or has other settings.
    fn parse(text: &str, settings: &str) -> Option<Self> {
        let (sum, text) = text.split_once('\n')?;
        let text = text.strip_suffix('\n')?;
        if sum != digest(text.as_bytes()) {
            return None;
        }
        let run: Self = serde_json::from_str(text).ok()?;
        (run.settings == settings).then_some(run)
    }
}

/// Returns the `target` folder of cargo for a folder: that of the environment, or the nearest around it.
fn target(folder: &Path) -> Option<PathBuf> {
    let of_cargo = |target: &PathBuf| {
        let tag = fs::read_to_string(target.join(TAG));
        tag.is_ok_and(|tag| tag.starts_with(SIGNATURE))
    };
    let stated = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let mut around = folder.ancestors().map(|around| around.join("target"));
    stated.filter(of_cargo).or_else(|| around.find(of_cargo))
}

/// Returns what distinguishes this program from others: its version, and the size and the time of its file.
fn program() -> Option<String> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    let (version, size, time) = (env!("CARGO_PKG_VERSION"), file.len(), file.modified().ok()?);
    Some(format!("{version} {size} {time:?}"))
}

/// Returns the SHA-256 of bytes as hexadecimal digits.
fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
