//! What the tests share: a sandbox, changes of its state, and HTTP as it is on the wire.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::model::{Product, Project};
use financial_data_sandbox::seed::{self, Seeded};
use financial_data_sandbox::store::{Changes, CommitError, Stored};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

pub(crate) async fn start() -> (Sandbox, Seeded) {
    let sandbox = crate::database::start().await;
    let seeded = sandbox.first().expect("a first project").clone();
    (sandbox, seeded)
}

pub(crate) async fn project(sandbox: &Sandbox, id: &str) -> Stored<Project> {
    let project = sandbox.app().project(id).await.expect("a database");
    project.expect("a project")
}

/// Changes a project; the change is made again if the project was changed meanwhile.
pub(crate) async fn change(sandbox: &Sandbox, id: &str, change: impl Fn(&mut Project)) -> Project {
    loop {
        let mut stored = project(sandbox, id).await;
        change(&mut stored.value);
        let mut changes = Changes::new();
        changes.update(&stored);
        match sandbox.app().store.commit(changes).await {
            Ok(()) => return stored.value,
            Err(CommitError::Conflict) => {}
            Err(CommitError::Storage(error)) => panic!("{error}"),
        }
    }
}

/// A connection that is kept open between requests.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// A response as it was received.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
    /// Whether the connection ended before the announced length.
    pub(crate) is_cut: bool,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code_id"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

impl Connection {
    pub(crate) async fn open(sandbox: &Sandbox) -> Self {
        let address = sandbox.api_url().trim_start_matches("http://");
        let stream = TcpStream::connect(address).await.expect("a connection");
        Self {
            stream: BufReader::new(stream),
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, &[], "").await
    }

    /// Sends a request. A body gets its length, whatever the headers say.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: sandbox\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let reply = self.raw(request.as_bytes(), method).await;
        reply.expect("a response")
    }

    /// Sends bytes. `None` if the connection was closed without a response.
    pub(crate) async fn raw(&mut self, request: &[u8], method: &str) -> Option<Reply> {
        self.stream.write_all(request).await.ok()?;
        let mut line = String::new();
        self.stream.read_line(&mut line).await.ok()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).await.ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(0, |(_, length)| length.parse().expect("a length"));
        let length = if method == "HEAD" { 0 } else { length };
        let mut body = vec![0; length];
        let mut read = 0;
        while read < length {
            match self.stream.read(&mut body[read..]).await {
                Ok(0) | Err(_) => break,
                Ok(count) => read += count,
            }
        }
        body.truncate(read);
        Some(Reply {
            status,
            headers,
            body: String::from_utf8(body).expect("text"),
            is_cut: read < length,
        })
    }
}

/// A client that knows its secrets.
pub(crate) struct Client {
    pub(crate) connection: Connection,
    pub(crate) client_id: String,
    pub(crate) basic: String,
    pub(crate) access: String,
    pub(crate) refresh: String,
}

impl Client {
    /// Connects, and obtains tokens.
    pub(crate) async fn open(sandbox: &Sandbox, seeded: &Seeded) -> Self {
        let pair = format!("{}:{}", seeded.client_id, seeded.client_secret);
        let mut client = Self {
            connection: Connection::open(sandbox).await,
            client_id: seeded.client_id.clone(),
            basic: format!("Basic {}", STANDARD.encode(pair)),
            access: String::new(),
            refresh: String::new(),
        };
        let reply = client.token().await;
        assert_eq!(reply.status, 200, "{reply:?}");
        client.take(&reply);
        client
    }

    /// Takes the tokens of a response.
    pub(crate) fn take(&mut self, reply: &Reply) {
        let data = &reply.json()["data"];
        let text = |name: &str| data[name].as_str().expect("a token").to_owned();
        self.access = text("access_token");
        self.refresh = text("refresh_token");
    }

    /// Requests tokens with the client credentials.
    pub(crate) async fn token(&mut self) -> Reply {
        let basic = self.basic.clone();
        let headers = [("Authorization", basic.as_str()), FORM];
        let body = "grant_type=client_credentials";
        self.connection.send("POST", TOKEN, &headers, body).await
    }

    /// Requests tokens with a refresh token.
    pub(crate) async fn exchange(&mut self, refresh: &str) -> Reply {
        let id = self.client_id.clone();
        let body = format!("grant_type=refresh_token&refresh_token={refresh}");
        let headers = [("X-Client-Id", id.as_str()), FORM];
        self.connection.send("POST", TOKEN, &headers, &body).await
    }

    /// Calls an operation with the access token, and further headers.
    pub(crate) async fn call(
        &mut self,
        method: &str,
        path: &str,
        more: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let (bearer, id) = (format!("Bearer {}", self.access), self.client_id.clone());
        let mut headers = vec![("Authorization", bearer.as_str()), ("X-Client-Id", &id)];
        headers.extend(more);
        self.connection.send(method, path, &headers, body).await
    }

    /// Starts a refresh for a customer.
    pub(crate) async fn start(&mut self, customer: &str, more: &[(&str, &str)]) -> Reply {
        let headers = [&[("X-Customer-Id", customer)], more].concat();
        self.call("POST", REFRESH, &headers, "").await
    }

    /// Reads the record of a task.
    pub(crate) async fn status(&mut self, task: &str) -> Reply {
        self.call("GET", &format!("{REFRESH}/{task}"), &[], "")
            .await
    }
}

pub(crate) const TOKEN: &str = "/v1/oauth/token";
pub(crate) const REFRESH: &str = "/v1/open-banking/refresh";
pub(crate) const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");
pub(crate) const JSON: (&str, &str) = ("Content-Type", "application/json");

/// Adds a project with credentials of its own.
pub(crate) async fn another(sandbox: &Sandbox) -> Seeded {
    let mut changes = Changes::new();
    let seeded = seed::new_project(&mut changes, "Another", &Product::ALL, None);
    sandbox
        .app()
        .store
        .commit(changes)
        .await
        .expect("a database");
    seeded.expect("random numbers")
}
