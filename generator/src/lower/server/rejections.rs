//! Responses that a server sends before or in place of a handler: `x-bothends-rejections`.
//!
//! Each entry names a reusable response. One of that response's JSON examples is the body.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{FieldErrorFormat, Name, Rejection, RejectionBodies, Rejections};
use crate::model::{MediaType, Model, Response, StatusSpec};
use crate::position::Origin;
use crate::source::{Object, Value};

use crate::lower::server::{rejection_shape, validation_shape};

/// Reads the extension of the root. For missing entries, the shape of the document's errors is
/// used, if [sufficient](crate::lower::server::rejection_shape).
pub(in crate::lower) fn lower(model: &Model, diagnostics: &mut Diagnostics) -> RejectionBodies {
    let mut rejection_bodies = RejectionBodies::default();
    if let Some(entries) = stated(model) {
        for (kind, entry) in entries {
            let mut slots = slots(&mut rejection_bodies).into_iter();
            let Some(slot) = slots.find(|slot| slot.kind == kind) else {
                report(diagnostics, format!("unknown rejection `{kind}`"));
                continue;
            };
            match rejection(model, entry, (slot.status, slot.phrase)) {
                Ok(rejection) => *slot.rejection = Some(rejection),
                Err(reason) => report(diagnostics, format!("`{kind}`: {reason}")),
            }
        }
    }
    let stated = rejection_bodies.validation.is_some();
    for slot in slots(&mut rejection_bodies) {
        if slot.rejection.is_none() {
            *slot.rejection = rejection_shape::rejection(model, slot.status, slot.phrase);
        }
    }
    if !stated {
        validation_shape::find(model, &mut rejection_bodies);
    }
    rejection_bodies
}

fn stated(model: &Model) -> Option<&Object> {
    let mut extensions = model.extensions.iter();
    match extensions.find(|(key, _)| key == "x-bothends-rejections")? {
        (_, Value::Object(entries)) => Some(entries),
        _ => None,
    }
}

/// A kind of rejection.
struct Slot<'a> {
    kind: &'static str,
    /// The status and its reason phrase (RFC 9110, section 15).
    status: u16,
    phrase: &'static str,
    rejection: &'a mut Option<Rejection>,
}

fn slots(rejection_bodies: &mut RejectionBodies) -> [Slot<'_>; 10] {
    let slot = |kind, status, phrase, rejection| Slot {
        kind,
        status,
        phrase,
        rejection,
    };
    [
        slot(
            "not-found",
            404,
            "Not Found",
            &mut rejection_bodies.not_found,
        ),
        slot(
            "method-not-allowed",
            405,
            "Method Not Allowed",
            &mut rejection_bodies.method_not_allowed,
        ),
        slot(
            "validation",
            400,
            "Bad Request",
            &mut rejection_bodies.validation,
        ),
        slot(
            "unauthorized",
            401,
            "Unauthorized",
            &mut rejection_bodies.unauthorized,
        ),
        slot(
            "forbidden",
            403,
            "Forbidden",
            &mut rejection_bodies.forbidden,
        ),
        slot(
            "not-acceptable",
            406,
            "Not Acceptable",
            &mut rejection_bodies.not_acceptable,
        ),
        slot(
            "unsupported-media-type",
            415,
            "Unsupported Media Type",
            &mut rejection_bodies.unsupported_media_type,
        ),
        slot(
            "too-large",
            413,
            "Content Too Large",
            &mut rejection_bodies.too_large,
        ),
        slot(
            "internal",
            500,
            "Internal Server Error",
            &mut rejection_bodies.internal,
        ),
        slot(
            "not-implemented",
            501,
            "Not Implemented",
            &mut rejection_bodies.not_implemented,
        ),
    ]
}

/// The keys of an entry.
const KEYS: [&str; 5] = ["response", "example", "status", "message", "fields"];

fn rejection(model: &Model, entry: &Value, slot: (u16, &str)) -> Result<Rejection, String> {
    let Value::Object(entry) = entry else {
        return Err("not an object".to_owned());
    };
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let keys = KEYS.map(|key| format!("`{key}`")).join(", ");
        return Err(format!("unknown key `{key}`; keys are {keys}"));
    }
    let text = |key: &str| match entry.get(key) {
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        None => Ok(None),
        Some(_) => Err(format!("expected a string for `{key}`")),
    };
    let pointer = text("response")?.ok_or("`response` does not name a reusable response")?;
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let response = named(model, name).ok_or_else(|| format!("`{pointer}` does not exist"))?;
    let media = json(response).ok_or_else(|| format!("missing JSON body of `{pointer}`"))?;
    let body = example(media, text("example")?)
        .ok_or_else(|| format!("unknown example of `{pointer}`"))?;
    let (kind_status, phrase) = slot;
    let status = match entry.get("status").map(Value::as_integer) {
        None => status_of(model, name, Some(kind_status)).unwrap_or(kind_status),
        Some(Some(status @ 400..=599)) => u16::try_from(status).unwrap_or(kind_status),
        Some(_) => return Err("expected a number from 400 to 599 for `status`".to_owned()),
    };
    let body = match text("message")? {
        None => body.to_json(),
        Some(place) => with_message(body, place, phrase)
            .ok_or_else(|| format!("missing text at `{place}` of the example"))?,
    };
    Ok(Rejection {
        status,
        content_type: media.name.clone(),
        body,
        fields: text("fields")?.map(str::to_owned),
        fields_as: FieldErrorFormat::Map,
    })
}

/// Returns a body with the reason phrase at a JSON pointer.
fn with_message(body: &Value, pointer: &str, phrase: &str) -> Option<String> {
    let mut body = body.clone();
    let mut place = &mut body;
    for step in pointer.strip_prefix('/')?.split('/') {
        let step = step.replace("~1", "/").replace("~0", "~");
        place = match place {
            Value::Object(members) => members.get_mut(&step)?,
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    let Value::String(text) = place else {
        return None;
    };
    phrase.clone_into(text);
    Some(body.to_json())
}

/// Returns the status with which operations use a reusable response: the only one, or the wanted
/// one of several.
fn status_of(model: &Model, name: &str, wanted: Option<u16>) -> Option<u16> {
    let responses = model
        .operations
        .iter()
        .flat_map(|operation| &operation.responses);
    let mut statuses: Vec<u16> = responses
        .filter(|response| response.component.as_deref() == Some(name))
        .filter_map(|response| match response.status {
            StatusSpec::Code(code) => Some(code),
            StatusSpec::Range(_) | StatusSpec::Default => None,
        })
        .collect();
    statuses.sort_unstable();
    statuses.dedup();
    match (wanted, statuses.as_slice()) {
        (Some(wanted), statuses) if statuses.contains(&wanted) => Some(wanted),
        (_, [status]) => Some(*status),
        _ => None,
    }
}

/// Returns the responses that handlers and authenticators may name: each JSON example of a reusable
/// response with a single error status, according to the operations or else to the extension.
pub(in crate::lower) fn rejections(model: &Model) -> Vec<Rejections> {
    let rejections_of = |(name, response): &(String, Response)| {
        let media = json(response).filter(|media| !media.examples.is_empty())?;
        let status = status_of(model, name, None).or_else(|| stated_status(model, name))?;
        let bodies = media.examples.iter();
        let bodies = bodies.map(|(example, body)| (Name::new(example), body.to_json()));
        (400..=599).contains(&status).then(|| Rejections {
            name: Name::new(name),
            status,
            content_type: media.name.clone(),
            bodies: bodies.collect(),
        })
    };
    model
        .named_responses
        .iter()
        .filter_map(rejections_of)
        .collect()
}

/// Returns the status of the kind of rejection for which the extension names a response.
fn stated_status(model: &Model, name: &str) -> Option<u16> {
    let entries = stated(model)?;
    let mut rejection_bodies = RejectionBodies::default();
    let slots = slots(&mut rejection_bodies);
    let mut statuses = entries.iter().filter_map(|(kind, entry)| {
        let response = entry.get("response")?.as_str()?;
        let slot = slots.iter().find(|slot| slot.kind == kind)?;
        let is_it = response.rsplit('/').next() == Some(name) && entry.get("status").is_none();
        is_it.then_some(slot.status)
    });
    let status = statuses.next()?;
    statuses.next().is_none().then_some(status)
}

fn json(response: &Response) -> Option<&MediaType> {
    let mut content = response.content.iter();
    content.find(|media| media.name.contains("json"))
}

fn named<'a>(model: &'a Model, name: &str) -> Option<&'a Response> {
    model
        .named_responses
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, response)| response)
}

fn example<'a>(media: &'a MediaType, name: Option<&str>) -> Option<&'a Value> {
    let mut examples = media.examples.iter();
    match name {
        Some(name) => examples.find(|(known, _)| known == name),
        None => examples.next(),
    }
    .map(|(_, value)| value)
}

fn report(diagnostics: &mut Diagnostics, message: String) {
    diagnostics
        .report(
            codes::FAULT,
            &Origin::default().child("x-bothends-rejections"),
            message,
        )
        .help("the page `reference/extensions` of the guide lists the keys of `x-bothends-rejections` and their values");
}
