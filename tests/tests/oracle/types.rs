//! rustdoc as the judge of effects on Rust: the public items and their types before and after.
//!
//! The compiler rejects a probe only if a use of an item fails. Here a type that changes counts too,
//! and an impl that is lost, whether or not a probe relies on it.

use std::collections::{BTreeMap, BTreeSet};

use bothends::diff::{Audience, Change, Level, Raw, Report};

use crate::compiler::Documents;
use crate::pairs::{Generated, Pair, codes, compare};
use crate::rustdoc::{Crate, Fact, Role, Surface};

/// Rules that are safe for Rust although rustdoc shows a difference at their place, and the reason.
const WAIVERS: &[(&str, &str)] = &[
    (
        "D0128",
        "clients call the methods of the traits of pages, and implementers do not name these",
    ),
    (
        "D0311",
        "code names the response of an operation by its alias, which stays with the first header",
    ),
    (
        "D0720",
        "code names the errors of an operation by their alias, which stays",
    ),
    (
        "D0734",
        "code names the errors of an operation by their alias, which stays",
    ),
    (
        "D0736",
        "code names the type of a place by its alias, which stays",
    ),
];

/// The documents of one crate. More of them need more memory, and fewer of them more time.
pub(crate) const AT_ONCE: usize = 64;

/// What rustdoc and the report say about pairs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// The differences without a reported break.
    wrong: Vec<String>,
    /// The waivers that explain a difference.
    used: BTreeSet<usize>,
    /// The number of facts that code relied on and that are gone or different.
    lost: usize,
}

/// A pair in both orders, with the code of both documents.
pub(crate) struct Sides<'a> {
    pub(crate) pair: &'a Pair,
    pub(crate) reverse: &'a Pair,
    pub(crate) code: [&'a str; 2],
}

/// Returns pairs, each of which is followed by its reverse, with the code of their documents. A pair
/// with a document that has errors is left out.
pub(crate) fn sides<'a>(generated: &'a Generated, pairs: &'a [Pair]) -> Vec<Sides<'a>> {
    let code_of = |source| generated.module(source).map(|name| &*generated.code[name]);
    let both = pairs.chunks_exact(2).filter_map(|both| {
        let (pair, reverse) = (&both[0], &both[1]);
        assert_eq!((&pair.old, &pair.new), (&reverse.new, &reverse.old));
        let code = [code_of(&pair.old)?, code_of(&pair.new)?];
        Some(Sides {
            pair,
            reverse,
            code,
        })
    });
    both.collect()
}

/// Judges pairs, each of which is followed by its reverse. Returns `None` if rustdoc writes no JSON.
pub(crate) fn judge(test: &str, pairs: &[Pair]) -> Option<Verdict> {
    let dir = tempfile::tempdir().expect("a folder");
    let generated = Generated::new(dir.path(), pairs);
    let documents = Documents::prepare(dir.path());
    if let Err(error) = documents.json("empty", &BTreeMap::new(), &[]) {
        let missing = format!("rustdoc writes no JSON ({})", error.trim());
        bothends_test_environment::skipped(test, &missing, "install Rust with rustdoc");
        return None;
    }
    let both = sides(&generated, pairs);
    let mut verdict = Verdict::default();
    for (index, part) in both.chunks(AT_ONCE).enumerate() {
        let sides = [0, 1].map(|side| {
            let modules = part.iter().enumerate();
            let modules = modules.map(|(at, sides)| (format!("pair{at}"), sides.code[side]));
            let modules: BTreeMap<String, &str> = modules.collect();
            (format!("part{index}-{side}"), modules)
        });
        let surfaces = |(folder, modules): &(String, BTreeMap<String, &str>)| {
            let file = documents.json(folder, modules, &[]);
            Crate::read(&file.expect("JSON")).surfaces()
        };
        let [old, new] = std::thread::scope(|scope| {
            let all = sides.each_ref().map(|side| scope.spawn(|| surfaces(side)));
            all.map(|thread| thread.join().expect("rustdoc runs"))
        });
        for (at, sides) in part.iter().enumerate() {
            let name = format!("pair{at}");
            verdict.add(sides.pair, &old[&name], &new[&name]);
            verdict.add(sides.reverse, &new[&name], &old[&name]);
        }
    }
    Some(verdict)
}

impl Verdict {
    fn add(&mut self, pair: &Pair, old: &Surface, new: &Surface) {
        let report = compare(pair).expect("documents without errors");
        for (key, fact) in &old.facts {
            let now = new.facts.get(key);
            let now = now.map_or("gone", |now| &now.text);
            let text = format!("{} -> {now}", fact.text);
            if now == fact.text {
                continue;
            }
            let lost = Lost { key, fact, text };
            let audiences = [Audience::RustCallers, Audience::RustImplementers];
            for audience in audiences
                .into_iter()
                .filter(|audience| uses(old, fact, *audience))
            {
                self.lost += 1;
                if is_explained(&report, audience, &lost) {
                    continue;
                }
                let waiver = WAIVERS.iter().position(|(rule, _)| {
                    let mut all = report
                        .changes
                        .iter()
                        .filter(|change| change.code() == *rule);
                    all.any(|change| is_place(change, &lost))
                });
                if let Some(waiver) = waiver {
                    self.used.insert(waiver);
                    continue;
                }
                let codes = codes(&report, audience, Level::Safe);
                self.wrong.push(format!(
                    "{} {}: {key}: {} {codes:?}",
                    pair.name,
                    audience.name(),
                    lost.text
                ));
            }
        }
    }

    /// Asserts that every difference is reported or explained, and that enough facts differ.
    pub(crate) fn check(&self, least: usize) {
        let count = (self.wrong.len(), self.lost);
        assert!(
            self.wrong.is_empty(),
            "{count:?}\n{}",
            self.wrong.join("\n")
        );
        assert!(self.lost >= least, "{}", self.lost);
    }

    /// Asserts that every waiver explains a difference.
    pub(crate) fn check_waivers(&self) {
        let all = WAIVERS.iter().enumerate();
        let stale: Vec<_> = all.filter(|(at, _)| !self.used.contains(at)).collect();
        assert!(stale.is_empty(), "stale: {stale:?}");
    }
}

/// Returns whether an audience relies on a fact.
fn uses(old: &Surface, fact: &Fact, audience: Audience) -> bool {
    let callers = audience == Audience::RustCallers;
    match fact.owner.split("::").next() {
        Some("client") => return callers,
        Some("server") => return !callers,
        _ => {}
    }
    let in_requests = old.requests.contains(&fact.owner);
    let in_responses = old.responses.contains(&fact.owner);
    // Callers construct requests and read responses.
    let (constructs, reads) = match callers {
        true => (in_requests, in_responses),
        false => (in_responses, in_requests),
    };
    let unused = !in_requests && !in_responses;
    match fact.role {
        Role::Item => true,
        Role::Constructs => constructs || unused,
        Role::Reads => reads || unused,
        Role::Trait => !callers,
    }
}

/// A fact of the old code that the new code does not have.
struct Lost<'f> {
    key: &'f str,
    fact: &'f Fact,
    /// The texts before and after.
    text: String,
}

/// Returns whether a report explains a lost fact: it has a change that is not safe for an audience, at
/// the place of the fact.
fn is_explained(report: &Report, audience: Audience, lost: &Lost<'_>) -> bool {
    let all = report.changes.iter();
    let mut reached = all.filter(|change| change.outcome(audience).level > Level::Safe);
    reached.any(|change| {
        is_place(change, lost)
            || is_lost_trait(change, lost.key)
            || is_operation_of_trait(change, lost.fact)
    })
}

/// Returns whether a change names an item, its module, the operation with which the names of its types
/// begin, or a type that it mentions.
fn is_place(change: &Change, lost: &Lost<'_>) -> bool {
    let last = lost.key.trim_end_matches("()").rsplit([':', '.']).next();
    let (modules, owner) = lost.fact.owner.rsplit_once("::").unwrap_or_default();
    let names = [last.unwrap_or_default(), owner].map(plain);
    let paths = [&change.rust_old, &change.rust_new];
    paths.into_iter().flatten().any(|path| {
        let segments = path.rsplit("::").take(2);
        let segments = segments.filter(|segment| !["Client", "WebhookHandler"].contains(segment));
        let mut bases = segments.map(|segment| {
            let ends = ["Request", "Response", "Error", "Api"];
            let segment = segment.strip_suffix("Init").unwrap_or(segment);
            let segment = segment.strip_suffix("Headers").unwrap_or(segment);
            let base = ends.iter().find_map(|end| segment.strip_suffix(end));
            plain(base.unwrap_or(segment))
        });
        // The type of a member of a type.
        let parent = path.rsplit_once("::").map_or("", |(parent, _)| parent);
        let is_member = parent.contains("::") && parent != "client::Client";
        bases.any(|base| {
            let mut modules = modules.split("::").map(plain);
            names.iter().any(|name| name.starts_with(&base)) || modules.any(|module| module == base)
        }) || lost.text.contains(path.as_str())
            || (is_member && lost.text.contains(parent))
    }) || is_old_type(change, lost)
}

/// Returns whether a change is that of places to another type, and a fact is of the type that they had.
fn is_old_type(change: &Change, lost: &Lost<'_>) -> bool {
    let old = change.arguments.iter().find(|(name, _)| *name == "from");
    let is_of = |old: &str| lost.key.contains(old) || lost.text.contains(old);
    matches!(change.code().as_str(), "D0735" | "D0736") && old.is_some_and(|(_, old)| is_of(old))
}

/// Returns whether a change is the loss of the trait of an impl. A trait that is lost because of a
/// type that another type contains is reported for the former only.
fn is_lost_trait(change: &Change, key: &str) -> bool {
    let is_lost = change.rules.iter().any(|rule| rule.raw == Raw::TraitLost);
    let name = change.arguments.iter().find(|(key, _)| *key == "name");
    let (path, _) = key.split_once(" for ").unwrap_or_default();
    is_lost && name.is_some_and(|(_, name)| path.rsplit("::").next() == Some(name))
}

/// Returns whether a change adds, removes or moves an operation: the methods and bounds of the traits
/// of a server follow from these.
fn is_operation_of_trait(change: &Change, fact: &Fact) -> bool {
    let raws = [
        Raw::OperationAdded,
        Raw::OperationRemoved,
        Raw::OperationRemovedAfterSunset,
        Raw::OperationRenamed,
        Raw::MethodRenamed,
        Raw::TagChanged,
        Raw::TraitRenamed,
    ];
    let is_trait = fact.role == Role::Trait || fact.owner == "server::Api";
    is_trait && change.rules.iter().any(|rule| raws.contains(&rule.raw))
}

/// Returns a name without its style.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
