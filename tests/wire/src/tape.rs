//! Recorded exchanges: a peer that is not ours stands between the two generated ends.
//!
//! The client connects to it and not to the server. It asserts that the client sends what is recorded, sends
//! the recorded bytes to the server, asserts that the server answers what is recorded, and answers the client
//! the recorded bytes. What both ends have then is compared as always. So a mistake that both ends make in the
//! same way is seen: the recording does not make it.

use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;

use bothends_runtime::Json;
use bothends_runtime::client::{ClientCore, HyperTransport};
use serde::Deserialize;

use crate::desk::{Desk, Verdict};
use crate::loopback::Ends;
use crate::message::Message;
use crate::wire::{begin, spec};

/// A recording. What is asserted of an end that is left out is nothing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tape {
    /// What it shows, and where the rule is from.
    pub shows: String,
    /// The module of its document.
    pub spec: String,
    /// The operation.
    pub operation: String,
    /// The values of the parameters and of the body, the index of the response among all of the operation, its
    /// headers and its body.
    pub parts: Json,
    /// What the client sends, and the server reads as the same.
    pub request: String,
    /// What others send instead, and the server reads as the same too.
    #[serde(default)]
    pub requests_of_others: Vec<String>,
    /// What the server answers, and the client reads as the same.
    pub response: String,
    /// What others answer instead, and the client reads as the same too.
    #[serde(default)]
    pub responses_of_others: Vec<String>,
}

/// What the peer does with one exchange.
#[derive(Clone)]
struct Script {
    request: Message,
    response: Message,
    asserts: Asserts,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asserts {
    Both,
    /// Somebody else sends the request.
    Server,
    /// Somebody else sends the response: the server is asked by what the client sent.
    Client,
}

/// The recordings of a file.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn tapes(file: &Path) -> Vec<Tape> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

impl Tape {
    /// Plays it, as it is and in each spelling of others; what went wrong.
    #[must_use]
    pub fn play(&self) -> Vec<String> {
        let request = Message::of(&self.request);
        let response = Message::of(&self.response);
        let mut scripts = vec![Script {
            request: request.clone(),
            response: response.clone(),
            asserts: Asserts::Both,
        }];
        scripts.extend(self.requests_of_others.iter().map(|other| Script {
            request: Message::of(other),
            response: response.clone(),
            asserts: Asserts::Server,
        }));
        scripts.extend(self.responses_of_others.iter().map(|other| Script {
            request: request.clone(),
            response: Message::of(other),
            asserts: Asserts::Client,
        }));
        let played = scripts.into_iter().filter_map(|script| {
            let shown = (script.request.first.clone(), script.response.first.clone());
            let why = self.exchange(script).err()?;
            Some(format!("{}: {shown:?}: {why}", self.shows))
        });
        played.collect()
    }

    fn exchange(&self, script: Script) -> Result<(), String> {
        let desk = Desk::default();
        let begun = begin(&self.spec, &self.operation, &self.parts);
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let peer = listener.local_addr().map_err(|error| error.to_string())?;
        let ends = Ends::through(&spec(&self.spec), &desk, peer);
        let (ends, server) = ends.map_err(|error| error.to_string())?;
        let peer = between(listener, server, script);
        let verdict = ends.run(|core: &ClientCore<HyperTransport>| begun.run(core, &desk));
        drop(ends);
        if verdict != Verdict::Equal {
            // The peer may wait for a client that never came.
            let seen = peer
                .is_finished()
                .then(|| peer.join().map_err(|_| "the peer panicked".to_owned()));
            return Err(format!("{verdict:?}, the peer: {seen:?}"));
        }
        peer.join().map_err(|_| "the peer panicked".to_owned())?
    }
}

/// The peer between the ends, for one exchange.
fn between(
    listener: TcpListener,
    server: SocketAddr,
    script: Script,
) -> JoinHandle<Result<(), String>> {
    std::thread::spawn(move || {
        let io = |error: std::io::Error| error.to_string();
        let (mut client, _) = listener.accept().map_err(io)?;
        let sent = Message::read(&client, false).map_err(io)?;
        let mut request = script.request.clone();
        if script.asserts == Asserts::Client {
            request = sent.clone();
        }
        if request.field("host").is_none() {
            request.fields.push(("host".to_owned(), server.to_string()));
        }
        let mut upstream = TcpStream::connect(server).map_err(io)?;
        upstream.write_all(&request.bytes()).map_err(io)?;
        let answered = Message::read(&upstream, true).map_err(io)?;
        client.write_all(&script.response.bytes()).map_err(io)?;
        if script.asserts == Asserts::Both {
            equal("the client sent", &sent, &script.request)?;
        }
        if script.asserts != Asserts::Client {
            equal("the server answered", &answered, &script.response)?;
        }
        Ok(())
    })
}

fn equal(what: &str, came: &Message, recorded: &Message) -> Result<(), String> {
    let (came, recorded) = (came.asserted(), recorded.asserted());
    if came == recorded {
        return Ok(());
    }
    Err(format!("{what}\n{came}\nand recorded is\n{recorded}"))
}
