//! `stubs`

use super::Folder;

const LIST_PETS: &str = "    // GET /pets
    async fn list_pets(
        &self,
        _context: Context,
        _request: ListPetsRequest,
    ) -> Result<ListPetsResponse, Error<ListPetsError>> {
        Err(Rejection::new(RejectionKind::NotImplemented).into())
    }
";

#[test]
fn a_server_starts_with_every_method() {
    let folder = Folder::new();
    let expected = format!(
        "use bothends_runtime::server::{{Context, Error, Rejection, RejectionKind}};\n\n\
         use crate::api::operations::*;\nuse crate::api::server::PetsApi;\n\n\
         /// Implements the operations.\npub struct Service;\n\nimpl PetsApi for Service {{\n{LIST_PETS}}}\n"
    );
    assert_eq!(folder.ok(&["stubs", "pets.yaml"]), expected);
    let other = folder.ok(&["stubs", "pets.yaml", "--api", "petstore"]);
    assert_eq!(other, expected.replace("crate::api", "petstore"));
}

#[test]
fn a_server_is_completed_in_its_impl() {
    let folder = Folder::new();
    let source = "mod inner {\n    /// The store.\n    impl<T: Send + Sync + 'static> super::PetsApi for Store<T> {}\n}\n";
    folder.put("src/service.rs", source);
    let complete = ["stubs", "pets.yaml", "--source", "src/service.rs"];
    let expected = format!(
        "// In scope: crate::api::operations::*, \
         bothends_runtime::server::{{Context, Error, Rejection, RejectionKind}}\n\n\
         impl<T: Send + Sync + 'static> super::PetsApi for Store<T> {{\n{LIST_PETS}}}\n"
    );
    assert_eq!(folder.ok(&complete), expected);
    folder.put("src/service.rs", &expected);
    assert_eq!(folder.ok(&complete), "// Every method is implemented.\n");
}

#[test]
fn mistakes_are_reported() {
    let folder = Folder::new();
    folder.put("service.rs", "impl {");
    let run = folder.run(&["stubs", "pets.yaml", "--source", "service.rs"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""));
    assert!(
        run.err.contains("`service.rs` is not Rust: "),
        "{}",
        run.err
    );
    let run = folder.run(&["stubs", "pets.yaml", "--source", "missing.rs"]);
    assert!(run.err.contains("cannot read `missing.rs`"), "{}", run.err);
    folder.put(
        "none.yaml",
        "openapi: 3.1.0\ninfo: { title: None, version: 1.0.0 }\npaths: {}\n",
    );
    let run = folder.run(&["stubs", "none.yaml"]);
    assert_eq!(run.code, Some(2), "{}", run.err);
    assert!(run.err.contains("has no operations"), "{}", run.err);
}
