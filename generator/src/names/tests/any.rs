//! For any names, the results are valid and distinct.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{fields, operations, types, variants};

/// Generates names with every kind of difficulty.
fn any_name() -> impl Strategy<Value = String> {
    let hard = prop::sample::select(vec![
        "",
        " ",
        "_",
        "-",
        "self",
        "Self",
        "type",
        "Option",
        "foo",
        "Foo",
        "foo_2",
        "foo2",
        "FOO",
        "+1",
        "-1",
        "1",
        "@foo",
        "é",
        "e\u{301}",
        "а",
        "日本",
        "\u{202e}",
        "\u{0}",
        "r#foo",
        "new",
        "Body",
        "extra",
        "unrecognized",
        "fooRequest",
        "fooError",
        "types",
        "ß",
        "İ",
        "ﬁ",
        "²",
    ]);
    prop_oneof![
        hard.prop_map(str::to_owned),
        any::<String>(),
        "[a-cA-C0-2_ .+-]{0,6}",
        "\\PC{0,4}",
        "[а-яё一-龥ぁ-んα-ω]{1,4}",
    ]
}

fn check(idents: &BTreeSet<String>, count: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(idents.len(), count, "{:?}", idents);
    for ident in idents {
        prop_assert!(syn::parse_str::<syn::Ident>(ident).is_ok(), "{:?}", ident);
        // rustc compares identifiers in this form.
        prop_assert_eq!(&*crate::names::unicode::canonical(ident), &**ident);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_names_come_out_valid_and_distinct(wires in prop::collection::btree_set(any_name(), 0..12)) {
        let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
        check(&types(&wires).into_iter().collect(), wires.len())?;
        check(&fields(&wires).into_iter().collect(), wires.len())?;
        check(&variants(&wires).into_iter().collect(), wires.len())?;
        let named = operations(&wires);
        check(&named.iter().map(|(method, _)| method.clone()).collect(), wires.len())?;
        let derived = ["Request", "Response", "Error"];
        let all = named.iter().flat_map(|(_, base)| derived.map(|suffix| format!("{base}{suffix}")));
        check(&all.collect(), wires.len() * 3)?;
    }

    #[test]
    fn any_names_suit_the_lints(wire in any_name()) {
        use crate::names::casing::Case;
        use crate::names::ident::{suits, unraw};
        for name in types(&[&wire]).iter().chain(&variants(&[&wire])) {
            prop_assert!(suits(name, Case::Pascal), "{wire:?}: {name}");
        }
        for name in fields(&[&wire]) {
            prop_assert!(suits(unraw(&name), Case::Snake), "{wire:?}: {name}");
        }
    }

    #[test]
    fn names_stay_when_more_is_added_behind(wires in prop::collection::btree_set("[a-z_]{1,8}", 2..9)) {
        // Names that are on the wire as Rust has them never move, wherever more is added.
        let wires: Vec<&str> = wires.iter().map(String::as_str).collect();
        let before = fields(&wires[1..]);
        let after = fields(&wires);
        for ((wire, before), after) in wires[1..].iter().zip(&before).zip(&after[1..]) {
            if crate::names::ident::unraw(before) == *wire {
                prop_assert_eq!(before, after);
            }
        }
    }
}
