//! Server-sent events (HTML, section 9.2): their fields, and what they state about their stream.

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

/// The fields of an event. Of a field that occurs several times, the last valid one counts, and all
/// lines of data.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) event: Option<String>,
    pub(super) id: Option<String>,
    pub(super) retry: Option<Duration>,
    pub(super) data: Option<String>,
}

impl Fields {
    /// Parses lines; comments and unknown fields are skipped.
    pub(super) fn parse(text: &str) -> Self {
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
