//! Reading and writing of values, by derived impls and `serde_json`.

use crate::types::{Account, Item, Node};
use bench_inputs::cases::{Case, Prepare, case};
use bench_inputs::values::{self, Tag};
use serde::{Serialize, de::DeserializeOwned};
use std::hint::black_box;

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
    // By hand, a body is read and written as any value is.
    (
        "decode-body-object",
        |_| decode::<Account>(values::object()),
    ),
    ("decode-body-array", |_| {
        decode::<Vec<Account>>(values::array())
    }),
    (
        "encode-body-object",
        |_| encode::<Account>(values::object()),
    ),
    ("encode-body-array", |_| {
        encode::<Vec<Account>>(values::array())
    }),
    ("decode-body-tagged-tree", |_| {
        decode::<Node>(values::tree(Tag::First))
    }),
    ("decode-body-tagged-tree-last", |_| {
        decode::<Node>(values::tree(Tag::Last))
    }),
    ("decode-body-untagged-tree", |_| {
        decode::<Item>(values::tree(Tag::None))
    }),
    ("encode-body-tagged-tree", |_| {
        encode::<Node>(values::tree(Tag::First))
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
