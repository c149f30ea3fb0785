//! What code is made of, whatever it is called: two texts of code are of one shape when they differ
//! in identifiers, literals and docs only.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit::{self, Visit};

/// Macros that generated code calls.
const MACROS: [&str; 26] = [
    "any_of",
    "contents",
    "credentials",
    "errors",
    "events",
    "generated_form",
    "handlers",
    "link_values",
    "links",
    "literal_enum",
    "newtype",
    "object",
    "operation",
    "pages",
    "requires",
    "response_headers",
    "responses",
    "routes",
    "presented_credentials",
    "string_enum",
    "tagged",
    "union",
    "user_agent",
    "validate_body",
    "vec",
    "webhook_kinds",
];

/// Attributes that generated code bears.
const ATTRIBUTES: [&str; 7] = [
    "allow",
    "cfg",
    "default",
    "deprecated",
    "derive",
    "doc",
    "non_exhaustive",
];

/// The tokens of a file: words of the language and signs as they are, other identifiers as `i`,
/// literals as `0`, docs left out, and what layout adds to longer lines: the comma at an end, and
/// the braces around a single expression.
///
/// # Errors
/// When it is no Rust.
pub(crate) fn shape(text: &str) -> Result<String, String> {
    let tokens: TokenStream = text.parse().map_err(|error| format!("{error}"))?;
    let mut shape = String::new();
    write(tokens, false, &mut shape);
    // Spaces keep words apart, and say nothing otherwise.
    let words = shape.split_whitespace();
    let spaced = words.collect::<Vec<_>>().join(" ");
    let of_word = |at: usize| {
        spaced
            .as_bytes()
            .get(at)
            .is_some_and(u8::is_ascii_alphanumeric)
    };
    let kept = spaced
        .char_indices()
        .filter(|(at, letter)| *letter != ' ' || (of_word(at.wrapping_sub(1)) && of_word(at + 1)));
    Ok(kept.map(|(_, letter)| letter).collect())
}

/// The shape of a file whose items may stand in any order.
///
/// # Errors
/// When it is no Rust.
pub(crate) fn unordered(text: &str) -> Result<String, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let items = file.items.iter();
    let mut items: Vec<String> = items
        .map(|item| shape(&item.to_token_stream().to_string()))
        .collect::<Result<_, _>>()?;
    items.sort();
    Ok(items.join("\n"))
}

fn write(tokens: TokenStream, in_table: bool, shape: &mut String) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some(length) = doc(&tokens[at..]) {
            at += length;
            continue;
        }
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        at += 1;
        match token {
            TokenTree::Group(group) => {
                let calls = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '!');
                let in_table = in_table || before.is_some_and(calls);
                let is_body = is_one(group.stream(), in_table);
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace if is_body => (' ', ' '),
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::None => (' ', ' '),
                };
                shape.push(open);
                write(group.stream(), in_table, shape);
                shape.push(close);
            }
            TokenTree::Ident(ident) => {
                let ident = ident.to_string();
                let word = syn::parse_str::<syn::Ident>(&ident).is_err();
                shape.push_str(if word { &ident } else { "i" });
                shape.push(' ');
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {}
            TokenTree::Punct(punct) => {
                shape.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    shape.push(' ');
                }
            }
            TokenTree::Literal(_) => shape.push_str("0 "),
        }
    }
}

/// Whether tokens are one expression, which may stand with or without braces. The only row of a table has a
/// comma at its end if the table takes several lines.
fn is_one(tokens: TokenStream, in_table: bool) -> bool {
    let is = |token: &TokenTree, signs: &[char]| matches!(token, TokenTree::Punct(punct) if signs.contains(&punct.as_char()));
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.pop_if(|last| in_table && is(last, &[',']));
    !tokens.iter().any(|token| is(token, &[',', ';']))
}

/// How many tokens a doc attribute at the beginning takes: `#[doc = ..]` or `#![doc = ..]`.
fn doc(tokens: &[TokenTree]) -> Option<usize> {
    let sign = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let length = if sign(0, '#') && sign(1, '!') {
        3
    } else if sign(0, '#') {
        2
    } else {
        return None;
    };
    let Some(TokenTree::Group(group)) = tokens.get(length - 1) else {
        return None;
    };
    let mut inside = group.stream().into_iter();
    let is_doc = matches!(inside.next(), Some(TokenTree::Ident(ident)) if ident == "doc");
    let is_text = matches!(inside.nth(1), Some(TokenTree::Literal(_)));
    (is_doc && is_text).then_some(length)
}

/// What a file holds that generated code never does.
///
/// # Errors
/// When it does not parse.
pub(crate) fn strange(text: &str) -> syn::Result<BTreeSet<String>> {
    let file = syn::parse_file(text)?;
    let mut strange = Strange::default();
    if file.shebang.is_some() {
        strange.found.insert("a shebang".to_owned());
    }
    strange.visit_file(&file);
    Ok(strange.found)
}

#[derive(Default)]
struct Strange {
    found: BTreeSet<String>,
}

fn written(path: &syn::Path) -> String {
    let segments = path.segments.iter();
    let idents: Vec<String> = segments.map(|segment| segment.ident.to_string()).collect();
    idents.join("::")
}

impl<'ast> Visit<'ast> for Strange {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let path = written(attribute.path());
        if !ATTRIBUTES.contains(&path.as_str()) {
            self.found.insert(format!("the attribute {path}"));
        }
        // `doc` takes a text here, never a macro or `hidden`.
        if path == "doc" {
            let is_text = matches!(
                &attribute.meta,
                syn::Meta::NameValue(syn::MetaNameValue {
                    value: syn::Expr::Lit(_),
                    ..
                })
            );
            if !is_text {
                self.found.insert("a doc that is no text".to_owned());
            }
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let path = written(&call.path);
        let name = path.strip_prefix("bothends_runtime::").unwrap_or(&path);
        if !MACROS.contains(&name) {
            self.found.insert(format!("the macro {path}"));
        }
        visit::visit_macro(self, call);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        let known = matches!(
            item,
            Item::Const(_)
                | Item::Enum(_)
                | Item::Fn(_)
                | Item::Impl(_)
                | Item::Macro(_)
                | Item::Mod(_)
                | Item::Struct(_)
                | Item::Trait(_)
                | Item::Type(_)
                | Item::Use(_)
        ) || matches!(item, Item::Static(list) if list.ident == "REJECTION_BODIES");
        if !known {
            let kind = format!("another item: {}", item.to_token_stream());
            self.found.insert(kind.chars().take(200).collect());
        }
        visit::visit_item(self, item);
    }

    fn visit_expr_unsafe(&mut self, _: &'ast syn::ExprUnsafe) {
        self.found.insert("unsafe".to_owned());
    }
}
