//! A type with the constraints of its place, and what of both is visible on the wire.

use super::path_of;
use super::types::checked;
use crate::ir::{Api, Bound, Rule, TypeKind, TypeRef};
use std::cmp::Ordering;

/// A type with the constraints of its place.
#[derive(Clone)]
pub(super) struct Typed<'t> {
    pub(super) ty: &'t TypeRef,
    pub(super) rules: Vec<Rule>,
}

/// The constraints that a rule has for the parts of a value.
type Parts = fn(Rule) -> Result<Vec<Rule>, Rule>;

impl<'t> Typed<'t> {
    /// A type and the constraints that the document states beside it.
    pub(super) fn new(ty: &'t TypeRef, rules: &[Rule]) -> Self {
        let rules = checked(rules);
        Self { ty, rules }
    }

    /// A part of this type, with the constraints that this type has for its parts.
    pub(super) fn part(&mut self, ty: &'t TypeRef, parts: Parts) -> Self {
        let mut rules = Vec::new();
        for rule in std::mem::take(&mut self.rules) {
            match parts(rule) {
                Ok(inner) => rules.extend(inner),
                Err(other) => self.rules.push(other),
            }
        }
        Self { ty, rules }
    }
}

/// The constraints of the items of a list.
pub(super) fn items(rule: Rule) -> Result<Vec<Rule>, Rule> {
    match rule {
        Rule::Items(rules) => Ok(rules),
        other => Err(other),
    }
}

/// The constraints of the values of a map.
pub(super) fn values(rule: Rule) -> Result<Vec<Rule>, Rule> {
    match rule {
        Rule::AdditionalProperties(rules) => Ok(rules),
        other => Err(other),
    }
}

/// A type without what is not visible on the wire.
pub(super) struct Stripped<'t> {
    pub(super) typed: Typed<'t>,
    pub(super) nullable: bool,
    /// What the Rust type has around the value.
    pub(super) wrappers: Vec<String>,
}

/// Follows boxes, aliases, newtypes and `Option`. The constraints of aliases and newtypes are those of the value.
pub(super) fn strip<'t>(api: &'t Api, typed: Typed<'t>) -> Stripped<'t> {
    let Typed { mut ty, mut rules } = typed;
    let mut nullable = false;
    let mut wrappers = Vec::new();
    for _ in 0..64 {
        match ty {
            TypeRef::Boxed(inner) => {
                wrappers.push("Box".to_owned());
                ty = inner;
            }
            TypeRef::Option(inner) | TypeRef::Nullable(inner) => {
                nullable = true;
                ty = inner;
            }
            TypeRef::Named(id) => {
                let def = api.type_def(*id);
                match &def.kind {
                    TypeKind::Alias(inner) => ty = inner,
                    TypeKind::Newtype(inner, _) => {
                        wrappers.push(path_of(api, def));
                        ty = inner;
                    }
                    _ => break,
                }
                rules.extend(checked(&def.rules));
            }
            _ => break,
        }
    }
    Stripped {
        typed: Typed {
            ty,
            rules: tightest(rules),
        },
        nullable,
        wrappers,
    }
}

/// Removes bounds that another bound of the same value implies.
fn tightest(rules: Vec<Rule>) -> Vec<Rule> {
    let implied = |index: usize, rule: &Rule| {
        let mut others = rules.iter().enumerate();
        others.any(|(at, other)| match implies(other, rule) {
            Some(Ordering::Equal) => at < index,
            Some(Ordering::Less) => true,
            _ => false,
        })
    };
    let kept = rules.iter().enumerate();
    let kept = kept.filter(|(index, rule)| !implied(*index, rule));
    kept.map(|(_, rule)| rule.clone()).collect()
}

/// Compares two rules of the same keyword: `Less` if the first one admits fewer values.
fn implies(left: &Rule, right: &Rule) -> Option<Ordering> {
    match (left, right) {
        (Rule::MaxLength(a), Rule::MaxLength(b))
        | (Rule::MaxItems(a), Rule::MaxItems(b))
        | (Rule::MaxProperties(a), Rule::MaxProperties(b)) => Some(a.cmp(b)),
        (Rule::MinLength(a), Rule::MinLength(b))
        | (Rule::MinItems(a), Rule::MinItems(b))
        | (Rule::MinProperties(a), Rule::MinProperties(b)) => Some(b.cmp(a)),
        (Rule::Maximum(a), Rule::Maximum(b))
        | (Rule::ExclusiveMaximum(a), Rule::ExclusiveMaximum(b)) => order(a, b),
        (Rule::Minimum(a), Rule::Minimum(b))
        | (Rule::ExclusiveMinimum(a), Rule::ExclusiveMinimum(b)) => order(b, a),
        _ => (left == right).then_some(Ordering::Equal),
    }
}

/// Compares two bounds.
pub(super) fn order(a: &Bound, b: &Bound) -> Option<Ordering> {
    match (a, b) {
        (Bound::Int(a), Bound::Int(b)) => Some(a.cmp(b)),
        _ => number(a).partial_cmp(&number(b)),
    }
}

/// A bound as a number.
pub(super) fn number(bound: &Bound) -> f64 {
    match bound {
        #[expect(
            clippy::cast_precision_loss,
            reason = "only for bounds of different kinds"
        )]
        Bound::Int(value) => *value as f64,
        Bound::Float(value) => *value,
    }
}
