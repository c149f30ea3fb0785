//! Which values a server takes, for keywords of JSON Schema whose types or rules say less than they do
//! at first sight: bytes over a socket. `schemas/cases.json` has the values; what it says of each
//! is what the Python package jsonschema says of it (draft 2020-12). Where a server takes a value all
//! the same, the case names the code that reports it.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

macro_rules! echo {
    ($($name:ident $stem:literal),*) => {
        $(mod $name {
            #![allow(unused, unreachable_pub, missing_docs)]
            include!(concat!(env!("OUT_DIR"), "/", $stem, ".rs"));
        }

        impl $name::server::CasesApi for Echo {
            async fn echo(
                &self,
                _: bothends_runtime::server::Context,
                request: $name::operations::EchoRequest,
            ) -> Result<
                $name::operations::EchoResponse,
                bothends_runtime::server::Error<$name::operations::EchoError>,
            > {
                Ok($name::operations::EchoResponse::Ok(request.body))
            }
        })*

        fn app(spec: &str) -> axum::Router {
            $(if spec == $stem {
                return axum::Router::new().fallback_service($name::server::router(Echo));
            })*
            unreachable!("no server for {spec}")
        }
    };
}

/// Returns what was sent.
struct Echo;

echo!(
    any_of "any-of",
    required_names "required-names",
    prefix_items "prefix-items",
    constants "constants"
);

/// The status and the body of the answer to a body.
async fn post(address: std::net::SocketAddr, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    let length = body.len();
    let request = format!(
        "POST /cases HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).await.expect("an answer");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body.to_owned())
}

/// Whether two values are the same, `1` and `1.0` too.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, of)| is_same(one, of))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_there = |(key, one)| other.get(key).is_some_and(|of| is_same(one, of));
            one.len() == other.len() && one.iter().all(is_there)
        }
        _ => one == other,
    }
}

/// The codes that are reported for a document.
fn told(spec: &str) -> Vec<&'static str> {
    let path = bothends_tests::root().join(format!("spec/features/{spec}.yaml"));
    let plan = bothends::Builder::new(path).plan().expect("a plan");
    plan.diagnostics.iter().map(|found| found.code.id).collect()
}

#[tokio::test]
async fn a_server_takes_what_is_valid_and_returns_all_of_it() {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("schemas/cases.json")).expect("the cases");
    let mut by_spec: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for case in &cases {
        let spec = case["spec"].as_str().expect("a spec");
        by_spec.entry(spec).or_default().push(case);
    }
    let mut wrong = Vec::new();
    for (spec, cases) in by_spec {
        let told = told(spec);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let app = app(spec);
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        for case in cases {
            let of = case["of"].as_str().expect("a property");
            let (status, answer) = post(address, &json!({ of: case["value"] }).to_string()).await;
            let reported = case["taken"].as_str();
            assert!(reported.is_none_or(|code| told.contains(&code)), "{case}");
            let valid = case["valid"] == true || reported.is_some();
            let kept = case.get("kept").unwrap_or(&case["value"]);
            let same = serde_json::from_str(&answer)
                .is_ok_and(|answer: Value| is_same(&answer, &json!({ of: kept })));
            if (valid, status, same) != (valid, if valid { 200 } else { 400 }, valid) {
                wrong.push(format!("{case}\n    {status} {answer}"));
            }
        }
        server.abort();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
