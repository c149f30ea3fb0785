//! What is shown in tests of secrets, and the search in it.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// In every secret, as it is, in Base64, percent-encoded, and as bytes in a list.
pub const MARK: &str = "S3CRET";
const BASE64: [&str; 3] = ["UzNDUkVU", "MzQ1JFV", "TM0NSRV"];

/// What was shown.
#[derive(Clone, Default)]
pub struct Shown(Arc<Mutex<Vec<String>>>);

impl Shown {
    pub fn text(&self, text: String) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(text);
    }

    pub fn debug(&self, value: &(impl Debug + ?Sized)) {
        self.text(format!("{value:?}\n{value:#?}"));
    }

    pub fn error(&self, error: &(dyn std::error::Error + 'static)) {
        let mut at = Some(error);
        while let Some(error) = at {
            self.debug(error);
            self.text(format!("{error}\n{error:#}"));
            at = error.source();
        }
    }

    /// Searches what was shown, and says how much it was.
    pub fn search(&self) -> usize {
        let all = self.0.lock().unwrap();
        let bytes: Vec<String> = MARK.bytes().map(|byte| byte.to_string()).collect();
        let listed = bytes.join(", ");
        for text in all.iter() {
            let found = [MARK, &listed]
                .into_iter()
                .chain(BASE64)
                .find(|secret| text.to_uppercase().contains(&secret.to_uppercase()));
            assert_eq!(found, None, "{text}");
        }
        all.len()
    }
}

/// Shows every span and event, of all crates.
impl Subscriber for Shown {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Fields(self));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(self));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(self));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Fields<'a>(&'a Shown);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.text(format!("{field}={value:?}"));
    }
}
