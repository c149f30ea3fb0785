//! Identifiers, dates and times.
#![cfg(all(feature = "uuid", feature = "jiff"))]
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::HeaderMap;
use bothends_runtime::jiff::{Timestamp, civil};
use bothends_runtime::uuid::Uuid;
use bothends_runtime::{
    Base64, Bytes, Operation, RequestDecoder, RequestEncoder, newtype, object, union,
};

#[derive(Debug, Clone, PartialEq)]
struct Event {
    id: Uuid,
    at: Timestamp,
    day: Option<civil::Date>,
}
object! { Event(id: Uuid, at: Timestamp) { "id" => id, "at" => at, "day" => day? } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct EventId(Uuid);
newtype! { EventId(Uuid) display }

#[derive(Debug, Clone, PartialEq)]
enum When {
    Text(String),
    Time(Timestamp),
    Day(civil::Date),
    Id(EventId),
}
union! { When { Text, Time, Day, Id } }

const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

#[test]
fn they_are_strings_in_json() {
    let json = format!(r#"{{"id":"{ID}","at":"2026-01-02T03:04:05.6Z","day":"2026-01-02"}}"#);
    let event: Event = serde_json::from_str(&json).unwrap();
    assert_eq!(event.day, Some(civil::date(2026, 1, 2)));
    assert_eq!(serde_json::to_string(&event).unwrap(), json);
    assert!(serde_json::from_str::<Event>(&json.replace("01-02", "13-02")).is_err());
}

#[test]
fn a_union_finds_the_format() {
    let read = |text: &str| serde_json::from_str::<When>(&format!("\"{text}\"")).unwrap();
    assert!(matches!(read("2026-01-02T03:04:05Z"), When::Time(_)));
    assert!(matches!(read("2026-01-02"), When::Day(_)));
    assert!(matches!(read(ID), When::Id(_)));
    assert!(matches!(read("2026-13-02"), When::Text(_)));
}

#[derive(Debug, Clone, PartialEq)]
struct Request {
    id: EventId,
    since: Option<Timestamp>,
    days: Option<Vec<civil::Date>>,
    when: Option<When>,
    token: Option<Base64>,
}
bothends_runtime::operation! {
    "op": "GET" "/events/{id}"
    Request(id: EventId) from [EventId] {
        path "id" => id,
        query "since": Timestamp => since?,
        query[flat] "days": Vec<civil::Date> => days?,
        query "when": When => when?,
        header "X-Token": Base64 => token?,
    }
    -> Response { 204 }, Error = bothends_runtime::NoError
}

#[test]
fn they_are_parameters() {
    let request = Request {
        since: Some("2026-01-02T03:04:05Z".parse().unwrap()),
        days: Some(vec![civil::date(2026, 1, 2), civil::date(2026, 1, 3)]),
        when: Some(When::Day(civil::date(2026, 1, 4))),
        token: Some(Base64(vec![255, 254])),
        ..Request::new(EventId(ID.parse().unwrap()))
    };
    let mut encoder = RequestEncoder::new(Request::META);
    request.encode(&mut encoder);
    let sent = encoder.finish().unwrap();
    assert_eq!(sent.path, format!("/events/{ID}"));
    assert_eq!(
        sent.query,
        "since=2026-01-02T03%3A04%3A05Z&days=2026-01-02,2026-01-03&when=2026-01-04"
    );
    let mut decoder = RequestDecoder::new(
        Request::META,
        &sent.path,
        Some(&sent.query),
        &sent.headers,
        Bytes::new(),
    )
    .unwrap();
    assert_eq!(Request::decode(&mut decoder), Some(request));
    let headers = HeaderMap::new();
    let query = Some("since=yesterday&days=2026-01-02,x");
    let mut decoder =
        RequestDecoder::new(Request::META, "/events/7", query, &headers, Bytes::new()).unwrap();
    assert_eq!(Request::decode(&mut decoder), None);
    let fields: Vec<&str> = decoder
        .field_errors()
        .iter()
        .map(|fault| &*fault.field)
        .collect();
    assert_eq!(fields, ["id", "since", "days[1]"]);
}
