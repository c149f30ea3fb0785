//! Choices whose alternatives differ in their required properties: `oneOf: [{required: [a]},
//! {required: [b]}]`.

use crate::diagnostic::codes;
use crate::model::{Constraints, RequiredGroups, Schema, Types};

use crate::lower::Document;
use crate::lower::schema::shape::{Choice, Shape};

impl Document<'_> {
    /// Makes a rule of the required names of the alternatives, and reports their other constraints.
    ///
    /// An alternative with other constraints matches only some of the values that have the names.
    /// For such a choice the rule requires at least one group, and does not reject a second one.
    pub(in crate::lower) fn require_groups(&mut self, choice: &Choice, shape: &mut Shape) {
        let all = || choice.alternatives.iter().map(|id| self.schema(*id));
        let bare = all().all(asks_for_names_only);
        let groups: Vec<Vec<String>> = all().map(|schema| schema.required.clone()).collect();
        let empty = groups.iter().filter(|group| group.is_empty()).count();
        let at_most_one = !choice.any && bare && empty < 2;
        if empty == 0 || at_most_one {
            let required_groups = RequiredGroups {
                groups,
                at_most_one,
            };
            if !shape.constraints.required_groups.contains(&required_groups) {
                shape.constraints.required_groups.push(required_groups);
            }
        }
        let Some(first) = choice
            .alternatives
            .first()
            .filter(|_| !bare || (!choice.any && !at_most_one))
        else {
            return;
        };
        if self.reported_choices.insert(*first) {
            let origin = self.schema(*first).origin.clone();
            let keyword = if choice.any { "anyOf" } else { "oneOf" };
            let message = format!("the choice of this `{keyword}` is not checked");
            self.diagnostics
                .report(codes::CHOICE_NOT_CHECKED, &origin, message)
                .help("check the value in the handler, or give the alternatives different types");
        }
    }
}

/// Returns whether a schema has no constraints other than required names.
pub(in crate::lower) fn asks_for_names_only(schema: &Schema) -> bool {
    schema.constraints == Constraints::default()
        && schema.not.is_none()
        && schema.unevaluated_properties.is_none()
}

/// Returns whether a variant only narrows the schema around the choice (`required`, `not`, bounds).
pub(in crate::lower) fn only_constrains(schema: &Schema, around: Types) -> bool {
    let Schema {
        // Names and texts except for a title, which names a variant.
        origin: _,
        name: _,
        suggested_name: _,
        instance: _,
        description: _,
        default: _,
        examples: _,
        read_only: _,
        write_only: _,
        deprecated: _,
        extensions: _,
        // These keywords narrow the schema around the choice.
        nullable: _,
        required: _,
        not: _,
        discriminator: _,
        unevaluated: _,
        unevaluated_properties: _,
        constraints: _,
        content_encoding: _,
        content_media_type: _,
        content_schema: _,
        reference,
        boolean,
        title,
        types,
        format,
        enumeration,
        constant,
        all_of,
        any_of,
        one_of,
        properties,
        additional_properties,
        pattern_properties,
        items,
        prefix_items,
        conditional,
    } = schema;
    reference.is_none()
        && boolean.is_none()
        && (types.is_unstated() || (*types == around && !around.is_unstated()))
        && enumeration.is_none()
        && constant.is_none()
        && all_of.is_empty()
        && any_of.is_empty()
        && one_of.is_empty()
        && properties.is_empty()
        && pattern_properties.is_empty()
        && additional_properties.is_none()
        && items.is_none()
        && prefix_items.is_empty()
        && format.is_none()
        && title.is_none()
        && conditional.is_empty()
}
