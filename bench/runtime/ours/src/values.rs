//! Reading and writing of values: through `serde_json` as any program can, and as bodies.

use crate::api::types::{Account, Item, Node};
use bench_inputs::cases::{Case, Prepare, case};
use bench_inputs::values::{self, Tag};
use bothends_runtime::http::header::{CONTENT_TYPE, HeaderValue};
use bothends_runtime::http::{HeaderMap, StatusCode};
use bothends_runtime::serde::{Serialize, de::DeserializeOwned};
use bothends_runtime::{ResponseDecoder, ResponseEncoder, serde_json};
use bytes::Bytes;
use std::hint::black_box;

/// Returns a case that decodes a body, as a client does for a response that it has received. It is
/// a macro, because the bounds of the decoder are details of the runtime.
macro_rules! decode_body {
    ($type:ty, $json:expr) => {{
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let json = Bytes::from($json);
        let read = move |bytes: &Bytes| -> $type {
            let headers = headers.clone();
            let response = ResponseDecoder::new(StatusCode::OK, headers, black_box(bytes).clone());
            response.body().json().expect("the input is valid")
        };
        let (again, shown) = (read.clone(), json.clone());
        case(
            move || text(&again(&shown)),
            move || drop(black_box(read(&json))),
        )
    }};
}

/// Returns a case that encodes a body, as a server does for the response of a handler.
macro_rules! encode_body {
    ($type:ty, $json:expr) => {{
        let value: $type = serde_json::from_str(&$json).expect("the input is valid");
        let shown = text(&value);
        let write = move || {
            let mut response = ResponseEncoder::new();
            response
                .status(200)
                .body()
                .json("application/json", black_box(&value));
            response.finish().expect("the value can be written")
        };
        case(move || shown.clone(), move || drop(black_box(write())))
    }};
}

pub const CASES: &[(&str, Prepare)] = &[
    ("decode-object", |_| decode::<Account>(values::object())),
    ("decode-array", |_| decode::<Vec<Account>>(values::array())),
    ("encode-object", |_| encode::<Account>(values::object())),
    ("encode-array", |_| encode::<Vec<Account>>(values::array())),
    ("decode-tagged-tree", |_| {
        decode::<Node>(values::tree(Tag::First))
    }),
    ("decode-tagged-list", |_| {
        decode::<Vec<Node>>(values::list(Tag::First))
    }),
    ("decode-tagged-chain", |_| {
        decode::<Node>(values::chain(Tag::First))
    }),
    ("decode-tagged-tree-last", |_| {
        decode::<Node>(values::tree(Tag::Last))
    }),
    ("decode-tagged-list-last", |_| {
        decode::<Vec<Node>>(values::list(Tag::Last))
    }),
    ("decode-tagged-chain-last", |_| {
        decode::<Node>(values::chain(Tag::Last))
    }),
    ("encode-tagged-tree", |_| {
        encode::<Node>(values::tree(Tag::First))
    }),
    ("decode-untagged-tree", |_| {
        decode::<Item>(values::tree(Tag::None))
    }),
    ("decode-untagged-list", |_| {
        decode::<Vec<Item>>(values::list(Tag::None))
    }),
    ("decode-untagged-chain", |_| {
        decode::<Item>(values::chain(Tag::None))
    }),
    ("encode-untagged-tree", |_| {
        encode::<Item>(values::tree(Tag::None))
    }),
    ("decode-body-object", |_| {
        decode_body!(Account, values::object())
    }),
    ("decode-body-array", |_| {
        decode_body!(Vec<Account>, values::array())
    }),
    ("encode-body-object", |_| {
        encode_body!(Account, values::object())
    }),
    ("encode-body-array", |_| {
        encode_body!(Vec<Account>, values::array())
    }),
    ("decode-body-tagged-tree", |_| {
        decode_body!(Node, values::tree(Tag::First))
    }),
    ("decode-body-tagged-tree-last", |_| {
        decode_body!(Node, values::tree(Tag::Last))
    }),
    ("decode-body-untagged-tree", |_| {
        decode_body!(Item, values::tree(Tag::None))
    }),
    ("encode-body-tagged-tree", |_| {
        encode_body!(Node, values::tree(Tag::First))
    }),
];

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("the value can be written")
}

fn decode<T: DeserializeOwned + Serialize>(json: String) -> Box<dyn Case> {
    let read = |json: &str| -> T {
        serde_json::from_slice(black_box(json.as_bytes())).expect("the input is valid")
    };
    let shown = json.clone();
    case(
        move || text(&read(&shown)),
        move || drop(black_box(read(&json))),
    )
}

fn encode<T: DeserializeOwned + Serialize + 'static>(json: String) -> Box<dyn Case> {
    let value: T = serde_json::from_str(&json).expect("the input is valid");
    let shown = text(&value);
    let write = move || serde_json::to_vec(black_box(&value)).expect("the value can be written");
    case(move || shown.clone(), move || drop(black_box(write())))
}
