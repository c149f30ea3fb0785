//! Derives and attributes of the configuration: they compile, and impossible ones are reported.

use std::path::Path;

use bothends::{Builder, Parts, Plan, Serde};
use bothends_tests::{root, scratch};

const SHAPES: &str = "\
openapi: 3.1.0
info: {title: Shapes, version: '1'}
paths: {}
components:
  schemas:
    Colour: {type: string, enum: [red, dark-green]}
    Level: {type: integer, enum: [1, 2], x-extensible-enum: false}
    Size: {type: string, x-extensible-enum: false, enum: [small, large]}
    Name: {type: string, maxLength: 9}
    Point:
      type: object
      required: [x, size]
      properties: {x: {type: integer}, size: {$ref: '#/components/schemas/Size'}, at: {$ref: '#/components/schemas/Point'}}
    Place:
      type: object
      required: [label, point, tag]
      properties:
        label: {type: string}
        point: {$ref: '#/components/schemas/Point'}
        tag: {type: object, properties: {note: {type: string}}}
    Cell: {type: object, required: [row, size], properties: {row: {type: integer}, size: {$ref: '#/components/schemas/Size'}}}
    Weight: {type: object, required: [kilos], properties: {kilos: {type: number}}}
    Parcel: {type: object, required: [weight], properties: {weight: {$ref: '#/components/schemas/Weight'}}}
    Shape:
      oneOf: [{$ref: '#/components/schemas/Point'}, {$ref: '#/components/schemas/Weight'}]
    Other: {$ref: '#/components/schemas/Point'}
";

fn builder(folder: &Path) -> Builder {
    let path = folder.join("api.yaml");
    std::fs::write(&path, SHAPES).expect("written");
    Builder::new(&path).out_dir(folder).module(true)
}

fn planned(derives: &[(&str, &str)]) -> Plan {
    let folder = tempfile::tempdir().expect("a folder");
    let mut builder = builder(folder.path());
    for (types, derive) in derives {
        builder = builder.derive(*types, *derive);
    }
    builder.plan().expect("a plan")
}

/// Uses the traits that the configuration adds.
const USES: &str = r#"
#![allow(dead_code)]
mod api;
use api::types::*;
use std::collections::HashSet;
use strum::IntoEnumIterator as _;

fn hashed<T: std::hash::Hash + Eq>(_: &HashSet<T>) {}
fn ordered<T: Ord>() {}
fn partly<T: PartialOrd>() {}
fn copied<T: Copy>() {}
fn default<T: Default>() {}

pub fn uses() {
    hashed(&HashSet::<Place>::new());
    hashed(&HashSet::<PlaceTag>::new());
    hashed(&HashSet::<Point>::new());
    ordered::<Place>();
    ordered::<PlaceTag>();
    ordered::<Name>();
    partly::<Parcel>();
    partly::<Weight>();
    copied::<Cell>();
    default::<Weight>();
    default::<Parcel>();
    assert_eq!(Size::iter().count(), 2);
    assert_eq!(Level::iter().count(), 2);
    let kind: &'static str = Colour::Red.into();
    assert_eq!(kind, "red");
    let kind: &'static str = Shape::Weight(Weight::new(1.0)).into();
    assert_eq!(kind, "Weight");
}
"#;

#[test]
fn derives_and_attributes_compile_in_both_forms() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut main =
        String::from("mod table;\nmod derive;\nfn main() { table::uses(); derive::uses(); }\n");
    main.insert_str(0, "#![allow(deprecated)]\n");
    for (name, serde) in [("table", Serde::Table), ("derive", Serde::Derive)] {
        let builder = builder(folder.path())
            .out_dir(folder.path().join(format!("src/{name}")))
            .serde(serde)
            .parts(Parts {
                client: false,
                server: false,
                webhooks: false,
            })
            .derive("Place", "Hash")
            .derive("/components/schemas/Place", "Ord")
            .derive("Name", "std::cmp::Ord")
            .derive("Parcel", "PartialOrd")
            .derive("Parcel", "Default")
            .derive("Cell", "Copy")
            .derive("*", "Eq")
            .derive("*", "Clone")
            .derive("Size", "strum::EnumIter")
            .derive("Level", "::strum::EnumIter")
            .derive("enums", "strum::IntoStaticStr")
            .derive("unions", "strum::IntoStaticStr")
            .attribute("Colour", "strum(serialize_all = \"kebab-case\")")
            .attribute("structs", "cfg_attr(any(), derive(Nothing))")
            .attribute("newtypes", "must_use");
        let plan = builder.plan().expect("a plan");
        assert!(!plan.has_errors(), "{}", plan.report());
        let code = &plan.files.first().expect("a file").text;
        assert!(code.contains("`strum`"), "the head lists the crate");
        let target = folder.path().join(format!("src/{name}"));
        std::fs::create_dir_all(&target).expect("a folder");
        std::fs::write(target.join("api.rs"), code).expect("written");
        std::fs::write(
            target.join("mod.rs"),
            USES.replace("#![allow(dead_code)]\n", ""),
        )
        .expect("written");
    }
    std::fs::write(
        folder.path().join("src/main.rs"),
        format!("#![allow(dead_code)]\n{main}"),
    )
    .expect("written");
    let runtime = root().join("runtime");
    let manifest = format!(
        "[package]\nname = \"shapes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         bothends-runtime = {{ path = {:?}, features = [\"derive\"] }}\n\
         strum = {{ version = \"*\", features = [\"derive\"] }}\n\n[workspace]\n",
        runtime.display().to_string()
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    let checked = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
    assert!(checked.clean, "{}", checked.output);
}

#[test]
fn an_impossible_derive_is_an_error_with_its_place() {
    for (types, derive, message, pointer) in [
        (
            "Parcel",
            "Eq",
            "`Eq` cannot be derived for `Parcel`: `f64` does not have it",
            "#/components/schemas/Weight/properties/kilos",
        ),
        (
            "Place",
            "Copy",
            "`Copy` cannot be derived for `Place`: `String` does not have it",
            "#/components/schemas/Place/properties/label",
        ),
        (
            "Point",
            "Copy",
            "`Copy` cannot be derived for `Point`: `Box` does not have it",
            "#/components/schemas/Point",
        ),
        (
            "Colour",
            "Copy",
            "`Copy` cannot be derived for `Colour`: `Colour` keeps unknown values, which are not `Copy`",
            "#/components/schemas/Colour",
        ),
        (
            "Cell",
            "Default",
            "`Default` cannot be derived for `Cell`: `Size` has no default variant",
            "#/components/schemas/Size",
        ),
        (
            "Shape",
            "std::hash::Hash",
            "`Hash` cannot be derived for `Shape`: `f64` does not have it",
            "#/components/schemas/Weight/properties/kilos",
        ),
    ] {
        let plan = planned(&[(types, derive)]);
        let found = plan.diagnostics.iter();
        let found: Vec<_> = found
            .filter(|diagnostic| diagnostic.code.id.starts_with("E"))
            .collect();
        let [found] = found.as_slice() else {
            panic!("{types} {derive}: {}", plan.report());
        };
        assert_eq!((found.code.id, found.message.as_str()), ("E0413", message));
        let origin = found
            .origin
            .as_ref()
            .map(|origin| origin.pointer().to_owned());
        assert_eq!(origin.as_deref(), Some(pointer));
    }
    // A kind of types derives what it can.
    let plan = planned(&[("*", "Hash"), ("structs", "Copy")]);
    assert!(!plan.has_errors(), "{}", plan.report());
}

#[test]
fn a_key_that_matches_no_type_is_an_error_with_the_nearest() {
    for (key, message, help) in [
        (
            "Parcels",
            "`Parcels` of `[derives]` matches no type",
            "did you mean `Parcel`?",
        ),
        (
            "enum",
            "`enum` of `[derives]` matches no type",
            "did you mean `enums`?",
        ),
        (
            "/components/schemas/Plac",
            "`/components/schemas/Plac` of `[derives]` matches no type",
            "did you mean `/components/schemas/Place`?",
        ),
        (
            "Other",
            "`Other` of `[derives]` is an alias of another type, which has no derives or attributes of its own",
            "name a reusable schema, a Rust type or a JSON pointer, or remove the entry",
        ),
    ] {
        let plan = planned(&[(key, "Hash")]);
        let found = plan.diagnostics.iter();
        let found: Vec<_> = found
            .filter(|diagnostic| diagnostic.code.id.starts_with("E"))
            .collect();
        let [found] = found.as_slice() else {
            panic!("{key}: {}", plan.report());
        };
        assert_eq!((found.code.id, found.message.as_str()), ("E0412", message));
        assert_eq!(found.help.as_deref(), Some(help));
    }
}

#[test]
fn hostile_texts_are_no_code() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in [
        "",
        "Hash)] struct Evil; #[derive(Eq",
        "Hash, Eq",
        "a::B<C>",
        "fn",
        "a!()",
        "{}",
        "\"text\"",
        "Hash // comment",
        "Hash\u{202e}",
    ] {
        let refused = builder(folder.path()).derive("*", text).plan();
        // A comment is no token: the path is what remains.
        if text.contains("//") {
            assert!(refused.is_ok());
            continue;
        }
        let message = refused.expect_err(text).to_string();
        let expected = "expected the path of a derive macro for `*` of `[derives]`, found `";
        assert!(message.starts_with(expected), "{message}");
        assert!(!message.contains('\u{202e}'), "{message}");
    }
    for text in [
        "",
        "allow(x)] struct Evil; #[must_use",
        "inline, must_use",
        "cfg(any())",
        "1",
    ] {
        let refused = builder(folder.path()).attribute("*", text).plan();
        let message = refused.expect_err(text).to_string();
        assert!(
            message.starts_with(
                "expected the content of an attribute for `*` of `[attributes]`, found `"
            ),
            "{message}"
        );
    }
}

#[test]
fn a_crate_lists_the_dependencies_of_its_derives() {
    let folder = tempfile::tempdir().expect("a folder");
    let crated = builder(folder.path())
        .module(false)
        .derive("enums", "strum::EnumCount");
    let message = crated
        .clone()
        .plan()
        .expect_err("a missing crate")
        .to_string();
    assert!(
        message.starts_with("`enums` of `[derives]` has `strum::EnumCount`, but"),
        "{message}"
    );
    let own = builder(folder.path())
        .module(false)
        .derive("enums", "crate::Own");
    let message = own.plan().expect_err("no crate of its own").to_string();
    assert!(message.contains("no `crate::` of yours"), "{message}");
    assert!(
        !crated
            .dependency("strum", "0.28")
            .plan()
            .expect("a plan")
            .has_errors()
    );
}

#[test]
fn a_kind_of_types_has_an_order_where_it_is_possible() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    // A chain of types, whose last has a float, and a chain that can be ordered.
    let mut text = String::from(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n",
    );
    let last = 1_500;
    for (name, end) in [("F", "number"), ("S", "string")] {
        for index in 0..=last {
            let next = match index == last {
                true => format!("{{type: {end}}}"),
                false => format!("{{$ref: '#/components/schemas/{name}{}'}}", index + 1),
            };
            let more = match name {
                "F" => format!(", t: {{$ref: '#/components/schemas/S{last}'}}"),
                _ => String::new(),
            };
            text.push_str(&format!(
                "    {name}{index}: {{type: object, required: [a], properties: {{a: {next}{more}}}}}\n"
            ));
        }
    }
    std::fs::write(&path, text).expect("written");
    let builder = Builder::new(&path).module(true);
    let plan = builder.derive("*", "PartialOrd").plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let code = &plan.files.first().expect("a file").text;
    let derives = |name: &str| {
        let (before, _) = code
            .split_once(&format!("pub struct {name} {{"))
            .expect(name);
        before
            .rsplit_once("#[derive(")
            .expect("derives")
            .1
            .to_owned()
    };
    assert!(
        derives("S0").contains("Eq, PartialOrd, Ord"),
        "{}",
        derives("S0")
    );
    for name in ["F0", "F1500"] {
        assert!(
            derives(name).contains("PartialEq, PartialOrd)"),
            "{}",
            derives(name)
        );
    }
    assert!(!code.contains("Ord, PartialOrd"), "derived once");
}
