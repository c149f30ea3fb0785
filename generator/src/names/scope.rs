//! A scope: the order in which items get names, and the treatment of conflicts.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostics, beginning, codes};
use crate::ir::Name;
use crate::position::Origin;

use super::casing::Case;
use super::ident;
use super::unicode::Lookalikes;
use super::words::{Ends, Words};

/// The rule for the names of one kind of item.
#[derive(Debug)]
pub(super) struct Rule {
    /// The case of the names.
    pub(super) case: Case,
    /// The treatment of signs at the ends.
    pub(super) ends: Ends,
    /// Names that are not available.
    pub(super) reserved: &'static [&'static [&'static str]],
    /// The suffix for a reserved name. With `None`, keywords become raw and other names get a `_`.
    pub(super) suffix: Option<&'static str>,
    /// The names that are made of one name: usually the name itself, `{base}Request` and so on for
    /// a base.
    pub(super) derived: &'static [&'static str],
    /// Whether the name is used without a prefix or a suffix, and therefore must not be a keyword.
    pub(super) alone: bool,
}

/// The rule that most other rules vary.
pub(super) const PLAIN: Rule = Rule {
    case: Case::Snake,
    ends: Ends::Dropped,
    reserved: &[],
    suffix: None,
    derived: &[""],
    alone: true,
};

impl Rule {
    /// Returns the name, or a replacement if the name is reserved.
    fn escape(&self, name: &str) -> String {
        let mut reserved = self.reserved.iter().copied().flatten();
        let is_reserved = reserved.any(|reserved| {
            let mut suffixes = self.derived.iter();
            suffixes.any(|suffix| reserved.strip_suffix(suffix) == Some(name))
        });
        let is_keyword = self.alone && ident::is_keyword(name);
        match self.suffix {
            Some(suffix) if is_reserved || is_keyword => format!("{name}{suffix}"),
            None if is_keyword => ident::raw(name),
            None if is_reserved => format!("{name}_"),
            _ => name.to_owned(),
        }
    }
}

/// The state that all scopes of an API share.
#[derive(Debug)]
pub(super) struct Namer<'a> {
    pub(super) diagnostics: &'a mut Diagnostics,
    pub(super) lookalikes: Lookalikes,
}

impl Namer<'_> {
    /// Calls `assign` without reports of names that are changed.
    pub(super) fn quietly<T>(&mut self, assign: impl FnOnce(&mut Namer<'_>) -> T) -> T {
        let mut silent = Diagnostics::new();
        let mut apart = Namer {
            diagnostics: &mut silent,
            lookalikes: std::mem::take(&mut self.lookalikes),
        };
        let result = assign(&mut apart);
        self.lookalikes = apart.lookalikes;
        result
    }
}

/// A request for a name.
#[derive(Debug)]
pub(super) struct Ask {
    /// The name in the document, from which the words are made.
    pub(super) wire: String,
    /// The name that the user requested.
    pub(super) wanted: Option<String>,
    /// A Rust name to use as a prefix.
    pub(super) prefix: String,
    /// The location in the document.
    pub(super) origin: Origin,
}

/// The ways in which a request gets its name, in order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Wanted,
    Exact,
    Clean,
    Plain,
}

/// The possible names of a request.
#[derive(Debug)]
struct Draft {
    claim: Claim,
    /// The name before the check for keywords and reserved names.
    stem: String,
    plain: String,
    spelled: Option<String>,
}

/// The names in use, each with the item that uses it.
#[derive(Debug, Default)]
pub(super) struct Scope {
    taken: BTreeMap<String, String>,
    /// The last number that was appended to each stem.
    last: BTreeMap<String, u32>,
}

impl Scope {
    /// Assigns names to requests, in the order of the module's rule.
    pub(super) fn assign(
        &mut self,
        rule: &Rule,
        asks: &[Ask],
        namer: &mut Namer<'_>,
    ) -> Vec<String> {
        let drafts: Vec<Draft> = asks.iter().map(|ask| draft(rule, ask, namer)).collect();
        let mut names: Vec<Option<String>> = vec![None; asks.len()];
        for claim in [Claim::Wanted, Claim::Exact, Claim::Clean, Claim::Plain] {
            for ((ask, draft), name) in asks.iter().zip(&drafts).zip(&mut names) {
                if name.is_none() && draft.claim == claim {
                    *name = self.take(rule, &draft.plain, ask);
                }
            }
        }
        let resolve = |((ask, draft), name): ((&Ask, Draft), Option<String>)| match name {
            Some(name) => name,
            None => self.resolve_taken(rule, ask, &draft, namer),
        };
        asks.iter().zip(drafts).zip(names).map(resolve).collect()
    }

    /// Assigns names to items and stores the names in them.
    pub(super) fn name<'n>(
        &mut self,
        rule: &Rule,
        names: impl IntoIterator<Item = (&'n mut Name, Origin)>,
        namer: &mut Namer<'_>,
    ) {
        let mut targets = Vec::new();
        let mut asks = Vec::new();
        for (name, origin) in names {
            let (wire, wanted) = (name.wire.clone(), name.wanted.clone());
            asks.push(Ask {
                wire,
                wanted,
                prefix: String::new(),
                origin,
            });
            targets.push(name);
        }
        let rust = self.assign(rule, &asks, namer);
        for (name, rust) in targets.into_iter().zip(rust) {
            name.rust = rust;
        }
    }

    /// Assigns a name to one request.
    pub(super) fn assign_one(&mut self, rule: &Rule, ask: Ask, namer: &mut Namer<'_>) -> String {
        self.assign(rule, &[ask], namer).pop().unwrap_or_default()
    }

    /// Assigns a name to one request if its first choice is available and not reserved.
    pub(super) fn if_free(
        &mut self,
        rule: &Rule,
        ask: &Ask,
        namer: &mut Namer<'_>,
    ) -> Option<String> {
        let draft = draft(rule, ask, namer);
        let name = (draft.plain == draft.stem).then_some(draft.plain)?;
        self.take(rule, &name, ask)
    }

    /// Returns whether an item has a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.taken.contains_key(name)
    }

    /// Returns a name for a request whose first choice is in use: the spelled-out name, or a
    /// numbered one.
    fn resolve_taken(
        &mut self,
        rule: &Rule,
        ask: &Ask,
        draft: &Draft,
        namer: &mut Namer<'_>,
    ) -> String {
        // The name of a component is in the messages of all inline types in it.
        let owner = beginning(self.owner(rule, &draft.plain), ident::LONGEST).into_owned();
        let spelled = draft
            .spelled
            .as_ref()
            .and_then(|spelled| self.take(rule, spelled, ask));
        let name = spelled.unwrap_or_else(|| self.number(rule, ask, &draft.stem));
        let (wanted, name_shown) = (show(rule, &draft.plain), show(rule, &name));
        namer
            .diagnostics
            .report(
                codes::NAME_TAKEN,
                &ask.origin,
                format!(
                    "`{}` becomes `{name_shown}`: `{owner}` already has the name `{wanted}`",
                    beginning(&ask.wire, ident::LONGEST)
                ),
            )
            .help("choose a name for one of them under `[names]` in the configuration");
        name
    }

    fn number(&mut self, rule: &Rule, ask: &Ask, stem: &str) -> String {
        let mut number = self.last.get(stem).copied().unwrap_or(1);
        loop {
            number = number.saturating_add(1);
            let candidate = rule.escape(&ident::numbered(stem, number));
            if let Some(name) = self.take(rule, &candidate, ask) {
                self.last.insert(stem.to_owned(), number);
                return name;
            }
        }
    }

    fn take(&mut self, rule: &Rule, name: &str, ask: &Ask) -> Option<String> {
        let all = rule.derived.iter().map(|suffix| [name, suffix].concat());
        let all: Vec<String> = all.collect();
        if all.iter().any(|name| self.taken.contains_key(name)) {
            return None;
        }
        for name in all {
            self.taken.insert(name, ask.wire.clone());
        }
        Some(name.to_owned())
    }

    fn owner(&self, rule: &Rule, name: &str) -> &str {
        let mut all = rule.derived.iter().map(|suffix| format!("{name}{suffix}"));
        all.find_map(|name| self.taken.get(&name))
            .map_or("", String::as_str)
    }
}

/// Returns a name as the user sees it. For a base, that is a derived name.
fn show(rule: &Rule, name: &str) -> String {
    format!(
        "{name}{}",
        rule.derived.first().copied().unwrap_or_default()
    )
}

fn draft(rule: &Rule, ask: &Ask, namer: &mut Namer<'_>) -> Draft {
    if let Some(wanted) = ask.wanted.as_deref().filter(|wanted| !wanted.is_empty()) {
        let wanted = ident::unraw(wanted);
        let stem = if ident::suits(wanted, rule.case) && namer.lookalikes.admit(wanted) {
            wanted.to_owned()
        } else {
            let words = Words::split(wanted).plain(rule.ends);
            ident::join(&words, rule.case, &mut namer.lookalikes)
        };
        let plain = rule.escape(&stem);
        return Draft {
            claim: Claim::Wanted,
            stem,
            plain,
            spelled: None,
        };
    }
    let words = Words::split(&ask.wire);
    let mut write = |mut words: Vec<String>| {
        if !ask.prefix.is_empty() {
            words.insert(0, ask.prefix.clone());
        }
        ident::join(&words, rule.case, &mut namer.lookalikes)
    };
    let plain_words = words.plain(rule.ends);
    let spelled_words = words.has_signs().then(|| words.spelled());
    let spelled_words = spelled_words.filter(|spelled| *spelled != plain_words);
    let differs = spelled_words.is_some();
    let stem = write(plain_words);
    let spelled = spelled_words.map(|spelled| rule.escape(&write(spelled)));
    let plain = rule.escape(&stem);
    let claim = if ident::unraw(&plain) == ask.wire && ask.prefix.is_empty() {
        Claim::Exact
    } else if differs {
        Claim::Plain
    } else {
        Claim::Clean
    };
    Draft {
        claim,
        stem,
        plain,
        spelled,
    }
}
