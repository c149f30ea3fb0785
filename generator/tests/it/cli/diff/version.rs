//! `bothends diff --write-version`, and the version that `bothends generate` keeps.

use super::super::{Folder, PETS};
use super::{commit, git, grown};

/// A manifest, with a version that is not that of the package.
fn manifest(version: &str) -> String {
    format!(
        "# Written once.\n[dependencies.serde]\nversion = \"1.0.0\"\n\n[package]\nname = \"pets\"\n\
         version   = {version} # the version\npublish = false\n"
    )
}

#[test]
fn the_version_of_a_revision_is_raised_once() {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    folder.put("crate/Cargo.toml", &manifest("'1.2.3'"));
    commit(&folder, "first");
    git(&folder, &["tag", "v1.2.3"]);
    let manifest_is = |version: &str| {
        assert_eq!(folder.read("crate/Cargo.toml"), manifest(version));
    };
    let write = |against: &str| {
        let file = "--write-version=crate/Cargo.toml";
        let run = folder.run(&["diff", "pets.yaml", against, file, "--fail-on=none"]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.err
    };
    assert_eq!(write("--against=HEAD"), "");
    manifest_is("'1.2.3'");
    folder.put("pets.yaml", &grown());
    let note = write("--against=HEAD");
    assert!(
        note.starts_with("note: crate/Cargo.toml: version 2.0.0 written, was 1.2.3\n"),
        "{note}"
    );
    manifest_is("\"2.0.0\"");
    // The old revision still has the version before the change, also after a commit.
    assert_eq!(write("--against=HEAD"), "");
    commit(&folder, "second");
    assert_eq!(write("--against-release"), "");
    assert_eq!(write("--against=v1.2.3"), "");
    manifest_is("\"2.0.0\"");
    // A higher version stays.
    folder.put("crate/Cargo.toml", &manifest("\"3.0.0\""));
    assert_eq!(write("--against-release"), "");
    manifest_is("\"3.0.0\"");
    // A manifest that the revision does not have has no version to start from.
    folder.put("other/Cargo.toml", &manifest("\"1.0.0\""));
    let run = folder.run(&[
        "diff",
        "pets.yaml",
        "--against-release",
        "--write-version=other/Cargo.toml",
    ]);
    assert_eq!(run.code, Some(2));
    assert!(
        run.err.contains("other/Cargo.toml in the old revision:"),
        "{}",
        run.err
    );
}

#[test]
fn the_version_of_a_file_is_raised() {
    let folder = Folder::new();
    folder.put("new.yaml", &grown());
    let write = || {
        let args = ["diff", "pets.yaml", "new.yaml", "--write-version"];
        folder.run(&[&args[..], &["Cargo.toml", "--fail-on=none"]].concat())
    };
    for (from, to) in [("1.2.3", "2.0.0"), ("0.2.3", "0.3.0")] {
        folder.put("Cargo.toml", &manifest(&format!("\"{from}\"")));
        assert_eq!(write().code, Some(0));
        assert_eq!(folder.read("Cargo.toml"), manifest(&format!("\"{to}\"")));
    }
    for (version, message) in [
        (
            "{ workspace = true }",
            "`version.workspace = true` takes the version from another manifest",
        ),
        (
            "\"1.0.0-rc.1\"",
            "the version `1.0.0-rc.1` is not of the form `1.2.3`",
        ),
    ] {
        folder.put("Cargo.toml", &manifest(version));
        let run = write();
        assert_eq!(run.code, Some(2), "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
        assert_eq!(folder.read("Cargo.toml"), manifest(version));
    }
}

#[test]
fn generating_keeps_the_version() {
    let folder = Folder::new();
    let generate = ["generate", "pets.yaml", "--out", "pets"];
    let checked = [&generate[..], &["--check"]].concat();
    folder.ok(&generate);
    let manifest = folder.read("pets/Cargo.toml");
    assert!(manifest.contains("\nversion = \"0.1.0\"\n"), "{manifest}");
    folder.put("old.yaml", PETS);
    folder.put("pets.yaml", &grown());
    let write = "--write-version=pets/Cargo.toml";
    folder.ok(&["diff", "old.yaml", "pets.yaml", write]);
    let raised = manifest.replacen("0.1.0", "0.2.0", 1);
    assert_eq!(folder.read("pets/Cargo.toml"), raised);
    folder.ok(&generate);
    assert_eq!(folder.read("pets/Cargo.toml"), raised);
    folder.ok(&checked);
    // Another change of the file is still lost.
    folder.put("pets/Cargo.toml", &raised.replace("2024", "2021"));
    assert_eq!(folder.run(&checked).code, Some(1));
    folder.ok(&generate);
    assert_eq!(folder.read("pets/Cargo.toml"), raised);
}
