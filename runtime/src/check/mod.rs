//! What a document asks of values beyond their types: lengths, bounds, patterns, formats.
//!
//! A field that has rules says so in its table, `"name" => name where [max_length(50)]`; the rules
//! are data, and what they mean is written here once. A server checks every request that it has
//! read; a client checks what it sends when it is asked to; anybody can call
//! [`Validate::validate`].

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

pub use checker::{Checker, ValidationErrors};
pub use rule::Rule;

/// The functions that make rules, as tables name them.
pub mod rules {
    pub use super::rule::{
        additional_properties, any_of_required, constants, dependent_required, enum_values,
        exclusive_maximum, exclusive_maximum_float, exclusive_minimum, exclusive_minimum_float,
        format, items, known, max_items, max_length, max_properties, maximum, maximum_float,
        min_items, min_length, min_properties, minimum, minimum_float, multiple_of,
        multiple_of_float, one_of_required, pattern, pattern_as, prefix_items,
        property_name_patterns, property_names, required, unique_items,
    };
}

/// Values of which a document may ask more than their types tell.
///
/// The macros implement it for every type they describe; where the document asks for nothing,
/// nothing is checked.
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
    /// Tells the checker what is wrong by these rules, and by those of the type itself.
    #[doc(hidden)]
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        let _ = (rules, checker);
    }

    /// Whether the type asks for nothing by itself, so that a list of such values need not be walked.
    #[doc(hidden)]
    fn is_plain(&self) -> bool {
        false
    }

    /// Checks the value by what the document asks of its type.
    ///
    /// # Errors
    /// When something is wrong: all of it, each error with the path of its field.
    fn validate(&self) -> Result<(), ValidationErrors> {
        let mut checker = Checker::default();
        self.check(&[], &mut checker);
        checker.finish()
    }
}
