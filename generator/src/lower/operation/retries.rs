//! Retries and idempotency of operations: `x-speakeasy-retries`, `x-fern-retries`,
//! `x-fern-idempotent`, and the header of an idempotency key.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{Operation, Place, Retries, Rule};
use crate::model::{self, Extensions, Location, Types};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::schema::{pattern, presence};
use crate::lower::{Document, Lowered};

const SPEAKEASY: &str = "x-speakeasy-retries";
const FERN: &str = "x-fern-retries";
const IDEMPOTENT: &str = "x-fern-idempotent";
const HEADERS: &str = "x-fern-idempotency-headers";

/// The header of draft-ietf-httpapi-idempotency-key-header.
const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// A key that a client may create.
const KEY: &str = "3c1f0a2e-9b4d-4c55-8a77-5d0f3e2b1c96";

/// What the root of a document states for its operations.
pub(in crate::lower) struct Stated {
    speakeasy: Option<Retries>,
    fern: Option<bool>,
    /// The header for the key of operations that are declared as idempotent.
    header: Option<String>,
}

impl Stated {
    /// Reads the root of a document.
    pub(in crate::lower) fn at_root(document: &mut Document<'_>) -> Self {
        let extensions = &document.model.extensions;
        let header = get(extensions, HEADERS).and_then(|headers| {
            let first = headers.as_array()?.first()?;
            first.get("header")?.as_str().map(str::to_owned)
        });
        Self {
            header,
            ..Self::new(extensions, &Origin::default(), document.diagnostics)
        }
    }

    fn new(extensions: &Extensions, origin: &Origin, diagnostics: &mut Diagnostics) -> Self {
        let mut report = |key: &str, inner: &[&str], message: &str| {
            let origin = inner
                .iter()
                .fold(origin.child(key), |at, key| at.child(key));
            diagnostics.report(codes::RETRIES, &origin, message);
        };
        let speakeasy = get(extensions, SPEAKEASY);
        let speakeasy = speakeasy
            .and_then(|value| read(value, |inner, message| report(SPEAKEASY, inner, message)));
        let fern = get(extensions, FERN).and_then(|value| {
            let disabled = match value {
                Value::Bool(enabled) => Some(!enabled),
                value => value.get("disabled").and_then(Value::as_bool),
            };
            if disabled.is_none() {
                report(FERN, &[], "missing boolean `disabled` of `x-fern-retries`");
            }
            disabled
        });
        Self {
            speakeasy,
            fern,
            header: None,
        }
    }

    /// Adds what the document states to an operation.
    pub(in crate::lower) fn lower(
        &self,
        document: &mut Document<'_>,
        stated: &model::Operation,
        lowered: &mut Operation,
    ) {
        let own = Self::new(&stated.extensions, &stated.origin, document.diagnostics);
        let fern = own.fern.or(self.fern);
        let is_idempotent = get(&stated.extensions, IDEMPOTENT) == Some(&Value::Bool(true));
        let retries = own.speakeasy.or_else(|| self.speakeasy.clone());
        if retries.is_some() || fern.is_some() || is_idempotent {
            let mut retries = retries.unwrap_or_default();
            retries.disabled |= fern.unwrap_or_default();
            retries.idempotent = is_idempotent;
            lowered.retries = Some(retries);
        }
        let header = self.header.as_deref().filter(|_| is_idempotent);
        let name = |parameter: &&model::Parameter| {
            parameter.location == Location::Header
                && [IDEMPOTENCY_KEY, header.unwrap_or(IDEMPOTENCY_KEY)]
                    .iter()
                    .any(|known| parameter.name.eq_ignore_ascii_case(known))
        };
        match stated.parameters.iter().find(name) {
            Some(parameter) => fill(document, parameter, lowered),
            None => lowered.idempotency_key = header.map(str::to_owned),
        }
    }
}

fn get<'e>(extensions: &'e Extensions, key: &str) -> Option<&'e Value> {
    let mut extensions = extensions.iter();
    let (_, value) = extensions.find(|(known, _)| known == key)?;
    Some(value)
}

/// Reads `x-speakeasy-retries`. Parts that cannot be read are reported with their keys, and left out.
fn read(value: &Value, mut report: impl FnMut(&[&str], &str)) -> Option<Retries> {
    match value.get("strategy").and_then(Value::as_str) {
        Some("backoff") => {}
        Some("none") => {
            return Some(Retries {
                disabled: true,
                ..Retries::default()
            });
        }
        _ => {
            report(&[], "`strategy` is neither `backoff` nor `none`");
            return None;
        }
    }
    let mut millis = |key: &str| {
        let value = value.get("backoff")?.get(key)?;
        let millis = value.as_integer().and_then(|it| u64::try_from(it).ok());
        if millis.is_none() {
            report(&["backoff", key], "expected a number of milliseconds");
        }
        millis
    };
    let [initial_delay, max_delay, max_elapsed] =
        ["initialInterval", "maxInterval", "maxElapsedTime"].map(&mut millis);
    let factor = value.get("backoff").and_then(|it| it.get("exponent"));
    let factor = factor.and_then(|value| {
        let factor = value.as_number().map(|number| number.as_f64());
        let factor = factor.filter(|factor| (1.0..=1000.0).contains(factor));
        if factor.is_none() {
            report(&["backoff", "exponent"], "expected a number from 1 to 1000");
        }
        factor
    });
    let statuses = value.get("statusCodes").and_then(|stated| {
        let statuses = stated
            .as_array()
            .and_then(|all| all.iter().map(range).collect::<Option<Vec<_>>>());
        if statuses.is_none() {
            report(
                &["statusCodes"],
                "expected a list of statuses such as `429` and `5XX`",
            );
        }
        statuses
    });
    Some(Retries {
        statuses,
        only_responses: value.get("retryConnectionErrors") != Some(&Value::Bool(true)),
        initial_delay,
        max_delay,
        factor,
        max_elapsed,
        ..Retries::default()
    })
}

/// Returns the first and the last status of `429` or `5XX`.
fn range(value: &Value) -> Option<(u16, u16)> {
    let text = value.scalar_text()?;
    let first = text
        .strip_suffix("XX")
        .or_else(|| text.strip_suffix("xx"))
        .and_then(|digit| digit.parse::<u16>().ok())
        .filter(|digit| (1..=5).contains(digit));
    match first {
        Some(digit) => Some((digit * 100, digit * 100 + 99)),
        None => {
            let status = text.parse().ok()?;
            (100..=599).contains(&status).then_some((status, status))
        }
    }
}

/// Lets clients create the value of a header if its schema accepts a UUID. A required header is then
/// optional in Rust, and servers check that it is present.
fn fill(document: &mut Document<'_>, parameter: &model::Parameter, lowered: &mut Operation) {
    let Some(id) = parameter.schema else {
        return;
    };
    let schema = document.schema(id);
    let (types, format) = (schema.types, schema.format.as_deref());
    let is_text =
        types.without(Types::NULL) == Types::STRING && matches!(format, None | Some("uuid"));
    let is_free = schema.enumeration.is_none() && schema.constant.is_none();
    let limits = &schema.constraints;
    let fits = limits
        .min_length
        .is_none_or(|least| least <= KEY.len() as u64)
        && limits
            .max_length
            .is_none_or(|most| most >= KEY.len() as u64)
        && limits.pattern.iter().all(|pattern| matches_key(pattern));
    let param = lowered
        .params
        .iter_mut()
        .find(|param| param.place == Place::Header && param.name.wire == parameter.name);
    let Some(param) = param.filter(|_| is_text && is_free && fits) else {
        return;
    };
    lowered.idempotency_key = Some(parameter.name.clone());
    let note = "A client creates a key, one for each call, if none is set.";
    param.doc.notes.push(note.to_owned());
    if !param.optional {
        param.optional = true;
        param.rules.insert(0, Rule::Required);
        let present = Lowered {
            ty: param.ty.clone(),
            nullable: false,
        };
        param.ty = presence::field_type(present, false);
    }
}

/// Returns whether a pattern of the document matches the keys that clients create.
fn matches_key(stated: &str) -> bool {
    let Ok(translated) = pattern::translate(stated) else {
        return false;
    };
    translated.is_none_or(|pattern| {
        regex::Regex::new(&pattern).is_ok_and(|pattern| pattern.is_match(KEY))
    })
}
