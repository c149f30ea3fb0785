//! What README.md shows is what works: its code is compiled as it stands there, and run.
//!
//! - A block that begins with the name of a file (`// src/main.rs`, `# Cargo.toml`, `# exports.yaml`) is
//!   that file; the files of one section are a project, beside a checkout of this repository.
//! - Any other block of Rust is a snippet. What surrounds it is in `readme/SECTION-NUMBER.rs`, where it
//!   takes the place of the line `// SNIPPET`; all of them are modules of one crate, which depends on
//!   the crate that is generated from `exports.yaml`.
//! - The trial is run as its commands say, and the diagnostic is that of the changed document.
//!
//! A snippet without surroundings, or surroundings without a snippet, fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use bothends::Builder;
use bothends_tests::root;
use bothends_tests::scratch::{new_project, run, target};

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
            "toml" | "yaml" => first.strip_prefix("# ")?,
            _ => return None,
        };
        let ending = if self.language == "rust" {
            "rs"
        } else {
            &self.language
        };
        let is_file = Path::new(name)
            .extension()
            .is_some_and(|found| found == ending);
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
bothends-runtime = { path = "../bothends/runtime" }
callback = { path = "../callback" }
exports = { path = "../exports" }

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
    let list_of = |names: Vec<&String>| format!("{names:?} in {}", surroundings().display());
    assert_eq!(
        names,
        known,
        "write what surrounds the new snippets of README.md: {}; delete what surrounds none: {}",
        list_of(names.difference(&known).collect()),
        list_of(known.difference(&names).collect())
    );

    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("snippets");
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
        write(&dir, &format!("src/{module}.rs"), &text.join("\n"));
    }
    write(&dir, "src/lib.rs", &lib);
    write(&dir, "Cargo.toml", &in_place(MANIFEST));
    for (name, document) in DOCUMENTS {
        write(folder.path(), document, &document_of(document));
        let plan = Builder::new(folder.path().join(document))
            .name(name)
            .runtime_path(root().join("runtime"))
            .plan()
            .expect("a plan");
        assert!(!plan.has_errors(), "{}", plan.report());
        for file in &plan.files {
            write(&folder.path().join(name), &file.path, &file.text);
        }
    }
    let checked = run(&dir, &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}

/// The files of the projects, by section.
fn projects() -> BTreeMap<String, BTreeMap<String, String>> {
    let mut projects: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for block in blocks() {
        let is_document = |file: &str| DOCUMENTS.iter().any(|(_, document)| *document == file);
        let Some(file) = block.file().filter(|file| !is_document(file)) else {
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

/// The documents, and the crates that are generated from them for the snippets.
const DOCUMENTS: [(&str, &str); 2] = [("exports", "exports.yaml"), ("callback", "callback.yaml")];

/// The document of the first screen.
fn document() -> String {
    document_of("exports.yaml")
}

fn document_of(name: &str) -> String {
    let mut blocks = blocks().into_iter();
    let block = blocks.find(|block| block.file() == Some(name));
    block.expect("the document").text
}

/// The URL that the document states.
const STATED: &str = "http://127.0.0.1:8080";

/// Reads a request: its first line, and its body.
fn read_request(stream: &TcpStream) -> std::io::Result<(String, String)> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8(body).map_err(std::io::Error::other)?;
    Ok((first.trim_end().to_owned(), body))
}

#[test]
fn the_project_compiles_and_makes_its_call() {
    let dir = tempfile::tempdir().expect("a folder");
    let all: Vec<String> = projects().into_keys().collect();
    assert_eq!(all, ["in-a-build-script"]);
    let script = project(dir.path(), "in-a-build-script");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let document = document();
    assert_eq!(document.matches(STATED).count(), 1);
    write(&script, "exports.yaml", &document.replace(STATED, &url));
    let built = run(&script, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept()?;
        let request = read_request(&stream)?;
        let body = r#"[{"id": 7, "state": "running"}]"#;
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json";
        write!(
            stream,
            "{head}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )?;
        std::io::Result::Ok(request)
    });
    let ran = Command::new(target().join("debug/in-a-build-script"))
        .output()
        .expect("the program runs");
    let output = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(output, "export 7 is running\n", "{errors}");
    let (line, body) = server.join().expect("a server").expect("a request");
    assert_eq!((&*line, &*body), ("GET /exports HTTP/1.1", ""));
}

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The blocks of the section `Try it`: what is typed, and what is printed.
fn trial() -> Vec<String> {
    let blocks = blocks().into_iter();
    let trial = blocks.filter(|block| block.section == "try-it");
    trial.map(|block| block.text).collect()
}

#[test]
fn the_trial_ends_as_shown() {
    let trial = trial();
    let [server, call] = trial.as_slice() else {
        panic!("the trial has two blocks: {trial:?}");
    };
    assert!(server.contains("bothends new shop --template server --spec exports.yaml"));
    let shown = server.lines().last().expect("the address");
    assert_eq!(shown, format!("listening on {STATED}"));

    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "exports.yaml", &document());
    let project = dir.path().join("shop");
    new_project(&project, "server", &dir.path().join("exports.yaml")).expect("a project");
    let built = run(&project, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let program = Command::new(target().join("debug/shop"))
        .arg("127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn();
    let mut program = Running(program.expect("the program runs"));
    let mut line = String::new();
    let output = program.0.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let address = line.trim_end().strip_prefix("listening on http://");
    let address = address.expect("an address");

    let url = call.split('\'').nth(1).expect("a URL");
    let path = url.strip_prefix(STATED).expect("the address of the server");
    let mut stream = TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )
    .expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let (_, body) = response.split_once("\r\n\r\n").expect("a body");
    assert_eq!(body, call.lines().last().expect("the response"));
}

#[test]
fn the_diagnostic_is_the_one_shown() {
    let mut blocks = blocks().into_iter();
    let block = blocks.find(|block| block.language == "text");
    let shown = block.expect("a diagnostic").text;
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("exports.yaml");
    let wrong = document().replacen("schemas/Export'", "schemas/Exports'", 1);
    fs::write(&path, wrong).expect("written");
    let plan = Builder::new(&path).plan().expect("a plan");
    let folder = format!("{}/", dir.path().display());
    assert_eq!(
        plan.report().replace(&folder, "").trim_end(),
        shown.trim_end()
    );
}

#[test]
fn the_feature_table_is_the_measured_one() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let results = root().join("bench/peers/results.md");
    let results = fs::read_to_string(results).expect("the results");
    let rows = results.lines().skip_while(|line| !line.starts_with('|'));
    let table: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(table.len() > 20, "{table:?}");
    assert!(
        readme.contains(&table.join("\n")),
        "copy the table of bench/peers/results.md"
    );
}

#[test]
fn every_link_leads_to_a_file() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    let links = readme.split("](").skip(1);
    let targets = links.filter_map(|rest| rest.split([')', '#']).next());
    let files = targets.filter(|target| !target.contains("://"));
    let missing: Vec<&str> = files.filter(|file| !root().join(file).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
