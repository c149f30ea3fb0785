//! Operations and tags.

use super::*;
use crate::ir::{ErrorSet, Response, StatusSpec};

#[test]
fn operations_share_their_scope() {
    let pair = |method: &str, base: &str| (method.to_owned(), base.to_owned());
    assert_eq!(
        operations(&[
            "listPets",
            "list-pets",
            "new",
            "type",
            "GET /pets/{petId}",
            "decode",
            "foo",
            "Foo"
        ]),
        [
            pair("list_pets", "ListPets"),
            pair("list_pets2", "ListPets2"),
            pair("new_", "New"),
            pair("r#type", "Type"),
            pair("get_pets_pet_id", "GetPetsPetId"),
            pair("decode", "DecodeOp"),
            pair("foo", "Foo"),
            pair("foo2", "Foo2"),
        ]
    );
    // `fooErrorError` does not conflict; `fooError` would conflict if a base were a type.
    assert_eq!(
        operations(&["foo", "fooError"]),
        [pair("foo", "Foo"), pair("foo_error", "FooError")]
    );
}

#[test]
fn tags_have_modules_and_traits() {
    let tags = ["Pets", "pets", "type", "types", "PetsApi", "日本", "1"];
    let tags = tags.map(|tag| Tag {
        name: Name::new(tag),
        trait_name: String::new(),
        doc: Doc::default(),
    });
    let (api, _) = assigned(Api {
        tags: tags.into(),
        ..Api::default()
    });
    let named: Vec<_> = api
        .tags
        .iter()
        .map(|tag| (tag.name.rust.as_str(), tag.trait_name.as_str()))
        .collect();
    assert_eq!(
        named,
        [
            ("pets2", "Pets2Api"),
            ("pets", "PetsApi"),
            ("type_api", "TypeApi"),
            ("types_api", "TypesApi"),
            ("pets_api", "Pets3Api"),
            ("日本", "日本Api"),
            ("n1", "N1Api")
        ]
    );
}

#[test]
fn a_name_chosen_for_an_error_is_not_shared() {
    let response = |id: &str| Response {
        origin: at(&format!("#/paths/~1{id}/get/responses/404")),
        status: StatusSpec::Code(404),
        name: Name::new("404"),
        payload: None,
        left_out: Vec::new(),
        doc: Doc::default(),
        code_path: None,
        message_path: None,
    };
    let api = || Api {
        operations: ["a", "b"]
            .map(|id| Operation {
                errors: vec![response(id)],
                error_set: Some(0),
                ..operation(id, None)
            })
            .into(),
        error_sets: vec![ErrorSet {
            name: Name::default(),
            content: String::new(),
            of_webhooks: false,
            responses: vec![response("a")],
            headers: Vec::new(),
        }],
        ..Api::default()
    };
    let named = |overrides: &[(&str, &str)]| {
        let overrides = overrides
            .iter()
            .map(|(id, name)| {
                (
                    format!("/paths/~1{id}/get/responses/404"),
                    (*name).to_owned(),
                )
            })
            .collect();
        let (mut api, mut diagnostics) = (api(), Diagnostics::new());
        crate::names::request(
            &mut api,
            &overrides,
            &crate::position::Keys::default(),
            &mut diagnostics,
        );
        crate::names::assign(&mut api, &mut diagnostics);
        let operations = api.operations.into_iter();
        let variants: Vec<_> = operations
            .map(|operation| (operation.errors[0].name.rust.clone(), operation.error_set))
            .collect();
        let sets: Vec<_> = api
            .error_sets
            .into_iter()
            .map(|error_set| error_set.name.rust)
            .collect();
        (variants, sets)
    };
    let variant = |name: &str, set| (name.to_owned(), set);
    assert_eq!(
        named(&[("a", "Gone")]),
        (
            vec![variant("Gone", None), variant("NotFound", Some(0))],
            vec!["Empty404".to_owned()]
        )
    );
    assert_eq!(
        named(&[("a", "Gone"), ("b", "Lost")]),
        (vec![variant("Gone", None), variant("Lost", None)], vec![])
    );
}
