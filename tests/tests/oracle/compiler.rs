//! The compiler: the crate of all documents, their expanded code, and the probes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bothends_tests::scratch;
use serde_json::Value;
use syn::Item;

/// A crate with a module for each document, compiled.
pub(crate) struct Documents {
    dir: PathBuf,
    runtime: PathBuf,
}

impl Documents {
    /// Builds the dependencies of generated code.
    pub(crate) fn prepare(dir: &Path) -> Self {
        let source = dir.join("src");
        fs::create_dir_all(&source).expect("a folder");
        let features = ["client", "server", "jwks", "tasks", "hyper"];
        let manifest = scratch::manifest_with("documents", &features);
        fs::write(dir.join("Cargo.toml"), manifest).expect("written");
        // Cargo builds the dependencies, and says where they are.
        fs::write(source.join("lib.rs"), "//! Empty.\n").expect("written");
        let runtime = runtime(dir);
        Self {
            dir: dir.to_path_buf(),
            runtime,
        }
    }

    /// Compiles the documents: a module name and its code each.
    pub(crate) fn compile(dir: &Path, modules: &BTreeMap<String, String>) -> Self {
        let documents = Self::prepare(dir);
        let modules = modules.iter().map(|(name, code)| (name, code.as_str()));
        let source = documents.write("src", modules);
        let options = ["--emit=metadata", "-Awarnings"];
        let output = documents.rustc(&source, "documents", &options, false);
        assert!(output.status.success(), "{}", text(&output.stderr));
        documents
    }

    /// Writes a crate with these modules into a folder, and returns its file.
    fn write<'m>(
        &self,
        folder: &str,
        modules: impl Iterator<Item = (&'m String, &'m str)>,
    ) -> PathBuf {
        let folder = self.dir.join(folder);
        fs::create_dir_all(&folder).expect("a folder");
        let mut lib = String::new();
        for (name, code) in modules {
            lib.push_str(&format!("pub mod {name};\n"));
            fs::write(folder.join(format!("{name}.rs")), code).expect("written");
        }
        let source = folder.join("lib.rs");
        fs::write(&source, lib).expect("written");
        source
    }

    /// Writes rustdoc's JSON of the crate `documents` with these modules, and returns its file.
    ///
    /// # Errors
    /// Returns what rustdoc reports if it cannot write JSON.
    pub(crate) fn json(
        &self,
        folder: &str,
        modules: &BTreeMap<String, &str>,
        options: &[&str],
    ) -> Result<PathBuf, String> {
        let source = self.write(folder, modules.iter().map(|(name, code)| (name, *code)));
        let target = self.dir.join(format!("{folder}-json"));
        let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
        let mut command = Command::new(rustdoc);
        command.args(["-Zunstable-options", "--output-format=json"]);
        // JSON is an unstable format of rustdoc.
        let command = self
            .arguments(&mut command, &source, "documents")
            .args(options);
        let command = command.arg("--out-dir").arg(&target).arg("-Awarnings");
        let output = command.env("RUSTC_BOOTSTRAP", "1").output();
        let output = output.map_err(|error| error.to_string())?;
        match output.status.success() {
            true => Ok(target.join("documents.json")),
            false => Err(text(&output.stderr)),
        }
    }

    /// Returns the code of each document after the expansion of macros.
    pub(crate) fn expand(&self) -> BTreeMap<String, Vec<Item>> {
        let source = self.dir.join("src/lib.rs");
        let output = self.rustc(&source, "documents", &["-Zunpretty=expanded"], true);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let code = text(&output.stdout);
        // A module at the top begins and ends without indentation.
        let mut found = BTreeMap::new();
        let mut own: Option<(String, String)> = None;
        for line in code.lines() {
            if let Some((_, body)) = &mut own {
                if line == "}" {
                    let (name, body) = own.take().unwrap_or_default();
                    let file = syn::parse_file(&body);
                    let file = file.expect(&name);
                    found.insert(name, file.items);
                } else {
                    body.push_str(line);
                    body.push('\n');
                }
            } else if let Some(name) = line.strip_prefix("pub mod ") {
                let name = name.trim_end_matches([' ', '{']).to_owned();
                own = Some((name, String::new()));
            }
        }
        found
    }

    /// Returns the probes that the compiler rejects, with the first error of each.
    pub(crate) fn rejected(&self, probes: BTreeMap<String, String>) -> BTreeMap<String, String> {
        // The compiler checks a crate on one core.
        let mut halves = [BTreeMap::new(), BTreeMap::new()];
        for (index, (name, code)) in probes.into_iter().enumerate() {
            halves[index % 2].insert(name, code);
        }
        let [first, second] = halves;
        std::thread::scope(|scope| {
            let first = scope.spawn(|| self.rejected_of("one", &first));
            let mut rejected = self.rejected_of("other", &second);
            rejected.extend(first.join().expect("the compiler runs"));
            rejected
        })
    }

    fn rejected_of(
        &self,
        name: &str,
        probes: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let dir = self.dir.join(name);
        fs::create_dir_all(&dir).expect("a folder");
        for (name, code) in probes {
            fs::write(dir.join(format!("{name}.rs")), code).expect("written");
        }
        let mut rejected = BTreeMap::new();
        // Each stage of the compiler reports its errors only if the stage before found none.
        loop {
            let left = probes.keys().filter(|name| !rejected.contains_key(*name));
            let lib: String = left.map(|name| format!("mod {name};\n")).collect();
            let source = dir.join("lib.rs");
            fs::write(&source, format!("#![allow(warnings)]\n{lib}")).expect("written");
            let documents = self.dir.join("libdocuments.rmeta");
            let external = format!("documents={}", documents.display());
            let options = [
                "--emit=metadata",
                "--error-format=json",
                "--extern",
                &external,
            ];
            let output = self.rustc(&source, name, &options, false);
            if output.status.success() {
                return rejected;
            }
            let before = rejected.len();
            for message in text(&output.stderr).lines() {
                let message: Value = serde_json::from_str(message).unwrap_or_default();
                if message["level"] == "error" {
                    let files = files(&message);
                    let known = files.into_iter().find(|file| probes.contains_key(file));
                    if let Some(file) = known {
                        rejected.entry(file).or_insert_with(|| shown(&message));
                    }
                }
            }
            assert!(rejected.len() > before, "{}", text(&output.stderr));
        }
    }

    fn rustc(&self, source: &Path, name: &str, options: &[&str], unstable: bool) -> Output {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut command = Command::new(rustc);
        command.arg("--out-dir").arg(&self.dir);
        self.arguments(&mut command, source, name).args(options);
        if unstable {
            // Only this option of the compiler prints expanded code, and it is unstable.
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command.output().expect("the compiler runs")
    }

    /// Adds what the compiler and rustdoc need to know of a crate.
    fn arguments<'c>(
        &self,
        command: &'c mut Command,
        source: &Path,
        name: &str,
    ) -> &'c mut Command {
        let deps = self.runtime.parent().expect("a folder");
        command
            .arg(source)
            .args(["--edition=2024", "--crate-type=lib", "--crate-name", name])
            .arg("--extern")
            .arg(format!("bothends_runtime={}", self.runtime.display()))
            .arg("-L")
            .arg(format!("dependency={}", deps.display()))
            .current_dir(&self.dir)
            .env_remove("RUSTC_BOOTSTRAP")
    }
}

/// Checks the dependencies of a crate, and returns the metadata of the runtime.
fn runtime(dir: &Path) -> PathBuf {
    let lock = bothends_tests::root().join("Cargo.lock");
    fs::copy(lock, dir.join("Cargo.lock")).expect("copied");
    let output = scratch::cargo()
        .args(["check", "--offline", "--message-format=json"])
        .current_dir(dir)
        .env("PWD", dir)
        .env("CARGO_TARGET_DIR", scratch::target())
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let messages = text(&output.stdout);
    let artifact = messages.lines().find_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_runtime = message["target"]["name"] == "bothends_runtime";
        let file = message["filenames"].as_array()?.iter().find_map(|file| {
            let file = file.as_str()?;
            file.ends_with(".rmeta").then(|| PathBuf::from(file))
        });
        file.filter(|_| is_runtime)
    });
    artifact.expect("the runtime is a dependency")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns a message with the line of its main place, shortened.
fn shown(message: &Value) -> String {
    let text = message["message"].as_str().unwrap_or_default();
    let spans = message["spans"].as_array().into_iter().flatten();
    let mut lines = spans.filter_map(|span| span["text"][0]["text"].as_str());
    let line: String = lines.next().unwrap_or_default().chars().take(400).collect();
    format!("    {text}\n    {line}")
}

/// Returns the stems of all files that a message names, those of its main place first.
fn files(message: &Value) -> Vec<String> {
    let mut spans: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for span in spans {
        let mut next = Some(span);
        while let Some(span) = next {
            let file = Path::new(span["file_name"].as_str().unwrap_or_default());
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            if seen.insert(stem.to_string()) {
                found.push(stem.into_owned());
            }
            next = Some(&span["expansion"]["span"]).filter(|span| span.is_object());
        }
    }
    found
}
