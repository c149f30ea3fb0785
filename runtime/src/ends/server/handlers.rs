//! Traits of handlers.

/// Defines a trait of handlers. Its methods are written as `async fn`, and their futures are `Send`.
///
/// ```
/// bothends_runtime::handlers! {
///     /// The operations of `pets`.
///     pub trait PetsApi: Send + Sync + 'static {
///         /// `GET /pets/{id}`
///         async fn get_pet(&self, id: u64, verbose: bool) -> Option<String>;
///     }
/// }
///
/// struct Pets;
///
/// impl PetsApi for Pets {
///     async fn get_pet(&self, id: u64, _verbose: bool) -> Option<String> {
///         Some(id.to_string())
///     }
/// }
/// ```
///
/// A default is the call of a function that returns the future, with the arguments of the method:
/// `async fn get_pet(&self, ctx: Context, request: GetPetRequest) -> … { unimplemented(ctx, request).await }`.
/// All methods of a trait have a default, or none has one.
///
/// An implementation of a method is an `async fn`, or a `fn` that returns a `Future + Send`.
#[cfg(not(rust_analyzer))]
#[macro_export]
macro_rules! handlers {
    ($(#[$attribute:meta])* pub trait $name:ident: Send + Sync + 'static {$(
        $(#[$doc:meta])*
        async fn $method:ident(&self $(, $argument:ident: $Argument:ty)* $(,)?) -> $Output:ty;
    )*}) => {
        $(#[$attribute])*
        pub trait $name: ::core::marker::Send + ::core::marker::Sync + 'static {$(
            $(#[$doc])*
            fn $method(&self $(, $argument: $Argument)*)
                -> impl ::core::future::Future<Output = $Output> + ::core::marker::Send;
        )*}
    };
    ($(#[$attribute:meta])* pub trait $name:ident: Send + Sync + 'static {$(
        $(#[$doc:meta])*
        async fn $method:ident(&self $(, $argument:ident: $Argument:ty)* $(,)?) -> $Output:ty {
            $($default:ident)::+($($given:ident),*).await
        }
    )*}) => {
        $(#[$attribute])*
        pub trait $name: ::core::marker::Send + ::core::marker::Sync + 'static {$(
            $(#[$doc])*
            fn $method(&self $(, $argument: $Argument)*)
                -> impl ::core::future::Future<Output = $Output> + ::core::marker::Send
            {
                $($default)::+($($given),*)
            }
        )*}
    };
}

/// The trait as rust-analyzer sees it: a method that it adds to an implementation has the form of the method
/// in the trait, with its attributes, and `-> impl Future<Output = T> + Send { todo!() }` does not compile.
#[cfg(rust_analyzer)]
#[macro_export]
macro_rules! handlers {
    ($(#[$attribute:meta])* pub trait $name:ident: Send + Sync + 'static {$(
        $(#[$doc:meta])*
        async fn $method:ident($($arguments:tt)*) -> $Output:ty;
    )*}) => {
        $(#[$attribute])*
        pub trait $name: ::core::marker::Send + ::core::marker::Sync + 'static {$(
            async fn $method($($arguments)*) -> $Output;
        )*}
    };
    ($(#[$attribute:meta])* pub trait $name:ident: Send + Sync + 'static {$(
        $(#[$doc:meta])*
        async fn $method:ident($($arguments:tt)*) -> $Output:ty $default:block
    )*}) => {
        $(#[$attribute])*
        pub trait $name: ::core::marker::Send + ::core::marker::Sync + 'static {$(
            async fn $method($($arguments)*) -> $Output $default
        )*}
    };
}
