//! The other end, in Python: its standard library alone.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::authority::Files;

/// Prints its port, and then a line for each request.
const SERVER: &str = r#"
import http.server, ssl, sys

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        print(self.command, self.path, flush=True)
        found = self.path.endswith("/status")
        body = b'{"state": "up and running"}' if found else b"{}"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
if len(sys.argv) > 1:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
"#;

/// Prints the status of the response to a GET.
const CLIENT: &str = r"
import sys, urllib.request, urllib.error

headers = dict(header.split(': ', 1) for header in sys.argv[2:])
try:
    print(urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers=headers)).status)
except urllib.error.HTTPError as error:
    print(error.code)
";

/// A server in Python, until it is dropped.
pub(crate) struct Peer {
    process: Child,
    lines: BufReader<ChildStdout>,
    pub(crate) port: u16,
}

impl Peer {
    pub(crate) fn http() -> Self {
        Self::start(Command::new("python3").arg("-c").arg(SERVER))
    }

    pub(crate) fn https(files: &Files) -> Self {
        let mut python = Command::new("python3");
        python.arg("-c").arg(SERVER);
        Self::start(python.arg(&files.certificate).arg(&files.key))
    }

    fn start(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().expect("python3");
        let lines = BufReader::new(process.stdout.take().expect("its output"));
        let mut peer = Self {
            process,
            lines,
            port: 0,
        };
        peer.port = peer.request().parse().expect("a port");
        peer
    }

    /// The next request that has come.
    pub(crate) fn request(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        line.trim().to_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The status of a GET by Python's `urllib`.
pub(crate) fn get(url: &str, headers: &[&str]) -> u16 {
    let mut python = Command::new("python3");
    let run = python.args(["-c", CLIENT, url]).args(headers);
    let output = run.output().expect("python3");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let status = text.trim().parse();
    status.map_err(|_| stderr).expect("a status")
}
