//! `deps`

use super::{Folder, PETS};

#[test]
fn dependencies_are_printed_as_lines_of_a_manifest() {
    let folder = Folder::new();
    let text = folder.ok(&["deps", "pets.yaml", "--parts", "client"]);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        text,
        format!(
            "# Needed by the code generated from `pets.yaml`.\n[dependencies]\n\
             bothends-runtime = {{ version = \"{version}\", features = [\n    \
             \"client\", # client for 1 operation\n    \
             \"rustls\", # optional: `Client::new` with https; `native-tls` uses the \
             system's TLS library\n] }}\n"
        )
    );
    let types = folder.ok(&["deps", "pets.yaml", "--parts", "types"]);
    let line = format!("\n[dependencies]\nbothends-runtime = \"{version}\"\n");
    assert!(types.ends_with(&line), "{types}");
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn each_feature_says_where_the_document_needs_it() {
    let folder = Folder::new();
    let query = "operationId: listPets\n      parameters: [{ name: of, in: query, schema: { type: \
                 string, pattern: '^[a-z]+$' } }]";
    let fields = "owner: { type: string, format: uuid }\n        \
                  vet: { type: string, format: uuid }\n        \
                  born: { type: string, format: date }\n        \
                  price: { type: string, format: decimal }";
    folder.put(
        "pets.yaml",
        &PETS
            .replace("name: { type: string }", fields)
            .replace("operationId: listPets", query),
    );
    folder.put(
        "bothends.toml",
        "spec = 'pets.yaml'\nparts = ['types']\nserde = 'derive'\nruntime-path = 'vendor/runtime'\n\
         [formats]\ndecimal = 'rust_decimal::Decimal'\n",
    );
    let text = folder.ok(&["deps", "--build-script"]);
    let at = |line: usize, field: &str| {
        format!("first at pets.yaml:{line} (#/components/schemas/Pet/properties/{field})")
    };
    let expected = [
        "# Needed by the code generated from `pets.yaml`.".to_owned(),
        "[dependencies]".to_owned(),
        "bothends-runtime = { path = \"vendor/runtime\", features = [".to_owned(),
        "    \"derive\", # `serde = \"derive\"` is set".to_owned(),
        format!("    \"jiff\", # `format: date`, {}", at(25, "born")),
        "    \"pattern\", # `pattern`, first at pets.yaml:8 (#/paths/~1pets/get/parameters/0)".to_owned(),
        format!("    \"uuid\", # `format: uuid`, {}", at(23, "owner")),
        "] }".to_owned(),
        "# rust_decimal = { version = \"…\", features = [\"serde\"] } # a type of `[formats]`; choose \
         the version"
            .to_owned(),
        String::new(),
        "[build-dependencies]".to_owned(),
        format!(
            "bothends = {{ version = \"{}\", default-features = false }}",
            env!("CARGO_PKG_VERSION")
        ),
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);

    // What the configuration lists is printed as the generated crate has it.
    let config = folder.read("bothends.toml");
    let listed = "[dependencies]\nrust_decimal = { version = '1', features = ['serde'] }\n";
    folder.put("bothends.toml", &format!("{config}{listed}"));
    let text = folder.ok(&["deps"]);
    let line = "\nrust_decimal = { features = [\"serde\"], version = \"1\" }\n";
    assert!(text.ends_with(line), "{text}");
    let table: toml::Table = text.parse().expect("TOML");
    let runtime = &table["dependencies"]["bothends-runtime"];
    let features = runtime["features"].as_array().expect("a list");
    assert_eq!(features.len(), 4, "{text}");
}

#[test]
fn a_broken_document_has_no_dependencies() {
    let folder = Folder::new();
    folder.put("pets.yaml", &super::broken());
    let run = folder.run(&["deps", "pets.yaml"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""), "{}", run.err);
    assert!(run.err.contains("E0201"), "{}", run.err);
}

#[test]
fn a_receiver_of_webhooks_is_independent_of_the_client() {
    let folder = Folder::new();
    let shop = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/specs/shop.yaml");
    let text = folder.ok(&["deps", shop, "--parts", "webhooks"]);
    let needed: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("\", # "))
        .collect();
    let needed: Vec<&str> = needed
        .into_iter()
        .filter(|line| !line.contains("optional: "))
        .collect();
    assert_eq!(needed.len(), 1, "{text}");
    assert!(
        needed[0]
            .trim_start()
            .starts_with("\"server\", # receiver of "),
        "{text}"
    );
}
