//! The check of a manifest by a build script.
//!
//! A build script knows the features of its own package, but not those of a dependency: another
//! crate, another feature or another platform may enable them. The check therefore fails only if no
//! manifest of the build names a feature anywhere. In all other cases the check passes, and the
//! macro `requires!` in the generated code reports features that the runtime lacks.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;

use super::lock::Lock;
use super::mentions::Mentions;
use super::packages::packages;
use super::paths::is_inside;
use super::workspace::{Manifest, root_of};
use super::{VERSION, features, suggestion};

/// The environment of a build script.
#[derive(Debug, Clone, Default)]
pub(crate) struct BuildScript {
    /// The folder of the package.
    pub(crate) manifest_dir: PathBuf,
    /// The output folder of the script.
    pub(crate) out_dir: PathBuf,
    /// The folder in which cargo was started, if the shell provides it.
    pub(crate) started_in: Option<PathBuf>,
    /// The folder in which cargo stores fetched packages.
    pub(crate) cargo_home: Option<PathBuf>,
    /// The name of the package.
    pub(crate) package: String,
    /// The version of the package.
    pub(crate) version: String,
}

impl BuildScript {
    /// Reads the environment. Returns `None` outside of cargo.
    pub(crate) fn from_environment() -> Option<Self> {
        let path = |name: &str| env::var_os(name).map(PathBuf::from);
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        Some(Self {
            manifest_dir: path("CARGO_MANIFEST_DIR")?,
            out_dir: path("OUT_DIR")?,
            started_in: path("PWD"),
            cargo_home: path("CARGO_HOME").or_else(|| Some(home?.join(".cargo"))),
            package: env::var("CARGO_PKG_NAME").ok()?,
            version: env::var("CARGO_PKG_VERSION").ok()?,
        })
    }

    /// Returns whether cargo fetched or unpacked the package. The folder of such a package contains
    /// no information about the build.
    fn is_foreign(&self) -> bool {
        let marks = ["Cargo.toml.orig", ".cargo-checksum.json", ".cargo-ok"];
        let marked = marks
            .iter()
            .any(|mark| self.manifest_dir.join(mark).exists());
        let home = self.cargo_home.as_deref();
        let fetched = ["registry", "git"].iter().any(|folder| {
            home.is_some_and(|home| is_inside(&self.manifest_dir, &home.join(folder)))
        });
        marked || fetched
    }
}

/// The dependency or the features that a manifest certainly lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The path of the manifest.
    pub(crate) manifest: PathBuf,
    /// The missing features. If the crate itself is missing, all needed features.
    pub(crate) features: BTreeSet<&'static str>,
    /// Whether the crate itself is missing.
    pub(crate) whole_crate: bool,
    /// The line to write under `[dependencies]`.
    pub(crate) line: String,
}

/// Returns what the manifest of a package lacks, or `None` if the manifest is complete or cannot be
/// judged.
pub(crate) fn check(script: &BuildScript, needed: &BTreeSet<&'static str>) -> Option<Missing> {
    let manifest = Manifest::read(&script.manifest_dir)?;
    // Dependents of a package with `links` may compile the generated file instead.
    if script.is_foreign() || manifest.package()?.contains_key("links") {
        return None;
    }
    let root = root_of(&manifest)?;
    let own = Mentions::new(&manifest, &root)?;
    if own.entry.is_none() && own.conditional {
        return None;
    }
    let missing = lacking(&own, needed)?;
    if own.entry.is_some() && missing.is_empty() {
        return None;
    }
    let others = mentions_of_others(script, &manifest, &root, &own)?;
    let (line, features) = match &own.entry {
        None => (suggestion::new(&manifest, &root, needed), needed.clone()),
        Some((key, entry)) => {
            let mut all = own.clone();
            all.features.extend(others);
            let missing = lacking(&all, needed)?;
            (suggestion::extended(key, entry, &missing), missing)
        }
    };
    let whole_crate = own.entry.is_none();
    (whole_crate || !features.is_empty()).then(|| Missing {
        manifest: script.manifest_dir.join("Cargo.toml"),
        features,
        whole_crate,
        line,
    })
}

/// Returns the needed features that the mentioned features do not enable, or `None` if a mentioned
/// feature is unknown.
fn lacking(mentions: &Mentions, needed: &BTreeSet<&'static str>) -> Option<BTreeSet<&'static str>> {
    let enabled = features::closure(&mentions.features)?;
    Some(needed.difference(&enabled).copied().collect())
}

/// Returns the features of the runtime that other packages of the build may enable, or `None` if
/// the lock file does not belong to this build or a package cannot be found.
fn mentions_of_others(
    script: &BuildScript,
    manifest: &Manifest,
    root: &Manifest,
    own: &Mentions,
) -> Option<BTreeSet<String>> {
    let started_in = script.started_in.iter();
    let mut places = started_in.chain([&script.out_dir]);
    if !places.any(|place| is_inside(place, &root.dir)) {
        return None;
    }
    let lock = Lock::read(&root.dir)?;
    let package = lock.local(&script.package, &script.version)?;
    let runtimes = lock.runtimes();
    // A runtime of another version may have other features.
    if runtimes.iter().any(|version| *version != VERSION) || runtimes.len() > 1 {
        return None;
    }
    if package.has_runtime() != own.is_locked() {
        return None;
    }
    let mut features = BTreeSet::new();
    let others: Vec<_> = lock
        .dependents()
        .filter(|other| other.name != package.name || other.version != package.version)
        .collect();
    if others.is_empty() {
        return Some(features);
    }
    let packages = packages(root);
    for other in others {
        let manifests = packages.get(&other.name).filter(|_| other.local)?;
        for other in manifests.iter().filter(|other| other.dir != manifest.dir) {
            features.extend(Mentions::new(other, &root_of(other)?)?.features);
        }
    }
    Some(features)
}
