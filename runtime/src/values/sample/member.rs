//! Members of values: what a type permits at a JSON pointer.

use crate::values::form::{Form, Place};
use crate::values::outline::Outline;
use crate::values::read::Value;
use crate::values::{Json, Validate};
use std::fmt;

/// Limit for the depth of nested unions.
const DEEPEST: u8 = 16;

/// What a type permits at a JSON pointer: the values of one member of an object, or of an item of an array.
/// [`Sample::member`](super::Sample::member) returns it.
pub struct Member(Vec<Spot>);

/// A form that the value may have, with the rules of its place.
struct Spot {
    form: Form,
    place: Option<Place>,
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Member").finish_non_exhaustive()
    }
}

impl Member {
    /// Returns the member of a type at a JSON pointer.
    pub(super) fn new<T: Value + Validate>(pointer: &str) -> Option<Self> {
        let whole = Spot {
            form: T::form(),
            place: Some(Place::of::<T>(&[])),
        };
        let steps = match pointer.strip_prefix('/') {
            Some(steps) => steps.split('/').collect(),
            None if pointer.is_empty() => Vec::new(),
            None => return None,
        };
        let mut spots = vec![whole];
        for step in steps {
            let name = step.replace("~1", "/").replace("~0", "~");
            let inner = spots.into_iter();
            spots = inner
                .flat_map(|spot| within(spot.form, &name, DEEPEST))
                .collect();
        }
        (!spots.is_empty()).then_some(Self(spots))
    }

    /// Returns whether the member may have a value, which has to be a scalar. Values that an enum keeps without
    /// listing them are not among those.
    #[must_use]
    pub fn accepts(&self, value: &Json) -> bool {
        self.0.iter().any(|spot| {
            let place = spot.place.as_ref();
            accepts(&spot.form, value, DEEPEST)
                && place.is_none_or(|place| place.accepts(value).is_ok())
        })
    }

    /// Returns whether the member may be a number.
    #[must_use]
    pub fn may_be_number(&self) -> bool {
        self.0.iter().any(|spot| is_number(&spot.form, DEEPEST))
    }
}

fn spots_of(form: Form) -> Vec<Spot> {
    vec![Spot { form, place: None }]
}

fn at(place: &Place) -> Vec<Spot> {
    let form = (place.form)();
    let place = Some(*place);
    vec![Spot { form, place }]
}

/// Returns what a member of a value with this form may be.
fn within(form: Form, name: &str, depth: u8) -> Vec<Spot> {
    let Some(depth) = depth.checked_sub(1) else {
        return spots_of(Form::Unknown(|_| true));
    };
    let each = |forms: Vec<Form>| {
        let forms = forms.into_iter();
        forms.flat_map(|form| within(form, name, depth)).collect()
    };
    let index = name.parse::<usize>().ok();
    match form {
        Form::Object(meta, rows) => {
            let row = meta.find(name, 0).and_then(|row| rows.rows.get(row));
            row.or(rows.rest.first()).map_or_else(Vec::new, at)
        }
        Form::Nullable(inner) | Form::Ruled(inner, _) => within(inner(), name, depth),
        Form::Tagged {
            table, variants, ..
        } => {
            let mut spots: Vec<Spot> = each(variants());
            if spots.is_empty() && table.key == name {
                spots = spots_of(Form::Unknown(Json::is_string));
            }
            spots
        }
        Form::OneOf { variants, .. } | Form::AnyOf(variants, _) => each(variants()),
        Form::Map(inner) => spots_of(inner()),
        Form::List(item) if index.is_some() => spots_of(item()),
        Form::Tuple(items) => {
            let item = index.and_then(|index| items().into_iter().nth(index));
            item.map_or_else(Vec::new, spots_of)
        }
        Form::Prefix(first, rest) => index.map_or_else(Vec::new, |index| {
            let (required, optional) = first();
            let item = required.into_iter().chain(optional).nth(index);
            spots_of(item.unwrap_or_else(rest))
        }),
        Form::Constant(value) => {
            let inner = match (&value, index) {
                (Json::Array(items), Some(index)) => items.get(index),
                (value, _) => value.get(name),
            };
            inner
                .cloned()
                .map(Form::Constant)
                .map_or_else(Vec::new, spots_of)
        }
        Form::Unknown(_)
        | Form::Scalar {
            outline: Outline::Any | Outline::AnyObject,
            ..
        } => spots_of(Form::Unknown(|_| true)),
        Form::Scalar { .. } | Form::JsonText(_) | Form::List(_) => Vec::new(),
    }
}

/// Returns whether a form has a scalar as its value, without the rules of its place.
fn accepts(form: &Form, value: &Json, depth: u8) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    match form {
        Form::Constant(constant) => constant == value,
        Form::Scalar {
            outline: Outline::Values { known, .. },
            ..
        } => value.as_str().is_some_and(|text| known.contains(&text)),
        Form::Scalar {
            outline: Outline::Literals { known, .. },
            ..
        } => known().contains(value),
        Form::Scalar { accepts, .. } | Form::Unknown(accepts) => accepts(value),
        Form::Nullable(_) if value.is_null() => true,
        Form::Nullable(inner) | Form::Ruled(inner, _) => accepts(&inner(), value, depth),
        Form::OneOf { variants, .. } | Form::AnyOf(variants, _) => {
            let mut variants = variants().into_iter();
            variants.any(|form| accepts(&form, value, depth))
        }
        Form::JsonText(_) => value.is_string(),
        Form::List(_)
        | Form::Tuple(_)
        | Form::Prefix(..)
        | Form::Map(_)
        | Form::Object(..)
        | Form::Tagged { .. } => false,
    }
}

fn is_number(form: &Form, depth: u8) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    match form {
        Form::Constant(constant) => constant.is_number(),
        Form::Scalar { outline, .. } => matches!(
            outline,
            Outline::Any | Outline::Integer | Outline::Number | Outline::Literals { .. }
        ),
        Form::Unknown(_) => true,
        Form::Nullable(inner) | Form::Ruled(inner, _) => is_number(&inner(), depth),
        Form::OneOf { variants, .. } | Form::AnyOf(variants, _) => {
            variants().iter().any(|form| is_number(form, depth))
        }
        _ => false,
    }
}
