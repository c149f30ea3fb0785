//! Named types around one value.

#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::outline::Outline;
use crate::values::read::{Kind, State, Value};
use serde::de::{Deserializer, MapAccess};
use std::marker::PhantomData;

/// The kind of a struct around a value of the type `I`.
#[derive(Debug)]
pub struct Wrapper<I>(PhantomData<I>);

impl<T: From<I>, I: Value> Kind<T> for Wrapper<I> {
    #[inline]
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        I::decode(deserializer, state).map(T::from)
    }

    #[inline]
    fn decode_map<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<T, A::Error> {
        I::decode_map(map, state).map(T::from)
    }

    fn outline() -> Outline {
        I::outline()
    }

    #[cfg(feature = "sample")]
    fn form() -> Form
    where
        T: Value,
    {
        Form::Ruled(I::form, T::RULES)
    }
}

/// Describes a struct around one value, which is serialized as that value.
///
/// ```
/// use bothends_runtime::newtype;
///
/// #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// pub struct TaskId(pub String);
/// newtype! { TaskId(String) display }
///
/// let id = TaskId::from("7f".to_owned());
/// assert_eq!(id.to_string(), "7f");
/// assert_eq!(id.len(), 2);
/// ```
#[macro_export]
macro_rules! newtype {
    ($Type:ident($Inner:ty) $(display $($display:lifetime)?)? $(where [$($rule:expr),*])?) => {
        impl ::core::convert::From<$Inner> for $Type {
            #[inline]
            fn from(inner: $Inner) -> Self {
                Self(inner)
            }
        }

        impl ::core::convert::From<$Type> for $Inner {
            #[inline]
            fn from(outer: $Type) -> Self {
                outer.0
            }
        }

        impl ::core::ops::Deref for $Type {
            type Target = $Inner;

            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        $($crate::__newtype_display! { $Type display $($display)? })?

        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::serde::Serialize::serialize(&self.0, serializer)
            }
        }

        impl $crate::private::Value for $Type {
            type Kind = $crate::private::Wrapper<$Inner>;

            $crate::__sampled! {
                const RULES: &'static [$crate::Rule] = $crate::__rules![$($($rule),*)?];
            }
        }

        $crate::__read! { $Type }

        impl $crate::Validate for $Type {
            #[inline]
            fn check(&self, rules: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                $crate::Validate::check(&self.0, rules, checker);
                $($crate::Validate::check(&self.0, $crate::__rules![$($rule),*], checker);)?
            }
        }
    };
}

/// `Display` of a newtype.
#[doc(hidden)]
#[macro_export]
macro_rules! __newtype_display {
    ($Type:ident display) => {
        impl ::core::fmt::Display for $Type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.0, f)
            }
        }
    };
}
