//! Types that generated code imports from another module: checks at compile time that the same settings
//! generated both modules.

use super::Value;
use super::value::Kind;

/// Checks that a type has a table of this version.
pub const fn is_generated<T: Value>() {}

/// Checks that a type keeps unknown values.
pub const fn open<T: Value>() {
    assert!(
        <T::Kind as Kind<T>>::IS_OPEN,
        "the imported type rejects unknown values, and this module keeps them: generate both modules with \
         the same `unknown-values`"
    );
}

/// Checks that a type rejects unknown values.
pub const fn closed<T: Value>() {
    assert!(
        !<T::Kind as Kind<T>>::IS_OPEN,
        "the imported type keeps unknown values, and this module rejects them: generate both modules with \
         the same `unknown-values`"
    );
}

/// Checks that serde's derive macros implement the traits of a type.
pub const fn derived<T: Value>() {
    assert!(
        <T::Kind as Kind<T>>::IS_DERIVED,
        "the imported type has no serde derives, and this module has them: generate both modules with the \
         same `serde`"
    );
}

/// Checks that a table implements serde's traits for a type.
pub const fn table<T: Value>() {
    assert!(
        !<T::Kind as Kind<T>>::IS_DERIVED,
        "the imported type has serde derives, and this module has none: generate both modules with the \
         same `serde`"
    );
}

/// Checks at compile time that an imported type has a table, and that the settings of this module
/// generated it: `open` or `closed` for `unknown-values`, `derived` or `table` for `serde`.
///
/// ```
/// use bothends_runtime::{imported, string_enum};
///
/// #[derive(Debug, Clone, PartialEq, Hash)]
/// pub enum Unit {
///     Metre,
/// }
/// string_enum! { Unit { Metre => "m" } }
/// imported! { Unit: closed }
/// ```
///
/// ```compile_fail
/// # use bothends_runtime::{imported, string_enum};
/// # #[derive(Debug, Clone, PartialEq, Hash)]
/// # pub enum Unit {
/// #     Metre,
/// # }
/// # string_enum! { Unit { Metre => "m" } }
/// imported! { Unit: open }
/// ```
#[macro_export]
macro_rules! imported {
    ($Type:ident $(: $setting:ident)?) => {
        const _: () = {
            $crate::private::imports::is_generated::<$Type>();
            $($crate::private::imports::$setting::<$Type>();)?
        };
    };
}
