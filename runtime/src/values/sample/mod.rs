//! Values of types, drawn by their tables.
//!
//! The form of a type ([`Form`]) is what its table says of its values: the kinds of the parts, and their rules.
//! A value is drawn as JSON by that form, and read by the type as a server reads a request. What cannot be drawn
//! by construction is drawn again, a limited number of times.

mod draw;
mod form;
mod format;
mod member;
mod neighbour;
mod number;
mod object;
mod random;
#[cfg(feature = "proptest")]
mod strategy;
#[cfg(test)]
mod tests;
mod text;
mod unmet;

pub use crate::values::form::{Form, Place, Rows};
pub use member::Member;
pub(crate) use random::Dice;
pub use random::{Random, Seed};
#[cfg(feature = "proptest")]
pub use strategy::{AnyValue, DrawnValue, any, any_of};

use super::read::Value;
use super::{Json, Validate};
use draw::Draw;
use form::read;
use neighbour::Changes;
use std::fmt;
use unmet::{Unmet, escaped};

/// The number of values that are drawn until one is valid.
const TRIES: usize = 20;

/// The error that no value was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleError {
    pointer: String,
    rule: String,
}

impl SampleError {
    /// Returns the JSON pointer of the value that could not be drawn; empty for the whole.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the rule that no drawn value satisfied: a keyword of the document, with its value if it is a
    /// format or a pattern.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }
}

impl SampleError {
    /// Adds the name of a part of a request.
    pub(crate) fn in_part(self, name: &str) -> Self {
        let pointer = format!("{name}{}", self.pointer);
        Self { pointer, ..self }
    }

    /// Creates the error of a value that was drawn, and is not valid.
    pub(crate) fn new(reason: String) -> Self {
        Self {
            pointer: String::new(),
            rule: reason,
        }
    }
}

impl From<Unmet> for SampleError {
    fn from(unmet: Unmet) -> Self {
        Self {
            pointer: unmet.pointer(),
            rule: unmet.in_words(),
        }
    }
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pointer, rule } = self;
        match pointer.as_str() {
            "" => write!(f, "no value was found that satisfies {rule}"),
            at => write!(f, "no value was found for `{at}` that satisfies {rule}"),
        }
    }
}

impl std::error::Error for SampleError {}

/// What values are drawn.
///
/// ```
/// use bothends_runtime::sample::{Sampler, Seed};
/// use bothends_runtime::{Unrecognized, string_enum};
///
/// #[derive(Debug, Clone, PartialEq, Hash)]
/// pub enum Status {
///     Held,
///     Unrecognized(Unrecognized),
/// }
/// string_enum! { Status, Unrecognized { Held => "held" } }
///
/// let mut seed = Seed::new(7);
/// let sampler = Sampler::new().unknown_values(true);
/// let all: Vec<Status> = (0..20).flat_map(|_| sampler.value(&mut seed)).collect();
/// assert!(all.iter().any(|status| *status != Status::Held));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sampler {
    unknown: bool,
    in_responses: bool,
    /// By how many steps values are smaller than usual.
    smaller: usize,
}

impl Sampler {
    /// Creates a sampler of the values that the document lists.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            unknown: false,
            in_responses: false,
            smaller: 0,
        }
    }

    /// Sets whether enums and unions that keep unlisted values have some.
    #[must_use]
    pub const fn unknown_values(self, are_drawn: bool) -> Self {
        Self {
            unknown: are_drawn,
            ..self
        }
    }

    /// Sets that the values are those of responses: they have the `readOnly` properties that responses must
    /// have, and not the `writeOnly` ones that requests must have. By default, values are those of requests. The
    /// table knows these properties if the code was generated with `response-rules = true`.
    #[must_use]
    pub const fn in_responses(self) -> Self {
        Self {
            in_responses: true,
            ..self
        }
    }

    /// Draws a value.
    ///
    /// # Errors
    ///
    /// Returns an error if no valid value was found: it names the rule.
    pub fn value<T: Value + Validate>(&self, random: &mut impl Random) -> Result<T, SampleError> {
        let value = |attempt| {
            let mut draw = self.draw(random, attempt);
            let drawn = draw.value(T::form(), &[], 0)?;
            read(&drawn, &[], self.in_responses).map_err(|errors| SampleError::new(errors.1))
        };
        again(value)
    }

    /// Draws a value that breaks a rule, as JSON: exactly one rule, if such a value is found.
    ///
    /// # Errors
    ///
    /// Returns an error if no invalid value was found.
    pub fn invalid<T: Value + Validate>(
        &self,
        random: &mut impl Random,
    ) -> Result<Invalid, SampleError> {
        let errors = |value: &Json| {
            read::<T>(value, &[], self.in_responses)
                .err()
                .map(|errors| errors.0)
        };
        again(|attempt| {
            let valid = self.draw(random, attempt).value(T::form(), &[], 0)?;
            let mut changes = Changes::default();
            changes.collect(T::form(), &[], &valid);
            neighbour(changes, &valid, &mut Dice::new(random), &errors)
        })
    }

    /// Draws the JSON of a place, for a part of a request in plain characters.
    pub(crate) fn json(
        &self,
        random: &mut dyn Random,
        place: Place,
        is_plain: bool,
    ) -> Result<Json, SampleError> {
        again(|attempt| {
            let mut draw = self.draw(random, attempt);
            draw.dice.is_plain = is_plain;
            let value = draw.place(place, 0)?;
            place
                .accepts(&value)
                .map_err(|errors| SampleError::new(errors.1))?;
            Ok(value)
        })
    }

    /// Draws a change of a value of a place that makes it invalid, among those that are kept.
    pub(crate) fn neighbour(
        &self,
        random: &mut dyn Random,
        place: Place,
        valid: &Json,
        is_kept: impl Fn(&'static str, &Json) -> bool,
    ) -> Result<Invalid, SampleError> {
        let mut changes = Changes::default();
        changes.collect((place.form)(), place.rules, valid);
        changes.all.retain(|change| {
            change
                .value
                .as_ref()
                .is_none_or(|value| is_kept(change.rule, value))
        });
        let errors = |value: &Json| place.accepts(value).err().map(|errors| errors.0);
        neighbour(changes, valid, &mut Dice::new(random), &errors)
    }

    fn draw<'r>(&self, random: &'r mut dyn Random, attempt: usize) -> Draw<'r> {
        Draw::new(Dice::new(random), *self, self.smaller + attempt / 4)
    }
}

/// Draws until a value is valid.
pub(crate) fn again<T>(
    mut draw: impl FnMut(usize) -> Result<T, SampleError>,
) -> Result<T, SampleError> {
    let mut failed = None;
    for attempt in 0..TRIES {
        match draw(attempt) {
            Ok(value) => return Ok(value),
            Err(error) => failed = Some(error),
        }
    }
    Err(failed.unwrap_or_else(|| Unmet::rule("type").into()))
}

/// Draws one of the changes that make a value invalid.
fn neighbour(
    mut changes: Changes,
    valid: &Json,
    dice: &mut Dice<'_>,
    errors: &dyn Fn(&Json) -> Option<usize>,
) -> Result<Invalid, SampleError> {
    let mut found = None;
    if errors(valid).is_some() {
        return Err(Unmet::rule("type").into());
    }
    for _ in 0..5 * TRIES {
        let Some(change) = dice.take(&mut changes.all) else {
            break;
        };
        let Some(value) = change.apply(valid) else {
            continue;
        };
        let Some(count) = errors(&value) else {
            continue;
        };
        let steps = change.path.iter().map(|step| format!("/{}", escaped(step)));
        let invalid = Invalid {
            value,
            pointer: steps.collect(),
            rule: change.rule,
        };
        if count == 1 {
            return Ok(invalid);
        }
        found.get_or_insert(invalid);
    }
    found.ok_or_else(|| SampleError::new("no rule: every neighbour is valid".to_owned()))
}

/// An invalid value, and the rule that it breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Invalid {
    value: Json,
    pointer: String,
    rule: &'static str,
}

impl Invalid {
    /// Returns the value.
    #[must_use]
    pub const fn value(&self) -> &Json {
        &self.value
    }

    pub(crate) fn into_parts(self) -> (Json, String, &'static str) {
        (self.value, self.pointer, self.rule)
    }

    /// Returns the JSON pointer of the value that breaks the rule. The value of a missing property is the property.
    #[must_use]
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// Returns the rule: a keyword of the document.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        self.rule
    }
}

/// A type whose values can be drawn: every generated type, and the types that it is built of.
///
/// The values are valid by the table of the type, and biased to the boundaries of its rules.
///
/// ```
/// use bothends_runtime::object;
/// use bothends_runtime::sample::{Sample, Seed};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Pet {
///     pub name: String,
///     pub age: Option<u8>,
/// }
/// object! {
///     Pet(name: String) {
///         "name" => name where [pattern("^[A-Z][a-z]+$"), max_length(8)],
///         "age" => age? where [maximum(30)],
///     }
/// }
///
/// let mut seed = Seed::new(1);
/// let pet = Pet::sample(&mut seed).unwrap();
/// assert!(pet.name.starts_with(char::is_uppercase) && pet.name.len() <= 8);
/// assert!(pet.age.is_none_or(|age| age <= 30));
///
/// // A generator of another crate is a function.
/// let mut state = 7_u64;
/// let mut next = || { state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1); state };
/// assert!(Pet::sample(&mut next).is_ok());
/// ```
pub trait Sample: Sized {
    /// Draws a value with the default settings of a [`Sampler`].
    ///
    /// # Errors
    ///
    /// Returns an error if no valid value was found: it names the rule.
    fn sample(random: &mut impl Random) -> Result<Self, SampleError>;

    /// Draws a value that breaks a rule, as JSON: see [`Sampler::invalid`].
    ///
    /// # Errors
    ///
    /// Returns an error if no invalid value was found.
    fn sample_invalid(random: &mut impl Random) -> Result<Invalid, SampleError>;

    /// Returns what the type permits at a JSON pointer (RFC 6901). Returns `None` if no value of the type has
    /// this member.
    fn member(pointer: &str) -> Option<Member>;
}

impl<T: Value + Validate> Sample for T {
    fn sample(random: &mut impl Random) -> Result<Self, SampleError> {
        Sampler::new().value(random)
    }

    fn sample_invalid(random: &mut impl Random) -> Result<Invalid, SampleError> {
        Sampler::new().invalid::<T>(random)
    }

    fn member(pointer: &str) -> Option<Member> {
        Member::new::<T>(pointer)
    }
}
