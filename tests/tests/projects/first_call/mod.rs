//! The first call of a new project, against a server in Python: over https, over http, and what is said
//! where it cannot be made.

mod authority;
mod peer;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use authority::Authority;
use bothends_tests::scratch::{new_project, run, target};
use peer::Peer;

/// Of the operations that need nothing else, the first needs credentials.
fn document(server: &str) -> String {
    format!(
        "openapi: 3.1.0
info: {{ title: Bank, version: 1.0.0 }}
servers: [{{ url: '{server}' }}]
security: [{{ key: [] }}]
paths:
  /accounts:
    get:
      operationId: listAccounts
      responses: {{ '200': {{ description: All, content: {{ application/json: {{ schema: {{ type: array, items: {{ type: string }} }} }} }} }} }}
  /status:
    get:
      operationId: getStatus
      security: []
      responses:
        '200':
          description: How the service is.
          content:
            application/json:
              schema: {{ type: object, required: [state], properties: {{ state: {{ type: string }} }} }}
components:
  securitySchemes:
    key: {{ type: apiKey, in: header, name: X-Key }}
"
    )
}

/// `bothends new NAME --spec api.yaml --template TEMPLATE` for a server, in a folder.
fn project(dir: &Path, name: &str, template: &str, server: &str) -> PathBuf {
    let spec = dir.join("api.yaml");
    fs::write(&spec, document(server)).expect("written");
    let project = dir.join(name);
    new_project(&project, template, &spec).expect("a project");
    project
}

/// Builds a project and runs its program, with this certificate trusted and no other.
fn build_and_run(project: &Path, trusted: &Path) -> Output {
    let built = run(project, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    program(project)
        .env("SSL_CERT_FILE", trusted)
        .env_remove("SSL_CERT_DIR")
        .output()
        .expect("the program runs")
}

fn program(project: &Path) -> Command {
    let name = project.file_name().expect("a name");
    Command::new(target().join("debug").join(name))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_new_client_calls_by_https() {
    let dir = tempfile::tempdir().expect("a folder");
    let (authority, stranger) = (Authority::new("known"), Authority::new("unknown"));
    let files = authority.issue(dir.path(), "localhost");
    let mut server = Peer::https(&files);
    let url = format!("https://localhost:{}/v1", server.port);

    let project = project(dir.path(), "https-client", "client", &url);
    let output = build_and_run(&project, &authority.file(dir.path()));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert!(out.contains("up and running"), "{out}");
    assert_eq!(server.request(), "GET /v1/status");

    // A server that is not trusted: what is wrong is said, with its causes.
    let output = build_and_run(&project, &stranger.file(dir.path()));
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    let lines: Vec<&str> = err.lines().collect();
    assert!(lines[0].starts_with("error: the transport failed"), "{err}");
    assert!(lines.len() > 1, "{err}");
    let causes = &lines[1..];
    assert!(
        causes.iter().all(|line| line.starts_with("caused by: ")),
        "{err}"
    );
    assert!(err.contains("certificate"), "{err}");
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_new_client_calls_by_http() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut server = Peer::http();
    let url = format!("http://localhost:{}", server.port);
    let trusted = Authority::new("known").file(dir.path());
    for (name, template) in [("http-client", "client"), ("http-build-rs", "build-rs")] {
        let project = project(dir.path(), name, template, &url);
        let output = build_and_run(&project, &trusted);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{out}{err}");
        assert!(out.contains("up and running"), "{out}");
        assert_eq!(server.request(), "GET /status");
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn https_without_tls_names_the_feature() {
    let dir = tempfile::tempdir().expect("a folder");
    let whole = project(
        dir.path(),
        "no-tls-client",
        "client",
        "https://localhost:1/v1",
    );
    // An operation with a server of its own: the client can be made, the call cannot.
    let spec = document("http://localhost:1").replace(
        "  /status:\n",
        "  /status:\n    servers: [{ url: 'https://localhost:1/v1/status' }]\n",
    );
    fs::write(dir.path().join("api.yaml"), spec).expect("written");
    let call = dir.path().join("no-tls-call");
    new_project(&call, "client", &dir.path().join("api.yaml")).expect("a project");
    needs_tls(&whole, "https://localhost:1/v1");
    needs_tls(&call, "https://localhost:1/v1/status/status");
}

/// A client whose API is without TLS says what it needs.
fn needs_tls(project: &Path, url: &str) {
    let built = run(project, &["build", "--no-default-features"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let output = program(project).output().expect("the program runs");
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert_eq!(
        err,
        format!(
            "error: `{url}` needs TLS, which is not compiled in: enable the feature \
         `rustls` or `native-tls` of `bothends-runtime`, or of the generated crate\n"
        )
    );
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn without_a_transport_a_new_client_does_not_compile_and_is_told_why() {
    let dir = tempfile::tempdir().expect("a folder");
    let url = "https://localhost:1/v1";
    let project = project(dir.path(), "no-transport-client", "client", url);
    let path = project.join("Cargo.toml");
    let manifest = fs::read_to_string(&path).expect("a manifest");
    let (with, without) = ("[\"client\", \"hyper\"]", "[\"client\"]");
    assert!(manifest.contains(with), "{manifest}");
    fs::write(&path, manifest.replace(with, without)).expect("written");
    let checked = run(&project, &["check", "--no-default-features"]).expect("cargo runs");
    assert!(!checked.clean, "{}", checked.output);
    let message = "error[E0277]: `Client::new` needs the feature `rustls`, `native-tls` or `hyper` \
                   of `bothends-runtime`";
    assert!(checked.output.contains(message), "{}", checked.output);
    let help = "or call `Client::with_transport` with a transport of your own";
    assert!(checked.output.contains(help), "{}", checked.output);
    // Nothing else is wrong with it.
    assert_eq!(
        checked.output.matches("error[").count(),
        1,
        "{}",
        checked.output
    );
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_new_server_is_where_the_document_says_and_lets_nobody_in() {
    use std::io::{BufRead, BufReader};

    let dir = tempfile::tempdir().expect("a folder");
    let url = "https://api.example.com/v2/";
    let project = project(dir.path(), "new-server", "server", url);
    let built = run(&project, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let mut server = program(&project)
        .arg("127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut line = String::new();
    let out = server.stdout.take().expect("its output");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let url = line.trim().strip_prefix("listening on ").expect("a URL");
    assert!(url.ends_with("/v2"), "{url}");
    let bare = url.trim_end_matches("/v2");
    let statuses = [
        peer::get(&format!("{url}/status"), &[]),
        peer::get(&format!("{url}/accounts"), &[]),
        peer::get(&format!("{url}/accounts"), &["X-Key: open sesame"]),
        peer::get(&format!("{bare}/status"), &[]),
    ];
    server.kill().expect("it ends");
    server.wait().expect("it has ended");
    assert_eq!(statuses, [501, 401, 401, 404]);
}

#[test]
fn a_new_receiver_prints_webhooks_and_refuses_them() {
    use std::io::{BufRead, BufReader, Read, Write};

    let dir = tempfile::tempdir().expect("a folder");
    let spec = dir.path().join("hooks.yaml");
    fs::write(
        &spec,
        "openapi: 3.1.0
info: { title: Hooks, version: 1.0.0 }
webhooks:
  orderShipped:
    post:
      requestBody:
        content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } }
      responses: { '204': { description: Noted } }
",
    )
    .expect("written");
    let project = dir.path().join("new-receiver");
    new_project(&project, "server", &spec).expect("a project");
    let built = run(&project, &["build"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);
    let mut receiver = program(&project)
        .arg("127.0.0.1:0")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(receiver.stdout.take().expect("its output")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    let first = line();
    let address = first.strip_prefix("listening on http://").expect("a URL");
    let mut stream = std::net::TcpStream::connect(address).expect("a connection");
    write!(
        stream,
        "POST /orderShipped HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: 8\r\nconnection: close\r\n\r\n{{\"id\":7}}"
    )
    .expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("a response");
    let printed = line();
    receiver.kill().expect("it ends");
    receiver.wait().expect("it has ended");
    assert!(response.starts_with("HTTP/1.1 501 "), "{response}");
    assert_eq!(printed, "POST /orderShipped: NoHandler");
}
