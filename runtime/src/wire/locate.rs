//! Which property of a JSON text an error is about.

use super::DecodeError;
use crate::operation::body::BODY;

/// An error of a JSON body, by the property that it is about.
pub(crate) fn fault(text: &str, error: &serde_json::Error) -> DecodeError {
    let message = error.to_string();
    DecodeError::new(BODY, if text.is_empty() { "is empty".to_owned() } else { message })
}
