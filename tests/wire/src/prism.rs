//! Drives the generated client of a spec against Prism, a server that somebody else wrote and that
//! checks every request against the document.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bothends::Builder;
use bothends::ir::{Api, Scheme, SchemeKind};
use bothends_runtime::client::{
    Basic, ClientCore, Credential, CredentialSource, HyperTransport, Secret,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::Spec;
use crate::desk::{Desk, Parts};
use crate::invent::Inventor;

/// What Prism says of a request that is not as documented, in the `type` of its answer.
const REFUSALS: [&str; 7] = [
    "INVALID_CONTENT_TYPE",
    "METHOD_MISMATCH",
    "NO_PATH_MATCHED_ERROR",
    "NO_SERVER_MATCHED_ERROR",
    "UNAUTHORIZED",
    "UNPROCESSABLE_ENTITY",
    "UNSUPPORTED_MEDIA_TYPE",
];

/// What Prism does not take though it is as documented.
const UNKNOWN_TO_PRISM: [(&str, &str); 2] = [
    // A list of one file is one part; Prism holds it for no list.
    (
        "corpus_3_0_yaml_file_uploads",
        "put anything multipart-formdata",
    ),
    // `""` is a body of JSON; Prism holds it for none.
    (
        "corpus_3_0_yaml_request_examples",
        "post requestBody-primitive-example",
    ),
];

/// What came of driving.
#[derive(Debug, Default)]
pub struct Tally {
    /// Operations that were driven.
    pub operations: usize,
    /// Requests that Prism answered.
    pub answered: usize,
    /// Cases in which the client refused to write its value.
    pub unwritten: usize,
    /// What Prism refused, the first of each operation.
    pub refused: Vec<String>,
}

/// Prism with its document; it ends with this.
struct Prism {
    child: Child,
    address: String,
}

impl Prism {
    fn start(program: &str, document: &str) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(program)
            .args([
                "mock",
                "--errors",
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                document,
            ])
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let out = child.stdout.take().ok_or("no output")?;
        let mut lines = BufReader::new(out).lines();
        let mark = "listening on ";
        let found = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once(mark)?;
            let end =
                address.find(|character: char| character.is_whitespace() || character == '\u{1b}');
            Some(address[..end.unwrap_or(address.len())].to_owned())
        });
        // What it goes on to say is taken, so that it never waits for somebody to read it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        match found {
            Some(address) => Ok(Self { child, address }),
            None => {
                child.kill().ok();
                Err(format!("Prism did not start with {document}").into())
            }
        }
    }
}

impl Drop for Prism {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Stands between the client and Prism, and keeps what was refused.
#[derive(Clone)]
struct Between {
    to: String,
    client: bothends_runtime::client::HyperTransport,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    answered: usize,
    refusal: Option<String>,
}

impl Between {
    fn seen(&self) -> Seen {
        std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn pass(State(between): State<Between>, request: Request) -> Response {
    match forward(&between, request).await {
        Ok(response) => response,
        Err(error) => (http::StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
    }
}

async fn forward(between: &Between, request: Request) -> Result<Response, Box<dyn Error>> {
    use bothends_runtime::client::{Body, Transport};
    let (mut parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 16 << 20).await?;
    let target = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let shown = format!(
        "{} {target}\n{:?}\n{}",
        parts.method,
        parts.headers,
        String::from_utf8_lossy(&body)
    );
    parts.uri = format!("{}{target}", between.to).parse()?;
    parts.headers.remove(http::header::HOST);
    let request = http::Request::from_parts(parts, Body::from(body));
    let (parts, body) = between.client.send(request).await?.into_parts();
    let body: Bytes = body.collect(16 << 20).await?;
    let text = String::from_utf8_lossy(&body);
    let kind = text
        .split_once("stoplight.io/prism/errors#")
        .and_then(|(_, rest)| rest.split('"').next());
    {
        let mut seen = between.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.answered += 1;
        if kind.is_some_and(|kind| REFUSALS.contains(&kind)) {
            seen.refusal = Some(format!("{shown}\n→ {}\n{text}", parts.status));
        }
    }
    let mut response = Response::new(axum::body::Body::from(body.clone()));
    *response.status_mut() = parts.status;
    *response.headers_mut() = parts.headers;
    response
        .headers_mut()
        .remove(http::header::TRANSFER_ENCODING);
    Ok(response)
}

/// Something for every scheme.
struct Shown(Vec<(String, Credential)>);

impl Shown {
    fn new(schemes: &[Scheme]) -> Self {
        let name = |name: &str| -> &'static str { Box::leak(name.to_owned().into_boxed_str()) };
        let secret = Secret::from("c2VjcmV0");
        let shown = schemes.iter().map(|scheme| {
            let credential = match &scheme.kind {
                SchemeKind::Basic => Credential::Basic(Basic::new("user", secret.clone())),
                SchemeKind::Bearer => Credential::Bearer(secret.clone()),
                SchemeKind::Header(header) => Credential::Header(name(header), secret.clone()),
                SchemeKind::Query(key) => Credential::Query(name(key), secret.clone()),
                SchemeKind::Cookie(key) => Credential::Cookie(name(key), secret.clone()),
                SchemeKind::Http(_) | SchemeKind::Transport => Credential::Transport,
            };
            (scheme.name.wire.clone(), credential)
        });
        Self(shown.collect())
    }
}

impl CredentialSource for Shown {
    fn find(&self, scheme: &str) -> Option<Credential> {
        let found = self.0.iter().find(|(name, _)| name == scheme);
        found.map(|(_, credential)| credential.clone())
    }
}

/// Drives every operation of a spec with as many cases each.
///
/// # Errors
/// When the spec cannot be read, or Prism does not start with it.
pub fn drive(
    program: &str,
    spec: &Spec,
    cases: u32,
    tally: &mut Tally,
) -> Result<(), Box<dyn Error>> {
    let builder = Builder::new(spec.path).module(true);
    let builder = spec
        .allow
        .iter()
        .fold(builder, |builder, code| builder.allow(*code));
    let api = builder.plan()?.api;
    let prism = Prism::start(program, spec.path)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let between = Between {
        to: prism.address.clone(),
        client: HyperTransport::new()?,
        seen: Arc::default(),
    };
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))?;
    let base = format!("http://{}", listener.local_addr()?);
    let router = axum::Router::new()
        .fallback(pass)
        .with_state(between.clone());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let core = ClientCore::new(&base, HyperTransport::new()?)?.override_all_servers();
    let core = core.credentials(Shown::new(&api.schemes));
    for (index, driver) in (spec.operations)().iter().enumerate() {
        if UNKNOWN_TO_PRISM.contains(&(spec.module, driver.id)) {
            continue;
        }
        let mut refusal = None;
        for choices in choices(cases) {
            let Some(begun) = begin(&api, index, &choices, driver.begin) else {
                tally.unwritten += 1;
                continue;
            };
            let desk = Desk::default();
            // What Prism answers is its own; what counts is what it says of the request.
            runtime.block_on(begun.run(&core, &desk));
            let seen = between.seen();
            tally.answered += seen.answered;
            tally.unwritten += usize::from(seen.answered == 0);
            refusal = refusal.or(seen.refusal);
        }
        tally.operations += 1;
        let reported = refusal.map(|refusal| format!("{} {}: {refusal}", spec.module, driver.id));
        tally.refused.extend(reported);
    }
    Ok(())
}

/// Always the same ones.
fn choices(cases: u32) -> Vec<Vec<u32>> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = proptest::collection::vec(proptest::num::u32::ANY, 0..120);
    (0..cases)
        .filter_map(|_| Some(strategy.new_tree(&mut runner).ok()?.current()))
        .collect()
}

fn begin(
    api: &Api,
    index: usize,
    choices: &[u32],
    begin: fn(&mut Parts) -> Result<crate::desk::Begun, String>,
) -> Option<crate::desk::Begun> {
    let operation = api.operations.get(index)?;
    let mut inventor = Inventor::new(api, choices).plain();
    let parts = inventor.case(operation);
    begin(&mut Parts::new(parts, inventor.is_ambiguous(operation))).ok()
}
