//! Choices whose alternatives differ in what they require: `oneOf: [{required: [a]}, {required: [b]}]`.

use crate::diagnostic::codes;
use crate::model::{Constraints, RequiredGroups, Schema, Types};

use super::Lowering;
use super::shape::{Choice, Shape};

impl Lowering<'_> {
    /// Makes a rule of the required names of the alternatives, and reports what else they ask for.
    ///
    /// An alternative that asks for more than names matches fewer values than have the names. Of such
    /// a choice one group has to be there, and that there is no second is not checked.
    pub(super) fn require_groups(&mut self, choice: &Choice, shape: &mut Shape) {
        let all = || choice.of.iter().map(|id| self.schema(*id));
        let bare = all().all(asks_for_names_only);
        let groups: Vec<Vec<String>> = all().map(|schema| schema.required.clone()).collect();
        let empty = groups.iter().filter(|group| group.is_empty()).count();
        let one = !choice.any && bare && empty < 2;
        if empty == 0 || one {
            let of = RequiredGroups { groups, one };
            if !shape.constraints.required_groups.contains(&of) {
                shape.constraints.required_groups.push(of);
            }
        }
        let Some(first) = choice.of.first().filter(|_| !bare || (!choice.any && !one)) else {
            return;
        };
        if self.told_choices.insert(*first) {
            let origin = self.schema(*first).origin.clone();
            let keyword = if choice.any { "anyOf" } else { "oneOf" };
            let message = format!("which alternatives of this `{keyword}` match is not checked");
            self.diagnostics
                .report(codes::CHOICE_NOT_CHECKED, &origin, message)
                .help("check it in the handler, or let the alternatives differ in their types");
        }
    }
}

/// Whether the required names are all that a schema asks for.
fn asks_for_names_only(schema: &Schema) -> bool {
    schema.constraints == Constraints::default()
        && schema.not.is_none()
        && schema.unevaluated_properties.is_none()
}

/// Whether a variant only narrows what stands around the choice (`required`, `not`, bounds).
pub(super) fn only_constrains(schema: &Schema, around: Types) -> bool {
    schema.reference.is_none()
        && schema.boolean.is_none()
        && (schema.types.is_unstated() || (schema.types == around && !around.is_unstated()))
        && schema.enumeration.is_none()
        && schema.constant.is_none()
        && schema.all_of.is_empty()
        && schema.any_of.is_empty()
        && schema.one_of.is_empty()
        && schema.properties.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.items.is_none()
        && schema.prefix_items.is_empty()
        && schema.format.is_none()
        && schema.title.is_none()
}
