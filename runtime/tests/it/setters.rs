//! How requests and objects are made: constructors, conversions and setters.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used)]

use bothends_runtime::{Json, Map, NoError, Nullable, Operation, RequestEncoder};

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Node {
    pub r#in: i64,
    pub r#type: Option<String>,
    pub note: Nullable<String>,
    pub level: Nullable<i64>,
    pub next: Option<Box<Node>>,
    pub other: Nullable<Box<Node>>,
    pub tags: Option<Vec<String>>,
    pub owner: Option<String>,
    pub extra: Map<Json>,
}
bothends_runtime::object! {
    Node(r#in: i64, owner: Option<String>) {
        "in" => r#in,
        "type": String => r#type?,
        "note": String => note?,
        "level": i64 => level?,
        "next": Box<Node> => next?,
        "other": Box<Node> => other?,
        "tags": Vec<String> => tags?,
        "owner" => owner,
        ..extra
    }
}

#[test]
fn setters_take_what_converts_into_the_value() {
    let node = Node::new(1, None)
        .r#type("leaf")
        .note("text")
        .level(3)
        .next(Node::new(2, None))
        .other(Box::new(Node::new(3, Some("me".to_owned()))))
        .tags(["a".to_owned()]);
    assert_eq!(node.r#type.as_deref(), Some("leaf"));
    assert_eq!(node.note, Nullable::Value("text".to_owned()));
    assert_eq!(node.level, Nullable::Value(3));
    assert_eq!(node.next.as_deref().unwrap().r#in, 2);
    assert_eq!(node.other.value().unwrap().r#in, 3);
    assert_eq!(
        serde_json::to_string(&node).unwrap(),
        r#"{"in":1,"type":"leaf","note":"text","level":3,"next":{"in":2,"owner":null},"other":{"in":3,"owner":"me"},"tags":["a"],"owner":null}"#
    );
}

/// Absent and null are assigned, since a setter sets a value.
#[test]
fn fields_can_be_assigned() {
    let mut node = Node::new(1, None).note("text").r#type("leaf");
    node.note = Nullable::Null;
    node.r#type = None;
    node.extra.insert("more".to_owned(), true.into());
    assert_eq!(
        serde_json::to_string(&node).unwrap(),
        r#"{"in":1,"note":null,"owner":null,"more":true}"#
    );
}

/// All optional.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    pub r#loop: Option<bool>,
    pub a: Option<f64>,
}
bothends_runtime::object! {
    Options() {
        "loop": bool => r#loop?,
        "a": f64 => a?,
    }
}

#[test]
fn what_is_all_optional_has_a_default() {
    assert_eq!(Options::default(), Options::new());
    let options = Options::new().r#loop(true).a(1.0_f32);
    assert_eq!((options.r#loop, options.a), (Some(true), Some(1.0)));
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FindRequest {
    pub r#match: String,
    pub r#type: Option<String>,
    pub limit: Option<i64>,
}
bothends_runtime::operation! {
    "find": "GET" "/find/{match}"
    FindRequest(r#match: String) from [String, &str] {
        path "match" => r#match,
        query "type": String => r#type? or type_or_default: &str = "leaf",
        query "limit": i64 => limit? or limit_or_default: i64 = 20,
    }
    -> FindResponse { 204 }, FindError = NoError
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PutRequest {
    pub dry: Option<bool>,
    pub body: Node,
}
bothends_runtime::operation! {
    "put": "PUT" "/node"
    PutRequest(body: Node) from [Node] {
        query "dry": bool => dry?,
        body[json] "application/json" => body,
    }
    -> PutResponse { 204 }, PutError = NoError
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PairRequest {
    pub from: i64,
    pub r#yield: String,
    pub body: Option<Node>,
}
bothends_runtime::operation! {
    "pair": "POST" "/pairs/{from}/{yield}"
    PairRequest(from: i64, r#yield: String) {
        path "from" => from,
        path "yield" => r#yield,
        body[json] "application/json": Node => body?,
    }
    -> PairResponse { 204 }, PairError = NoError
}

/// The target of a request.
fn target<O: Operation>(request: impl Into<O>) -> String {
    let mut encoder = RequestEncoder::new(O::META);
    request.into().encode(&mut encoder);
    let sent = encoder.finish().unwrap();
    let body = sent
        .body
        .map(|(_, body)| String::from_utf8(body.to_vec()).unwrap());
    format!("{}?{} {}", sent.path, sent.query, body.unwrap_or_default())
}

#[test]
fn a_request_is_made_of_its_only_required_value() {
    assert_eq!(target::<FindRequest>("a/b"), "/find/a%2Fb? ");
    assert_eq!(target::<FindRequest>("a".to_owned()), "/find/a? ");
    let request = FindRequest::new("a".to_owned()).r#type("x").limit(3);
    assert_eq!(target::<FindRequest>(request), "/find/a?type=x&limit=3 ");
    let node = r#"{"in":1,"owner":null}"#;
    assert_eq!(
        target::<PutRequest>(Node::new(1, None)),
        format!("/node? {node}")
    );
    let request = PutRequest::new(Node::new(1, None)).dry(true);
    assert_eq!(
        target::<PutRequest>(request),
        format!("/node?dry=true {node}")
    );
    let request = PairRequest::new(1, "b".to_owned()).body(Node::new(1, None));
    assert_eq!(
        target::<PairRequest>(request),
        format!("/pairs/1/b? {node}")
    );
}

#[test]
fn defaults_are_those_of_the_document() {
    let request = FindRequest::from("a");
    assert_eq!(request.type_or_default(), "leaf");
    assert_eq!(request.limit_or_default(), 20);
    let request = request.r#type("x").limit(7);
    assert_eq!(request.type_or_default(), "x");
    assert_eq!(request.limit_or_default(), 7);
}
