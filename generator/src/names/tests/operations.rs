//! Operations and tags.

use super::*;

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
    // `fooErrorError` is no one else's, `fooError` would be if a base were a type.
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
