//! Reading of documents that references name by URL.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::diagnostic::{Diagnostic, Diagnostics, codes};

use super::Load;
use crate::position::FileId;
use crate::source::tree::{Failure, Link};
use crate::source::url::{is_fetchable, is_url, join};
use crate::source::{LoadError, Value};

/// The requests of this load so far.
#[derive(Debug, Default)]
pub(super) struct Remote {
    /// The number of requested URLs.
    asked: usize,
    /// The time of the first request.
    since: Option<Instant>,
    /// Names that documents declare for their own parts. Such a URL is not fetched.
    names: HashSet<String>,
}

impl Load<'_> {
    /// Returns the URL of a file part, or `None` if the part is a path.
    pub(super) fn address(&self, file: FileId, part: &str) -> Option<String> {
        let from = self.sources.get(file).filter(|from| from.remote);
        match from.and_then(|from| from.path.to_str()) {
            Some(base) => Some(join(base, part)),
            None => is_url(part).then(|| part.to_owned()),
        }
    }

    /// Stores the names that a file declares for its parts.
    pub(super) fn keep_names(&mut self, value: &Value) {
        if self.limits.allow_remote {
            collect_names(value, &mut self.remote.names);
        }
    }

    pub(super) fn link_address(&mut self, address: &str, diagnostics: &mut Diagnostics) -> Link {
        if let Some(link) = self.by_path.get(Path::new(address)) {
            return link.clone();
        }
        let link = match self.open_address(address) {
            Ok((file, found)) => {
                diagnostics.absorb(&found);
                Link::File(file)
            }
            Err(failure) => Link::Failed(failure),
        };
        self.by_path.insert(PathBuf::from(address), link.clone());
        link
    }

    fn open_address(&mut self, address: &str) -> Result<(FileId, Vec<Diagnostic>), Failure> {
        let failure = |code, message| Failure {
            code,
            message,
            help: Some("save the document beside this one and refer to the file".to_owned()),
            found: vec![],
        };
        let named = self.remote.names.contains(address);
        if !self.limits.allow_remote || named || !is_fetchable(address) {
            let message = format!("`{address}` is not fetched from the network");
            let mut refused = failure(codes::REMOTE_REFERENCE, message);
            if is_fetchable(address) {
                refused.help = Some(
                    "`--allow-remote` fetches it; or save the document beside this one and refer \
                     to the file"
                        .to_owned(),
                );
            }
            return Err(refused);
        }
        if self.remote.asked >= self.limits.remote_files {
            let most = self.limits.remote_files;
            let message = format!("more than {most} documents would be fetched");
            return Err(failure(codes::TOO_MANY_FILES, message));
        }
        self.remote.asked += 1;
        let since = *self.remote.since.get_or_insert_with(Instant::now);
        let left = self.limits.remote_time.saturating_sub(since.elapsed());
        let fetched = if left.is_zero() {
            Err(LoadError::Other("fetching timed out".to_owned()))
        } else {
            self.loader.fetch(address, self.limits.remote_bytes, left)
        };
        let bytes = fetched.map_err(|error| match error {
            LoadError::NotFound => {
                failure(codes::FETCH_FAILED, format!("no document at `{address}`"))
            }
            LoadError::TooLarge => failure(
                codes::FILE_TOO_LARGE,
                format!("the document at `{address}` is too large"),
            ),
            LoadError::Other(reason) => failure(
                codes::FETCH_FAILED,
                format!("`{address}` cannot be fetched: {reason}"),
            ),
        })?;
        self.take(Path::new(address), bytes, true)
    }
}

/// Collects the absolute URLs among the `$id` and `$self` of a tree.
fn collect_names(value: &Value, names: &mut HashSet<String>) {
    match value {
        Value::Object(object) => {
            for key in ["$id", "$self"] {
                if let Some(Value::String(name)) = object.get(key)
                    && is_url(name)
                {
                    names.insert(name.trim_end_matches('#').to_owned());
                }
            }
            object
                .values()
                .for_each(|value| collect_names(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        _ => {}
    }
}
