//! Validation of values by the constraints of the document: lengths, bounds, patterns, formats.
//!
//! The rules of a field are listed in its table, `"name" => name where [max_length(50)]`. The rules
//! are data, and their meaning is implemented here once. A server checks every decoded request, a
//! client checks requests if configured to do so, and any code can call [`Validate::validate`].

mod any_of;
mod checker;
mod constant;
mod format;
mod groups;
mod number;
mod pattern;
mod prefix;
mod rule;
mod unique;
mod values;
mod violation;

pub use checker::{Checker, ValidationErrors};
#[cfg(feature = "sample")]
pub(in crate::values) use number::{Bound, check as check_number};
pub use rule::Rule;
#[cfg(feature = "sample")]
pub(in crate::values) use unique::are_unique;
#[cfg(feature = "sample")]
pub(in crate::values) use values::{check_text, item_rules, part_rules, value_rules};

/// The functions that create rules, as tables name them.
pub mod rules {
    pub use super::rule::{
        additional_properties, any_of_required, constants, dependent_required, enum_values,
        exclusive_maximum, exclusive_maximum_float, exclusive_minimum, exclusive_minimum_float,
        format, items, known, max_items, max_length, max_properties, maximum, maximum_float,
        min_items, min_length, min_properties, minimum, minimum_float, multiple_of,
        multiple_of_float, one_of_required, pattern, pattern_as, prefix_items,
        property_name_patterns, property_names, required, returned, unique_items,
    };
}

/// A type whose values can be checked by the constraints of the document.
///
/// The macros implement this trait for every type they describe. A type without constraints accepts
/// every value.
///
/// ```
/// use bothends_runtime::{Validate, object};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub name: String,
///     pub tags: Option<Vec<String>>,
/// }
/// object! {
///     Pet(name: String) {
///         "name" => name where [min_length(1), max_length(50)],
///         "tags" => tags? where [max_items(3), items(&[min_length(1)])],
///     }
/// }
///
/// let mut pet = Pet::new(String::new());
/// pet.tags = Some(vec!["kind".to_owned(), String::new()]);
/// let invalid = pet.validate().unwrap_err();
/// assert_eq!(
///     invalid.to_string(),
///     "name: has fewer than 1 character; tags[1]: has fewer than 1 character",
/// );
/// ```
pub trait Validate {
    /// Reports violations of these rules, and of those of the type itself.
    #[doc(hidden)]
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        let _ = (rules, checker);
    }

    /// Returns whether the type has no rules of its own, so that the items of a list need not be
    /// visited.
    #[doc(hidden)]
    fn is_plain(&self) -> bool {
        false
    }

    /// Checks the value by the constraints that the document states for its type.
    ///
    /// # Errors
    ///
    /// Returns an error if the value violates a constraint. It contains all violations, each with
    /// the path of its field.
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut checker = Checker::default();
        self.check(&[], &mut checker);
        checker.finish()
    }
}
