//! Security requirements and security schemes.

use std::collections::{BTreeMap, BTreeSet};

use super::super::rules::Raw;
use super::typed::{Typed, strip};
use super::{Call, Finder, Scope};
use crate::ir::{Api, Operation, Payload, Requirement, Scheme, SchemeKind, TypeKind, TypeRef};

/// An alternative without its scopes.
type Schemes<'s> = BTreeSet<&'s str>;

/// The requirements of an operation, or of a variant of its body.
struct At<'c> {
    call: &'c Call<'c>,
    scope: &'c Scope,
    /// The variant of the body.
    variant: Option<String>,
}

/// The requirements of variants of a body, by the name of the variant.
type ByVariant = BTreeMap<String, Vec<Vec<Requirement>>>;

impl<'a> Finder<'a> {
    /// Compares the security requirements of an operation, and of the variants of its body
    /// (`x-bothends-security`). A variant that states none has those of the operation.
    pub(super) fn requirements(&mut self, call: &Call<'_>, scope: &Scope) {
        let (old, new) = (&call.old.security, &call.new.security);
        let variant = None;
        self.alternatives(
            &At {
                call,
                scope,
                variant,
            },
            old,
            new,
        );
        let (a, b) = (
            by_variant(self.old, call.old),
            by_variant(self.new, call.new),
        );
        let variants: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for variant in variants {
            let pair = (a.get(variant).unwrap_or(old), b.get(variant).unwrap_or(new));
            // What changed for all variants is reported for the operation.
            if pair != (old, new) {
                let variant = Some(variant.clone());
                self.alternatives(
                    &At {
                        call,
                        scope,
                        variant,
                    },
                    pair.0,
                    pair.1,
                );
            }
        }
    }

    fn alternatives(&mut self, at: &At<'_>, old: &[Vec<Requirement>], new: &[Vec<Requirement>]) {
        let old = self.renamed_schemes(old);
        match (old.is_empty(), new.is_empty()) {
            (true, true) => return,
            (true, false) => return self.security_note(Raw::SecurityAdded, at, None),
            (false, true) => return self.security_note(Raw::SecurityRemoved, at, None),
            (false, false) => {}
        }
        // Alternatives may have the same schemes and other scopes: equal ones belong together.
        let mut open: Vec<&Vec<Requirement>> = new.iter().collect();
        let mut rest = Vec::new();
        for alternative in &old {
            match open.iter().position(|other| *other == alternative) {
                Some(index) => _ = open.remove(index),
                None => rest.push(alternative),
            }
        }
        for alternative in rest {
            match open
                .iter()
                .position(|other| schemes(other) == schemes(alternative))
            {
                Some(index) => {
                    let other = open.remove(index);
                    self.scopes(at, alternative, other);
                }
                None => self.alternative(Raw::AlternativeSchemeRemoved, at, alternative),
            }
        }
        for alternative in open {
            self.alternative(Raw::AlternativeSchemeAdded, at, alternative);
        }
    }

    /// Returns requirements with the new names of schemes. The name of a scheme is no part of a message.
    fn renamed_schemes(&self, requirements: &[Vec<Requirement>]) -> Vec<Vec<Requirement>> {
        let lone = |these: &'a [Scheme], those: &'a [Scheme]| -> Vec<&'a Scheme> {
            let known = |scheme: &&Scheme| {
                !those
                    .iter()
                    .any(|other| other.name.wire == scheme.name.wire)
            };
            these.iter().filter(known).collect()
        };
        let (old, new) = (&self.old.schemes, &self.new.schemes);
        let (gone, come) = (lone(old, new), lone(new, old));
        let same = |a: &Scheme, b: &Scheme| a.kind == b.kind && a.token == b.token;
        let name = |name: &str| {
            let scheme = gone.iter().find(|item| item.name.wire == name)?;
            let other = come.iter().find(|other| same(scheme, other))?;
            let alone = gone.iter().filter(|item| same(item, other)).count() == 1;
            alone.then(|| other.name.wire.clone())
        };
        let mut requirements = requirements.to_vec();
        for requirement in requirements.iter_mut().flatten() {
            if let Some(name) = name(&requirement.scheme) {
                requirement.scheme = name;
            }
        }
        requirements
    }

    fn alternative(&mut self, raw: Raw, at: &At<'_>, requirements: &[Requirement]) {
        let name = match requirements.is_empty() {
            true => "no credentials".to_owned(),
            false => schemes(requirements)
                .into_iter()
                .collect::<Vec<_>>()
                .join(" and "),
        };
        self.security_note(raw, at, Some(&name));
    }

    /// Adds a difference of the requirements as a whole, or of the alternative or the scope `name`.
    fn security_note(&mut self, raw: Raw, at: &At<'_>, name: Option<&str>) {
        let call = at.call;
        let member = match (&at.variant, name) {
            (Some(variant), _) => format!("security of {variant}"),
            (None, Some(_)) => "security".to_owned(),
            (None, None) => return self.note_call(raw, call, at.scope, None),
        };
        self.add(raw, at.scope.clone(), |mut found| {
            found.member.clone_from(&member);
            let name = name.map(|name| ("name", name.to_owned()));
            found.arguments.extend(name);
            found.at(Some(&call.old.origin), Some(&call.new.origin))
        });
    }

    fn scopes(&mut self, at: &At<'_>, old: &[Requirement], new: &[Requirement]) {
        let all = |requirements: &[Requirement]| -> BTreeSet<String> {
            let scopes = requirements.iter().flat_map(|requirement| {
                let scheme = &requirement.scheme;
                requirement
                    .scopes
                    .iter()
                    .map(move |scope| format!("{scheme}: {scope}"))
            });
            scopes.collect()
        };
        let (a, b) = (all(old), all(new));
        for name in a.difference(&b) {
            self.security_note(Raw::ScopeRemoved, at, Some(name));
        }
        for name in b.difference(&a) {
            self.security_note(Raw::ScopeAdded, at, Some(name));
        }
    }

    /// Compares the security schemes that operations use.
    pub(super) fn schemes(&mut self) {
        let (old, new): (&'a [Scheme], &'a [Scheme]) = (&self.old.schemes, &self.new.schemes);
        let find = |all: &'a [Scheme], name: &str| all.iter().find(|each| each.name.wire == name);
        for scheme in old {
            let rust = field(scheme);
            match find(new, &scheme.name.wire) {
                None => self.scheme(Raw::SchemeRemoved, scheme, None, (Some(rust), None)),
                Some(other) => {
                    let names = (Some(rust), Some(field(other)));
                    if scheme.kind != other.kind {
                        let kinds = Some((kind(&scheme.kind), kind(&other.kind)));
                        self.scheme(Raw::SchemeChanged, scheme, kinds, names.clone());
                    }
                    if scheme.token != other.token {
                        self.scheme(Raw::TokenFlowChanged, scheme, None, names.clone());
                    }
                    if scheme.name.rust != other.name.rust {
                        let values = Some((scheme.name.rust.clone(), other.name.rust.clone()));
                        self.scheme(Raw::FieldRenamed, scheme, values, names);
                    }
                }
            }
        }
        for scheme in new {
            if find(old, &scheme.name.wire).is_none() {
                self.scheme(Raw::SchemeAdded, scheme, None, (None, Some(field(scheme))));
            }
        }
    }

    fn scheme(
        &mut self,
        raw: Raw,
        scheme: &Scheme,
        values: Option<(String, String)>,
        rust: (Option<String>, Option<String>),
    ) {
        self.add(raw, Scope::Api, |mut found| {
            found.member = format!("security scheme {}", scheme.name.wire);
            if let Some((from, to)) = values.clone() {
                found = found.arg("from", from).arg("to", to);
            }
            found.rust(rust.0.clone(), rust.1.clone())
        });
    }
}

/// Returns the requirements of the variants of a body that state their own.
fn by_variant(api: &Api, operation: &Operation) -> ByVariant {
    let Some(Payload::One(media)) = operation.body.as_ref().map(|body| &body.payload) else {
        return ByVariant::new();
    };
    let TypeRef::Named(id) = strip(api, Typed::new(&media.ty, &[])).typed.ty else {
        return ByVariant::new();
    };
    let TypeKind::Union(union) = &api.type_def(*id).kind else {
        return ByVariant::new();
    };
    let rows = operation.security_by_body.iter();
    let rows = rows.filter_map(|(index, own)| {
        let tag = union.variants.get(*index)?.tags.first()?;
        Some((tag.clone(), own.clone()))
    });
    rows.collect()
}

fn schemes(requirements: &[Requirement]) -> Schemes<'_> {
    requirements
        .iter()
        .map(|requirement| requirement.scheme.as_str())
        .collect()
}

fn field(scheme: &Scheme) -> String {
    format!("client::Credentials::{}", scheme.name.rust)
}

fn kind(kind: &SchemeKind) -> String {
    match kind {
        SchemeKind::Basic => "HTTP Basic".to_owned(),
        SchemeKind::Bearer => "bearer token".to_owned(),
        SchemeKind::Http(scheme) => format!("HTTP {scheme}"),
        SchemeKind::Header(name) => format!("header {name}"),
        SchemeKind::Query(name) => format!("query parameter {name}"),
        SchemeKind::Cookie(name) => format!("cookie {name}"),
        SchemeKind::Transport => "transport".to_owned(),
    }
}
