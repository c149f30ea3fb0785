//! What a server answers before or instead of a handler: `x-bothends-faults`.
//!
//! Each entry names a reusable response; one of that response's JSON examples is the body.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Fault, Faults};
use crate::model::{MediaType, Model, Response};
use crate::source::{Origin, Value};

/// Reads the extension of the root.
pub(super) fn lower(model: &Model, diagnostics: &mut Diagnostics) -> Faults {
    let mut faults = Faults::default();
    let stated = model
        .extensions
        .iter()
        .find(|(key, _)| key == "x-bothends-faults");
    let Some((_, Value::Object(entries))) = stated else {
        return faults;
    };
    for (kind, entry) in entries {
        let Some((slot, status)) = slot(&mut faults, kind) else {
            report(diagnostics, format!("`{kind}` is no kind of fault"));
            continue;
        };
        match fault(model, entry, status) {
            Ok(fault) => *slot = Some(fault),
            Err(reason) => report(diagnostics, format!("`{kind}`: {reason}")),
        }
    }
    faults
}

fn slot<'a>(faults: &'a mut Faults, kind: &str) -> Option<(&'a mut Option<Fault>, u16)> {
    Some(match kind {
        "not-found" => (&mut faults.not_found, 404),
        "method-not-allowed" => (&mut faults.method_not_allowed, 405),
        "validation" => (&mut faults.validation, 400),
        "unauthorized" => (&mut faults.unauthorized, 401),
        "forbidden" => (&mut faults.forbidden, 403),
        "not-acceptable" => (&mut faults.not_acceptable, 406),
        "unsupported-media-type" => (&mut faults.unsupported_media_type, 415),
        "too-large" => (&mut faults.too_large, 413),
        "internal" => (&mut faults.internal, 500),
        _ => return None,
    })
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
