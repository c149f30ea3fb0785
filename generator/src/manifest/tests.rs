//! Tests of the check of a build script's manifest, above all of the cases without a report.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::check::Missing;
use super::{BuildScript, VERSION, check, enclosing_workspace};

/// A folder with manifests, as cargo reads them.
struct Build {
    folder: tempfile::TempDir,
    script: BuildScript,
}

impl Build {
    /// Creates a package `api` in the root of the folder, with these lines in its manifest.
    fn new(manifest: &str) -> Self {
        let mut build = Self::member("", manifest);
        build.lock(&[("api", &["bothends-runtime"])]);
        build.script.manifest_dir = build.path("");
        build
    }

    /// Creates a package `api` in a folder, without a lock file.
    fn member(folder: &str, manifest: &str) -> Self {
        let build = Self {
            folder: tempfile::tempdir().expect("a folder"),
            script: BuildScript::default(),
        };
        build.put(&format!("{folder}/Cargo.toml"), &package("api", manifest));
        build.put("target/out/api.rs", "");
        let script = BuildScript {
            manifest_dir: build.path(folder),
            out_dir: build.path("target/out"),
            started_in: None,
            cargo_home: None,
            package: "api".to_owned(),
            version: "0.0.0".to_owned(),
        };
        Self { script, ..build }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path.trim_start_matches('/'))
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    /// Writes a lock file of local packages, and of the runtime if one of them depends on it.
    fn lock(&self, packages: &[(&str, &[&str])]) {
        let mut text = "version = 4\n".to_owned();
        for (name, dependencies) in packages {
            text.push_str(&format!(
                "\n[[package]]\nname = \"{name}\"\nversion = \"0.0.0\"\ndependencies = {dependencies:?}\n"
            ));
        }
        if packages
            .iter()
            .any(|(_, list)| list.contains(&"bothends-runtime"))
        {
            text.push_str(&format!(
                "\n[[package]]\nname = \"bothends-runtime\"\nversion = \"{VERSION}\"\n"
            ));
        }
        self.put("Cargo.lock", &text);
    }

    fn check(&self, needed: &[&'static str]) -> Option<Missing> {
        check(&self.script, &needed.iter().copied().collect())
    }

    /// Asserts the missing features and the suggested line.
    fn assert_missing(&self, needed: &[&'static str], features: &[&'static str], line: &str) {
        let missing = self.check(needed).expect("something is missing");
        let features: BTreeSet<&str> = features.iter().copied().collect();
        assert_eq!((missing.features, missing.line.as_str()), (features, line));
    }
}

fn package(name: &str, manifest: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\n\n{manifest}")
}

#[test]
fn a_missing_feature_is_found_and_the_line_keeps_what_is_there() {
    let build = Build::new("[dependencies]\nbothends-runtime = '0.1'");
    build.assert_missing(
        &["uuid"],
        &["uuid"],
        "bothends-runtime = { version = \"0.1\", features = [\"uuid\"] }",
    );
    let build = Build::new(
        "[dependencies.bothends-runtime]\npath = '../runtime'\nfeatures = ['rustls', 'jiff']",
    );
    // `rustls` enables `client` through `hyper`.
    build.assert_missing(
        &["client", "jiff", "pattern", "uuid"],
        &["pattern", "uuid"],
        "bothends-runtime = { path = \"../runtime\", features = [\"rustls\", \"jiff\", \"pattern\", \
         \"uuid\"] }",
    );
    assert_eq!(build.check(&["client", "jiff"]), None);
    assert_eq!(build.check(&[]), None);
}

#[test]
fn a_missing_crate_has_the_source_of_the_generator() {
    let version =
        format!("bothends-runtime = {{ version = \"{VERSION}\", features = [\"uuid\"] }}");
    for (manifest, line) in [
        ("", version.as_str()),
        ("[build-dependencies]\nbothends = '0.1'", &version),
        (
            "[build-dependencies]\nbothends = { path = 'bothends/generator' }",
            "bothends-runtime = { path = \"bothends/runtime\", features = [\"uuid\"] }",
        ),
        (
            "[build-dependencies]\nbothends = { git = 'https://example.com/b', rev = '1a' }",
            "bothends-runtime = { git = \"https://example.com/b\", rev = \"1a\", features = [\"uuid\"] }",
        ),
        (
            "[build-dependencies]\nbothends = '0.1'\n[workspace.dependencies]\nbothends-runtime = '0.1'",
            "bothends-runtime = { workspace = true, features = [\"uuid\"] }",
        ),
    ] {
        let build = Build::new(manifest);
        build.put("bothends/runtime/Cargo.toml", "");
        build.lock(&[("api", &["bothends"])]);
        let missing = build.check(&["uuid"]).expect("the crate is missing");
        assert!(missing.whole_crate);
        assert_eq!(missing.line, line);
    }
}

#[test]
fn features_under_any_condition_count() {
    for manifest in [
        "[dependencies]\nbothends-runtime = { version = '0.1', features = ['uuid'] }",
        "[dependencies]\nbothends-runtime = '0.1'\n[features]\nids = ['bothends-runtime/uuid']",
        "[dependencies]\nbothends-runtime = '0.1'\n[features]\nids = ['bothends-runtime?/uuid']",
        "[dependencies]\nrt = { package = 'bothends-runtime', version = '0.1', features = ['uuid'] }",
        "[dependencies]\nrt = { package = 'bothends-runtime', version = '0.1' }\n\
         [features]\nids = ['rt/uuid']",
        "[dependencies]\nbothends-runtime = '0.1'\n\
         [target.'cfg(unix)'.dependencies]\nbothends-runtime = { version = '0.1', features = ['uuid'] }",
        "[dependencies]\nbothends-runtime = '0.1'\n\
         [dev-dependencies]\nbothends-runtime = { version = '0.1', features = ['uuid'] }",
        // A feature of a newer runtime may enable it.
        "[dependencies]\nbothends-runtime = { version = '0.1', features = ['everything'] }",
    ] {
        assert_eq!(Build::new(manifest).check(&["uuid"]), None, "{manifest}");
    }
}

#[test]
fn a_dependency_of_some_builds_is_not_judged() {
    for manifest in [
        "[dependencies]\nbothends-runtime = { version = '0.1', optional = true }",
        "[target.'cfg(unix)'.dependencies]\nbothends-runtime = '0.1'",
        "[dev-dependencies]\nbothends-runtime = '0.1'",
        "[dependencies]\nbothends-runtime = { workspace = true }",
        "links = 'api'\n[dependencies]\nbothends-runtime = '0.1'",
    ] {
        assert_eq!(Build::new(manifest).check(&["uuid"]), None, "{manifest}");
    }
    // An entry in `[build-dependencies]` does not serve generated code.
    let build = Build::new("[build-dependencies]\nbothends-runtime = '0.1'");
    assert!(
        build
            .check(&["uuid"])
            .is_some_and(|missing| missing.whole_crate)
    );
}

#[test]
fn a_workspace_shares_its_entries() {
    let inherits = "[dependencies]\nbothends-runtime = { workspace = true, features = ['jiff'] }";
    let build = Build::member("crates/api", inherits);
    build.lock(&[("api", &["bothends-runtime"])]);
    let root = |features: &str| {
        format!(
            "[workspace]\nmembers = ['crates/*']\n[workspace.dependencies]\n\
             bothends-runtime = {{ version = '0.1', features = [{features}] }}"
        )
    };
    build.put("Cargo.toml", &root("'uuid'"));
    assert_eq!(build.check(&["jiff", "uuid"]), None);
    build.put("Cargo.toml", &root(""));
    build.assert_missing(
        &["jiff", "uuid"],
        &["uuid"],
        "bothends-runtime = { workspace = true, features = [\"jiff\", \"uuid\"] }",
    );
    // The root that the manifest names has precedence over the root above.
    let named = format!("workspace = '../../elsewhere'\n{inherits}");
    build.put("crates/api/Cargo.toml", &package("api", &named));
    build.put("elsewhere/Cargo.toml", &root("'uuid'"));
    assert_eq!(build.check(&["jiff", "uuid"]), None);
}

#[test]
fn features_that_another_package_enables_count() {
    let build = Build::member("crates/api", "[dependencies]\nbothends-runtime = '0.1'");
    build.put("Cargo.toml", "[workspace]\nmembers = ['crates/*']");
    let other = |features: &str| {
        let entry = format!(
            "[dependencies]\nbothends-runtime = {{ version = '0.1', features = [{features}] }}"
        );
        build.put("crates/other/Cargo.toml", &package("other", &entry));
    };
    other("'uuid'");
    build.lock(&[
        ("api", &["bothends-runtime"]),
        ("other", &["bothends-runtime 0.1.0"]),
    ]);
    assert_eq!(build.check(&["uuid"]), None);
    other("");
    assert!(build.check(&["uuid"]).is_some());
    // Manifests of packages that are not found are not checked.
    build.lock(&[
        ("api", &["bothends-runtime"]),
        ("another", &["bothends-runtime"]),
    ]);
    assert_eq!(build.check(&["uuid"]), None);
    // A path dependency outside of `members` is found by its path.
    build.put(
        "crates/api/Cargo.toml",
        &package(
            "api",
            "[dependencies]\nbothends-runtime = '0.1'\nanother = { path = '../../another' }",
        ),
    );
    build.put(
        "another/Cargo.toml",
        &package("another", "[dependencies]\nbothends-runtime = '0.1'"),
    );
    assert!(build.check(&["uuid"]).is_some());
}

#[test]
fn a_lock_file_of_another_build_is_not_judged() {
    let manifest = "[dependencies]\nbothends-runtime = '0.1'";
    let build = Build::new(manifest);
    assert!(build.check(&["uuid"]).is_some());
    // A build that was started in another folder has its output there.
    let elsewhere = tempfile::tempdir().expect("a folder");
    let mut moved = Build::new(manifest);
    moved.script.out_dir = elsewhere.path().to_path_buf();
    assert_eq!(moved.check(&["uuid"]), None);
    moved.script.started_in = Some(moved.path(""));
    assert!(moved.check(&["uuid"]).is_some());
    // Without a lock file, with a lock file that lacks the package, with another runtime.
    build.lock(&[("other", &["bothends-runtime"])]);
    assert_eq!(build.check(&["uuid"]), None);
    build.lock(&[("api", &[])]);
    assert_eq!(build.check(&["uuid"]), None);
    build.lock(&[("api", &["bothends-runtime"])]);
    let lock = fs::read_to_string(build.path("Cargo.lock")).expect("a file");
    build.put("Cargo.lock", &lock.replace(VERSION, "9.9.9"));
    assert_eq!(build.check(&["uuid"]), None);
    fs::remove_file(build.path("Cargo.lock")).expect("removed");
    assert_eq!(build.check(&["uuid"]), None);
}

#[test]
fn a_package_that_cargo_fetched_is_not_judged() {
    let manifest = "[dependencies]\nbothends-runtime = '0.1'";
    for mark in ["Cargo.toml.orig", ".cargo-checksum.json", ".cargo-ok"] {
        let build = Build::new(manifest);
        build.put(mark, "");
        assert_eq!(build.check(&["uuid"]), None, "{mark}");
    }
    let mut build = Build::member("git/checkouts/api", manifest);
    build.put("git/checkouts/api/Cargo.lock", "");
    build.script.cargo_home = Some(build.path(""));
    assert_eq!(build.check(&["uuid"]), None);
}

fn root(folder: &Path, members: &str) {
    let manifest = format!("[workspace]\n{members}\n");
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
}

#[test]
fn the_workspace_around_a_folder_is_found_by_the_rules_of_cargo() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let package = dir.join("crates/api");
    assert_eq!(enclosing_workspace(&package), None);
    root(dir, "members = ['app']");
    assert_eq!(enclosing_workspace(&package), Some(dir.join("Cargo.toml")));
    root(dir, "exclude = ['crates/api']");
    assert_eq!(enclosing_workspace(&package), None);
    root(dir, "exclude = ['crates']");
    assert_eq!(enclosing_workspace(&package), None);
    root(dir, "exclude = ['crates']\nmembers = ['crates/api']");
    assert_eq!(enclosing_workspace(&package), Some(dir.join("Cargo.toml")));
    root(dir, "exclude = ['crates/ap']");
    assert_eq!(enclosing_workspace(&package), Some(dir.join("Cargo.toml")));
    // A package between the two folders is not a workspace.
    fs::create_dir_all(dir.join("crates")).expect("a folder");
    fs::write(dir.join("crates/Cargo.toml"), "[package]\nname = 'x'\n").expect("written");
    assert_eq!(enclosing_workspace(&package), Some(dir.join("Cargo.toml")));
}
