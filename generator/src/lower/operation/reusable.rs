//! Inline types of reusable parameters, headers, bodies, responses and callbacks, and of the
//! parameters of a path. Each is named after the part that contains it, not after an operation, and
//! is the same type for all operations.

use std::collections::BTreeMap;

use crate::ir::{Api, Media, Module, Operation, Parent, Payload};
use crate::model::{self, Header, Parameter, RequestBody, Response};
use crate::position::Origin;

use crate::lower::operation::bodies::Taking;
use crate::lower::operation::{bodies, params, responses};
use crate::lower::schema::place::{Place, Whole};
use crate::lower::{At, Lowering, TypeTable};

/// The parts to lower, in the order of the sections and then of the names. If several files have
/// the same name, the order of the files decides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    section: u8,
    name: String,
    origin: Origin,
}

enum Reusable {
    Parameter(Parameter),
    Header(Header),
    Body(RequestBody),
    Response(Response),
    Callback(Box<model::Operation>),
}

/// Lowers the types of reusable parts before operations and webhooks, so that neither the names of
/// the types nor their order depends on the order of the operations.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>) {
    let mut found = BTreeMap::new();
    let webhooks = lowering
        .document
        .model
        .webhooks
        .iter()
        .map(|webhook| &webhook.operation);
    for operation in lowering.document.model.operations.iter().chain(webhooks) {
        collect(operation, &mut found);
    }
    let uncoded = lowering.pending.uncoded.len();
    for (key, reusable) in found {
        let place = Place::reusable(&key.name);
        match reusable {
            Reusable::Parameter(parameter) => {
                _ = params::lower_parameter(lowering, &parameter, &place)
            }
            Reusable::Header(header) => _ = responses::header(lowering, &header, &place, ""),
            Reusable::Body(body) => _ = bodies::request(lowering, &body, &place),
            Reusable::Response(response) => {
                _ = responses::lower_response(lowering, &response, &place, (false, Taking::Whole));
            }
            Reusable::Callback(operation) => {
                callback(lowering, &operation, &Place::callback(&key.name))
            }
        }
    }
    // These bodies are reported at their uses.
    lowering.pending.uncoded.truncate(uncoded);
}

/// Lowers the types of a reusable callback.
fn callback(lowering: &mut Lowering<'_>, operation: &model::Operation, place: &Place) {
    for parameter in &operation.parameters {
        params::lower_parameter(lowering, parameter, place);
    }
    if let Some(body) = &operation.body {
        bodies::request(lowering, body, place);
    }
    let head = operation.method == "HEAD";
    for response in &operation.responses {
        responses::lower_response(lowering, response, place, (head, Taking::Whole));
    }
}

fn collect(operation: &model::Operation, found: &mut BTreeMap<Key, Reusable>) {
    let mut add =
        |section: u8, name: Option<&String>, origin: &Origin, get: &dyn Fn() -> Reusable| {
            if let Some(name) = name {
                let (name, origin) = (name.clone(), origin.clone());
                let key = Key {
                    section,
                    name,
                    origin,
                };
                found.entry(key).or_insert_with(get);
            }
        };
    for parameter in &operation.parameters {
        let to = || Reusable::Parameter(parameter.clone());
        add(0, parameter.reusable.as_ref(), &parameter.origin, &to);
    }
    if let Some(body) = &operation.body {
        let to = || Reusable::Body(body.clone());
        add(2, body.reusable.as_ref(), &body.origin, &to);
    }
    let head = operation.method == "HEAD";
    for response in &operation.responses {
        for header in &response.headers {
            let to = || Reusable::Header(header.clone());
            add(1, header.reusable.as_ref(), &header.origin, &to);
        }
        if head || responses::is_bare(response.status) {
            continue;
        }
        // The location of a response is the reference; its parts have their own locations.
        let media = response.content.first().map(|media| &media.origin);
        if let Some(part) = media.or(response.headers.first().map(|header| &header.origin)) {
            let to = || Reusable::Response(response.clone());
            add(3, response.reusable.as_ref(), part, &to);
        }
    }
    let to = || Reusable::Callback(Box::new(operation.clone()));
    add(4, operation.reusable.as_ref(), &operation.origin, &to);
    for (_, _, operation) in &operation.callbacks {
        collect(operation, found);
    }
}

impl Place {
    /// Returns the place of the inline types in a reusable part.
    pub(in crate::lower) fn reusable(name: &str) -> Self {
        Self {
            parent: Parent::Reusable,
            module: Module::Types,
            words: name.to_owned(),
            whole: Whole::Part,
        }
    }

    /// Returns the place of the inline types in a reusable callback.
    pub(in crate::lower) fn callback(name: &str) -> Self {
        Self {
            whole: Whole::Webhook,
            ..Self::reusable(name)
        }
    }

    /// Returns the place for a part that may be reusable.
    pub(in crate::lower) fn within(&self, reusable: Option<&String>) -> Self {
        reusable.map_or_else(|| self.clone(), |name| Self::reusable(name))
    }

    /// Returns the place of a part by its words in an operation, or by its words in a reusable
    /// part, which are omitted if the name of the reusable part ends with them.
    pub(in crate::lower) fn part(&self, in_operation: &str, in_reusable: &str) -> At {
        if self.whole != Whole::Part {
            return self.at(in_operation);
        }
        let ends_with = |word: &str| self.words.to_lowercase().ends_with(word);
        let is_named = ends_with(in_reusable) || (in_reusable == "parameter" && ends_with("param"));
        self.at(if is_named { "" } else { in_reusable })
    }
}

impl TypeTable {
    /// Records that all users of a reusable body share its enum, given the same media types. In
    /// Swagger 2.0 the media types are those of the operation, and error bodies are not streamed.
    pub(in crate::lower) fn share(&mut self, origin: &Origin, payload: &mut Payload) {
        let known = self.contents.iter().position(|(at, known)| {
            let (left, right) = (known.media(), payload.media());
            let mut pairs = left.iter().zip(&right);
            at == origin
                && left.len() == right.len()
                && pairs.all(|(left, right)| same(left, right))
        });
        let Payload::Many(content, _) = payload else {
            return;
        };
        content.shared = Some(known.unwrap_or(self.contents.len()));
        if known.is_none() {
            self.contents.push((origin.clone(), payload.clone()));
        }
    }
}

/// Returns whether two media types are the same except for their rules, which only requests have.
fn same(left: &Media, right: &Media) -> bool {
    left.name == right.name
        && left.also == right.also
        && left.codec == right.codec
        && left.ty == right.ty
        && left.parts == right.parts
        && left.end == right.end
}

/// Adds the enums that any operation uses to the API, each with the rules at that use.
pub(in crate::lower) fn define_contents(api: &mut Api, contents: Vec<(Origin, Payload)>) {
    let mut used: Vec<Option<Payload>> = vec![None; contents.len()];
    let asks = |payload: &Payload| payload.media().iter().any(|media| !media.rules.is_empty());
    let mut all = api.operations.iter_mut().chain(&mut api.webhooks);
    for payload in all.by_ref().flat_map(Operation::payloads_mut) {
        if let Payload::Many(content, _) = &*payload
            && let Some(place) = content.shared.and_then(|index| used.get_mut(index))
            && place.as_ref().is_none_or(|known| !asks(known))
        {
            *place = Some(payload.clone());
        }
    }
    let mut index = 0;
    let places: Vec<usize> = (used.iter())
        .map(|payload| {
            let place = index;
            index += usize::from(payload.is_some());
            place
        })
        .collect();
    let mut all = api.operations.iter_mut().chain(&mut api.webhooks);
    for payload in all.by_ref().flat_map(Operation::payloads_mut) {
        if let Payload::Many(content, _) = payload {
            content.shared = content.shared.and_then(|index| places.get(index).copied());
        }
    }
    let origins = contents.into_iter().map(|(origin, _)| origin);
    let found = origins.zip(used);
    api.contents = found
        .filter_map(|(at, payload)| Some((at, payload?)))
        .collect();
}
