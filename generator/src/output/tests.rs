//! On real folders.

use std::fs;
use std::path::Path;

use super::*;

fn file(path: &str, text: &str) -> OutputFile {
    OutputFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() {
                open.push(entry);
            } else {
                let inside = entry.strip_prefix(dir).expect("below");
                found.push(inside.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn only_what_differs_is_written_and_only_what_was_ours_is_removed() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path().join("deep/out");
    let first = [file("b.rs", "b"), file("a/x.rs", "x"), file("a/y.rs", "y")];
    let summary = write(&dir, &first, Record::Kept).expect("written");
    assert_eq!(summary.written, ["a/x.rs", "a/y.rs", "b.rs"]);
    assert_eq!(names(&dir), [MANIFEST, "a/x.rs", "a/y.rs", "b.rs"]);
    let touched = fs::metadata(dir.join("b.rs"))
        .expect("meta")
        .modified()
        .expect("time");

    fs::write(dir.join("mine.rs"), "mine").expect("written");
    fs::write(dir.join("a/y.rs"), "changed").expect("written");
    let second = [file("b.rs", "b"), file("c.rs", "c")];
    let differences = compare(&dir, &second, Record::Kept).expect("compared");
    let shown: Vec<String> = differences.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["missing  c.rs", "stale    a/x.rs"]);

    let summary = write(&dir, &second, Record::Kept).expect("written");
    assert_eq!(
        summary.to_string(),
        "1 written, 1 unchanged, 1 removed\n  written   c.rs\n  removed   a/x.rs\n  \
         kept      a/y.rs (no longer generated, but changed by hand)"
    );
    assert_eq!(names(&dir), [MANIFEST, "a/y.rs", "b.rs", "c.rs", "mine.rs"]);
    assert_eq!(
        fs::metadata(dir.join("b.rs"))
            .expect("meta")
            .modified()
            .expect("time"),
        touched
    );

    let summary = write(&dir, &[file("c.rs", "c")], Record::Kept).expect("written");
    assert_eq!(
        (summary.removed.as_slice(), summary.kept.len()),
        (&["b.rs".to_owned()][..], 0)
    );
    assert_eq!(
        compare(&dir, &[file("c.rs", "c")], Record::Kept).expect("compared"),
        []
    );
}

#[test]
fn folders_that_become_empty_go() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), &[file("a/b/c.rs", "")], Record::Kept).expect("written");
    write(dir.path(), &[], Record::Kept).expect("written");
    assert!(!dir.path().join("a").exists());
}

#[test]
fn the_work_of_others_is_not_written_over() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("Cargo.toml"), "[package]").expect("written");
    let files = [file("Cargo.toml", "ours"), file("src/lib.rs", "ours")];
    let error = write(dir.path(), &files, Record::Kept).expect_err("refused");
    assert!(
        error.to_string().starts_with("not written by bothends"),
        "{error}"
    );
    assert_eq!(names(dir.path()), ["Cargo.toml"]);
    // What says that it was generated is ours, list or no list.
    fs::write(dir.path().join("Cargo.toml"), format!("# {MARK}.\n")).expect("written");
    write(dir.path(), &files, Record::None).expect("written");
    assert_eq!(names(dir.path()), ["Cargo.toml", "src/lib.rs"]);
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    // A file cannot be a folder as well, which is found only while writing.
    let files = [file("a", "a"), file("a/b", "b"), file("c/d", "d")];
    fs::create_dir(&out).expect("made");
    fs::write(out.join("a"), format!("// {MARK}")).expect("written");
    assert!(write(&out, &files, Record::Kept).is_err());
    assert_eq!(names(dir.path()), ["out/a"]);
    assert!(!out.join("c").exists());
}

#[test]
fn no_path_leads_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out");
    for path in ["../x", "/x", "a/../../x", "a\\..\\x", "", "C:x"] {
        assert!(matches!(
            write(&out, &[file(path, "x")], Record::Kept),
            Err(OutputError::Outside(_))
        ));
    }
    // A list that somebody tampered with removes nothing elsewhere.
    fs::create_dir(&out).expect("made");
    fs::write(dir.path().join("x"), "x").expect("written");
    let list = format!("{} ../x\n", super::manifest::digest("x"));
    fs::write(out.join(MANIFEST), list).expect("written");
    write(&out, &[], Record::Kept).expect("written");
    assert_eq!(names(dir.path()), ["out/.bothends-files", "x"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let dir = tempfile::tempdir().expect("a folder");
    let (out, elsewhere) = (dir.path().join("out"), dir.path().join("elsewhere"));
    fs::create_dir(&out).expect("made");
    fs::create_dir(&elsewhere).expect("made");
    fs::write(elsewhere.join("x"), format!("// {MARK}")).expect("written");
    std::os::unix::fs::symlink(&elsewhere, out.join("src")).expect("linked");
    std::os::unix::fs::symlink(elsewhere.join("x"), out.join("x")).expect("linked");
    assert!(write(&out, &[file("src/x", "new")], Record::Kept).is_err());
    assert!(matches!(
        write(&out, &[file("x", "new")], Record::Kept),
        Err(OutputError::Foreign(_))
    ));
    assert_eq!(
        fs::read_to_string(elsewhere.join("x")).expect("read"),
        format!("// {MARK}")
    );
}

#[test]
fn differences_show_the_first_lines() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), &[file("a", "1\n2\n3\n")], Record::Kept).expect("written");
    // Line ends that a checkout made are no difference.
    fs::write(dir.path().join("a"), "1\r\n2\r\n3\r\n").expect("written");
    assert_eq!(
        compare(dir.path(), &[file("a", "1\n2\n3\n")], Record::Kept).expect("compared"),
        []
    );
    let found =
        compare(dir.path(), &[file("a", "1\n2a\n2b\n3\n")], Record::Kept).expect("compared");
    assert_eq!(
        found[0].to_string(),
        "differs  a, from line 2 on\n  - 2\n  + 2a\n  + 2b"
    );
}
