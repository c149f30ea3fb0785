//! Server-sent events (HTML, section 9.2): their fields, and what they state about their stream.

use super::framing::{Found, wrong};
use super::scan::Scan;
use super::{Framing, StreamError};
use crate::values::read::{Arena, Kind as _, State, Value};
use crate::values::{Strictness, to_json};
use bytes::Bytes;
use serde::Serialize;
use std::time::Duration;

/// A server-sent event (HTML, section 9.2).
///
/// ```
/// use bothends_runtime::Event;
///
/// let event = Event::new("shipped".to_owned()).id("7");
/// assert_eq!(event.id.as_deref(), Some("7"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event<T> {
    /// The data: JSON, or text.
    pub data: T,
    /// The name of the event.
    pub event: Option<String>,
    /// The id, by which a stream can be resumed.
    pub id: Option<String>,
    /// How long to wait before the client reconnects.
    pub retry: Option<Duration>,
}

impl<T> Event<T> {
    /// Creates an event with data only.
    pub const fn new(data: T) -> Self {
        Self {
            data,
            event: None,
            id: None,
            retry: None,
        }
    }

    /// Sets the name of the event.
    #[must_use]
    pub fn event(mut self, name: impl Into<String>) -> Self {
        self.event = Some(name.into());
        self
    }

    /// Sets the id. A client that resumes the stream sends the last one as `Last-Event-ID`; an empty
    /// id states that the stream cannot be resumed from here.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets how long the client waits before it reconnects, in whole milliseconds.
    #[must_use]
    pub fn retry(mut self, delay: Duration) -> Self {
        self.retry = Some(delay);
        self
    }
}

/// What the events of a body have stated so far, beside their data.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// Whether the first bytes of the body, which may be a byte order mark, have been read.
    pub(super) has_begun: bool,
    /// The id by which the stream is resumed; empty if it cannot be resumed.
    pub(super) id: String,
    /// How long to wait before the stream is resumed.
    pub(super) retry: Option<Duration>,
}

impl Progress {
    /// Ends a body. An incomplete event is dropped; its delay counts from the line on that states it.
    pub(super) fn end(&mut self, rest: &[u8]) {
        let lines = memchr::memrchr2(b'\n', b'\r', rest).and_then(|end| rest.get(..end));
        let fields = Fields::parse(&String::from_utf8_lossy(lines.unwrap_or_default()));
        self.retry = fields.retry.or(self.retry);
    }
}

impl<T: Serialize + Value> Framing<Event<T>> {
    /// Fields in lines, and an empty line after each event (`text/event-stream`).
    pub(crate) const EVENTS: Self = Self {
        write: write_event,
        cut: Scan::event,
        read: read_event,
        end: "",
        strictness: Strictness::Lenient,
        comment: ":\n\n",
    };
}

/// Writes an event. A string is written as it is, and any other data as JSON.
fn write_event<T: Serialize + Value>(event: &Event<T>) -> Result<Bytes, StreamError> {
    let data = to_json(&event.data).map_err(|error| wrong(Bytes::new(), &error))?;
    let data = match serde_json::from_slice(&data) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::from_utf8_lossy(&data).into_owned(),
    };
    let mut text = String::new();
    let name = T::Kind::event_of(&event.data, event.event.as_deref())
        .map_err(|error| wrong(Bytes::new(), &error))?;
    for (key, value) in [("event", name), ("id", event.id.as_deref())] {
        if let Some(value) = value {
            if value.contains(['\n', '\r', '\0']) {
                let message = format!("a line break in its {key}");
                return Err(wrong(Bytes::from(value.to_owned()), &message));
            }
            text.push_str(&format!("{key}: {value}\n"));
        }
    }
    if let Some(retry) = event.retry {
        text.push_str(&format!("retry: {}\n", retry.as_millis()));
    }
    for line in data.split('\n') {
        if line.contains('\r') {
            let message = "a carriage return in its data";
            return Err(wrong(Bytes::from(data.clone()), &message));
        }
        text.push_str(&format!("data: {line}\n"));
    }
    text.push('\n');
    Ok(Bytes::from(text))
}

/// The fields of an event. Of a field that occurs several times, the last valid one counts, and all
/// lines of data.
#[derive(Debug, Default)]
struct Fields {
    event: Option<String>,
    id: Option<String>,
    retry: Option<Duration>,
    data: Option<String>,
}

impl Fields {
    /// Parses lines; comments and unknown fields are skipped.
    fn parse(text: &str) -> Self {
        let mut fields = Self::default();
        for line in text.split(['\n', '\r']).filter(|line| !line.is_empty()) {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            fields.add(key, value.strip_prefix(' ').unwrap_or(value));
        }
        fields
    }

    fn add(&mut self, key: &str, value: &str) {
        match key {
            "event" => self.event = (!value.is_empty()).then(|| value.to_owned()),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                let stated = value.parse().ok().map(Duration::from_millis);
                self.retry = stated.or(self.retry);
            }
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            _ => {}
        }
    }
}

/// Parses an event by the rules of the HTML standard.
fn read_event<T: Value>(
    raw: Bytes,
    framing: &Framing<Event<T>>,
    progress: &mut Progress,
) -> Result<Found<Event<T>>, StreamError> {
    let text = String::from_utf8_lossy(&raw);
    let text = match progress.has_begun {
        false => text.strip_prefix('\u{feff}').unwrap_or(&text),
        true => &text,
    };
    progress.has_begun = true;
    let fields = Fields::parse(text);
    if let Some(id) = &fields.id {
        progress.id.clone_from(id);
    }
    progress.retry = fields.retry.or(progress.retry);
    let Some(data) = fields.data else {
        return Ok(Found::Nothing);
    };
    if !framing.end.is_empty() && data.trim() == framing.end {
        return Ok(Found::End);
    }
    let arena = Arena::default();
    let state = State::direct(&arena, framing.strictness);
    match T::Kind::decode_event(fields.event.as_deref(), &data, &state) {
        Ok(data) => Ok(Found::Item(Event {
            data,
            event: fields.event,
            id: fields.id,
            retry: fields.retry,
        })),
        Err(error) => Err(wrong(Bytes::from(data), &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_several_lines_is_one_text() {
        let event = Event::new("a\n b".to_owned())
            .event("add")
            .id("7")
            .retry(Duration::from_millis(10));
        let text = write_event(&event).unwrap();
        assert_eq!(text, "event: add\nid: 7\nretry: 10\ndata: a\ndata:  b\n\n");
        let read = Framing::EVENTS.read(text, &mut Progress::default());
        assert_eq!(read.unwrap(), Found::Item(event));
        let event = Event::new(vec![1, 2]);
        assert_eq!(write_event(&event).unwrap(), "data: [1,2]\n\n");
        assert!(write_event(&Event::new("a\rb".to_owned())).is_err());
        let text = Bytes::from_static(b"data: 1\r\ndata: 2\revent: add\nretry: 10");
        let read = Framing::<Event<i64>>::EVENTS.read(text, &mut Progress::default());
        assert!(read.is_err());
    }
}
