//! What a value carries while it is read: strictness, losses, limits, and the errors so far.
//!
//! serde passes nothing of this from one type to the next, so every type of a table passes the
//! state itself: [`Value::decode`](super::Value::decode).

use super::arena::{self, Arena, Link};
use super::bounds::Unions;
use super::failed::Failed;
use super::members::Members;
use crate::values::error::FieldErrors;
use crate::values::{Binary, Leniency, Node, Strictness, WireError};
use serde::de::Error;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Limit for the number of values that are visited to find all errors of one value.
pub(super) const STEPS: u64 = 2_000_000;

/// What a type asks of the deserializer that it calls next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// The node itself, in place of its content.
    Node,
    /// The members of an object, for a visitor that continues after an invalid one.
    Table,
    /// The file itself, in place of its bytes.
    File,
}

/// What a value is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A tree, by a [`Reader`](super::Reader) of this state.
    Tree,
    /// JSON text, by a [`Cursor`](crate::values::json_reader::Cursor).
    Json,
    /// Any deserializer of serde.
    Any,
}

/// What a type does not keep of a value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lost {
    /// The number of members that are dropped, with those within them, and of values that are read as others.
    members: u64,
    /// The number of values that are kept and not listed.
    unlisted: u64,
}

impl Lost {
    /// Returns how much is lost.
    pub(crate) const fn count(self) -> u64 {
        self.members.saturating_add(self.unlisted)
    }

    /// Returns whether each value that the type keeps is listed where values are.
    pub(crate) const fn is_listed(self) -> bool {
        self.unlisted == 0
    }

    /// Returns both losses.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            members: self.members.saturating_add(other.members),
            unlisted: self.unlisted.saturating_add(other.unlisted),
        }
    }
}

/// The state of reading one value of a message.
///
/// A tree is not moved while it is borrowed, so the address of a node identifies the node.
pub struct State<'t> {
    /// The end of the list of trees that were made while reading.
    arena: Cell<&'t Link>,
    source: Source,
    strictness: Strictness,
    /// Whether deviations are rejected that one alternative may accept and another one need not.
    is_narrow: Cell<bool>,
    asked: Cell<Option<Ask>>,
    handed: Cell<Option<(&'t Node, bool)>>,
    file: Cell<Option<Box<Binary>>>,
    lost: Cell<Lost>,
    pub(crate) unions: Unions,
    errors: RefCell<Vec<WireError>>,
    goes_on: Cell<bool>,
    /// Made when it is needed: most values are read in one pass.
    walk: OnceCell<Box<Walk<'t>>>,
    /// Whether a parameter is about to be read, whose type declares its members.
    pub(crate) is_declaring: Cell<bool>,
    pub(crate) declared: Cell<Option<Members>>,
    /// The discriminator properties of the object that is read next, which are known without being
    /// kept.
    pub(crate) tags: Cell<Tags>,
}

/// Discriminator properties: the outer and the inner one of two unions of the same object.
pub(crate) type Tags = [Option<&'static str>; 2];

/// The passes over a tree.
#[derive(Default)]
pub(super) struct Walk<'t> {
    pub(super) steps: Cell<u64>,
    /// The number of lists and maps that the next pass has to continue.
    pub(super) unfinished: Cell<u32>,
    /// The number of lists and objects that were read only in part.
    pub(super) parts: Cell<u64>,
    /// The number of values that rules have visited.
    pub(super) checked: Cell<u64>,
    /// The index at which a list starts, by its address.
    pub(super) starts: RefCell<BTreeMap<usize, usize>>,
    /// The skipped members of objects.
    pub(super) left_out: RefCell<BTreeSet<(usize, usize)>>,
    /// Trees that were made of a node, by its address.
    inner: RefCell<BTreeMap<usize, &'t Node>>,
}

/// Returns the identity of a node.
pub(crate) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

impl<'t> State<'t> {
    fn new(arena: &'t Arena, source: Source, strictness: Strictness) -> Self {
        Self {
            arena: Cell::new(&arena.0),
            source,
            strictness,
            is_narrow: Cell::new(false),
            asked: Cell::new(None),
            handed: Cell::new(None),
            file: Cell::new(None),
            lost: Cell::new(Lost::default()),
            unions: Unions::default(),
            errors: RefCell::default(),
            goes_on: Cell::new(false),
            walk: OnceCell::new(),
            is_declaring: Cell::new(false),
            declared: Cell::new(None),
            tags: Cell::default(),
        }
    }

    /// Creates the state of a value that is read from any deserializer, up to its first error.
    pub(crate) fn direct(arena: &'t Arena, strictness: Strictness) -> Self {
        Self::new(arena, Source::Any, strictness)
    }

    /// Creates the state of a value that is read from JSON text, up to its first error.
    pub(crate) fn json(arena: &'t Arena, strictness: Strictness) -> Self {
        Self::new(arena, Source::Json, strictness)
    }

    /// Creates the state of a value that is read from a tree.
    pub(crate) fn tree(arena: &'t Arena, strictness: Strictness) -> Self {
        Self::new(arena, Source::Tree, strictness)
    }

    /// Creates the state of a tree within the value of another state, with its limits.
    pub(super) fn within(arena: &'t Arena, outer: &State<'_>) -> Self {
        let state = Self::new(arena, Source::Tree, outer.strictness);
        state.is_narrow.set(outer.is_narrow());
        state.unions.continue_from(&outer.unions);
        state
    }

    fn is_tree(&self) -> bool {
        self.source == Source::Tree
    }

    /// Returns whether the value is read from JSON text, so that visitors can ask for more than serde's traits have.
    pub(crate) fn is_json(&self) -> bool {
        self.source == Source::Json
    }

    /// Returns whether the document is enforced, as a server does.
    pub(crate) const fn is_strict(&self) -> bool {
        self.strictness.is_strict()
    }

    pub(crate) const fn strictness(&self) -> Strictness {
        self.strictness
    }

    /// Returns whether unknown properties of a closed object are rejected.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_strict() || self.is_narrow()
    }

    /// Returns whether a null is accepted for a property that is optional and not nullable: it is then absent. A type
    /// that accepts any JSON keeps the null.
    fn accepts_null(&self) -> bool {
        let is_suspended = self.is_strict() && self.is_narrow();
        !is_suspended && self.strictness.accepts(Leniency::NullAsAbsent)
    }

    /// Takes a null for an absent value, which is lost.
    ///
    /// # Errors
    ///
    /// Returns an error if null is not accepted.
    pub(crate) fn null_as_absent(&self) -> Result<(), WireError> {
        if !self.accepts_null() {
            return Err(WireError::not_null());
        }
        self.lose(1);
        Ok(())
    }

    /// Returns whether the texts of [`Leniency::BooleanTexts`] are accepted.
    pub(crate) fn accepts_boolean_texts(&self) -> bool {
        !self.is_narrow() && self.strictness.accepts(Leniency::BooleanTexts)
    }

    pub(crate) fn is_narrow(&self) -> bool {
        self.is_narrow.get()
    }

    /// Suspends leniencies while alternatives are compared, or ends that.
    pub(crate) fn set_narrow(&self, is_narrow: bool) {
        self.is_narrow.set(is_narrow);
    }

    /// Returns whether reading continues after an error. It does so in trees only.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on.get()
    }

    /// Stops at the next error, or continues after errors again.
    pub(crate) fn set_goes_on(&self, goes_on: bool) {
        self.goes_on.set(goes_on);
    }

    /// Returns what the passes over a tree have in common.
    pub(super) fn walk(&self) -> &Walk<'t> {
        self.walk.get_or_init(Box::default)
    }

    /// Returns the number of lists and maps that the next pass has to continue.
    pub(super) fn unfinished(&self) -> u32 {
        match self.goes_on() {
            true => self.walk().unfinished.get(),
            false => 0,
        }
    }

    /// Counts a visited value, and returns the number of lists and maps that the next pass has to
    /// continue.
    pub(super) fn enter(&self) -> u32 {
        if !self.goes_on() {
            return 0;
        }
        let walk = self.walk();
        walk.steps.set(walk.steps.get().saturating_add(1));
        walk.unfinished.get()
    }

    /// Keeps a tree as long as the one that is read.
    pub(crate) fn keep(&self, node: Node) -> &'t Node {
        let (node, end) = arena::keep(self.arena.get(), node);
        self.arena.set(end);
        node
    }

    /// Returns the tree that is made of a node, and makes it if it does not exist.
    pub(super) fn inner(&self, node: &Node, make: impl FnOnce() -> Node) -> &'t Node {
        match self.made_of(node) {
            Some(made) => made,
            None => self.remember(node, make()),
        }
    }

    fn made_of(&self, node: &Node) -> Option<&'t Node> {
        self.walk().inner.borrow().get(&address(node)).copied()
    }

    fn remember(&self, node: &Node, made: Node) -> &'t Node {
        let made = self.keep(made);
        self.walk().inner.borrow_mut().insert(address(node), made);
        made
    }

    /// Asks the next deserializer, if it is a [`Reader`](super::Reader) of this state.
    pub(crate) fn ask(&self, ask: Ask) {
        if self.is_tree() {
            self.asked.set(Some(ask));
        }
    }

    /// Returns whether this was asked; it is asked only once.
    pub(super) fn is_asked(&self, ask: Ask) -> bool {
        self.asked.take() == Some(ask)
    }

    pub(super) fn hand(&self, node: &'t Node, is_text: bool) {
        self.handed.set(Some((node, is_text)));
    }

    pub(crate) fn take_handed(&self) -> Option<(&'t Node, bool)> {
        self.handed.take()
    }

    pub(super) fn hand_file(&self, file: &Binary) {
        self.file.set(Some(Box::new(file.clone())));
    }

    /// Takes the file that a reader has handed over.
    pub(crate) fn take_file(&self) -> Option<Box<Binary>> {
        self.file.take()
    }

    /// Counts members that a type does not keep.
    pub(crate) fn lose(&self, count: u64) {
        self.lose_all(Lost {
            members: count,
            unlisted: 0,
        });
    }

    /// Counts a value that an open enum, or an open union by its tag, does not list.
    pub(crate) fn lose_unlisted(&self) {
        self.lose_all(Lost {
            members: 0,
            unlisted: 1,
        });
    }

    /// Counts what another state has lost.
    pub(crate) fn lose_all(&self, lost: Lost) {
        self.lost.set(self.lost.get().and(lost));
    }

    /// Returns what was lost so far.
    pub(crate) fn lost(&self) -> Lost {
        self.lost.get()
    }

    /// Sets what was lost, after several variants were tried.
    pub(crate) fn set_lost(&self, lost: Lost) {
        self.lost.set(lost);
    }

    /// Counts values that are visited by rules; returns `false` if the limit is exceeded.
    pub(crate) fn may_check(&self, count: u64) -> bool {
        let checked = self.walk().checked.get().saturating_add(count);
        self.walk().checked.set(checked);
        checked <= STEPS
    }

    /// Returns a counter that grows whenever a list or an object is read only in part.
    pub(crate) fn parts(&self) -> u64 {
        self.walk.get().map_or(0, |walk| walk.parts.get())
    }

    pub(super) fn count_part(&self) {
        self.walk()
            .parts
            .set(self.walk().parts.get().wrapping_add(1));
    }

    /// Returns the number of recorded errors.
    pub(crate) fn mark(&self) -> usize {
        self.errors.borrow().len()
    }

    /// Records an error.
    pub(crate) fn push(&self, error: WireError) {
        self.errors.borrow_mut().push(error);
    }

    /// Records the error of a reader, if it is not recorded yet.
    pub(super) fn record(&self, failed: Failed) {
        if let Some(error) = failed.error {
            self.push(*error);
        }
    }

    /// Adds a step to the paths of all errors since a mark.
    pub(super) fn step(&self, mark: usize, step: &str) {
        let mut errors = self.errors.borrow_mut();
        for error in errors.iter_mut().skip(mark) {
            error.add_step(step);
        }
    }

    /// Removes errors since a mark.
    pub(super) fn retain(&self, mark: usize, keep: impl Fn(&WireError) -> bool) {
        let mut index = 0;
        self.errors.borrow_mut().retain(|error| {
            index += 1;
            index <= mark || keep(error)
        });
    }

    /// Takes the errors since a mark, with that of a reader.
    pub(super) fn take_since(&self, mark: usize, failed: Failed) -> FieldErrors {
        self.record(failed);
        let mut errors = self.errors.borrow_mut();
        let mark = mark.min(errors.len());
        FieldErrors::new(errors.split_off(mark))
    }

    /// Converts errors to an error of the surrounding deserializer: they are recorded if that is a
    /// reader of this state, and put in words otherwise.
    pub(crate) fn raise<E: Error>(&self, errors: FieldErrors) -> E {
        if self.is_tree() {
            self.errors.borrow_mut().extend(errors.into_errors());
            return E::custom("");
        }
        E::custom(errors.in_words())
    }

    /// Returns the error that stands for those that are recorded.
    pub(crate) fn recorded<E: Error>(&self) -> E {
        E::custom("")
    }

    /// Converts the error of a key, which formats other than trees word themselves.
    pub(crate) fn raise_at<E: Error>(&self, error: WireError, own: impl FnOnce() -> E) -> E {
        match self.is_tree() {
            true => self.raise(error.into()),
            false => own(),
        }
    }
}
