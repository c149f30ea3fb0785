//! CommonMark of the document, sanitized for doc comments.
//!
//! rustdoc compiles code blocks of Rust, and it treats every block without a language as Rust.
//! Fenced blocks therefore get a language, and indented blocks are prevented. Invisible characters
//! and characters that change the text direction are removed.

use super::html::tame;

/// The maximum number of lines from the document in one doc comment.
const MAX_LINES: usize = 150;
/// The maximum number of characters in a line.
const MAX_LINE: usize = 2_000;

/// Returns the lines of a text. No line ends in a space, and no two adjacent lines are empty.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut cleaner = Cleaner {
        out: Vec::new(),
        fence: None,
    };
    let text = text.trim();
    let unix;
    let text = if text.contains('\r') {
        unix = text.replace("\r\n", "\n").replace('\r', "\n");
        &unix
    } else {
        text
    };
    let mut cut = false;
    for (index, line) in text.split('\n').enumerate() {
        if index >= MAX_LINES {
            cut = true;
            break;
        }
        cleaner.line(&visible(line));
    }
    cleaner.finish(cut)
}

/// Returns whether a character is invisible, or changes the display of others.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Returns a line without hidden characters, and with tabs as spaces.
fn visible(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars().take(MAX_LINE) {
        match c {
            '\t' => out.push_str("    "),
            '\u{2028}' | '\u{2029}' => out.push(' '),
            c if is_hidden(c) => {}
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// An open code fence.
pub(super) struct Fence {
    pub(super) mark: char,
    pub(super) len: usize,
}

struct Cleaner {
    out: Vec<String>,
    fence: Option<Fence>,
}

impl Cleaner {
    fn line(&mut self, line: &str) {
        let (content, mark) = (uncontained(line), fence_mark(uncontained(line)));
        match (&self.fence, mark) {
            (Some(open), Some((found, info)))
                if found.mark == open.mark && found.len >= open.len && info.is_empty() =>
            {
                self.close();
            }
            (Some(_), _) => {
                let quoted = line.trim_start().starts_with('>');
                self.push(if quoted {
                    content.to_owned()
                } else {
                    line.to_owned()
                });
            }
            (None, Some((fence, info))) => self.open(fence, info),
            (None, None) => self.push(prose(line)),
        }
    }

    fn open(&mut self, fence: Fence, info: &str) {
        self.push(String::new());
        self.out.push(format!("{}{}", mark(&fence), language(info)));
        self.fence = Some(fence);
    }

    fn close(&mut self) {
        if let Some(fence) = self.fence.take() {
            while self.out.last().is_some_and(String::is_empty) {
                self.out.pop();
            }
            self.out.push(mark(&fence));
        }
    }

    fn push(&mut self, line: String) {
        let blank_before = self.out.last().is_none_or(String::is_empty);
        if !(line.is_empty() && blank_before) {
            self.out.push(line);
        }
    }

    fn finish(mut self, cut: bool) -> Vec<String> {
        self.close();
        while self.out.last().is_some_and(String::is_empty) {
            self.out.pop();
        }
        if cut {
            self.out.push(String::new());
            self.out.push("…".to_owned());
        }
        self.out
    }
}

fn mark(fence: &Fence) -> String {
    fence.mark.to_string().repeat(fence.len)
}

/// Returns a fence at the start of a text, and its info string.
pub(super) fn fence_mark(text: &str) -> Option<(Fence, &str)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let len = text.len() - info.len();
    if len < 3 || (mark == '`' && info.contains('`')) {
        return None;
    }
    Some((Fence { mark, len }, info.trim()))
}

/// Returns a line without leading marks of quotes, lists and footnotes.
pub(super) fn uncontained(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let inner = match rest.chars().next() {
            Some('>') => rest.get(1..),
            Some('-' | '+' | '*') => rest.get(1..).filter(|text| text.starts_with(' ')),
            Some('0'..='9') => {
                let text = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                text.strip_prefix(['.', ')'])
                    .filter(|text| text.starts_with(' '))
            }
            Some('[') if rest.starts_with("[^") => rest.split_once("]:").map(|(_, text)| text),
            _ => None,
        };
        match inner {
            Some(inner) => rest = inner.trim_start(),
            None => return rest,
        }
    }
}

/// Returns a line outside of code, without HTML and without an indentation that would make it code.
fn prose(line: &str) -> String {
    let tamed = tame(line);
    let text = tamed.trim_start();
    let indent = (tamed.len() - text.len()).min(3);
    let mut out = " ".repeat(indent);
    let mut spaces = 0;
    for c in text.trim_end().chars() {
        if c == ' ' {
            spaces += 1;
            continue;
        }
        let kept = if spaces > 3 { 1 } else { spaces };
        out.extend(std::iter::repeat_n(' ', kept));
        spaces = 0;
        out.push(c);
    }
    // HTML at the start of the line may have hidden a fence.
    let inner = uncontained(&out);
    if fence_mark(inner).is_some() {
        let at = out.len() - inner.len();
        out.insert(at, '\\');
    }
    if out.trim().is_empty() {
        String::new()
    } else {
        out
    }
}

/// Returns the language of a code block, or `text` for blocks that rustdoc would compile.
fn language(info: &str) -> String {
    let word = info.split([' ', ',', '\t']).next().unwrap_or_default();
    let plain = word
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '#'));
    let lower = word.to_ascii_lowercase().replace('-', "_");
    let single = word.len() == info.len();
    let rust = matches!(
        lower.as_str(),
        "" | "rust"
            | "rs"
            | "should_panic"
            | "no_run"
            | "ignore"
            | "compile_fail"
            | "test_harness"
            | "standalone_crate"
            | "standalone"
            | "custom"
            | "allow_fail"
            | "norun"
            | "shouldpanic"
            | "should_fail"
            | "compilefail"
            | "testharness"
    ) || lower.starts_with("edition")
        || lower.starts_with("ignore")
        || is_error_code(&lower);
    if plain && single && !rust && word.len() <= 30 {
        word.to_owned()
    } else {
        "text".to_owned()
    }
}

fn is_error_code(word: &str) -> bool {
    word.strip_prefix('e')
        .is_some_and(|code| code.len() == 4 && code.bytes().all(|b| b.is_ascii_digit()))
}
