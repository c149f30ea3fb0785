//! `bothends diff --write-version FILE`: the version that a bump requires.

use std::path::Path;

use bothends::diff::Bump;
use bothends::output::write_file;
use bothends::source::{LoadError, Loader as _};

use super::super::version::{Version, find};
use super::documents::Place;

/// The largest manifest that is read from a revision, in bytes.
const LIMIT: u64 = 1 << 20;

/// A version that was written.
pub(super) struct Written {
    from: Version,
    to: Version,
}

/// Writes the version that a bump requires, if the manifest has a lower one. The version before
/// the bump is that of the old revision, or that of the file if the old document is a file.
pub(super) fn write(path: &Path, old: &Place, bump: Bump) -> Result<Option<Written>, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let (place, present) = find(&text).map_err(|error| format!("{shown}: {error}"))?;
    let start = match old {
        Place::File(_) => present,
        Place::Revision(repository, _) => {
            let in_old = |error: String| format!("{shown} in the old revision: {error}");
            let file = repository.canonical(path);
            let bytes = file.and_then(|file| repository.read(&file, LIMIT));
            let bytes = bytes.map_err(|error| in_old(message_of(error)))?;
            let text = String::from_utf8(bytes).map_err(|error| in_old(error.to_string()))?;
            find(&text).map_err(in_old)?.1
        }
    };
    let required = after(start, bump);
    if present >= required {
        return Ok(None);
    }
    let mut text = text;
    text.replace_range(place, &format!("\"{required}\""));
    write_file(path, &text).map_err(|error| error.to_string())?;
    Ok(Some(Written {
        from: present,
        to: required,
    }))
}

fn message_of(error: LoadError) -> String {
    match error {
        LoadError::NotFound => "the file does not exist".to_owned(),
        LoadError::TooLarge => "the file is too large".to_owned(),
        LoadError::Other(message) => message,
    }
}

/// Returns the version after a bump. Below 1.0, the second number is the one that tells
/// incompatible versions apart.
const fn after(version: Version, bump: Bump) -> Version {
    let Version([major, minor, patch]) = version;
    Version(match (bump, major) {
        (Bump::None, _) => [major, minor, patch],
        (Bump::Major, 1..) => [major.saturating_add(1), 0, 0],
        (Bump::Minor, 1..) | (Bump::Major, 0) => [major, minor.saturating_add(1), 0],
        (Bump::Patch, _) | (Bump::Minor, 0) => [major, minor, patch.saturating_add(1)],
    })
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "version {} written, was {}", self.to, self.from)
    }
}

#[cfg(test)]
mod tests {
    use bothends::diff::Bump;

    use super::after;
    use crate::cli::version::Version;

    #[test]
    fn bumps_follow_the_rules_of_cargo() {
        for (from, bump, to) in [
            ("1.2.3", Bump::None, "1.2.3"),
            ("1.2.3", Bump::Patch, "1.2.4"),
            ("1.2.3", Bump::Minor, "1.3.0"),
            ("1.2.3", Bump::Major, "2.0.0"),
            ("0.2.3", Bump::None, "0.2.3"),
            ("0.2.3", Bump::Patch, "0.2.4"),
            ("0.2.3", Bump::Minor, "0.2.4"),
            ("0.2.3", Bump::Major, "0.3.0"),
            ("0.0.3", Bump::Major, "0.1.0"),
        ] {
            let version = Version::parse(from).expect("a version");
            assert_eq!(after(version, bump).to_string(), to, "{from} {bump:?}");
        }
    }
}
