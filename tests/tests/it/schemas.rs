//! Which values a server takes, for keywords of JSON Schema whose types or rules say less than they do
//! at first sight: bytes over a socket. `schemas/cases.json` has the values; what it says of each
//! is what the Python package jsonschema says of it (draft 2020-12). Where a server takes a value all
//! the same, the case names the code that reports it.

use bothends::ir::TypeKind;
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
                Ok($name::operations::EchoResponse::new(request.body))
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
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| is_same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let is_there = |(key, left)| right.get(key).is_some_and(|value| is_same(left, value));
            left.len() == right.len() && left.iter().all(is_there)
        }
        _ => left == right,
    }
}

/// The codes that are reported for a document.
fn reported(spec: &str) -> Vec<&'static str> {
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
        let reported = reported(spec);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let app = app(spec);
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        for case in cases {
            let property = case["of"].as_str().expect("a property");
            let (status, answer) =
                post(address, &json!({ property: case["value"] }).to_string()).await;
            let taken = case["taken"].as_str();
            assert!(taken.is_none_or(|code| reported.contains(&code)), "{case}");
            let valid = case["valid"] == true || taken.is_some();
            let kept = case.get("kept").unwrap_or(&case["value"]);
            let same = serde_json::from_str(&answer)
                .is_ok_and(|answer: Value| is_same(&answer, &json!({ property: kept })));
            if (valid, status, same) != (valid, if valid { 200 } else { 400 }, valid) {
                wrong.push(format!("{case}\n    {status} {answer}"));
            }
        }
        server.abort();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The plan of a document with these schemas.
fn plan(schemas: &Value) -> bothends::Plan {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.json");
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "T", "version": "1"},
        "components": {"schemas": schemas},
    });
    std::fs::write(&path, document.to_string()).expect("written");
    bothends::Builder::new(&path).plan().expect("a plan")
}

/// Whether the type `T` has a place for each alternative; `None` when it is no union.
fn is_several(plan: &bothends::Plan) -> Option<bool> {
    let mut types = plan.api.types.iter();
    let found = types.find(|def| def.name.wire == "T")?;
    match &found.kind {
        TypeKind::Union(union) => Some(union.several),
        _ => None,
    }
}

#[test]
fn alternatives_that_exclude_each_other_stay_variants() {
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let a = object(json!({"a": {"type": "string"}}), json!(["a"]));
    let b = object(json!({"b": {"type": "string"}}), json!(["b"]));
    let closed = json!({"type": "object", "properties": {"b": {}}, "additionalProperties": false});
    let kind = |values: Value, required: Value| object(json!({"kind": {"enum": values}}), required);
    let typed = |word: &str| object(json!({"v": {"type": word}}), json!(["v"]));
    for (first, second, several) in [
        (&a, &b, true),
        (&a, &json!({"type": "string"}), false),
        (&a, &closed, false),
        // The closed one has what the other requires.
        (&b, &closed, true),
        (
            &kind(json!(["x"]), json!(["kind"])),
            &kind(json!(["y"]), json!([])),
            false,
        ),
        // Neither requires it.
        (
            &kind(json!(["x"]), json!([])),
            &kind(json!(["y"]), json!([])),
            true,
        ),
        (
            &kind(json!(["x", "y"]), json!(["kind"])),
            &kind(json!(["y"]), json!(["kind"])),
            true,
        ),
        (
            &kind(json!([1]), json!(["kind"])),
            &kind(json!([2]), json!(["kind"])),
            false,
        ),
        (&typed("string"), &typed("integer"), false),
        (&typed("number"), &typed("integer"), true),
        (
            &json!({"oneOf": [typed("string"), typed("boolean")]}),
            &typed("integer"),
            false,
        ),
        (
            &json!({"oneOf": [typed("string"), typed("integer")]}),
            &typed("integer"),
            true,
        ),
    ] {
        let plan = plan(&json!({"T": {"anyOf": [first, second]}}));
        assert_eq!(is_several(&plan), Some(several), "{first} {second}");
        // Of a `oneOf`, the same is reported.
        let reported = self::plan(&json!({"T": {"oneOf": [first, second]}}));
        let reported = reported
            .diagnostics
            .iter()
            .any(|found| found.code.id == "W0351");
        assert_eq!(reported, several, "{first} {second}");
    }
}

#[test]
fn what_is_compared_is_bounded() {
    // 4,500,000 pairs, and a hundred alternatives of a hundred of a hundred of a hundred.
    let wide: Vec<Value> = (0..3000)
        .map(|index| {
            let name = format!("p{index}");
            json!({"type": "object", "properties": {&name: {}}, "required": [&name], "additionalProperties": false})
        })
        .collect();
    let plan = plan(&json!({"T": {"oneOf": wide}}));
    assert!(!plan.has_errors(), "{}", plan.report());
    let names = |next: &str| -> Vec<Value> {
        (0..100)
            .map(|index| json!({"$ref": format!("#/components/schemas/{next}{index}")}))
            .collect()
    };
    let mut schemas = serde_json::Map::new();
    for (level, next) in [("A", "B"), ("B", "C"), ("C", "D")] {
        for index in 0..100 {
            schemas.insert(format!("{level}{index}"), json!({"oneOf": names(next)}));
        }
    }
    for index in 0..100 {
        schemas.insert(
            format!("D{index}"),
            json!({"type": "object", "properties": {format!("d{index}"): {}}}),
        );
    }
    schemas.insert("T".to_owned(), json!({"anyOf": names("A")}));
    let deep = self::plan(&Value::Object(schemas));
    assert!(!deep.has_errors(), "{}", deep.report());
    assert_eq!(is_several(&deep), Some(true));
}
