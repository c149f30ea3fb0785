//! Unions without a discriminator.
//!
//! The variants are ranked by the shape of the value ([`rank`]): its kind, and the properties that
//! a variant requires and knows. Of the variants that fit equally, the one is chosen that can be
//! read and keeps most of the value: the fewest dropped members, at any depth, and the fewest
//! values that an open enum does not list. A variant that only drops members goes before one with
//! such values, unless that one fits better. If two keep the same, one whose rules the value meets is chosen, then the rank decides, and then the order of the document. The first variant that
//! drops nothing and violates nothing is therefore chosen without trying the others. A variant that
//! does not fit is tried only if no other can be read.
//!
//! Each nested value is tried once for each union that it may be, whatever is tried around it.

use super::rank::{self, Ranked};
use crate::values::check::Checker;
use crate::values::outline::Outline;
use crate::values::read::bounds::{Known, Level, too_deep};
use crate::values::read::members::declare;
use crate::values::read::{
    FieldErrors, Kind, Lost, Reader, Schema, State, Value, read_by_schema, with_node,
};
#[cfg(feature = "sample")]
use crate::values::{Rule, form::Form};
use crate::values::{Validate, WireError};
use serde::de::{DeserializeOwned, Deserializer};
use std::fmt::Write;
use std::marker::PhantomData;

/// A variant of a union.
pub trait UnionVariant<E> {
    /// Returns the name.
    fn name(&self) -> &'static str;
    /// Returns the outline.
    fn outline(&self) -> Outline;
    /// Returns the form, for drawing values.
    #[cfg(feature = "sample")]
    fn form(&self) -> Form;
    /// Deserializes the variant.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors>;
}

/// A variant of a type with a table.
pub struct Variant<T, E> {
    name: &'static str,
    make: fn(T) -> E,
}

/// A variant of a type that has only serde's traits, and of a schema.
pub struct SchemaVariant<T, E, C>(Variant<T, E>, PhantomData<C>);

impl<T, E> Variant<T, E> {
    /// Makes the variant one of a type that has only serde's traits.
    pub fn schema<C: Schema>(self, _: C) -> SchemaVariant<T, E, C> {
        SchemaVariant(self, PhantomData)
    }
}

#[allow(private_interfaces)]
impl<T: Value, E> UnionVariant<E> for Variant<T, E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn outline(&self) -> Outline {
        T::outline()
    }

    #[cfg(feature = "sample")]
    fn form(&self) -> Form {
        T::form()
    }

    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors> {
        reader.value::<T>().map(self.make)
    }
}

#[allow(private_interfaces)]
impl<T: DeserializeOwned, E, C: Schema> UnionVariant<E> for SchemaVariant<T, E, C> {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn outline(&self) -> Outline {
        C::Value::outline()
    }

    #[cfg(feature = "sample")]
    fn form(&self) -> Form {
        Form::Ruled(C::Value::form, C::RULES)
    }

    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors> {
        read_by_schema::<T, C>(reader).map(self.0.make)
    }
}

/// Creates a variant from its constructor.
pub const fn union_variant<T, E>(name: &'static str, make: fn(T) -> E) -> Variant<T, E> {
    Variant { name, make }
}

/// The errors of each variant that was tried, by its index.
pub(super) type Failed = Vec<(usize, FieldErrors)>;

/// Limit for the text about why no variant fits, in bytes.
const LONGEST: usize = 2000;

/// A union that [`union!`](crate::union) describes.
pub trait Union: Validate + Sized {
    /// The rules of each variant.
    #[cfg(feature = "sample")]
    const RULES: &'static [&'static [Rule]];

    /// Passes the variants to a function.
    fn variants<R>(then: impl FnOnce(&[&dyn UnionVariant<Self>]) -> R) -> R;
}

/// The kind of a union without a discriminator.
#[derive(Debug)]
pub enum Untagged {}

impl<T: Union> Kind<T> for Untagged {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        T::variants(|variants| read_union(deserializer, state, variants))
    }

    fn outline() -> Outline {
        Outline::OneOf(|| {
            T::variants(|variants| variants.iter().map(|variant| variant.outline()).collect())
        })
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        super::form::one_of::<T>()
    }
}

/// Deserializes a union: see the module.
fn read_union<'de, T: Validate, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    variants: &[&dyn UnionVariant<T>],
) -> Result<T, D::Error> {
    declare(state, || {
        variants.iter().map(|variant| variant.outline()).collect()
    });
    with_node(deserializer, state, |reader| pick(reader, variants))
}

fn pick<T: Validate>(
    reader: Reader<'_, '_>,
    variants: &[&dyn UnionVariant<T>],
) -> Result<T, FieldErrors> {
    let (node, state, union) = (reader.node(), reader.state(), std::any::type_name::<T>());
    let level = Level::enter(&state.unions, node).ok_or_else(too_deep)?;
    let goes_on = state.goes_on();
    match level.known(node, union) {
        Some(Known::None(errors)) if !goes_on => return Err(errors),
        Some(Known::Is(index)) => {
            if let Some(variant) = variants.get(index) {
                return variant.decode(reader);
            }
        }
        _ => {}
    }
    let outlines: Vec<Outline> = variants.iter().map(|variant| variant.outline()).collect();
    let order = rank::order(node, reader.is_text(), &outlines);
    state.set_goes_on(false);
    let tried = try_all(reader, variants, &order, &level);
    state.set_goes_on(goes_on);
    match tried {
        Ok((index, found)) => {
            level.learn(node, union, Known::Is(index));
            match variants.get(index) {
                // The rules of a variant are checked while errors are collected.
                Some(variant) if goes_on && state.is_strict() => variant.decode(reader),
                _ => Ok(found),
            }
        }
        Err(failed) => {
            let errors = match failed {
                Some(failed) => explain(reader, variants, &order, failed),
                None => level.too_many().into(),
            };
            // While errors are collected, a nested list is read from a later item each time, so no
            // result is final. Without leniencies, none is either.
            if !goes_on && !state.is_narrow() {
                level.learn(node, union, Known::None(errors.clone()));
            }
            Err(errors)
        }
    }
}

/// Returns the best of the variants, or the errors of each; `None` if too many were tried.
fn try_all<T: Validate>(
    reader: Reader<'_, '_>,
    variants: &[&dyn UnionVariant<T>],
    order: &[Ranked],
    level: &Level<'_>,
) -> Result<(usize, T), Option<Failed>> {
    let state = reader.state();
    let before = state.lost();
    let is_only = order.iter().filter(|ranked| ranked.fits()).count() < 2;
    let mut best: Option<(&Ranked, Cost, T)> = None;
    let mut failed = Vec::new();
    for ranked in order {
        let Some(variant) = variants.get(ranked.index) else {
            continue;
        };
        let ends = |(chosen, least, _): &(&Ranked, Cost, T)| match least.violates {
            true => !ranked.fits(),
            false => least.lost.count() == 0 || !ranked.is_as_narrow_as(chosen),
        };
        if best.as_ref().is_some_and(ends) {
            break;
        }
        if !level.may_try() {
            return Err(None);
        }
        state.set_lost(Lost::default());
        match variant.decode(reader) {
            Ok(found) => {
                let cost = Cost {
                    violates: !is_only && violates(&found, state.is_strict()),
                    lost: state.lost(),
                };
                let is_less = |(chosen, least, _): &(&Ranked, Cost, T)| {
                    cost.is_less_than(least, ranked.fits_like(chosen))
                };
                if best.as_ref().is_none_or(is_less) {
                    best = Some((ranked, cost, found));
                }
            }
            Err(errors) => failed.push((ranked.index, errors)),
        }
    }
    let lost = best.as_ref().map(|(_, cost, _)| cost.lost);
    state.set_lost(before.and(lost.unwrap_or_default()));
    best.map(|(ranked, _, found)| (ranked.index, found))
        .ok_or(Some(failed))
}

/// What reading a value as a variant costs.
struct Cost {
    /// Whether the value violates a rule of the variant.
    violates: bool,
    lost: Lost,
}

impl Cost {
    /// Returns whether this variant is meant, and not another that fits as well or better: it loses less, also where the
    /// value violates its rules. One with unlisted values does not replace one that only drops members.
    fn is_less_than(&self, other: &Self, fits_as_well: bool) -> bool {
        let rank = |cost: &Self| (cost.lost.count(), cost.violates);
        match (self.lost.is_listed(), other.lost.is_listed()) {
            (false, true) => false,
            (true, false) if fits_as_well => true,
            _ => rank(self) < rank(other),
        }
    }
}

/// Returns whether a value violates its rules: those of requests in strict reading, and of responses otherwise.
fn violates(value: &dyn Validate, is_strict: bool) -> bool {
    let mut checker = Checker::default().of_response(!is_strict);
    value.check(&[], &mut checker);
    !checker.is_empty()
}

/// Explains why no variant matches: returns the errors of the variants that fit if all of these
/// have the same errors, and otherwise the errors of each variant.
pub(super) fn explain<T>(
    reader: Reader<'_, '_>,
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
        // `Ok` means that there are no new errors after those of the previous attempt.
        return variant.decode(reader).err().unwrap_or_default();
    }
    let leniency = failed
        .iter()
        .find_map(|(_, errors)| errors.leniencies()?.only());
    let mut reasons = String::new();
    for (index, field_errors) in failed {
        let name = variants.get(index).map_or("", |variant| variant.name());
        let why = field_errors.in_words();
        let mark = if reasons.is_empty() { ": " } else { "; " };
        if reasons.len() + why.len() < LONGEST {
            let _ = write!(reasons, "{mark}{name} ({why})");
        } else if !reasons.ends_with('…') {
            reasons.push_str("; …");
        }
    }
    let error = WireError::new(format!("matches none of the alternatives{reasons}"));
    WireError { leniency, ..error }.into()
}
