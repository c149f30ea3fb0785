//! Reasons why references have no target, and their reports.

use super::{Node, Resolver, nearest};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::position::Origin;

/// The reason why a reference has no target.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(super) code: &'static Code,
    pub(super) message: String,
    pub(super) help: Option<String>,
    /// The object that lacks an entry, and the name of the entry. A similar name is searched only if
    /// the fault is reported.
    pub(super) missing: Option<(Origin, String)>,
    /// The diagnostics of the file to which the reference leads.
    pub(super) found: Vec<Diagnostic>,
}

impl Fault {
    pub(super) fn new(code: &'static Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            help: None,
            missing: None,
            found: vec![],
        }
    }
}

impl<'t> Resolver<'t> {
    /// Reports a fault at its reference.
    pub(super) fn tell(&self, fault: &Fault, node: &Node<'t>, diagnostics: &mut Diagnostics) {
        if !fault.found.is_empty() {
            self.tell_unreadable(&fault.found, node, diagnostics);
            return;
        }
        // The remedy is the same for all files outside the project, so one report suffices.
        let is_outside = fault.code == codes::REFERENCE_OUTSIDE;
        if is_outside && self.outside_reported.replace(true) {
            return;
        }
        let at = node.origin().child("$ref");
        let near = fault.missing.as_ref();
        let near = near.filter(|_| diagnostics.wants(fault.code));
        let near = near.and_then(|(object, name)| self.similar_entry(object, name));
        let told = diagnostics.report(fault.code, &at, fault.message.clone());
        if let Some(help) = fault.help.as_ref().or(near.as_ref()) {
            told.help(help.clone());
        }
        if is_outside {
            let files = self.tree.failures(codes::REFERENCE_OUTSIDE);
            told.note(format!(
                "reported once; number of files outside the project: {files}"
            ));
        }
    }

    /// Reports the problems of a file that cannot be read, with the first reference that leads there.
    fn tell_unreadable(
        &self,
        found: &[Diagnostic],
        node: &Node<'t>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut found = found.to_vec();
        let file = found.first().and_then(|first| first.origin.as_ref());
        let is_known = diagnostics.iter().any(|known| {
            let at = known.origin.as_ref();
            at.map(|at| at.file) == file.map(|at| at.file)
        });
        if let (Some(first), false) = (found.first_mut(), is_known) {
            let path = self.tree.path(node.file);
            let path = path.map(|path| path.display().to_string());
            first.note(format!(
                "the file is read because of the `$ref` at `{}{}`",
                path.unwrap_or_default(),
                node.pointer
            ));
        }
        diagnostics.absorb(&found);
    }

    /// Returns a sentence about the entry of an object that has a similar name.
    fn similar_entry(&self, object: &Origin, name: &str) -> Option<String> {
        let entries = self.at(object)?.value.as_object()?;
        let left = self.comparisons.get().checked_sub(entries.len())?;
        self.comparisons.set(left);
        let near = nearest(name, entries.keys().map(String::as_str))?;
        Some(format!("`{}` has an entry `{near}`", object.pointer))
    }
}

/// Returns the fault of a pointer that has no target.
pub(super) fn missing(here: &Node<'_>, segment: &str, reference: &str) -> Fault {
    Fault {
        missing: Some((here.origin(), segment.to_owned())),
        ..Fault::new(codes::DANGLING_REFERENCE, dangling(reference))
    }
}

pub(super) fn dangling(reference: &str) -> String {
    format!("unresolved reference `{reference}`")
}
