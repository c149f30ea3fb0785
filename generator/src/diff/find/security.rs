//! Security requirements and security schemes.

use std::collections::BTreeSet;

use super::super::rules::Raw;
use super::{Call, Finder, Scope};
use crate::ir::{Requirement, Scheme, SchemeKind};

/// An alternative without its scopes.
type Schemes<'s> = BTreeSet<&'s str>;

impl<'a> Finder<'a> {
    /// Compares the security requirements of an operation.
    pub(super) fn requirements(&mut self, call: &Call<'_>, scope: &Scope) {
        let renamed: Vec<Vec<Requirement>> = self.renamed_schemes(&call.old.security);
        let (old, new) = (&renamed, &call.new.security);
        let open = |all: &[Vec<Requirement>]| all.is_empty();
        match (open(old), open(new)) {
            (true, true) => return,
            (true, false) => return self.note_call(Raw::SecurityAdded, call, scope, None),
            (false, true) => return self.note_call(Raw::SecurityRemoved, call, scope, None),
            (false, false) => {}
        }
        // Alternatives may have the same schemes and other scopes: equal ones belong together.
        let mut open: Vec<&Vec<Requirement>> = new.iter().collect();
        let mut rest = Vec::new();
        for one in old {
            match open.iter().position(|other| *other == one) {
                Some(index) => _ = open.remove(index),
                None => rest.push(one),
            }
        }
        for one in rest {
            match open.iter().position(|other| schemes(other) == schemes(one)) {
                Some(index) => {
                    let other = open.remove(index);
                    self.scopes(call, scope, one, other);
                }
                None => self.alternative(Raw::AlternativeSchemeRemoved, call, scope, one),
            }
        }
        for one in open {
            self.alternative(Raw::AlternativeSchemeAdded, call, scope, one);
        }
    }

    /// Returns requirements with the new names of schemes. The name of a scheme is no part of a message.
    fn renamed_schemes(&self, requirements: &[Vec<Requirement>]) -> Vec<Vec<Requirement>> {
        let lone = |these: &'a [Scheme], those: &'a [Scheme]| -> Vec<&'a Scheme> {
            let known = |one: &&Scheme| !those.iter().any(|of| of.name.wire == one.name.wire);
            these.iter().filter(known).collect()
        };
        let (old, new) = (&self.old.schemes, &self.new.schemes);
        let (gone, come) = (lone(old, new), lone(new, old));
        let same = |a: &Scheme, b: &Scheme| a.kind == b.kind && a.token == b.token;
        let name = |name: &str| {
            let one = gone.iter().find(|one| one.name.wire == name)?;
            let other = come.iter().find(|other| same(one, other))?;
            let alone = gone.iter().filter(|of| same(of, other)).count() == 1;
            alone.then(|| other.name.wire.clone())
        };
        let mut requirements = requirements.to_vec();
        for one in requirements.iter_mut().flatten() {
            if let Some(name) = name(&one.scheme) {
                one.scheme = name;
            }
        }
        requirements
    }

    fn alternative(&mut self, raw: Raw, call: &Call<'_>, scope: &Scope, one: &[Requirement]) {
        let name = match one.is_empty() {
            true => "no credentials".to_owned(),
            false => schemes(one).into_iter().collect::<Vec<_>>().join(" and "),
        };
        self.security_note(raw, call, scope, &name);
    }

    fn security_note(&mut self, raw: Raw, call: &Call<'_>, scope: &Scope, name: &str) {
        self.add(raw, scope.clone(), |mut found| {
            found.member = "security".to_owned();
            found
                .arg("name", name)
                .at(Some(&call.old.origin), Some(&call.new.origin))
        });
    }

    fn scopes(&mut self, call: &Call<'_>, scope: &Scope, old: &[Requirement], new: &[Requirement]) {
        let all = |of: &[Requirement]| -> BTreeSet<String> {
            let scopes = of.iter().flat_map(|one| {
                let scheme = &one.scheme;
                one.scopes
                    .iter()
                    .map(move |scope| format!("{scheme}: {scope}"))
            });
            scopes.collect()
        };
        let (a, b) = (all(old), all(new));
        for name in a.difference(&b) {
            self.security_note(Raw::ScopeRemoved, call, scope, name);
        }
        for name in b.difference(&a) {
            self.security_note(Raw::ScopeAdded, call, scope, name);
        }
    }

    /// Compares the security schemes that operations use.
    pub(super) fn schemes(&mut self) {
        let (old, new): (&'a [Scheme], &'a [Scheme]) = (&self.old.schemes, &self.new.schemes);
        let find = |all: &'a [Scheme], name: &str| all.iter().find(|one| one.name.wire == name);
        for one in old {
            let rust = field(one);
            match find(new, &one.name.wire) {
                None => self.scheme(Raw::SchemeRemoved, one, None, (Some(rust), None)),
                Some(other) => {
                    let names = (Some(rust), Some(field(other)));
                    if one.kind != other.kind {
                        let kinds = Some((kind(&one.kind), kind(&other.kind)));
                        self.scheme(Raw::SchemeChanged, one, kinds, names.clone());
                    }
                    if one.token != other.token {
                        self.scheme(Raw::TokenFlowChanged, one, None, names.clone());
                    }
                    if one.name.rust != other.name.rust {
                        let values = Some((one.name.rust.clone(), other.name.rust.clone()));
                        self.scheme(Raw::FieldRenamed, one, values, names);
                    }
                }
            }
        }
        for one in new {
            if find(old, &one.name.wire).is_none() {
                self.scheme(Raw::SchemeAdded, one, None, (None, Some(field(one))));
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

fn schemes(one: &[Requirement]) -> Schemes<'_> {
    one.iter().map(|one| one.scheme.as_str()).collect()
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
