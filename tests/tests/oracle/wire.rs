//! A validator of JSON Schema as the judge of effects on the wire.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use bothends::diff::{Audience, Level};
use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::draw::{Draw, Random};
use crate::messages::{Message, messages};
use crate::pairs::{Pair, Source, codes, compare};

/// The values drawn for each message.
const VALUES: usize = 40;

/// Rules whose new rejections by a validator are safe, and the reason.
const LENIENT: &[(&str, &str)] = &[
    (
        "D0211",
        "a value in a URL is text, so that strings include numbers",
    ),
    (
        "D0212",
        "a value in a URL is text, so that strings include numbers",
    ),
    (
        "D0417",
        "new readers keep a removed value of an open enum as unknown",
    ),
    (
        "D0517",
        "new readers keep a removed value of an open enum as unknown",
    ),
    (
        "D0505",
        "clients ignore properties of closed objects that they do not know",
    ),
    (
        "D0506",
        "clients ignore properties of closed objects that they do not know",
    ),
    (
        "D0507",
        "clients ignore properties of closed objects that they do not know",
    ),
    (
        "D0508",
        "clients ignore properties of closed objects that they do not know",
    ),
    (
        "D0560",
        "clients ignore properties of closed objects that they do not know",
    ),
    (
        "D0561",
        "clients ignore properties of closed objects that they do not know",
    ),
];

/// What the validator finds.
#[derive(Default)]
pub(crate) struct Verdict {
    /// The pairs that were judged, and those among them with a change other than texts.
    pairs: (usize, usize),
    /// The pairs whose report is wrong.
    pub(crate) wrong: Vec<String>,
    /// The number of values that were drawn and are valid.
    pub(crate) values: usize,
    /// The number of audiences of pairs with a rejected value.
    pub(crate) rejected: usize,
}

impl Verdict {
    /// Asserts that every rejected value is reported, and that enough values are rejected.
    pub(crate) fn check(&self, least: usize) {
        assert!(
            self.wrong.is_empty(),
            "{} wrong\n{}",
            self.wrong.len(),
            self.wrong.join("\n")
        );
        let counts = (self.values, self.rejected);
        assert!(counts.0 >= 100 * least && counts.1 >= least, "{counts:?}");
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pairs, changed) = self.pairs;
        let (values, rejected) = (self.values, self.rejected);
        write!(
            f,
            "{pairs} pairs, {changed} with changes; {values} values, {rejected} audiences with a rejected one"
        )
    }
}

/// A document with its messages and validators.
struct Side {
    messages: BTreeMap<String, (Message, Validator)>,
}

impl Side {
    fn new(document: &Value) -> Self {
        let all = messages(document)
            .into_iter()
            .filter_map(|(name, message)| {
                let options = jsonschema::options()
                    .with_draft(Draft::Draft202012)
                    .should_validate_formats(true);
                let validator = options.build(&message.schema).ok()?;
                Some((name, (message, validator)))
            });
        Self {
            messages: all.collect(),
        }
    }
}

/// Returns the side of a document, which may be known.
fn side<'p>(source: &'p Source, known: &[(&'p str, Rc<Side>)]) -> (&'p str, Rc<Side>) {
    let same = known.iter().find(|(text, _)| *text == source.text);
    let side = same.map(|(_, side)| Rc::clone(side));
    (
        &source.text,
        side.unwrap_or_else(|| Rc::new(Side::new(&source.json()))),
    )
}

/// Draws messages of each document of the pairs and validates them with the other one.
pub(crate) fn judge(pairs: &[Pair]) -> Verdict {
    let mut verdict = Verdict::default();
    // The documents of the last pair: the next one has at least one of them, in the other order.
    let mut sides: Vec<(&str, Rc<Side>)> = Vec::new();
    for pair in pairs {
        let is_read = |source: &crate::pairs::Source| source.json()["openapi"].is_string();
        if !is_read(&pair.old) || !is_read(&pair.new) {
            continue;
        }
        let Some(report) = compare(pair) else {
            continue;
        };
        verdict.pairs.0 += 1;
        verdict.pairs.1 += usize::from(report.changes.iter().any(|change| !change.is_text()));
        sides = [&pair.old, &pair.new]
            .map(|source| side(source, &sides))
            .into();
        let (old, new) = (&sides[0].1, &sides[1].1);
        let mut rejected: BTreeMap<&str, (Audience, String)> = BTreeMap::new();
        // A client writes requests and reads responses. A writer is affected by what new readers
        // reject, a reader by what new writers send.
        for (from, to, writers_are_old) in [(old, new, true), (new, old, false)] {
            for (name, (message, own)) in &from.messages {
                let Some((_, other)) = to.messages.get(name) else {
                    continue;
                };
                let audience = match (message.is_request, writers_are_old) {
                    (true, true) | (false, false) => Audience::WireClients,
                    _ => Audience::WireServers,
                };
                let mut draw = Draw {
                    root: &message.schema,
                    random: Random(7),
                };
                for _ in 0..VALUES {
                    let value = draw.value(&message.schema["message"], 0);
                    let Some(value) = value.filter(|value| own.is_valid(value)) else {
                        continue;
                    };
                    verdict.values += 1;
                    if let Err(error) = other.validate(&value) {
                        let text = format!("{name}: {value}\n    {error}");
                        rejected.entry(audience.name()).or_insert((audience, text));
                    }
                }
            }
        }
        for (audience, value) in rejected.into_values() {
            verdict.rejected += 1;
            let reported = codes(&report, audience, Level::Attention);
            let all = codes(&report, audience, Level::Safe);
            let lenient = |code: &String| LENIENT.iter().any(|(rule, _)| rule == code);
            if reported.is_empty() && !all.iter().any(lenient) {
                verdict.wrong.push(format!(
                    "{} {}: {all:?}\n    {value}",
                    pair.name,
                    audience.name()
                ));
            }
        }
    }
    verdict
}
