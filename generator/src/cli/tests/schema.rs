//! The JSON Schema of `bothends.toml`, for editors.

use std::path::Path;

use bothends::config::{SETTINGS, Setting};
use serde_json::{Map, Value, json};

/// The path in the repository, and the URL that files of `bothends new` name.
const PATH: &str = "templates/bothends.schema.json";
const URL: &str =
    "https://raw.githubusercontent.com/bothends/bothends/main/templates/bothends.schema.json";

fn schema() -> Value {
    let properties: Map<String, Value> = SETTINGS
        .iter()
        .map(|setting| (setting.key.to_owned(), property(setting)))
        .collect();
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": URL,
        "title": "bothends.toml",
        "description": "The settings of bothends, which generates Rust from OpenAPI documents.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

/// Returns the schema of a key, by the phrase for its values.
fn property(setting: &Setting) -> Value {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let mut schema = match setting.value {
        "path" | "string" => json!({"type": "string"}),
        "boolean" => json!({"type": "boolean"}),
        "table of strings" => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        "table, as in `Cargo.toml`" => json!({"type": "object"}),
        "table of lists of strings" => {
            json!({"type": "object", "additionalProperties": list})
        }
        value if value.starts_with("table of lists of selectors") => {
            let keys = words(value)
                .into_iter()
                .take(2)
                .map(|key| (key.to_owned(), list.clone()));
            let mut keys: Map<String, Value> = keys.collect();
            keys.insert(
                "features".to_owned(),
                json!({"type": "string", "enum": ["tag", "none"], "default": "none"}),
            );
            json!({"type": "object", "additionalProperties": false, "properties": keys})
        }
        value if value.starts_with("table of paths of modules") => {
            let [module, config] = words(value)[..] else {
                panic!("{value}");
            };
            let path = json!({"type": "string"});
            let keys = json!({module: path, config: path});
            let table = json!({"type": "object", "additionalProperties": false, "properties": keys,
                "required": [module]});
            json!({"type": "object", "additionalProperties": {"anyOf": [path, table]}})
        }
        value if value.starts_with("table of levels") => levels(&words(value)),
        value if value.starts_with("table of days") => {
            let days = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
            let keys = words(value).into_iter();
            let keys: Map<String, Value> = keys.map(|key| (key.to_owned(), days.clone())).collect();
            json!({"type": "object", "additionalProperties": false, "properties": keys})
        }
        // A document has the keys of the file.
        "list of tables of these keys" => json!({"type": "array", "items": {"$ref": "#"}}),
        value if value.starts_with("list of ") => {
            let mut items = json!({"type": "string"});
            if let listed @ [_, ..] = &words(value)[..] {
                items["enum"] = json!(listed);
            }
            json!({"type": "array", "items": items})
        }
        value if value.starts_with('`') => json!({"type": "string", "enum": words(value)}),
        other => panic!("{}: there is no schema for `{other}`", setting.key),
    };
    schema["description"] = json!(setting.doc.replace('`', ""));
    let default = words(setting.default);
    if let ([default], true) = (&default[..], setting.default.starts_with('`')) {
        schema["default"] = match *default {
            "true" => json!(true),
            "false" => json!(false),
            word => json!(word),
        };
    }
    schema
}

/// Returns the schema of levels by rule: one for all audiences, or one for each.
fn levels(words: &[&str]) -> Value {
    let level = json!({"type": "string", "enum": words});
    let by_audience = json!({"type": "object", "additionalProperties": level});
    json!({"type": "object", "additionalProperties": {"anyOf": [level, by_audience]}})
}

/// Returns the words of a phrase that are in backticks.
fn words(phrase: &str) -> Vec<&str> {
    phrase.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_schema_has_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(PATH);
    let text = serde_json::to_string_pretty(&schema()).expect("JSON") + "\n";
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == text,
        "{PATH} is not up to date; run\n  UPDATE_GUIDE=1 cargo test -p bothends --bin bothends"
    );
}

#[test]
fn the_schema_accepts_what_is_read() {
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let accepts = |text: &str| {
        let table: toml::Table = text.parse().expect("TOML");
        validator.is_valid(&serde_json::to_value(table).expect("JSON"))
    };
    for setting in SETTINGS {
        assert!(accepts(setting.example), "{}", setting.key);
    }
    for wrong in [
        "colour = 1",
        "spec = 1",
        "module = 'yes'",
        "parts = ['clients']",
        "serde = 'both'",
        "overlays = [1]",
        "names = 'a'",
        "[severities]\nD0711 = 'loud'",
        "[deprecation-days]\ngamma = 1",
        "[deprecation-days]\nbeta = -1",
        "[filter]\nonly = []",
        "[filter]\nfeatures = 'tags'",
        "[derives]\nPet = 'Eq'",
        "[imports]\n'a.yaml' = { config = 'b' }",
    ] {
        assert!(!accepts(wrong), "{wrong}");
    }
}

#[test]
fn new_projects_name_the_schema() {
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    for kind in ["client", "server", "receiver"] {
        let path = templates.join(kind).join("bothends.toml.in");
        let text = std::fs::read_to_string(&path).expect("a template");
        let first = text.lines().next();
        assert_eq!(first, Some(&*format!("#:schema {URL}")), "{kind}");
    }
}
