//! A server whose responses show the request, so that unequal requests are noticed.

use crate::message::Head;
use bench_inputs::{requests, transfer};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

/// Requests that wait until standard input has a line.
#[derive(Default)]
struct Held {
    state: Mutex<(usize, bool)>,
    released: Condvar,
}

impl Held {
    fn wait(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.0 += 1;
        println!("held {}", state.0);
        while !state.1 {
            let waited = self.released.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn release(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.released.notify_all();
    }
}

/// Serves until the process is ended.
pub fn serve() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("http://{}", listener.local_addr()?);
    let held = Arc::new(Held::default());
    let journal: Arc<str> = transfer::journal().into();
    let releasing = Arc::clone(&held);
    thread::spawn(move || {
        let mut line = String::new();
        while io::stdin().read_line(&mut line).is_ok_and(|read| read > 0) {
            releasing.release();
        }
    });
    for stream in listener.incoming() {
        let (stream, held, journal) = (stream?, Arc::clone(&held), Arc::clone(&journal));
        stream.set_nodelay(true)?;
        let small = thread::Builder::new().stack_size(128 << 10);
        small.spawn(move || drop(connection(stream, &held, &journal)))?;
    }
    Ok(())
}

fn connection(stream: TcpStream, held: &Held, journal: &str) -> io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut stream = BufReader::with_capacity(64 << 10, stream);
    while let Some(head) = Head::read(&mut stream)? {
        let target = head.first.split(' ').nth(1).unwrap_or_default();
        match (head.first.split(' ').next().unwrap_or_default(), target) {
            ("GET", "/journal") => lines(&mut out, journal)?,
            ("GET", "/blobs") => blob(&mut out)?,
            ("POST", "/blobs") => {
                let mut bytes = 0;
                head.body(&mut stream, |piece| bytes += piece.len())?;
                let receipt = format!(r#"{{"items":1,"bytes":{bytes}}}"#);
                respond(&mut out, "200 OK", &receipt)?;
            }
            ("POST", "/documents") => {
                let body = head.whole(&mut stream)?;
                let (items, bytes) = parts(head.header("content-type"), &body);
                let receipt = format!(r#"{{"items":{items},"bytes":{bytes}}}"#);
                respond(&mut out, "200 OK", &receipt)?;
            }
            (method, target) => {
                let body = head.whole(&mut stream)?;
                if target.contains(requests::HELD) {
                    held.wait();
                }
                let status = if method == "POST" {
                    "201 Created"
                } else {
                    "200 OK"
                };
                respond(&mut out, status, &entry(&head, method, target, &body))?;
            }
        }
    }
    Ok(())
}

fn respond(out: &mut TcpStream, status: &str, json: &str) -> io::Result<()> {
    let length = json.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{json}"
    );
    out.write_all(head.as_bytes())
}

/// Returns an entry that shows the request.
fn entry(head: &Head, method: &str, target: &str, body: &[u8]) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let body = escape(&String::from_utf8_lossy(body));
    // A client may accept any other media type after the documented one.
    let accept = head.header("accept").split(',').next().unwrap_or_default();
    let media = head.header("content-type");
    format!(
        r#"{{"id":42,"account":"acct-0193","title":"{method} {target}","amount":125000,"currency":"EUR","category":"{accept}","labels":["{media}","home","monthly"],"memo":"{body}"}}"#
    )
}

/// Sends the journal in chunks of 16 KiB.
fn lines(out: &mut TcpStream, journal: &str) -> io::Result<()> {
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: application/jsonl\r\ntransfer-encoding: chunked\r\n\r\n";
    out.write_all(head.as_bytes())?;
    for piece in journal.as_bytes().chunks(16 << 10) {
        let mut size = String::new();
        let _ = write!(size, "{:x}\r\n", piece.len());
        out.write_all(&[size.as_bytes(), piece, b"\r\n"].concat())?;
    }
    out.write_all(b"0\r\n\r\n")
}

/// Sends a body of 100 MB.
fn blob(out: &mut TcpStream) -> io::Result<()> {
    let piece = vec![b'x'; transfer::PIECE];
    let length = transfer::PIECE * transfer::PIECES;
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-length: {length}\r\n\r\n"
    );
    out.write_all(head.as_bytes())?;
    (0..transfer::PIECES).try_for_each(|_| out.write_all(&piece))
}

/// Returns the number of parts of a multipart body, and the number of bytes of their contents.
fn parts(content_type: &str, body: &[u8]) -> (usize, usize) {
    let boundary = content_type.split("boundary=").nth(1).unwrap_or_default();
    let boundary = format!("--{}", boundary.trim_matches('"'));
    let mut starts = Vec::new();
    let mut at = 0;
    while let Some(found) = find(&body[at..], boundary.as_bytes()) {
        starts.push(at + found);
        at += found + boundary.len();
    }
    let contents = starts.windows(2).map(|pair| {
        let part = &body[pair[0]..pair[1]];
        let content = find(part, b"\r\n\r\n").map_or(part.len(), |head| head + 4);
        part.len().saturating_sub(content + 2)
    });
    (starts.len().saturating_sub(1), contents.sum())
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let last = text.len().checked_sub(wanted.len())?;
    (0..=last).find(|&at| text[at] == wanted[0] && text[at..].starts_with(wanted))
}
