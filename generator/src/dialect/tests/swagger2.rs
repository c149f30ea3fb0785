//! Swagger 2.0.

use super::{named, property, read, read_reported, schema};
use crate::model::{Location, SecurityKind, Style, Types};

const HEAD: &str = "swagger: '2.0'\nhost: x.test\nbasePath: /v1\nschemes: [https, http]\nconsumes: [application/json, text/json]\nproduces: [application/json]\n";

#[test]
fn host_base_path_and_schemes_are_servers() {
    let urls = |text: &str| {
        read(text)
            .servers
            .into_iter()
            .map(|it| it.url)
            .collect::<Vec<_>>()
    };
    assert_eq!(urls(HEAD), ["https://x.test/v1", "http://x.test/v1"]);
    assert_eq!(urls("swagger: '2.0'\nhost: x.test"), ["https://x.test"]);
    assert_eq!(urls("swagger: '2.0'\nbasePath: /v1"), ["/v1"]);
    assert!(urls("swagger: '2.0'").is_empty());
    let model = read(&format!(
        "{HEAD}paths: {{/a: {{get: {{schemes: [wss], responses: {{}}}}, put: {{responses: {{}}}}}}}}"
    ));
    assert_eq!(model.operations[0].servers[0].url, "wss://x.test/v1");
    assert!(model.operations[1].servers.is_empty());
}

#[test]
fn a_body_parameter_is_a_request_body() {
    let model = read(&format!(
        "{HEAD}definitions: {{Pet: {{type: object}}}}\nparameters: {{B: {{in: body, name: b, required: true, description: d, schema: {{$ref: '#/definitions/Pet'}}}}}}\n\
         paths: {{/a: {{post: {{parameters: [{{$ref: '#/parameters/B'}}], responses: {{}}}}, put: {{consumes: [text/xml], parameters: [{{$ref: '#/parameters/B'}}], responses: {{}}}}}}}}"
    ));
    let body = model.operations[0].body.as_ref().unwrap();
    assert!(body.required && model.operations[0].parameters.is_empty());
    assert_eq!(body.description.as_deref(), Some("d"));
    let types: Vec<_> = body.content.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(types, ["application/json", "text/json"]);
    assert_eq!(
        schema(&model, body.content[0].schema.unwrap())
            .name
            .as_deref(),
        Some("Pet")
    );
    assert_eq!(
        model.operations[1].body.as_ref().unwrap().content[0].name,
        "text/xml"
    );
}

#[test]
fn form_parameters_are_one_object() {
    let model = read(&format!(
        "{HEAD}paths: {{/a: {{parameters: [{{in: formData, name: shared, type: string}}, {{in: formData, name: n, type: string}}], post: {{parameters: [\
         {{in: formData, name: n, type: integer, required: true, description: how many, x-k: 1}}, \
         {{in: formData, name: l, type: array, items: {{type: string}}, collectionFormat: multi}}], responses: {{}}}}, \
         put: {{consumes: [multipart/form-data, application/x-www-form-urlencoded], parameters: [{{in: formData, name: f, type: file}}], responses: {{}}}}}}}}"
    ));
    let body = model.operations[0].body.as_ref().unwrap();
    assert_eq!(
        body.content
            .iter()
            .map(|it| it.name.as_str())
            .collect::<Vec<_>>(),
        ["application/x-www-form-urlencoded"]
    );
    let form = schema(&model, body.content[0].schema.unwrap());
    assert_eq!(form.types, Types::OBJECT);
    assert_eq!(
        form.properties
            .iter()
            .map(|it| it.0.as_str())
            .collect::<Vec<_>>(),
        ["shared", "n", "l"]
    );
    assert_eq!(form.required, ["n"]);
    assert!(body.required);
    let n = property(&model, form, "n");
    assert_eq!(
        (n.types, n.description.as_deref()),
        (Types::INTEGER, Some("how many"))
    );
    assert!(n.required.is_empty());
    assert_eq!(body.content[0].encoding.len(), 1);
    let (field, encoding) = &body.content[0].encoding[0];
    assert_eq!(
        (field.as_str(), encoding.style, encoding.explode),
        ("l", Some(Style::Form), Some(true))
    );
    let file = model.operations[1].body.as_ref().unwrap();
    assert_eq!(
        file.content
            .iter()
            .map(|it| it.name.as_str())
            .collect::<Vec<_>>(),
        ["multipart/form-data"]
    );
    let form = schema(&model, file.content[0].schema.unwrap());
    let f = property(&model, form, "f");
    assert_eq!(
        (f.types, f.format.as_deref()),
        (Types::STRING, Some("binary"))
    );
}

#[test]
fn collection_formats_are_styles() {
    let param = |place: &str, format: &str| {
        let model = read(&format!(
            "{HEAD}paths: {{'/a/{{p}}': {{get: {{parameters: [{{in: {place}, name: p, required: true, type: array, items: {{type: integer}}{format}}}], responses: {{}}}}}}}}"
        ));
        let parameter = &model.operations[0].parameters[0];
        assert_eq!(
            schema(&model, parameter.schema.unwrap()).types,
            Types::ARRAY
        );
        (parameter.style, parameter.explode)
    };
    assert_eq!(param("query", ""), (Style::Form, false));
    assert_eq!(
        param("query", ", collectionFormat: csv"),
        (Style::Form, false)
    );
    assert_eq!(
        param("query", ", collectionFormat: multi"),
        (Style::Form, true)
    );
    assert_eq!(
        param("query", ", collectionFormat: ssv"),
        (Style::SpaceDelimited, false)
    );
    assert_eq!(
        param("query", ", collectionFormat: pipes"),
        (Style::PipeDelimited, false)
    );
    assert_eq!(
        param("query", ", collectionFormat: tsv"),
        (Style::TabDelimited, false)
    );
    assert_eq!(param("path", ""), (Style::Simple, false));
    assert_eq!(
        param("header", ", collectionFormat: pipes"),
        (Style::PipeDelimited, false)
    );
}

#[test]
fn inline_types_of_parameters_and_headers_are_schemas() {
    let model = read(&format!(
        "{HEAD}paths: {{/a: {{get: {{parameters: [{{in: query, name: q, description: d, type: string, enum: [a, b], default: a, maxLength: 3, x-nullable: true, allowEmptyValue: true}}], \
         responses: {{200: {{description: ok, schema: {{type: file}}, headers: {{X-Rate: {{type: integer, format: int32, description: left}}}}}}, \
         201: {{description: made, schema: {{$ref: '#/definitions/A'}}, examples: {{application/json: {{a: 1}}}}}}}}}}}}}}\n\
         definitions: {{A: {{type: object, x-nullable: true, discriminator: kind, properties: {{kind: {{type: string}}}}}}}}"
    ));
    let get = &model.operations[0];
    let q = schema(&model, get.parameters[0].schema.unwrap());
    assert_eq!(q.types, Types::STRING.union(Types::NULL));
    assert_eq!(
        (
            q.enumeration.as_ref().unwrap().len(),
            q.constraints.max_length,
            q.description.as_ref()
        ),
        (2, Some(3), None)
    );
    assert!(q.default.is_some() && get.parameters[0].allow_empty);
    assert_eq!(get.parameters[0].description.as_deref(), Some("d"));
    let file = &get.responses[0].content[0];
    assert_eq!(file.name, "application/octet-stream");
    assert_eq!(
        schema(&model, file.schema.unwrap()).format.as_deref(),
        Some("binary")
    );
    let header = &get.responses[0].headers[0];
    assert_eq!(
        (header.name.as_str(), header.description.as_deref()),
        ("X-Rate", Some("left"))
    );
    assert_eq!(
        schema(&model, header.schema.unwrap()).format.as_deref(),
        Some("int32")
    );
    let json = &get.responses[1].content[0];
    assert_eq!(
        (json.name.as_str(), json.examples[0].1.to_json().as_str()),
        ("application/json", "{\"a\":1}")
    );
    let a = named(&model, "A");
    assert_eq!(a.types, Types::OBJECT.union(Types::NULL));
    assert_eq!(a.discriminator.as_ref().unwrap().property, "kind");
}

#[test]
fn security_definitions_have_the_names_of_version_3() {
    let model = read(&format!(
        "{HEAD}securityDefinitions: {{b: {{type: basic}}, k: {{type: apiKey, in: query, name: key}}, o: {{type: oauth2, flow: accessCode, \
         authorizationUrl: /a, tokenUrl: /t, scopes: {{r: read, x-s: 1}}}}, c: {{type: oauth2, flow: application, tokenUrl: /t, scopes: {{}}}}}}"
    ));
    let kinds: Vec<_> = model
        .security_schemes
        .iter()
        .map(|(name, it)| (name.as_str(), &it.kind))
        .collect();
    assert!(matches!(kinds[0], ("b", SecurityKind::Basic)));
    assert!(
        matches!(kinds[1], ("k", SecurityKind::ApiKey(Location::Query, name)) if name == "key")
    );
    let flow = |index: usize| match kinds[index].1 {
        SecurityKind::OAuth2(flows) => &flows[0],
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (flow(2).name.as_str(), flow(2).scopes.len()),
        ("authorizationCode", 1)
    );
    assert_eq!(flow(3).name, "clientCredentials");
}

#[test]
fn two_bodies_are_reported() {
    let (model, reported) = read_reported(&format!(
        "{HEAD}paths: {{/a: {{post: {{responses: {{}}, parameters: [{{in: body, name: a, schema: {{}}}}, {{in: body, name: b, schema: {{}}}}, \
         {{in: formData, name: f, type: string}}, {{in: elsewhere, name: c, type: string}}, {{in: query, name: q}}]}}}}}}"
    ));
    assert_eq!(
        reported,
        "E0109 #/paths/~1a/post/parameters/1: second parameter with `in: body`\n\
         E0105 #/paths/~1a/post/parameters/3/in: unknown value \"elsewhere\" of `in`\n\
         W0103 #/paths/~1a/post/parameters/4: missing `type` of parameter `q`\n\
         E0109 #/paths/~1a/post/parameters/2: form field `f` beside an `in: body` parameter"
    );
    assert_eq!(model.operations[0].parameters.len(), 1);
}
