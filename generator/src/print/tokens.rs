//! Formatting of tokens on a single line.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The kind of the previous token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The start, or a token without a space after it.
    Open,
    /// An identifier or a literal.
    Word,
    /// The end of an expression or a type: a group, a `>`, a `?`.
    End,
    /// A punctuation token with a space after it.
    Sign,
}

/// Keywords of tables with a space before a following bracket.
const TABLE_WORDS: [&str; 4] = ["where", "from", "with", "as"];

/// Returns tokens on a single line.
pub(super) fn flat(tokens: TokenStream) -> String {
    let mut text = String::new();
    push(&mut text, tokens);
    text
}

/// Appends tokens on a single line.
pub(super) fn push(text: &mut String, tokens: impl IntoIterator<Item = TokenTree>) {
    let mut last = Last::Open;
    let mut joint = false;
    for token in tokens {
        let next_joint =
            matches!(&token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint);
        last = match token {
            TokenTree::Ident(ident) => {
                space(text, matches!(last, Last::Word | Last::End | Last::Sign));
                let (lifetime, method) = (text.ends_with('\''), text.ends_with('.'));
                push_display(text, &ident);
                if lifetime || !method && TABLE_WORDS.iter().any(|word| ident == word) {
                    Last::Sign
                } else {
                    Last::Word
                }
            }
            TokenTree::Literal(literal) => {
                space(text, matches!(last, Last::Word | Last::End | Last::Sign));
                push_display(text, &literal);
                Last::Word
            }
            TokenTree::Punct(punct) => sign(text, punct.as_char(), last, (joint, next_joint)),
            TokenTree::Group(group) => {
                let tight = match group.delimiter() {
                    Delimiter::Brace | Delimiter::None => last == Last::Open,
                    Delimiter::Bracket if is_remark(&group) => false,
                    Delimiter::Parenthesis | Delimiter::Bracket => last != Last::Sign,
                };
                space(text, !tight);
                self::group(text, group.delimiter(), group.stream());
                Last::End
            }
        };
        joint = next_joint;
    }
}

/// Returns `true` if the group is an annotation after the row of a response: `[code: code]`,
/// `[until "[DONE]"]`.
pub(super) fn is_remark(group: &Group) -> bool {
    let words = ["code", "message", "until", "with"];
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(first))
        if words.iter().any(|word| first == word))
}

fn push_display(text: &mut String, token: &dyn std::fmt::Display) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(text, "{token}");
}

fn space(text: &mut String, wanted: bool) {
    if wanted && !text.is_empty() {
        text.push(' ');
    }
}

fn group(text: &mut String, delimiter: Delimiter, stream: TokenStream) {
    let (open, close) = match delimiter {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace if stream.is_empty() => ("{", "}"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    text.push_str(open);
    push(text, stream);
    text.push_str(close);
}

/// Appends a punctuation token, which may be joint with the previous and the next token.
fn sign(text: &mut String, sign: char, last: Last, (joint, continued): (bool, bool)) -> Last {
    match sign {
        // Paths and ranges have no surrounding spaces.
        ':' if joint => {
            text.push(':');
            Last::Open
        }
        '.' => {
            space(text, last == Last::Sign && !joint);
            text.push('.');
            Last::Open
        }
        // The second half of `=>`, `->` and `..=`.
        '>' if joint => {
            text.push('>');
            Last::Sign
        }
        '=' if joint => {
            text.push('=');
            Last::Open
        }
        ',' | ';' => {
            text.push(sign);
            Last::Sign
        }
        ':' => {
            space(text, continued && last == Last::Sign);
            text.push(':');
            // The first half of `::` is followed directly by the second.
            Last::Sign
        }
        // A closure without parameters.
        '|' if last == Last::Open => {
            text.push('|');
            if text.ends_with("||") {
                Last::Sign
            } else {
                Last::Open
            }
        }
        '=' | '|' | '+' => {
            space(text, true);
            text.push(sign);
            Last::Sign
        }
        '-' => {
            space(text, last != Last::Open);
            text.push('-');
            Last::Open
        }
        '&' | '#' | '*' | '\'' => {
            space(text, last != Last::Open);
            text.push(sign);
            Last::Open
        }
        '<' => {
            text.push(sign);
            Last::Open
        }
        '>' | '?' | '!' => {
            text.push(sign);
            Last::End
        }
        other => {
            text.push(other);
            Last::Open
        }
    }
}
