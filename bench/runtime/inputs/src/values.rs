//! JSON texts for the cases of values, written without a library so that both sides read the same
//! bytes. Every text is the same in every run.

use std::fmt::Write;

/// A linear congruential generator: the numbers are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    /// Creates the generator with the seed of the benchmark.
    pub const fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self::new()
    }
}

const WORDS: [&str; 12] = [
    "river",
    "stone",
    "amber",
    "kestrel",
    "willow",
    "harbour",
    "copper",
    "meadow",
    "lantern",
    "Zürich",
    "quote \\\"q\\\"",
    "granite",
];

fn word(numbers: &mut Numbers) -> &'static str {
    WORDS[numbers.below(WORDS.len() as u64) as usize]
}

/// Appends an object of ten fields, `Account` of the document.
fn account(numbers: &mut Numbers, id: u64, out: &mut String) {
    let status = ["active", "frozen", "closed"][numbers.below(3) as usize];
    let (units, cents) = (numbers.below(100_000), numbers.below(100));
    let _ = write!(
        out,
        r#"{{"id":{id},"name":"{} {} account","status":"{status}","balance":{units}.{cents:02},"active":{},"opened_at":"20{:02}-{:02}-{:02}T12:30:00Z","tags":["{}","{}","{}"],"owner":{{"first":"{}","last":"{}"}},"note":"{} {} {} {}","branch":{}}}"#,
        word(numbers),
        word(numbers),
        numbers.below(2) == 0,
        10 + numbers.below(15),
        1 + numbers.below(12),
        1 + numbers.below(28),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        word(numbers),
        numbers.below(5_000),
    );
}

/// Returns an object of ten fields.
pub fn object() -> String {
    let mut out = String::new();
    account(&mut Numbers::new(), 4_211, &mut out);
    out
}

/// Returns an array of such objects, of 1 MB.
pub fn array() -> String {
    let mut numbers = Numbers::new();
    let mut out = String::from("[");
    let mut id = 1;
    while out.len() < 1_000_000 {
        if id > 1 {
            out.push(',');
        }
        account(&mut numbers, id, &mut out);
        id += 1;
    }
    out.push(']');
    out
}

/// The place of the tag in an object of a union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// The first key.
    First,
    /// The last key.
    Last,
    /// There is no tag.
    None,
}

/// Objects of a union, with the tag at one place.
struct Union {
    tag: Tag,
    numbers: Numbers,
    id: u64,
}

impl Union {
    const fn new(tag: Tag) -> Self {
        Self {
            tag,
            numbers: Numbers::new(),
            id: 0,
        }
    }

    fn object(&mut self, kind: &str, members: &str) -> String {
        self.id += 1;
        let id = self.id;
        match self.tag {
            Tag::First => format!(r#"{{"kind":"{kind}","id":{id},{members}}}"#),
            Tag::Last => format!(r#"{{"id":{id},{members},"kind":"{kind}"}}"#),
            Tag::None => format!(r#"{{"id":{id},{members}}}"#),
        }
    }

    /// Returns a text or a number, in turn.
    fn leaf(&mut self) -> String {
        if self.id % 2 == 0 {
            let (first, second) = (word(&mut self.numbers), word(&mut self.numbers));
            self.object("text", &format!(r#""text":"{first} {second}","bold":true"#))
        } else {
            let (value, unit) = (self.numbers.below(10_000), word(&mut self.numbers));
            self.object("number", &format!(r#""value":{value}.25,"unit":"{unit}""#))
        }
    }

    fn tree(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let name = word(&mut self.numbers);
        let children: Vec<String> = (0..3).map(|_| self.tree(depth - 1)).collect();
        let children = children.join(",");
        self.object(
            "group",
            &format!(r#""name":"{name}","children":[{children}]"#),
        )
    }

    fn chain(&mut self, length: usize) -> String {
        if length == 0 {
            return self.leaf();
        }
        let next = self.chain(length - 1);
        self.object("link", &format!(r#""next":{next}"#))
    }
}

/// Returns a tree of 364 nodes: groups of three, five levels deep.
pub fn tree(tag: Tag) -> String {
    Union::new(tag).tree(5)
}

/// Returns an array of 364 texts and numbers.
pub fn list(tag: Tag) -> String {
    let mut union = Union::new(tag);
    let items: Vec<String> = (0..364).map(|_| union.leaf()).collect();
    format!("[{}]", items.join(","))
}

/// Returns a chain of 60 links.
pub fn chain(tag: Tag) -> String {
    Union::new(tag).chain(60)
}
