//! Documents in revisions of git.

use std::fmt::Write as _;
use std::process::Command;

use super::super::Folder;
use super::{commit, git, history};

/// The number of files of a document.
const FILES: usize = 60;

/// Returns the report of a run in a subfolder.
fn run_in(folder: &Folder, subfolder: &str, args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bothends"))
        .args(["diff", "--min-severity", "safe"])
        .args(args)
        .current_dir(folder.path().join(subfolder))
        .output()
        .expect("the command runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the properties that a report has as added.
fn added(report: &str) -> Vec<&str> {
    let lines = report
        .lines()
        .filter(|line| line.contains("optional property added"));
    let parts = lines.filter_map(|line| line.split(", ").nth(1)?.split(':').next());
    parts.collect()
}

#[test]
fn both_documents_may_be_in_revisions() {
    let folder = history();
    let both = |old: &str, new: &str| added(&run_in(&folder, ".", &[old, new])).join(" ");
    assert_eq!(
        both("v1.9.0:spec/api.yaml", "v1.10.0:spec/api.yaml"),
        "name"
    );
    assert_eq!(both("v1.9.0:spec/api.yaml", "spec/api.yaml"), "age name");
    assert_eq!(both("v1.9.0:./spec/api.yaml", "HEAD:spec/api.yaml"), "name");
    // As for git, a path begins at the root of the repository, or with `./`.
    for old in [
        "v1.9.0:spec/api.yaml",
        "v1.9.0:./api.yaml",
        "v1.9.0:../spec/api.yaml",
    ] {
        assert_eq!(
            added(&run_in(&folder, "spec", &[old, "api.yaml"])),
            ["age", "name"]
        );
    }
    // A file whose name has a colon is a file.
    #[cfg(unix)]
    {
        folder.put("HEAD:x.yaml", super::super::PETS);
        assert_eq!(
            run_in(&folder, ".", &["HEAD:x.yaml", "pets.yaml"]),
            "no changes\n"
        );
    }
    for (old, error) in [
        ("missing:spec/api.yaml", "`missing` is not a commit"),
        ("v1.9.0:spec/other.yaml", "spec/other.yaml"),
        ("v1.9.0:spec", "spec"),
        ("v1.9.0:", "cannot read `v1.9.0:`"),
        (":spec/api.yaml", "cannot read `:spec/api.yaml`"),
    ] {
        let run = folder.run(&["diff", old, "spec/api.yaml"]);
        assert_eq!(run.code, Some(2), "{old}: {}", run.out);
        assert!(run.err.contains(error), "{old}: {}", run.err);
    }
}

/// An overlay that makes the property `name` required.
const OVERLAY: &str = "overlay: 1.0.0\ninfo: { title: Names, version: '1' }\nactions:\n  - target: \
                       $.components.schemas.Pet\n    update: { required: [name] }\n";

#[test]
fn overlays_follow_their_renames() {
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    commit(&folder, "Add the document");
    git(&folder, &["tag", "v1.0.0"]);
    folder.put("overlays/one.yaml", OVERLAY);
    commit(&folder, "Add the overlay");
    git(&folder, &["tag", "v1.1.0"]);
    git(&folder, &["mv", "overlays/one.yaml", "two.yaml"]);
    folder.put("bothends.toml", "overlays = [\"two.yaml\"]\n");
    for (tag, report, note) in [
        ("v1.1.0", "no changes\n", ""),
        (
            "v1.0.0",
            "D0509 type Pet, name: optional property became required",
            "note: the old revision has no overlay `two.yaml`",
        ),
    ] {
        let run = folder.run(&["diff", "pets.yaml", "--against", tag]);
        assert!(run.out.contains(report), "{tag}: {}", run.out);
        assert!(run.err.starts_with(note), "{tag}: {}", run.err);
        assert_eq!(run.err.is_empty(), note.is_empty(), "{tag}: {}", run.err);
    }
    commit(&folder, "Rename the overlay");
    let changelog = |tag: &str| {
        let args = ["changelog", "pets.yaml", "--since", tag];
        folder.run(&[&args[..], &["--overlay", "two.yaml"]].concat())
    };
    let run = changelog("v1.1.0");
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    let run = changelog("v1.0.0");
    assert!(run.out.contains("Add the overlay"), "{}", run.out);
    assert_eq!(run.out.matches("## Breaking: 1").count(), 1, "{}", run.out);
    let note = "note: 1 version without the overlay `two.yaml`";
    assert!(run.err.starts_with(note), "{}", run.err);
}

/// A document of many files, with spaces in their names and without a line break at their ends.
fn many(folder: &Folder, kind: &str) {
    let mut text = String::from("openapi: 3.1.0\ninfo: { title: Many, version: 1.0.0 }\npaths:\n");
    for n in 0..FILES {
        _ = writeln!(
            text,
            "  /items{n}:\n    get:\n      operationId: getItem{n}\n      responses:\n        '200':\n          \
             description: An item.\n          content: {{ application/json: {{ schema: {{ $ref: \
             './an item {n}.json' }} }} }}"
        );
        let schema =
            format!("{{\"type\":\"object\",\"properties\":{{\"id\":{{\"type\":\"{kind}\"}}}}}}");
        folder.put(&format!("an item {n}.json"), &schema);
    }
    folder.put("many.yaml", &text);
}

/// Reads a document of many files, and counts the processes by a program in the place of git.
#[test]
#[cfg(unix)]
fn few_processes_read_many_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    git(&folder, &["init", "-q"]);
    many(&folder, "string");
    commit(&folder, "Add the document");
    many(&folder, "integer");
    let path = std::env::var("PATH").expect("PATH");
    folder.put(
        "bin/git",
        "#!/bin/sh\necho \"$*\" >> \"$CALLS\"\nPATH=\"$REAL_PATH\" exec git \"$@\"\n",
    );
    let program = folder.path().join("bin/git");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(program, mode).expect("executable");
    let output = Command::new(env!("CARGO_BIN_EXE_bothends"))
        .args(["diff", "many.yaml", "--against", "HEAD", "--format", "json"])
        .current_dir(folder.path())
        .env(
            "PATH",
            format!("{}:{path}", folder.path().join("bin").display()),
        )
        .env("REAL_PATH", &path)
        .env("CALLS", folder.path().join("calls"))
        .output()
        .expect("the command runs");
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(report.matches("\"D0513\"").count(), FILES, "{report}");
    let calls = folder.read("calls");
    let reads = calls.lines().filter(|call| call.contains("cat-file"));
    assert_eq!(reads.count(), 2, "{calls}");
    assert!(calls.lines().count() <= 5, "{calls}");
}
