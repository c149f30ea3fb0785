//! The features of items as attributes.

use super::context::Context;
use crate::ir::{Condition, Operation, condition};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Item, parse_quote};

impl Context<'_> {
    /// Returns the predicate of a condition: `feature = "pets"`, or `any(…)`.
    fn predicate(&self, condition: &Condition) -> TokenStream {
        let features = &self.api.conditions.features;
        let names = condition.iter().filter_map(|index| features.get(*index));
        let names = names.map(|feature| &feature.name);
        let features: Vec<TokenStream> = names.map(|name| quote!(feature = #name)).collect();
        match features.as_slice() {
            [feature] => feature.clone(),
            several => quote!(any(#(#several),*)),
        }
    }

    /// Returns `#[cfg(…)]` for an item, unless what is around it has the same condition.
    pub(super) fn cfg(&self, condition: &Condition, around: &Condition) -> Option<Attribute> {
        if condition.is_empty() || condition == around {
            return None;
        }
        let predicate = self.predicate(condition);
        Some(parse_quote!(#[cfg(#predicate)]))
    }

    /// Returns `#[cfg(not(…))]` for what stands for an item that is left out.
    pub(super) fn cfg_not(&self, condition: &Condition) -> Option<Attribute> {
        if condition.is_empty() {
            return None;
        }
        let predicate = self.predicate(condition);
        Some(parse_quote!(#[cfg(not(#predicate))]))
    }

    /// Returns the operations of a tag, each with its features, given those of what is around them.
    pub(super) fn operations_of<'o>(
        &'o self,
        tag: usize,
        around: &'o Condition,
    ) -> impl Iterator<Item = (&'o Operation, Option<Attribute>)> {
        let operations = self.api.operations.iter().enumerate();
        let own = operations.filter(move |(_, operation)| operation.tag == Some(tag));
        own.map(move |(index, operation)| {
            let condition_of = condition(&self.api.conditions.operations, index);
            (operation, self.cfg(condition_of, around))
        })
    }

    /// Returns items with a condition of a list.
    pub(super) fn behind(
        &self,
        list: &[Condition],
        index: usize,
        around: &Condition,
        mut items: Vec<Item>,
    ) -> Vec<Item> {
        if let Some(cfg) = self.cfg(condition(list, index), around) {
            items.iter_mut().for_each(|item| add(item, &cfg));
        }
        items
    }
}

/// Adds an attribute to an item, after its documentation.
fn add(item: &mut Item, attribute: &Attribute) {
    let attrs = match item {
        Item::Const(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Macro(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return,
    };
    let docs = attrs.iter().take_while(|attr| attr.path().is_ident("doc"));
    attrs.insert(docs.count(), attribute.clone());
}
