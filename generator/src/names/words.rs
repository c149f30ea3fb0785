//! Splitting names of the document into words.

use unicode_normalization::UnicodeNormalization as _;

use super::ident::MOST_READ;
use super::unicode;

/// A part of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Letters and digits, in lower case except for the inner capitals of [`ONE_WORD`].
    Word(String),
    /// The sign of a number: `+1`, `-1`.
    Number(char),
    /// A character that often has a meaning: `-created`, `C++`.
    Sign(char),
    /// A character that rarely has a meaning: `application/json`.
    Mark(char),
    /// A character that only separates words.
    Gap(char),
}

/// The treatment of signs before the first word and after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Signs are dropped, unless a digit would be the first character.
    Dropped,
    /// Signs are spelled out.
    Spelled,
}

/// The parts of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words(Vec<Piece>);

impl Words {
    /// Splits a name at all characters that are neither letters nor digits, and where its case
    /// changes: `HTTPServer` is `http server`, `userIDs` is `user ids`, `IPv4Address` is `ipv4
    /// address`, `oauth2Token` is `oauth2 token`. [`ONE_WORD`] lists names that are not split.
    pub(super) fn split(wire: &str) -> Self {
        let mut pieces = Vec::new();
        let mut run = Vec::new();
        // Compatibility forms are replaced by what they stand for: `Ａ` by `A`, `x²` by `x2`.
        let chars: Vec<char> = match wire.is_ascii() {
            true => wire.chars().take(MOST_READ).collect(),
            false => wire.nfkc().take(MOST_READ).collect(),
        };
        for (index, &char) in chars.iter().enumerate() {
            if char != '_' && unicode_ident::is_xid_continue(char) {
                run.push(char);
            } else if !is_inner_apostrophe(&chars, index) {
                split_case(&std::mem::take(&mut run), &mut pieces);
                pieces.push(classify(&chars, index));
            }
        }
        split_case(&run, &mut pieces);
        Self(pieces)
    }

    /// Returns the words with as few signs as possible.
    pub(super) fn plain(&self, ends: Ends) -> Vec<String> {
        let Some(body) = self.body() else {
            return self.everything();
        };
        let (first, last) = body;
        let digit_first = matches!(&self.0[first], Piece::Word(word) if starts_with_digit(word));
        let mut words = Vec::new();
        for (index, piece) in self.0.iter().enumerate() {
            let spelled = match ends {
                Ends::Spelled => index < first || index > last,
                Ends::Dropped => index < first && digit_first,
            };
            match piece {
                Piece::Word(word) => words.push(word.clone()),
                Piece::Number(sign) => words.extend(spell(*sign)),
                Piece::Sign(sign) if spelled => words.extend(spell(*sign)),
                _ => {}
            }
        }
        words
    }

    /// Returns whether the name has characters that only [`Self::spelled`] writes.
    pub(super) fn has_signs(&self) -> bool {
        let mut pieces = self.0.iter();
        pieces.any(|piece| matches!(piece, Piece::Sign(_) | Piece::Mark(_)))
    }

    /// Returns the words with all signs and marks that distinguish names spelled out.
    pub(super) fn spelled(&self) -> Vec<String> {
        let Some((first, last)) = self.body() else {
            return self.everything();
        };
        let mut words = Vec::new();
        for (index, piece) in self.0.iter().enumerate() {
            let inner = first < index && index < last;
            match piece {
                Piece::Word(word) => words.push(word.clone()),
                // Between words the sign is a hyphen.
                Piece::Sign('-') if inner => {}
                Piece::Number(char) | Piece::Sign(char) | Piece::Mark(char) => {
                    words.extend(spell(*char));
                }
                Piece::Gap(_) => {}
            }
        }
        words
    }

    /// Returns the positions of the first and the last word.
    fn body(&self) -> Option<(usize, usize)> {
        let is_word = |piece: &Piece| matches!(piece, Piece::Word(_));
        Some((
            self.0.iter().position(is_word)?,
            self.0.iter().rposition(is_word)?,
        ))
    }

    /// Returns the words of a name without letters and digits.
    fn everything(&self) -> Vec<String> {
        let telling = self.0.iter().any(|piece| !matches!(piece, Piece::Gap(_)));
        let mut words = Vec::new();
        for piece in &self.0 {
            match piece {
                Piece::Gap(_) if telling => {}
                Piece::Gap(char) | Piece::Number(char) | Piece::Sign(char) | Piece::Mark(char) => {
                    words.extend(spell(*char));
                }
                Piece::Word(word) => words.push(word.clone()),
            }
        }
        if words.is_empty() {
            vec!["empty".to_owned()]
        } else {
            words
        }
    }
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|first: char| !unicode_ident::is_xid_start(first))
}

/// Returns whether an apostrophe is inside a word, as in `don't`.
fn is_inner_apostrophe(chars: &[char], index: usize) -> bool {
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|c| c.is_alphabetic())
    };
    matches!(chars[index], '\'' | '’')
        && is_letter(index.checked_sub(1))
        && is_letter(index.checked_add(1))
}

fn classify(chars: &[char], index: usize) -> Piece {
    let char = chars[index];
    let digit_next = chars.get(index + 1).is_some_and(char::is_ascii_digit);
    let word_before = index > 0 && unicode_ident::is_xid_continue(chars[index - 1]);
    match char {
        // In `utf-8` the sign is a hyphen.
        '+' | '-' if digit_next && (char == '+' || !word_before) => Piece::Number(char),
        '+' | '-' | '*' | '#' | '!' | '<' | '>' | '=' | '$' | '%' | '&' | '@' => Piece::Sign(char),
        '.' | '/' | '\\' | ':' | '?' | '~' | '^' | '|' => Piece::Mark(char),
        _ if char.is_ascii() || char.is_whitespace() => Piece::Gap(char),
        _ => Piece::Mark(char),
    }
}

/// Returns the words for one character.
fn spell(char: char) -> Vec<String> {
    let words = match char {
        '+' => "plus",
        '-' => "minus",
        '*' => "star",
        '#' => "hash",
        '!' => "not",
        '<' => "less than",
        '>' => "greater than",
        '=' => "equal",
        '$' => "dollar",
        '%' => "percent",
        '&' => "and",
        '@' => "at",
        '.' => "dot",
        '/' => "slash",
        '\\' => "backslash",
        ':' => "colon",
        '?' => "question",
        '~' => "tilde",
        '^' => "caret",
        '|' => "or",
        '_' => "underscore",
        ' ' => "space",
        '\t' => "tab",
        '\n' => "newline",
        '\r' => "return",
        ',' => "comma",
        ';' => "semicolon",
        '"' => "quote",
        '\'' => "apostrophe",
        '`' => "backtick",
        '(' | ')' => "parenthesis",
        '[' | ']' => "bracket",
        '{' | '}' => "brace",
        other => return vec![unicode::code_point(other)],
    };
    words.split(' ').map(str::to_owned).collect()
}

/// Names that are one word in spite of their capitals, as documents write them, and as a word.
/// Split by case, these names would contain a lone letter (`o_auth2`, `i_os`), or would differ from
/// common usage (`git_hub`). Types keep the inner capitals: `OAuth2Token`, `oauth2_token`.
const ONE_WORD: &[(&str, &str)] = &[
    ("OAuth", "oAuth"),
    ("oAuth", "oAuth"),
    ("ETag", "eTag"),
    ("eTag", "eTag"),
    ("GitHub", "gitHub"),
    ("gitHub", "gitHub"),
    ("GitLab", "gitLab"),
    ("gitLab", "gitLab"),
    ("iOS", "ios"),
    ("iPadOS", "ipados"),
    ("iCloud", "icloud"),
    ("iDEAL", "ideal"),
    ("iDeal", "ideal"),
    ("iFrame", "iframe"),
    ("iPad", "ipad"),
    ("iPhone", "iphone"),
    ("iTunes", "itunes"),
    ("eBay", "ebay"),
    ("eBook", "ebook"),
    ("cURL", "curl"),
];

/// Returns the name of [`ONE_WORD`] that begins at `index` and ends at the end of a word: its
/// length, and its word.
fn one_word(run: &[char], index: usize) -> Option<(usize, &'static str)> {
    let before = index.checked_sub(1).map(|at| run[at]);
    let rest = &run[index..];
    let all = ONE_WORD.iter();
    let mut all = all.filter(|(name, _)| name.starts_with(rest[0]));
    all.find_map(|(name, word)| {
        let length = name.chars().count();
        let is_here = length <= rest.len() && name.chars().eq(rest[..length].iter().copied());
        let begins = before.is_none_or(|c| rest[0].is_uppercase() && !c.is_uppercase());
        let ends = !rest.get(length).is_some_and(|next| next.is_lowercase());
        (is_here && begins && ends).then_some((length, *word))
    })
}

/// Splits letters and digits where the case changes. A digit belongs to the preceding part.
fn split_case(run: &[char], pieces: &mut Vec<Piece>) {
    let mut word = String::new();
    // Most words have no capitals. All letters and digits of ASCII are common.
    if run
        .iter()
        .all(|char| char.is_ascii_lowercase() || char.is_ascii_digit())
    {
        word.extend(run);
        return push_word(&mut word, pieces);
    }
    let (mut after_upper, mut after_lower) = (false, false);
    let mut index = 0;
    while let Some(&char) = run.get(index) {
        if let Some((length, name)) = one_word(run, index) {
            push_word(&mut word, pieces);
            word.push_str(name);
            (after_upper, after_lower) = (false, true);
            index += length;
            continue;
        }
        let next = run.get(index + 1);
        // The last capital of `HTTPServer` belongs to the following word.
        let last_capital = after_upper
            && next.is_some_and(|next| next.is_lowercase())
            && !is_plural(run, index + 1)
            && !is_version(run, index + 1);
        if char.is_uppercase() && (after_lower || last_capital) {
            push_word(&mut word, pieces);
        }
        if char.is_uppercase() || char.is_lowercase() {
            (after_upper, after_lower) = (char.is_uppercase(), char.is_lowercase());
        }
        push_lower(&mut word, char);
        index += 1;
    }
    push_word(&mut word, pieces);
}

/// Returns whether the `v` at `index` is between capitals and a number, as in `IPv4` and `TLSv1`.
fn is_version(run: &[char], index: usize) -> bool {
    run[index] == 'v'
        && capitals_before(run, index)
        && run.get(index + 1).is_some_and(char::is_ascii_digit)
}

/// Returns whether the `s` at `index` forms the plural of the preceding capitals, as in `userIDs`.
fn is_plural(run: &[char], index: usize) -> bool {
    run[index] == 's'
        && capitals_before(run, index)
        && !run.get(index + 1).is_some_and(|next| next.is_lowercase())
}

/// Returns whether two capitals precede `index`.
fn capitals_before(run: &[char], index: usize) -> bool {
    let capital = |back: usize| {
        index
            .checked_sub(back)
            .is_some_and(|at| run[at].is_uppercase())
    };
    capital(1) && capital(2)
}

fn push_lower(word: &mut String, char: char) {
    if char.is_ascii() {
        word.extend(Some(char.to_ascii_lowercase()).filter(|lower| unicode::is_common(*lower)));
    } else if unicode::is_common(char) {
        // A capital may have two letters in lower case, one of which may be uncommon.
        word.extend(
            char.to_lowercase()
                .nfkc()
                .filter(|lower| unicode::is_common(*lower)),
        );
    } else {
        word.push_str(&unicode::code_point(char));
    }
}

fn push_word(word: &mut String, pieces: &mut Vec<Piece>) {
    if !word.is_empty() {
        pieces.push(Piece::Word(std::mem::take(word)));
    }
}
