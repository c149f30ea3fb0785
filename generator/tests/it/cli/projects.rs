//! `new`

use super::{Folder, broken};

#[test]
fn a_project_starts_in_a_folder_of_its_own() {
    for template in ["client", "server", "build-rs"] {
        let folder = Folder::new();
        let args = ["new", "shop", "--spec", "pets.yaml", "--template", template];
        let text = folder.ok(&args);
        assert!(text.contains("written   src/main.rs"), "{text}");
        let manifest: toml::Table = folder.read("shop/Cargo.toml").parse().expect("TOML");
        assert_eq!(manifest["package"]["name"].as_str(), Some("shop"));
        for (path, text) in folder.files() {
            let rust = path.ends_with(".rs");
            assert!(!text.contains("{{"), "{path}: {text}");
            assert!(!rust || syn::parse_file(&text).is_ok(), "{path}: {text}");
        }
        let before = folder.files();
        let run = folder.run(&args);
        assert_eq!(
            (run.code, run.err.contains("not empty")),
            (Some(2), true),
            "{}",
            run.err
        );
        assert_eq!(folder.files(), before);
    }
}

#[test]
fn the_next_step_is_one_that_works() {
    let folder = Folder::new();
    let args = ["new", "shop", "--spec", "pets.yaml", "--template", "server"];
    let text = folder.ok(&args);
    assert!(!text.contains("cargo run"), "{text}");
    assert!(text.contains("again with `--runtime-path DIR`"), "{text}");
    let text = folder.ok(&[
        "new",
        "other",
        "--spec",
        "pets.yaml",
        "--template",
        "server",
        "--runtime-path",
        "bothends/runtime",
    ]);
    assert!(text.ends_with("Next: cd other && cargo run\n"), "{text}");
}

#[test]
fn a_project_regenerates_its_crate_by_its_configuration() {
    let folder = Folder::new();
    folder.ok(&["new", "shop", "--spec", "pets.yaml", "--template", "client"]);
    let text = folder.ok(&["generate", "--check", "--config", "shop/bothends.toml"]);
    assert_eq!(text, "up to date\n");
}

#[test]
fn a_broken_document_creates_no_project() {
    let folder = Folder::new();
    folder.put("pets.yaml", &broken());
    let run = folder.run(&["new", "shop", "--spec", "pets.yaml", "--template", "client"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(!folder.has("shop"));
}

#[test]
fn a_document_without_operations_is_refused() {
    let folder = Folder::new();
    folder.put(
        "hooks.yaml",
        "openapi: 3.1.0\ninfo: { title: Hooks, version: 1.0.0 }\nwebhooks: {}\n",
    );
    let run = folder.run(&[
        "new",
        "shop",
        "--spec",
        "hooks.yaml",
        "--template",
        "server",
    ]);
    assert_eq!(
        (run.code, run.err.contains("nothing to call")),
        (Some(2), true),
        "{}",
        run.err
    );
    assert!(!folder.has("shop"));
}

#[test]
fn both_ends_of_a_document_meet_at_its_base_path() {
    let folder = Folder::new();
    let swagger = "
swagger: '2.0'
info: { title: Pets, version: 1.0.0 }
basePath: /v2/pets/
paths:
  /all: { get: { operationId: listPets, responses: { '200': { description: All } } } }
";
    folder.put("pets.yaml", swagger);
    for template in ["client", "server", "build-rs"] {
        let args = [
            "new",
            template,
            "--spec",
            "pets.yaml",
            "--template",
            template,
        ];
        folder.ok(&args);
    }
    for client in ["client/src/main.rs", "build-rs/src/main.rs"] {
        let main = folder.read(client);
        let called = "Client::new(\"http://localhost:8080/v2/pets\")";
        assert!(main.contains(called), "{main}");
    }
    let main = folder.read("server/src/main.rs");
    assert!(
        main.contains("router(Service)\n        .base_path(BASE_PATH)\n"),
        "{main}"
    );
    let api = folder.read("server/api/src/server.rs");
    let path = "pub const BASE_PATH: &str = \"/v2/pets\";";
    assert!(api.contains(path), "{api}");
}

#[test]
fn the_first_call_needs_no_credentials_where_there_is_such_an_operation() {
    let folder = Folder::new();
    let pets = folder.read("pets.yaml");
    let guarded = "security: [{ key: [] }]\npaths:\n";
    let schemes =
        "components:\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }\n";
    let open = "  /status: { get: { operationId: getStatus, security: [], responses: { '200': { description: Up } } } }\n";
    let pets = pets
        .replace("paths:\n", guarded)
        .replace("components:\n", &format!("{open}{schemes}"));
    folder.put("pets.yaml", &pets);
    folder.ok(&["new", "shop", "--spec", "pets.yaml", "--template", "client"]);
    let main = folder.read("shop/src/main.rs");
    assert!(main.contains("client.get_status().await?"), "{main}");
    assert!(!main.contains("client.list_pets("), "{main}");
}

#[test]
fn a_project_has_a_copy_of_its_document() {
    for (template, config) in [("client", Some("bothends.toml")), ("build-rs", None)] {
        let folder = Folder::new();
        let root = "
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets: { $ref: 'paths/pets.yaml' }
";
        let pets = "
get:
  operationId: listPets
  responses:
    '200':
      description: All
      content: { application/json: { schema: { $ref: '../../shared/pet.yaml' } } }
";
        folder.put("docs/v1/pets.yaml", root);
        folder.put("docs/v1/paths/pets.yaml", pets);
        folder.put(
            "docs/shared/pet.yaml",
            "type: object\nproperties: { name: { type: string } }\n",
        );
        let spec = ["--spec", "docs/v1/pets.yaml", "--allow-outside"];
        folder.ok(&[&["new", "shop", "--template", template], &spec[..]].concat());
        for (path, text) in [("v1/pets.yaml", root), ("v1/paths/pets.yaml", pets)] {
            assert_eq!(folder.read(&format!("shop/spec/{path}")), text);
        }
        assert!(folder.has("shop/spec/shared/pet.yaml"));
        if let Some(config) = config {
            // The originals are not read again.
            folder.put("docs/v1/pets.yaml", "");
            let config = format!("shop/{config}");
            let text = folder.ok(&["generate", "--check", "--config", &config]);
            assert_eq!(text, "up to date\n");
        } else {
            let script = folder.read("shop/build.rs");
            assert!(
                script.contains("Builder::new(\"spec/v1/pets.yaml\")"),
                "{script}"
            );
            // The files are in the new project.
            assert!(!script.contains("allow_outside"), "{script}");
        }
    }
}

#[test]
fn a_document_of_webhooks_alone_is_received() {
    let folder = Folder::new();
    let hooks = "
openapi: 3.1.0
info: { title: Hooks, version: 1.0.0 }
webhooks:
  orderShipped:
    post:
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '204': { description: Noted } }
";
    folder.put("hooks.yaml", hooks);
    let new = ["new", "shop", "--spec", "hooks.yaml", "--template"];
    let run = folder.run(&[&new[..], &["client"]].concat());
    assert!(run.err.contains("`--template server`"), "{}", run.err);
    assert!(!folder.has("shop"));
    folder.ok(&[&new[..], &["server"]].concat());
    let main = folder.read("shop/src/main.rs");
    assert!(syn::parse_file(&main).is_ok(), "{main}");
    let kind = "/// - `order_shipped`, at `POST /orderShipped`\n";
    assert!(main.contains(kind), "{main}");
    let text = folder.ok(&["generate", "--check", "--config", "shop/bothends.toml"]);
    assert_eq!(text, "up to date\n");
}
