//! What generated code needs of this crate is there, or it does not compile.

/// Fails to compile where a feature of this crate is missing, and names it.
///
/// Generated code states the features that its document needs, so that nothing of the document is
/// left out in silence: without `pattern`, for instance, no pattern would be checked.
///
/// ```
/// bothends_runtime::requires!();
/// ```
#[macro_export]
macro_rules! requires {
    ($($feature:ident),* $(,)?) => { $($crate::features::$feature!($feature);)* };
}

#[doc(hidden)]
#[macro_export]
macro_rules! enabled_feature {
    ($feature:ident) => {};
}

#[doc(hidden)]
#[macro_export]
macro_rules! missing_feature {
    ($feature:ident) => {
        ::core::compile_error!(::core::concat!(
            "the generated code needs the feature `",
            ::core::stringify!($feature),
            "` of `bothends-runtime`: enable it in Cargo.toml"
        ));
    };
}

macro_rules! features {
    ($($feature:literal $name:ident)*) => { $(
        #[cfg(feature = $feature)]
        pub use crate::enabled_feature as $name;
        #[cfg(not(feature = $feature))]
        pub use crate::missing_feature as $name;
    )* };
}

/// A macro for each feature that generated code may need.
pub mod features {
    features! {
        "client" client
        "derive" derive
        "jiff" jiff
        "pattern" pattern
        "server" server
        "uuid" uuid
    }
}
