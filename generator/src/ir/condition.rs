//! Cargo features of generated code: which items belong to which.

use std::collections::BTreeSet;

/// The features of which any enables an item, as indices into [`Conditions::features`]. Empty for an
/// item that is always there.
pub type Condition = BTreeSet<usize>;

/// A Cargo feature for the operations of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagFeature {
    /// The name of the feature.
    pub name: String,
    /// The tag.
    pub tag: String,
    /// The names of other features that it enables: its operations name items of these.
    pub needs: BTreeSet<String>,
}

/// The conditions of the items of an API. Without features, every list is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The features, in the order of the tags.
    pub features: Vec<TagFeature>,
    /// The conditions of [`super::Api::operations`].
    pub operations: Vec<Condition>,
    /// The conditions of [`super::Api::webhooks`].
    pub webhooks: Vec<Condition>,
    /// The conditions of [`super::Api::types`].
    pub types: Vec<Condition>,
    /// The conditions of [`super::Api::contents`].
    pub contents: Vec<Condition>,
    /// The conditions of [`super::Api::error_sets`].
    pub error_sets: Vec<Condition>,
    /// The conditions of [`super::Api::header_sets`].
    pub header_sets: Vec<Condition>,
    /// The conditions of the operations of [`super::Api::tags`]: any of theirs.
    pub tags: Vec<Condition>,
    /// The conditions of the modules of [`super::Api::tags`]: any of their operations and types.
    pub modules: Vec<Condition>,
}

/// Returns the condition at an index of a list.
#[must_use]
pub fn condition(list: &[Condition], index: usize) -> &Condition {
    const ALWAYS: &Condition = &Condition::new();
    list.get(index).unwrap_or(ALWAYS)
}

/// Returns the condition of what is there with any of some items.
#[must_use]
pub fn any_of<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Condition {
    let mut all = Condition::new();
    for condition in conditions {
        if condition.is_empty() {
            return Condition::new();
        }
        all.extend(condition);
    }
    all
}
