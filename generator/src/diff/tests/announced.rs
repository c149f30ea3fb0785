//! `x-sunset` of operations, parameters and properties, and the days that the configuration requires.

use serde_json::{Value, json};

use super::super::rules::{Audience, Level, Raw};
use super::super::{Change, Options, Stability};
use super::report;
use super::table::document;

/// A document with an operation that has a parameter and a response with a property.
fn operation(keys: &Value, param: &Value, property: &Value) -> Value {
    let mut operation = json!({
        "operationId": "get",
        "parameters": [{ "name": "p", "in": "query", "required": true, "schema": { "type": "string" } }],
        "responses": { "200": { "description": "Done.", "content": { "application/json": { "schema": {
            "$ref": "#/components/schemas/Thing",
        } } } } },
    });
    let mut thing = json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
    });
    let merge = |into: &mut Value, keys: &Value| {
        for (key, value) in keys.as_object().expect("keys") {
            into[key] = value.clone();
        }
    };
    merge(&mut operation, keys);
    match param.is_null() {
        true => operation["parameters"] = json!([]),
        false => merge(&mut operation["parameters"][0], param),
    }
    match property.is_null() {
        true => thing = json!({ "type": "object", "properties": { "b": { "type": "string" } } }),
        false => merge(&mut thing["properties"]["a"], property),
    }
    document(&json!({
        "paths": { "/a": { "get": operation } },
        "components": { "schemas": { "Thing": thing } },
    }))
}

fn changes(old: &Value, new: &Value, days: &[(Stability, u32)]) -> Vec<Change> {
    let options = Options {
        today: "2026-01-01".parse().ok(),
        deprecation_days: days.iter().copied().collect(),
        ..Options::default()
    };
    report(old, new, &options).changes
}

/// Returns the levels on the wire of the change with a difference.
fn wire(changes: &[Change], raw: Raw) -> Option<[Level; 2]> {
    let found = |change: &&Change| change.rules[0].raw == raw;
    let change = changes.iter().find(found)?;
    let wire = [Audience::WireClients, Audience::WireServers];
    Some(wire.map(|audience| change.outcome(audience).level))
}

#[test]
fn parameters_and_properties_may_be_removed_after_their_day() {
    let none = json!({});
    for (mark, expected) in [
        (json!({}), Level::Breaking),
        (json!({ "deprecated": true }), Level::Breaking),
        (json!({ "x-sunset": "2025-12-31" }), Level::Breaking),
        (
            json!({ "deprecated": true, "x-sunset": "2025-12-31" }),
            Level::Safe,
        ),
        (
            json!({ "deprecated": true, "x-sunset": "2025-12-31T10:00:00Z" }),
            Level::Safe,
        ),
        (
            json!({ "deprecated": true, "x-sunset": "2026-01-01" }),
            Level::Breaking,
        ),
        (
            json!({ "deprecated": true, "x-sunset": "2025-02-30" }),
            Level::Breaking,
        ),
    ] {
        let with = operation(&none, &mark, &none);
        let found = changes(&with, &operation(&none, &Value::Null, &none), &[]);
        let levels = wire(&found, Raw::RequiredParamRemoved);
        assert_eq!(levels, Some([Level::Safe, expected]), "{mark}");
        let with = operation(&none, &none, &mark);
        let found = changes(&with, &operation(&none, &none, &Value::Null), &[]);
        let levels = wire(&found, Raw::RequiredPropertyRemoved);
        assert_eq!(levels, Some([expected, Level::Safe]), "{mark}");
        // The crate changes as much.
        let callers = found
            .iter()
            .map(|change| change.outcome(Audience::RustCallers).level);
        assert_eq!(callers.max(), Some(Level::Breaking));
    }
}

#[test]
fn the_configuration_requires_days_by_level() {
    let days = [(Stability::Beta, 30), (Stability::Stable, 180)];
    let none = json!({});
    let marked = |level: &str, mark: &Value, place: usize| {
        let mut keys = json!({ "x-stability-level": level });
        let marked = mark.as_object().expect("keys").clone();
        if place == 0 {
            keys.as_object_mut().expect("keys").extend(marked);
        }
        let mark = |at: usize| if place == at { mark } else { &none };
        operation(&keys, mark(1), mark(2))
    };
    // 30 and 180 days after the day of the comparison are 2026-01-31 and 2026-06-30.
    for (level, sunset, expected) in [
        ("alpha", None, None),
        ("alpha", Some("2026-01-02"), None),
        ("beta", None, Some(Raw::SunsetMissing)),
        ("beta", Some("2026-01-30"), Some(Raw::SunsetTooEarly)),
        ("beta", Some("2026-01-31"), None),
        ("stable", Some("2026-01-31"), Some(Raw::SunsetTooEarly)),
        ("stable", Some("soon"), Some(Raw::SunsetMissing)),
        ("stable", Some("2026-02-30"), Some(Raw::SunsetTooEarly)),
        ("stable", Some("2026-06-30"), None),
    ] {
        let mut mark = json!({ "deprecated": true });
        if let Some(sunset) = sunset {
            mark["x-sunset"] = json!(sunset);
        }
        for place in 0..3 {
            let (old, new) = (marked(level, &none, place), marked(level, &mark, place));
            for raw in [Raw::SunsetMissing, Raw::SunsetTooEarly] {
                let levels = (Some(raw) == expected).then_some([Level::Breaking, Level::Safe]);
                let found = changes(&old, &new, &days);
                assert_eq!(wire(&found, raw), levels, "{level} {mark} {place}");
                assert_eq!(wire(&changes(&old, &new, &[]), raw), None);
            }
        }
    }
}

#[test]
fn an_earlier_day_keeps_the_required_days() {
    let none = json!({});
    let with_sunset = |sunset: &str| {
        let keys = json!({ "deprecated": true, "x-sunset": sunset });
        operation(&keys, &none, &none)
    };
    let days = [(Stability::Stable, 180)];
    for (to, days, expected) in [
        ("2027-01-01", &[][..], Level::Breaking),
        ("2027-01-01", &days[..], Level::Safe),
        ("2026-06-29", &days[..], Level::Breaking),
    ] {
        let found = changes(&with_sunset("2028-01-01"), &with_sunset(to), days);
        let levels = wire(&found, Raw::SunsetEarlier);
        assert_eq!(levels, Some([expected, Level::Safe]), "{to}");
        assert_eq!(found.len(), 1);
    }
}
