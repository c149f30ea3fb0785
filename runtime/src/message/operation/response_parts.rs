//! The parts of the macros of responses: rows, statuses, codes and messages.

/// A row of a table of responses.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    ($status:tt) => {
        $crate::private::Row::empty($crate::private::Statuses::parse(::core::stringify!($status)))
    };
    ($status:tt $codec:ident $media:tt $Body:ty $([$($more:tt)*])? where $rules:tt) => {
        $crate::__row!($status $codec $media $Body $([$($more)*])?).under($crate::__rules! $rules)
    };
    ($status:tt $codec:ident [$($media:literal)?] $Body:ty) => {
        $crate::private::Row::of::<$crate::private::codec::$codec, $Body>(
            $crate::private::Statuses::parse(::core::stringify!($status)),
            &[$($media)?],
        )
    };
    ($status:tt $codec:ident [$($media:literal)?] $Body:ty [with [$($part:expr),* $(,)?]]) => {
        $crate::__row!($status $codec [$($media)?] $Body).with($crate::__parts![$($part),*])
    };
    ($status:tt $codec:ident [$($media:literal)?] $Body:ty [until $end:literal]) => {
        $crate::__row!($status $codec [$($media)?] $Body).until($end)
    };
}

/// The first of two arguments: names a binding for each second one.
#[doc(hidden)]
#[macro_export]
macro_rules! __first {
    ($first:ident $second:ident) => {
        $first
    };
}

/// The status of a variant: its own, or that of its row.
#[doc(hidden)]
#[macro_export]
macro_rules! __status {
    ($row:tt) => {
        const { $crate::private::Statuses::parse(::core::stringify!($row)).usual() }
    };
    ($row:tt $status:ident) => {
        $status.as_u16()
    };
}

/// The type of error codes.
#[doc(hidden)]
#[macro_export]
macro_rules! __code_type {
    () => {
        ::core::convert::Infallible
    };
    ($Code:ty) => {
        $Code
    };
}

/// Returns an expression if the value is this variant and has a body.
#[doc(hidden)]
#[macro_export]
macro_rules! __on_body {
    (($self:ident $value:ident $Variant:ident) [] [] $then:expr) => {};
    (($self:ident $value:ident $Variant:ident) [$($tuple:tt)+] [] $then:expr) => {
        if let Self::$Variant($value) = $self {
            return $then;
        }
    };
    (
        ($self:ident $value:ident $Variant:ident) []
        [$(status $($vary:lifetime)? $(,)?)? body ($($body:tt)*) $(,)?]
        $then:expr
    ) => {
        if let Self::$Variant { body: $value, .. } = $self {
            return $then;
        }
    };
    (($self:ident $value:ident $Variant:ident) [] [$($named:tt)*] $then:expr) => {};
}

/// Returns the code in the body of this variant.
#[doc(hidden)]
#[macro_export]
macro_rules! __code {
    (
        ($self:ident $value:ident $Variant:ident) $tuple:tt $named:tt
        code: $($step:ident $(? $($opt:lifetime)?)?).+ $(, message: $($rest:tt)*)?
    ) => {
        $crate::__on_body! {
            ($self $value $Variant) $tuple $named
            $crate::__reach!($value $($step $(? $($opt)?)?).+)
        }
    };
    (
        ($self:ident $value:ident $Variant:ident) $tuple:tt $named:tt
        $(message: $($path:tt)*)?
    ) => {};
}

/// Returns the message in the body of this variant.
#[doc(hidden)]
#[macro_export]
macro_rules! __message {
    (
        ($self:ident $value:ident $Variant:ident) $tuple:tt $named:tt
        $(code: $($_step:ident $(? $($_opt:lifetime)?)?).+ ,)?
        message: $($step:ident $(? $($opt:lifetime)?)?).+
    ) => {
        $crate::__on_body! {
            ($self $value $Variant) $tuple $named
            $crate::__reach!($value $($step $(? $($opt)?)?).+)
                .map(::core::convert::AsRef::<str>::as_ref)
        }
    };
    (
        ($self:ident $value:ident $Variant:ident) $tuple:tt $named:tt
        $(code: $($step:ident $(? $($opt:lifetime)?)?).+)?
    ) => {};
}

/// Follows a path of fields, some of which may be absent, to a value.
#[doc(hidden)]
#[macro_export]
macro_rules! __reach {
    ($value:ident $($step:ident $(? $($opt:lifetime)?)?).+) => {{
        let found = ::core::option::Option::Some($value);
        $(let found = found.and_then(|found| {
            $crate::private::Step::step(
                $($crate::private::Perhaps $($opt)?)? (&found.$step)
            )
        });)+
        found
    }};
}
