//! Values in messages: properties, types, enums, unions, constraints. `D04` are the rules for
//! requests and `D05` those for responses; the last two digits are the same.

use super::{Direction, Raw, Rule, Sides, attention, breaking, flow, rule, safe};

const FIELD_GONE: super::Effect = breaking("The field no longer exists.");
const IGNORED: super::Effect = safe("Existing {readers} ignore properties that they do not know.");
#[rustfmt::skip]
const NOT_SENT: super::Effect = safe("Existing {writers} do not send the property, which may be absent.");
const NEW_IGNORED: super::Effect = safe("New {readers} ignore the property.");
const NEW_TYPE: super::Effect = breaking("The Rust type of the value changes.");
const SAME_RUST: super::Effect = safe("The Rust type stays the same.");
const NO_FIELD: super::Effect =
    safe("The property has no field: the value is checked and written without one.");
const FIELD_APART: super::Effect =
    safe("A single value has no field: one that is added or removed is a change of its own.");

/// Replaces the effects on the wire of the rule for responses, in which clients ignore what a closed object excludes.
const fn in_responses(
    rules: [Rule; 2],
    readers: super::Effect,
    writers: super::Effect,
) -> [Rule; 2] {
    let [requests, mut responses] = rules;
    let [_, _, reads, constructs] = responses.effects;
    responses.effects = [readers, writers, reads, constructs];
    [requests, responses]
}

/// The rules with both directions.
#[rustfmt::skip]
pub(super) const TABLE: &[[Rule; 2]] = &[
    flow(Raw::PropertyAdded, ["D0401", "D0501"], "optional property added", &Sides {
        writers: NOT_SENT,
        readers: IGNORED,
        constructs: safe("Constructors stay the same, and a setter is added.").guarded(),
        reads: safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded(),
    }),
    flow(Raw::PropertyRemoved, ["D0402", "D0502"], "optional property removed", &Sides {
        writers: NEW_IGNORED,
        readers: safe("Existing {readers} accept the absence of the property."),
        constructs: breaking("The field and its setter no longer exist."),
        reads: FIELD_GONE,
    }),
    flow(Raw::RequiredPropertyAdded, ["D0403", "D0503"], "required property added", &Sides {
        writers: breaking("Existing {writers} do not send the property, which new {readers} require."),
        readers: IGNORED,
        constructs: breaking("The constructor has an argument for the property."),
        reads: safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded(),
    }),
    flow(Raw::RequiredPropertyRemoved, ["D0404", "D0504"], "required property removed", &Sides {
        writers: NEW_IGNORED,
        readers: breaking("Existing {readers} require the property."),
        constructs: breaking("The constructor has no argument for the property."),
        reads: FIELD_GONE,
    }),
    in_responses(flow(Raw::ClosedPropertyAdded, ["D0405", "D0505"], "optional property added to a closed object", &Sides {
        writers: NOT_SENT,
        readers: breaking("Existing {readers} reject properties that they do not know."),
        constructs: safe("Constructors stay the same, and a setter is added.").guarded(),
        reads: safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded(),
    }), IGNORED, NOT_SENT),
    in_responses(flow(Raw::ClosedPropertyRemoved, ["D0406", "D0506"], "optional property removed from a closed object", &Sides {
        writers: breaking("New {readers} reject the property, which they do not know."),
        readers: safe("Existing {readers} accept the absence of the property."),
        constructs: breaking("The field and its setter no longer exist."),
        reads: FIELD_GONE,
    }), safe("Existing {readers} accept the absence of the property."), NEW_IGNORED),
    in_responses(flow(Raw::ClosedRequiredPropertyAdded, ["D0407", "D0507"], "required property added to a closed object", &Sides {
        writers: breaking("Existing {writers} do not send the property, which new {readers} require."),
        readers: breaking("Existing {readers} reject properties that they do not know."),
        constructs: breaking("The constructor has an argument for the property."),
        reads: safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded(),
    }), IGNORED, breaking("Existing {writers} do not send the property, which new {readers} require.")),
    in_responses(flow(Raw::ClosedRequiredPropertyRemoved, ["D0408", "D0508"], "required property removed from a closed object", &Sides {
        writers: breaking("New {readers} reject the property, which they do not know."),
        readers: breaking("Existing {readers} require the property."),
        constructs: breaking("The constructor has no argument for the property."),
        reads: FIELD_GONE,
    }), breaking("Existing {readers} require the property."), NEW_IGNORED),
    flow(Raw::PropertyRequired, ["D0409", "D0509"], "optional property became required", &Sides {
        writers: breaking("Existing {writers} may omit the property, which new {readers} require."),
        readers: safe("Existing {readers} accept the property."),
        constructs: breaking("The constructor has an argument for the property, and the field is no longer an `Option`."),
        reads: breaking("The field is no longer an `Option`."),
    }),
    flow(Raw::PropertyOptional, ["D0410", "D0510"], "required property became optional", &Sides {
        writers: safe("Existing {writers} always send the property."),
        readers: breaking("Existing {readers} require the property, which may now be absent."),
        constructs: breaking("The constructor has no argument for the property, and the field is an `Option`."),
        reads: breaking("The field is an `Option`."),
    }),
    flow(Raw::NullAccepted, ["D0411", "D0511"], "value became nullable", &Sides {
        writers: safe("Existing {writers} do not send null."),
        readers: breaking("Existing {readers} reject null."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::NullRejected, ["D0412", "D0512"], "value is no longer nullable", &Sides {
        writers: breaking("Existing {writers} may send null, which new {readers} reject."),
        readers: safe("Existing {readers} accept every other value."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::TypeChanged, ["D0413", "D0513"], "type changed", &Sides {
        writers: breaking("New {readers} reject values of the old type."),
        readers: breaking("Existing {readers} reject values of the new type."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::TypeWidened, ["D0414", "D0514"], "type widened", &Sides {
        writers: safe("The new type includes all values of the old type."),
        readers: breaking("Existing {readers} reject values that only the new type has."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::TypeNarrowed, ["D0415", "D0515"], "type narrowed", &Sides {
        writers: breaking("New {readers} reject values that only the old type has."),
        readers: safe("The old type includes all values of the new type."),
        constructs: NEW_TYPE,
        reads: NEW_TYPE,
    }),
    flow(Raw::ValueAdded, ["D0416", "D0516"], "value added to an open enum", &Sides {
        writers: safe("Existing {writers} do not send the value."),
        readers: attention("Existing {readers} keep the value as unknown."),
        constructs: safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        reads: attention("A value that arrived as `Unrecognized` now has a variant.").guarded(),
    }),
    flow(Raw::ValueRemoved, ["D0417", "D0517"], "value removed from an open enum", &Sides {
        writers: safe("New {readers} keep the value as unknown."),
        readers: safe("Existing {readers} accept every remaining value."),
        constructs: breaking("The variant no longer exists."),
        reads: breaking("The variant no longer exists."),
    }),
    flow(Raw::ClosedValueAdded, ["D0418", "D0518"], "value added to a closed enum", &Sides {
        writers: safe("Existing {writers} do not send the value."),
        readers: breaking("Existing {readers} reject values that they do not know."),
        constructs: safe("Existing variants stay the same."),
        reads: breaking("A `match` without a wildcard arm no longer covers all variants."),
    }),
    flow(Raw::ClosedValueRemoved, ["D0419", "D0519"], "value removed from a closed enum", &Sides {
        writers: breaking("New {readers} reject the value."),
        readers: safe("Existing {readers} accept every remaining value."),
        constructs: breaking("The variant no longer exists."),
        reads: breaking("The variant no longer exists."),
    }),
    flow(Raw::EnumOpened, ["D0420", "D0520"], "enum opened", &Sides {
        writers: safe("Existing {writers} send listed values."),
        readers: breaking("Existing {readers} reject values that they do not know."),
        constructs: safe("Existing variants stay the same."),
        reads: breaking("A `match` without a wildcard arm no longer covers all variants."),
    }),
    flow(Raw::EnumClosed, ["D0421", "D0521"], "enum closed", &Sides {
        writers: breaking("Existing {writers} may send values that the document does not list."),
        readers: safe("Existing {readers} accept every listed value."),
        constructs: breaking("The variant for unknown values no longer exists."),
        reads: breaking("The variant for unknown values no longer exists."),
    }),
    flow(Raw::VariantAdded, ["D0422", "D0522"], "variant added to an open union", &Sides {
        writers: safe("Existing {writers} do not send the variant."),
        readers: attention("Existing {readers} keep the object as unknown."),
        constructs: safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        reads: attention("An object that arrived as `Unrecognized` now has a variant.").guarded(),
    }),
    flow(Raw::VariantRemoved, ["D0423", "D0523"], "variant removed from an open union", &Sides {
        writers: safe("New {readers} keep the object as unknown."),
        readers: safe("Existing {readers} accept every remaining variant."),
        constructs: breaking("The variant no longer exists."),
        reads: breaking("The variant no longer exists."),
    }),
    flow(Raw::ClosedVariantAdded, ["D0424", "D0524"], "variant added to a closed union", &Sides {
        writers: safe("Existing {writers} do not send the variant."),
        readers: breaking("Existing {readers} reject variants that they do not know."),
        constructs: safe("Existing variants stay the same."),
        reads: breaking("A `match` without a wildcard arm no longer covers all variants."),
    }),
    flow(Raw::ClosedVariantRemoved, ["D0425", "D0525"], "variant removed from a closed union", &Sides {
        writers: breaking("New {readers} reject the variant."),
        readers: safe("Existing {readers} accept every remaining variant."),
        constructs: breaking("The variant no longer exists."),
        reads: breaking("The variant no longer exists."),
    }),
    flow(Raw::UnionOpened, ["D0426", "D0526"], "union opened", &Sides {
        writers: safe("Existing {writers} send documented variants."),
        readers: breaking("Existing {readers} reject variants that they do not know."),
        constructs: safe("Existing variants stay the same."),
        reads: breaking("A `match` without a wildcard arm no longer covers all variants."),
    }),
    flow(Raw::UnionClosed, ["D0427", "D0527"], "union closed", &Sides {
        writers: breaking("Existing {writers} may send variants that the document does not list."),
        readers: safe("Existing {readers} accept every documented variant."),
        constructs: breaking("The variant for unknown objects no longer exists."),
        reads: breaking("The variant for unknown objects no longer exists."),
    }),
    flow(Raw::TagPropertyChanged, ["D0428", "D0528"], "discriminator property changed", &Sides {
        writers: breaking("New {readers} select the variant by another property."),
        readers: breaking("Existing {readers} select the variant by the old property."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::TagValueAdded, ["D0429", "D0529"], "discriminator value added to a variant", &Sides {
        writers: safe("Existing {writers} do not send the value."),
        readers: breaking("Existing {readers} do not select the variant by the new value."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::TagValueRemoved, ["D0430", "D0530"], "discriminator value removed from a variant", &Sides {
        writers: breaking("New {readers} do not select the variant by the old value."),
        readers: safe("Existing {readers} accept every remaining value."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ConstraintNarrowed, ["D0431", "D0531"], "constraint narrowed", &Sides {
        writers: breaking("Existing {writers} may send values that the new constraint excludes."),
        readers: safe("The old constraint includes all new values."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ConstraintWidened, ["D0432", "D0532"], "constraint widened", &Sides {
        writers: safe("The new constraint includes all old values."),
        readers: breaking("Existing {readers} may receive values that the old constraint excludes."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ConstraintChanged, ["D0433", "D0533"], "constraint changed", &Sides {
        writers: breaking("Existing {writers} may send values that the new constraint excludes."),
        readers: breaking("Existing {readers} may receive values that the old constraint excludes."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::KeywordChanged, ["D0450", "D0550"], "keyword changed, not compared", &Sides {
        writers: attention("Existing {writers} may send values that are no longer valid: what the keyword accepts is not compared."),
        readers: attention("Existing {readers} may receive values that were not valid before: what the keyword accepts is not compared."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::UnknownRejected, ["D0434", "D0534"], "additional properties are no longer allowed", &Sides {
        writers: breaking("Existing {writers} may send additional properties, which new {readers} reject."),
        readers: safe("Existing {readers} accept objects without additional properties."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::UnknownAccepted, ["D0435", "D0535"], "additional properties are now allowed", &Sides {
        writers: safe("Existing {writers} do not send additional properties."),
        readers: breaking("Existing {readers} reject additional properties."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::DefaultAdded, ["D0436", "D0536"], "default added", &Sides {
        writers: safe("An absent value was allowed before, and its meaning is now documented."),
        readers: safe("An absent value was allowed before."),
        constructs: SAME_RUST,
        reads: safe("An accessor for the default may be added."),
    }),
    flow(Raw::DefaultRemoved, ["D0437", "D0537"], "default removed", &Sides {
        writers: safe("An absent value is still allowed."),
        readers: safe("An absent value is still allowed."),
        constructs: SAME_RUST,
        reads: breaking("The accessor for the default no longer exists."),
    }),
    flow(Raw::DefaultChanged, ["D0438", "D0538"], "default changed", &Sides {
        writers: breaking("An absent value of existing {writers} now has another meaning."),
        readers: breaking("Existing {readers} interpret an absent value by the old default."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ReadOnlySet, ["D0439", "D0539"], "property became `readOnly`", &Sides {
        writers: safe("New {readers} accept the property."),
        readers: safe("Existing {readers} accept the absence of an optional property. If it is required, that is a change of its own."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ReadOnlyUnset, ["D0440", "D0540"], "property is no longer `readOnly`", &Sides {
        writers: safe("Existing {writers} send the property as before."),
        readers: safe("Existing {readers} accept the property."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::WriteOnlySet, ["D0441", "D0541"], "property became `writeOnly`", &Sides {
        writers: safe("New {readers} accept the property."),
        readers: safe("Existing {readers} accept the absence of an optional property. If it is required, that is a change of its own."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::WriteOnlyUnset, ["D0442", "D0542"], "property is no longer `writeOnly`", &Sides {
        writers: safe("Existing {writers} send the property as before."),
        readers: safe("Existing {readers} accept the property."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::AlternativeAdded, ["D0443", "D0543"], "alternative added to an `anyOf`", &Sides {
        writers: safe("Existing {writers} send documented alternatives."),
        readers: breaking("Existing {readers} reject a value that matches only the new alternative."),
        constructs: safe("Constructors stay the same, and a setter is added.").guarded(),
        reads: safe("Structs are `#[non_exhaustive]`, so a new field needs no change.").guarded(),
    }),
    flow(Raw::AlternativeRemoved, ["D0444", "D0544"], "alternative removed from an `anyOf`", &Sides {
        writers: breaking("New {readers} reject a value that matches only the old alternative."),
        readers: safe("Existing {readers} accept every remaining alternative."),
        constructs: FIELD_GONE,
        reads: FIELD_GONE,
    }),
    flow(Raw::DefaultVariantSet, ["D0445", "D0545"], "default variant added to a union", &Sides {
        writers: safe("Existing {writers} send documented variants."),
        readers: breaking("Existing {readers} do not select the variant without its discriminator value."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::DefaultVariantUnset, ["D0446", "D0546"], "default variant removed from a union", &Sides {
        writers: breaking("New {readers} do not select the variant without its discriminator value."),
        readers: safe("Existing {readers} accept every documented variant."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::VariantsReordered, ["D0449", "D0549"], "order of the variants of a union without a discriminator changed", &Sides {
        writers: safe("The same values are valid."),
        readers: safe("The same values are valid."),
        constructs: SAME_RUST,
        reads: attention("A value that matches several variants equally well is read as another variant."),
    }),
    flow(Raw::UntaggedVariantAdded, ["D0447", "D0547"], "variant added to a union without a discriminator or with a default variant", &Sides {
        writers: safe("Existing {writers} do not send the variant."),
        readers: breaking("Existing {readers} reject variants that they do not know, or read them as the default variant."),
        constructs: safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        reads: safe("A `match` already has a wildcard arm, because the enum is `#[non_exhaustive]`.").guarded(),
    }),
    flow(Raw::UntaggedVariantRemoved, ["D0448", "D0548"], "variant removed from a union without a discriminator or with a default variant", &Sides {
        writers: breaking("New {readers} reject the variant, or read it as the default variant."),
        readers: safe("Existing {readers} accept every remaining variant."),
        constructs: breaking("The variant no longer exists."),
        reads: breaking("The variant no longer exists."),
    }),
    flow(Raw::TagValueWritten, ["D0457", "D0557"], "discriminator value that is written for a variant changed", &Sides {
        writers: safe("New {readers} select the variant by both values."),
        readers: safe("Existing {readers} select the variant by both values."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    // In the struct, which travels in both directions, the field is optional before and after.
    flow(Raw::WrittenPropertyRequired, ["D0455", "D0555"], "`readOnly` or `writeOnly` property became required", &Sides {
        writers: breaking("Existing {writers} may omit the property, which new {readers} require."),
        readers: safe("Existing {readers} accept the property."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::WrittenPropertyOptional, ["D0456", "D0556"], "`readOnly` or `writeOnly` property became optional", &Sides {
        writers: safe("Existing {writers} always send the property."),
        readers: breaking("Existing {readers} require the property, which may now be absent."),
        constructs: SAME_RUST,
        reads: SAME_RUST,
    }),
    flow(Raw::ConstantAdded, ["D0458", "D0558"], "required property with a single value added", &Sides {
        writers: breaking("Existing {writers} do not send the property, which new {readers} require."),
        readers: IGNORED,
        constructs: NO_FIELD,
        reads: NO_FIELD,
    }),
    flow(Raw::ConstantRemoved, ["D0459", "D0559"], "required property with a single value removed", &Sides {
        writers: NEW_IGNORED,
        readers: breaking("Existing {readers} require the property."),
        constructs: NO_FIELD,
        reads: NO_FIELD,
    }),
    in_responses(flow(Raw::ClosedConstantAdded, ["D0460", "D0560"], "required property with a single value added to a closed object", &Sides {
        writers: breaking("Existing {writers} do not send the property, which new {readers} require."),
        readers: breaking("Existing {readers} reject properties that they do not know."),
        constructs: NO_FIELD,
        reads: NO_FIELD,
    }), IGNORED, breaking("Existing {writers} do not send the property, which new {readers} require.")),
    in_responses(flow(Raw::ClosedConstantRemoved, ["D0461", "D0561"], "required property with a single value removed from a closed object", &Sides {
        writers: breaking("New {readers} reject the property, which they do not know."),
        readers: breaking("Existing {readers} require the property."),
        constructs: NO_FIELD,
        reads: NO_FIELD,
    }), breaking("Existing {readers} require the property."), NEW_IGNORED),
    flow(Raw::ConstantChanged, ["D0462", "D0562"], "single value of a required property changed", &Sides {
        writers: breaking("New {readers} reject the old value."),
        readers: breaking("Existing {readers} reject the new value."),
        constructs: FIELD_APART,
        reads: FIELD_APART,
    }),
    flow(Raw::ConstantFreed, ["D0463", "D0563"], "property with a single value accepts other values", &Sides {
        writers: safe("Existing {writers} send the value, which stays valid."),
        readers: breaking("Existing {readers} reject the other values, and the absence of the property."),
        constructs: FIELD_APART,
        reads: FIELD_APART,
    }),
    flow(Raw::ConstantFixed, ["D0464", "D0564"], "property became required with a single value", &Sides {
        writers: breaking("Existing {writers} may send other values or omit the property, which new {readers} reject."),
        readers: safe("Existing {readers} accept the value."),
        constructs: FIELD_APART,
        reads: FIELD_APART,
    }),
];

/// Rules of requests only: a generated server rejects unlisted values, although their enum is open
/// in Rust.
#[rustfmt::skip]
pub(super) const SINGLE: &[Rule] = &[
    rule(Raw::KnownValueAdded, "D0451", Direction::Request, "value added to an enum", [
        safe("Existing clients do not send the value."),
        breaking("Existing servers reject values that they do not know."),
        safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        safe("A `match` already has a wildcard arm, because the enum is `#[non_exhaustive]`.").guarded(),
    ]),
    rule(Raw::KnownValueRemoved, "D0452", Direction::Request, "value removed from an enum", [
        breaking("New servers reject the value."),
        safe("Existing servers accept every remaining value."),
        breaking("The variant no longer exists."),
        breaking("The variant no longer exists."),
    ]),
    rule(Raw::KnownVariantAdded, "D0453", Direction::Request, "variant added to a union", [
        safe("Existing clients do not send the variant."),
        breaking("Existing servers reject variants that they do not know."),
        safe("A variant is added to a `#[non_exhaustive]` enum.").guarded(),
        safe("A `match` already has a wildcard arm, because the enum is `#[non_exhaustive]`.").guarded(),
    ]),
    rule(Raw::KnownVariantRemoved, "D0454", Direction::Request, "variant removed from a union", [
        breaking("New servers reject the variant."),
        safe("Existing servers accept every remaining variant."),
        breaking("The variant no longer exists."),
        breaking("The variant no longer exists."),
    ]),
];
