//! Which specs are driven: our own features, and where the corpus is, those of its small ones that tests name, or all of
//! them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use bothends::Builder;

/// A spec, and what is let pass in it.
pub(crate) struct Spec {
    pub(crate) path: PathBuf,
    pub(crate) module: String,
    pub(crate) allow: Vec<String>,
}

impl Spec {
    pub(crate) fn builder(&self) -> Builder {
        let builder = Builder::new(&self.path).module(true);
        self.allow
            .iter()
            .fold(builder, |builder, code| builder.allow(code))
    }
}

/// All of them, and whether the corpus is there.
pub(crate) fn all() -> io::Result<(Vec<Spec>, bool)> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.join("../..").canonicalize()?;
    let features = root.join("spec/features");
    println!("cargo::rerun-if-changed={}", features.display());
    let mut specs = Vec::new();
    for entry in fs::read_dir(&features)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let module = format!("of_{}", identifier(&path));
            specs.push(Spec {
                path,
                module,
                allow: Vec::new(),
            });
        }
    }
    specs.sort_by(|a, b| a.path.cmp(&b.path));
    specs.push(Spec {
        path: root.join("spec/financial-data.yaml"),
        module: "own_financial_data".to_owned(),
        allow: Vec::new(),
    });
    let corpus = bothends_test_environment::corpus_folder();
    if !corpus.is_dir() {
        return Ok((specs, false));
    }
    println!("cargo::rerun-if-env-changed=BOTHENDS_ALL_DOCUMENTS");
    let all = env::var_os("BOTHENDS_ALL_DOCUMENTS").is_some();
    let lists = ["corpus.txt", "corpus-more.txt"];
    let mut text = String::new();
    for list in lists.iter().take(if all { 2 } else { 1 }) {
        let list = here.join(list);
        println!("cargo::rerun-if-changed={}", list.display());
        text.push_str(&fs::read_to_string(list)?);
    }
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(name) = words.next().filter(|name| !name.starts_with('#')) else {
            continue;
        };
        let path = corpus.join(name);
        let missing = |error| {
            let remedy = bothends_test_environment::FETCH_CORPUS;
            io::Error::other(format!("{}: {error}; {remedy}", path.display()))
        };
        let path = path.canonicalize().map_err(missing)?;
        let module = format!("corpus_{}", identifier(&path));
        let allow = words.map(str::to_owned).collect();
        specs.push(Spec {
            path,
            module,
            allow,
        });
    }
    Ok((specs, true))
}

fn identifier(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_prefix("_testdata.").unwrap_or(&stem);
    stem.chars()
        .map(|character| {
            if character.is_ascii_alphanumeric() {
                character
            } else {
                '_'
            }
        })
        .collect::<String>()
        .to_lowercase()
}
