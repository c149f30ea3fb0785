//! Compile-time checks of what generated code needs of this crate.

/// Fails to compile if a feature of this crate is missing, and names the feature.
///
/// Generated code states the features that its document needs, so that no constraint is ignored
/// silently: without `pattern`, for example, patterns would not be checked.
///
/// ```
/// bothends_runtime::requires!();
/// ```
#[macro_export]
macro_rules! requires {
    ($($feature:ident),* $(,)?) => { $($crate::features::$feature!($feature);)* };
}

/// Fails to compile if the code was generated in a form that this version does not support.
///
/// The number is increased whenever tables, or their meaning, change in a way that older versions
/// do not support.
///
/// ```
/// bothends_runtime::generated_form!(2);
/// ```
///
/// ```compile_fail
/// bothends_runtime::generated_form!(1);
/// ```
#[macro_export]
macro_rules! generated_form {
    (2) => {};
    (1) => {
        $crate::__other_form! { "form 1, of bothends before its first release" }
    };
    ($form:literal) => {
        $crate::__other_form! { "form ", $form, ", of a later version of bothends" }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __other_form {
    ($($form:literal),*) => {
        ::core::compile_error!(::core::concat!(
            "this code was generated in ",
            $($form,)*
            ", and bothends-runtime ",
            $crate::__version!(),
            " reads form 2, of bothends 0.1: use the bothends-runtime of the version that generated the \
             code, or generate it again with bothends 0.1"
        ));
    };
}

/// The version of this crate. `env!` in an exported macro would be the version of the crate that
/// uses the macro.
#[doc(hidden)]
#[macro_export]
macro_rules! __version {
    () => {
        "0.1.0"
    };
}

const _: () = {
    let (stated, own) = (
        __version!().as_bytes(),
        env!("CARGO_PKG_VERSION").as_bytes(),
    );
    assert!(stated.len() == own.len(), "update `__version!`");
    let mut at = 0;
    while at < own.len() {
        assert!(stated[at] == own[at], "update `__version!`");
        at += 1;
    }
};

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
        "links" links
        "pattern" pattern
        "retries" retries
        "server" server
        "tasks" tasks
        "test" test
        "uuid" uuid
    }
}
