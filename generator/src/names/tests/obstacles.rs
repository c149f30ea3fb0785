//! The obstacle course: difficult names.

use super::*;

#[test]
fn words_are_found_in_every_style() {
    assert_eq!(
        types(&[
            "pet",
            "pet_owner",
            "petOwner2",
            "pet-food",
            "pet.toy",
            "HTTPServer",
            "userIDs",
            "getURLs",
            "OAuth2Token",
            "XMLHttpRequest",
            "a b c",
            "don't",
            "V1.5",
            "gpt-4-0613",
            "Ａ１",
            "pet/cat",
        ]),
        [
            "Pet",
            "PetOwner",
            "PetOwner2",
            "PetFood",
            "PetToy",
            "HttpServer",
            "UserIds",
            "GetUrls",
            "OAuth2Token",
            "XmlHttpRequest",
            "ABC",
            "Dont",
            "V1_5",
            "Gpt4_0613",
            "A1",
            "PetCat",
        ]
    );
    assert_eq!(
        fields(&[
            "HTTPServer",
            "userIDs",
            "foo bar",
            "kebab-case",
            "a.b",
            "filter[async]",
            "v1.5",
            "i18n"
        ]),
        [
            "http_server",
            "user_ids",
            "foo_bar",
            "kebab_case",
            "a_b",
            "filter_async",
            "v1_5",
            "i18n"
        ]
    );
}

#[test]
fn the_prelude_keeps_its_names() {
    assert_eq!(
        types(&[
            "Option",
            "Result",
            "Vec",
            "String",
            "Box",
            "Some",
            "Ok",
            "Self",
            "StatusCode",
            "Map",
            "error"
        ]),
        [
            "OptionSchema",
            "ResultSchema",
            "VecSchema",
            "StringSchema",
            "BoxSchema",
            "SomeSchema",
            "OkSchema",
            "SelfSchema",
            "StatusCodeSchema",
            "MapSchema",
            "Error"
        ]
    );
    assert_eq!(
        types(&["Option", "OptionSchema"]),
        ["Option2", "OptionSchema"]
    );
}

#[test]
fn keywords_are_fields() {
    assert_eq!(
        fields(&[
            "type", "self", "Self", "crate", "super", "async", "gen", "r#try", "_", "fn", "union"
        ]),
        [
            "r#type",
            "self_",
            "self2",
            "crate_",
            "super_",
            "r#async",
            "r#gen",
            "r_try",
            "underscore",
            "r#fn",
            "union"
        ]
    );
}

#[test]
fn signs_are_dropped_or_spelled_out() {
    assert_eq!(
        fields(&[
            "+1",
            "-1",
            "@type",
            "$ref",
            "#text",
            "_id",
            "_links",
            "$",
            "",
            " ",
            "2fa",
            "1.5",
            "quote\"\\back"
        ]),
        [
            "plus_1",
            "minus_1",
            "r#type",
            "r#ref",
            "text",
            "id",
            "links",
            "dollar",
            "empty",
            "space",
            "n2fa",
            "n1_5",
            "quote_back"
        ]
    );
    assert_eq!(
        fields(&["@type", "type", "$type"]),
        ["at_type", "r#type", "dollar_type"]
    );
}

#[test]
fn values_of_enums_have_distinct_names() {
    assert_eq!(
        variants(&[
            "application/json",
            "created",
            "-created",
            "",
            " ",
            "1.5",
            "15",
            "*",
            "asc",
            "ASC",
            "A",
            "A+",
            "A-",
            "C++",
            "C#",
            ">=",
            "<=",
            "+1",
            "-1",
            "self",
            "Self",
            "crate",
            "日本",
            "1st",
            "404",
            "unrecognized",
            "👍",
            "👎",
            "Größe",
            "$gt",
        ]),
        [
            "ApplicationJson",
            "Created",
            "MinusCreated",
            "Empty",
            "Space",
            "N1_5",
            "N15",
            "Star",
            "Asc",
            "Asc2",
            "A",
            "APlus",
            "AMinus",
            "CPlusPlus",
            "CHash",
            "GreaterThanEqual",
            "LessThanEqual",
            "Plus1",
            "Minus1",
            "Self_",
            "Self2",
            "Crate",
            "日本",
            "N1st",
            "N404",
            "Unrecognized2",
            "U1f44d",
            "U1f44e",
            "Größe",
            "DollarGt"
        ]
    );
    assert_eq!(
        variants(&["application/json", "application+json"]),
        ["ApplicationJson", "ApplicationPlusJson"]
    );
}

#[test]
fn a_better_claim_keeps_the_name() {
    assert_eq!(
        fields(&["fooBar", "foo-bar", "foo_bar"]),
        ["foo_bar2", "foo_bar3", "foo_bar"]
    );
    assert_eq!(types(&["case", "Case"]), ["Case2", "Case"]);
    assert_eq!(types(&["pet1", "Pet1"]), ["Pet1_2", "Pet1"]);
    // An existing name is not changed by a later one.
    assert_eq!(fields(&["fooBar", "FooBar"]), ["foo_bar", "foo_bar2"]);
    assert_eq!(
        fields(&["fooBar", "FooBar", "foo.bar"]),
        ["foo_bar", "foo_bar2", "foo_dot_bar"]
    );
}

#[test]
fn collisions_are_reported() {
    let defs = vec![
        def("case", None, Module::Types, object(&[])),
        def("Case", None, Module::Types, object(&[])),
    ];
    let mut diagnostics = Diagnostics::new();
    super::super::assign(
        &mut Api {
            types: defs,
            ..Api::default()
        },
        &mut diagnostics,
    );
    let reported: Vec<_> = diagnostics
        .iter()
        .map(|found| found.message.as_str())
        .collect();
    assert_eq!(
        reported,
        ["`case` becomes `Case2`: `Case` already has the name `Case`"]
    );
}

#[test]
fn letters_that_rustc_warns_of_are_written_by_code_point() {
    // All three look like Latin. The last has a letter that does not.
    assert_eq!(
        fields(&["сор", "ѕ", "привет"]),
        ["u0441u043eu0440", "u0455", "привет"]
    );
    assert_eq!(fields(&["é", "e\u{301}"]), ["é", "é2"]);
    assert_eq!(
        fields(&["ﬁx", "x²", "ı", "größe", "名前"]),
        ["fix", "x2", "u0131", "größe", "名前"]
    );
}

#[test]
fn fallbacks_and_additional_properties_have_names_of_their_own() {
    let defs = vec![
        def(
            "E",
            None,
            Module::Types,
            string_enum(&["unrecognized", "Unrecognized"]),
        ),
        def("S", None, Module::Types, object(&["extra"])),
    ];
    let (api, reported) = of_types(defs);
    match (&api.types[0].kind, &api.types[1].kind) {
        (
            TypeKind::StringEnum(definition),
            TypeKind::Object(Object {
                unknown: Unknown::Kept(rest, _),
                ..
            }),
        ) => {
            assert_eq!(
                definition.fallback.as_ref().map(|name| name.rust.as_str()),
                Some("Unrecognized")
            );
            assert_eq!(definition.variants[0].name.rust, "Unrecognized2");
            assert_eq!(rest.rust, "extra2");
        }
        other => unreachable!("{other:?}"),
    }
    assert_eq!(reported, [codes::NAME_TAKEN.id; 2]);
}

#[test]
fn signs_of_numbers_are_spelled_out_anywhere() {
    assert_eq!(
        variants(&[
            "Etc/GMT+1",
            "Etc/GMT-1",
            "UTF-8",
            "reactions-+1",
            "reactions--1",
            "2020-01-01"
        ]),
        [
            "EtcGmtPlus1",
            "EtcGmt1",
            "Utf8",
            "ReactionsPlus1",
            "ReactionsMinus1",
            "N2020_01_01"
        ]
    );
}

#[test]
fn long_names_are_cut_and_stay_distinct() {
    let (a, b) = (
        format!("{}a", "x".repeat(200)),
        format!("{}b", "x".repeat(200)),
    );
    let named = fields(&[&a, &b]);
    assert_eq!(named[0].len(), 100);
    assert_eq!(named[1], format!("{}2", named[0]));
}
