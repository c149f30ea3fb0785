//! Responses: statuses, bodies, headers.

use super::super::rules::{Direction, Raw};
use super::bodies::At;
use super::objects::presence;
use super::slot::{Form, Kind, Slot};
use super::typed::Typed;
use super::{Call, Finder, Scope};
use crate::ir::{Header, Operation, Response, StatusSpec, Writer};

/// The word before the headers of errors, which all errors of an operation share.
const ERRORS: &str = "errors";

impl<'a> Finder<'a> {
    /// Compares the responses of a paired operation.
    pub(super) fn responses(&mut self, index: usize) {
        let call = self.calls[index];
        let Call { old, new, .. } = call;
        for success in [true, false] {
            let list = |operation: &'a Operation| {
                if success {
                    &operation.successes
                } else {
                    &operation.errors
                }
            };
            let (a, b) = (list(old), list(new));
            for response in a {
                match b.iter().find(|other| other.status == response.status) {
                    Some(other) => self.response(index, response, other),
                    None => self.lone_response(index, response, success, false),
                }
            }
            for response in b {
                if !a.iter().any(|other| other.status == response.status) {
                    self.lone_response(index, response, success, true);
                }
            }
        }
        self.headers(index, "", &old.success_headers, &new.success_headers);
        self.headers(index, ERRORS, &old.error_headers, &new.error_headers);
        self.shapes(index);
    }

    fn lone_response(&mut self, index: usize, response: &Response, success: bool, added: bool) {
        let Call { old, new, .. } = self.calls[index];
        let other = if added { old } else { new };
        let covered = other
            .successes
            .iter()
            .chain(&other.errors)
            .any(|success| covers(success.status, response.status));
        let raw = match (success, covered, added) {
            (true, false, true) => Raw::SuccessAdded,
            (true, false, false) => Raw::SuccessRemoved,
            (true, true, true) => Raw::SuccessCoveredAdded,
            (true, true, false) => Raw::SuccessCoveredRemoved,
            (false, _, true) => Raw::ErrorAdded,
            (false, _, false) => Raw::ErrorRemoved,
        };
        let scope = Scope::Operation(index, Direction::Response);
        let end = if success { "Response" } else { "Error" };
        let own = if added { new } else { old };
        let rust = Some(format!("{}{end}::{}", own.base, response.name.rust));
        self.add(raw, scope, |mut found| {
            found.member = status(response.status);
            match added {
                true => found
                    .at(Some(&old.origin), Some(&response.origin))
                    .rust(None, rust.clone()),
                false => found
                    .at(Some(&response.origin), Some(&new.origin))
                    .rust(rust.clone(), None),
            }
        });
    }

    fn response(&mut self, index: usize, a: &'a Response, b: &'a Response) {
        let Call { old, new, .. } = self.calls[index];
        let scope = Scope::Operation(index, Direction::Response);
        let member = status(a.status);
        let rust = |operation: &Operation, response: &Response| {
            format!("{}Response::{}", operation.base, response.name.rust)
        };
        let slot = Slot {
            scope: scope.clone(),
            member: member.clone(),
            old: Some(a.origin.clone()),
            new: Some(b.origin.clone()),
            kind: Kind::Value,
            writer: Writer::Both,
            rust_old: Some(rust(old, a)),
            rust_new: Some(rust(new, b)),
        };
        match (&a.payload, &b.payload) {
            (None, None) => {}
            (None, Some(_)) => self.note(&slot, Raw::ResponseBodyAdded),
            (Some(_), None) => self.note(&slot, Raw::ResponseBodyRemoved),
            (Some(x), Some(y)) => {
                let x = At {
                    payload: x,
                    left_out: &a.left_out,
                    origin: &a.origin,
                    rust: rust(old, a),
                };
                let y = At {
                    payload: y,
                    left_out: &b.left_out,
                    origin: &b.origin,
                    rust: rust(new, b),
                };
                self.payloads(&scope, &member, &x, &y);
            }
        }
        if a.name.rust != b.name.rust {
            let key = b.origin.pointer().trim_start_matches('#').to_owned();
            self.renamed(&slot, Raw::ResponseVariantRenamed, (&a.name, &b.name), &key);
        }
        if a.doc.text != b.doc.text {
            self.note(&slot, Raw::TextChanged);
        }
    }

    fn headers(&mut self, index: usize, status: &str, old: &[Header], new: &[Header]) {
        let same = |a: &Header, b: &Header| a.name.wire.eq_ignore_ascii_case(&b.name.wire);
        for header in old {
            match new.iter().find(|other| same(header, other)) {
                Some(other) => self.header(index, status, header, other),
                None => {
                    let raw = match (header.required, status == ERRORS) {
                        (true, true) => Raw::RequiredErrorHeaderRemoved,
                        _ if header.optional => Raw::HeaderRemoved,
                        _ => Raw::RequiredHeaderRemoved,
                    };
                    let slot = self.header_slot(index, status, (Some(header), None));
                    self.note(&slot, raw);
                }
            }
        }
        for header in new {
            if !old.iter().any(|other| same(header, other)) {
                let raw = match (header.required, status == ERRORS) {
                    (true, true) => Raw::RequiredErrorHeaderAdded,
                    _ if header.optional => Raw::HeaderAdded,
                    _ => Raw::RequiredHeaderAdded,
                };
                let slot = self.header_slot(index, status, (None, Some(header)));
                self.note(&slot, raw);
            }
        }
    }

    fn header_slot(
        &self,
        index: usize,
        status: &str,
        (a, b): (Option<&Header>, Option<&Header>),
    ) -> Slot {
        let Call { old, new, .. } = self.calls[index];
        let name = a.or(b).map_or("", |header| header.name.wire.as_str());
        let space = if status.is_empty() { "" } else { " " };
        let owner = if status == ERRORS {
            "ErrorHeaders"
        } else {
            "ResponseHeaders"
        };
        let field = |operation: &Operation, header: &Header| {
            format!("{}{owner}::{}", operation.base, header.name.rust)
        };
        let styles = [a, b]
            .into_iter()
            .flatten()
            .flat_map(|header| &header.style);
        Slot {
            scope: Scope::Operation(index, Direction::Response),
            member: format!("{status}{space}header {}", name.to_ascii_lowercase()),
            old: Some(old.origin.clone()),
            new: Some(new.origin.clone()),
            kind: Kind::Header(Form::new(styles)),
            writer: Writer::Both,
            rust_old: a.map(|header| field(old, header)),
            rust_new: b.map(|header| field(new, header)),
        }
    }

    fn header(&mut self, index: usize, status: &str, a: &Header, b: &Header) {
        let slot = self.header_slot(index, status, (Some(a), Some(b)));
        match (a.optional, b.optional) {
            (true, false) => self.note(&slot, Raw::HeaderRequired),
            (false, true) => self.note(&slot, Raw::HeaderOptional),
            _ if status != ERRORS => {}
            _ => match (a.required, b.required) {
                (true, false) => self.note(&slot, Raw::ErrorHeaderOptional),
                (false, true) => self.note(&slot, Raw::ErrorHeaderRequired),
                _ => {}
            },
        }
        if a.style != b.style {
            self.note(&slot, Raw::HeaderStyle);
        }
        let (x, y) = (presence(&a.ty, a.optional), presence(&b.ty, b.optional));
        match (x.nullable, y.nullable) {
            (false, true) => self.note(&slot, Raw::HeaderWidened),
            (true, false) => self.note(&slot, Raw::HeaderNarrowed),
            _ => {}
        }
        self.slot(&slot, Typed::new(x.ty, &[]), Typed::new(y.ty, &[]));
        if a.name.rust != b.name.rust {
            self.renamed(&slot, Raw::FieldRenamed, (&a.name, &b.name), "");
        }
        self.deprecation(&slot, &a.doc, &b.doc);
        if a.doc.text != b.doc.text {
            self.note(&slot, Raw::TextChanged);
        }
    }

    /// Compares the Rust type of all successes.
    fn shapes(&mut self, index: usize) {
        let call = self.calls[index];
        let Call { old, new, .. } = call;
        let scope = Scope::Operation(index, Direction::Response);
        let several = |operation: &Operation| operation.successes.len() > 1;
        if several(old) != several(new) {
            let number = |operation: &Operation| operation.successes.len().to_string();
            let values = Some((number(old), number(new)));
            self.note_call(Raw::SuccessShapeChanged, &call, &scope, values);
        }
    }
}

/// Returns whether a documented status includes another one.
fn covers(wide: StatusSpec, narrow: StatusSpec) -> bool {
    match (wide, narrow) {
        (StatusSpec::Default, _) => true,
        (StatusSpec::Range(first), StatusSpec::Code(code)) => code / 100 == u16::from(first),
        _ => false,
    }
}

/// Returns a status in reports.
fn status(status: StatusSpec) -> String {
    match status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}XX"),
        StatusSpec::Default => "default".to_owned(),
    }
}
