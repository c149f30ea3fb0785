//! What README.md shows is what works: its code is compiled as it stands there, in three ways.
//!
//! - A block of Rust or TOML that begins with the name of a file (`// src/main.rs`, `# Cargo.toml`) is
//!   that file; the files of one section are a project, beside a checkout of this repository.
//! - Any other block of Rust is a snippet. What surrounds it is in `readme/SECTION-NUMBER.rs`, where it
//!   takes the place of the line `// SNIPPET`; all of them are modules of one crate.
//! - `# bothends.toml` is a configuration that generates a crate.
//!
//! A snippet without surroundings, or surroundings without a snippet, fails the test.

#[allow(dead_code, reason = "it is that of another test")]
#[path = "first_call/authority.rs"]
mod authority;
#[allow(dead_code, reason = "it is that of another test")]
#[path = "first_call/peer.rs"]
mod peer;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use authority::Authority;
use bothends::{Builder, Config};
use bothends_tests::root;
use bothends_tests::scratch::{run, target};
use peer::Peer;

/// A fenced block.
struct Block {
    section: String,
    language: String,
    text: String,
}

impl Block {
    /// The file that it is, by its first line.
    fn file(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let name = match self.language.as_str() {
            "rust" => first.strip_prefix("// ")?,
            "toml" => first.strip_prefix("# ")?,
            _ => return None,
        };
        let is_file = name.ends_with(&[".rs", ".toml"][usize::from(self.language == "toml")]);
        (is_file && !name.contains(' ')).then_some(name)
    }
}

/// The fenced blocks of README.md, in order.
fn blocks() -> Vec<Block> {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    let mut blocks: Vec<Block> = Vec::new();
    let (mut section, mut open) = (String::new(), false);
    for line in text.lines() {
        if let Some(language) = line.strip_prefix("```") {
            open = !open;
            if open {
                blocks.push(Block {
                    section: section.clone(),
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
        } else if open {
            let block = blocks.last_mut().expect("an open block");
            block.text.push_str(line);
            block.text.push('\n');
        } else if line.starts_with('#') {
            section = slug(line);
        }
    }
    assert!(!open, "a block of README.md is not closed");
    blocks
}

/// `### The client` is `the-client`.
fn slug(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let words = lower.split(|char: char| !char.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// The snippets, by the names of their surroundings.
fn snippets() -> BTreeMap<String, String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let blocks = blocks().into_iter();
    let snippets = blocks.filter(|block| block.language == "rust" && block.file().is_none());
    let named = snippets.map(|block| {
        let count = counts.entry(block.section.clone()).or_default();
        *count += 1;
        (format!("{}-{count}", block.section), block.text)
    });
    named.collect()
}

fn surroundings() -> PathBuf {
    root().join("tests/tests/readme")
}

const MANIFEST: &str = r#"
[package]
name = "snippets"
version = "0.0.0"
edition = "2024"

[dependencies]
axum = { version = "0.8", default-features = false, features = ["http1", "tokio"] }
bothends-delivery = { path = "../bothends/delivery" }
bothends-runtime = { path = "../bothends/runtime", features = ["receiver"] }
financial-data = { path = "../bothends/generated", features = ["tokens"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[workspace]
"#;

/// Puts the checkout in the place where a reader has it.
fn in_place(text: &str) -> String {
    text.replace("\"../bothends/", &format!("\"{}/", root().display()))
}

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("written");
}

#[test]
fn every_snippet_compiles() {
    let snippets = snippets();
    assert!(!snippets.is_empty());
    let names: BTreeSet<String> = snippets.keys().cloned().collect();
    let files = fs::read_dir(surroundings()).expect("the folder");
    let known: BTreeSet<String> = files
        .map(|file| file.expect("a file").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    let of = |names: Vec<&String>| format!("{names:?} in {}", surroundings().display());
    assert_eq!(
        names,
        known,
        "write what surrounds the new snippets of README.md: {}; delete what surrounds none: {}",
        of(names.difference(&known).collect()),
        of(known.difference(&names).collect())
    );

    let dir = tempfile::tempdir().expect("a folder");
    let mut lib = String::from("#![allow(dead_code)]\n");
    for (name, snippet) in &snippets {
        let path = surroundings().join(name).with_extension("rs");
        let around = fs::read_to_string(&path).expect("surroundings");
        let place = around.lines().filter(|line| line.trim() == "// SNIPPET");
        assert_eq!(place.count(), 1, "{name} has one line `// SNIPPET`");
        let lines = around.lines().map(|line| {
            let here = line.trim() == "// SNIPPET";
            if here { snippet.as_str() } else { line }
        });
        let text: Vec<&str> = lines.collect();
        let module = name.replace('-', "_");
        lib.push_str(&format!("pub mod {module};\n"));
        write(dir.path(), &format!("src/{module}.rs"), &text.join("\n"));
    }
    write(dir.path(), "src/lib.rs", &lib);
    write(dir.path(), "Cargo.toml", &in_place(MANIFEST));
    let checked = run(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}

/// The files of the projects, by section.
fn projects() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut projects: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for block in blocks() {
        let Some(file) = block.file().filter(|file| *file != "bothends.toml") else {
            assert!(
                block.language != "toml" || block.file().is_some(),
                "a block of TOML in `{}` does not say which file it is",
                block.section
            );
            continue;
        };
        let files = projects.entry(block.section.clone()).or_default();
        let again = files.insert(file.to_owned(), block.text.clone());
        assert!(again.is_none(), "{} has two {file}", block.section);
    }
    projects
}

/// Writes the project of a section into a folder, as it becomes of `cargo new`.
fn project(dir: &Path, section: &str) -> PathBuf {
    let projects = projects();
    let files = projects.get(section).expect("the section has a project");
    let dir = dir.join(section);
    for (path, text) in files {
        if path == "Cargo.toml" {
            let text = in_place(text);
            let new = format!(
                "[package]\nname = {section:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{text}\n[workspace]\n"
            );
            write(&dir, path, &new);
        } else {
            write(&dir, path, text);
        }
    }
    dir
}

fn document(server: &str) -> String {
    format!(
        "openapi: 3.1.0
info: {{ title: Service, version: 1.0.0 }}
servers: [{{ url: '{server}' }}]
paths:
  /status:
    get:
      operationId: getStatus
      responses:
        '200':
          description: How the service is.
          content:
            application/json:
              schema: {{ type: object, properties: {{ state: {{ type: string }} }} }}
"
    )
}

#[test]
fn every_project_compiles_and_that_with_a_build_script_makes_its_call() {
    let dir = tempfile::tempdir().expect("a folder");
    let all: Vec<String> = projects().into_keys().collect();
    assert_eq!(all, ["from-a-build-script", "the-client"]);
    let client = project(dir.path(), "the-client");
    let checked = run(&client, &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);

    let mut server = Peer::http();
    let script = project(dir.path(), "from-a-build-script");
    let url = format!("http://localhost:{}", server.port);
    write(&script, "api.yaml", &document(&url));
    let built = run(&script, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let ran = Command::new(target().join("debug/from-a-build-script"))
        .env("SSL_CERT_FILE", Authority::new("any").file(dir.path()))
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(said.contains("up and running"), "{said}");
    assert_eq!(server.request(), "GET /status");
}

/// A document with everything that the configuration speaks of.
const CONFIGURED: &str = r"
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: All pets.
          content:
            application/json: { schema: { $ref: '#/components/schemas/Pet' } }
            application/xml: { schema: { $ref: '#/components/schemas/Pet' } }
components:
  schemas:
    Pet:
      type: object
      required: [price]
      properties:
        price: { type: string, format: decimal }
";

#[test]
fn the_configuration_generates_a_crate_that_compiles() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut blocks = blocks().into_iter();
    let block = blocks.find(|block| block.file() == Some("bothends.toml"));
    let text = block.expect("a configuration").text;
    write(dir.path(), "bothends.toml", &text);
    write(dir.path(), "api.yaml", CONFIGURED);
    let config = Config::load(&dir.path().join("bothends.toml")).expect("a configuration");
    let spec = config.spec.clone().expect("a document");
    let out = config.out.clone().expect("a folder");
    assert!(spec.starts_with(dir.path()) && out.starts_with(dir.path()));
    let builder = Builder::new(spec)
        .config(config)
        .runtime_path(root().join("runtime"));
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    for file in &plan.files {
        write(&out, &file.path, &file.text);
    }
    let types = fs::read_to_string(out.join("src/types.rs")).expect("types");
    assert!(types.contains("pub struct Animal"), "{types}");
    assert!(
        types.contains("pub price: rust_decimal::Decimal"),
        "{types}"
    );
    let checked = run(&out, &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}
