//! Parameters.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::codes;
use crate::ir::{Doc, Name, Param, Place as In, Primitive, StyleWord, TypeRef};
use crate::model::{Location, MediaType, Operation, Parameter, Style};
use crate::vocabulary::essence;

use crate::lower::operation::paths;
use crate::lower::schema::place::Place;
use crate::lower::schema::presence;
use crate::lower::{Lowered, Lowering, schema};

/// Headers that HTTP itself defines. OpenAPI requires parameters of these names to be ignored.
const IGNORED_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];

/// Returns the parameters of an operation: those of the path first, in the order of the template.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    operation: &Operation,
    place: &Place,
) -> Vec<Param> {
    let variables = paths::variables(&operation.path);
    let order = variables.iter().enumerate();
    let order: HashMap<&str, usize> = order.map(|(index, name)| (name.as_str(), index)).collect();
    let mut path: Vec<(usize, Param)> = Vec::new();
    let mut rest = Vec::new();
    for parameter in &operation.parameters {
        if parameter.location == Location::Header
            && IGNORED_HEADERS.contains(&parameter.name.to_ascii_lowercase().as_str())
        {
            report_ignored_header(lowering, parameter);
            continue;
        }
        if parameter.location == Location::Path {
            match order.get(parameter.name.as_str()) {
                Some(index) => path.push((*index, lower_parameter(lowering, parameter, place))),
                None => report_unused(lowering, parameter, &operation.path),
            }
        } else {
            rest.push(lower_parameter(lowering, parameter, place));
        }
    }
    let declared: HashSet<usize> = path.iter().map(|(index, _)| *index).collect();
    for (index, name) in variables.iter().enumerate() {
        if !declared.contains(&index) {
            report_undeclared(lowering, operation, name);
            path.push((index, undeclared(operation, name)));
        }
    }
    path.sort_by_key(|(index, _)| *index);
    path.into_iter()
        .map(|(_, param)| param)
        .chain(rest)
        .collect()
}

pub(in crate::lower) fn lower_parameter(
    lowering: &mut Lowering<'_>,
    parameter: &Parameter,
    place: &Place,
) -> Param {
    let content = parameter.content.as_ref();
    let schema = parameter
        .schema
        .or_else(|| content.and_then(|content| content.schema));
    let place = place.within(parameter.reusable.as_ref());
    let at = place.part(&parameter.name, "parameter");
    let lowered = match schema {
        Some(id) => lowering.lower(id, &at),
        None => Lowered {
            ty: TypeRef::Primitive(Primitive::String),
            nullable: false,
        },
    };
    let mut doc = Doc {
        text: parameter
            .description
            .clone()
            .filter(|text| !text.trim().is_empty()),
        deprecated: parameter.deprecated,
        sunset: crate::lower::schema::sunset::day_of(&parameter.extensions),
        ..Doc::default()
    };
    let default = schema.and_then(|id| lowering.document.schema(id).default.clone());
    if let Some(default) = default {
        doc.notes.push(format!("Default: `{}`", default.to_json()));
        if !parameter.required {
            let origin = parameter.origin.clone();
            lowering.pending.parameter_defaults.insert(origin, default);
        }
    }
    doc.examples.clone_from(&parameter.examples);
    if let Some(id) =
        schema.filter(|id| doc.examples.is_empty() && !lowering.document.is_named(*id))
    {
        doc.examples
            .clone_from(&lowering.document.schema(id).examples);
    }
    let wanted = schema
        .filter(|id| !lowering.document.is_named(*id))
        .and_then(|id| schema::wanted_name(lowering.document.schema(id)));
    let rules = schema
        .map(|id| lowering.document.rules(id))
        .unwrap_or_default();
    let mut style = style(parameter);
    // An empty text is a valid text.
    let has_empty = lowered.ty == TypeRef::Primitive(Primitive::String);
    if parameter.allow_empty && parameter.location == Location::Query && !has_empty {
        style.push(StyleWord::Empty);
    }
    // Parameters cannot express null: null and absent are the same.
    let lowered = Lowered {
        nullable: false,
        ..lowered
    };
    Param {
        origin: parameter.origin.clone(),
        name: Name {
            wanted,
            ..Name::new(parameter.name.clone())
        },
        place: place_of(parameter.location),
        style,
        ty: presence::field_type(lowered, parameter.required),
        optional: !parameter.required,
        required: parameter.required,
        default: None,
        doc,
        rules,
    }
}

fn place_of(location: Location) -> In {
    match location {
        Location::Path => In::Path,
        Location::Query => In::Query,
        Location::QueryString => In::QueryString,
        Location::Header => In::Header,
        Location::Cookie => In::Cookie,
    }
}

/// Returns the style words of a parameter that differ from the default of its location (OpenAPI
/// 3.1, 4.8.12.2: `simple` in path and header, `form` in query and cookie).
fn style(parameter: &Parameter) -> Vec<StyleWord> {
    let mut words = Vec::new();
    if let Some(content) = &parameter.content {
        // The whole query is a form by definition.
        let form = content
            .name
            .eq_ignore_ascii_case("application/x-www-form-urlencoded");
        if parameter.location != Location::QueryString || !form {
            words.extend(content_style(content));
        }
    } else {
        let form = matches!(parameter.location, Location::Query | Location::Cookie);
        match (parameter.style, parameter.explode) {
            (Style::Label, _) => words.push(StyleWord::Label),
            (Style::Matrix, _) => words.push(StyleWord::Matrix),
            (Style::SpaceDelimited, false) => words.push(StyleWord::Space),
            (Style::PipeDelimited, false) => words.push(StyleWord::Pipe),
            (Style::TabDelimited, _) => words.push(StyleWord::Tab),
            (Style::DeepObject, _) => words.push(StyleWord::Deep),
            (Style::Cookie, _) => words.push(StyleWord::Cookie),
            // With `explode`, the delimited styles are the same as `form`.
            (Style::Simple | Style::Form, _)
            | (Style::SpaceDelimited | Style::PipeDelimited, true) => {}
        }
        let has_own_layout = matches!(
            parameter.style,
            Style::SpaceDelimited | Style::PipeDelimited | Style::TabDelimited | Style::DeepObject
        );
        match (form, parameter.explode) {
            (true, false) if !has_own_layout => words.push(StyleWord::Flat),
            (false, true) => words.push(StyleWord::Explode),
            _ => {}
        }
    }
    if parameter.allow_reserved {
        words.push(StyleWord::Reserved);
    }
    words
}

/// Returns the style of a value with a media type: JSON for JSON media types, and plain otherwise.
pub(in crate::lower) fn content_style(content: &MediaType) -> Option<StyleWord> {
    let plain = essence(&content.name).starts_with("text/");
    (!plain).then_some(StyleWord::Json)
}

fn undeclared(operation: &Operation, name: &str) -> Param {
    Param {
        origin: operation.origin.clone(),
        name: Name::new(name),
        place: In::Path,
        style: Vec::new(),
        ty: TypeRef::Primitive(Primitive::String),
        optional: false,
        required: true,
        default: None,
        doc: Doc::default(),
        rules: Vec::new(),
    }
}

fn report_undeclared(lowering: &mut Lowering<'_>, operation: &Operation, name: &str) {
    lowering
        .document
        .diagnostics
        .report(
            codes::UNDECLARED_VARIABLE,
            &operation.origin,
            format!("undeclared path variable `{{{name}}}`; it is a string"),
        )
        .help(format!("add a parameter `{name}` with `in: path`"));
}

/// Reports a header parameter that OpenAPI says is ignored.
fn report_ignored_header(lowering: &mut Lowering<'_>, parameter: &Parameter) {
    let name = &parameter.name;
    let help = match name.to_ascii_lowercase().as_str() {
        "authorization" => "describe the credentials by a security scheme",
        "accept" => "list the media types of the responses under `content`",
        _ => "list the media types of the body under `content`",
    };
    lowering
        .document
        .diagnostics
        .report(
            codes::RESERVED_HEADER,
            &parameter.origin,
            format!("header parameter `{name}` is ignored, as the specification requires"),
        )
        .help(help);
}

fn report_unused(lowering: &mut Lowering<'_>, parameter: &Parameter, path: &str) {
    lowering
        .document
        .diagnostics
        .report(
            codes::UNUSED_PATH_PARAMETER,
            &parameter.origin,
            format!(
                "path parameter `{}` is not in `{path}`; it is left out",
                parameter.name
            ),
        )
        .help("add the variable to the path, or remove the parameter");
}
