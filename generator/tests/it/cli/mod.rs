//! The command as scripts see it: words in; exit code, output and files out.

mod apis;
mod deps;
mod diff;
mod generate;
mod help;
mod pages;
mod projects;
mod repairs;
mod settings;
mod shell;
mod stubs;
mod unchanged;
mod workspace;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A small document.
const PETS: &str = r"
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      responses:
        '200':
          description: All pets.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Pet' } }
components:
  schemas:
    Pet:
      type: object
      required: [id]
      properties:
        id: { type: integer, format: int64 }
        name: { type: string }
";

/// The same with something wrong in it.
fn broken() -> String {
    PETS.replace("#/components/schemas/Pet", "#/components/schemas/Cat")
}

/// A folder to run in.
struct Folder(tempfile::TempDir);

/// What a run came to.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        folder.put("pets.yaml", PETS);
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_default()
    }

    fn has(&self, path: &str) -> bool {
        self.path().join(path).exists()
    }

    /// Every file, with what it holds.
    fn files(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut open = vec![self.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let inside = path.strip_prefix(self.path()).expect("below");
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    found.push((inside.to_string_lossy().replace('\\', "/"), text));
                }
            }
        }
        found.sort();
        found
    }

    fn run(&self, args: &[&str]) -> Run {
        let output: Output = Command::new(env!("CARGO_BIN_EXE_bothends"))
            .args(args)
            .current_dir(self.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("the command runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Run {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Runs what must go well, and gives its standard output.
    fn ok(&self, args: &[&str]) -> String {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.out, run.err);
        run.out
    }
}
