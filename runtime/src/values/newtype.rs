//! Named types around one value.

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
            #[inline]
            fn decode<'de, D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
                state: &$crate::private::State<'_>,
            ) -> ::core::result::Result<Self, D::Error> {
                <$Inner as $crate::private::Value>::decode(deserializer, state).map(Self)
            }

            #[inline]
            fn decode_map<'de, A: $crate::serde::de::MapAccess<'de>>(
                map: A,
                state: &$crate::private::State<'_>,
            ) -> ::core::result::Result<Self, A::Error> {
                <$Inner as $crate::private::Value>::decode_map(map, state).map(Self)
            }
        }

        $crate::__read! { $Type }

        impl $crate::private::Shape for $Type {
            #[inline]
            fn outline() -> $crate::private::Outline {
                <$Inner as $crate::private::Shape>::outline()
            }
        }

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
