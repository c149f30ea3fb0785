//! `delivery`: sending of a request, and conditions for retries.

use crate::ir::DeliveryRules;
use crate::model::Model;
use crate::source::Value;

use super::part::{Part, Reader, whole};

const KEYS: &[&str] = &[
    "method",
    "success-statuses",
    "timeout-seconds",
    "max-retries",
    "backoff",
    "retry-statuses",
    "retry-on",
];

/// The maximum delay: a week.
const LONGEST: u32 = 7 * 24 * 60 * 60;

/// Reads the part. Returns `None` if one of its three required keys is missing or invalid.
pub(super) fn read(
    reader: &mut Reader<'_>,
    part: &Part<'_>,
    model: &Model,
) -> Option<DeliveryRules> {
    reader.known(part, KEYS);
    method(reader, part, model);
    let success_statuses = statuses(reader, part, "success-statuses", true);
    let (backoff_base, backoff_cap) = backoff(reader, part);
    let retry_on = retry_on(reader, part);
    let needed = ["timeout-seconds", "max-retries", "retry-statuses"];
    let mut complete = true;
    for key in needed.into_iter().filter(|key| part.value(key).is_none()) {
        complete = false;
        reader.wrong(
            part.origin.clone(),
            format!("missing `{key}` of `delivery`"),
        );
    }
    let timeout = reader.whole(part, "timeout-seconds", 3600);
    let retries = reader.whole(part, "max-retries", 1000);
    let retry_statuses = statuses(reader, part, "retry-statuses", false);
    if !complete {
        return None;
    }
    Some(DeliveryRules {
        timeout_seconds: timeout?.into(),
        max_retries: retries?,
        retry_statuses: retry_statuses?
            .into_iter()
            .map(|(first, _)| first)
            .collect(),
        success_statuses,
        backoff_base,
        backoff_cap,
        retry_on,
    })
}

/// Checks that a declared method is the method of all webhooks.
fn method(reader: &mut Reader<'_>, part: &Part<'_>, model: &Model) {
    let Some(method) = reader.text(part, "method") else {
        return;
    };
    let other = model.webhooks.iter();
    let mut other = other.filter(|webhook| !webhook.operation.method.eq_ignore_ascii_case(&method));
    if let Some(webhook) = other.next() {
        let message = format!(
            "`method` is `{method}`, and the webhook `{}` is called with `{}`",
            webhook.name, webhook.operation.method
        );
        reader.wrong(part.origin.child("method"), message);
    }
}

/// Reads a list of statuses, with ranges such as `2XX` if permitted.
fn statuses(
    reader: &mut Reader<'_>,
    part: &Part<'_>,
    key: &str,
    ranges: bool,
) -> Option<Vec<(u16, u16)>> {
    let items = reader.list(part, key)?;
    let range_of = |item: &Value| match item {
        Value::String(text) if ranges => range(text),
        item => {
            let status = whole(item, 599).filter(|status| *status >= 100)?;
            let status = u16::try_from(status).ok()?;
            Some((status, status))
        }
    };
    let mut all = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let Some(status) = range_of(item) else {
            let origin = part.origin.child(key).item(index);
            reader.wrong(origin, format!("expected statuses in `{key}`"));
            return None;
        };
        all.push(status);
    }
    if ranges && all.is_empty() {
        reader.wrong(part.origin.child(key), format!("empty list `{key}`"));
        return None;
    }
    Some(all)
}

/// Returns the statuses of a range such as `2XX`.
fn range(text: &str) -> Option<(u16, u16)> {
    let first = text.strip_suffix("XX")?;
    let first: u16 = first.parse().ok().filter(|first| (1..=5).contains(first))?;
    Some((first * 100, first * 100 + 99))
}

fn backoff(reader: &mut Reader<'_>, part: &Part<'_>) -> (Option<u64>, Option<u64>) {
    let Some(part) = reader.part(part, "backoff") else {
        return (None, None);
    };
    reader.known(&part, &["kind", "base-seconds", "cap-seconds"]);
    reader.word(&part, "kind", &["exponential"]);
    let base = reader.whole(&part, "base-seconds", LONGEST);
    let cap = reader.whole(&part, "cap-seconds", LONGEST);
    if let (Some(base), Some(cap)) = (base, cap)
        && cap < base
    {
        let message = format!("`cap-seconds` is {cap}, which is less than `base-seconds`, {base}");
        reader.wrong(part.origin.child("cap-seconds"), message);
    }
    (base.map(u64::from), cap.map(u64::from))
}

/// Reads the retries after a timeout and after a broken connection. The default is both.
fn retry_on(reader: &mut Reader<'_>, part: &Part<'_>) -> (bool, bool) {
    const CAUSES: [&str; 2] = ["connection-timeout", "connection-broken"];
    let Some(causes) = reader.texts(part, "retry-on") else {
        return (true, true);
    };
    for (index, cause) in causes.iter().enumerate() {
        if !CAUSES.contains(&cause.as_str()) {
            let message = format!(
                "unknown value `{cause}`; expected `{}` or `{}`",
                CAUSES[0], CAUSES[1]
            );
            reader.wrong(part.origin.child("retry-on").item(index), message);
        }
    }
    let [timeout, broken] = CAUSES.map(|known| causes.iter().any(|cause| cause == known));
    (timeout, broken)
}
