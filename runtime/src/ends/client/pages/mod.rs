//! Lists that a server returns in pages.

mod at;
mod call;
mod error;
mod items;
mod link;
mod next;
mod walk;

pub use call::PagedCall;
pub use error::PageError;
pub use items::Items;
pub use next::NextPage;
pub use walk::Pages;

use crate::message::Operation;

/// An operation that returns a list in pages, of which the document describes how the next one is
/// requested. [`pages!`](crate::pages!) implements it.
#[diagnostic::on_unimplemented(
    message = "the document does not describe pages of `{Self}`",
    label = "needs a row of `bothends_runtime::pages!`"
)]
pub trait PagedOperation: Operation {
    /// How the next page is requested.
    const NEXT: NextPage;
}

/// An operation whose pages contain items of one type. [`pages!`](crate::pages!) implements it.
#[diagnostic::on_unimplemented(
    message = "the document does not describe which property of the responses to `{Self}` has the items",
    note = "`pages` returns whole responses"
)]
pub trait ListOperation: PagedOperation {
    /// The type of an item.
    type Item: Send;

    /// Returns the items of a page.
    fn items(page: Self::Response) -> Vec<Self::Item>;
}

/// Describes the pages of an operation. Generated code contains such tables.
///
/// `items` has the type of an item and the fields through which the items are reached from the body of a
/// response, with a mark behind each that may be absent. Without fields, the body is the list; without
/// this row, there are only whole pages.
///
/// ```ignore
/// bothends_runtime::pages! {
///     ListPetsRequest {
///         items: types::Pet => [data?.pets],
///         next: NextPage::values(&[("query", "cursor", Expression::ResponseBody("/next"))]),
///         has_more_at("/has_more"),
///     }
/// }
/// ```
#[macro_export]
macro_rules! pages {
    ($request:ident {
        $(items: $item:ty $(=> [$($path:tt)+])?,)?
        next: $next:expr
        $(, $set:ident($($value:expr),*))* $(,)?
    }) => {
        impl $crate::client::PagedOperation for $request {
            const NEXT: $crate::client::NextPage = $next$(.$set($($value),*))*;
        }
        $(impl $crate::client::ListOperation for $request {
            type Item = $item;

            fn items(page: Self::Response) -> ::std::vec::Vec<$item> {
                let page = page.into_inner();
                let items = move || {
                    let items = $crate::__items_of!(page; $($($path)+)?);
                    ::core::option::Option::Some(::std::vec::Vec::from(items))
                };
                items().unwrap_or_default()
            }
        })?
    };
}

/// Moves a value out of fields: `page; data?.pets`.
#[doc(hidden)]
#[macro_export]
macro_rules! __items_of {
    ($value:expr;) => {
        $value
    };
    ($value:expr; $field:ident ? $(. $($path:tt)+)?) => {
        $crate::__items_of!($crate::private::present($value.$field)?; $($($path)+)?)
    };
    ($value:expr; $field:ident $(. $($path:tt)+)?) => {
        $crate::__items_of!($value.$field; $($($path)+)?)
    };
}
