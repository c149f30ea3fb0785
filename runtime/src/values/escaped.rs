//! Text of a peer in messages.

use super::short::short;
use std::fmt::{self, Write};

/// A text whose control characters are written as escapes, so that it stays on one line and cannot
/// change a terminal.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match is_hidden(character) {
                true => write!(f, "{}", character.escape_default())?,
                false => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// Returns the beginning of a text of a peer, as it is shown in a message.
pub(crate) fn beginning(text: &str, most: usize) -> String {
    short(&Escaped(&short(text.trim(), most)).to_string(), most)
}

/// Returns whether a character is a control character, a separator of lines, or changes the
/// direction of the text around it.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn a_text_is_shortened_and_stays_on_one_line() {
        assert_eq!(
            beginning(" a\r\nb\u{1b}[0m\u{202e} ", 64),
            r"a\r\nb\u{1b}[0m\u{202e}"
        );
        assert_eq!(beginning(&"é".repeat(9), 5), "éé…");
        assert!(beginning(&"\n".repeat(99), 8).is_empty());
        assert!(beginning(&format!("a{}", "\u{1}".repeat(99)), 64).len() <= 64 + '…'.len_utf8());
    }
}
