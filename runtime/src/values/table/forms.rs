//! The macros of forms.

/// Items that drawing values needs.
#[cfg(feature = "sample")]
#[doc(hidden)]
#[macro_export]
macro_rules! __sampled {
    ($($item:tt)*) => { $($item)* };
}

/// Without drawing values, the forms of types are not compiled.
#[cfg(not(feature = "sample"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __sampled {
    ($($item:tt)*) => {};
}

/// The place of a row, or of additional properties.
#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    (= $constant:literal) => {
        $crate::private::Place::constant(|| {
            $crate::private::Form::Constant($crate::private::literal($constant))
        })
    };
    (: $Type:ty, [$($rule:expr),*]) => {
        $crate::private::Place::of::<$Type>($crate::__rules![$($rule),*])
    };
    (: $Type:ty, unchecked [$($rule:expr),*]) => {
        $crate::private::Place::plain::<$Type>()
    };
    (: $Type:ty, unchecked as ([$Own:ty] [$($own:expr),*]) [$($rule:expr),*]) => {
        $crate::private::Place::schema(|| $crate::__schema!([$Own] [$($own),*]))
    };
    (.. $extra:ident [$($rule:expr),*]) => {
        $crate::private::Place::values(|value: &Self| &value.$extra, $crate::__rules![$($rule),*])
    };
    (.. $extra:ident unchecked [$($rule:expr),*]) => {
        $crate::private::Place::unknown_values(|value: &Self| &value.$extra)
    };
    ($(..)? $field:ident $(?)? unchecked as ([$Own:ty] [$($own:expr),*]) [$($rule:expr),*]) => {
        $crate::private::Place::schema(|| $crate::__schema!([$Own] [$($own),*]))
    };
    ($field:ident $(?)? unchecked [$($rule:expr),*]) => {
        $crate::private::Place::unknown(|value: &Self| &value.$field)
    };
    ($field:ident ? [$($rule:expr),*]) => {
        $crate::private::Place::optional(|value: &Self| &value.$field, $crate::__rules![$($rule),*])
    };
    ($field:ident [$($rule:expr),*]) => {
        $crate::private::Place::field(|value: &Self| &value.$field, $crate::__rules![$($rule),*])
    };
}
