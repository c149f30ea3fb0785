//! The constructs of documents, and a choice of documents that has all kinds of them.
//!
//! A construct is a keyword below another keyword, with the kind of its value, or with the value itself where a
//! standard lists the values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bothends_tests::public::Document;
use serde_json::Value;

/// Keywords whose values are constructs.
const VALUES: &str = "openapi swagger type format in style scheme flow collectionFormat explode required nullable \
    readOnly writeOnly deprecated additionalProperties unevaluatedProperties allowReserved allowEmptyValue";

/// The other keywords of OpenAPI and JSON Schema.
const KEYWORDS: &str = "info servers tags externalDocs paths webhooks components definitions securityDefinitions \
    schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems get put \
    post delete options head patch trace query additionalOperations operationId summary description requestBody \
    security variables enum default content schema example encoding contentType allOf oneOf anyOf not if then else \
    properties items prefixItems patternProperties propertyNames dependentRequired dependentSchemas contains \
    minContains maxContains minItems maxItems uniqueItems minLength maxLength pattern minimum maximum \
    exclusiveMinimum exclusiveMaximum multipleOf minProperties maxProperties discriminator mapping xml const $ref \
    $defs $id $anchor $dynamicRef $dynamicAnchor $schema jsonSchemaDialect $self contentMediaType contentEncoding \
    contentSchema itemSchema itemEncoding prefixEncoding operationRef expression bearerFormat flows \
    openIdConnectUrl authorizationUrl tokenUrl scopes host basePath schemes consumes produces externalValue";

/// How often a construct counts that some of the chosen documents have: less each time.
const WORTH: [usize; 5] = [10_000, 1_000, 100, 10, 1];

/// Chooses documents, each the one that adds most for its size.
pub(super) fn choose(folder: &Path, documents: &[Document], count: usize) -> Vec<String> {
    let mut numbers = BTreeMap::new();
    let mut left: Vec<(&str, usize, Vec<usize>)> = Vec::new();
    for document in documents {
        let text = std::fs::read_to_string(folder.join(&document.path)).unwrap_or_default();
        let mut found = BTreeSet::new();
        constructs(&parse(&text), "", &mut found);
        let numbered = found.into_iter().map(|construct| {
            let next = numbers.len();
            *numbers.entry(construct).or_insert(next)
        });
        left.push((&document.path, text.len(), numbered.collect()));
    }
    let mut had = vec![0; numbers.len()];
    let mut chosen = Vec::new();
    while chosen.len() < count && !left.is_empty() {
        let worth = |document: &(&str, usize, Vec<usize>)| {
            let all = document.2.iter();
            let sum: usize = all
                .map(|&at| WORTH.get(had[at]).copied().unwrap_or(0))
                .sum();
            (
                sum * 1_000 / (100_000 + document.1),
                std::cmp::Reverse(document.0.to_owned()),
            )
        };
        let best = (0..left.len()).max_by_key(|&at| worth(&left[at]));
        let (path, _, constructs) = left.swap_remove(best.expect("a document"));
        constructs.into_iter().for_each(|at| had[at] += 1);
        chosen.push(path.to_owned());
    }
    let missed = had.iter().filter(|&&times| times == 0).count();
    println!(
        "{missed} of {} constructs are in no chosen document",
        had.len()
    );
    chosen
}

fn parse(text: &str) -> Value {
    let text = text.trim_start_matches('\u{feff}');
    let json = serde_json::from_str(text).ok();
    json.or_else(|| serde_yaml::from_str(text).ok())
        .unwrap_or_default()
}

fn constructs(value: &Value, around: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => {
            for item in items {
                constructs(item, around, found);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                let is_named = |list: &str| list.split_whitespace().any(|word| word == key);
                let is_name = ["properties", "schemas", "definitions"].contains(&around);
                if is_name || ["example", "examples", "default", "enum"].contains(&key.as_str()) {
                    constructs(value, if is_name { "" } else { "example" }, found);
                } else if is_named(VALUES) {
                    let value = match value {
                        Value::String(_) | Value::Bool(_) => value.to_string(),
                        value => kind(value).to_owned(),
                    };
                    found.insert(format!("{around} {key} {value}"));
                    constructs(&members[key], key, found);
                } else if is_named(KEYWORDS) {
                    found.insert(format!("{around} {key} {}", kind(value)));
                    constructs(value, key, found);
                } else {
                    if around == "content" {
                        found.insert(format!("content {key}"));
                    }
                    constructs(value, around, found);
                }
            }
        }
        _ => {}
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "map",
    }
}
