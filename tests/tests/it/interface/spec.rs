//! The spec says what the document says.

use super::facts::{codes, facts, texts};
use bothends_tests::root;
use serde_json::{Value, json};

fn spec() -> Value {
    let text = std::fs::read_to_string(root().join("spec/financial-data.yaml")).expect("the spec");
    serde_yaml::from_str(&text).expect("YAML")
}

/// A node of the spec; one that is a reference is followed.
fn at<'s>(spec: &'s Value, pointer: &str) -> &'s Value {
    let node = spec.pointer(pointer);
    let node = node.unwrap_or_else(|| panic!("nothing at {pointer}"));
    match node.get("$ref").and_then(Value::as_str) {
        Some(reference) => at(spec, reference.trim_start_matches('#')),
        None => node,
    }
}

fn schema<'s>(spec: &'s Value, name: &str) -> &'s Value {
    at(spec, &format!("/components/schemas/{name}"))
}

/// The keys of an object, sorted.
fn keys(object: &Value) -> Vec<&str> {
    let keys = object.as_object().expect("an object").keys();
    sorted(keys.map(String::as_str).collect())
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

#[test]
fn codes_and_what_they_are_about() {
    let (facts, spec) = (facts(), spec());
    let code_id = schema(&spec, "CodeId");
    let values = texts(&code_id["enum"]);
    let mut expected = codes(&facts);
    expected.push(facts["generic_code"].as_str().expect("a text"));
    assert_eq!(sorted(values.clone()), sorted(expected));
    let meanings = texts(&code_id["x-enum-descriptions"]);
    assert_eq!(meanings.len(), values.len());
    for (value, meaning) in values.into_iter().zip(meanings) {
        let Some(about) = facts["codes"].get(value) else {
            continue;
        };
        for word in texts(about) {
            let found = meaning.to_lowercase().contains(&word.to_lowercase());
            assert!(found, "`{value}` is about {word}, the spec says: {meaning}");
        }
    }
    assert_eq!(code_id["x-extensible-enum"], true, "more may come");
}

#[test]
fn operations_and_their_errors() {
    let (facts, spec) = (facts(), spec());
    let operations = facts["operations"].as_array().expect("operations");
    assert_eq!(at(&spec, "/paths").as_object().expect("paths").len(), 3);
    for operation in operations {
        let path = operation["path"].as_str().expect("a path");
        let method = operation["method"]
            .as_str()
            .expect("a method")
            .to_lowercase();
        let pointer = format!("/paths/{}/{method}", path.replace('/', "~1"));
        let responses = at(&spec, &format!("{pointer}/responses"));
        for status in ["400", "401", "405", "4XX", "500", "503", "5XX"] {
            let schema = format!("{pointer}/responses/{status}");
            let body = &at(&spec, &schema)["content"]["application/json"]["schema"]["$ref"];
            let expected = match status {
                "400" => "ValidationErrorBody",
                "500" | "503" | "5XX" => "ServerErrorBody",
                _ => "ErrorBody",
            };
            let expected = format!("#/components/schemas/{expected}");
            assert_eq!(*body, Value::from(expected), "{method} {path} {status}");
        }
        assert!(responses.get("200").is_some(), "{method} {path}");
    }
}

#[test]
fn generic_responses() {
    let (facts, spec) = (facts(), spec());
    let mut stated: Vec<(u64, Value)> = Vec::new();
    let by_text = |response: &(u64, Value)| response.1.to_string();
    for (name, status) in [
        ("Unauthorized", 401),
        ("NotFound", 404),
        ("MethodNotAllowed", 405),
        ("InternalServerError", 500),
        ("ServiceUnavailable", 503),
    ] {
        let pointer = format!("/components/responses/{name}/content/application~1json/examples");
        let examples = at(&spec, &pointer).as_object().expect("examples");
        stated.extend(
            examples
                .values()
                .map(|example| (status, example["value"].clone())),
        );
    }
    let expected = facts["generic_responses"].as_array().expect("a list");
    let expected = expected.iter().map(|response| {
        let body = response["body"].as_str().expect("a text");
        let body = serde_json::from_str(body).expect("JSON");
        (response["status"].as_u64().expect("a status"), body)
    });
    let mut expected: Vec<(u64, Value)> = expected.collect();
    stated.sort_by_key(by_text);
    expected.sort_by_key(by_text);
    assert_eq!(stated, expected);
}

#[test]
fn bodies_of_tokens_and_errors() {
    let (facts, spec) = (facts(), spec());
    let token = schema(&spec, "Token");
    let expected = keys(&facts["token_response"]["data"]);
    assert_eq!(keys(&token["properties"]), expected);
    assert_eq!(sorted(texts(&token["required"])), expected);
    assert_eq!(token["properties"]["token_type"]["const"], "bearer");
    assert_eq!(token["properties"]["expires_in"]["type"], "integer");
    let envelope = schema(&spec, "TokenResponse");
    assert_eq!(envelope["required"], json!(["operation_id", "data"]));
    let operation = &envelope["properties"]["operation_id"]["const"];
    assert_eq!(*operation, facts["token_response"]["operation_id"]);

    let error = schema(&spec, "ErrorBody");
    let required = texts(&facts["error_body"]["required"]);
    assert_eq!(texts(&error["required"]), required);
    let optional = texts(&facts["error_body"]["optional"]);
    let all = sorted([required, optional].concat());
    assert_eq!(keys(&error["properties"]), all);
    let server = schema(&spec, "ServerErrorBody");
    assert_eq!(keys(&server["properties"]), ["message"]);
}

#[test]
fn kinds_and_the_shapes_of_their_payloads() {
    let (facts, spec) = (facts(), spec());
    let kinds = facts["kinds"].as_array().expect("kinds");
    assert_eq!(keys(at(&spec, "/webhooks")).len(), kinds.len());
    for kind in kinds {
        let name = kind["kind"].as_str().expect("a name");
        let schema_of = "post/requestBody/content/application~1json/schema";
        let payload = at(&spec, &format!("/webhooks/{name}/{schema_of}"));
        assert_eq!(keys(&payload["properties"]), ["data"], "{name}");
        assert_eq!(payload["required"], json!(["data"]), "{name}");
        let data = payload["properties"]["data"]["$ref"]
            .as_str()
            .expect("a schema");
        let data = at(&spec, data.trim_start_matches('#'));
        let shape = &facts["shapes"][kind["shape"].as_str().expect("a shape")];
        let fields = sorted(texts(&shape["fields"]));
        assert_eq!(keys(&data["properties"]), fields, "{name}");
        let required = data.get("required").map(texts).unwrap_or_default();
        assert_eq!(required, texts(&shape["required"]), "{name}");
        for (field, values) in shape["values"].as_object().expect("values") {
            let property = at_property(&spec, data, field);
            assert_eq!(property["enum"], *values, "{name} {field}");
            assert_eq!(property["type"], "string", "{name} {field}");
        }
    }
}

fn at_property<'s>(spec: &'s Value, object: &'s Value, name: &str) -> &'s Value {
    let property = &object["properties"][name];
    let reference = property["$ref"].as_str().expect("a schema of its own");
    at(spec, reference.trim_start_matches('#'))
}

#[test]
fn headers() {
    let (facts, spec) = (facts(), spec());
    let schemes = at(&spec, "/components/securitySchemes");
    for (scheme, fact) in [
        ("clientId", "client"),
        ("customerId", "customer"),
        ("customerSecret", "customer_secret"),
    ] {
        assert_eq!(schemes[scheme]["name"], facts["headers"][fact]);
        assert_eq!(schemes[scheme]["in"], "header");
    }
    assert_eq!(schemes["clientCredentials"]["type"], "oauth2");
    assert_eq!(schemes["clientBasic"]["scheme"], "basic");
    let names = ["token_signature", "signature", "signing_id"].map(|fact| &facts["headers"][fact]);
    for kind in facts["kinds"].as_array().expect("kinds") {
        let name = kind["kind"].as_str().expect("a name");
        let parameters = at(&spec, &format!("/webhooks/{name}/post/parameters"));
        let count = parameters.as_array().expect("a list").len();
        let stated = (0..count)
            .map(|index| &at(&spec, &format!("/webhooks/{name}/post/parameters/{index}"))["name"]);
        assert_eq!(stated.collect::<Vec<_>>(), names, "{name}");
    }
}

#[test]
fn rules_of_webhooks() {
    let (facts, spec) = (facts(), spec());
    let rules = at(&spec, "/x-bothends-webhooks");
    let delivery = &rules["delivery"];
    assert_eq!(
        delivery["timeout-seconds"],
        facts["delivery"]["timeout_seconds"]
    );
    assert_eq!(delivery["max-retries"], facts["delivery"]["retries"]);
    assert_eq!(
        delivery["retry-statuses"],
        facts["delivery"]["retry_statuses"]
    );
    assert_eq!(delivery["backoff"]["kind"], facts["delivery"]["backoff"]);
    let length = &facts["signing_token_longer_than"];
    assert_eq!(rules["signing"]["token"]["token-longer-than"], *length);
    let subscription = &rules["subscription"];
    let attributes = texts(&facts["subscription"]["attributes"]);
    assert_eq!(keys(&subscription["attributes"]), sorted(attributes));
    let transitions = subscription["transitions"].as_array().expect("a list");
    let transitions = transitions.iter();
    let transitions = transitions
        .map(|transition| json!([transition["from"], transition["trigger"], transition["to"]]));
    let expected = facts["subscription"]["transitions"]
        .as_array()
        .expect("a list");
    assert_eq!(transitions.collect::<Vec<_>>(), *expected);
}
