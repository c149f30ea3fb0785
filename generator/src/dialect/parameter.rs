//! Parameters of OpenAPI 3.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::compared::Notation;
use super::context::Context;
use super::kind::Kind;
use super::style::read_style;
use super::version::Version;
use super::{examples, media_type, spelling};
use crate::diagnostic::{Change, codes};
use crate::model::{Location, Parameter, Style};
use crate::resolve::Node;

/// Reads the parameters of an operation and of its path item. Those of the operation have
/// precedence.
pub(super) fn read_all<'t>(
    context: &mut Context<'t, '_>,
    shared: &[Node<'t>],
    own: &[Node<'t>],
) -> Vec<Parameter> {
    let own = read_list(context, own);
    let shared = read_list(context, shared);
    merge(shared, own)
}

/// Merges two lists of parameters: those of the path item that the operation does not declare, and
/// then those of the operation.
pub(super) fn merge(shared: Vec<Parameter>, own: Vec<Parameter>) -> Vec<Parameter> {
    let declared: HashSet<(Location, String)> = own.iter().map(key).collect();
    let kept = shared.into_iter().filter(|it| !declared.contains(&key(it)));
    let mut all: Vec<_> = kept.collect();
    all.extend(own);
    all
}

/// Returns the key that identifies a parameter of an operation. Names of headers are equal whatever
/// their case.
fn key(parameter: &Parameter) -> (Location, String) {
    let name = match parameter.location {
        Location::Header => parameter.name.to_ascii_lowercase(),
        _ => parameter.name.clone(),
    };
    (parameter.location, name)
}

fn read_list<'t>(context: &mut Context<'t, '_>, nodes: &[Node<'t>]) -> Vec<Parameter> {
    let mut list = List::default();
    for node in nodes {
        if let Some(parameter) = read(context, node) {
            push_once(context, &mut list, parameter, node);
        }
    }
    list.all
}

/// Parameters of one list, without duplicates.
#[derive(Default)]
pub(super) struct List {
    pub(super) all: Vec<Parameter>,
    /// Indices by location and name.
    known: HashMap<(Location, String), usize>,
}

/// Adds a parameter, unless the list already contains it.
pub(super) fn push_once<'t>(
    context: &mut Context<'t, '_>,
    list: &mut List,
    parameter: Parameter,
    node: &Node<'t>,
) {
    let known = match list.known.entry(key(&parameter)) {
        Entry::Occupied(known) => &list.all[*known.get()],
        Entry::Vacant(free) => {
            free.insert(list.all.len());
            list.all.push(parameter);
            return;
        }
    };
    if known.origin == parameter.origin
        || context.is_same_but_texts(&known.origin, &parameter.origin)
    {
        let message = format!("duplicate entry of parameter `{}`", parameter.name);
        context
            .report(codes::MEANT, &node.origin(), message.clone())
            .help("remove one of the two entries");
        let description = format!("{message}: the entries are equal");
        context.propose(node, Change::Remove, description);
        return;
    }
    let place = location_name(parameter.location);
    let message = format!("duplicate {place} parameter `{}`", parameter.name);
    context.report(codes::DUPLICATE_PARAMETER, &node.origin(), message.clone());
    let description = format!("{message}: the first one is kept; compare the two");
    context.propose(node, Change::Remove, description);
}

const fn location_name(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::QueryString => "querystring",
        Location::Header => "header",
        Location::Cookie => "cookie",
    }
}

fn read<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Option<Parameter> {
    let node = context.as_kind(holder, Kind::Parameter)?;
    let name = read_name(context, &node)?;
    let location = read_location(context, &node)?;
    context.check_keys(&node, spelling::PARAMETER);
    report_optional(context, &node, location, &name);
    let style = context
        .child(&node, "style")
        .and_then(|node| read_style(context, &node));
    let style = style.unwrap_or(match location {
        Location::Query | Location::QueryString | Location::Cookie => Style::Form,
        Location::Path | Location::Header => Style::Simple,
    });
    let explode = context.flag(&node, "explode").unwrap_or(explodes(style));
    let schema = context.schema_of(&node, "schema");
    let content = media_type::read_single(context, &node);
    if let Some(schema) = schema {
        context.compare_examples(&node, schema, Notation::Text);
        if style == Style::DeepObject {
            let place = node
                .get("style")
                .map_or(node.origin(), |style| style.origin());
            context.later.deep_objects.push((schema, place));
        }
    }
    if schema.is_none() && content.is_none() {
        let message = format!("missing `schema` or `content` of parameter `{name}`");
        context.report(codes::UNTYPED_PARAMETER, &node.origin(), message);
    }
    Some(Parameter {
        origin: node.origin(),
        name,
        location,
        description: context.describe(holder, &node),
        required: location == Location::Path || context.flag(&node, "required").unwrap_or_default(),
        deprecated: context.flag(&node, "deprecated").unwrap_or_default(),
        style,
        explode,
        allow_reserved: context.flag(&node, "allowReserved").unwrap_or_default(),
        allow_empty: context.flag(&node, "allowEmptyValue").unwrap_or_default(),
        schema,
        content,
        examples: examples::of_holder(context, &node),
        reusable: context.reusable_name(holder, &node),
        extensions: context.extensions(&node),
    })
}

/// Reports a path parameter that is not declared as required.
pub(super) fn report_optional<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    location: Location,
    name: &str,
) {
    if location != Location::Path || context.flag(node, "required") == Some(true) {
        return;
    }
    let origin = match node.get("required") {
        Some(stated) => stated.origin(),
        None => node.origin(),
    };
    let message = format!("path parameter `{name}` is not `required`");
    let description = format!("{message}, and a path without it is another path");
    context.propose(node, Change::Set("required", true.into()), description);
    context
        .report(codes::MEANT, &origin, message)
        .help("write `required: true`: a path without one of its parameters is another path");
}

/// Reads `name` of a parameter.
pub(super) fn read_name<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<String> {
    let name = context.text(node, "name");
    if name.is_none() {
        context.missing(node, "the parameter", "name");
    }
    name
}

/// Reads `in` of a parameter.
fn read_location<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Location> {
    let Some(place) = context.child(node, "in") else {
        report_unplaced(context, node);
        return None;
    };
    let known = ["path", "query", "header", "cookie", "querystring"];
    let location = match context.word(&place, &known) {
        Some("path") => Some(Location::Path),
        Some("query") => Some(Location::Query),
        Some("header") => Some(Location::Header),
        Some("cookie") => Some(Location::Cookie),
        Some("querystring") => Some(Location::QueryString),
        _ => None,
    };
    if location.is_none() {
        let is_body = matches!(place.value.as_str(), Some("body" | "formData"));
        context.unknown(
            &place,
            if is_body {
                "`path`, `query`, `header` and `cookie`; since OpenAPI 3 a body is described by `requestBody`"
            } else {
                "`path`, `query`, `header` and `cookie`"
            },
        );
    }
    location
}

/// Reports a parameter without `in`. The variables of its path are known; any other parameter
/// is probably one of the query.
pub(super) fn report_unplaced<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) {
    context.missing(node, "the parameter", "in");
    let Some(name) = node.get("name").and_then(|name| name.value.as_str()) else {
        return;
    };
    let variable = format!("{{{name}}}");
    let names = node.pointer.names();
    let is_variable = match names.as_slice() {
        ["paths", path, ..] => path.contains(&variable),
        // A reusable parameter may be used by any path.
        _ => {
            let paths = context.resolver.root().get("paths");
            let keys = paths.and_then(|paths| paths.value.as_object());
            keys.is_some_and(|keys| keys.keys().any(|path| path.contains(&variable)))
        }
    };
    let is_body = context.rules.version == Version::Swagger2 && node.get("schema").is_some();
    let (place, why) = match (is_body, is_variable) {
        (true, _) => ("body", "only a body has a `schema`"),
        (_, true) => ("path", "the path has a variable of this name"),
        _ => (
            "query",
            "no path has a variable of this name, and most such parameters are of the query; check this",
        ),
    };
    let description = format!("missing `in` of parameter `{name}`: {why}");
    context.propose(node, Change::Set("in", place.into()), description);
}

/// Returns the default of `explode`.
const fn explodes(style: Style) -> bool {
    matches!(style, Style::Form | Style::Cookie)
}
