//! The root of a document, and what stands directly under it.

use super::context::{Context, is_stray_extension};
use super::{Version, operation, path_item, response, security, spelling, swagger2};
use crate::diagnostic::codes;
use crate::model::{Info, Model, Server, Tag, Webhook};
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
    context.resolver.tell_repeated_names(context.diagnostics);
    tell_unchecked(context);
    model.schemas = std::mem::take(&mut context.schemas.list);
    model
}

/// Tells which of the sections that every document has are missing. Much can be generated without
/// them, but not out of nothing.
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
    if !CONTENT.iter().any(|key| has(&key)) {
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

/// Once for the document: people who use these keywords use them often, and know it.
fn tell_unchecked(context: &mut Context<'_, '_>) {
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
        .note("told once, at the first place")
        .help("check in the handler what the types do not say");
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

/// `servers` of the root, a path item or an operation.
pub(super) fn read_servers<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<Server> {
    let items = context.items(holder, "servers");
    items
        .filter_map(|item| read_server(context, &item))
        .collect()
}

fn read_server<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Server> {
    let node = context.follow(node)?;
    if let Some(url) = node.value.as_str() {
        context.meant(&node, "the `url` of a server");
        return Some(Server {
            url: url.to_owned(),
            name: None,
            description: None,
            variables: vec![],
        });
    }
    context.check_keys(&node, spelling::SERVER);
    // Whoever calls the API says where it is anyway.
    let Some(url) = context.text(&node, "url") else {
        let message = "a server without `url` is ignored";
        context.report(codes::IGNORED, &node.origin(), message);
        return None;
    };
    let name = context.text(&node, "name");
    let description = context.text(&node, "description");
    let entries = context.entries(&node, "variables");
    let variables = entries
        .filter_map(|(name, node)| {
            let node = context.as_object(&node)?;
            let default = context.text(&node, "default").unwrap_or_default();
            Some((name.to_owned(), default, context.texts(&node, "enum")))
        })
        .collect();
    Some(Server {
        url,
        name,
        description,
        variables,
    })
}

fn read_tags<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Tag> {
    let items = context.items(root, "tags");
    items
        .filter_map(|item| {
            // Some documents list names only, as operations do.
            if let Some(name) = item.value.as_str() {
                return Some(Tag {
                    name: name.to_owned(),
                    description: None,
                    parent: None,
                });
            }
            let node = context.follow(&item)?;
            let Some(name) = context.text(&node, "name") else {
                let message = "a tag without `name` is ignored";
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

/// `webhooks` of OpenAPI 3.1, and `x-webhooks`, which came before it.
fn read_webhooks<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Webhook> {
    let mut webhooks = Vec::new();
    for section in ["webhooks", "x-webhooks"] {
        for (name, node) in context.entries(root, section) {
            if is_stray_extension(name, &node) {
                continue;
            }
            for operation in path_item::read_item(context, &node, "", operation::Depth::Top) {
                webhooks.push(Webhook {
                    name: name.to_owned(),
                    operation,
                });
            }
        }
    }
    webhooks
}
