//! Bodies of Swagger 2.0: a schema with `consumes` and `produces`.

use super::super::compared::{ComparedExample, Notation};
use super::super::context::Context;
use super::super::table::Form;
use super::inline::{inline_schema, read_collection_format};
use crate::model::{Encoding, MediaType, RequestBody, Schema, SchemaId, Types};
use crate::position::Origin;
use crate::resolve::Node;
use crate::vocabulary::{STREAM, STREAM_END, is_json};

const JSON: &str = "application/json";
const MULTIPART: &str = "multipart/form-data";
const URLENCODED: &str = "application/x-www-form-urlencoded";
const BYTES: &str = "application/octet-stream";

/// Reads `consumes` or `produces` of the operation, or else of the document.
fn media_types<'t>(context: &mut Context<'t, '_>, operation: &Node<'t>, key: &str) -> Vec<String> {
    let root = context.resolver.root();
    for holder in [operation, &root] {
        let items: Vec<_> = context.items(holder, key).collect();
        let named = items
            .into_iter()
            .filter_map(|item| Some((context.as_text(&item)?, item)));
        let named: Vec<(String, Node<'t>)> = named.collect();
        if !named.is_empty() {
            named
                .iter()
                .for_each(|(name, item)| context.report_media_type(item, name));
            return named.into_iter().map(|(name, _)| name).collect();
        }
    }
    Vec::new()
}

fn media_type(name: &str, origin: &Origin, schema: Option<SchemaId>) -> MediaType {
    MediaType {
        origin: origin.clone(),
        name: name.to_owned(),
        schema,
        item_schema: None,
        encoding: vec![],
        examples: vec![],
        extensions: vec![],
    }
}

/// Reads the `in: body` parameter.
pub(super) fn read_body<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
    node: &Node<'t>,
) -> RequestBody {
    let schema = context.schema_of(node, "schema");
    let mut names = media_types(context, operation, "consumes");
    if names.is_empty() {
        names.push(JSON.to_owned());
    }
    let origin = node.origin();
    RequestBody {
        description: context.text(node, "description"),
        required: context.flag(node, "required").unwrap_or_default(),
        content: names
            .iter()
            .map(|name| media_type(name, &origin, schema))
            .collect(),
        reusable: None,
        origin,
    }
}

/// Returns an object with the `in: formData` parameters as properties.
pub(super) fn read_form<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
    fields: &[(String, Node<'t>)],
) -> RequestBody {
    let origin = operation.origin().child("parameters");
    let mut form = Schema {
        origin: origin.clone(),
        types: Types::OBJECT,
        ..Schema::default()
    };
    let mut encoding = Vec::new();
    let mut has_file = false;
    for (name, node) in fields {
        has_file |= node.value.get("type").and_then(|kind| kind.as_str()) == Some("file");
        if context.flag(node, "required").unwrap_or_default() {
            form.required.push(name.clone());
        }
        let schema = match inline_schema(context, node, Form::Field) {
            Some(schema) => schema,
            None => context.schemas.add(Schema {
                origin: node.origin(),
                ..Schema::default()
            }),
        };
        form.properties.push((name.clone(), schema));
        if let Some((style, explode)) = read_collection_format(context, node) {
            let style = Some(style);
            let explode = Some(explode);
            let field = Encoding {
                content_type: None,
                whole: false,
                headers: vec![],
                style,
                explode,
                allow_reserved: false,
            };
            encoding.push((name.clone(), field));
        }
    }
    let required = !form.required.is_empty();
    let schema = context.schemas.add(form);
    let content = form_types(context, operation, has_file)
        .iter()
        .map(|name| {
            let encoding = encoding.clone();
            MediaType {
                encoding,
                ..media_type(name, &origin, Some(schema))
            }
        })
        .collect();
    RequestBody {
        origin,
        description: None,
        required,
        content,
        reusable: None,
    }
}

/// Returns the media types of a form.
fn form_types<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
    has_file: bool,
) -> Vec<String> {
    if has_file {
        return vec![MULTIPART.to_owned()];
    }
    let mut names = media_types(context, operation, "consumes");
    names.retain(|name| name == MULTIPART || name == URLENCODED);
    if names.is_empty() {
        names.push(URLENCODED.to_owned());
    }
    names
}

/// Reads the `schema` of a response, for each media type that the operation produces.
pub(in super::super) fn read_response_content<'t>(
    context: &mut Context<'t, '_>,
    response: &Node<'t>,
    operation: &Node<'t>,
) -> Vec<MediaType> {
    let Some(node) = response.get("schema").filter(|node| !node.value.is_null()) else {
        return vec![];
    };
    let schema = context.schema(&node);
    let is_file = node.value.get("type").and_then(|kind| kind.as_str()) == Some("file");
    let mut names = if is_file {
        // The `produces` of the whole document rarely applies to its few files.
        context.texts(operation, "produces")
    } else {
        media_types(context, operation, "produces")
    };
    if names.is_empty() {
        names.push(if is_file { BYTES } else { JSON }.to_owned());
    }
    let examples = context.object(response, "examples");
    names
        .iter()
        .map(|name| {
            let mut media_type = media_type(name, &node.origin(), Some(schema));
            // Swagger 2.0 has no object for a media type, where these extensions are otherwise.
            let streams = context.extensions(response).into_iter();
            let streams = streams.filter(|(key, _)| [STREAM, STREAM_END].contains(&key.as_str()));
            media_type.extensions.extend(streams);
            let example = examples.as_ref().and_then(|examples| examples.get(name));
            if let Some(node) = example.clone().filter(|_| is_json(name)) {
                context.later.examples.push(ComparedExample {
                    schema,
                    node,
                    notation: Notation::Json,
                    holder: Some(media_type.origin.clone()),
                });
            }
            media_type.examples = example
                .map(|it| (String::new(), it.value.clone()))
                .into_iter()
                .collect();
            media_type
        })
        .collect()
}
