//! Streams that extensions of other tools document.

use super::context::Context;
use crate::model::{MediaType, Response, StatusSpec};
use crate::resolve::Node;
use crate::source::Value;
use crate::vocabulary::{EVENTS, STREAM, STREAM_END, essence, is_lines};

const EXTENSION: &str = "x-fern-streaming";
const JSON: &str = "application/json";
const LINES: &str = "application/stream+json";

/// Reads `x-fern-streaming` of an operation into the content of its successful responses.
///
/// `true`, or an object with a `format` (`json` for lines of JSON, `sse` for events), declares the
/// documented JSON to be an item of the stream, unless the stream is documented beside it. An object with `response-stream` declares a second
/// body, which the server sends if the request asks for it; `response` is then the schema of the
/// first. `terminator` is the data of the event that ends the stream.
pub(super) fn read_fern<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
    responses: &mut [Response],
) {
    let Some(node) = operation.get(EXTENSION) else {
        return;
    };
    let text = |key: &str| node.value.get(key).and_then(Value::as_str);
    if node.value.as_object().is_none() && node.value != &Value::Bool(true) {
        return;
    }
    let is_events = text("format") == Some("sse");
    let end = text("terminator").map(|end| (STREAM_END.to_owned(), Value::String(end.to_owned())));
    let item = context.schema_of(&node, "response-stream");
    let whole = context.schema_of(&node, "response");
    let entry = |name: &str, schema| MediaType {
        origin: node.origin(),
        name: name.to_owned(),
        schema: Some(schema),
        item_schema: None,
        encoding: vec![],
        examples: vec![],
        extensions: vec![],
    };
    for response in responses
        .iter_mut()
        .filter(|response| is_success(response.status))
    {
        let stream = if is_events { EVENTS } else { LINES };
        let content = &mut response.content;
        match item {
            Some(item) => {
                if let Some(whole) = whole.filter(|_| content.is_empty()) {
                    content.push(entry(JSON, whole));
                }
                if !content
                    .iter()
                    .any(|media| is_stream(&media.name, is_events))
                {
                    content.push(entry(stream, item));
                }
            }
            None if content
                .iter()
                .any(|media| is_stream(&media.name, is_events)) => {}
            None => {
                if let Some(media) = content
                    .iter_mut()
                    .find(|media| essence(&media.name) == JSON)
                {
                    match is_events {
                        true => media.name = EVENTS.to_owned(),
                        false => media
                            .extensions
                            .push((STREAM.to_owned(), Value::Bool(true))),
                    }
                }
            }
        }
        let streams = content
            .iter_mut()
            .filter(|media| is_stream(&media.name, true));
        streams.for_each(|stream| stream.extensions.extend(end.clone()));
        // The content differs from that of a reusable response.
        response.component = None;
        response.reusable = None;
    }
}

fn is_success(status: StatusSpec) -> bool {
    matches!(status, StatusSpec::Code(200..=299) | StatusSpec::Range(2))
}

/// Returns whether a media type is that of events, or of lines of JSON.
fn is_stream(name: &str, is_events: bool) -> bool {
    match is_events {
        true => essence(name) == EVENTS,
        false => is_lines(name),
    }
}
