//! The Rust form: derived traits, modules, features of the runtime, error codes.

use std::collections::BTreeSet;

use super::super::rules::Raw;
use super::{Finder, Scope, User, path_of};
use crate::emit::Serde;
use crate::emit::type_features;
use crate::ir::{Api, Rule, Traits, TypeDef, TypeKind};

/// A derived trait, and whether the trait of a type depends on the types that it contains.
const TRAITS: [(&str, bool); 5] = [
    ("Copy", true),
    ("Default", false),
    ("Eq", true),
    ("Ord", true),
    ("Hash", true),
];

impl Finder<'_> {
    /// Compares what only Rust code sees.
    pub(super) fn surface(&mut self) {
        self.traits();
        self.modules();
        self.features();
        let code = |api: &Api| api.error_code.map(|id| path_of(api, api.type_def(id)));
        let (from, to) = (code(self.old), code(self.new));
        if from != to {
            let word = |code: &Option<String>| code.clone().unwrap_or_else(|| "none".to_owned());
            let values = Some((word(&from), word(&to)));
            self.note_api(Raw::ErrorCodesChanged, "error codes", values, (from, to));
        }
    }

    /// Reports derived traits of types that both crates have. A trait that a type lost or gained
    /// because of a type that it contains is reported only for the latter.
    fn traits(&mut self) {
        let sets: Vec<[Option<[bool; 5]>; 2]> = self
            .pairs
            .iter()
            .map(|pair| {
                [
                    traits_of(self.old.type_def(pair.old)),
                    traits_of(self.new.type_def(pair.new)),
                ]
            })
            .collect();
        let mut contained: Vec<Vec<usize>> = vec![Vec::new(); self.pairs.len()];
        for (index, pair) in self.pairs.iter().enumerate() {
            for user in &pair.users {
                if let User::Pair(user, _) = user {
                    contained[*user].push(index);
                }
            }
        }
        for index in 0..self.pairs.len() {
            let [Some(old), Some(new)] = sets[index] else {
                continue;
            };
            for (at, (name, inherited)) in TRAITS.iter().enumerate() {
                if old[at] == new[at] {
                    continue;
                }
                let same = |inner: &usize| {
                    let both = sets[*inner].map(|set| set.map(|set| set[at]));
                    *inner != index && both == [Some(old[at]), Some(new[at])]
                };
                if *inherited && contained[index].iter().any(same) {
                    continue;
                }
                let raw = if old[at] {
                    Raw::TraitLost
                } else {
                    Raw::TraitGained
                };
                let (a, b) = (
                    self.old.type_def(self.pairs[index].old),
                    self.new.type_def(self.pairs[index].new),
                );
                let rust = (path_of(self.old, a), path_of(self.new, b));
                self.add(raw, Scope::Pair(index), |found| {
                    let item =
                        |path: &str, has: bool| has.then(|| format!("impl {name} for {path}"));
                    found
                        .arg("name", *name)
                        .at(Some(&a.origin), Some(&b.origin))
                        .rust(item(&rust.0, old[at]), item(&rust.1, new[at]))
                });
            }
        }
    }

    /// Reports modules that only one crate has.
    fn modules(&mut self) {
        let (old, new) = (modules(self.old), modules(self.new));
        for module in old.difference(&new) {
            let rust = (Some((*module).to_owned()), None);
            self.note_api(Raw::ModuleRemoved, &format!("module {module}"), None, rust);
        }
        for module in new.difference(&old) {
            let rust = (None, Some((*module).to_owned()));
            self.note_api(Raw::ModuleAdded, &format!("module {module}"), None, rust);
        }
    }

    /// Reports features of the runtime that only one crate needs.
    fn features(&mut self) {
        let features = |api: &Api| -> BTreeSet<&'static str> {
            let all = type_features(api, Serde::Table).into_iter();
            // Patterns of responses are compared, and generated code does not check them.
            all.filter(|feature| *feature != "pattern" || has_pattern(api))
                .chain(api.documents_retries().then_some("retries"))
                .chain(api.follow_method().map(|_| "links"))
                .collect()
        };
        let (old, new) = (features(self.old), features(self.new));
        for feature in new.difference(&old) {
            self.note_api(
                Raw::FeatureNeeded,
                &format!("feature {feature}"),
                None,
                (None, None),
            );
        }
        for feature in old.difference(&new) {
            self.note_api(
                Raw::FeatureUnneeded,
                &format!("feature {feature}"),
                None,
                (None, None),
            );
        }
    }
}

/// Returns the derived traits of a type, in the order of [`TRAITS`]. An alias has those of its
/// target, which is compared itself: `None`.
fn traits_of(def: &TypeDef) -> Option<[bool; 5]> {
    let Traits {
        copy,
        default,
        eq,
        ord,
        hash,
    } = def.traits;
    match &def.kind {
        TypeKind::Alias(_) | TypeKind::Pending => None,
        // A struct without required fields has a `Default` beside its constructor.
        TypeKind::Object(object) => {
            Some([copy, default || object.required().is_empty(), eq, ord, hash])
        }
        _ => Some([copy, default, eq, ord, hash]),
    }
}

/// Returns the modules that depend on the document.
fn modules(api: &Api) -> BTreeSet<String> {
    let tags = api
        .tags
        .iter()
        .map(|tag| format!("operations::{}", tag.name.rust));
    let webhooks = (!api.webhooks.is_empty()).then(|| "webhooks".to_owned());
    let servers = (!api.servers.is_empty()).then(|| "client::servers".to_owned());
    let rejections = (!api.rejections.is_empty()).then(|| "server::rejections".to_owned());
    tags.chain(webhooks)
        .chain(servers)
        .chain(rejections)
        .collect()
}

/// Returns whether generated code checks a pattern: in a type of requests, a parameter or a body.
fn has_pattern(api: &Api) -> bool {
    let any = |rules: &[Rule]| rules.iter().any(Rule::has_pattern);
    let types = api.types.iter().filter(|def| def.input).any(|def| {
        any(&def.rules)
            || match &def.kind {
                TypeKind::Object(object) => {
                    any(&object.each) || object.fields.iter().any(|field| any(&field.rules))
                }
                TypeKind::Union(union) => union.variants.iter().any(|variant| any(&variant.rules)),
                _ => false,
            }
    });
    types
        || api.operations.iter().any(|operation| {
            let bodies = operation.body.iter();
            let mut media = bodies.flat_map(|body| body.payload.media());
            operation.params.iter().any(|param| any(&param.rules))
                || media.any(|media| any(&media.rules))
        })
}
