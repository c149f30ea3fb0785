//! Enums beside any string, and enums as a choice of constants with titles.

use api::types::{Level, Model, Tier};
use bothends_test_peers::{get, serve};

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "08-open-enums");

echo! { Echo of api: chat ChatRequest ChatResponse ChatError }

#[test]
fn values_are_variants_and_titles_name_numbers() {
    assert_eq!(Model::from("small-1"), Model::Small1);
    assert!(matches!(Model::from("other"), Model::Unrecognized(_)));
    assert_eq!(Tier::VALUES, ["free", "pro"]);
    let levels = [Level::Off, Level::On, Level::Unknown];
    let levels = serde_json::to_string(&levels).expect("JSON");
    assert_eq!(levels, "[0,1,-1]");
}

#[test]
fn open_values_are_accepted_and_closed_ones_are_not() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/models",
        &[
            r#"{"model":"other"}"#,
            r#"{"model":"small-1","fallback":null}"#,
            r#"{"model":"small-1","fallback":"other","level":-1,"weight":0.5,"closed":"pro"}"#,
        ],
    );
    rejects(
        to,
        "/models",
        &[
            r#"{"model":"a","level":7}"#,
            r#"{"model":"a","weight":0.25}"#,
            r#"{"model":"a","closed":"gold"}"#,
        ],
    );
    let headers = "Content-Type: application/json\r\nContent-Length: 13\r\n";
    let response = bothends_test_peers::post(to, "/models?tier=gold", headers, r#"{"model":"a"}"#);
    assert!(response.starts_with("HTTP/1.1 400 "), "{response}");
    assert!(get(to, "/models", "").starts_with("HTTP/1.1 405 "));
}
