//! How far a listener has come.

use super::ListenError;
use std::io;
use std::path::{Path, PathBuf};

/// The id of the last webhook that was forwarded, perhaps in a file.
#[derive(Debug)]
pub(super) struct Cursor {
    value: Option<String>,
    file: Option<PathBuf>,
}

impl Cursor {
    /// Reads the cursor from the file, unless there is a value already. A missing file is no error.
    pub(super) fn read(value: Option<String>, file: Option<PathBuf>) -> Result<Self, ListenError> {
        let stored = match (&value, &file) {
            (None, Some(file)) => stored(file)
                .map_err(|error| ListenError::new(format!("{}: {error}", file.display())))?,
            _ => None,
        };
        Ok(Self {
            value: value.or(stored),
            file,
        })
    }

    /// Returns the cursor.
    pub(super) fn get(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// Sets the cursor of the beginning, which is not written.
    pub(super) fn begin(&mut self, value: String) {
        self.value = Some(value);
    }

    /// Sets the cursor, and writes it. A later one stays.
    pub(super) fn advance(&mut self, value: &str) -> io::Result<()> {
        if self
            .value
            .as_deref()
            .is_some_and(|current| current >= value)
        {
            return Ok(());
        }
        self.value = Some(value.to_owned());
        match &self.file {
            Some(file) => write(file, value),
            None => Ok(()),
        }
    }
}

fn stored(file: &Path) -> io::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the file at once, so that a crash leaves the earlier or the later cursor.
fn write(file: &Path, value: &str) -> io::Result<()> {
    let mut new = file.as_os_str().to_owned();
    new.push(".new");
    std::fs::write(&new, format!("{value}\n"))?;
    std::fs::rename(&new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_written_and_never_goes_back() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("cursor");
        let mut cursor = Cursor::read(None, Some(file.clone())).expect("no file is no error");
        assert_eq!(cursor.get(), None);
        cursor.advance("b").expect("a file");
        cursor.advance("a").expect("nothing to do");
        let cursor = Cursor::read(None, Some(file.clone())).expect("a file");
        assert_eq!(cursor.get(), Some("b"));
        let cursor = Cursor::read(Some("c".to_owned()), Some(file)).expect("a value");
        assert_eq!(cursor.get(), Some("c"));
    }
}
