//! Operations and their parts.

use super::bundle::{Bundle, component_name, reference, servers};
use super::path::put;
use super::shared::{Put as _, copy, json};
use super::{Json, Map};
use crate::model::{
    Encoding, Header, Link, Location, MediaType, Operation, Parameter, RequestBody, Response,
    StatusSpec, Style,
};
use crate::position::Origin;

impl Bundle<'_> {
    /// Returns an operation.
    pub(super) fn operation(&mut self, operation: &Operation) -> Json {
        let mut object = Map::new();
        object.put_list(
            "tags",
            operation
                .tags
                .iter()
                .map(|tag| tag.as_str().into())
                .collect(),
        );
        object.put_text("summary", operation.summary.as_ref());
        object.put_text("description", operation.description.as_ref());
        object.put_text("operationId", operation.id.as_ref());
        let (known, unknown): (Vec<_>, Vec<_>) = operation
            .parameters
            .iter()
            .partition(|it| it.location != Location::QueryString);
        let parameters = known
            .into_iter()
            .map(|it| self.shared_parameter(it))
            .collect();
        object.put_list("parameters", parameters);
        let unknown = unknown.into_iter().map(|it| self.parameter(it)).collect();
        object.put_list("x-parameters", unknown);
        // A body without content is omitted, because the types would drop the empty content.
        if let Some(body) = operation.body.as_ref().filter(|it| !it.content.is_empty()) {
            let value = self.request_body(body);
            let value = self.share("requestBodies", &body.origin, value);
            object.put("requestBody", value);
        }
        let mut responses = Map::new();
        let is_default = |it: &&Response| it.status == StatusSpec::Default;
        // The types store the default response first.
        let first = operation.responses.iter().filter(is_default);
        let others = operation.responses.iter().filter(|it| !is_default(it));
        for response in first.chain(others) {
            let key = match response.status {
                StatusSpec::Code(code) => code.to_string(),
                StatusSpec::Range(digit) => format!("{digit}XX"),
                StatusSpec::Default => "default".to_owned(),
            };
            responses.put(&key, self.shared_response(response));
        }
        object.put("responses", responses);
        object.put_map("callbacks", self.callbacks(operation));
        object.put_flag("deprecated", operation.deprecated);
        let source_node = self.source_node(&operation.origin);
        copy(source_node, &["security", "externalDocs"], &mut object);
        object.put_list("servers", servers(&operation.servers));
        object.put_extensions(&operation.extensions);
        object.into()
    }

    fn callbacks(&mut self, operation: &Operation) -> Map {
        let mut callbacks = Map::new();
        for (name, expression, answer) in &operation.callbacks {
            let value = self.operation(answer);
            let callback = callbacks
                .entry(name.clone())
                .or_insert_with(|| Map::new().into());
            let Json::Object(callback) = callback else {
                continue;
            };
            let item = callback
                .entry(expression.clone())
                .or_insert_with(|| Map::new().into());
            if let Json::Object(item) = item {
                put(item, &answer.method, value);
            }
        }
        callbacks
    }

    /// Writes a part of a section of reusable parts as a component, and returns a reference to it.
    fn share(&mut self, section: &'static str, origin: &Origin, value: Json) -> Json {
        let steps: Vec<String> = origin.pointer.segments().collect();
        let name = match steps.as_slice() {
            [components, here, name] if components == "components" && here == section => name,
            [here, name] if here == section => name,
            _ => return value,
        };
        let name = component_name(name);
        let entries = self.shared.entry(section).or_default();
        match entries.iter().find(|(known, ..)| *known == name) {
            // The same part of the same file, with the same value.
            Some((_, at, known)) if at == origin && *known == value => {}
            Some(_) => return value,
            None => entries.push((name.clone(), origin.clone(), value)),
        }
        reference(section, &name)
    }

    fn shared_parameter(&mut self, parameter: &Parameter) -> Json {
        let value = self.parameter(parameter);
        self.share("parameters", &parameter.origin, value)
    }

    fn parameter(&mut self, parameter: &Parameter) -> Json {
        let mut object = Map::new();
        object.put("name", parameter.name.as_str());
        object.put("in", location(parameter.location));
        object.put_text("description", parameter.description.as_ref());
        object.put_flag("required", parameter.required);
        object.put_flag("deprecated", parameter.deprecated);
        match style_of_3_0(parameter.style, parameter.location) {
            Some(style) => object.put("style", style),
            None => object.put("x-style", style_name(parameter.style)),
        }
        object.put("explode", parameter.explode);
        object.put_flag("allowReserved", parameter.allow_reserved);
        object.put_flag("allowEmptyValue", parameter.allow_empty);
        match (parameter.schema, &parameter.content) {
            (Some(schema), _) => object.put("schema", self.schema(schema, &parameter.origin)),
            (None, Some(content)) => object.put("content", self.one_content(content)),
            (None, None) => object.put("schema", Map::new()),
        }
        let source_node = self.source_node(&parameter.origin);
        copy(source_node, &["example"], &mut object);
        object.put_map("examples", self.examples(&parameter.origin));
        object.put_extensions(&parameter.extensions);
        object.into()
    }

    fn request_body(&mut self, body: &RequestBody) -> Json {
        let mut object = Map::new();
        object.put_text("description", body.description.as_ref());
        object.put_flag("required", body.required);
        object.put("content", self.content(&body.content));
        object.into()
    }

    /// Returns the reusable responses.
    pub(super) fn responses(&mut self) -> Map {
        let model = self.model;
        let named = model.named_responses.iter();
        named
            .map(|(name, it)| (component_name(name), self.response(it)))
            .collect()
    }

    fn shared_response(&mut self, response: &Response) -> Json {
        let model = self.model;
        let name = response.component.as_deref().unwrap_or_default();
        let shared = model
            .named_responses
            .iter()
            .find(|(known, _)| known == name);
        match shared {
            // A response of another file may have the same name.
            Some((name, shared)) if is_same(shared, response) => {
                reference("responses", &component_name(name))
            }
            _ => self.response(response),
        }
    }

    fn response(&mut self, response: &Response) -> Json {
        let mut object = Map::new();
        object.put(
            "description",
            response.description.clone().unwrap_or_default(),
        );
        object.put_map("headers", self.headers(&response.headers));
        object.put_map("content", self.content(&response.content));
        let links = response.links.iter().map(|it| (it.name.clone(), link(it)));
        object.put_map("links", links.collect());
        object.put_extensions(&response.extensions);
        object.into()
    }

    fn headers(&mut self, headers: &[Header]) -> Map {
        headers
            .iter()
            .map(|header| (header.name.clone(), self.header(header)))
            .collect()
    }

    fn header(&mut self, header: &Header) -> Json {
        let mut object = Map::new();
        object.put_text("description", header.description.as_ref());
        object.put_flag("required", header.required);
        object.put_flag("deprecated", header.deprecated);
        object.put_flag("x-explode", header.explode);
        match (header.schema, &header.content) {
            (Some(schema), _) => object.put("schema", self.schema(schema, &header.origin)),
            (None, Some(content)) => object.put("content", self.one_content(content)),
            (None, None) => object.put("schema", Map::new()),
        }
        object.into()
    }

    fn one_content(&mut self, content: &MediaType) -> Map {
        self.content(std::slice::from_ref(content))
    }

    fn content(&mut self, content: &[MediaType]) -> Map {
        content
            .iter()
            .map(|it| (it.name.clone(), self.media_type(it)))
            .collect()
    }

    fn media_type(&mut self, media_type: &MediaType) -> Json {
        let mut object = Map::new();
        if let Some(schema) = media_type.schema {
            object.put("schema", self.schema(schema, &media_type.origin));
        }
        if let Some(schema) = media_type.item_schema {
            object.put("x-itemSchema", self.schema(schema, &media_type.origin));
        }
        let mut examples = Map::new();
        // The types read an example of `null` as an absent one.
        let stated = media_type
            .examples
            .iter()
            .filter(|(_, example)| !example.is_null());
        for (name, example) in stated {
            if name.is_empty() {
                object.put("example", json(example));
            } else {
                let mut entry = Map::new();
                entry.put("value", json(example));
                examples.put(name, entry);
            }
        }
        object.put_map("examples", examples);
        let encoding = media_type.encoding.iter();
        let encoding = encoding.map(|(name, it)| (name.clone(), self.encoding(it)));
        object.put_map("encoding", encoding.collect());
        object.into()
    }

    fn encoding(&mut self, encoding: &Encoding) -> Json {
        let mut object = Map::new();
        object.put_text("contentType", encoding.content_type.as_ref());
        object.put_map("headers", self.headers(&encoding.headers));
        if let Some(style) = encoding.style {
            match style_of_3_0(style, Location::Query) {
                Some(style) => object.put("style", style),
                None => object.put("x-style", style_name(style)),
            }
        }
        match encoding.explode {
            // The types do not distinguish `false` from an absent value.
            Some(false) => object.put("x-explode", false),
            Some(true) => object.put("explode", true),
            None => {}
        }
        object.put_flag("allowReserved", encoding.allow_reserved);
        object.into()
    }
}

fn is_same(shared: &Response, used: &Response) -> bool {
    let places = |it: &Response| {
        let content = it.content.iter().map(|it| it.origin.clone());
        content
            .chain(it.headers.iter().map(|it| it.origin.clone()))
            .collect::<Vec<_>>()
    };
    shared.description == used.description && places(shared) == places(used)
}

fn link(link: &Link) -> Json {
    let mut object = Map::new();
    object.put_text("operationId", link.operation_id.as_ref());
    if link.operation_id.is_none() {
        object.put(
            "operationRef",
            link.operation_ref.clone().unwrap_or_default(),
        );
    }
    let parameters = link
        .parameters
        .iter()
        .map(|(name, value)| (name.clone(), json(value)));
    object.put_map("parameters", parameters.collect());
    object.put_text("description", link.description.as_ref());
    object.put_extensions(&link.extensions);
    object.into()
}

const fn location(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::QueryString => "querystring",
        Location::Header => "header",
        Location::Cookie => "cookie",
    }
}

const fn style_name(style: Style) -> &'static str {
    match style {
        Style::Simple => "simple",
        Style::Label => "label",
        Style::Matrix => "matrix",
        Style::Form => "form",
        Style::SpaceDelimited => "spaceDelimited",
        Style::PipeDelimited => "pipeDelimited",
        Style::DeepObject => "deepObject",
        Style::TabDelimited => "tabDelimited",
        Style::Cookie => "cookie",
    }
}

/// Returns the name of a style, if OpenAPI 3.0 has this style for the location.
const fn style_of_3_0(style: Style, place: Location) -> Option<&'static str> {
    let known = match place {
        Location::Path => matches!(style, Style::Simple | Style::Label | Style::Matrix),
        Location::Header => matches!(style, Style::Simple),
        Location::Cookie => matches!(style, Style::Form),
        Location::Query | Location::QueryString => matches!(
            style,
            Style::Form | Style::SpaceDelimited | Style::PipeDelimited | Style::DeepObject
        ),
    };
    if known { Some(style_name(style)) } else { None }
}
