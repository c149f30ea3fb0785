//! A scan of a YAML text before parsing: the number of open brackets, and tabs that the parser refuses.
//!
//! The parser scans a whole text before any depth can be counted, in a time that grows with the
//! square of the depth. It also refuses tabs before a comment and in an empty line, which YAML 1.2
//! allows (1.2.2, sections 6.2 and 6.6). Brackets and tabs are therefore found here, by the rules
//! of the parser's scanner (libyaml's `scanner.c`) that distinguish them from the text of scalars.

/// Scans a text. Returns the bytes of the tabs before comments and in empty lines.
///
/// # Errors
/// Returns the byte at which more than `limit` brackets are open.
pub(super) fn scan(text: &str, limit: usize) -> Result<Vec<usize>, usize> {
    let mut scan = Scan::new(text);
    while scan.token() {
        if scan.level > limit {
            return Err(scan.at.saturating_sub(1));
        }
    }
    Ok(scan.tabs)
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    line_start: usize,
    /// The number of open brackets.
    level: usize,
    /// Columns of the enclosing block collections, the innermost last.
    indents: Vec<usize>,
    /// Whether a key may begin at the current position.
    key_allowed: bool,
    /// The column of a possible key: a following colon makes it a key.
    key: Option<usize>,
    /// Tabs between tokens that end with the line, or that a comment follows.
    tabs: Vec<usize>,
}

impl<'a> Scan<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            line_start: 0,
            level: 0,
            indents: Vec::new(),
            key_allowed: true,
            key: None,
            tabs: Vec::new(),
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Returns whether a space, the end of a line or the end of the text is at an offset.
    fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    const fn column(&self) -> usize {
        self.at - self.line_start
    }

    fn is_marker(&self) -> bool {
        let rest = &self.bytes[self.at..];
        self.column() == 0
            && (rest.starts_with(b"---") || rest.starts_with(b"..."))
            && self.is_blank(3)
    }

    /// Advances by one byte. Returns `true` at the end of a line.
    fn step(&mut self) -> bool {
        let ends = matches!(self.byte(0), Some(b'\n' | b'\r'));
        self.at += 1;
        if ends {
            self.line_start = self.at;
        }
        ends
    }

    fn end_of_line(&mut self) {
        while !matches!(self.byte(0), None | Some(b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn gap(&mut self) {
        loop {
            match self.byte(0) {
                Some(b'#') => self.end_of_line(),
                Some(b' ' | b'\t') => self.blanks(),
                Some(b'\n' | b'\r') => {
                    self.step();
                    if self.level == 0 {
                        (self.key_allowed, self.key) = (true, None);
                    }
                }
                _ => return,
            }
        }
    }

    /// Passes spaces and tabs, and keeps the tabs if no token follows in the line.
    fn blanks(&mut self) {
        let start = self.at;
        while matches!(self.byte(0), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        if matches!(self.byte(0), None | Some(b'#' | b'\n' | b'\r')) {
            let tabs = (start..self.at).filter(|at| self.bytes[*at] == b'\t');
            self.tabs.extend(tabs);
        }
    }

    /// Begins a block collection at a column, unless it has already begun.
    fn roll(&mut self, column: usize) {
        if self.indents.last().is_none_or(|last| *last < column) {
            self.indents.push(column);
        }
    }

    /// Begins a token that may be a key.
    fn begin(&mut self) {
        if self.key_allowed && self.level == 0 {
            self.key = Some(self.column());
        }
        self.key_allowed = false;
    }

    /// Advances by one token. Returns `false` at the end.
    fn token(&mut self) -> bool {
        self.gap();
        let Some(byte) = self.byte(0) else {
            return false;
        };
        let (column, in_block) = (self.column(), self.level == 0);
        while in_block && self.indents.last().is_some_and(|last| *last > column) {
            self.indents.pop();
        }
        match byte {
            _ if self.is_marker() => {
                self.indents.clear();
                self.at += 3;
            }
            b'%' if column == 0 => self.end_of_line(),
            b'[' | b'{' => {
                self.begin();
                self.level += 1;
                self.at += 1;
            }
            b']' | b'}' => {
                self.level = self.level.saturating_sub(1);
                self.at += 1;
            }
            b',' => self.at += 1,
            b'-' | b'?' if in_block && self.is_blank(1) => {
                self.roll(column);
                (self.key_allowed, self.key) = (true, None);
                self.at += 1;
            }
            b':' if in_block && self.is_blank(1) => {
                let key = self.key.take();
                self.roll(key.unwrap_or(column));
                self.key_allowed = key.is_none();
                self.at += 1;
            }
            b':' | b'?' if !in_block => self.at += 1,
            b'*' | b'&' | b'!' => {
                self.begin();
                self.at += 1;
                while !self.is_blank(0) && (in_block || !self.is_flow(0)) {
                    self.at += 1;
                }
            }
            b'|' | b'>' if in_block => self.block_scalar(),
            b'\'' | b'"' => self.quoted(byte),
            _ => self.plain(),
        }
        true
    }

    fn is_flow(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), Some(b',' | b'[' | b']' | b'{' | b'}'))
    }

    fn quoted(&mut self, quote: u8) {
        self.begin();
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            if byte == b'\\' && quote == b'"' {
                self.at += 1;
                self.step();
                continue;
            }
            self.step();
            if byte == quote {
                if quote == b'"' || self.byte(0) != Some(b'\'') {
                    return;
                }
                self.at += 1;
            }
        }
    }

    fn plain(&mut self) {
        self.begin();
        let in_block = self.level == 0;
        let indent = self.indents.last().map_or(0, |last| last + 1);
        self.at += 1;
        loop {
            while !self.is_blank(0) {
                let colon = self.byte(0) == Some(b':');
                let ends = colon && (self.is_blank(1) || (!in_block && self.is_flow(1)));
                if ends || (!in_block && self.is_flow(0)) {
                    return;
                }
                self.at += 1;
            }
            let mut breaks = false;
            while self.byte(0).is_some() && self.is_blank(0) {
                if matches!(self.byte(0), Some(b' ' | b'\t')) {
                    self.blanks();
                } else {
                    breaks |= self.step();
                }
            }
            if breaks && in_block {
                (self.key_allowed, self.key) = (true, None);
            }
            let outside = breaks && in_block && self.column() < indent;
            if outside || self.byte(0).is_none_or(|byte| byte == b'#') || self.is_marker() {
                return;
            }
        }
    }

    fn block_scalar(&mut self) {
        let header = self.at;
        self.end_of_line();
        let header = &self.bytes[header..self.at];
        let header = header.split(|byte| *byte == b'#').next().unwrap_or(header);
        let stated = header.iter().find(|byte| byte.is_ascii_digit());
        let around = self.indents.last().copied();
        let mut indent = stated.map(|digit| around.unwrap_or(0) + usize::from(digit - b'0'));
        self.step();
        while self.at < self.bytes.len() {
            let start = self.at;
            while self.byte(0) == Some(b' ') && indent.is_none_or(|it| self.column() < it) {
                self.at += 1;
            }
            let least = indent.unwrap_or_else(|| around.map_or(0, |around| around + 1));
            if self.byte(0) == Some(b'\t') && self.column() < least {
                let (at, tabs) = (self.at, self.tabs.len());
                self.blanks();
                if self.byte(0) == Some(b'#') {
                    // A comment that is indented less than the text ends the scalar.
                    self.tabs.truncate(tabs);
                    self.at = start;
                    break;
                }
                if !matches!(self.byte(0), Some(b'\n' | b'\r')) {
                    self.at = at;
                }
            }
            let empty = matches!(self.byte(0), Some(b'\n' | b'\r'));
            if !empty && self.column() < least {
                self.at = start;
                break;
            }
            if !empty && indent.is_none() {
                indent = Some(self.column());
            }
            self.end_of_line();
            self.step();
        }
        self.at = self.at.min(self.bytes.len());
        (self.key_allowed, self.key) = (true, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the depth of a text, and whether every bracket is closed.
    fn depth(text: &str) -> (usize, bool) {
        let (mut scan, mut deepest) = (Scan::new(text), 0);
        while scan.token() {
            deepest = deepest.max(scan.level);
        }
        (deepest, scan.level == 0)
    }

    #[test]
    fn brackets_outside_of_text_count() {
        for (text, deepest) in [
            ("[[1, {a: [2]}]]", 4),
            ("{\"}\": {'}''}': [x}]}", 3),
            ("a: x]]] [[[\nb: [1]", 1),
            ("a: x\n  [ not a list\nb: {c: d}", 1),
            ("a: |\n  [[[\n\n  }}\nb: [1]", 1),
            ("- >2-  # [\n    [[[\n- [1]", 1),
            ("- a: |\n    [\n  b: [[1]]", 2),
            ("a: # [[\n  [1]", 1),
            ("a: don't [\n'b': [1]", 1),
            ("a: \"x\\\"[\n  [[\"\nb: {}", 1),
            ("? [a]\n: - {b: 1}\n- [", 1),
            ("--- [\n]\n...\n---\n{", 1),
            ("&a [ &b {x: *a}, !t [1], !<tag:x> 1]", 2),
            ("a: -[\nb: ?[\nc: :[", 0),
            ("[a:[1], a: b]", 2),
            ("%TAG ! [[[\n--- 1", 0),
            ("é: |\n [\nb: [1]", 1),
        ] {
            assert_eq!(depth(text).0, deepest, "{text}");
        }
    }

    #[test]
    fn documents_close_what_they_open() {
        let features = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/features");
        for file in std::fs::read_dir(features).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let (deepest, closed) = depth(&text);
            assert!(closed && deepest < 12, "{}: {deepest}", path.display());
        }
    }

    #[test]
    fn hidden_depth_is_found() {
        for piece in [
            "[",
            "{\"}\":",
            "[']',",
            "{\"\n}\":",
            "[#]\n",
            "? [",
            "&a [",
            "- [",
        ] {
            let text = piece.repeat(2_000);
            assert!(scan(&text, 500).is_err(), "{piece:?}");
        }
    }
}
