//! Unions whose variant is selected by the name of a server-sent event.

use super::untagged::{Union, Untagged};
use crate::values::outline::Outline;
use crate::values::read::{BySchema, Kind, Own, Schema, State, Value, event_data, one_of};
use crate::values::tag::TagTable;
use crate::values::{DecodeError, Json, UnrecognizedValue};
use serde::de::{DeserializeOwned, Deserializer};
use std::marker::PhantomData;

/// The name of an event that states none (HTML, section 9.2.6).
const UNNAMED: &str = "message";

/// A union that [`events!`](crate::events) describes.
pub trait ByEventName: Union + 'static {
    /// The names of each variant.
    const TABLE: &'static TagTable;
    /// The constructor of the variant that keeps the data of an unlisted event, if there is one.
    const KEEP: &'static [fn(UnrecognizedValue) -> Self];

    /// Deserializes the data of a variant; `None` if there is no variant with this index.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is not of the variant's type.
    fn variant_of_data(
        index: usize,
        data: &str,
        state: &State<'_>,
    ) -> Option<Result<Self, DecodeError>>;

    /// Returns the index of the variant; `None` for the data of an unlisted event.
    fn variant(&self) -> Option<usize>;
}

/// The kind of a union whose variant is selected by the name of an event. Without a name, as in
/// another format, the variant is selected by its content.
#[derive(Debug)]
pub enum ByEvent {}

impl<T: ByEventName> Kind<T> for ByEvent {
    const IS_OPEN: bool = !T::KEEP.is_empty();

    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        <Untagged as Kind<T>>::decode(deserializer, state)
    }

    fn outline() -> Outline {
        <Untagged as Kind<T>>::outline()
    }

    #[cfg(feature = "sample")]
    fn form() -> crate::values::form::Form {
        super::form::one_of::<T>()
    }

    fn decode_event(event: Option<&str>, data: &str, state: &State<'_>) -> Result<T, DecodeError> {
        let listed = T::TABLE.find(event.filter(|name| !name.is_empty()).unwrap_or(UNNAMED));
        if let Some(read) = listed.and_then(|index| T::variant_of_data(index, data, state)) {
            return read;
        }
        let Some(keep) = T::KEEP.first() else {
            return Err(DecodeError::new("event", one_of(T::TABLE.all())));
        };
        let json = serde_json::from_str(data).unwrap_or_else(|_| Json::String(data.to_owned()));
        Ok(keep(UnrecognizedValue::new(json)))
    }

    fn event_of<'a>(value: &T, stated: Option<&'a str>) -> Result<Option<&'a str>, String> {
        let Some(index) = value.variant() else {
            return Ok(stated);
        };
        match stated {
            None => Ok(T::TABLE.first(index)),
            Some(name) if T::TABLE.find(name) == Some(index) => Ok(stated),
            Some(name) => Err(format!("an event `{name}` has data of another type")),
        }
    }
}

/// A variant whose data is read as `R`.
pub struct EventVariant<T, E, R>(fn(T) -> E, PhantomData<R>);

/// Creates a variant of a type with a table from its constructor.
pub const fn event_variant<T, E>(make: fn(T) -> E) -> EventVariant<T, E, Own> {
    EventVariant(make, PhantomData)
}

impl<T, E> EventVariant<T, E, Own> {
    /// Makes the variant one of a type that has only serde's traits, and of a schema.
    pub fn schema<C: Schema>(self, _: C) -> EventVariant<T, E, BySchema<C>> {
        EventVariant(self.0, PhantomData)
    }
}

impl<T: Value, E> EventVariant<T, E, Own> {
    /// Deserializes the data of the variant.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is not of the variant's type.
    pub fn of_data(self, data: &str, state: &State<'_>) -> Result<E, DecodeError> {
        event_data::<T, Own>(T::outline(), data, state).map(self.0)
    }
}

impl<T: DeserializeOwned, E, C: Schema> EventVariant<T, E, BySchema<C>> {
    /// Deserializes the data of the variant, in a server after its schema.
    ///
    /// # Errors
    ///
    /// Returns an error if the data is not of the variant's schema, or not of its type.
    pub fn of_data(self, data: &str, state: &State<'_>) -> Result<E, DecodeError> {
        event_data::<T, BySchema<C>>(C::Value::outline(), data, state).map(self.0)
    }
}

/// Describes an enum of the data of server-sent events, whose variant is selected by the name of
/// the event: closed, or open with a variant that keeps the data of unlisted events.
///
/// An event without a name is a `message` (HTML, section 9.2.6). `Other => "other" default` is the
/// variant for the data of all other events. An event that is sent has the first name of its
/// variant, unless [`Event::event`](crate::Event) states one. `unchecked as (String)` marks a variant whose type
/// has only serde's traits: the type in parentheses describes its values.
///
/// ```
/// use bothends_runtime::{events, object};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Step {
///     pub name: String,
/// }
/// object! { Step(name: String) { "name" => name } }
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum Progress {
///     Step(Step),
///     Delta(String),
/// }
/// events! { Progress by "event" { Step => "step", Delta => "delta" } }
/// ```
#[macro_export]
macro_rules! events {
    (
        $Type:ident $(, $Other:ident $(where [$($known:expr),*])?)? by $key:literal
        {
            $($Variant:ident => $($value:literal)|+ $(default $($others:lifetime)?)?
                $(unchecked $($un:lifetime)?)? $(as ($Own:ty $(where [$($own:expr),*])?))?
                $(where [$($rule:expr),*])?),* $(,)?
        }
    ) => {
        const _: () = {
            const VALUES: &[&[&str]] = $crate::private::distinct_values(&[$(&[$($value),+]),*]);
            const OTHERS: &[u8] = &[$(0 $(| 1 $($others)?)?),*];
            const _: &[&str] =
                $crate::private::distinct_of("variant", &[$(::core::stringify!($Variant)),*]);

            $crate::__read! { $Type as ByEvent }

            #[allow(deprecated)]
            impl $crate::private::Union for $Type {
                $crate::__sampled! {
                    const RULES: &'static [&'static [$crate::Rule]] =
                        &[$($crate::__rules![$($($rule),*)?]),*];
                }

                #[inline]
                fn variants<R>(
                    then: impl ::core::ops::FnOnce(
                        &[&dyn $crate::private::UnionVariant<Self>],
                    ) -> R,
                ) -> R {
                    then(&[$(&$crate::private::union_variant(
                        ::core::stringify!($Variant),
                        Self::$Variant,
                    ) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?),*])
                }
            }

            #[allow(deprecated)]
            impl $crate::private::ByEventName for $Type {
                const TABLE: &'static $crate::private::TagTable =
                    &$crate::private::TagTable::new($key, VALUES, OTHERS);
                const KEEP: &'static [fn($crate::UnrecognizedValue) -> Self] = &[$(Self::$Other)?];

                #[inline]
                fn variant_of_data(
                    index: usize,
                    data: &str,
                    state: &$crate::private::State<'_>,
                ) -> ::core::option::Option<::core::result::Result<Self, $crate::DecodeError>>
                {
                    type Read<E> = fn(
                        &str,
                        &$crate::private::State<'_>,
                    ) -> ::core::result::Result<E, $crate::DecodeError>;
                    let variants: &[Read<Self>] = &[
                        $(|data, state| {
                            $crate::private::event_variant(Self::$Variant)
                                $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                                .of_data(data, state)
                        }),*
                    ];
                    variants.get(index).map(|read| read(data, state))
                }

                #[inline]
                fn variant(&self) -> ::core::option::Option<usize> {
                    let name = match self {
                        $(Self::$Variant(_) => ::core::stringify!($Variant),)*
                        $(Self::$Other(_) => return {
                            let _ = ::core::stringify!($Other);
                            ::core::option::Option::None
                        },)?
                    };
                    [$(::core::stringify!($Variant)),*].iter().position(|variant| *variant == name)
                }
            }

            #[allow(deprecated)]
            impl $crate::serde::Serialize for $Type {
                #[inline]
                fn serialize<S: $crate::serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    match self {
                        $(Self::$Variant(value) => {
                            $crate::serde::Serialize::serialize(value, serializer)
                        })*
                        $(Self::$Other(value) => {
                            $crate::serde::Serialize::serialize(value, serializer)
                        })?
                    }
                }
            }
        };

        $crate::__validate_variants! {
            $Type
            { $( $Variant $($($un)? unchecked)? [$($($rule),*)?] )* }
            $( $Other $key [$($($known),*)?] )?
        }
    };
}
