//! Changes of a document that leave the code of those who use it as it is: the same source compiles
//! against the crates of two versions of a document.

use std::fs;
use std::path::Path;

use bothends::Builder;
use bothends_tests::root;
use bothends_tests::scratch::run;

const BEFORE: &str = r"
openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200':
          description: Some pets.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
        '404': { $ref: '#/components/responses/Missing' }
    post:
      operationId: addPet
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses:
        '204': { description: Added. }
        '404': { $ref: '#/components/responses/Missing' }
        '429': { $ref: '#/components/responses/Busy' }
  /pets/{id}/{part}:
    get:
      operationId: getPart
      parameters:
        - { name: zone, in: query, required: true, schema: { type: string } }
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: age, in: query, required: true, schema: { type: integer } }
        - { name: part, in: path, required: true, schema: { type: string } }
      responses:
        '200':
          description: A part.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
        4XX: { $ref: '#/components/responses/Missing' }
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses:
        '200':
          description: A pet.
          content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
        '404': { $ref: '#/components/responses/Missing' }
        '410': { $ref: '#/components/responses/Gone' }
  /ping:
    get:
      operationId: ping
      responses:
        '204': { description: Here. }
components:
  responses:
    Busy:
      description: Not now.
      headers:
        Retry-After: { schema: { type: integer } }
      content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } }
    Gone: { description: No more. }
    Missing: { description: Nothing., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  schemas:
    Error: { type: object, required: [message], properties: { message: { type: string } } }
    Kind: { type: string, enum: [cat, dog] }
    Pet:
      type: object
      required: [name, age]
      properties:
        name: { type: string }
        age: { type: integer }
        kind: { $ref: '#/components/schemas/Kind' }
";

/// What changes, each for something that the code below does: what stands in the document, and what
/// takes its place.
const CHANGES: &[(&str, &str, &str)] = &[
    (
        "a documented header",
        "          description: A pet.\n",
        "          description: A pet.\n          headers: { X-Version: { schema: { type: integer } } }\n",
    ),
    (
        "a documented header where there was nothing at all",
        "        '204': { description: Added. }\n",
        "        '204': { description: Added., headers: { Location: { schema: { type: string } } } }\n",
    ),
    (
        "a documented header of an error with a body",
        "    Missing: { description: Nothing., ",
        "    Missing: { description: Nothing., headers: { X-Hint: { schema: { type: string } } }, ",
    ),
    (
        "a documented header of an error without a body",
        "    Gone: { description: No more. }\n",
        "    Gone: { description: No more., headers: { X-Since: { required: true, schema: { type: string } } } }\n",
    ),
    (
        "a documented header of an error beside another, which is required now",
        "        Retry-After: { schema: { type: integer } }\n",
        "        X-Limit: { required: true, schema: { type: integer } }\n        Retry-After: { required: true, schema: { type: integer } }\n",
    ),
    (
        "an optional parameter beside another",
        "        - { name: limit, in: query, schema: { type: integer } }\n",
        "        - { name: after, in: query, schema: { type: string } }\n        - { name: limit, in: query, schema: { type: integer } }\n",
    ),
    (
        "an optional parameter beside a required one",
        "        - { name: id, in: path, required: true, schema: { type: integer } }\n      responses:\n",
        "        - { name: id, in: path, required: true, schema: { type: integer } }\n        - { name: verbose, in: query, schema: { type: boolean } }\n      responses:\n",
    ),
    (
        "an optional parameter where there was none",
        "      operationId: ping\n",
        "      operationId: ping\n      parameters: [{ name: loud, in: query, schema: { type: boolean } }]\n",
    ),
    (
        "an optional parameter beside a body",
        "      operationId: addPet\n",
        "      operationId: addPet\n      parameters: [{ name: dry, in: query, schema: { type: boolean } }]\n",
    ),
    (
        "an optional property",
        "        kind: { $ref: '#/components/schemas/Kind' }\n",
        "        kind: { $ref: '#/components/schemas/Kind' }\n        color: { type: string }\n",
    ),
    (
        "an optional property of an error",
        "properties: { message: { type: string } } }",
        "properties: { message: { type: string }, hint: { type: string } } }",
    ),
    (
        "properties in another order",
        "        name: { type: string }\n        age: { type: integer }\n",
        "        age: { type: integer }\n        name: { type: string }\n",
    ),
    (
        "required properties in another order",
        "      required: [name, age]\n",
        "      required: [age, name]\n",
    ),
    (
        "a status of an error",
        "          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }\n",
        "          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }\n        '409': { $ref: '#/components/responses/Missing' }\n        5XX: { description: It failed. }\n",
    ),
    (
        "a status where another operation keeps its errors",
        "  /pets/{id}/{part}:\n",
        "        '422': { $ref: '#/components/responses/Missing' }\n  /pets/{id}/{part}:\n",
    ),
    (
        "an error where there was none",
        "        '204': { description: Here. }\n",
        "        '204': { description: Here. }\n        default: { $ref: '#/components/responses/Missing' }\n",
    ),
    (
        "required parameters in another order",
        "        - { name: zone, in: query, required: true, schema: { type: string } }\n        - { name: id, in: path, required: true, schema: { type: integer } }\n        - { name: age, in: query, required: true, schema: { type: integer } }\n        - { name: part, in: path, required: true, schema: { type: string } }\n",
        "        - { name: part, in: path, required: true, schema: { type: string } }\n        - { name: age, in: query, required: true, schema: { type: integer } }\n        - { name: id, in: path, required: true, schema: { type: integer } }\n        - { name: zone, in: query, required: true, schema: { type: string } }\n",
    ),
    (
        "an operation more",
        "  /ping:\n",
        "  /owners:\n    get: { operationId: listOwners, responses: { '204': { description: None. } } }\n  /ping:\n",
    ),
];

/// What somebody has written with the crate.
const PROBE: &str = r#"//! A user of both ends.

use bothends_runtime::{OperationError as _, StatusCode};
use bothends_runtime::client::{Error, Transport};
use bothends_runtime::server::{self, Context};
use pets::client::Client;
use pets::operations::*;
use pets::server::DefaultApi;
use pets::types::{self, Kind, Pet};

/// Calls everything.
pub async fn calls<T: Transport>(client: &Client<T>) -> Option<String> {
    client.ping().await.ok()?;
    let pets = client.list_pets().await.ok()?;
    let request = ListPetsRequest::new().limit(10);
    let more = client.list_pets_with(request).await.ok()?.into_inner();
    let mut pet = Pet::new(3, "Rex".to_owned()).kind(Kind::Dog);
    pet.kind = None;
    let added = client.add_pet(pet.clone()).await.ok()?;
    let _: () = added.into_inner();
    client.add_pet(AddPetRequest::new(pet)).await.ok()?;
    let (part, zone) = ("tail".to_owned(), "north".to_owned());
    let part = client.get_part(GetPartRequestInit { id: 7, part, age: 3, zone });
    let part: Pet = match part.await {
        Ok(part) => part.into_inner(),
        Err(Error::Api { error: GetPartError::ClientError { status, body }, .. }) => {
            return Some(format!("{status} {}", body.message));
        }
        Err(_) => return None,
    };
    client.get_pet(GetPetRequest::new(8)).await.ok()?;
    match client.get_pet(7).await {
        Ok(pet) => Some(format!("{} {} {} {}", pet.name, pet.status(), part.age, pets.len() + more.len())),
        Err(Error::Api { error: GetPetError::NotFound(body), .. }) => Some(body.message),
        Err(Error::Api { error: GetPetError::Gone, .. }) => None,
        Err(error) => error.message().map(str::to_owned),
    }
}

/// What is wrong with a list.
pub fn reported(error: &ListPetsError) -> Option<&str> {
    match error {
        ListPetsError::NotFound(body) => Some(&body.message),
        other => other.message(),
    }
}

/// When to try once more.
pub fn pause(error: &Error<AddPetError>) -> Option<i64> {
    let headers: AddPetErrorHeaders = error.documented_headers()?;
    headers.retry_after
}

/// The service.
pub struct Service;

impl DefaultApi for Service {
    async fn list_pets(
        &self,
        _: Context,
        request: ListPetsRequest,
    ) -> Result<ListPetsResponse, server::Error<ListPetsError>> {
        match request.limit {
            Some(0) => Err(ListPetsError::NotFound(types::Error::new("none".to_owned())))?,
            _ => Ok(Vec::new().into()),
        }
    }

    async fn add_pet(
        &self,
        _: Context,
        request: AddPetRequest,
    ) -> Result<AddPetResponse, server::Error<AddPetError>> {
        let busy = || AddPetError::TooManyRequests(types::Error::new("busy".to_owned()));
        match request.body.age {
            0 => Err(busy())?,
            1 => {
                let headers = AddPetErrorHeaders::new().retry_after(30);
                Err(server::Error::with_headers(busy(), headers))
            }
            _ => Ok(().into()),
        }
    }

    async fn get_part(
        &self,
        _: Context,
        request: GetPartRequest,
    ) -> Result<GetPartResponse, server::Error<GetPartError>> {
        if request.id == 0 {
            let status = StatusCode::GONE;
            let body = types::Error::new("gone".to_owned());
            return Err(GetPartError::ClientError { status, body }.into());
        }
        Ok(GetPartResponse::new(Pet::new(request.age, request.part)))
    }

    async fn get_pet(
        &self,
        _: Context,
        request: GetPetRequest,
    ) -> Result<GetPetResponse, server::Error<GetPetError>> {
        match request.id {
            0 => Err(GetPetError::Gone.into()),
            id => Ok(Pet::new(id, "Rex".to_owned()).into()),
        }
    }

    async fn ping(
        &self,
        _: Context,
        _: PingRequest,
    ) -> Result<PingResponse, server::Error<PingError>> {
        Ok(PingResponse::new(()))
    }
OWNERS}
"#;

/// The handler of the operation that a document has more.
const OWNERS: &str = r"
    async fn list_owners(
        &self,
        _: Context,
        _: ListOwnersRequest,
    ) -> Result<ListOwnersResponse, server::Error<ListOwnersError>> {
        Ok(ListOwnersResponse::new(()))
    }
";

fn compiles(document: &str, owners: &str) -> Result<(), String> {
    compiles_with(document, &PROBE.replace("OWNERS", owners))
}

/// Compiles a user's crate with the crate `pets` of a document. An error is what the compiler printed.
pub(crate) fn compiles_with(document: &str, source: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().expect("a folder");
    let spec = dir.path().join("api.yaml");
    fs::write(&spec, document).expect("written");
    let runtime = root().join("runtime");
    let plan = Builder::new(&spec)
        .name("pets")
        .runtime_path(&runtime)
        .plan();
    let plan = plan.expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("written");
    };
    for file in &plan.files {
        write(&dir.path().join("pets").join(&file.path), &file.text);
    }
    let manifest = format!(
        "[package]\nname = \"compatible\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nbothends-runtime = {{ path = {:?} }}\n\
         pets = {{ path = \"../pets\", features = [\"client\", \"server\"] }}\n\n[workspace]\n",
        runtime.display().to_string()
    );
    let user = dir.path().join("user");
    write(&user.join("Cargo.toml"), &manifest);
    write(&user.join("src/lib.rs"), source);
    let checked = run(&user, &["check"]).expect("cargo runs");
    if checked.clean {
        Ok(())
    } else {
        Err(checked.output)
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn code_that_uses_a_document_compiles_when_it_grows() {
    assert_eq!(compiles(BEFORE, ""), Ok(()));
    let (mut all, mut failures) = (BEFORE.to_owned(), String::new());
    for (what, old, new) in CHANGES {
        assert_eq!(
            (BEFORE.matches(old).count(), all.matches(old).count()),
            (1, 1),
            "{what}"
        );
        all = all.replacen(old, new, 1);
    }
    if let Err(output) = compiles(&all, OWNERS) {
        // Which of them it is.
        for (what, old, new) in CHANGES {
            let owners = if new.contains("listOwners") {
                OWNERS
            } else {
                ""
            };
            if let Err(output) = compiles(&BEFORE.replacen(old, new, 1), owners) {
                failures.push_str(&format!("{what}:\n{output}\n"));
            }
        }
        failures.push_str(&format!("all at once:\n{output}"));
    }
    assert!(failures.is_empty(), "{failures}");
}
