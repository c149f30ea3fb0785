//! Merging the bounds and patterns of several parts of an `allOf`.

use std::cmp::Ordering;

use crate::model::Constraints;
use crate::source::Value;

/// Merges constraints. All parts of an `allOf` apply, so the narrower of two bounds is used, and
/// every pattern.
pub(in crate::lower) fn merge_constraints(own: Constraints, known: &mut Constraints) {
    use Ordering::{Greater, Less};
    let Constraints {
        minimum,
        maximum,
        multiple_of,
        min_length,
        max_length,
        pattern,
        min_items,
        max_items,
        unique_items,
        min_properties,
        max_properties,
        property_names,
        dependent_required,
        required_groups,
    } = own;
    known.minimum = narrower(minimum, known.minimum.take(), Greater);
    known.maximum = narrower(maximum, known.maximum.take(), Less);
    add_new(&mut known.multiple_of, multiple_of);
    known.min_length = min_length.max(known.min_length);
    known.max_length = least(max_length, known.max_length);
    add_new(&mut known.pattern, pattern);
    known.min_items = min_items.max(known.min_items);
    known.max_items = least(max_items, known.max_items);
    known.unique_items |= unique_items;
    known.min_properties = min_properties.max(known.min_properties);
    known.max_properties = least(max_properties, known.max_properties);
    add_new(&mut known.property_names, property_names);
    add_new(&mut known.dependent_required, dependent_required);
    add_new(&mut known.required_groups, required_groups);
}

fn least(left: Option<u64>, right: Option<u64>) -> Option<u64> {
    left.into_iter().chain(right).min()
}

/// Adds missing elements. A repeated rule is harmless, so only the first of thousands are compared.
fn add_new<T: PartialEq>(known: &mut Vec<T>, own: Vec<T>) {
    const COMPARED: usize = 100;
    for value in own {
        if !known.iter().take(COMPARED).any(|word| *word == value) {
            known.push(value);
        }
    }
}

/// A bound, and whether the bound itself is excluded.
type Limit = Option<(Value, bool)>;

/// Returns the narrower of two bounds. `is` is the ordering of the narrower compared with the wider
/// one.
fn narrower(own: Limit, known: Limit, is: Ordering) -> Limit {
    let (Some(own), Some(known)) = (&own, &known) else {
        return own.or(known);
    };
    let order = match (own.0.as_number(), known.0.as_number()) {
        (Some(own), Some(known)) => match (own.as_integer(), known.as_integer()) {
            (Some(own), Some(known)) => Some(own.cmp(&known)),
            _ => own.as_f64().partial_cmp(&known.as_f64()),
        },
        _ => None,
    };
    let takes_own = match order {
        Some(Ordering::Equal) => own.1,
        order => order == Some(is),
    };
    Some(if takes_own {
        own.clone()
    } else {
        known.clone()
    })
}
