//! Filters that are checked against the type of an event.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use bothends_delivery::{Filter, InvalidSubscription, Subscription};
use bothends_runtime::{Json, Map, Nullable, Unrecognized, object, string_enum};

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Order {
    pub state: State,
    pub amount: f64,
    pub lines: Vec<Line>,
    pub note: Nullable<String>,
    pub labels: Option<Map<String>>,
}
object! {
    Order(state: State, amount: f64, lines: Vec<Line>) {
        "state" => state,
        "amount" => amount,
        "lines" => lines,
        "note": String => note?,
        "labels": Map<String> => labels?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub sku: String,
    pub count: i32,
}
object! {
    Line(sku: String, count: i32) {
        "sku" => sku,
        "count" => count,
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub(crate) enum State {
    Open,
    Paid,
    Unrecognized(Unrecognized),
}
string_enum! { State, Unrecognized { Open => "open", Paid => "paid" } }

fn why(filter: Filter) -> Option<String> {
    filter
        .checked::<Order>()
        .err()
        .map(|error| error.to_string())
}

#[test]
fn conditions_are_checked_against_the_type_of_the_event() {
    let new = Filter::new;
    for filter in [
        new(),
        new().equals("/state", "paid"),
        new().one_of("/state", ["paid", "open"]),
        new().at_least("/amount", 100).equals("/amount", 1.5),
        new().less_than("/lines/3/count", 10),
        new().equals("/lines/0/sku", "a"),
        new().equals("/note", Json::Null).equals("/note", "late"),
        new().equals("/labels/any~1label", "x"),
        new().exists("/labels").is_absent("/note"),
        new().exists("/lines/0"),
        new().exists(""),
    ] {
        assert_eq!(why(filter.clone()), None, "{filter}");
    }
    let missing = "the event has no such member";
    let value = "the member never has this value";
    let number = "the member is not a number";
    for (filter, expected) in [
        (new().equals("/status", "paid"), missing),
        (new().exists("/lines/first"), missing),
        (new().exists("/lines/0/price"), missing),
        (new().exists("/state/0"), missing),
        (new().equals("/state", "payed"), value),
        (new().one_of("/state", ["paid", "payed"]), value),
        (new().equals("/state", 1), value),
        (new().equals("/amount", "100"), value),
        (new().equals("/lines/0/count", 1.5), value),
        (new().equals("/lines/0/count", i64::MAX), value),
        (new().equals("/lines", "a"), value),
        (new().equals("/amount", Json::Null), value),
        (new().at_least("/state", 1), number),
        (new().at_least("/lines", 1), number),
    ] {
        let why = why(filter.clone()).unwrap_or_default();
        assert!(why.ends_with(expected), "{filter}: {why}");
    }
}

#[test]
fn a_subscription_has_no_filter_that_cannot_hold() {
    let subscription = Subscription::builder("s").url("https://example.com/");
    let wrong = subscription.filter(Filter::new().exists("state")).build();
    let wrong = wrong.unwrap_err();
    let InvalidSubscription::Filter(filter) = &wrong else {
        panic!("{wrong}");
    };
    assert_eq!(filter.pointer(), "state");
    assert_eq!(
        wrong.to_string(),
        "the filter for `state`: not a JSON pointer: it begins with `/`, and `~` is `~0`"
    );
}
