//! Mistakes in tables: what the compiler says of each has to name what is wrong.
//!
//! Each file of `mistakes/` has one, and lines `//~ text` with parts of what the compiler has to say.
//! These are looked for in its errors, so that another version of the compiler may word the rest, or draw
//! it, in another way.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file, and what has to be said of it.
fn mistakes() -> BTreeMap<String, (String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let files = fs::read_dir(folder).unwrap().map(|file| {
        let path = file.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let parts = text.lines().filter_map(|line| line.strip_prefix("//~ "));
        let parts: Vec<String> = parts.map(str::to_owned).collect();
        assert!(!parts.is_empty(), "{name} has no line `//~ text`");
        (name, (text, parts))
    });
    files.collect()
}

/// A crate with a program for each file.
fn crate_of(mistakes: &BTreeMap<String, (String, Vec<String>)>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mistakes");
    fs::create_dir_all(folder.join("src")).unwrap();
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut manifest = format!(
        "[package]\nname = \"mistakes\"\nversion = \"0.0.0\"\nedition = \"2024\"\nautobins = false\n\
         [workspace]\n[dependencies]\nbothends-runtime = {{ path = '{}', features = ['client', 'receiver'] }}\n",
        runtime.display()
    );
    for (name, (text, _)) in mistakes {
        let path = format!("src/{name}.rs");
        fs::write(folder.join(&path), format!("{text}\nfn main() {{}}\n")).unwrap();
        write!(manifest, "[[bin]]\nname = '{name}'\npath = '{path}'\n").unwrap();
    }
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    let lock = runtime.parent().unwrap().join("Cargo.lock");
    fs::copy(lock, folder.join("Cargo.lock")).unwrap();
    folder
}

/// What the compiler says of each, without colours and frames.
fn messages_of(folder: &Path) -> BTreeMap<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["check", "--offline", "--keep-going", "--bins"])
        .args(["--message-format", "json"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    let mut messages: BTreeMap<String, String> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let message: Json = serde_json::from_str(line).unwrap();
        let text = |path: &str| {
            message
                .pointer(path)
                .and_then(Json::as_str)
                .unwrap_or_default()
        };
        if text("/message/level") == "error" {
            let all = messages.entry(text("/target/name").to_owned()).or_default();
            all.push_str(text("/message/rendered"));
        }
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!messages.is_empty(), "nothing was compiled: {errors}");
    messages
}

#[test]
fn every_mistake_is_named() {
    let mistakes = mistakes();
    let messages = messages_of(&crate_of(&mistakes));
    let mut wrong = String::new();
    for (name, (_, parts)) in &mistakes {
        let Some(message) = messages.get(name) else {
            writeln!(wrong, "{name}: the compiler finds nothing wrong\n").unwrap();
            continue;
        };
        for part in parts.iter().filter(|part| !message.contains(&***part)) {
            writeln!(wrong, "{name}: `{part}` is not said:\n{message}\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(!messages.contains_key("bothends_runtime"));
}
