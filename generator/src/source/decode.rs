//! Decoding of bytes to text.

/// Returns the text of a file: UTF-8, without a byte order mark.
///
/// The error contains the detected encoding, and the text as far as it can be shown.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String, (String, String)> {
    if let Some(encoding) = other_encoding(&bytes) {
        return Err((format!("the file is {encoding}"), String::new()));
    }
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
                + 1;
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Err((
                format!("invalid UTF-8 at offset {at}, in line {line}"),
                text,
            ))
        }
    }
}

/// Detects UTF-16 and UTF-32 by a byte order mark, or by the zero bytes of ASCII characters.
fn other_encoding(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        [0, first, 0, second, ..] | [first, 0, second, 0, ..] if *first != 0 && *second != 0 => {
            Some("UTF-16")
        }
        _ => None,
    }
}
