//! The programs of `examples/`: each runs to its end, and compiles alone.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use bothends_tests::root;
use bothends_tests::scratch::{programs, run};

/// The executables by package.
static PROGRAMS: LazyLock<BTreeMap<String, PathBuf>> = LazyLock::new(|| {
    let names = ["example-client", "example-server", "example-webhooks"];
    programs(&names).expect("the examples are built")
});

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

/// The programs above have the features of the whole workspace.
#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn each_example_compiles_alone() {
    for example in ["client", "server", "webhooks"] {
        let package = format!("example-{example}");
        let checked = run(&root(), &["check", "--package", &package]).expect("cargo runs");
        assert!(checked.clean, "{}", checked.output);
    }
}
