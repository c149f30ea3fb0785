//! Framing of the items of a streamed body.

use super::StreamError;
use super::event::{Event, Fields, Progress};
use super::scan::{Cut, RECORD, Scan};
use crate::values::BODY;
use crate::values::read::{Arena, ReadAs, State};
#[cfg(test)]
use crate::values::read::{Own, Value};
use crate::values::{DecodeError, Strictness, read, to_json};
use bytes::Bytes;
use serde::Serialize;

/// How an item is encoded, delimited and decoded.
pub(crate) struct Framing<T> {
    pub(crate) write: fn(&T) -> Result<Bytes, StreamError>,
    /// Returns the end of the first item, and where the next one begins; `end` means that the
    /// buffer will not grow.
    pub(super) cut: fn(&mut Scan, &[u8], end: bool) -> Option<Cut>,
    pub(super) read: fn(Bytes, &Self, &mut Progress) -> Result<Found<T>, StreamError>,
    /// The data of the event that ends a stream; empty if only the end of the body does.
    pub(super) end: &'static str,
    /// How strictly items are decoded.
    pub(super) strictness: Strictness,
    /// What readers ignore between two items; empty if there is no such thing.
    pub(super) comment: &'static str,
}

/// The data that many services send in the last event of a stream of JSON. It is not valid JSON
/// itself.
pub(crate) const DONE: &str = "[DONE]";

/// The content of a piece of a body.
#[derive(Debug, PartialEq)]
pub(super) enum Found<T> {
    Item(T),
    /// Whitespace or a comment.
    Nothing,
    /// The end of the stream, whatever follows.
    End,
}

impl<T> Framing<T> {
    /// Sets the data of the last event; if empty, there is no such event.
    pub(crate) const fn until(self, end: &'static str) -> Self {
        Self { end, ..self }
    }

    /// Sets how strictly items are decoded.
    pub(crate) const fn with_strictness(self, strictness: Strictness) -> Self {
        Self { strictness, ..self }
    }

    /// Decodes an item.
    pub(super) fn read(
        &self,
        item: Bytes,
        progress: &mut Progress,
    ) -> Result<Found<T>, StreamError> {
        (self.read)(item, self, progress)
    }

    /// Returns the text after the last item.
    pub(super) fn last(&self) -> Option<Bytes> {
        let text = || Bytes::from(format!("data: {}\n\n", self.end));
        (!self.end.is_empty()).then(text)
    }

    /// Returns the text that keeps a silent stream alive.
    pub(super) fn comment(&self) -> Option<Bytes> {
        (!self.comment.is_empty()).then(|| Bytes::from_static(self.comment.as_bytes()))
    }
}

impl<T> Clone for Framing<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Framing<T> {}

#[cfg(test)]
impl<T: Serialize + Value> Framing<T> {
    pub(crate) const LINES: Self = Self::lines::<Own>();
    pub(crate) const SEQUENCE: Self = Self::sequence::<Own>();
}

impl<T: Serialize> Framing<T> {
    /// A line of JSON for each item (`application/jsonl`, `application/x-ndjson`), which is read as
    /// `R`.
    pub(crate) const fn lines<R: ReadAs<T>>() -> Self {
        Self {
            write: |item| {
                let mut line = json(item)?;
                line.push(b'\n');
                Ok(line.into())
            },
            cut: Scan::line,
            read: |line, framing, _| read_json::<T, R>(line, framing.strictness),
            end: "",
            strictness: Strictness::Lenient,
            comment: "",
        }
    }

    /// A record separator before each item, which is read as `R`, and a line break after it (RFC
    /// 7464).
    pub(crate) const fn sequence<R: ReadAs<T>>() -> Self {
        Self {
            write: |item| {
                let mut text = vec![RECORD];
                text.extend(json(item)?);
                text.push(b'\n');
                Ok(text.into())
            },
            cut: Scan::record,
            read: |record, framing, _| {
                let from = usize::from(record.starts_with(&[RECORD]));
                read_json::<T, R>(record.slice(from..), framing.strictness)
            },
            end: "",
            strictness: Strictness::Lenient,
            comment: "",
        }
    }
}

#[cfg(test)]
impl<T: Serialize + Value> Framing<Event<T>> {
    pub(crate) const EVENTS: Self = Self::events::<Own>();
}

impl<T: Serialize> Framing<Event<T>> {
    /// Fields in lines, and an empty line after each event (`text/event-stream`), whose data is read
    /// as `R`.
    pub(crate) const fn events<R: ReadAs<T>>() -> Self {
        Self {
            write: write_event::<T, R>,
            cut: Scan::event,
            read: read_event::<T, R>,
            end: "",
            strictness: Strictness::Lenient,
            comment: ":\n\n",
        }
    }
}

/// Writes an event. A string is written as it is, and any other data as JSON.
fn write_event<T: Serialize, R: ReadAs<T>>(event: &Event<T>) -> Result<Bytes, StreamError> {
    let data = to_json(&event.data).map_err(|error| wrong(Bytes::new(), &error))?;
    let data = match serde_json::from_slice(&data) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::from_utf8_lossy(&data).into_owned(),
    };
    let mut text = String::new();
    let name = R::event_of(&event.data, event.event.as_deref())
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

/// Parses an event by the rules of the HTML standard.
fn read_event<T, R: ReadAs<T>>(
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
    match R::read_event(fields.event.as_deref(), &data, &state) {
        Ok(data) => Ok(Found::Item(Event {
            data,
            event: fields.event,
            id: fields.id,
            retry: fields.retry,
        })),
        Err(error) => Err(wrong(Bytes::from(data), &error)),
    }
}

fn json<T: Serialize>(item: &T) -> Result<Vec<u8>, StreamError> {
    to_json(item).map_err(|error| wrong(Bytes::new(), &error))
}

/// Limit for the part of an item that an error contains, in bytes.
const KEPT: usize = 64 << 10;

pub(super) fn wrong(raw: Bytes, error: &dyn std::fmt::Display) -> StreamError {
    StreamError::Item {
        raw: match raw.get(..KEPT) {
            Some(beginning) => Bytes::copy_from_slice(beginning),
            None => raw,
        },
        message: error.to_string(),
    }
}

fn read_json<T, R: ReadAs<T>>(raw: Bytes, strictness: Strictness) -> Result<Found<T>, StreamError> {
    if raw.trim_ascii().is_empty() {
        return Ok(Found::Nothing);
    }
    let read = match std::str::from_utf8(&raw) {
        Ok(text) => read::json::<T, R>(text, strictness)
            .map_err(|errors| DecodeError::from_fields(errors, BODY).to_string()),
        Err(_) => Err("is not UTF-8".to_owned()),
    };
    read.map(Found::Item)
        .map_err(|message| wrong(raw, &message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuts<T>(framing: Framing<T>, text: &[u8]) -> Vec<&[u8]> {
        let (mut found, mut rest) = (Vec::new(), text);
        while let Some(cut) = (framing.cut)(&mut Scan::default(), rest, true) {
            found.push(&rest[..cut.item]);
            rest = &rest[cut.next..];
        }
        found
    }

    #[test]
    fn lines_and_sequences_are_cut() {
        let lines = cuts(Framing::<i64>::LINES, b"1\r\n\n2\n3");
        assert_eq!(lines, [&b"1"[..], b"", b"2", b"3"]);
        let records = cuts(Framing::<i64>::SEQUENCE, b"\x1e1\n\x1e2\n");
        assert_eq!(records, [&b"\x1e1\n"[..], b"\x1e2\n"]);
        let record = Bytes::from_static(b"\x1e2\n");
        assert_eq!(
            Framing::SEQUENCE
                .read(record, &mut Progress::default())
                .unwrap(),
            Found::Item(2)
        );
        assert_eq!((Framing::<i64>::SEQUENCE.write)(&2).unwrap(), "\u{1e}2\n");
        let mut scan = Scan::default();
        assert_eq!(scan.line(b"a\r", false), None);
        let cut = Some(Cut { item: 1, next: 3 });
        assert_eq!(scan.line(b"a\r\nb", false), cut);
    }

    #[test]
    fn data_of_several_lines_is_one_text() {
        let event = Event::new("a\n b".to_owned())
            .event("add")
            .id("7")
            .retry(std::time::Duration::from_millis(10));
        let text = write_event::<_, Own>(&event).unwrap();
        assert_eq!(text, "event: add\nid: 7\nretry: 10\ndata: a\ndata:  b\n\n");
        let read = Framing::EVENTS.read(text, &mut Progress::default());
        assert_eq!(read.unwrap(), Found::Item(event));
        let event = Event::new(vec![1, 2]);
        assert_eq!(write_event::<_, Own>(&event).unwrap(), "data: [1,2]\n\n");
        assert!(write_event::<_, Own>(&Event::new("a\rb".to_owned())).is_err());
        let text = Bytes::from_static(b"data: 1\r\ndata: 2\revent: add\nretry: 10");
        let read = Framing::<Event<i64>>::EVENTS.read(text, &mut Progress::default());
        assert!(read.is_err());
    }
}
