//! The version in the manifest of a generated crate.

use std::ops::Range;
use std::path::Path;

use bothends::OutputFile;
use toml::de::{DeTable, DeValue};

/// A version without a pre-release and without build metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub(super) [u64; 3]);

/// Gives a generated manifest the version of the one that it replaces.
pub(super) fn keep(dir: &Path, files: &mut [OutputFile]) {
    let Ok(present) = std::fs::read_to_string(dir.join("Cargo.toml")) else {
        return;
    };
    let mut files = files.iter_mut();
    let Some(file) = files.find(|file| file.path == "Cargo.toml") else {
        return;
    };
    let found = (find(&present), find(&file.text));
    // A version that somebody wrote in another form is not kept, like any other change.
    if let (Ok((_, version)), Ok((place, _))) = found {
        file.text.replace_range(place, &format!("\"{version}\""));
    }
}

/// Finds the value of `version` in `[package]`, and its place in the text.
pub(super) fn find(text: &str) -> Result<(Range<usize>, Version), String> {
    let table = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let package = table.get_ref().get("package");
    let package = package.ok_or("missing `[package]`")?.get_ref();
    let value = package
        .get("version")
        .ok_or("missing `version` in `[package]`")?;
    let version = match value.get_ref() {
        DeValue::String(version) => version,
        DeValue::Table(_) => {
            return Err(
                "`version.workspace = true` takes the version from another manifest; \
                        write a version in `[package]`"
                    .to_owned(),
            );
        }
        _ => return Err("`version` is not a string".to_owned()),
    };
    let parsed = Version::parse(version);
    let parsed =
        parsed.ok_or_else(|| format!("the version `{version}` is not of the form `1.2.3`"))?;
    Ok((value.span(), parsed))
}

impl Version {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |part: &str| {
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        };
        let numbers: Option<Vec<u64>> = text.split('.').map(number).collect();
        numbers?.try_into().ok().map(Self)
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Version, find};

    #[test]
    fn other_versions_are_errors() {
        for bad in ["1.0.0-rc.1", "1.0.0+linux", "1.0", "1.0.0.0", "+1.0.0", ""] {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
        for bad in [
            "[package]\n",
            "[dependencies]\nversion = \"1.0.0\"\n",
            "[package]\nversion = 1\n",
            "[package]\nversion.workspace = true\n",
            "[package\n",
        ] {
            assert!(find(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_place_is_that_of_the_value() {
        for text in [
            "[dependencies.x]\nversion = \"9.9.9\"\n[package]\nversion = '1.2.3' # own\n",
            "package.version = \"1.2.3\"\r\n",
            "package = { name = \"é\", version = \"1.2.3\" }",
        ] {
            let (place, version) = find(text).expect("a version");
            assert_eq!(version, Version([1, 2, 3]));
            assert_eq!(text[place].trim_matches(['"', '\'']), "1.2.3");
        }
    }
}
