//! What is generated under a filter is a part of what is generated without it, item by item.

use std::collections::BTreeSet;
use std::path::Path;

use bothends::Plan;
use bothends::emit::{self, Options};
use bothends_tests::parallel::each;
use bothends_tests::{corpus, root};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

use super::filter::filtered;

/// Documents of the corpus for random selections.
const DOCUMENTS: &[&str] = &[
    "progenitor/sample_openapi.nexus.json",
    "ogen/_testdata.examples.telegram_bot_api.json",
    "ogen/_testdata.examples.superset.json",
    "adyen-openapi/json.BalancePlatformService-v2.json",
    "adyen-openapi/json.Webhooks-v1.json",
    "openai-openapi/openapi.yaml",
    "twilio-oai/spec.json.twilio_verify_v2.json",
    "Xero-OpenAPI/xero_accounting.yaml",
    "read-write-api-specs/dist.openapi.payment-initiation-openapi.yaml",
];

/// Numbers that look random, and are the same on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let end = u64::try_from(end.max(1)).expect("small");
        usize::try_from((self.0 >> 33) % end).expect("small")
    }
}

#[test]
fn a_filter_removes_items_and_changes_none() {
    let mut documents: Vec<_> = [
        "callbacks",
        "webhooks",
        "polymorphism",
        "security",
        "servers",
        "task-calls",
        "task-links",
    ]
    .map(|name| root().join(format!("spec/features/{name}.yaml")))
    .to_vec();
    documents.push(root().join("spec/financial-data.yaml"));
    if let Some(corpus) = corpus("a_filter_removes_items_and_changes_none") {
        documents.extend(DOCUMENTS.iter().map(|path| corpus.join(path)));
    }
    let numbered: Vec<_> = (1..).zip(documents).collect();
    each(&numbered, |(seed, document)| {
        is_part_of_the_whole(document, &mut Random(*seed));
    });
}

/// Compares what is generated for some selections with what is generated without a filter.
fn is_part_of_the_whole(document: &Path, random: &mut Random) {
    let whole = filtered(document, &[], &[]);
    assert!(!whole.has_errors(), "{}", whole.report());
    let full = items(&whole);
    for _ in 0..3 {
        let selectors = selection(&whole, random);
        let selectors: Vec<&str> = selectors.iter().map(String::as_str).collect();
        for (include, exclude) in [(&selectors[..], &[][..]), (&[][..], &selectors[..])] {
            let plan = filtered(document, include, exclude);
            assert!(!plan.has_errors(), "{}", plan.report());
            assert_eq!(
                plan.api.operations.len(),
                plan.kept.map_or(0, |kept| kept.operations.0)
            );
            let missing: Vec<String> = items(&plan).difference(&full).cloned().collect();
            let document = document.display();
            assert!(
                missing.is_empty(),
                "{document} {include:?} {exclude:?}:\n{}",
                missing.join("\n")
            );
        }
    }
}

/// Selects some operations, in one of several ways.
fn selection(whole: &Plan, random: &mut Random) -> Vec<String> {
    let operations = bothends::filter::list_operations(&whole.api);
    let tags = bothends::filter::list_tags(&whole.api);
    let schemas = bothends::filter::list_schemas(&whole.api);
    let from = match random.below(3) {
        0 if !tags.is_empty() => &tags,
        1 if !schemas.is_empty() => &schemas,
        _ => &operations,
    };
    let count = 1 + random.below(4);
    (0..count)
        .map(|_| from[random.below(from.len())].0.clone())
        .collect()
}

/// The items of a plan's modules as text, each after the path of its module. Items that list others are
/// taken apart into what they list.
fn items(plan: &Plan) -> BTreeSet<String> {
    let options = Options::default();
    let output = emit::emit(&plan.api, &options).expect("items");
    let mut found = BTreeSet::new();
    for module in &output.modules {
        let path = module.path.join("::");
        for item in &module.items {
            for text in parts(item) {
                found.insert(format!("{path}: {text}"));
            }
        }
    }
    found
}

fn parts(item: &Item) -> Vec<String> {
    let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string();
    match item {
        // Imports are what the other items need.
        Item::Use(_) => Vec::new(),
        Item::Impl(block) if !block.items.is_empty() => {
            block.items.iter().map(|item| text(item)).collect()
        }
        Item::Trait(definition) if definition.ident == "Api" => Vec::new(),
        Item::Impl(block) if text(block).starts_with("impl < T :") => Vec::new(),
        Item::Enum(definition) if definition.ident == "WebhookKind" => definition
            .variants
            .iter()
            .map(|variant| text(variant))
            .collect(),
        Item::Struct(definition) if definition.ident == "Credentials" => {
            definition.fields.iter().map(|field| text(field)).collect()
        }
        // Without security schemes it has no authenticator.
        Item::Fn(function) if function.sig.ident == "router" => Vec::new(),
        // It lists the operations with responses of their own.
        Item::Static(list) if list.ident == "REJECTION_BODIES" => Vec::new(),
        // A list of all kinds of webhooks.
        Item::Const(constant) if constant.ident == "SUBSCRIPTION" => Vec::new(),
        // The webhooks that report the end of a task are those that are kept.
        Item::Fn(function) if function.sig.ident == "inbox" => Vec::new(),
        Item::Const(constant) if text(&constant.ty).starts_with("TaskMeta") => Vec::new(),
        Item::Macro(table)
            if table
                .mac
                .path
                .segments
                .iter()
                .any(|segment| segment.ident == "requires") =>
        {
            Vec::new()
        }
        // Of the operations at a path, a router has the first that is kept. Links between them are those that are kept.
        Item::Macro(table)
            if (table.mac.path.segments.iter())
                .any(|segment| segment.ident == "routes" || segment.ident == "links") =>
        {
            Vec::new()
        }
        Item::Macro(table) if names_all(&table.mac) => rows(table.mac.tokens.clone()),
        other => vec![text(other)],
    }
}

/// Whether a macro lists all operations, or all kinds of webhooks.
fn names_all(table: &syn::Macro) -> bool {
    let name = table
        .path
        .segments
        .last()
        .map(|segment| segment.ident.to_string());
    match name.as_deref() {
        Some("string_enum") => table.tokens.to_string().starts_with("WebhookKind"),
        Some(
            "handlers" | "webhook_kinds" | "credentials" | "presented_credentials" | "link_values",
        ) => true,
        _ => false,
    }
}

/// The rows of a macro: what stands between commas, semicolons and braces.
fn rows(tokens: TokenStream) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = TokenStream::new();
    for token in tokens {
        let ends = match &token {
            TokenTree::Punct(sign) => matches!(sign.as_char(), ',' | ';'),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                rows.extend(self::rows(group.stream()));
                true
            }
            _ => false,
        };
        if ends {
            rows.push(std::mem::take(&mut row).to_string());
        } else {
            row.extend([token]);
        }
    }
    rows.push(row.to_string());
    rows
}
