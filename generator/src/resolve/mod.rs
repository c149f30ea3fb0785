//! Resolution of references: a cursor over the trees, and the targets of `$ref`s.
//!
//! References are resolved on untyped values, because documents contain references where the
//! standard does not allow them. Resolution never panics, and always ends: the number of references
//! on every path is limited.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::diagnostic::{Change, Code, Diagnostics, codes};
use crate::position::{FileId, Origin, Pointer, unescape};
use crate::source::{Link, Tree, Value, percent_decode};

mod endless;
mod fault;
mod identity;
mod meant;
mod node;
mod suggest;
#[cfg(test)]
mod tests;

use endless::Endless;
pub(crate) use fault::Fault;
use fault::{dangling, missing};
pub(crate) use identity::is_data;
use identity::{Identities, Repeated};
pub use node::Node;
pub(crate) use suggest::{nearest, nearest_within};

/// The maximum number of references that one pointer may pass through.
const MAX_DETOURS: usize = 32;
/// The maximum number of references that are passed to resolve one reference. Each reference has
/// several spellings and starting points, and a pointer through itself would try all of them
/// repeatedly.
const MAX_TRIES: usize = 100;
/// The maximum length of a chain of references. Few documents need more than three.
const MAX_CHAIN: usize = 100;
/// The maximum number of names that are compared to suggest targets for broken references, in
/// total.
const MAX_COMPARISONS: usize = 300_000;

/// A resolver for the references of a document.
#[derive(Debug)]
pub struct Resolver<'t> {
    tree: &'t Tree,
    identities: Identities,
    /// The number of names that may still be compared for suggestions.
    comparisons: Cell<usize>,
    /// The number of references that may still be passed for the current reference.
    tries: Cell<usize>,
    /// Whether a reference to a file outside the project was reported.
    outside_reported: Cell<bool>,
    /// References that are known to lead only to references, completely and up to schemas.
    endless: RefCell<HashMap<Origin, Rc<Endless>>>,
    endless_until: RefCell<HashMap<Origin, Rc<Endless>>>,
}

impl<'t> Resolver<'t> {
    /// Creates a resolver for a document with all its files.
    #[must_use]
    pub fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            identities: Identities::collect(tree),
            comparisons: Cell::new(MAX_COMPARISONS),
            tries: Cell::new(MAX_TRIES),
            outside_reported: Cell::new(false),
            endless: RefCell::default(),
            endless_until: RefCell::default(),
        }
    }

    /// Returns the root of the root document.
    #[must_use]
    pub fn root(&self) -> Node<'t> {
        self.top(self.tree.root())
    }

    fn top(&self, file: FileId) -> Node<'t> {
        const NULL: &Value = &Value::Null;
        Node {
            file,
            pointer: Pointer::ROOT,
            value: self.tree.value(file).unwrap_or(NULL),
        }
    }

    /// Follows references to a node that is not a reference. Returns `None` and reports an error if
    /// a reference has no target.
    pub fn follow(&self, node: &Node<'t>, diagnostics: &mut Diagnostics) -> Option<Node<'t>> {
        let code = codes::CYCLIC_REFERENCE;
        self.chase(node, |_| false, (&self.endless, code), diagnostics)
    }

    /// Follows references to a node that is not a reference, or for which `stop` returns `true`.
    /// All calls must pass the same `stop`.
    pub(crate) fn follow_until(
        &self,
        node: &Node<'t>,
        stop: impl Fn(&Node<'t>) -> bool,
        diagnostics: &mut Diagnostics,
    ) -> Option<Node<'t>> {
        // A schema without a target accepts any value.
        let code = codes::ENDLESS_SCHEMA;
        self.chase(node, stop, (&self.endless_until, code), diagnostics)
    }

    fn chase(
        &self,
        node: &Node<'t>,
        stop: impl Fn(&Node<'t>) -> bool,
        (known, code): (&RefCell<HashMap<Origin, Rc<Endless>>>, &'static Code),
        diagnostics: &mut Diagnostics,
    ) -> Option<Node<'t>> {
        let mut passed: IndexMap<Origin, Node<'t>> = IndexMap::new();
        let mut here = node.clone();
        while let Some(reference) = here.reference() {
            if stop(&here) {
                break;
            }
            let origin = here.origin();
            let cycle = passed.get_index_of(&origin);
            let endless = if let Some(endless) = known.borrow().get(&origin) {
                Some(Rc::clone(endless))
            } else if let Some(start) = cycle {
                Some(Endless::cycle(passed.keys().skip(start), code))
            } else if passed.len() > MAX_CHAIN {
                Some(Endless::chain(&node.origin()))
            } else {
                None
            };
            // The result is cached, so that further references to this chain are not followed
            // again.
            if let Some(endless) = endless {
                endless.report(diagnostics);
                let passed = passed.into_keys();
                let passed = passed.map(|origin| (origin, Rc::clone(&endless)));
                known.borrow_mut().extend(passed);
                return None;
            }
            let next = self.target_or_report(&here, reference, diagnostics)?;
            passed.insert(origin, std::mem::replace(&mut here, next));
        }
        Some(here)
    }

    /// Returns the target of a reference in `node`, without reporting errors.
    pub(crate) fn target(&self, node: &Node<'t>, reference: &str) -> Result<Node<'t>, Fault> {
        self.find(node, reference, 0)
    }

    /// Returns the target of a reference in `node`. Reports an error if there is no target.
    pub(crate) fn target_or_report(
        &self,
        node: &Node<'t>,
        reference: &str,
        diagnostics: &mut Diagnostics,
    ) -> Option<Node<'t>> {
        let fault = match self.target(node, reference) {
            Ok(target) => return Some(target),
            Err(fault) => fault,
        };
        if fault.code == codes::DANGLING_REFERENCE
            && let Some((target, reading, spelling)) = self.meant(node, reference)
        {
            let at = node.origin().child("$ref");
            let message = format!("unresolved reference `{reference}`; it is read as {reading}");
            diagnostics.report(codes::MEANT, &at, message.clone());
            if let Some(spelling) = spelling {
                diagnostics.propose(
                    &node.origin(),
                    Change::Set("$ref", spelling.into()),
                    message,
                );
            }
            return Some(target);
        }
        self.report(&fault, node, diagnostics);
        None
    }

    /// Reports names that two parts of the document share. If references use such a name, this is
    /// an error, because the intended part is unknown. The method must be called after all
    /// references have been followed.
    pub(crate) fn report_repeated_names(&self, diagnostics: &mut Diagnostics) {
        for Repeated {
            key,
            name,
            first,
            again,
        } in &self.identities.repeated
        {
            let value = |origin: &Origin| self.at(origin).map(|node| node.value);
            let ambiguous = self.identities.is_led_to(first) && value(first) != value(again);
            let code = if ambiguous {
                codes::AMBIGUOUS_NAME
            } else {
                codes::REPEATED_NAME
            };
            let other = self
                .file_name(first.file)
                .filter(|_| first.file != again.file);
            let file = other.unwrap_or_default();
            let message = format!("the `{key}` `{name}` is also at `{file}{}`", first.pointer);
            diagnostics
                .report(code, &again.child(key), message)
                .help("give each of them a name of its own");
        }
    }

    /// Returns the name of a file, without its folders.
    pub(crate) fn file_name(&self, file: FileId) -> Option<&'t str> {
        self.tree.path(file)?.file_name()?.to_str()
    }

    /// Returns the trees of all files.
    pub(crate) fn values(&self) -> impl Iterator<Item = &'t Value> {
        self.tree.files().map(|(_, value)| value)
    }

    /// Returns the innermost node around another that is a document of its own: a schema with an
    /// `$id`, or the root of a file.
    pub(crate) fn document(&self, node: &Node<'t>) -> Origin {
        let around = self.identities.enclosing(node).cloned();
        around.unwrap_or_else(|| self.top(node.file).origin())
    }

    /// Returns the anchors of a document by name, and the nodes that have them.
    pub(crate) fn anchors(&self, document: &Origin) -> impl Iterator<Item = (&String, &Origin)> {
        self.identities.anchors_of(document).into_iter().flatten()
    }

    /// Returns the name of a file without its folders and its extension.
    pub(crate) fn stem(&self, file: FileId) -> Option<&'t str> {
        let name = self.file_name(file)?;
        Some(name.rsplit_once('.').map_or(name, |(stem, _)| stem))
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, file: FileId) -> Option<&'t Path> {
        self.tree.path(file)
    }

    fn find(&self, node: &Node<'t>, reference: &str, detours: usize) -> Result<Node<'t>, Fault> {
        if detours == 0 {
            self.tries.set(MAX_TRIES);
        }
        let (part, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let mut starts = self.starts(node, part)?;
        let Some(name) = fragment.strip_prefix('/') else {
            return self.anchored(starts.swap_remove(0), fragment, reference);
        };
        let mut fault = None;
        for start in starts {
            match self.walk_spellings(&start, name, reference, detours) {
                Ok(found) => return Ok(found),
                Err(error) => fault = Some(error),
            }
        }
        Err(fault.unwrap_or_else(|| Fault::new(codes::DANGLING_REFERENCE, dangling(reference))))
    }

    /// Returns the nodes at which the fragment of a reference may start, at least one. Usually this
    /// is the root of a file.
    fn starts(&self, node: &Node<'t>, part: &str) -> Result<Vec<Node<'t>>, Fault> {
        if part.is_empty() {
            let top = self.top(node.file);
            // A schema with an `$id` is a separate document, which many authors forget.
            let inner = self
                .identities
                .enclosing(node)
                .and_then(|origin| self.at(origin));
            return Ok(inner.into_iter().chain([top]).collect());
        }
        if let Some(start) = self
            .identities
            .find(node, part)
            .and_then(|origin| self.at(origin))
        {
            return Ok(vec![start]);
        }
        match self.tree.link(node.file, part) {
            Some(Link::File(file)) => Ok(vec![self.top(*file)]),
            Some(Link::Failed(failure)) => Err(Fault {
                code: failure.code,
                message: failure.message.clone(),
                help: failure.help.clone(),
                missing: None,
                found: failure.found.clone(),
            }),
            None => Err(Fault::new(codes::DANGLING_REFERENCE, dangling(part))),
        }
    }

    /// Returns the node at a position, without following references.
    pub(crate) fn at(&self, origin: &Origin) -> Option<Node<'t>> {
        let top = self.top(origin.file);
        let mut names = origin.pointer.names().into_iter();
        Some(Node {
            value: names.try_fold(top.value, |value, name| value.step(name))?,
            pointer: origin.pointer.clone(),
            ..top
        })
    }

    fn anchored(
        &self,
        start: Node<'t>,
        fragment: &str,
        reference: &str,
    ) -> Result<Node<'t>, Fault> {
        if fragment.is_empty() {
            return Ok(start);
        }
        let anchor = self
            .identities
            .anchor(&start.origin(), &percent_decode(fragment));
        anchor.and_then(|origin| self.at(origin)).ok_or_else(|| {
            let mut fault = Fault::new(codes::DANGLING_REFERENCE, dangling(reference));
            if fragment.contains('/') {
                fault.help = Some(format!("a pointer begins with a slash: `#/{fragment}`"));
            }
            fault
        })
    }

    /// Follows a pointer, which documents percent-encode as a whole, by segment, or not at all.
    fn walk_spellings(
        &self,
        start: &Node<'t>,
        pointer: &str,
        reference: &str,
        detours: usize,
    ) -> Result<Node<'t>, Fault> {
        let plain: Vec<_> = pointer.split('/').map(unescape).collect();
        if !pointer.contains('%') {
            return self.walk(start, &plain, reference, detours);
        }
        let whole: Vec<_> = percent_decode(pointer).split('/').map(unescape).collect();
        let each: Vec<_> = pointer
            .split('/')
            .map(|segment| unescape(&percent_decode(segment)))
            .collect();
        let mut spellings = vec![whole, each, plain];
        spellings.dedup();
        let mut fault = None;
        for spelling in spellings {
            match self.walk(start, &spelling, reference, detours) {
                Ok(found) => return Ok(found),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        Err(fault.unwrap_or_else(|| Fault::new(codes::DANGLING_REFERENCE, dangling(reference))))
    }

    fn walk(
        &self,
        start: &Node<'t>,
        segments: &[String],
        reference: &str,
        mut detours: usize,
    ) -> Result<Node<'t>, Fault> {
        let mut here = start.clone();
        for segment in segments {
            let next = loop {
                if let Some(next) = here.step(segment) {
                    break next;
                }
                // The pointer continues in the target of this node.
                let Some(detour) = here.reference() else {
                    return Err(missing(&here, segment, reference));
                };
                detours += 1;
                let tries = self.tries.get().saturating_sub(1);
                self.tries.set(tries);
                if detours > MAX_DETOURS || tries == 0 {
                    let message = format!("`{reference}` leads through itself");
                    return Err(Fault::new(codes::CYCLIC_REFERENCE, message));
                }
                here = self.find(&here, detour, detours)?;
            };
            here = next;
        }
        Ok(here)
    }
}
