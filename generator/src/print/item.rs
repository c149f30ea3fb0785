//! Formatting of items: tables row by row, other items and the traits of `handlers!` by prettyplease.

use super::lines::INDENT;
use super::tokens::flat;
use super::{constant, layout, signature, table};
use quote::ToTokens;
use syn::{Item, ItemMacro, MacroDelimiter};

/// Returns `true` if an item is the table of the type directly before it.
pub(super) fn is_table_of(item: &Item, before: &Item) -> bool {
    let is_table = matches!(item, Item::Macro(item_macro)
        if matches!(item_macro.mac.delimiter, MacroDelimiter::Brace(_))
            && !is_handlers(item_macro));
    is_table && matches!(before, Item::Struct(_) | Item::Enum(_))
}

/// Appends an item with a trailing line break, within a number of columns.
pub(super) fn print(text: &mut String, item: Item, width: usize) {
    match &item {
        Item::Macro(item_macro) if is_handlers(item_macro) || table::is_table(item_macro) => {
            for attr in &item_macro.attrs {
                text.push_str(&flat(attr.to_token_stream()));
                text.push('\n');
            }
            if !handlers(text, item_macro, width) {
                table::print(text, item_macro, width);
            }
        }
        _ => print_plain(text, item, width),
    }
}

/// Appends an item that is not a table.
fn print_plain(text: &mut String, item: Item, width: usize) {
    let members = match &item {
        Item::Impl(item) => item.items.len(),
        Item::Trait(item) => item.items.len(),
        _ => 0,
    };
    let (layout, value) = (layout::layout_of(&item), constant::value(&item));
    let file = syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    };
    let printed = prettyplease::unparse(&file);
    if let Some(value) = value {
        constant::print(text, &printed, &value, width);
        return;
    }
    match members {
        0 => layout(text, &printed, width),
        1 => text.push_str(&signature::shorten(&printed, width)),
        _ => spread(text, &signature::shorten(&printed, width)),
    }
}

fn is_handlers(item: &ItemMacro) -> bool {
    let last = item.mac.path.segments.last();
    last.is_some_and(|last| last.ident == "handlers")
}

/// Appends `handlers! { … }` with its trait. Returns `false` if the item is another macro.
fn handlers(text: &mut String, item: &ItemMacro, width: usize) -> bool {
    if !is_handlers(item) {
        return false;
    }
    let Ok(trait_item) = item.mac.parse_body() else {
        return false;
    };
    let mut inner = String::new();
    print_plain(&mut inner, Item::Trait(trait_item), width - INDENT.len());
    text.push_str(&flat(item.mac.path.to_token_stream()));
    text.push_str("! {\n");
    for line in inner.lines() {
        if !line.is_empty() {
            text.push_str(INDENT);
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str("}\n");
    true
}

/// Appends an impl or a trait, with blank lines between its members except between single-line
/// members.
fn spread(text: &mut String, printed: &str) {
    // The start of the member, and the number of its lines appended so far.
    let (mut start, mut lines) = (None, 0);
    let mut large_before = None;
    for line in printed.split_inclusive('\n') {
        let outermost = line
            .strip_prefix(INDENT)
            .filter(|rest| !rest.starts_with(' '));
        let Some(rest) = outermost else {
            lines += 1;
            text.push_str(line);
            continue;
        };
        let first = *start.get_or_insert_with(|| {
            lines = 0;
            text.len()
        });
        lines += 1;
        text.push_str(line);
        if ends_member(rest) {
            let large = lines > 1;
            if large_before.is_some_and(|before| before || large) {
                text.insert(first, '\n');
            }
            large_before = Some(large);
            start = None;
        }
    }
}

/// Returns `true` if a line at member indentation is the last line of a member.
fn ends_member(line: &str) -> bool {
    let line = line.trim_end();
    let in_front = line.starts_with("//") || line.starts_with('#');
    !in_front && (line.starts_with('}') || line.ends_with([';', '}']))
}

#[cfg(test)]
mod tests {
    use syn::{Item, parse_quote};

    fn printed(item: Item) -> String {
        let mut text = String::new();
        super::print(&mut text, item, super::super::lines::WIDTH);
        text
    }

    #[test]
    fn where_clauses_are_kept_at_every_place() {
        let items: [Item; 4] = [
            parse_quote! { impl<T> Client<T> { pub fn of(self) -> T where T: Clone { todo() } } },
            parse_quote! { impl<T> Client<T> where T: Clone {} },
            parse_quote! { pub trait Pets { fn get<T>(&self) -> T where T: Clone; } },
            parse_quote! { pub struct Page<T> where T: Clone { pub items: T } },
        ];
        for item in items {
            let text = printed(item);
            assert!(
                text.contains("where") && text.contains("T: Clone"),
                "{text}"
            );
        }
    }

    #[test]
    fn members_stand_apart_unless_they_are_of_one_line() {
        let item = parse_quote! {
            impl Outcome for Pet {
                const A: u8 = 1;
                const B: u8 = 2;
                #[doc = " Ends with a sign;"]
                fn one(&self) -> u8 { 1 }
                fn none(&self) {}
                fn two<T>(&self) -> T where T: Clone { if self.a { self.b; } T::a() }
            }
        };
        let wanted = "\
impl Outcome for Pet {
    const A: u8 = 1;
    const B: u8 = 2;

    /// Ends with a sign;
    fn one(&self) -> u8 {
        1
    }

    fn none(&self) {}

    fn two<T>(&self) -> T
    where
        T: Clone,
    {
        if self.a {
            self.b;
        }
        T::a()
    }
}
";
        assert_eq!(printed(item), wanted);
        let item = parse_quote! {
            pub trait Pets {
                #[doc = " One."]
                fn one(&self);
                #[doc = " Two."]
                fn two(&self, first: aaaaaaaaaaaaaaaaaaaaaaaaa, second: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb);
            }
        };
        let wanted = "\
pub trait Pets {
    /// One.
    fn one(&self);

    /// Two.
    fn two(&self, first: aaaaaaaaaaaaaaaaaaaaaaaaa, second: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb);
}
";
        assert_eq!(printed(item), wanted);
    }

    #[test]
    fn a_trait_of_handlers_is_formatted_like_a_trait_within_its_macro() {
        let item = parse_quote! {
            bothends_runtime::handlers! {
                #[doc = " Pets."]
                pub trait Pets: Send {
                    #[doc = " One."]
                    async fn one(&self, ctx: Context, request: OneRequest) -> Result<OneResponse, Error<OneError>>;
                    #[doc = " Two."]
                    async fn two(&self) -> u8 { unhandled(ctx, request).await }
                }
            }
        };
        let wanted = "\
bothends_runtime::handlers! {
    /// Pets.
    pub trait Pets: Send {
        /// One.
        async fn one(
            &self,
            ctx: Context,
            request: OneRequest,
        ) -> Result<OneResponse, Error<OneError>>;

        /// Two.
        async fn two(&self) -> u8 {
            unhandled(ctx, request).await
        }
    }
}
";
        assert_eq!(printed(item), wanted);
    }
}
