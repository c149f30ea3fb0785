//! Enums of JSON scalars that are not all strings.

use super::{UnrecognizedError, UnrecognizedValue};
use crate::values::decimal::Decimal;
use crate::values::leniency::boolean_of;
use crate::values::outline::Outline;
use crate::values::read::members::declare;
use crate::values::read::{FieldErrors, Kind, Reader, State, one_of, unfilled, with_node};
use crate::values::{Json, Leniency, Node, WireError, number};
use serde::de::Deserializer;

/// An enum that [`literal_enum!`](crate::literal_enum) describes.
pub trait LiteralEnum: Clone + 'static {
    /// The Rust name of the type.
    const NAME: &'static str;
    /// All listed values.
    const ALL: &'static [Self];
    /// Returns the value on the wire.
    fn json(&self) -> Json;
}

/// An open enum: keeps unlisted values.
pub trait OpenLiteral: LiteralEnum {
    /// Creates the variant of an unlisted value.
    fn unrecognized(value: UnrecognizedValue) -> Self;
}

/// A Rust literal of a JSON scalar.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a JSON scalar",
    note = "a value of `bothends_runtime::literal_enum!` is a number, a string, `true`, `false` or `null`"
)]
pub trait Literal {
    /// Converts the literal to JSON.
    fn json(self) -> Json;

    /// Returns the literals if they are strings.
    fn texts(_: &'static [Self; 1]) -> Option<&'static [&'static str]>
    where
        Self: Sized,
    {
        None
    }
}

impl Literal for i128 {
    fn json(self) -> Json {
        if let Ok(small) = i64::try_from(self) {
            Json::from(small)
        } else if let Ok(large) = u64::try_from(self) {
            Json::from(large)
        } else {
            #[allow(clippy::cast_precision_loss)]
            Json::from(self as f64)
        }
    }
}

impl Literal for f64 {
    fn json(self) -> Json {
        Json::from(self)
    }
}

impl Literal for bool {
    fn json(self) -> Json {
        Json::from(self)
    }
}

impl Literal for &'static str {
    fn json(self) -> Json {
        Json::from(self)
    }

    fn texts(literals: &'static [Self; 1]) -> Option<&'static [&'static str]> {
        Some(literals)
    }
}

impl Literal for () {
    fn json(self) -> Json {
        Json::Null
    }
}

/// Converts a literal to JSON.
pub fn literal(value: impl Literal) -> Json {
    value.json()
}

/// Returns the text of a scalar: that of a string has no quotes.
pub fn literal_text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Number(number) => number::text_of(number),
        other => other.to_string(),
    }
}

/// Returns the index of a listed value.
fn position(known: &[Json], is: impl Fn(&Json) -> bool) -> Option<usize> {
    known.iter().position(is)
}

/// Returns the index of the value of a text; numbers are compared by value.
fn find_text(known: &[Json], text: &str) -> Option<usize> {
    position(known, |json| literal_text(json) == text)
        .or_else(|| position(known, |json| same_text(json, text)))
}

/// Returns the index of the value of a node.
fn find(known: &[Json], reader: Reader<'_, '_>) -> Option<usize> {
    match reader.node() {
        Node::Text(text) if reader.is_text() => find_text(known, text).or_else(|| {
            let found =
                find_boolean(known, text).filter(|_| reader.state().accepts_boolean_texts())?;
            // Another variant of a union may accept the text as it is.
            reader.state().lose(1);
            Some(found)
        }),
        node => position(known, |json| node.is_literal(json, false)),
    }
}

/// Returns the index of the value of a text that [`Leniency::BooleanTexts`] accepts, if all values
/// are booleans.
fn find_boolean(known: &[Json], text: &str) -> Option<usize> {
    let value = boolean_of(text)?;
    let are_booleans = known.iter().all(Json::is_boolean);
    position(known, |json| are_booleans && json.as_bool() == Some(value))
}

/// Returns the variant at an index of the listed values.
fn variant<T: LiteralEnum>(index: usize) -> Option<T> {
    T::ALL.get(index).cloned()
}

/// Parses a text as a value of a closed enum.
pub fn parse_literal<T: LiteralEnum>(text: &str) -> Result<T, UnrecognizedError> {
    let found = find_text(&listed::<T>(), text).and_then(variant);
    found.ok_or_else(|| UnrecognizedError::new(T::NAME, text, &[]))
}

/// Converts a text to a value of an open enum.
pub fn literal_from<T: OpenLiteral>(text: &str) -> Result<T, UnrecognizedError> {
    let other = || of_text::<T>(text).map(|json| T::unrecognized(UnrecognizedValue::new(json)));
    parse_literal(text).or_else(|unknown| other().ok_or(unknown))
}

/// The kind of a closed enum.
#[derive(Debug)]
pub enum Scalars {}

impl<T: LiteralEnum> Kind<T> for Scalars {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        read_literal(deserializer, state)
    }

    fn outline() -> Outline {
        Outline::Literals {
            known: listed::<T>,
            open: false,
        }
    }
}

/// The kind of an open enum.
#[derive(Debug)]
pub enum OpenScalars {}

impl<T: OpenLiteral> Kind<T> for OpenScalars {
    const IS_OPEN: bool = true;

    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        read_open_literal(deserializer, state)
    }

    fn outline() -> Outline {
        Outline::Literals {
            known: listed::<T>,
            open: true,
        }
    }
}

fn listed<T: LiteralEnum>() -> Vec<Json> {
    T::ALL.iter().map(LiteralEnum::json).collect()
}

/// Deserializes a value of a closed enum.
fn read_literal<'de, T: LiteralEnum, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
) -> Result<T, D::Error> {
    let index = read_listed(deserializer, state, &listed::<T>())?;
    variant(index).ok_or_else(unfilled)
}

/// Deserializes a listed value, and returns its index; where every scalar is a text, as in a query,
/// the text is compared.
pub(crate) fn read_listed<'de, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    known: &[Json],
) -> Result<usize, D::Error> {
    // A scalar is never an object.
    declare(state, Vec::new);
    with_node(deserializer, state, |reader| {
        find(known, reader).ok_or_else(|| not_listed(known, reader))
    })
}

/// Deserializes a value of an open enum: an unlisted value is kept if a listed one has the same
/// type.
fn read_open_literal<'de, T: OpenLiteral, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
) -> Result<T, D::Error> {
    declare(state, Vec::new);
    let listed = listed::<T>();
    with_node(deserializer, state, |reader| {
        if let Some(known) = find(&listed, reader).and_then(variant) {
            return Ok(known);
        }
        let json = reader.node().to_json();
        let kept = match &json {
            Json::String(text) if reader.is_text() => of_text::<T>(text),
            _ => is_of_kind::<T>(&json).then_some(json),
        };
        let kept = kept.ok_or_else(|| not_listed(&listed, reader))?;
        // Another variant of a union may list the value.
        reader.state().lose_unlisted();
        Ok(T::unrecognized(UnrecognizedValue::new(kept)))
    })
}

fn not_listed(known: &[Json], reader: Reader<'_, '_>) -> FieldErrors {
    let error = WireError::new(one_of(known));
    match reader.node() {
        Node::Text(text) if reader.is_text() && find_boolean(known, text).is_some() => {
            error.unless(Leniency::BooleanTexts).into()
        }
        _ => error.into(),
    }
}

/// Interprets a text as an unlisted value: as a number or a boolean if one is listed and its text
/// is the same.
fn of_text<T: LiteralEnum>(text: &str) -> Option<Json> {
    let parsed = serde_json::from_str::<Json>(text).ok();
    let parsed = parsed.filter(|json| is_of_kind::<T>(json) && literal_text(json) == text);
    let string = || Some(Json::from(text)).filter(is_of_kind::<T>);
    parsed.or_else(string)
}

/// Returns whether a listed value has the same type as another: a number without a fraction is an
/// integer.
fn is_of_kind<T: LiteralEnum>(json: &Json) -> bool {
    T::ALL.iter().any(|known| match (known.json(), json) {
        (Json::Number(known), Json::Number(number)) => is_whole(number) || !is_whole(&known),
        (Json::String(_), Json::String(_)) | (Json::Bool(_), Json::Bool(_)) => true,
        _ => false,
    })
}

fn is_whole(number: &serde_json::Number) -> bool {
    let whole = |float: f64| float.is_finite() && float.fract() == 0.0;
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(whole)
}

/// Returns whether two scalars are equal; numbers are compared by value.
pub(crate) fn same(value: &Json, other: &Json) -> bool {
    match (value, other) {
        (Json::Number(number), Json::Number(other)) => {
            number == other
                || Decimal::parse(&number.to_string()) == Decimal::parse(&other.to_string())
        }
        _ => value == other,
    }
}

/// Returns whether a text is this number.
pub(crate) fn same_text(value: &Json, text: &str) -> bool {
    let Json::Number(number) = value else {
        return false;
    };
    let number = Decimal::parse(&number.to_string());
    number.is_some() && number == Decimal::parse(text)
}

/// Describes an enum of JSON scalars that are not all strings: closed, or open with a variant for
/// unlisted values.
///
/// ```
/// use bothends_runtime::{UnrecognizedValue, literal_enum};
///
/// #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
/// pub enum Level {
///     One,
///     Half,
///     On,
///     Word,
///     Nothing,
/// }
/// literal_enum! { Level { One => 1, Half => -2.5, On => true, Word => "x", Nothing => null } }
///
/// assert_eq!(serde_json::from_str::<Level>("-2.5").unwrap(), Level::Half);
/// assert_eq!("1".parse(), Ok(Level::One));
/// assert_eq!(Level::On.to_json(), true);
///
/// #[derive(Debug, Clone, PartialEq, Eq, Hash)]
/// #[non_exhaustive]
/// pub enum Kind {
///     Text,
///     Voice,
///     Unrecognized(UnrecognizedValue),
/// }
/// literal_enum! { Kind, Unrecognized { Text => 0, Voice => 2 } }
///
/// let kind: Kind = serde_json::from_str("13").unwrap();
/// assert_eq!(kind.to_json(), 13);
/// assert!(serde_json::from_str::<Kind>(r#""13""#).is_err());
/// ```
#[macro_export]
macro_rules! literal_enum {
    ($Type:ident { $($Variant:ident => $value:expr),* $(,)? }) => {
        $crate::__literal_enum! { $Type { $($Variant => $value,)* } }

        impl ::core::str::FromStr for $Type {
            type Err = $crate::UnrecognizedError;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::UnrecognizedError> {
                $crate::private::parse_literal(text)
            }
        }

        $crate::__read! { $Type as Scalars }

        impl $crate::Validate for $Type {}
    };
    (
        $Type:ident, $Other:ident $(where [$($rule:expr),*])?
        { $($Variant:ident => $value:expr),* $(,)? }
    ) => {
        $crate::__literal_enum! { $Type { $($Variant => $value,)* } $Other }

        impl $crate::private::OpenLiteral for $Type {
            #[inline]
            fn unrecognized(value: $crate::UnrecognizedValue) -> Self {
                Self::$Other(value)
            }
        }

        impl ::core::str::FromStr for $Type {
            type Err = $crate::UnrecognizedError;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, $crate::UnrecognizedError> {
                $crate::private::literal_from(text)
            }
        }

        $crate::__read! { $Type as OpenScalars $(where [$($rule),*])? }

        impl $crate::Validate for $Type {
            $(#[inline]
            fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                if let Self::$Other(_) = self {
                    checker.unknown($crate::__rules![$($rule),*]);
                }
            })?
        }
    };
}

/// The common implementation of open and closed enums of scalars.
#[doc(hidden)]
#[macro_export]
macro_rules! __literal_enum {
    ($Type:ident { $($Variant:ident => $value:expr,)* } $($Other:ident)?) => {
        const _: () = {
            $crate::private::distinct_of("value", &[$(::core::stringify!($value)),*]);
            $crate::private::distinct_of("variant", &[$(::core::stringify!($Variant)),*]);
        };

        impl $Type {
            /// The values that the document lists.
            #[allow(deprecated)]
            pub const VALUES: &'static [Self] = &[$(Self::$Variant),*];

            /// Returns the value on the wire.
            #[allow(deprecated, non_upper_case_globals, unused)]
            #[inline]
            pub fn to_json(&self) -> $crate::Json {
                const null: () = ();
                match self {
                    $(Self::$Variant => $crate::private::literal($value),)*
                    $(Self::$Other(value) => value.as_json().clone(),)?
                }
            }
        }

        impl $crate::private::LiteralEnum for $Type {
            const NAME: &'static str = ::core::stringify!($Type);
            const ALL: &'static [Self] = Self::VALUES;

            #[inline]
            fn json(&self) -> $crate::Json {
                self.to_json()
            }
        }

        impl ::core::fmt::Display for $Type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(&$crate::private::literal_text(&self.to_json()))
            }
        }

        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::serde::Serialize::serialize(&self.to_json(), serializer)
            }
        }
    };
}
