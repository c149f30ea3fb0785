//! Calls that name their values: after a change of the document the same source does not compile, or does the same.

use crate::compatible::compiles_with;

const DOCUMENT: &str = r"
openapi: 3.1.0
info: { title: Copies, version: '1' }
paths:
  /copies:
    post:
      operationId: copy
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/CopyJob' } } } }
      responses: { '204': { description: Copied. } }
  /files/{owner}/{name}:
    get:
      operationId: getFile
      parameters:
        - { name: owner, in: path, required: true, schema: { type: string } }
        - { name: name, in: path, required: true, schema: { type: string } }
      responses: { '204': { description: A file. } }
components:
  schemas:
    CopyJob:
      type: object
      required: [source, destination]
      properties:
        source: { type: string }
        destination: { type: string }
";

const SOURCE: &str = r#"//! Copies a file.

use bothends_runtime::client::Transport;
use pets::client::Client;
use pets::operations::GetFileRequestInit;
use pets::types::{CopyJob, CopyJobInit};

/// Copies a file that exists.
pub async fn copied<T: Transport>(client: &Client<T>, source: &str, destination: &str) -> Option<()> {
    let (owner, name) = source.split_once('/')?;
    let file = GetFileRequestInit { owner: owner.into(), name: name.into() };
    client.get_file(file).await.ok()?;
    let copy = CopyJob::from(CopyJobInit { source: source.into(), destination: destination.into() });
    client.copy(copy).await.ok()?;
    Some(())
}
"#;

/// What changes: texts of the document, each with its replacement, and the code of the compiler's error.
type Change = (
    &'static str,
    &'static [(&'static str, &'static str)],
    Option<&'static str>,
);

#[rustfmt::skip]
const CHANGES: &[Change] = &[
    ("nothing", &[], None),
    ("a renamed property", &[("destination", "target")], Some("E0560")),
    ("properties in another order", &[
        ("        source: { type: string }\n        destination: { type: string }\n",
         "        destination: { type: string }\n        source: { type: string }\n"),
    ], None),
    ("required names in another order", &[("[source, destination]", "[destination, source]")], None),
    ("a further required property", &[
        ("[source, destination]", "[source, destination, at]"),
        ("        source:", "        at: { type: string }\n        source:"),
    ], Some("E0063")),
    ("an optional property", &[("        source:", "        at: { type: string }\n        source:")], None),
    ("a required property fewer", &[
        ("[source, destination]", "[source]"),
        ("        destination: { type: string }\n", ""),
    ], Some("E0432")),
    ("a property that becomes optional", &[("[source, destination]", "[source]")], Some("E0432")),
    ("another type", &[("destination: { type: string }", "destination: { type: integer }")], Some("E0432")),
    ("a renamed path parameter", &[("{owner}", "{org}"), ("name: owner", "name: org")], Some("E0560")),
    ("a path in another order", &[("{owner}/{name}", "{name}/{owner}")], None),
];

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_call_compiles_only_if_it_does_the_same() {
    for (what, replacements, code) in CHANGES {
        let mut document = DOCUMENT.to_owned();
        for (old, new) in *replacements {
            assert!(document.contains(old), "{what}");
            document = document.replace(old, new);
        }
        let found = compiles_with(&document, SOURCE);
        match code {
            None => assert_eq!(found, Ok(()), "{what}"),
            Some(code) => {
                let output = found.expect_err(what);
                assert!(
                    output.contains(&format!("error[{code}]")),
                    "{what}: {output}"
                );
            }
        }
    }
}
