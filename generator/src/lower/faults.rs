//! What a server answers before or instead of a handler: `x-bothends-faults`.
//!
//! Each entry names a reusable response; one of that response's JSON examples is the body.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Fault, Faults};
use crate::model::{MediaType, Model, Response};
use crate::source::{Origin, Value};

use super::fault_shape;

/// Reads the extension of the root; what it does not say is taken from the shape of the document's
/// errors, where that [says enough](super::fault_shape).
pub(super) fn lower(model: &Model, diagnostics: &mut Diagnostics) -> Faults {
    let mut faults = Faults::default();
    let stated = model
        .extensions
        .iter()
        .find(|(key, _)| key == "x-bothends-faults");
    if let Some((_, Value::Object(entries))) = stated {
        for (kind, entry) in entries {
            let mut slots = slots(&mut faults).into_iter();
            let Some(slot) = slots.find(|slot| slot.kind == kind) else {
                report(diagnostics, format!("`{kind}` is no kind of fault"));
                continue;
            };
            match fault(model, entry, slot.status) {
                Ok(fault) => *slot.fault = Some(fault),
                Err(reason) => report(diagnostics, format!("`{kind}`: {reason}")),
            }
        }
    }
    for slot in slots(&mut faults) {
        if slot.fault.is_none() {
            *slot.fault = fault_shape::fault(model, slot.status, slot.phrase);
        }
    }
    faults
}

/// A kind of fault.
struct Slot<'a> {
    kind: &'static str,
    /// Its status and reason phrase (RFC 9110, section 15).
    status: u16,
    phrase: &'static str,
    fault: &'a mut Option<Fault>,
}

fn slots(faults: &mut Faults) -> [Slot<'_>; 9] {
    let slot = |kind, status, phrase, fault| Slot {
        kind,
        status,
        phrase,
        fault,
    };
    [
        slot("not-found", 404, "Not Found", &mut faults.not_found),
        slot(
            "method-not-allowed",
            405,
            "Method Not Allowed",
            &mut faults.method_not_allowed,
        ),
        slot("validation", 400, "Bad Request", &mut faults.validation),
        slot(
            "unauthorized",
            401,
            "Unauthorized",
            &mut faults.unauthorized,
        ),
        slot("forbidden", 403, "Forbidden", &mut faults.forbidden),
        slot(
            "not-acceptable",
            406,
            "Not Acceptable",
            &mut faults.not_acceptable,
        ),
        slot(
            "unsupported-media-type",
            415,
            "Unsupported Media Type",
            &mut faults.unsupported_media_type,
        ),
        slot("too-large", 413, "Content Too Large", &mut faults.too_large),
        slot(
            "internal",
            500,
            "Internal Server Error",
            &mut faults.internal,
        ),
    ]
}

fn fault(model: &Model, entry: &Value, status: u16) -> Result<Fault, String> {
    let Value::Object(entry) = entry else {
        return Err("not an object".to_owned());
    };
    let text = |key: &str| match entry.get(key) {
        Some(Value::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let pointer = text("response").ok_or("`response` does not name a reusable response")?;
    let name = pointer.rsplit('/').next().unwrap_or_default();
    let response = named(model, name).ok_or_else(|| format!("`{pointer}` is not there"))?;
    let media = response
        .content
        .iter()
        .find(|media| media.name.contains("json"));
    let media = media.ok_or_else(|| format!("`{pointer}` has no JSON body"))?;
    let body = example(media, text("example"))
        .ok_or_else(|| format!("`{pointer}` has no such example"))?;
    Ok(Fault {
        status,
        content_type: media.name.clone(),
        body: body.to_json(),
        fields: text("fields").map(str::to_owned),
    })
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
            &Origin::default().child("x-bothends-faults"),
            message,
        )
        .help("docs/extensions.md tells what `x-bothends-faults` holds");
}
