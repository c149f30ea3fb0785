//! What belongs to the whole API: rules for webhooks, rejections, tags.

use serde_json::Value;

use super::super::rules::Raw;
use super::{Finder, Scope};
use crate::ir::{Api, FieldErrorFormat, Rejection, RejectionBodies};

impl Finder<'_> {
    /// Compares what belongs to no operation and to no type.
    pub(super) fn api(&mut self) {
        self.servers();
        self.schemes();
        self.webhook_rules();
        self.rejections();
        self.tags();
        if self.old.doc.text != self.new.doc.text {
            self.note_api(Raw::TextChanged, "description", None, (None, None));
        }
    }

    /// Adds a difference of the API with its values before and after.
    pub(super) fn note_api(
        &mut self,
        raw: Raw,
        member: &str,
        values: Option<(String, String)>,
        rust: (Option<String>, Option<String>),
    ) {
        self.add(raw, Scope::Api, |mut found| {
            found.member = member.to_owned();
            if let Some((from, to)) = values.clone() {
                found = found.arg("from", from).arg("to", to);
            }
            found.rust(rust.0.clone(), rust.1.clone())
        });
    }

    fn webhook_rules(&mut self) {
        let (old, new) = (&self.old.webhook_rules, &self.new.webhook_rules);
        let constant = |is: bool, name: &str| is.then(|| format!("webhooks::{name}"));
        if old.signing != new.signing {
            let rust = (
                constant(old.signing.is_some(), "SIGNING"),
                constant(new.signing.is_some(), "SIGNING"),
            );
            self.note_api(Raw::SigningChanged, "webhooks", None, rust);
        }
        if old.delivery != new.delivery {
            let rust = (
                constant(old.delivery.is_some(), "DELIVERY"),
                constant(new.delivery.is_some(), "DELIVERY"),
            );
            self.note_api(Raw::DeliveryChanged, "webhooks", None, rust);
        }
        if old.subscription != new.subscription {
            self.note_api(Raw::SubscriptionChanged, "webhooks", None, (None, None));
        }
    }

    fn rejections(&mut self) {
        let own = |api: &Api| -> Vec<Named> {
            let all = api.rejections.iter().map(|rejection| {
                let bodies = rejection.bodies.iter();
                let bodies = bodies.map(|(name, body)| (name.rust.clone(), json(body)));
                (
                    rejection.name.rust.clone(),
                    rejection.status,
                    bodies.collect(),
                )
            });
            all.collect()
        };
        let own_bodies = self.calls.iter().filter(|call| !call.webhook).all(|call| {
            validation(self.old, &call.old.name.wire) == validation(self.new, &call.new.name.wire)
        });
        let same =
            own_bodies && bodies(&self.old.rejection_bodies) == bodies(&self.new.rejection_bodies);
        if !same || own(self.old) != own(self.new) {
            self.note_api(Raw::RejectionChanged, "rejections", None, (None, None));
        }
    }

    /// Compares the Rust names of tags.
    fn tags(&mut self) {
        for tag in &self.old.tags {
            let mut others = self.new.tags.iter();
            let Some(other) = others.find(|other| other.name.wire == tag.name.wire) else {
                continue;
            };
            if tag.trait_name != other.trait_name || tag.name.rust != other.name.rust {
                let rust = |name: &str| Some(format!("server::{name}"));
                let (from, to) = (tag.trait_name.clone(), other.trait_name.clone());
                let member = format!("tag {}", tag.name.wire);
                let rust = (rust(&from), rust(&to));
                self.note_api(Raw::TraitRenamed, &member, Some((from, to)), rust);
            }
        }
    }
}

/// Returns a JSON text as a value: the order of its properties has no meaning.
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// A rejection with a name: the status, and the bodies by name.
type Named = (String, u16, Vec<(String, Value)>);

/// What a client sees of a rejection.
type Seen<'r> = (u16, &'r str, Value, Option<&'r str>, FieldErrorFormat);

/// Returns the responses to requests that reach no handler, without indices of operations.
fn bodies(bodies: &RejectionBodies) -> Vec<Option<Seen<'_>>> {
    let all = [
        &bodies.not_found,
        &bodies.method_not_allowed,
        &bodies.validation,
        &bodies.unauthorized,
        &bodies.forbidden,
        &bodies.not_acceptable,
        &bodies.unsupported_media_type,
        &bodies.too_large,
        &bodies.internal,
        &bodies.not_implemented,
    ];
    let all = all.into_iter();
    all.map(|each| each.as_ref().map(seen)).collect()
}

/// Returns the response to invalid requests of an operation, if it has its own.
fn validation<'a>(api: &'a Api, operation: &str) -> Option<Seen<'a>> {
    let is_of = |index: &usize| {
        let target = api.operations.get(*index);
        target.is_some_and(|target| target.name.wire == operation)
    };
    let mut rows = api.rejection_bodies.validation_of.iter();
    let row = rows.find(|(operations, _)| operations.iter().any(is_of));
    row.map(|(_, rejection)| seen(rejection))
}

fn seen(rejection: &Rejection) -> Seen<'_> {
    let (kind, fields) = (rejection.content_type.as_str(), rejection.fields.as_deref());
    let mut format = rejection.fields_as.clone();
    // The order of the members of an object has no meaning.
    if let FieldErrorFormat::Objects(members) = &mut format {
        members.sort_by(|member, other| member.0.cmp(&other.0));
    }
    (
        rejection.status,
        kind,
        json(&rejection.body),
        fields,
        format,
    )
}
