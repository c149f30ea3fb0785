//! The kinds of webhooks, as a table.

use super::WebhookCall;
use crate::ends::server::{BoxFuture, Response};

/// A kind of webhook and its handler: a row of [`webhook_kinds!`](crate::webhook_kinds).
pub struct Kind<H: 'static, K: 'static> {
    /// The kind.
    pub kind: K,
    /// The HTTP method of its requests, in capitals.
    pub method: &'static str,
    /// The default path of the kind.
    pub path: &'static str,
    /// The property values that only requests of some kinds have: the JSON pointer of the property
    /// in the body, and the value.
    pub values: &'static [(&'static str, &'static str)],
    /// Decodes the request and calls the handler.
    pub run: fn(WebhookCall<H, K>) -> BoxFuture<'static, Response>,
}

/// Defines the kinds of webhooks of an API: a kind, its method, path and handler in each row.
///
/// ```ignore
/// webhook_kinds! {
///     kinds<H: WebhookHandler, WebhookKind> {
///         InvoicePaid "POST" "/invoicePaid" => invoice_paid { "/type": "invoice.paid" },
///         Ping "POST" "/ping" => ping,
///     }
/// }
/// ```
///
/// A row may have attributes.
///
/// This defines a function `kinds` that returns the table for a
/// [`WebhookRouter`](crate::ends::webhook::WebhookRouter).
#[macro_export]
macro_rules! webhook_kinds {
    ($kinds:ident<$H:ident: $Handler:path, $Kind:ident> {
        $($(#[$attribute:meta])* $kind:ident $method:literal $path:literal => $handler:ident
            $({ $($pointer:literal: $value:literal),* $(,)? })?),* $(,)?
    }) => {
        const _: &[&str] =
            $crate::private::distinct_of("kind", &[$(::core::stringify!($kind)),*]);

        const fn $kinds<$H: $Handler>() -> &'static [$crate::webhook::Kind<$H, $Kind>] {
            const {
                &[$($(#[$attribute])* $crate::webhook::Kind {
                    kind: $Kind::$kind,
                    method: $method,
                    path: $path,
                    values: &[$($(($pointer, $value)),*)?],
                    run: |call| ::std::boxed::Box::pin(async move {
                        match call.begin() {
                            ::core::result::Result::Ok(begun) => {
                                let result = begun.handler.$handler(begun.context, begun.request).await;
                                begun.finish.response(result).await
                            }
                            ::core::result::Result::Err(undecoded) => undecoded.response().await,
                        }
                    }),
                }),*]
            }
        }
    };
}
