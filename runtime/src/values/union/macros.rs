//! The macros of unions.

/// Describes an enum of types without a discriminator.
///
/// `where [max_length(50)]` after a variant adds the [rules](crate::rules) of its value. `unchecked as
/// (String)` marks a variant whose type has only serde's traits: the type in parentheses describes its
/// values.
///
/// The value is buffered, the variants are ranked by how well they fit (kind, required and known
/// properties, listed values), and the first one that can be read is chosen.
///
/// ```
/// use bothends_runtime::union;
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum Content {
///     Text(String),
///     Many(Vec<String>),
/// }
/// union! { Content { Text, Many } }
///
/// let many: Content = serde_json::from_str(r#"["a"]"#).unwrap();
/// assert_eq!(many, Content::Many(vec!["a".to_owned()]));
/// ```
#[macro_export]
macro_rules! union {
    (
        $Type:ident {
            $($Variant:ident $(unchecked $($un:lifetime)?)?
                $(as ($Own:ty $(where [$($own:expr),*])?))? $(where [$($rule:expr),*])?),* $(,)?
        }
    ) => {
        const _: &[&str] =
            $crate::private::distinct_of("variant", &[$(::core::stringify!($Variant)),*]);

        $crate::__read! { $Type }

        impl $crate::private::Value for $Type {
            type Kind = $crate::private::Untagged;
        }

        #[allow(deprecated)]
        impl $crate::private::Union for $Type {
            $crate::__sampled! {
                const RULES: &'static [&'static [$crate::Rule]] =
                    &[$($crate::__rules![$($($rule),*)?]),*];
            }

            #[inline]
            fn variants<R>(
                then: impl ::core::ops::FnOnce(&[&dyn $crate::private::UnionVariant<Self>]) -> R,
            ) -> R {
                then(&[$(&$crate::private::union_variant(
                    ::core::stringify!($Variant),
                    Self::$Variant,
                ) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?),*])
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
                }
            }
        }

        $crate::__validate_variants! {
            $Type { $( $Variant $($($un)? unchecked)? [$($($rule),*)?] )* }
        }
    };
}

/// Describes a struct with a field for each alternative of an `anyOf`, of which a value may match
/// several at once.
///
/// Deserialization sets the field of every matching alternative, and fails if none matches.
/// Serialization merges the members of all alternatives; if two have different values for one
/// member, the first one counts. `unchecked as (String)` marks an alternative whose type has only serde's
/// traits: the type in parentheses describes its values. `where [max_length(50)]` after an alternative adds the
/// [rules](crate::rules) of its value: at least one of the alternatives that were set must satisfy
/// its rules.
///
/// ```
/// use bothends_runtime::{any_of, object};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ByMail {
///     pub email: String,
/// }
/// object! { ByMail(email: String) { "email" => email } }
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct ByPhone {
///     pub phone: String,
/// }
/// object! { ByPhone(phone: String) { "phone" => phone } }
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Contact {
///     pub by_mail: Option<ByMail>,
///     pub by_phone: Option<ByPhone>,
/// }
/// any_of! { Contact() { by_mail: ByMail, by_phone: ByPhone } }
///
/// let mail = Contact::new().by_mail(ByMail::new("a@b".to_owned()));
/// assert_eq!(serde_json::to_string(&mail).unwrap(), r#"{"email":"a@b"}"#);
///
/// let text = r#"{"email":"a@b","phone":"1"}"#;
/// let contact: Contact = serde_json::from_str(text).unwrap();
/// assert!(contact.by_mail.is_some() && contact.by_phone.is_some());
/// assert_eq!(serde_json::to_string(&contact).unwrap(), text);
/// assert!(serde_json::from_str::<Contact>("{}").is_err());
/// ```
#[macro_export]
macro_rules! any_of {
    (
        $Type:ident () {
            $($field:ident $(unchecked $($un:lifetime)?)?
                $(as ($Own:ty $(where [$($own:expr),*])?))?
                $(: $Optional:ty)? $(where [$($rule:expr),*])?),* $(,)?
        }
    ) => {
        const _: &[&str] =
            $crate::private::distinct_of("field", &[$(::core::stringify!($field)),*]);

        $crate::__constructor! {
            $Type () { $($field,)* } { $( $( $field: $Optional, )? )* }
        }

        $crate::__read! { $Type as Builtin }

        #[allow(deprecated)]
        impl $crate::private::Kind<$Type> for $crate::private::Builtin {
            #[inline]
            fn decode<'de, D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
                state: &$crate::private::State<'_>,
            ) -> ::core::result::Result<$Type, D::Error> {
                $crate::private::read_any_of(
                    deserializer,
                    state,
                    &[$(&$crate::private::union_variant(
                        ::core::stringify!($field),
                        |value| $Type {
                            $field: ::core::option::Option::Some(value),
                            ..::core::default::Default::default()
                        },
                    ) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?),*],
                    |all: &mut $Type, value| {
                        $(if value.$field.is_some() {
                            all.$field = value.$field;
                        })*
                    },
                )
            }

            #[inline]
            fn outline() -> $crate::private::Outline {
                $crate::private::Outline::OneOf(|| {
                    ::std::vec![$($crate::private::UnionVariant::outline(
                        &$crate::private::union_variant("", |value| $Type {
                            $field: ::core::option::Option::Some(value),
                            ..::core::default::Default::default()
                        }) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                    )),*]
                })
            }

            $crate::__sampled! {
                fn form() -> $crate::private::Form {
                    $crate::private::Form::AnyOf(
                        || ::std::vec![$($crate::private::UnionVariant::form(
                            &$crate::private::union_variant("", |value| $Type {
                                $field: ::core::option::Option::Some(value),
                                ..::core::default::Default::default()
                            }) $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                        )),*],
                        &[$($crate::__rules![$($($rule),*)?]),*],
                    )
                }
            }
        }

        #[allow(deprecated)]
        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                // A single alternative is serialized as itself, in any format.
                let set = 0_usize $(+ usize::from(self.$field.is_some()))*;
                $(if let (1, ::core::option::Option::Some(value)) = (set, &self.$field) {
                    return $crate::serde::Serialize::serialize(value, serializer);
                })*
                $crate::private::write_any_of(serializer, &[$(&self.$field),*])
            }
        }

        #[allow(deprecated)]
        impl $crate::Validate for $Type {
            #[inline]
            fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                checker.any_of(&[$((
                    self.$field.is_some(),
                    $($crate::private::any_value $($un)?)? (&self.$field),
                    $crate::__rules![$($($rule),*)?],
                )),*]);
            }
        }
    };
}

/// Describes an enum of types with a discriminator property: closed, or open with a variant that
/// keeps objects with unlisted values.
///
/// Several values may select one variant. On serialization, the property has the value that the
/// variant itself writes, if that is one of its values; otherwise the first of its values is added.
///
/// `Other => "other" default` is the variant for any other value of the property, and for an object
/// without the property (`defaultMapping` of OpenAPI 3.2).
///
/// ```
/// use bothends_runtime::{object, tagged};
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub struct Cat {
///     pub lives: i64,
/// }
/// object! { Cat(lives: i64) { "lives" => lives } }
///
/// #[derive(Debug, Clone, PartialEq)]
/// pub enum Pet {
///     Cat(Cat),
/// }
/// tagged! { Pet by "petType" { Cat => "cat" | "Cat" } }
///
/// let pet: Pet = serde_json::from_str(r#"{"lives": 9, "petType": "Cat"}"#).unwrap();
/// assert_eq!(serde_json::to_string(&pet).unwrap(), r#"{"petType":"cat","lives":9}"#);
///
/// #[derive(Debug, Clone, PartialEq)]
/// #[non_exhaustive]
/// pub enum Guest {
///     Cat(Cat),
///     Unrecognized(bothends_runtime::UnrecognizedValue),
/// }
/// tagged! { Guest, Unrecognized by "petType" { Cat => "cat" } }
///
/// let text = r#"{"name":"Rex","petType":"dog"}"#;
/// let guest: Guest = serde_json::from_str(text).unwrap();
/// assert!(matches!(&guest, Guest::Unrecognized(of) if of.as_json()["name"] == "Rex"));
/// assert_eq!(serde_json::to_string(&guest).unwrap(), text);
/// ```
#[macro_export]
macro_rules! tagged {
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

            $crate::__read! { $Type as ByTag }

            #[allow(deprecated)]
            impl $crate::private::Tagged for $Type {
                const TABLE: &'static $crate::private::TagTable =
                    &$crate::private::TagTable::new($key, VALUES, OTHERS);
                const KEEP: &'static [fn($crate::UnrecognizedValue) -> Self] = &[$(Self::$Other)?];

                $crate::__sampled! {
                    const RULES: (&'static [&'static [$crate::Rule]], &'static [$crate::Rule]) = (
                        &[$($crate::__rules![$($($rule),*)?]),*],
                        $crate::__rules![$($($($known),*)?)?],
                    );
                }

                #[inline]
                fn variants<R>(
                    then: impl ::core::ops::FnOnce(
                        &[&dyn $crate::private::TaggedVariant<Self>],
                    ) -> R,
                ) -> R {
                    then(&[$(
                        &$crate::private::tagged_variant(Self::$Variant)
                            $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                    ),*])
                }

                #[inline]
                fn variant_of_map<'de, A: $crate::serde::de::MapAccess<'de>>(
                    index: usize,
                    map: A,
                    state: &$crate::private::State<'_>,
                ) -> ::core::result::Result<Self, A::Error> {
                    type Read<A, E> = fn(A, &$crate::private::State<'_>) -> E;
                    let variants: &[Read<A, ::core::result::Result<Self, A::Error>>] = &[
                        $(|map, state| {
                            $crate::private::tagged_variant(Self::$Variant)
                                $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                                .of_map(map, state)
                        }),*
                    ];
                    match variants.get(index) {
                        ::core::option::Option::Some(read) => read(map, state),
                        _ => ::core::result::Result::Err($crate::private::unfilled()),
                    }
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
                            $crate::private::tagged_variant(Self::$Variant)
                                $(.schema($crate::__schema!([$Own] [$($($own),*)?])))?
                                .write(
                                value,
                                $key,
                                &[$($value),+],
                                &[$(VALUES $($others)?)?],
                                serializer,
                            )
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

/// `Validate` of an enum of types: see `__validate`.
#[cfg(not(any(feature = "server", feature = "validate")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __validate_variants {
    ($Type:ident $($rest:tt)*) => {
        impl $crate::Validate for $Type {}
    };
}

/// `Validate` of an enum of types.
#[cfg(any(feature = "server", feature = "validate"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __validate_variants {
    (
        $Type:ident { $($Variant:ident $(unchecked $($un:lifetime)?)? [$($rule:expr),*])* }
        $($Other:ident $key:literal [$($known:expr),*])?
    ) => {
        #[allow(deprecated, unused_variables)]
        impl $crate::Validate for $Type {
            #[inline]
            fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                match self {
                    $(Self::$Variant(value) => {
                        $crate::__check! {
                            $($($un)? unchecked)?
                            $crate::Validate::check(value, $crate::__rules![$($rule),*], checker)
                        }
                    })*
                    $(Self::$Other(_) => {
                        checker.unknown_tag($key, $crate::__rules![$($known),*]);
                    })?
                }
            }
        }
    };
}
