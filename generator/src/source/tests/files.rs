//! Documents of several files.

use std::path::Path;
use std::time::Duration;

use super::super::{Limits, Link, MemoryLoader, Sources, Tree, load, load_with};
use crate::diagnostic::Diagnostics;
use crate::position::FileId;

/// Loads the first of some files, and renders the diagnostics.
fn load_all(files: &[(&str, &str)], limits: &Limits) -> (Option<Tree>, Sources, String) {
    let mut loader = MemoryLoader::new();
    for (path, text) in files {
        if path.starts_with("https:") {
            loader.add_remote(*path, *text);
        } else {
            loader.add(path, *text);
        }
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let tree = load_with(
        &loader,
        Path::new(files[0].0),
        limits,
        &mut sources,
        &mut diagnostics,
    );
    let reported: Vec<_> = diagnostics
        .iter()
        .map(|it| format!("{}: {}", it.code.id, it.message))
        .collect();
    (tree, sources, reported.join("\n"))
}

#[test]
fn all_files_are_read_once_and_in_order() {
    let files = [
        (
            "api/root.yaml",
            "a: {$ref: 'b.yaml'}\nb: {$ref: './sub/c.json#/x'}\nc: {$ref: sub/../b.yaml#/y}",
        ),
        ("api/b.yaml", "x: {$ref: 'root.yaml#/a'}"),
        (
            "api/sub/c.json",
            "{\"x\": {\"$ref\": \"../b.yaml\"}, \"y\": {\"$ref\": \"d%20d.yaml\"}}",
        ),
        ("api/sub/d d.yaml", "z: 1"),
    ];
    let (tree, sources, reported) = load_all(&files, &Limits::default());
    assert_eq!(reported, "");
    let paths: Vec<_> = sources
        .paths()
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "api/root.yaml",
            "api/b.yaml",
            "api/sub/c.json",
            "api/sub/d d.yaml"
        ]
    );
    let tree = tree.unwrap();
    assert_eq!(
        tree.link(FileId(0), "./sub/c.json"),
        Some(&Link::File(FileId(2)))
    );
    assert_eq!(
        tree.link(FileId(2), "../b.yaml"),
        Some(&Link::File(FileId(1)))
    );
    assert_eq!(
        tree.link(FileId(2), "d%20d.yaml"),
        Some(&Link::File(FileId(3)))
    );
}

#[test]
fn files_outside_the_folder_are_read_only_when_allowed() {
    let files = [
        ("api/root.yaml", "a: {$ref: '../other.yaml'}"),
        ("other.yaml", "{}"),
    ];
    let (tree, sources, _) = load_all(&files, &Limits::default());
    assert_eq!(sources.len(), 1);
    let tree = tree.unwrap();
    let Some(Link::Failed(failure)) = tree.link(FileId(0), "../other.yaml") else {
        panic!("{tree:?}")
    };
    assert_eq!(failure.code.id, "E0204");
    assert_eq!(
        failure.message,
        "`other.yaml` is not in the project of the root document"
    );
    let limits = Limits {
        allow_outside: true,
        ..Limits::default()
    };
    assert_eq!(load_all(&files, &limits).1.len(), 2);
}

#[test]
fn documents_of_the_project_are_read() {
    let files = [
        (
            "/w/api/v1/root.yaml",
            "a: {$ref: '../shared/pet.yaml'}\nb: {$ref: '../../keys.txt'}\nc: {$ref: '../../../x.yaml'}",
        ),
        ("/w/api/shared/pet.yaml", "b: {$ref: '../../types.json'}"),
        ("/w/types.json", "{}"),
        ("/w/keys.txt", "{}"),
        ("/w/Cargo.toml", ""),
        ("/x.yaml", "{}"),
    ];
    let (tree, sources, reported) = load_all(&files, &Limits::default());
    let paths: Vec<_> = sources
        .paths()
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(
        paths,
        [
            "/w/api/v1/root.yaml",
            "/w/api/shared/pet.yaml",
            "/w/types.json"
        ],
        "{reported}"
    );
    let tree = tree.unwrap();
    for part in ["../../keys.txt", "../../../x.yaml"] {
        let Some(Link::Failed(failure)) = tree.link(FileId(0), part) else {
            panic!("{part}")
        };
        assert_eq!(failure.code.id, "E0204", "{part}");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let api = folder.path().join("project/api");
    std::fs::create_dir_all(&api).unwrap();
    std::fs::write(folder.path().join("secret.yaml"), "x: 1").unwrap();
    std::fs::write(folder.path().join("project/Cargo.toml"), "").unwrap();
    std::fs::write(folder.path().join("project/types.yaml"), "{}").unwrap();
    let root = api.join("root.yaml");
    std::fs::write(
        &root,
        "a: {$ref: '../types.yaml'}\nb: {$ref: '../link.yaml'}",
    )
    .unwrap();
    std::os::unix::fs::symlink("../secret.yaml", folder.path().join("project/link.yaml")).unwrap();
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let tree = load(&root, &Limits::default(), &mut sources, &mut diagnostics).unwrap();
    assert_eq!(
        tree.link(FileId(0), "../types.yaml"),
        Some(&Link::File(FileId(1)))
    );
    let Some(Link::Failed(failure)) = tree.link(FileId(0), "../link.yaml") else {
        panic!("{tree:?}")
    };
    assert_eq!(failure.code.id, "E0204");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let api = folder.path().join("api");
    std::fs::create_dir(&api).unwrap();
    std::fs::write(folder.path().join("secret.yaml"), "x: 1").unwrap();
    std::fs::write(
        api.join("root.yaml"),
        "a: {$ref: 'link.yaml'}\nb: {$ref: '.'}",
    )
    .unwrap();
    std::os::unix::fs::symlink("../secret.yaml", api.join("link.yaml")).unwrap();
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let root = api.join("root.yaml");
    let tree = load(&root, &Limits::default(), &mut sources, &mut diagnostics).unwrap();
    let code = |part: &str| match tree.link(FileId(0), part) {
        Some(Link::Failed(failure)) => failure.code.id,
        other => panic!("{other:?}"),
    };
    assert_eq!(code("link.yaml"), "E0204");
    assert_eq!(code("."), "E0001");
    assert_eq!(sources.len(), 1);
}

#[test]
fn urls_are_not_files() {
    let text =
        "a: {$ref: 'https://x.test/a.yaml#/b'}\nb: {$ref: '//x.test/a'}\nc: {$ref: 'urn:x:y'}";
    let (tree, ..) = load_all(&[("root.yaml", text)], &Limits::default());
    let tree = tree.unwrap();
    for part in ["https://x.test/a.yaml", "//x.test/a", "urn:x:y"] {
        let Some(Link::Failed(failure)) = tree.link(FileId(0), part) else {
            panic!("{part}")
        };
        assert_eq!(failure.code.id, "E0203", "{part}");
        let help = failure.help.as_deref().unwrap_or_default();
        let https = part.starts_with("https:");
        assert_eq!(help.contains("--allow-remote"), https, "{part}: {help}");
    }
}

const REMOTE: &[(&str, &str)] = &[
    (
        "api/root.yaml",
        "a: {$ref: 'https://x.test/api/v1/a.yaml#/x'}\nb: {$ref: 'https://x.test/gone'}\n\
         c: {$ref: 'http://x.test/c'}\nd: {$ref: 'https://me@x.test/d'}",
    ),
    (
        "https://x.test/api/v1/a.yaml",
        "x: {$ref: '../b.json#/y'}\nz: {$ref: /top.yaml}\nw: {$ref: '//y.test/c.yaml'}",
    ),
    (
        "https://x.test/api/b.json",
        "{\"y\": {\"$ref\": \"v1/a.yaml#/z\"}}",
    ),
    ("https://x.test/top.yaml", "{$ref: 'file:///etc/passwd'}"),
    (
        "https://y.test/c.yaml",
        "{$ref: 'https://x.test/api/b.json'}",
    ),
    ("https://x.test/c", "{}"),
    ("https://me@x.test/d", "{}"),
];

/// Returns the result of a file part: the path of its file, or the code of its error.
fn end(tree: &Tree, sources: &Sources, from: u32, part: &str) -> String {
    match tree.link(FileId(from), part) {
        Some(Link::File(file)) => sources.get(*file).unwrap().path.display().to_string(),
        Some(Link::Failed(failure)) => failure.code.id.to_owned(),
        None => panic!("{part} is not known"),
    }
}

#[test]
fn remote_documents_are_fetched_where_allowed_and_refer_on_from_there() {
    let limits = Limits {
        allow_remote: true,
        ..Limits::default()
    };
    let (tree, sources, reported) = load_all(REMOTE, &limits);
    assert_eq!(reported, "");
    let end = |from, part| end(tree.as_ref().unwrap(), &sources, from, part);
    assert_eq!(
        end(0, "https://x.test/api/v1/a.yaml"),
        "https://x.test/api/v1/a.yaml"
    );
    assert_eq!(end(0, "https://x.test/gone"), "E0205");
    assert_eq!(end(0, "http://x.test/c"), "E0203");
    assert_eq!(end(0, "https://me@x.test/d"), "E0203");
    assert_eq!(end(1, "../b.json"), "https://x.test/api/b.json");
    assert_eq!(end(1, "/top.yaml"), "https://x.test/top.yaml");
    assert_eq!(end(1, "//y.test/c.yaml"), "https://y.test/c.yaml");
    assert_eq!(end(2, "v1/a.yaml"), "https://x.test/api/v1/a.yaml");
    assert_eq!(end(3, "file:///etc/passwd"), "E0203");
    // Each document was fetched once, and a build script cannot watch URLs.
    assert_eq!(sources.len(), 5);
    assert_eq!(sources.paths().count(), 1);
}

#[test]
fn fetching_is_bounded() {
    let default = Limits {
        allow_remote: true,
        ..Limits::default()
    };
    let code = |limits: Limits| {
        let (tree, sources, _) = load_all(REMOTE, &limits);
        end(&tree.unwrap(), &sources, 1, "../b.json")
    };
    let files = Limits {
        remote_files: 2,
        ..default.clone()
    };
    assert_eq!(code(files), "E0009");
    let bytes = Limits {
        remote_bytes: 100,
        ..default.clone()
    };
    assert_eq!(code(bytes), "https://x.test/api/b.json");
    let (tree, sources, _) = load_all(
        REMOTE,
        &Limits {
            remote_bytes: 20,
            ..default.clone()
        },
    );
    let first = "https://x.test/api/v1/a.yaml";
    assert_eq!(end(&tree.unwrap(), &sources, 0, first), "E0004");
    let time = Limits {
        remote_time: Duration::ZERO,
        ..default
    };
    let (tree, sources, _) = load_all(REMOTE, &time);
    assert_eq!(end(&tree.unwrap(), &sources, 0, first), "E0205");
}

#[test]
fn the_name_of_a_given_document_is_not_an_address() {
    let files = [
        (
            "a.yaml",
            "a: {$ref: 'https://x.test/b#/y'}\nb: {$ref: b.yaml}",
        ),
        ("b.yaml", "$self: https://x.test/b\ny: here"),
        ("https://x.test/b", "y: there"),
    ];
    let limits = Limits {
        allow_remote: true,
        ..Limits::default()
    };
    assert_eq!(load_all(&files, &limits).1.len(), 2);
}

#[test]
fn invalid_roots_are_reported() {
    let reported = |bytes: &[u8]| {
        let mut loader = MemoryLoader::new();
        loader.add("root.yaml", bytes);
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let limits = Limits {
            file_bytes: 100,
            ..Limits::default()
        };
        let path = Path::new("root.yaml");
        assert!(load_with(&loader, path, &limits, &mut sources, &mut diagnostics).is_none());
        let all: Vec<_> = diagnostics
            .iter()
            .map(|it| format!("{}: {}", it.code.id, it.message))
            .collect();
        all.join("\n")
    };
    assert_eq!(reported(b"\xff\xfea\0:\0"), "E0002: the file is UTF-16");
    assert_eq!(reported(b"o\0p\0e\0n\0"), "E0002: the file is UTF-16");
    assert_eq!(
        reported(b"a: 1\nb: \xe4\n"),
        "E0002: invalid UTF-8 at offset 8, in line 2"
    );
    assert_eq!(reported(&[b' '; 101]), "E0004: `root.yaml` is too large");
    assert_eq!(
        reported(b"a: ]"),
        "E0003: did not find expected node content, while parsing a block node"
    );
    let (tree, _, missing) = load_all(&[("root.yaml", "\u{feff}a: 1")], &Limits::default());
    assert_eq!(
        (
            tree.unwrap().value(FileId(0)).unwrap().to_json().as_str(),
            missing.as_str()
        ),
        ("{\"a\":1}", "")
    );
}

#[test]
fn the_number_of_files_is_limited() {
    let files = [
        ("a.yaml", "[{$ref: b.yaml}, {$ref: c.yaml}]"),
        ("b.yaml", "{}"),
        ("c.yaml", "{}"),
    ];
    let limits = Limits {
        files: 2,
        ..Limits::default()
    };
    let (tree, sources, _) = load_all(&files, &limits);
    assert_eq!(sources.len(), 2);
    let Some(Link::Failed(failure)) = tree.as_ref().unwrap().link(FileId(0), "c.yaml") else {
        panic!()
    };
    assert_eq!(failure.code.id, "E0009");
}

#[test]
fn duplicate_keys_are_reported_in_every_file() {
    let files = [
        ("a.yaml", "x: {$ref: b.json}\nx: {$ref: b.json}\n"),
        ("b.json", "{\"y\": 1, \"y\": 2}"),
    ];
    let (_, _, reported) = load_all(&files, &Limits::default());
    assert_eq!(
        reported,
        "W0001: duplicate key `x` in this object\nE0007: duplicate key `y` in this object"
    );
}
