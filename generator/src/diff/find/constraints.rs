//! Constraints: lengths, bounds, patterns, formats.

use super::super::rules::Raw;
use super::Finder;
use super::describe::constraint;
use super::slot::Slot;
use super::typed::{number, order};
use crate::ir::{Bound, Rule};
use std::cmp::Ordering;

/// How a constraint changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changed {
    Narrowed,
    Widened,
    Both,
}

impl Finder<'_> {
    /// Compares the constraints of a value.
    pub(super) fn constraints(&mut self, slot: &Slot, old: &[Rule], new: &[Rule]) {
        let mut taken = vec![false; new.len()];
        for rule in old {
            let partner = new
                .iter()
                .enumerate()
                .position(|(index, other)| !taken[index] && key(rule) == key(other));
            match partner {
                Some(index) => {
                    taken[index] = true;
                    self.compare_rule(slot, Some(rule), Some(&new[index]));
                }
                None => self.compare_rule(slot, Some(rule), None),
            }
        }
        for (rule, _) in new.iter().zip(&taken).filter(|(_, taken)| !**taken) {
            self.compare_rule(slot, None, Some(rule));
        }
    }

    fn compare_rule(&mut self, slot: &Slot, old: Option<&Rule>, new: Option<&Rule>) {
        if old == new {
            return;
        }
        if let Some((name, a, b)) = nested(old, new) {
            let part = Slot {
                member: format!("{}{name}", slot.member),
                ..slot.clone()
            };
            return self.constraints(&part, a, b);
        }
        let changed = match (old, new) {
            (None, Some(_)) => Changed::Narrowed,
            (Some(_), None) => Changed::Widened,
            (Some(a), Some(b)) => match compare(a, b) {
                Some(changed) => changed,
                None => return,
            },
            (None, None) => return,
        };
        let raw = match changed {
            Changed::Narrowed => Raw::ConstraintNarrowed,
            Changed::Widened => Raw::ConstraintWidened,
            Changed::Both => Raw::ConstraintChanged,
        };
        let keyword = old.or(new).map_or("", keyword);
        let (from, to) = (old.map(constraint), new.map(constraint));
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found.written_by = slot.writer;
            let mut found = found.arg("name", keyword);
            found
                .arguments
                .extend(from.clone().map(|value| ("from", value)));
            found
                .arguments
                .extend(to.clone().map(|value| ("to", value)));
            found.at(slot.old.as_ref(), slot.new.as_ref())
        });
    }
}

/// Returns the rules inside of a rule, and the words for their values.
fn nested<'r>(
    old: Option<&'r Rule>,
    new: Option<&'r Rule>,
) -> Option<(&'static str, &'r [Rule], &'r [Rule])> {
    let inside = |rule: Option<&'r Rule>| match rule {
        Some(Rule::Items(rules)) => Some(("[]", rules.as_slice())),
        Some(Rule::AdditionalProperties(rules)) => Some(("{}", rules.as_slice())),
        Some(Rule::PropertyNames(rules)) => Some((" (names)", rules.as_slice())),
        _ => None,
    };
    match (inside(old), inside(new)) {
        (Some((name, a)), Some((_, b))) => Some((name, a, b)),
        (Some((name, a)), None) => Some((name, a, &[])),
        (None, Some((name, b))) => Some((name, &[], b)),
        (None, None) => None,
    }
}

/// Returns what two rules must share to be forms of the same constraint.
fn key(rule: &Rule) -> (&'static str, &str) {
    let name = match rule {
        Rule::DependentRequired(name, _) => name,
        _ => "",
    };
    (keyword(rule), name)
}

/// Returns the keyword of JSON Schema.
const fn keyword(rule: &Rule) -> &'static str {
    match rule {
        Rule::MinLength(_) => "minLength",
        Rule::MaxLength(_) => "maxLength",
        Rule::Pattern(..) => "pattern",
        Rule::Format(_) => "format",
        Rule::Minimum(_) => "minimum",
        Rule::Maximum(_) => "maximum",
        Rule::ExclusiveMinimum(_) => "exclusiveMinimum",
        Rule::ExclusiveMaximum(_) => "exclusiveMaximum",
        Rule::MultipleOf(_) => "multipleOf",
        Rule::MinItems(_) => "minItems",
        Rule::MaxItems(_) => "maxItems",
        Rule::UniqueItems => "uniqueItems",
        Rule::Items(_) => "items",
        Rule::MinProperties(_) => "minProperties",
        Rule::MaxProperties(_) => "maxProperties",
        Rule::AdditionalProperties(_) => "additionalProperties",
        Rule::PropertyNames(_) => "propertyNames",
        Rule::TupleList(_) => "prefixItems",
        Rule::PropertyNamePatterns(_) => "patternProperties",
        Rule::OneOfRequired(_) => "oneOf",
        Rule::AnyOfRequired(_) => "anyOf",
        Rule::Constants(_) => "const",
        Rule::Enum(_) => "enum",
        Rule::DependentRequired(..) => "dependentRequired",
        Rule::Required | Rule::Returned => "required",
        Rule::Known => "known",
    }
}

/// Compares two values of a constraint. Returns `None` if they mean the same.
fn compare(old: &Rule, new: &Rule) -> Option<Changed> {
    let up = |grows: Option<Ordering>| match grows {
        Some(Ordering::Greater) => Some(Changed::Widened),
        Some(Ordering::Less) => Some(Changed::Narrowed),
        Some(Ordering::Equal) => None,
        None => Some(Changed::Both),
    };
    match (old, new) {
        (Rule::MaxLength(a), Rule::MaxLength(b))
        | (Rule::MaxItems(a), Rule::MaxItems(b))
        | (Rule::MaxProperties(a), Rule::MaxProperties(b)) => up(Some(b.cmp(a))),
        (Rule::MinLength(a), Rule::MinLength(b))
        | (Rule::MinItems(a), Rule::MinItems(b))
        | (Rule::MinProperties(a), Rule::MinProperties(b)) => up(Some(a.cmp(b))),
        (Rule::Maximum(a), Rule::Maximum(b))
        | (Rule::ExclusiveMaximum(a), Rule::ExclusiveMaximum(b)) => up(order(b, a)),
        (Rule::Minimum(a), Rule::Minimum(b))
        | (Rule::ExclusiveMinimum(a), Rule::ExclusiveMinimum(b)) => up(order(a, b)),
        (Rule::MultipleOf(a), Rule::MultipleOf(b)) => match (multiple(a, b), multiple(b, a)) {
            (true, true) => None,
            (true, false) => Some(Changed::Widened),
            (false, true) => Some(Changed::Narrowed),
            (false, false) => Some(Changed::Both),
        },
        (Rule::Enum(a), Rule::Enum(b)) | (Rule::Constants(a), Rule::Constants(b)) => {
            match (subset(a, b), subset(b, a)) {
                (true, true) => None,
                (true, false) => Some(Changed::Widened),
                (false, true) => Some(Changed::Narrowed),
                (false, false) => Some(Changed::Both),
            }
        }
        (Rule::DependentRequired(_, a), Rule::DependentRequired(_, b)) => {
            match (subset(a, b), subset(b, a)) {
                (true, true) => None,
                (true, false) => Some(Changed::Narrowed),
                (false, true) => Some(Changed::Widened),
                (false, false) => Some(Changed::Both),
            }
        }
        // A pattern of the crate `regex` may have several texts in the document.
        (Rule::Pattern(a, _), Rule::Pattern(b, _)) if a == b => None,
        _ => Some(Changed::Both),
    }
}

fn subset(inner: &[String], outer: &[String]) -> bool {
    inner.iter().all(|element| outer.contains(element))
}

/// Returns whether each multiple of the first number is one of the second.
fn multiple(bound: &Bound, base: &Bound) -> bool {
    match (bound, base) {
        (Bound::Int(bound), Bound::Int(base)) => bound.checked_rem(*base) == Some(0),
        // 0.3 is a multiple of 0.1, but their quotient is not an integer.
        _ => {
            let quotient = number(bound) / number(base);
            quotient.is_finite() && (quotient - quotient.round()).abs() < 1e-9
        }
    }
}
