//! The macros of the checks of a table.

/// Checks of requests, for servers, and for clients that validate requests. Otherwise the rules in
/// tables are ignored.
#[cfg(not(any(feature = "server", feature = "validate")))]
mod checks {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __validate {
        ($Type:ident $($rest:tt)*) => {
            impl $crate::Validate for $Type {}
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_fields {
        ($filled:ident $state:ident $($rest:tt)*) => {
            $filled.finish($state)?
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_whole {
        ($whole:ident $state:ident $value:ident $($rest:tt)*) => {
            let _ = &$whole;
        };
    }
}

/// Checks of requests.
#[cfg(any(feature = "server", feature = "validate"))]
mod checks {
    #[doc(hidden)]
    #[macro_export]
    macro_rules! __validate {
        ($Type:ident {}) => {
            impl $crate::Validate for $Type {}
        };
        (
            $Type:ident $([$($whole:expr),*])?
            { $($key:literal $field:ident $(unchecked $($un:lifetime)?)? [$($rule:expr),*])* }
            $($extra:ident $(unchecked $($une:lifetime)?)? [$($each:expr),*])?
        ) => {
            #[allow(deprecated)]
            impl $crate::Validate for $Type {
                #[inline]
                fn check(&self, _: &[$crate::Rule], checker: &mut $crate::private::Checker) {
                    $(checker.object(self, $crate::__rules![$($whole),*]);)?
                    let _ = &checker;
                    $($crate::__check! {
                        $($($un)? unchecked)?
                        checker.field($key, &self.$field, $crate::__rules![$($rule),*])
                    })*
                    $($crate::__check! {
                        $($($une)? unchecked)?
                        checker.rest(&self.$extra, $crate::__rules![$($each),*])
                    })?
                }
            }
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_fields {
        ($filled:ident $state:ident {}) => {
            $filled.finish($state)?
        };
        (
            $filled:ident $state:ident
            { $($key:literal $field:ident $(unchecked $($un:lifetime)?)? [$($rule:expr),*])* }
            $($extra:ident $(unchecked $($une:lifetime)?)? [$($each:expr),*])?
        ) => {
            $filled.check($state, |checker| {
                let _ = &checker;
                $($crate::__check! {
                    $($($un)? unchecked)?
                    checker.field($key, &$field, $crate::__rules![$($rule),*])
                })*
                $($crate::__check! {
                    $($($une)? unchecked)?
                    checker.rest(&$extra, $crate::__rules![$($each),*])
                })?
            })?
        };
    }

    #[doc(hidden)]
    #[macro_export]
    macro_rules! __check_whole {
        ($whole:ident $state:ident $value:ident) => {
            let _ = &$whole;
        };
        ($whole:ident $state:ident $value:ident [$($rule:expr),*]) => {
            $whole.check($state, &$value, $crate::__rules![$($rule),*])?;
        };
    }
}

/// A check, unless the row is marked as unchecked.
#[doc(hidden)]
#[macro_export]
macro_rules! __check {
    (unchecked $($check:tt)*) => {};
    ($($check:tt)*) => {
        $($check)*;
    };
}

/// Rules as a constant.
#[doc(hidden)]
#[macro_export]
macro_rules! __rules {
    [] => {
        &[]
    };
    [$($rule:expr),*] => {
        const {
            #[allow(unused_imports)]
            use $crate::rules::*;
            const RULES: &[$crate::Rule] = &[$($rule),*];
            RULES
        }
    };
}
