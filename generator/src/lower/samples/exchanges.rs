//! The examples of the parts of operations, for a generated test in which a client and a server exchange them.

use crate::dialect::{Example, Values};
use crate::ir::{Exchange, PartExample};
use crate::model::{
    Header, Location, MediaType, Model, Operation, Parameter, Response, StatusSpec, Types,
};
use crate::position::Origin;
use crate::source::Value;
use crate::vocabulary::is_json;

/// The number of examples of a part that are exchanged.
const MOST: usize = 20;

/// Returns the operations with examples, in document order.
pub(in crate::lower) fn collect(model: &Model, values: &Values) -> Vec<Exchange> {
    let all = model.operations.iter();
    let exchanges = all.map(|operation| of_operation(model, values, operation));
    exchanges
        .filter(|exchange| !exchange.request.is_empty() || !exchange.responses.is_empty())
        .collect()
}

fn of_operation(model: &Model, values: &Values, operation: &Operation) -> Exchange {
    let parameters = operation.parameters.iter().flat_map(|parameter| {
        let place = location(parameter.location)?;
        Some(of_parameter(model, values, parameter).map(move |part| (place, part)))
    });
    let mut request: Vec<_> = parameters.flatten().collect();
    let bodies = operation.body.iter().flat_map(|body| &body.content);
    request.extend(bodies.flat_map(|media| of_media(values, media).map(|part| ("body", part))));
    let mut responses = Vec::new();
    for response in &operation.responses {
        let status = status_of(response, operation);
        let parts = of_response(model, values, response);
        responses.extend(status.into_iter().flat_map(|status| {
            let parts = parts.iter().cloned();
            parts.map(move |part| (status, part))
        }));
    }
    Exchange {
        operation: operation.origin.clone(),
        request,
        responses,
    }
}

const fn location(location: Location) -> Option<&'static str> {
    match location {
        Location::Path => Some("path"),
        Location::Query => Some("query"),
        Location::Header => Some("header"),
        Location::Cookie => Some("cookie"),
        Location::QueryString => None,
    }
}

/// Returns a status of a response: of a range, one that no other response has.
fn status_of(response: &Response, operation: &Operation) -> Option<u16> {
    let mut free = match response.status {
        StatusSpec::Code(code) => return Some(code),
        StatusSpec::Range(first) => u16::from(first) * 100..u16::from(first) * 100 + 100,
        StatusSpec::Default => 500..600,
    };
    let is_listed = |code: u16| {
        let mut all = operation
            .responses
            .iter()
            .filter(|other| other.status != response.status);
        all.any(|each| match each.status {
            StatusSpec::Code(other) => other == code,
            StatusSpec::Range(first) => {
                response.status == StatusSpec::Default && u16::from(first) == code / 100
            }
            StatusSpec::Default => false,
        })
    };
    free.find(|code| !is_listed(*code))
}

/// Returns the examples of a parameter, but for texts in its style.
fn of_parameter<'v>(
    model: &'v Model,
    values: &'v Values,
    parameter: &'v Parameter,
) -> impl Iterator<Item = PartExample> + 'v {
    let own = held(values, &parameter.origin).filter(|example| is_value(model, example));
    let content = parameter.content.iter();
    let content = content.flat_map(|media| held(values, &media.origin));
    own.chain(content)
        .take(MOST)
        .map(|example| part(&parameter.name, example))
}

/// Returns the examples of a header of a response.
fn of_header<'v>(
    model: &'v Model,
    values: &'v Values,
    header: &'v Header,
) -> impl Iterator<Item = PartExample> + 'v {
    // A list or an object in another style is not written.
    let is_plain = |example: &&Example| {
        !header.explode || !matches!(example.value, Value::Array(_) | Value::Object(_))
    };
    held(values, &header.origin)
        .filter(move |example| is_plain(example) && is_value(model, example))
        .take(MOST)
        .map(|example| part(&header.name, example))
}

/// Returns the examples of a media type, or those of its schema.
fn of_media<'v>(
    values: &'v Values,
    media: &'v MediaType,
) -> impl Iterator<Item = PartExample> + 'v {
    let is_json = is_json(&media.name);
    let own: Vec<&Example> = held(values, &media.origin).collect();
    let of_schema = values.examples.iter();
    let of_schema = of_schema
        .filter(|example| example.holder.is_none() && Some(example.schema) == media.schema);
    let all = match own.is_empty() {
        true => of_schema.collect(),
        false => own,
    };
    let all = all
        .into_iter()
        .filter(move |example| is_json && !example.value.is_null());
    all.take(MOST).map(|each| part(&media.name, each))
}

fn of_response(model: &Model, values: &Values, response: &Response) -> Vec<PartExample> {
    let headers = response.headers.iter();
    let headers = headers.flat_map(|header| of_header(model, values, header));
    let bodies = response.content.iter();
    headers
        .chain(bodies.flat_map(|media| of_media(values, media)))
        .collect()
}

/// Returns the examples of a parameter, a header or a media type.
fn held<'v>(values: &'v Values, holder: &'v Origin) -> impl Iterator<Item = &'v Example> {
    let examples = values.examples.iter();
    examples
        .filter(move |example| example.holder.as_ref() == Some(holder) && !example.value.is_null())
}

/// Returns whether an example is certainly a value, and not a text in the style of a parameter.
fn is_value(model: &Model, example: &Example) -> bool {
    if !matches!(example.value, Value::String(_)) {
        return true;
    }
    let mut id = example.schema;
    // Longer chains of references are not followed.
    for _ in 0..100 {
        let Some(schema) = model.schemas.get(id.0 as usize) else {
            return false;
        };
        match schema.reference {
            Some(target) => id = target,
            None => return schema.types.without(Types::NULL) == Types::STRING,
        }
    }
    false
}

fn part(key: &str, example: &Example) -> PartExample {
    PartExample {
        key: key.to_owned(),
        origin: example.origin.clone(),
        value: example.value.to_json(),
    }
}
