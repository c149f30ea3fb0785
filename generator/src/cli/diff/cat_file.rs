//! `git cat-file`: two processes, which read all files of a document at all its revisions.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use bothends::source::LoadError;

/// The objects of a repository.
#[derive(Debug)]
pub(super) struct Objects {
    /// The folder of the working tree.
    root: PathBuf,
    /// Returns the kind and the size of an object.
    heads: Mutex<Option<Pipe>>,
    /// Returns the content, too.
    contents: Mutex<Option<Pipe>>,
}

/// What git says about an object before its content.
struct Head {
    kind: String,
    size: u64,
}

impl Objects {
    pub(super) fn new(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            heads: Mutex::new(None),
            contents: Mutex::new(None),
        }
    }

    /// Returns an error if an object is not a file.
    pub(super) fn is_file(&self, object: &str) -> Result<(), LoadError> {
        let head = self.with(&self.heads, "--batch-check", |pipe| pipe.ask(object))?;
        match head.kind.as_str() {
            "blob" => Ok(()),
            _ => Err(LoadError::Other("it is not a file".to_owned())),
        }
    }

    /// Returns the content of a file.
    pub(super) fn read(&self, object: &str, limit: u64) -> Result<Vec<u8>, LoadError> {
        self.with(&self.contents, "--batch", |pipe| {
            let head = pipe.ask(object)?;
            pipe.content(&head, limit)
        })
    }

    /// Calls a function with a process, which is started if necessary. After an error that may
    /// leave a part of a response unread, the next call starts another process.
    fn with<T>(
        &self,
        pipe: &Mutex<Option<Pipe>>,
        mode: &str,
        call: impl FnOnce(&mut Pipe) -> Result<T, LoadError>,
    ) -> Result<T, LoadError> {
        let mut place = pipe.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pipe = match place.take() {
            Some(pipe) => pipe,
            None => Pipe::start(&self.root, mode)?,
        };
        let result = call(&mut pipe);
        if !matches!(result, Err(LoadError::Other(_))) {
            *place = Some(pipe);
        }
        result
    }
}

/// A process with one response per line of input.
#[derive(Debug)]
struct Pipe {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pipe {
    fn start(root: &Path, mode: &str) -> Result<Self, LoadError> {
        let started = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["cat-file", mode])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let failed = |error: &str| LoadError::Other(format!("cannot run `git`: {error}"));
        let mut process = started.map_err(|error| failed(&error.to_string()))?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(input), Some(output)) => Ok(Self {
                process,
                input,
                output: BufReader::new(output),
            }),
            _ => Err(failed("its input and output are closed")),
        }
    }

    /// Asks for an object, and reads the line before its content.
    fn ask(&mut self, object: &str) -> Result<Head, LoadError> {
        if object.contains('\n') {
            return Err(LoadError::Other("the path has a line break".to_owned()));
        }
        self.input.write_all(format!("{object}\n").as_bytes())?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let line = line.trim_end_matches('\n');
        if line.ends_with(" missing") {
            return Err(LoadError::NotFound);
        }
        let mut words = line.rsplit(' ');
        let size = words.next().and_then(|size| size.parse().ok());
        match (size, words.next()) {
            (Some(size), Some(kind)) => Ok(Head {
                kind: kind.to_owned(),
                size,
            }),
            _ => Err(LoadError::Other(format!("`git cat-file` failed: {line}"))),
        }
    }

    /// Reads the content of an object, up to the line break after it.
    fn content(&mut self, head: &Head, limit: u64) -> Result<Vec<u8>, LoadError> {
        let mut whole = self.output.by_ref().take(head.size.saturating_add(1));
        if head.size > limit {
            std::io::copy(&mut whole, &mut std::io::sink())?;
            return Err(LoadError::TooLarge);
        }
        let mut bytes = Vec::new();
        whole.read_to_end(&mut bytes)?;
        match bytes.pop() {
            Some(b'\n') if bytes.len() as u64 == head.size => Ok(bytes),
            _ => Err(LoadError::Other("`git cat-file` ended".to_owned())),
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // The process only reads; it ends with its input at the latest.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
