//! The root of a document, and its sections.

use super::context::Context;
use super::extension::is_stray_extension;
use super::path_item::{self, Depth};
use super::servers::read_servers;
use super::{Version, response, security, spelling, swagger2};
use crate::diagnostic::codes;
use crate::model::{Info, Model, Tag, Webhook};
use crate::resolve::Node;

/// Reads the whole document.
pub(super) fn read(context: &mut Context<'_, '_>) -> Model {
    let root = context.resolver.root();
    check_sections(context, &root);
    context.check_keys(&root, spelling::ROOT);
    if let Some(components) = root.get("components") {
        context.check_keys(&components, spelling::COMPONENTS);
    }
    let named_schemas = context.named_schemas(&root);
    let mut model = Model {
        info: read_info(context, &root),
        servers: match context.rules.version {
            Version::Swagger2 => swagger2::read_servers(context, &root),
            _ => read_servers(context, &root),
        },
        tags: read_tags(context, &root),
        named_schemas,
        named_responses: response::read_named(context, &root),
        operations: path_item::read_paths(context, &root),
        webhooks: read_webhooks(context, &root),
        security_schemes: security::read_schemes(context, &root),
        extensions: context.extensions(&root),
        ..Model::default()
    };
    context.read_schemas();
    context.report_contradictions();
    context.report_flattened();
    context.resolver.report_repeated_names(context.diagnostics);
    context.report_unbound();
    report_unchecked(context);
    let others = context.schemas_of_other_files(&model.named_schemas);
    model.named_schemas.extend(others);
    model.pointed_schemas = context.pointed_schemas(&model.named_schemas);
    model.schemas = std::mem::take(&mut context.schemas.list);
    model
}

/// Reports missing sections that every document must have. Code can be generated without some of
/// them, but not without all of them.
fn check_sections<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) {
    const CONTENT: [&str; 7] = [
        "paths",
        "components",
        "webhooks",
        "x-webhooks",
        "definitions",
        "parameters",
        "responses",
    ];
    let has = |key: &&str| root.get(key).is_some_and(|node| !node.value.is_null());
    let required: &[&str] = match context.rules.version {
        Version::Swagger2 | Version::V3_0 => &["info", "paths"],
        Version::V3_1 | Version::V3_2 => &["info"],
    };
    let missing = required.iter().filter(|key| !has(key));
    let missing: Vec<String> = missing.map(|key| format!("`{key}`")).collect();
    if !CONTENT.iter().any(has) {
        let (one_of, help) = match context.rules.version {
            Version::Swagger2 | Version::V3_0 => (None, "write at least `info`, and `paths: {}`"),
            _ => (
                Some("`paths`, `webhooks` or `components`".to_owned()),
                "write at least `info`, and one of `paths`, `webhooks` and `components`",
            ),
        };
        let missing: Vec<String> = missing.into_iter().chain(one_of).collect();
        let message = format!("the document has no {}", missing.join(", and no "));
        context
            .report(codes::EMPTY_DOCUMENT, &root.origin(), message)
            .help(help);
    } else if !missing.is_empty() {
        let message = format!("the document has no {}", missing.join(" and no "));
        context.report(codes::SECTION_MISSING, &root.origin(), message);
    }
}

/// Reports the keywords that are not validated, once for the document, because documents that use
/// these keywords use them often.
fn report_unchecked(context: &mut Context<'_, '_>) {
    let Some((origin, keys)) = context.unchecked.take() else {
        return;
    };
    let names: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
    let message = format!("{} are not checked", names.join(", "));
    let message = if keys.len() == 1 {
        message.replace(" are ", " is ")
    } else {
        message
    };
    context
        .report(codes::NOT_CHECKED, &origin, message)
        .note("reported once, at the first place")
        .help("check the values in the handler, and declare each property that it needs under `properties`");
}

fn read_info<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Info {
    let Some(info) = context.object(root, "info") else {
        return Info::default();
    };
    context.check_keys(&info, spelling::INFO);
    Info {
        title: context.text(&info, "title").unwrap_or_default(),
        version: context.text(&info, "version").unwrap_or_default(),
        summary: context.text(&info, "summary"),
        description: context.text(&info, "description"),
    }
}

fn read_tags<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Tag> {
    let items = context.items(root, "tags");
    items
        .filter_map(|item| {
            // Some documents list only names, as operations do.
            if let Some(name) = item.value.as_str() {
                return Some(Tag {
                    name: name.to_owned(),
                    description: None,
                    parent: None,
                });
            }
            let node = context.follow(&item)?;
            let Some(name) = context.text(&node, "name") else {
                let message = "missing `name` of a tag; the tag is ignored";
                context.report(codes::IGNORED, &node.origin(), message);
                return None;
            };
            let description = context
                .text(&node, "description")
                .or_else(|| context.text(&node, "summary"));
            Some(Tag {
                name,
                description,
                parent: context.text(&node, "parent"),
            })
        })
        .collect()
}

/// Reads `webhooks` of OpenAPI 3.1, and `x-webhooks`, its predecessor.
fn read_webhooks<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Webhook> {
    let mut webhooks = Vec::new();
    for section in ["webhooks", "x-webhooks"] {
        for (name, node) in context.entries(root, section) {
            if is_stray_extension(name, &node) {
                continue;
            }
            for operation in path_item::read_item(context, &node, ("", name), Depth::Top) {
                webhooks.push(Webhook {
                    name: name.to_owned(),
                    operation,
                });
            }
        }
    }
    webhooks
}
