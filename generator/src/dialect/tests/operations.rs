//! Operations of OpenAPI 3.

use super::{named, read, read_files, read_reported, schema};
use crate::model::{Location, SecurityKind, StatusSpec, Style};

#[test]
fn path_items_and_operations_may_be_references() {
    let files = [
        (
            "api.yaml",
            "openapi: 3.0.0\npaths:\n  /a:\n    summary: ours\n    $ref: 'a.yaml'\n    parameters: [{name: t, in: header, schema: {}}]\n",
        ),
        (
            "a.yaml",
            "parameters: [{name: q, in: query, schema: {}}]\nget: {$ref: 'get.yaml'}\nput: {summary: own, responses: {}}\nx-y: 1",
        ),
        (
            "get.yaml",
            "operationId: fetch\nparameters: {$ref: 'list.yaml'}\nresponses: {200: {description: {$ref: 'words.txt'}}}",
        ),
        (
            "list.yaml",
            "[{name: q, in: query, required: true, schema: {}}]",
        ),
        ("words.txt", "in a file"),
    ];
    let (model, reported) = read_files(&files);
    assert_eq!(reported, "");
    let model = model.unwrap();
    let methods: Vec<_> = model
        .operations
        .iter()
        .map(|it| (it.method.as_str(), it.path.as_str()))
        .collect();
    assert_eq!(methods, [("GET", "/a"), ("PUT", "/a")]);
    let get = &model.operations[0];
    assert_eq!(
        (get.id.as_deref(), get.summary.as_deref()),
        (Some("fetch"), Some("ours"))
    );
    let parameters: Vec<_> = get
        .parameters
        .iter()
        .map(|it| (it.name.as_str(), it.required))
        .collect();
    assert_eq!(parameters, [("t", false), ("q", true)]);
    assert_eq!(get.responses[0].description.as_deref(), Some("in a file"));
    assert_eq!(model.operations[1].summary.as_deref(), Some("own"));
    assert_eq!(get.origin.pointer(), "#");
}

#[test]
fn styles_have_the_defaults_of_their_place() {
    let model = read(
        "openapi: 3.0.0\npaths: {'/a/{p}': {get: {responses: {}, parameters: [{name: p, in: path, required: true, schema: {}}, \
         {name: q, in: query, schema: {}}, {name: d, in: query, style: deepObject, schema: {}}, \
         {name: h, in: header, schema: {}}, {name: c, in: cookie, schema: {}}, \
         {name: j, in: query, content: {application/json: {schema: {}}}}, {name: n, in: query, explode: false, schema: {}}]}}}",
    );
    let all: Vec<_> = model.operations[0]
        .parameters
        .iter()
        .map(|it| {
            (
                it.name.as_str(),
                it.location,
                it.style,
                it.explode,
                it.required,
            )
        })
        .collect();
    assert_eq!(
        all,
        [
            ("p", Location::Path, Style::Simple, false, true),
            ("q", Location::Query, Style::Form, true, false),
            ("d", Location::Query, Style::DeepObject, false, false),
            ("h", Location::Header, Style::Simple, false, false),
            ("c", Location::Cookie, Style::Form, true, false),
            ("j", Location::Query, Style::Form, true, false),
            ("n", Location::Query, Style::Form, false, false),
        ]
    );
    assert_eq!(
        model.operations[0].parameters[5]
            .content
            .as_ref()
            .unwrap()
            .name,
        "application/json"
    );
}

#[test]
fn responses_know_their_status_and_their_component() {
    let model = read(
        "openapi: 3.0.0\ncomponents: {responses: {Gone: {description: gone, headers: {X-A: {$ref: '#/components/headers/A'}}, \
         content: {application/json: {schema: {type: string}, example: 1, examples: {b: {value: 2}, c: {$ref: '#/components/examples/C'}}}}}}, \
         headers: {A: {required: true, schema: {type: integer}}}, examples: {C: {value: 3}}}\n\
         paths: {/a: {get: {responses: {410: {$ref: '#/components/responses/Gone'}, 2xx: {description: fine}, default: {description: d}, 204: }}}}",
    );
    let responses = &model.operations[0].responses;
    let status: Vec<_> = responses
        .iter()
        .map(|it| (it.status, it.component.as_deref()))
        .collect();
    assert_eq!(
        status,
        [
            (StatusSpec::Code(410), Some("Gone")),
            (StatusSpec::Range(2), None),
            (StatusSpec::Default, None),
            (StatusSpec::Code(204), None)
        ]
    );
    assert_eq!(
        responses[0].origin.pointer(),
        "#/paths/~1a/get/responses/410"
    );
    assert!(responses[0].headers[0].required);
    let content = &responses[0].content[0];
    assert_eq!(
        content.origin.pointer(),
        "#/components/responses/Gone/content/application~1json"
    );
    let examples: Vec<_> = content
        .examples
        .iter()
        .map(|(name, it)| format!("{name}={}", it.to_json()))
        .collect();
    assert_eq!(examples, ["=1", "b=2", "c=3"]);
    assert_eq!(model.named_responses[0].0, "Gone");
    assert_eq!(model.named_responses[0].1.content[0].schema, content.schema);
}

#[test]
fn security_is_the_operations_or_the_documents() {
    let text = "openapi: 3.0.0\nsecurity: [{key: []}]\ncomponents: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, \
                o: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {a: A}}}}, b: {type: http, scheme: Bearer, bearerFormat: JWT}}}\n\
                paths: {/a: {get: {responses: {}}, put: {responses: {}, security: []}, post: {responses: {}, security: [{}, {o: [a], b: []}]}}}";
    let model = read(text);
    let security: Vec<_> = model
        .operations
        .iter()
        .map(|it| it.security.clone().unwrap())
        .collect();
    assert_eq!(security[0], [vec![("key".to_owned(), vec![])]]);
    assert!(security[1].is_empty());
    assert_eq!(
        security[2],
        [
            vec![],
            vec![
                ("o".to_owned(), vec!["a".to_owned()]),
                ("b".to_owned(), vec![])
            ]
        ]
    );
    assert!(
        matches!(&model.security_schemes[0].1.kind, SecurityKind::ApiKey(Location::Header, name) if name == "X-Key")
    );
    assert!(
        matches!(&model.security_schemes[2].1.kind, SecurityKind::Bearer(Some(format)) if format == "JWT")
    );
    let SecurityKind::OAuth2(flows) = &model.security_schemes[1].1.kind else {
        panic!()
    };
    assert_eq!(flows[0].scopes, [("a".to_owned(), "A".to_owned())]);
    assert!(
        read(&text.replace("security: [{key: []}]\n", "")).operations[0]
            .security
            .is_none()
    );
}

#[test]
fn webhooks_and_callbacks_are_operations() {
    let (model, reported) = read_reported(
        "openapi: 3.1.0\nwebhooks: {paid: {$ref: '#/components/pathItems/Paid'}}\nx-webhooks: {old: {put: {responses: {}}}}\n\
         components: {pathItems: {Paid: {post: {operationId: paid, requestBody: {content: {application/json: {}}}, responses: {}}}}}\n\
         paths: {/a: {post: {responses: {}, callbacks: {done: {'{$request.body#/url}': {post: {operationId: done, responses: {}, \
         callbacks: {inner: {}}}}}}}}}",
    );
    assert_eq!(
        reported,
        "W0105 #/paths/~1a/post/callbacks/done/{$request.body#~1url}/post/callbacks/inner: callback `inner` inside another callback"
    );
    let names: Vec<_> = model
        .webhooks
        .iter()
        .map(|it| (it.name.as_str(), it.operation.method.as_str()))
        .collect();
    assert_eq!(names, [("paid", "POST"), ("old", "PUT")]);
    assert!(
        model.webhooks[0].operation.body.as_ref().unwrap().content[0]
            .schema
            .is_none()
    );
    let (name, expression, operation) = &model.operations[0].callbacks[0];
    assert_eq!(
        (name.as_str(), expression.as_str(), operation.id.as_deref()),
        ("done", "{$request.body#/url}", Some("done"))
    );
}

#[test]
fn servers_tags_and_links_are_read() {
    let model = read(
        "openapi: 3.1.0\ninfo: {title: T, version: 1.0}\nservers: [{url: 'https://{r}.x', variables: {r: {default: eu, enum: [eu, us]}}}]\n\
         tags: [{name: a, description: d}, b]\nx-z: 1\npaths: {/a: {servers: [{url: /path}], get: {tags: [a], responses: {200: {description: '', \
         links: {next: {operationId: n, parameters: {p: $response.body#/p}}}}}}, put: {servers: [{url: /own}], responses: {}}}}",
    );
    assert_eq!(model.info.version, "1.0");
    assert_eq!(model.servers[0].variables[0].2, ["eu", "us"]);
    assert_eq!(
        model
            .tags
            .iter()
            .map(|it| it.name.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_eq!(model.extensions[0].0, "x-z");
    let own: Vec<_> = model
        .operations
        .iter()
        .map(|it| it.servers[0].url.as_str())
        .collect();
    assert_eq!(own, ["/path", "/own"]);
    let link = &model.operations[0].responses[0].links[0];
    assert_eq!(
        (
            link.name.as_str(),
            link.operation_id.as_deref(),
            link.parameters.len()
        ),
        ("next", Some("n"), 1)
    );
}

#[test]
fn version_3_2_has_more_methods_places_and_streams() {
    let text = "openapi: 3.2.0\n$self: https://x.test/api\ntags: [{name: b, parent: a}]\n\
         components: {schemas: {U: {oneOf: [], discriminator: {propertyName: k, defaultMapping: V}}, V: {}}, mediaTypes: {Lines: {itemSchema: {type: object}}}, securitySchemes: {o: {type: oauth2, deprecated: true, \
         flows: {deviceAuthorization: {deviceAuthorizationUrl: /d, tokenUrl: /t, scopes: {}}}}}}\n\
         paths: {/a: {query: {responses: {200: {content: {application/jsonl: {$ref: '#/components/mediaTypes/Lines'}}}}, \
         parameters: [{in: querystring, name: all, content: {application/x-www-form-urlencoded: {schema: {}}}}, \
         {in: cookie, name: c, style: cookie, schema: {}}]}, additionalOperations: {COPY: {responses: {}}}}}";
    let model = read(text);
    let methods: Vec<_> = model
        .operations
        .iter()
        .map(|it| it.method.as_str())
        .collect();
    assert_eq!(methods, ["QUERY", "COPY"]);
    let query = &model.operations[0];
    assert_eq!(query.parameters[0].location, Location::QueryString);
    assert_eq!(
        (query.parameters[1].style, query.parameters[1].explode),
        (Style::Cookie, true)
    );
    let media_type = &query.responses[0].content[0];
    assert!(media_type.schema.is_none() && media_type.item_schema.is_some());
    assert_eq!(model.tags[0].parent.as_deref(), Some("a"));
    let scheme = &model.security_schemes[0].1;
    assert!(scheme.deprecated);
    let SecurityKind::OAuth2(flows) = &scheme.kind else {
        panic!()
    };
    assert_eq!(flows[0].device_authorization_url.as_deref(), Some("/d"));
}

#[test]
fn encodings_are_read_in_bodies_and_cycles_end() {
    let model = read(
        "openapi: 3.0.0\ncomponents: {headers: {H: {content: {multipart/form-data: {schema: {}, encoding: {x: {headers: {H: {$ref: '#/components/headers/H'}}}}}}}}}\n\
         paths: {/a: {post: {requestBody: {content: {multipart/form-data: {schema: {type: object}, \
         encoding: {x: {contentType: 'image/png', style: form, headers: {H: {$ref: '#/components/headers/H'}}}}}}}, responses: {}}}}",
    );
    let (name, encoding) = &model.operations[0].body.as_ref().unwrap().content[0].encoding[0];
    assert_eq!(
        (name.as_str(), encoding.content_type.as_deref()),
        ("x", Some("image/png"))
    );
    assert!(
        encoding.headers[0]
            .content
            .as_ref()
            .unwrap()
            .encoding
            .is_empty()
    );
}

#[test]
fn the_first_shared_schema_of_an_operation_has_one_id() {
    let model = read(
        "openapi: 3.0.0\ncomponents: {schemas: {A: {}}, parameters: {P: {name: p, in: query, schema: {type: string}}}}\n\
         paths: {/a: {parameters: [{$ref: '#/components/parameters/P'}], get: {responses: {}}, put: {responses: {}}}}",
    );
    assert_eq!(
        model.operations[0].parameters[0].schema,
        model.operations[1].parameters[0].schema
    );
    assert_eq!(
        schema(&model, model.operations[0].parameters[0].schema.unwrap())
            .origin
            .pointer(),
        "#/components/parameters/P/schema"
    );
    assert_eq!(named(&model, "A").name.as_deref(), Some("A"));
}

#[test]
fn names_may_look_like_extensions() {
    let model = read(
        "openapi: 3.0.0\ncomponents: {securitySchemes: {x-api-key: {type: apiKey, in: header, name: x-api-key}, x-note: text}, \
         schemas: {x-a: {type: string}, x-b: text}, responses: {x-r: {description: r}, x-s: 5}}\n\
         paths: {/a: {get: {responses: {200: {description: ok, content: {x-world/x-3dmf: {}, x-c: {}}}}}}, x-d: {get: {}}}",
    );
    assert_eq!(model.security_schemes.len(), 1);
    assert_eq!(model.named_schemas.len(), 1);
    assert_eq!(model.named_responses.len(), 1);
    assert_eq!(model.operations.len(), 1);
    assert_eq!(model.operations[0].responses[0].content.len(), 1);
}

#[test]
fn a_path_gets_the_slash_that_it_lacks() {
    let (model, reported) = read_reported(
        "openapi: 3.0.3\ninfo: {title: T, version: '1'}\npaths:\n  pets/{id}: {get: {responses: {}}}\n  /a: {get: {responses: {}}}\n",
    );
    let paths: Vec<&str> = model
        .operations
        .iter()
        .map(|operation| operation.path.as_str())
        .collect();
    assert_eq!(paths, ["/pets/{id}", "/a"]);
    let reading = "is read as `/pets/{id}`: a path begins with a slash";
    assert_eq!(
        reported,
        format!("W0106 #/paths/pets~1{{id}}: `pets/{{id}}` {reading}")
    );
}

#[test]
fn streaming_of_fern_is_read_into_one_entry() {
    let content = |format: &str, names: &[&str]| {
        let entries: Vec<String> = names.iter().map(|name| format!("'{name}': {{}}")).collect();
        let model = read(&format!(
            "openapi: 3.0.3\npaths: {{/a: {{get: {{x-fern-streaming: {{format: {format}}}, \
             responses: {{200: {{description: d, content: {{{}}}}}}}}}}}}}",
            entries.join(", ")
        ));
        let content = model.operations[0].responses[0].content.iter();
        let shown = content.map(|media| {
            let marks = media.extensions.iter().map(|(key, _)| format!(" {key}"));
            media.name.clone() + &marks.collect::<String>()
        });
        shown.collect::<Vec<_>>()
    };
    let events = ["application/json", "text/event-stream"];
    assert_eq!(content("sse", &events), events);
    let lines = ["application/json", "application/x-ndjson"];
    assert_eq!(content("json", &lines), lines);
    let [sequence, patch, json] = [
        "application/json-seq",
        "application/json-patch+json",
        "application/JSON; charset=utf-8",
    ];
    let others = [sequence, patch, json];
    assert_eq!(content("sse", &others), [sequence, patch, events[1]]);
    let marked = format!("{json} x-bothends-stream");
    assert_eq!(content("json", &others), [sequence, patch, &marked]);
    let twice = ["application/json", "application/json; v=2"];
    assert_eq!(content("sse", &twice), [events[1], twice[1]]);
}

#[test]
fn alternatives_of_security_keep_their_places() {
    let text =
        "openapi: 3.0.3\npaths: {/a: {get: {security: [key, [1], {oauth: []}], responses: {}}}}";
    let (model, _) = read_files(&[("api.yaml", text)]);
    let operation = &model.expect("a document").operations[0];
    let places = operation.security_at.iter().map(|at| at.pointer());
    let expected = [0, 2].map(|at| format!("#/paths/~1a/get/security/{at}"));
    assert_eq!(places.collect::<Vec<_>>(), expected);
    assert_eq!(operation.security.as_ref().map(Vec::len), Some(2));
}
