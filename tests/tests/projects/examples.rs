//! The programs of `examples/`: each is built as a user would and runs to its end.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use bothends_tests::root;
use serde_json::Value;

/// The executables by package.
static PROGRAMS: LazyLock<BTreeMap<String, PathBuf>> = LazyLock::new(build);

fn build() -> BTreeMap<String, PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = Command::new(cargo)
        .args(["build", "--offline", "--message-format", "json"])
        .args(["--package", "example-client"])
        .args(["--package", "example-server"])
        .args(["--package", "example-webhooks"])
        .current_dir(root())
        .env_remove("OUT_DIR")
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&build.stderr);
    assert!(build.status.success(), "{errors}");
    let messages = String::from_utf8(build.stdout).expect("UTF-8");
    messages
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter_map(|message| {
            let name = message["target"]["name"].as_str()?.to_owned();
            Some((name, message["executable"].as_str()?.into()))
        })
        .collect()
}

fn program(name: &str) -> Command {
    let mut command = Command::new(&PROGRAMS[name]);
    command.env_remove("BOOKSHOP_TOKEN").stdin(Stdio::null());
    command
}

/// The running server; it is stopped when this is dropped.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start() -> Self {
        let mut process = program("example-server")
            .arg("127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let stdout = process.stdout.take().expect("a pipe");
        let mut url = String::new();
        BufReader::new(stdout)
            .read_line(&mut url)
            .expect("the first line");
        let url = url.trim_end().to_owned();
        Self { process, url }
    }

    fn client(&self, token: Option<&str>) -> Output {
        let mut client = program("example-client");
        if let Some(token) = token {
            client.env("BOOKSHOP_TOKEN", token);
        }
        client.arg(&self.url).output().expect("the client runs")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server that has ended already is reported by the client.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn stdout(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn the_client_calls_the_server() {
    let server = Server::start();
    assert_eq!(
        stdout(&server.client(None)),
        "added book 1: The Dispossessed\n\
         1: The Dispossessed by Ursula K. Le Guin\n\
         not found: there is no book -1\n"
    );
}

#[test]
fn the_server_rejects_a_client_with_another_token() {
    let server = Server::start();
    let output = server.client(Some("another-token"));
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("401"), "{errors}");
}

#[test]
fn the_webhook_is_delivered() {
    let output = program("example-webhooks")
        .output()
        .expect("the program runs");
    assert_eq!(
        stdout(&output),
        "received order-7 in 2 parcels\ndelivered in attempt 1\n"
    );
}
