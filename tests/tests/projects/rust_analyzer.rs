//! rust-analyzer, called as an editor calls it: by the Language Server Protocol over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bothends_tests::scratch;
use serde_json::{Value, json};

/// rust-analyzer with an opened project.
pub(crate) struct Editor {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
    /// Whether everything is loaded.
    is_ready: bool,
}

impl Editor {
    /// Opens a project and one of its files, and waits until all of it is loaded.
    pub(crate) fn open(project: &Path, uri: &str, text: &str) -> Self {
        let mut process = Command::new("rust-analyzer")
            .current_dir(project)
            .env("CARGO_TARGET_DIR", scratch::target())
            .env("CARGO_NET_OFFLINE", "true")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("rust-analyzer starts");
        let input = process.stdin.take().expect("its input");
        let output = BufReader::new(process.stdout.take().expect("its output"));
        let mut editor = Self {
            process,
            input,
            output,
            requests: 0,
            is_ready: false,
        };
        let edits = json!({ "resolveSupport": { "properties": ["edit"] }, "dataSupport": true, "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } });
        editor.request(
            "initialize",
            json!({
                "processId": null,
                "rootUri": format!("file://{}", project.display()),
                "capabilities": {
                    "textDocument": { "codeAction": edits },
                    "experimental": { "serverStatusNotification": true },
                },
                "initializationOptions": { "checkOnSave": false, "cachePriming": { "enable": false } },
            }),
        );
        editor.send(&json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        editor.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
        while !editor.is_ready {
            editor.receive();
        }
        editor
    }

    /// Returns the edits of an action at a place: the offset in the text, and what is inserted there.
    pub(crate) fn action(
        &mut self,
        uri: &str,
        text: &str,
        at: usize,
        title: &str,
    ) -> Vec<(usize, String)> {
        let before = &text[..at];
        let line = before.matches('\n').count();
        let column = at - before.rfind('\n').map_or(0, |end| end + 1);
        let place = json!({ "line": line, "character": column });
        let actions = self.request(
            "textDocument/codeAction",
            json!({
                "textDocument": { "uri": uri },
                "range": { "start": place, "end": place },
                "context": { "diagnostics": [] },
            }),
        );
        let mut all = actions.as_array().into_iter().flatten();
        let action = all.find(|action| action["title"] == title);
        let action = action.unwrap_or_else(|| unreachable!("no action `{title}` in {actions}"));
        let resolved = self.request("codeAction/resolve", action.clone());
        let edits = resolved["edit"]["documentChanges"][0]["edits"].as_array();
        let insertions = edits.into_iter().flatten().map(|edit| {
            assert_eq!(edit["range"]["start"], edit["range"]["end"], "{edit}");
            let start = &edit["range"]["start"];
            let number = |value: &Value| {
                usize::try_from(value.as_u64().expect("a number")).expect("an offset")
            };
            let lines = text.split_inclusive('\n').take(number(&start["line"]));
            let offset = lines.map(str::len).sum::<usize>() + number(&start["character"]);
            (offset, edit["newText"].as_str().expect("a text").to_owned())
        });
        insertions.collect()
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("sent");
        self.input.flush().expect("sent");
    }

    fn request(&mut self, method: &str, parameters: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let mut message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    /// Receives a message, and responds to those that need a response.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("a header");
            assert!(read > 0, "rust-analyzer ended");
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a message");
        let message: Value = serde_json::from_slice(&text).expect("JSON");
        if message["method"] == "experimental/serverStatus" {
            self.is_ready = message["params"]["quiescent"] == true;
        } else if message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            let response = json!({ "jsonrpc": "2.0", "id": id, "result": null });
            self.send(&response);
        }
        message
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // A process that has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
