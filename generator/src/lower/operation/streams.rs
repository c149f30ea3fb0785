//! Which bodies are streams of items, whatever their media types.

use crate::ir::Codec;
use crate::model::{MediaType, SchemaId};
use crate::source::Value;
use crate::vocabulary::STREAM;

use crate::lower::Document;
use crate::lower::operation::media_types::{codec_of, is_watch};

/// Returns the codec of a format in the extension.
pub(in crate::lower) fn format(value: &Value) -> Option<Codec> {
    match value {
        Value::Bool(true) => Some(Codec::Lines),
        Value::String(format) => match format.as_str() {
            "lines" => Some(Codec::Lines),
            "sequence" => Some(Codec::Sequence),
            "events" => Some(Codec::Events),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the codec that a media type, or the extension beside it, states.
pub(in crate::lower) fn stated(entry: &MediaType) -> Codec {
    let mut extensions = entry.extensions.iter();
    let value = extensions.find(|(key, _)| key == STREAM);
    let format = value.and_then(|(_, value)| format(value));
    format.unwrap_or_else(|| codec_of(&entry.name))
}

impl Document<'_> {
    /// Returns the codec of a body.
    ///
    /// JSON is lines of JSON if the document states it: by `x-bothends-stream`, by the parameter
    /// `stream=watch` (Kubernetes), or by the schemas that grpc-gateway writes for the messages of
    /// a stream.
    pub(in crate::lower) fn codec(&self, entry: &MediaType) -> Codec {
        let is_lines = || {
            let schema = entry.schema;
            is_watch(&entry.name) || schema.is_some_and(|id| self.is_gateway_stream(id))
        };
        match stated(entry) {
            Codec::Json if is_lines() => Codec::Lines,
            codec => codec,
        }
    }

    /// Returns the content with the events of a watch in place of the watched list.
    ///
    /// The API of Kubernetes documents one schema for all media types of a response. Under
    /// `stream=watch` the items are events of the watch, whose schema has the name `WatchEvent`. A
    /// response with that schema is a stream under plain JSON too, which is what servers send.
    pub(in crate::lower) fn watched(&self, content: &[MediaType]) -> Option<Vec<MediaType>> {
        content.iter().find(|entry| is_watch(&entry.name))?;
        let event = self.watch_event()?;
        let mut content = content.to_vec();
        for entry in &mut content {
            if is_watch(&entry.name) {
                entry.schema = Some(event);
            } else if entry.schema == Some(event) && codec_of(&entry.name) == Codec::Json {
                entry
                    .extensions
                    .push((STREAM.to_owned(), Value::Bool(true)));
            }
        }
        Some(content)
    }

    fn watch_event(&self) -> Option<SchemaId> {
        let is_event = |name: &str| name == "WatchEvent" || name.ends_with(".WatchEvent");
        let mut named = self.model.named_schemas.iter();
        named.find(|(name, _)| is_event(name)).map(|(_, id)| *id)
    }

    /// Returns whether a schema is that of the messages of a stream, as grpc-gateway writes it:
    /// below `x-stream-definitions`, or with this title.
    fn is_gateway_stream(&self, id: SchemaId) -> bool {
        let schema = self.schema(self.stood_for(id));
        let title = schema.title.as_deref().unwrap_or_default();
        let key = schema.origin.pointer.segments().next();
        key.as_deref() == Some("x-stream-definitions") || title.starts_with("Stream result of ")
    }
}
