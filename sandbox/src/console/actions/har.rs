//! Calls as an HTTP archive (HAR 1.2).

use super::{document, inspector, limit, project};
use crate::app::App;
use crate::console::api::operations::ExportCallsRequest;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Call;
use serde_json::{Value, json};

/// Returns calls as an HTTP archive, the earliest first.
///
/// # Errors
/// Returns an error if the project or the call does not exist.
pub async fn export(app: &App, request: &ExportCallsRequest) -> Result<types::Har, Failure> {
    let id = &request.project;
    project(app, id).await?;
    let mut calls = match &request.call {
        Some(call) => vec![document::<Call>(app, id, call, "call").await?.value],
        None => {
            let wanted = limit(request.limit_or_default());
            inspector::newest::<Call>(app, id, None, wanted, |_| true).await?
        }
    };
    calls.reverse();
    let api = app.urls.get().map_or("", |urls| urls.api.as_str());
    let entries: Vec<Value> = calls.iter().map(|call| entry(api, call)).collect();
    let log = json!({
        "version": "1.2",
        "creator": { "name": "financial-data-sandbox", "version": env!("CARGO_PKG_VERSION") },
        "entries": entries,
    });
    serde_json::from_value(json!({ "log": log })).map_err(Failure::internal)
}

fn entry(api: &str, call: &Call) -> Value {
    let milliseconds = call.microseconds as f64 / 1000.0;
    let mut request = json!({
        "method": call.method,
        "url": format!("{api}{}", call.path),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": pairs(call.request_headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))),
        "queryString": query(&call.path),
        "headersSize": -1,
        "bodySize": call.request_body.len(),
    });
    if !call.request_body.is_empty() {
        request["postData"] = json!({
            "mimeType": header(&call.request_headers, "content-type"),
            "text": call.request_body,
        });
    }
    json!({
        "startedDateTime": date(call.at),
        "time": milliseconds,
        "request": request,
        "response": {
            "status": call.status.unwrap_or(0),
            "statusText": reason(call.status),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": pairs(call.response_headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))),
            "content": {
                "size": call.response_body.len(),
                "mimeType": header(&call.response_headers, "content-type"),
                "text": call.response_body,
            },
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": call.response_body.len(),
        },
        "cache": {},
        "timings": { "send": 0, "wait": milliseconds, "receive": 0 },
        "comment": call.operation,
    })
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Value {
    let pairs = pairs.map(|(name, value)| json!({ "name": name, "value": value }));
    pairs.collect()
}

fn query(path: &str) -> Value {
    let query = path.split_once('?').map_or("", |(_, query)| query);
    let parsed = url::form_urlencoded::parse(query.as_bytes());
    parsed
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect()
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> &'a str {
    let found = headers
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map_or("", |(_, value)| value)
}

fn reason(status: Option<u16>) -> &'static str {
    let status = status.and_then(|status| http::StatusCode::from_u16(status).ok());
    status
        .and_then(|status| status.canonical_reason())
        .unwrap_or("")
}

/// Returns a time in the format of RFC 3339, in UTC.
pub(crate) fn date(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    // The civil calendar, by the day number since 0000-03-01.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    let (seconds, milliseconds) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(date(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(date(1_735_689_599_999), "2024-12-31T23:59:59.999Z");
        assert_eq!(date(-1), "1969-12-31T23:59:59.999Z");
    }
}
