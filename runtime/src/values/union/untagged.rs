//! Unions without a discriminator.
//!
//! The variants are ranked by the shape of the value ([`rank`]): its kind, and the properties that
//! a variant requires and knows. Of the variants that fit equally, the one is chosen that can be
//! read and keeps most of the value: the fewest dropped members, at any depth, and the fewest
//! values that an open enum does not list. If two keep the same, the rank decides, and then the
//! order of the document. The first variant that drops nothing is therefore chosen without trying
//! the others. A variant that does not fit is tried only if no other can be read.
//!
//! Each nested value is tried once for each union that it may be, whatever is tried around it.

use super::bounds::{Known, Level, lost, set_lost, too_deep};
use super::buffer::{Buffered, in_words};
use super::outline::{Outline, Shape};
use super::rank::{self, Ranked};
use crate::values::WireError;
use crate::values::members::expect;
use crate::values::read::FieldErrors;
use serde::de::{DeserializeOwned, Deserializer};
use std::fmt::Write;

/// A variant of a union.
pub trait UnionVariant<E> {
    /// Returns the name.
    fn name(&self) -> &'static str;
    /// Returns the outline.
    fn outline(&self) -> Outline;
    /// Deserializes the variant.
    fn decode(&self, value: &Buffered) -> Result<E, Unreadable>;
}

/// The reason why a variant cannot be read.
#[derive(Debug)]
pub struct Unreadable(pub(super) FieldErrors);

struct Of<T, E> {
    name: &'static str,
    make: fn(T) -> E,
}

impl<T: DeserializeOwned + Shape, E> UnionVariant<E> for Of<T, E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn outline(&self) -> Outline {
        T::outline()
    }

    fn decode(&self, value: &Buffered) -> Result<E, Unreadable> {
        value.decode::<T>().map(self.make).map_err(Unreadable)
    }
}

/// Creates a variant from its constructor.
pub const fn union_variant<T: DeserializeOwned + Shape, E>(
    name: &'static str,
    make: fn(T) -> E,
) -> impl UnionVariant<E> {
    Of { name, make }
}

/// The errors of each variant that was tried, by its index.
pub(super) type Failed = Vec<(usize, FieldErrors)>;

/// Limit for the text about why no variant fits, in bytes.
const LONGEST: usize = 2000;

/// Deserializes a union: see the module.
pub fn read_union<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    _: &'static str,
    variants: &[&dyn UnionVariant<T>],
) -> Result<T, D::Error> {
    expect(|| variants.iter().map(|variant| variant.outline()).collect());
    let value = Buffered::read(deserializer)?;
    pick(&value, variants).map_err(|field_errors| value.error(field_errors))
}

fn pick<T>(value: &Buffered, variants: &[&dyn UnionVariant<T>]) -> Result<T, FieldErrors> {
    let (node, union) = (value.node(), std::any::type_name::<T>());
    let level = Level::enter(node).ok_or_else(too_deep)?;
    let goes_on = value.source().walk().goes_on();
    match level.known(node, union) {
        Some(Known::None(field_errors)) if !goes_on => return Err(field_errors),
        Some(Known::Is(index)) => {
            if let Some(variant) = variants.get(index) {
                return variant
                    .decode(value)
                    .map_err(|Unreadable(field_errors)| field_errors);
            }
        }
        _ => {}
    }
    let outlines: Vec<Outline> = variants.iter().map(|variant| variant.outline()).collect();
    let order = rank::order(node, value.is_text(), &outlines);
    value.source().walk().pause();
    let tried = try_all(value, variants, &order, &level);
    value.source().walk().resume(goes_on);
    match tried {
        Ok((index, found)) => {
            level.learn(node, union, Known::Is(index), value.source());
            Ok(found)
        }
        Err(failed) => {
            let field_errors = match failed {
                Some(failed) => explain(value, variants, &order, failed),
                None => level.too_many().into(),
            };
            // While errors are collected, a nested list is read from a later item each time, so no
            // result is final.
            if !goes_on {
                level.learn(
                    node,
                    union,
                    Known::None(field_errors.clone()),
                    value.source(),
                );
            }
            Err(field_errors)
        }
    }
}

/// Returns the best of the variants, or the errors of each; `None` if too many were tried.
fn try_all<T>(
    value: &Buffered,
    variants: &[&dyn UnionVariant<T>],
    order: &[Ranked],
    level: &Level,
) -> Result<(usize, T), Option<Failed>> {
    let before = lost();
    let mut best: Option<(&Ranked, u64, T)> = None;
    let mut failed = Vec::new();
    for ranked in order {
        let Some(variant) = variants.get(ranked.index) else {
            continue;
        };
        if best
            .as_ref()
            .is_some_and(|(chosen, least, _)| *least == 0 || !ranked.is_as_narrow_as(chosen))
        {
            break;
        }
        if !level.may_try() {
            return Err(None);
        }
        set_lost(0);
        match variant.decode(value) {
            Ok(found) => {
                let drops = lost();
                if best.as_ref().is_none_or(|(_, least, _)| drops < *least) {
                    best = Some((ranked, drops, found));
                }
            }
            Err(Unreadable(field_errors)) => failed.push((ranked.index, field_errors)),
        }
    }
    let drops = best.as_ref().map_or(0, |(_, drops, _)| *drops);
    set_lost(before.saturating_add(drops));
    best.map(|(ranked, _, found)| (ranked.index, found))
        .ok_or(Some(failed))
}

/// Explains why no variant matches: returns the errors of the variants that fit if all of these
/// have the same errors, and otherwise the errors of each variant.
pub(super) fn explain<T>(
    value: &Buffered,
    variants: &[&dyn UnionVariant<T>],
    order: &[Ranked],
    failed: Failed,
) -> FieldErrors {
    let fitting = order.iter().filter(|ranked| ranked.fits());
    let mut likely: Vec<usize> = fitting.map(|ranked| ranked.index).collect();
    if likely.is_empty() {
        // A variant with an error inside of the value has at least the right kind.
        let within = failed
            .iter()
            .filter(|(_, field_errors)| field_errors.are_within());
        likely = within.map(|(index, _)| *index).collect();
    }
    let mut fitting_errors = failed.iter().filter(|(index, _)| likely.contains(index));
    let first = fitting_errors.next();
    if let Some((index, field_errors)) = first
        && fitting_errors.all(|(_, others)| others == field_errors)
        && let Some(variant) = variants.get(*index)
    {
        match variant.decode(value) {
            Err(Unreadable(field_errors)) => return field_errors,
            // No new errors after those of the previous attempt.
            Ok(_) => return FieldErrors::default(),
        }
    }
    let mut reasons = String::new();
    for (index, field_errors) in failed {
        let name = variants.get(index).map_or("", |variant| variant.name());
        let why = in_words(field_errors);
        let mark = if reasons.is_empty() { ": " } else { "; " };
        if reasons.len() + why.len() < LONGEST {
            let _ = write!(reasons, "{mark}{name} ({why})");
        } else if !reasons.ends_with('…') {
            reasons.push_str("; …");
        }
    }
    WireError::new(format!("fits none of the alternatives{reasons}")).into()
}
