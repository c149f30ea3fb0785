//! The open points, and the pages that every client can read.

use super::support::{Connection, start};
use financial_data_sandbox::api::{CHOICES, VERSION};
use financial_data_sandbox::model::Settings;
use financial_data_sandbox::outcome::CODES;
use serde_json::Value;
use std::path::Path;

fn spec(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../spec")
        .join(name);
    std::fs::read_to_string(path).expect("a file")
}

#[test]
fn the_open_points_are_those_of_the_page() {
    let page = spec("open-points.md");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split(" | ")
            .collect();
        let number: u32 = cells.first()?.parse().ok()?;
        Some((number, (*cells.last()?).to_owned()))
    });
    let mut rows: Vec<(u32, String)> = rows.collect();
    rows.sort();
    let expected = CHOICES.iter().map(|choice| {
        let setting = choice
            .setting
            .map(|setting| format!("; setting `{setting}`"));
        (
            choice.number,
            format!("{}{}", choice.choice, setting.unwrap_or_default()),
        )
    });
    assert_eq!(rows, expected.collect::<Vec<_>>());
    let numbers: Vec<u32> = rows.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=67).collect::<Vec<_>>());
}

#[test]
fn every_setting_is_a_choice() {
    let settings = serde_json::to_value(Settings::default()).expect("JSON");
    let settings = settings.as_object().expect("an object");
    for choice in CHOICES {
        if let Some(setting) = choice.setting {
            assert!(settings.contains_key(setting), "{setting}");
        }
    }
    for setting in settings.keys() {
        let is_named = |text: &str| text.contains(&format!("`{setting}`"));
        let mut choices = CHOICES.iter();
        let found =
            choices.any(|choice| choice.setting == Some(setting) || is_named(choice.choice));
        assert!(found, "{setting} is not listed");
    }
}

#[tokio::test]
async fn the_pages_are_served() {
    let (sandbox, _) = start().await;
    let mut connection = Connection::open(&sandbox).await;
    let choices = connection.get("/choices").await;
    assert_eq!(choices.status, 200);
    assert_eq!(choices.header("content-type"), Some("application/json"));
    let choices: Value = choices.json();
    assert_eq!(choices["version"], VERSION);
    assert_eq!(
        choices["choices"].as_array().map(Vec::len),
        Some(CHOICES.len())
    );
    assert_eq!(choices["codes"].as_array().map(Vec::len), Some(CODES.len()));
    let field = &choices["choices"][16];
    assert_eq!(
        (&field["number"], &field["default"]),
        (&17.into(), &"task_id".into())
    );

    let document = connection.get("/openapi.yaml").await;
    assert_eq!(document.header("content-type"), Some("application/yaml"));
    let here = format!("default: {}", sandbox.api_url());
    let written =
        spec("financial-data.yaml").replacen("default: https://api.example.com", &here, 1);
    assert!(written.contains(&here));
    assert_eq!(document.body, written);
    let keys: Value = connection.get("/.well-known/jwks.json").await.json();
    assert!(keys["keys"].is_array(), "{keys}");
    let refused = connection.send("DELETE", "/choices", &[], "").await;
    assert_eq!(
        (refused.status, refused.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(refused.json()["message"], "Method not allowed");
    sandbox.stop().await;
}
