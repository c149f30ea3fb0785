//! One item.

use super::table;
use syn::Item;

/// Adds an item, with a line break at its end.
pub(super) fn print(text: &mut String, item: Item) {
    if let Item::Macro(of) = &item
        && table::print(text, of)
    {
        return;
    }
    let file = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
    text.push_str(&prettyplease::unparse(&file));
}
