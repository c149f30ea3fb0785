//! The layout of constants.

use super::expression::{Place, calls, column, columns, expression, is_short, without_last_commas};
use super::lines::{INDENT, joined};
use syn::{Expr, Item};

/// Returns the value of a constant.
pub(super) fn value(item: &Item) -> Option<Expr> {
    let mut value = match item {
        Item::Const(item) => (*item.expr).clone(),
        Item::Static(item) => (*item.expr).clone(),
        _ => return None,
    };
    without_last_commas(&mut value);
    Some(value)
}

/// Appends a printed constant with another layout of its value.
pub(super) fn print(text: &mut String, printed: &str, value: &Expr, width: usize) {
    let starts = ["pub const ", "const ", "pub static ", "static "];
    let is_head = |line: &str| starts.iter().any(|start| line.starts_with(start));
    let docs = printed
        .split_inclusive('\n')
        .take_while(|line| !is_head(line));
    let docs: usize = docs.map(str::len).sum();
    let Some(head) = printed.get(docs..).and_then(|rest| rest.find(" = ")) else {
        text.push_str(printed);
        return;
    };
    text.push_str(&printed[..docs]);
    let head = &printed[docs..][..head + " =".len()];
    let line = joined(&head.lines().collect::<Vec<_>>());
    text.push_str(if line.chars().count() <= width {
        &line
    } else {
        head
    });
    let is_lower = is_lower(value, column(text) + 1, width);
    text.push_str(if is_lower { "\n    " } else { " " });
    expression(text, value, Place::new(usize::from(is_lower), 1), width);
    text.push_str(";\n");
}

/// Returns whether a value after a number of columns moves to a line of its own: where it fits there, or where
/// otherwise its first call would be broken.
fn is_lower(value: &Expr, before: usize, width: usize) -> bool {
    let first = match value {
        Expr::Call(call) => columns(&call.func) + "(&[".len(),
        Expr::MethodCall(_) => columns(calls(value).1) + 1,
        _ => return false,
    };
    let fits = |before: usize, columns: usize| before + columns <= width;
    let whole = columns(value) + 1;
    let only_lower = |columns| !fits(before, columns) && fits(INDENT.len(), columns);
    is_short(value) && only_lower(whole) || only_lower(first)
}

#[cfg(test)]
mod tests {
    use super::super::{item, lines::WIDTH};
    use syn::{Item, parse_quote};

    #[test]
    fn calls_of_a_chain_and_long_arguments_have_lines_of_their_own() {
        let items: Vec<Item> = vec![
            parse_quote!(
                pub const RULES: Rules = Rules::new("short").from(&[1, -2]);
            ),
            parse_quote! {
                #[doc = " The flow = one."]
                pub const CLIENT_CREDENTIALS_FLOW: TokenFlow = TokenFlow::new("clientCredentials", "/v1/oauth/token")
                    .envelope::<Data>("/data").codes(&["customer_not_found", "unauthorized_scope"]);
            },
            parse_quote! {
                pub static BODIES: Bodies = Bodies::new(&["the first of several long texts", "the second of several texts, which are longer"])
                    .with(Body::new(404, "application/json", "a body that is too long for the line of its status and its media type"));
            },
            parse_quote! {
                pub const OPEN_STREAM_ON_DATA_URL: CallbackUrl<super::operations::OpenStreamRequest> = CallbackUrl::new(
                    &[UrlPart::Value(Expression::RequestQuery("callbackUrl")), UrlPart::Text("/data?from=open")],
                );
            },
            parse_quote! {
                pub const PRODUCTS: Products = Products::new(&[
                    ("payments", &["singlePaymentStatusUpdated", "standingOrderStatusUpdated", "scheduledPayment"]),
                    ("connection", &[]),
                ], true);
            },
        ];
        let mut text = String::new();
        items
            .into_iter()
            .for_each(|parsed| item::print(&mut text, parsed, WIDTH));
        let wanted = r#"pub const RULES: Rules = Rules::new("short").from(&[1, -2]);
/// The flow = one.
pub const CLIENT_CREDENTIALS_FLOW: TokenFlow =
    TokenFlow::new("clientCredentials", "/v1/oauth/token")
        .envelope::<Data>("/data")
        .codes(&["customer_not_found", "unauthorized_scope"]);
pub static BODIES: Bodies = Bodies::new(&[
    "the first of several long texts",
    "the second of several texts, which are longer",
])
.with(Body::new(
    404,
    "application/json",
    "a body that is too long for the line of its status and its media type",
));
pub const OPEN_STREAM_ON_DATA_URL: CallbackUrl<super::operations::OpenStreamRequest> =
    CallbackUrl::new(&[
        UrlPart::Value(Expression::RequestQuery("callbackUrl")),
        UrlPart::Text("/data?from=open"),
    ]);
pub const PRODUCTS: Products = Products::new(
    &[
        (
            "payments",
            &[
                "singlePaymentStatusUpdated",
                "standingOrderStatusUpdated",
                "scheduledPayment",
            ],
        ),
        ("connection", &[]),
    ],
    true,
);
"#;
        assert_eq!(text, wanted);
    }
}
