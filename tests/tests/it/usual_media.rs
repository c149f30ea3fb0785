//! The media types that a row of a generated table leaves out are those that the runtime uses for it.

use std::fmt::Write as _;

use bothends::Builder;
use bothends_runtime::private::{RowCodec, codec};
use bothends_runtime::{ByteStream, Event, Streamed};
use serde_json::Value;

/// The word of each codec, and the media type that the runtime uses for it.
fn of_runtime() -> [(&'static str, &'static [&'static str]); 9] {
    [
        ("json", <codec::json as RowCodec<Value>>::MEDIA),
        ("form", <codec::form as RowCodec<Value>>::MEDIA),
        ("multipart", <codec::multipart as RowCodec<Value>>::MEDIA),
        ("text", <codec::text as RowCodec<String>>::MEDIA),
        ("bytes", <codec::bytes as RowCodec<bytes::Bytes>>::MEDIA),
        ("chunks", <codec::chunks as RowCodec<ByteStream>>::MEDIA),
        ("lines", <codec::lines as RowCodec<Streamed<Value>>>::MEDIA),
        (
            "sequence",
            <codec::sequence as RowCodec<Streamed<Value>>>::MEDIA,
        ),
        (
            "events",
            <codec::events as RowCodec<Streamed<Event<Value>>>>::MEDIA,
        ),
    ]
}

/// The generated module for responses of these media types, one operation for each.
fn generated(media: &[String]) -> String {
    let mut document =
        "openapi: 3.2.0\ninfo: { title: Media, version: 1.0.0 }\npaths:\n".to_owned();
    for (index, name) in media.iter().enumerate() {
        let schema = match name.split('/').next() {
            Some("text") => "{ type: string }",
            _ => "{ type: object }",
        };
        writeln!(
            document,
            "  /m{index}: {{ get: {{ operationId: m{index}, responses: {{ '200': {{ description: All, \
             content: {{ '{name}': {{ schema: {schema} }} }} }} }} }} }}"
        )
        .expect("a string");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, document).expect("written");
    let plan = Builder::new(&path).module(true).plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan.files.into_iter().map(|file| file.text).collect()
}

#[test]
fn rows_leave_out_the_media_types_of_the_runtime_and_no_other() {
    let usual = of_runtime();
    for (word, media) in usual {
        assert_eq!(media.len(), 1, "{word}: {media:?}");
    }
    let names: Vec<String> = usual.iter().map(|(_, media)| media[0].to_owned()).collect();
    let text = generated(&names);
    for (index, (word, media)) in usual.iter().enumerate() {
        let row = row(&text, index);
        assert!(!row.contains(media[0]), "{word}: {row}");
    }
    // Media types of the same codecs that are not the usual ones.
    let others = [
        ("json", "application/problem+json"),
        ("text", "text/csv"),
        ("bytes", "image/png"),
        ("lines", "application/x-ndjson"),
    ];
    let names: Vec<String> = others
        .iter()
        .map(|(_, media)| (*media).to_owned())
        .collect();
    let text = generated(&names);
    for (index, (word, media)) in others.iter().enumerate() {
        let row = row(&text, index);
        assert!(row.contains(&format!("{media:?}")), "{word}: {row}");
    }
}

/// The success of an operation in its table: `M0Response { 200 => json .. }`.
fn row(text: &str, index: usize) -> &str {
    let start = format!("M{index}Response {{");
    let from = text.rfind(&start).expect("the start is in the text");
    let row = &text[from..];
    &row[..row.find('}').expect("its end")]
}
