//! The Rust form only (`D07`), and texts (`D08`). Messages stay the same.

use super::{Direction::Any, Effect, Raw, Rule, Sides, breaking, flow, rule, safe};

const SAME: Effect = safe("Messages stay the same.");
const NEW_NAME: Effect = breaking("The old name no longer exists.");
const NEW_TYPE: Effect = breaking("The Rust type of the value changes.");
const SAME_CODE: Effect = safe("The Rust code stays the same.");
const ADDED: Effect = safe("A public item is added.");
const SAME_ALIAS: Effect =
    safe("Code names the errors by the alias of the operation, which stays.");
const GONE: Effect = breaking("The item no longer exists.");

/// Returns a rule that concerns callers and implementers only.
const fn rust(raw: Raw, id: &'static str, title: &'static str, both: [Effect; 2]) -> Rule {
    rule(raw, id, Any, title, [SAME, SAME, both[0], both[1]])
}

/// Returns the rules of a constructor, which only those call who write the values.
const fn constructor(
    raw: Raw,
    ids: [&'static str; 2],
    title: &'static str,
    calls: Effect,
) -> [Rule; 2] {
    flow(
        raw,
        ids,
        title,
        &Sides {
            writers: SAME,
            readers: SAME,
            constructs: calls,
            reads: safe("Code that reads the values does not call the constructor."),
        },
    )
}

/// The rules with both directions.
#[rustfmt::skip]
pub(super) const FLOWS: &[[Rule; 2]] = &[
    constructor(Raw::ConstructorChanged, ["D0716", "D0732"], "arguments of a constructor changed",
        breaking("Calls of the constructor have other arguments.")),
    constructor(Raw::ConstructorSetsOthers, ["D0728", "D0733"], "constructor sets other fields",
        breaking("Calls of the constructor compile, and set other fields: the arguments have the same types.")),
];

/// The rules.
#[rustfmt::skip]
pub(super) const TABLE: &[Rule] = &[
    rust(Raw::TypeRenamed, "D0701", "type renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::FieldRenamed, "D0702", "field renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::VariantRenamed, "D0703", "variant renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::MethodRenamed, "D0704", "method renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::ParamFieldRenamed, "D0705", "field of a request renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::ResponseVariantRenamed, "D0706", "variant of a response renamed in Rust", [NEW_NAME, NEW_NAME]),
    rust(Raw::TraitRenamed, "D0707", "trait and module of a tag renamed in Rust", [
        breaking("The module of the tag has a new name."), NEW_NAME,
    ]),
    rust(Raw::TypeAdded, "D0711", "type added", [ADDED, ADDED]),
    rust(Raw::TypeRemoved, "D0712", "type removed", [GONE, GONE]),
    rust(Raw::TraitGained, "D0713", "derived trait gained", [
        safe("A type implements one more trait."), safe("A type implements one more trait."),
    ]),
    rust(Raw::TraitLost, "D0714", "derived trait lost", [
        breaking("Code that needs the trait no longer compiles."),
        breaking("Code that needs the trait no longer compiles."),
    ]),
    rust(Raw::RustTypeChanged, "D0715", "Rust type changed", [NEW_TYPE, NEW_TYPE]),
    rust(Raw::ExtraFieldAdded, "D0717", "field for additional properties added", [ADDED.guarded(), ADDED.guarded()]),
    rust(Raw::ExtraFieldRemoved, "D0718", "field for additional properties removed", [GONE, GONE]),
    rust(Raw::SuccessShapeChanged, "D0719", "type of the successful response changed", [NEW_TYPE, NEW_TYPE]),
    rust(Raw::ErrorShapeChanged, "D0720", "type of the documented errors changed", [SAME_ALIAS, SAME_ALIAS]),
    rust(Raw::ErrorSharingChanged, "D0729", "operations that share the type of the documented errors changed", [
        breaking("Code that implements a trait for the errors of each operation, such as `From<GetAError> for E`, has an implementation too few (E0277) or too many (E0119)."),
        breaking("Code that implements a trait for the errors of each operation, such as `From<E> for GetAError`, has an implementation too few (E0277) or too many (E0119)."),
    ]),
    rust(Raw::NoErrorSharingChanged, "D0734", "operations without documented errors changed", [
        breaking("Code that implements a trait for the errors of each operation, such as `From<GetAError> for E`, has an implementation too few (E0277) or too many (E0119)."),
        safe("Code that implements the operation has no value to convert into an error that is not documented."),
    ]),
    rust(Raw::PlaceChanged, "D0735", "alias of an inline type names another type", [
        breaking("Code that names the old type, or uses the values of several places as one type, no longer compiles; that of a trait for both may conflict (E0119)."),
        breaking("Code that names the old type, or uses the values of several places as one type, no longer compiles; that of a trait for both may conflict (E0119)."),
    ]),
    rust(Raw::PlaceJoined, "D0736", "inline type became an alias of an equal one", [
        safe("The name of the type stays, as an alias."), safe("The name of the type stays, as an alias."),
    ]),
    rust(Raw::ModuleAdded, "D0721", "module added", [ADDED, ADDED]),
    rust(Raw::ModuleRemoved, "D0722", "module removed", [GONE, GONE]),
    rust(Raw::FeatureNeeded, "D0723", "feature of the runtime became necessary", [
        breaking("A crate that generates in a build script must enable the feature."),
        breaking("A crate that generates in a build script must enable the feature."),
    ]),
    rust(Raw::FeatureUnneeded, "D0724", "feature of the runtime is no longer necessary", [
        safe("The feature may stay enabled."), safe("The feature may stay enabled."),
    ]),
    rust(Raw::ItemDeprecated, "D0725", "type, field or parameter deprecated", [
        safe("The compiler warns about uses of the item."), safe("The compiler warns about uses of the item."),
    ]),
    rust(Raw::ItemUndeprecated, "D0726", "type, field or parameter no longer deprecated", [SAME_CODE, SAME_CODE]),
    rust(Raw::ErrorCodesChanged, "D0727", "type of the error codes changed", [NEW_TYPE, NEW_TYPE]),
    rust(Raw::NameAdded, "D0730", "public name added", [ADDED.guarded(), ADDED.guarded()]),
    rust(Raw::NameRemoved, "D0731", "public name removed", [GONE, GONE]),
    rust(Raw::TextChanged, "D0801", "text changed", [SAME_CODE, SAME_CODE]),
];
