//! Walks through a page as a reader does, in an empty folder beside the checkout: files are written and
//! commands are run in the order of the page, and what they print is compared.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use bothends_tests::root;
use bothends_tests::scratch::{bothends, forget_package, run, target};
use tempfile::TempDir;

use super::block::{Block, blocks};
use super::pages::Page;
use super::{in_place, write};

/// What needs the network.
const SKIPPED: &[&str] = &["git clone ", "cargo install "];

/// The address in pages, whose port is taken by a free one.
const PORT: &str = ":8080";

/// Walks use one target folder, in which programs of several pages have the same name.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A reader in the middle of a page.
struct Walk {
    folder: TempDir,
    current: PathBuf,
    port: u16,
    service: Option<Child>,
}

/// Walks through a page.
pub(crate) fn walk(page: &Page) {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    walk_with(page, port);
}

/// Walks through a page whose programs call a server that responds to all requests with this JSON.
pub(crate) fn walk_beside_server(page: &Page, response: &'static str) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            respond(stream, response);
        }
    });
    walk_with(page, port);
}

fn walk_with(page: &Page, port: u16) {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    bothends().expect("the command");
    let folder = tempfile::tempdir().expect("a folder");
    let current = folder.path().to_path_buf();
    let mut walk = Walk {
        folder,
        current,
        port,
        service: None,
    };
    for block in blocks(&page.text) {
        walk.take(page, &block);
    }
}

/// Whether a block states a part of a manifest only.
pub(crate) fn is_fragment(block: &Block) -> bool {
    block.file() == Some("Cargo.toml") && !block.text.contains("[package]")
}

impl Walk {
    fn take(&mut self, page: &Page, block: &Block) {
        let place = format!("{}:{} ({})", page.path.display(), block.line, block.section);
        if let Some(file) = block.file().filter(|_| !is_fragment(block)) {
            let text = in_place(&block.text);
            write(&self.current, file, &self.with_port(&text));
        } else if block.language == "console" && block.flags.iter().any(|flag| flag == "service") {
            self.serve(&place);
        } else if block.language == "console" {
            for (command, expected) in commands(&block.text) {
                self.run(&place, &command, &expected);
            }
        }
    }

    fn with_port(&self, text: &str) -> String {
        text.replace(PORT, &format!(":{}", self.port))
    }

    /// Runs a command, and compares what it prints where the page shows something.
    fn run(&mut self, place: &str, command: &str, expected: &str) {
        if SKIPPED.iter().any(|skipped| command.starts_with(skipped)) {
            return;
        }
        if let Some(folder) = command.strip_prefix("cd ") {
            self.current = self.current.join(folder).canonicalize().expect(place);
            let inside = self.folder.path().canonicalize().expect("the folder");
            assert!(self.current.starts_with(inside), "{place}: {command}");
            return;
        }
        self.lock();
        let output = self.shell(command).output().expect("sh");
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{place}: {command}\n{out}{err}");
        let out = out.replace(&format!(":{}", self.port), PORT);
        assert!(
            expected.is_empty() || fits(expected, &out),
            "{place}: {command}\nshown:\n{expected}\nprinted:\n{out}\n{err}"
        );
    }

    /// Starts the program of the current folder, and waits until it listens.
    fn serve(&mut self, place: &str) {
        self.lock();
        let built = run(&self.current, &["build"]).expect("cargo runs");
        assert!(built.clean, "{place}: {}", built.output);
        let name = self.current.file_name().expect("a name");
        let mut service = Command::new(target().join("debug").join(name))
            .current_dir(&self.current)
            .stdout(Stdio::piped())
            .spawn()
            .expect(place);
        let mut line = String::new();
        let out = service.stdout.take().expect("its output");
        let mut lines = BufReader::new(out);
        lines.read_line(&mut line).expect("a line");
        // A program whose output has no reader cannot print.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        self.service = Some(service);
        assert!(line.starts_with("listening on "), "{place}: {line}");
    }

    /// The versions of the workspace, so that nothing is looked up on the network.
    fn lock(&self) {
        let lock = self.current.join("Cargo.lock");
        if self.current.join("Cargo.toml").exists() && !lock.exists() {
            fs::copy(root().join("Cargo.lock"), lock).expect("copied");
        }
    }

    fn shell(&self, command: &str) -> Command {
        let checkout = format!(" {}/", root().display());
        let command = command.replace(" ../bothends/", &checkout);
        let command = self.with_port(&command.replace(" bothends/", &checkout));
        let path = std::env::var("PATH").unwrap_or_default();
        let ours = target().join("debug");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &command])
            .current_dir(&self.current)
            .env("PATH", format!("{}:{path}", ours.display()))
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_NET_OFFLINE", "true")
            .env("RUSTFLAGS", "-D warnings")
            .env("CARGO_TERM_COLOR", "never");
        forget_package(&mut shell);
        shell
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        if let Some(service) = &mut self.service {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

/// The commands of a block, each with what it prints.
pub(crate) fn commands(block: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), String::new()));
        } else {
            let (_, expected) = commands.last_mut().expect("a command before its output");
            expected.push_str(line);
            expected.push('\n');
        }
    }
    commands
}

/// Whether a text is as shown, where `…` in a line stands for anything.
fn fits(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (shown.trim(), printed.trim());
    shown.lines().count() == printed.lines().count()
        && shown
            .lines()
            .zip(printed.lines())
            .all(|(shown, printed)| match shown.split_once('…') {
                Some((begin, end)) => printed.starts_with(begin) && printed.ends_with(end),
                None => shown.trim_end() == printed.trim_end(),
            })
}

/// Reads the head of a request and responds.
fn respond(mut stream: TcpStream, json: &str) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.extend(byte);
    }
    let length = json.len();
    let response = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{json}"
    );
    // A client that has gone away has its reasons.
    let _ = stream.write_all(response.as_bytes());
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether the dependencies in a part of a manifest exist with their features.
pub(crate) fn resolves(fragment: &str, beside: &Path) {
    let project = beside.join("fragment");
    let package = "[package]\nname = \"fragment\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n";
    write(
        &project,
        "Cargo.toml",
        &format!("{package}{}", in_place(fragment)),
    );
    write(&project, "src/lib.rs", "");
    let tree = run(&project, &["tree", "--quiet"]).expect("cargo runs");
    assert!(tree.clean, "{fragment}\n{}", tree.output);
}
