//! A choice of values narrowed by `const` or `enum` around it: only values that satisfy both are valid.

use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "values-around-a-choice");

echo! { Echo of api:
    put_event PutEventRequest PutEventResponse PutEventError,
    put_twins PutTwinsRequest PutTwinsResponse PutTwinsError,
}

#[test]
fn an_event_that_states_its_category_has_no_other() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(to, "/events", &[r#"{"category":"credit","id":"1"}"#]);
    let others = [r#"{"category":"contact"}"#, r#"{"category":"other"}"#];
    rejects(to, "/events", &others);
}

#[test]
fn values_satisfy_the_choice_and_what_is_around_it() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    for (name, valid, invalid) in [
        (
            "last",
            &[r#""credit""#][..],
            &[r#""contact""#, r#""other""#][..],
        ),
        ("first", &[r#""credit""#], &[r#""invoice""#, r#""other""#]),
        ("beside", &[r#""credit""#], &[r#""contact""#]),
        (
            "several",
            &[r#""invoice""#, r#""credit""#],
            &[r#""contact""#, r#""other""#],
        ),
        (
            "open",
            &[r#""invoice""#, r#""credit""#],
            &[r#""contact""#, r#""other""#],
        ),
        ("level", &["1", "2"], &["3", "4"]),
    ] {
        let body = |value: &&str| format!("{{\"{name}\":{value}}}");
        for (values, judge) in [(valid, returns as fn(_, _, &[&str])), (invalid, rejects)] {
            let bodies: Vec<String> = values.iter().map(body).collect();
            let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
            judge(to, "/twins", &bodies);
        }
    }
}

#[test]
fn a_constant_among_the_values_is_an_enum_of_one() {
    let category = api::types::TwinsLast::Credit;
    assert_eq!(category.as_str(), "credit");
    // Without a wildcard: the enum is closed.
    match category {
        api::types::TwinsLast::Credit => {}
    }
}
