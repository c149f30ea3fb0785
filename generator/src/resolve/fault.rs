//! Reasons why references have no target, and their reports.

use super::suggest::is_only_nearest;
use super::{Node, Resolver, nearest};
use crate::diagnostic::{Change, Code, Diagnostic, Diagnostics, codes};
use crate::position::{Origin, Pointer, escape, unescape};
use crate::source::percent_decode;

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
    pub(super) fn report(&self, fault: &Fault, node: &Node<'t>, diagnostics: &mut Diagnostics) {
        if !fault.found.is_empty() {
            self.report_unreadable(&fault.found, node, diagnostics);
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
        if let Some(near) = &near
            && let Some(corrected) = self.corrected(node, near)
        {
            let description = format!(
                "{}: `{}` has an entry `{}`, and no other name is as similar",
                fault.message, near.object, near.name
            );
            let change = Change::Set("$ref", corrected.into());
            diagnostics.propose(&node.origin(), change, description);
        }
        let report = diagnostics.report(fault.code, &at, fault.message.clone());
        let help = near
            .as_ref()
            .map(|near| format!("`{}` has an entry `{}`", near.object, near.name));
        if let Some(help) = fault.help.clone().or(help) {
            report.help(help);
        }
        if is_outside {
            let files = self.tree.failures(codes::REFERENCE_OUTSIDE);
            report.note(format!(
                "reported once; number of files outside the project: {files}"
            ));
        }
    }

    /// Reports the problems of a file that cannot be read, with the first reference that leads there.
    fn report_unreadable(
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

    /// Returns the entry of an object that has a similar name.
    fn similar_entry<'f>(&self, object: &'f Origin, missing: &'f str) -> Option<Near<'f, 't>> {
        let entries = self.at(object)?.value.as_object()?;
        let left = self.comparisons.get().checked_sub(entries.len())?;
        self.comparisons.set(left);
        let names = || entries.keys().map(String::as_str);
        let name = nearest(missing, names())?;
        Some(Near {
            object: &object.pointer,
            missing,
            name,
            is_only: is_only_nearest(missing, name, names()),
        })
    }

    /// Returns the reference of a node with the only similar name, if the result has a target.
    fn corrected(&self, node: &Node<'t>, near: &Near<'_, '_>) -> Option<String> {
        let reference = node.reference().filter(|_| near.is_only)?;
        let (part, fragment) = reference.split_once("#/")?;
        let mut steps: Vec<_> = fragment.split('/').map(str::to_owned).collect();
        let step = steps
            .iter_mut()
            .find(|step| unescape(&percent_decode(step)) == near.missing)?;
        *step = escape(near.name);
        let corrected = format!("{part}#/{}", steps.join("/"));
        self.find(node, &corrected, 0).is_ok().then_some(corrected)
    }
}

/// An entry of an object whose name is similar to one that is missing.
struct Near<'f, 't> {
    object: &'f Pointer,
    missing: &'f str,
    name: &'t str,
    /// Whether no other name is as similar.
    is_only: bool,
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
