//! The rule of the module, case by case.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::{
    Api, Doc, Field, Module, Name, Object, Operation, Parent, Primitive, Stability, StringEnum,
    StringVariant, Tag, TypeDef, TypeId, TypeKind, TypeRef, Unknown,
};
use crate::position::{FileId, Origin, Pointer};

mod any;
mod errors;
mod obstacles;
mod operations;

fn at(pointer: &str) -> Origin {
    Origin::new(FileId::default(), Pointer::parse(pointer))
}

fn def(wire: &str, parent: Option<Parent>, module: Module, kind: TypeKind) -> TypeDef {
    TypeDef {
        origin: at(&format!("#/components/schemas/{wire}")),
        name: Name::new(wire),
        parent,
        title: None,
        module,
        doc: Doc::default(),
        kind,
        rules: Vec::new(),
        output: true,
        input: true,
        non_exhaustive: false,
        traits: crate::ir::Traits::NONE,
        derives: Vec::new(),
        attributes: Vec::new(),
        imported: None,
    }
}

fn object(fields: &[&str]) -> TypeKind {
    let fields = fields.iter().map(|wire| Field {
        origin: at(&format!("#/components/schemas/X/properties/{wire}")),
        name: Name::new(*wire),
        ty: TypeRef::Primitive(Primitive::String),
        optional: false,
        required: true,
        doc: Doc::default(),
        default: None,
        fixed: false,
        or_none: false,
        rules: Vec::new(),
        writer: crate::ir::Writer::Both,
    });
    let extra = Unknown::Kept(Name::new("extra"), TypeRef::Primitive(Primitive::Json));
    TypeKind::Object(Object {
        fields: fields.collect(),
        constants: Vec::new(),
        unknown: extra,
        each: Vec::new(),
        init: None,
    })
}

fn string_enum(values: &[&str]) -> TypeKind {
    let variants = values.iter().map(|v| StringVariant {
        name: Name::new(*v),
        doc: Doc::default(),
    });
    let fallback = Some(Name::new("unrecognized"));
    TypeKind::StringEnum(StringEnum {
        variants: variants.collect(),
        fallback,
    })
}

fn operation(id: &str, tag: Option<usize>) -> Operation {
    Operation {
        origin: at(&format!("#/paths/~1{id}/get")),
        name: Name::new(id),
        base: String::new(),
        tags: Vec::new(),
        server: None,
        stability: Stability::default(),
        tag,
        method: "GET".to_owned(),
        path: "/".to_owned(),
        segments: Vec::new(),
        doc: Doc::default(),
        params: Vec::new(),
        body: None,
        successes: Vec::new(),
        errors: Vec::new(),
        security: Vec::new(),
        security_by_body: Vec::new(),
        links: Vec::new(),
        stated_links: Vec::new(),
        task: None,
        pages: None,
        retries: None,
        idempotency_key: None,
        webhook: None,
        summary: None,
        with_request: None,
        task_methods: Default::default(),
        success_headers: Vec::new(),
        error_headers: Vec::new(),
        error_set: None,
        header_set: None,
    }
}

/// Assigns the names of an API, and returns the reported codes too.
fn assigned(mut api: Api) -> (Api, Vec<&'static str>) {
    let mut diagnostics = Diagnostics::new();
    super::assign(&mut api, &mut diagnostics);
    let reported = diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect();
    (api, reported)
}

fn of_types(kinds: Vec<TypeDef>) -> (Api, Vec<&'static str>) {
    assigned(Api {
        types: kinds,
        ..Api::default()
    })
}

fn types(wires: &[&str]) -> Vec<String> {
    let defs = wires
        .iter()
        .map(|wire| def(wire, None, Module::Types, object(&[])));
    of_types(defs.collect())
        .0
        .types
        .into_iter()
        .map(|def| def.name.rust)
        .collect()
}

fn fields(wires: &[&str]) -> Vec<String> {
    let (api, _) = of_types(vec![def("X", None, Module::Types, object(wires))]);
    match &api.types[0].kind {
        TypeKind::Object(object) => object
            .fields
            .iter()
            .map(|field| field.name.rust.clone())
            .collect(),
        _ => Vec::new(),
    }
}

fn variants(wires: &[&str]) -> Vec<String> {
    let (api, _) = of_types(vec![def("X", None, Module::Types, string_enum(wires))]);
    match &api.types[0].kind {
        TypeKind::StringEnum(definition) => definition
            .variants
            .iter()
            .map(|v| v.name.rust.clone())
            .collect(),
        _ => Vec::new(),
    }
}

fn operations(ids: &[&str]) -> Vec<(String, String)> {
    let operations = ids.iter().map(|id| operation(id, None)).collect();
    let (api, _) = assigned(Api {
        operations,
        ..Api::default()
    });
    api.operations
        .into_iter()
        .map(|op| (op.name.rust, op.base))
        .collect()
}

#[test]
fn known_names_are_one_word() {
    let wires = [
        "OAuth2Token",
        "useOAuth",
        "oAuth2",
        "enabledForGitHubApps",
        "iOSVersion",
        "ETag",
        "IPv4Address",
        "minTLSv12",
        // Two words, as in `openIdConnect` of OpenAPI, and not an entry of the table.
        "OpenIDConnect",
        "iOStream",
        "DETag",
    ];
    let snake = [
        "oauth2_token",
        "use_oauth",
        "oauth2",
        "enabled_for_github_apps",
        "ios_version",
        "etag",
        "ipv4_address",
        "min_tlsv12",
        "open_id_connect",
        "i_o_stream",
        "de_tag",
    ];
    for (wire, snake) in wires.iter().zip(snake) {
        assert_eq!(fields(&[wire]), [snake]);
    }
    assert_eq!(
        types(&["OAuth2Token", "GitHubApp", "ETagValue", "IPv4", "iOSApp"]),
        ["OAuth2Token", "GitHubApp", "ETagValue", "Ipv4", "IosApp"]
    );
}

#[test]
fn inline_types_are_named_for_what_they_stand_in() {
    let parent = |id| Some(Parent::Type(TypeId(id)));
    let mut api = Api {
        types: vec![
            def("shape", parent(1), Module::Types, object(&[])),
            def("", parent(2), Module::Types, object(&[])),
            def("Pet", None, Module::Types, object(&[])),
            def("status", parent(2), Module::Types, object(&[])),
            def("PetStatus", None, Module::Types, object(&[])),
            def(
                "body",
                Some(Parent::Operation(0, false)),
                Module::Tag(0),
                object(&[]),
            ),
            def(
                "body",
                Some(Parent::Operation(0, true)),
                Module::Webhooks,
                object(&[]),
            ),
            def("2 fold", parent(2), Module::Types, object(&[])),
        ],
        operations: vec![operation("listPets", Some(0))],
        webhooks: vec![operation("pet-added", None)],
        tags: vec![Tag {
            name: Name::new("pets"),
            trait_name: String::new(),
            doc: Doc::default(),
        }],
        ..Api::default()
    };
    // A cycle of parents must not cause an endless loop.
    api.types
        .push(def("loop", parent(8), Module::Types, object(&[])));
    let (api, reported) = assigned(api);
    let names: Vec<_> = api.types.iter().map(|def| def.name.rust.as_str()).collect();
    assert_eq!(
        names,
        [
            "PetInnerShape",
            "PetInner",
            "Pet",
            "PetStatus2",
            "PetStatus",
            "ListPetsBody",
            "PetAddedBody",
            "Pet2Fold",
            "Loop"
        ]
    );
    assert_eq!(reported, [codes::NAME_TAKEN.id]);
    assert_eq!(
        (
            api.tags[0].name.rust.as_str(),
            api.tags[0].trait_name.as_str()
        ),
        ("pets", "PetsApi")
    );
}

#[test]
fn deep_types_are_named_for_the_outermost() {
    let words = "quite a few words of its own";
    let mut types = vec![def("Root", None, Module::Types, object(&[]))];
    for id in 0..8 {
        types.push(def(
            words,
            Some(Parent::Type(TypeId(id))),
            Module::Types,
            object(&[]),
        ));
    }
    let (api, _) = of_types(types);
    let long = api
        .types
        .iter()
        .map(|def| def.name.rust.as_str())
        .collect::<Vec<_>>();
    assert_eq!(long[1], "RootQuiteAFewWordsOfItsOwn");
    assert_eq!(long[5], "RootQuiteAFewWordsOfItsOwn2");
    assert!(long.iter().all(|name| name.len() <= 100), "{long:?}");
}

#[test]
fn names_of_the_configuration_have_precedence() {
    let mut api = Api {
        types: vec![
            def("X", None, Module::Types, object(&["name", "kind"])),
            def("Colour", None, Module::Types, string_enum(&["red", "-red"])),
            def("pets.pet", None, Module::Types, object(&["owner.name"])),
        ],
        operations: vec![operation("getX", None)],
        ..Api::default()
    };
    let overrides = [
        ("/components/schemas/X/properties/kind", "sort"),
        ("Colour.-red", "NotRed"),
        ("X", "Thing"),
        ("getX", "fetch"),
        ("pets.pet", "Dog"),
        ("pets.pet.owner.name", "owner"),
        ("Nothing", "Something"),
        ("X.name", "1 2"),
    ];
    let overrides = overrides
        .map(|(key, name)| (key.to_owned(), name.to_owned()))
        .into();
    let mut diagnostics = Diagnostics::new();
    super::request(
        &mut api,
        &overrides,
        &crate::position::Keys::default(),
        &mut diagnostics,
    );
    super::assign(&mut api, &mut diagnostics);
    let reported: Vec<_> = diagnostics
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    assert_eq!(
        reported,
        [
            "`Nothing` of `[names]` matches nothing in the document",
            "`1 2`, the name chosen for `X.name`, is not a Rust identifier",
        ]
    );
    assert_eq!(api.types[0].name.rust, "Thing");
    assert_eq!(api.types[2].name.rust, "Dog");
    assert_eq!(
        (
            api.operations[0].name.rust.as_str(),
            api.operations[0].base.as_str()
        ),
        ("fetch", "Fetch")
    );
    match (&api.types[0].kind, &api.types[1].kind, &api.types[2].kind) {
        (TypeKind::Object(x), TypeKind::StringEnum(colour), TypeKind::Object(pet)) => {
            assert_eq!(x.fields[1].name.rust, "sort");
            assert_eq!(colour.variants[1].name.rust, "NotRed");
            assert_eq!(pet.fields[0].name.rust, "owner");
        }
        other => unreachable!("{other:?}"),
    }
}
