//! The check of a manifest by a build script.
//!
//! A build script sees the features of its own package, and not those of a dependency: another crate,
//! another feature or another platform may enable them. So the check fails only where no manifest of
//! the build names a feature anywhere. In all other cases it says nothing, and generated code, which
//! asks the runtime itself (`requires!`), has the last word.

use std::collections::BTreeSet;
use std::env;
use std::path::PathBuf;

use super::lock::Lock;
use super::mentions::Mentions;
use super::packages::packages;
use super::paths::is_inside;
use super::workspace::{Manifest, root_of};
use super::{VERSION, features, suggestion};

/// What cargo tells a build script.
#[derive(Debug, Clone, Default)]
pub(crate) struct BuildScript {
    /// The folder of the package.
    pub(crate) manifest_dir: PathBuf,
    /// The folder that the script writes into.
    pub(crate) out_dir: PathBuf,
    /// Where cargo was started, as far as the shell tells.
    pub(crate) started_in: Option<PathBuf>,
    /// Where cargo keeps packages that it fetched.
    pub(crate) cargo_home: Option<PathBuf>,
    /// Name of the package.
    pub(crate) package: String,
    /// Version of the package.
    pub(crate) version: String,
}

impl BuildScript {
    /// Reads the environment; `None` outside of cargo.
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

    /// Whether the package was fetched or unpacked by cargo, and so is part of a build that its folder
    /// tells nothing about.
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

/// What a manifest surely lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The manifest.
    pub(crate) manifest: PathBuf,
    /// The features that are not enabled; all that are needed if the crate itself is missing.
    pub(crate) features: BTreeSet<&'static str>,
    /// Whether the crate itself is missing.
    pub(crate) whole_crate: bool,
    /// The line to write under `[dependencies]`.
    pub(crate) line: String,
}

/// Returns what the manifest of a package lacks; `None` if nothing is missing, or that cannot be told.
pub(crate) fn check(script: &BuildScript, needed: &BTreeSet<&'static str>) -> Option<Missing> {
    let manifest = Manifest::read(&script.manifest_dir)?;
    // Dependents of a package with `links` may get the generated file instead.
    if script.is_foreign() || manifest.package()?.contains_key("links") {
        return None;
    }
    let root = root_of(&manifest)?;
    let own = Mentions::of(&manifest, &root)?;
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

/// The needed features that what a manifest mentions does not enable; `None` if a mentioned feature is
/// not known.
fn lacking(mentions: &Mentions, needed: &BTreeSet<&'static str>) -> Option<BTreeSet<&'static str>> {
    let enabled = features::closure(&mentions.features)?;
    Some(needed.difference(&enabled).copied().collect())
}

/// The features of the runtime that other packages of the build may enable; `None` if the lock file
/// does not belong to this build, or a package cannot be found.
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
            features.extend(Mentions::of(other, &root_of(other)?)?.features);
        }
    }
    Some(features)
}
