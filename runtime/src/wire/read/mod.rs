//! A [`Node`] into any type, and everything that is wrong with it.
//!
//! serde stops at the first error. A value that cannot be read is therefore read again by a reader
//! that goes on: [`fill`](crate::table::fill) goes on by itself after a property that is wrong; where
//! a list or a map stopped, the next walk begins behind the item that was wrong, until nothing new is
//! found. How far that is followed is bounded: [`MOST`] field_errors, and [`STEPS`] values looked at.

/// Methods of a deserializer that do what another does.
macro_rules! same_as {
    ($($method:ident($($arg:ident: $Arg:ty),*) => $other:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $(_: $Arg,)* visitor: V) -> Result<V::Value, FieldErrors> {
            self.$other(visitor)
        })*
    };
}
pub(crate) use same_as;

mod access;
mod field_errors;
mod reader;
mod tree;
mod words;

pub(crate) use field_errors::{FieldErrors, MOST, join};
pub(crate) use words::{REQUIRED, of_text, one_of};

use super::{Node, WireError, locate};
use crate::operation::body::BODY;
use crate::{FieldError, Json};
pub(crate) use reader::Reader;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a map says of its size when its reader may go on after an error.
pub(crate) const GO_ON: usize = usize::MAX;

/// What the visitor of a table expects: the reader goes on for no other.
pub(crate) const TABLE: &str = "an object";

/// As many values are looked at to find everything that is wrong with one.
const STEPS: u64 = 2_000_000;

/// What is said where there may be more.
const MORE: &str = "and more is wrong that is not told";

/// Stands for all that is not told.
pub(crate) fn more() -> FieldError {
    FieldError::new(BODY, MORE)
}

/// A tree that is read. It stays where it is as long as anything refers to it, so the address of a
/// node tells which it is.
#[derive(Debug)]
pub(crate) struct Source {
    root: Node,
    /// The way from the root to what is read now: places in lists and objects.
    way: RefCell<Vec<usize>>,
    /// Whether every scalar is a text, and the type says what it means.
    text: bool,
    walk: Rc<Walk>,
}

/// What is known of a value while it is read, perhaps more than once.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    goes_on: Cell<bool>,
    steps: Cell<u64>,
    /// How many lists and maps have something left for another walk.
    unfinished: Cell<u32>,
    /// The place at which a list begins, by its address.
    starts: RefCell<HashMap<usize, usize>>,
    /// The members of objects that are left out.
    left_out: RefCell<HashSet<(usize, usize)>>,
    /// Trees that were made of a text within the tree, by its address.
    inner: RefCell<HashMap<usize, Rc<Source>>>,
    /// Properties that tell the variants of a union apart, by the address of the object.
    tags: RefCell<HashMap<usize, &'static str>>,
}

impl Walk {
    fn step(&self) {
        self.steps.set(self.steps.get().saturating_add(1));
    }

    /// Whether what is read goes on after an error.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on.get()
    }

    /// Leaves off going on.
    pub(crate) fn pause(&self) {
        self.goes_on.set(false);
    }

    pub(crate) fn resume(&self, goes_on: bool) {
        self.goes_on.set(goes_on);
    }

    /// Notes the tag of an object: it is not lost when its variant does not keep it.
    pub(crate) fn tag(&self, node: &Node, key: &'static str) {
        self.tags.borrow_mut().insert(address(node), key);
    }

    fn is_tag(&self, object: usize, key: &str) -> bool {
        self.tags.borrow().get(&object) == Some(&key)
    }
}

impl Source {
    /// JSON as a tree.
    pub(crate) fn json(json: Json) -> Rc<Self> {
        Rc::new(Self::new(Node::from_json(json), false, Rc::default()))
    }

    /// A tree that came as JSON.
    fn tree(root: Node) -> Rc<Self> {
        Rc::new(Self::new(root, false, Rc::default()))
    }

    /// A tree in which every scalar is a text.
    pub(crate) fn texts(root: Node) -> Rc<Self> {
        Rc::new(Self::new(root, true, Rc::default()))
    }

    /// A tree in which every scalar is a text, read together with others.
    pub(crate) fn of_walk(root: Node, walk: &Rc<Walk>) -> Rc<Self> {
        Rc::new(Self::new(root, true, Rc::clone(walk)))
    }

    const fn new(root: Node, text: bool, walk: Rc<Walk>) -> Self {
        Self {
            root,
            way: RefCell::new(Vec::new()),
            text,
            walk,
        }
    }

    /// A tree made of a node of this one, which is made once.
    fn within(&self, node: &Node, text: bool, make: impl FnOnce() -> Node) -> Rc<Self> {
        let mut inner = self.walk.inner.borrow_mut();
        let make = || Rc::new(Self::new(make(), text, Rc::clone(&self.walk)));
        Rc::clone(inner.entry(address(node)).or_insert_with(make))
    }

    /// The root as a deserializer.
    pub(crate) fn reader(self: &Rc<Self>) -> Reader<'_> {
        Reader::new(self, &self.root)
    }

    /// The node at a way.
    pub(crate) fn at(&self, way: &[usize]) -> &Node {
        way.iter().fold(&self.root, |node, step| {
            let found = match node {
                Node::List(items) | Node::Repeated(items) => items.get(*step),
                Node::Object(fields) | Node::Numbered(fields) => {
                    fields.get(*step).map(|(_, value)| value)
                }
                _ => None,
            };
            found.unwrap_or(node)
        })
    }

    /// The node at a way, as a deserializer.
    pub(crate) fn reader_at(self: &Rc<Self>, way: &[usize]) -> Reader<'_> {
        Reader::new(self, self.at(way))
    }

    pub(crate) const fn is_text(&self) -> bool {
        self.text
    }

    pub(crate) fn walk(&self) -> &Walk {
        &self.walk
    }
}

/// Which node it is.
pub(crate) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

thread_local! {
    /// How many lists and objects were read without all that is in them.
    static PARTS: Cell<u64> = const { Cell::new(0) };
    /// How many values were looked at by rules, while everything that is wrong was looked for.
    static CHECKED: Cell<u64> = const { Cell::new(0) };
    /// A part of a tree on its way to a union, which the visitor of serde cannot carry.
    static HANDED: RefCell<Option<(Rc<Source>, Vec<usize>)>> = const { RefCell::new(None) };
}

/// Grows whenever a list or an object is read without all that is in it.
pub(crate) fn parts() -> u64 {
    PARTS.get()
}

fn count_part() {
    PARTS.set(PARTS.get().wrapping_add(1));
}

/// How many values were looked at by rules.
fn checked() -> u64 {
    CHECKED.get()
}

/// Counts values that were looked at by rules; false where that were too many.
pub(crate) fn may_check(count: u64) -> bool {
    CHECKED.set(CHECKED.get().saturating_add(count));
    CHECKED.get() <= STEPS
}

/// Takes what a reader has handed over.
pub(crate) fn take_handed() -> Option<(Rc<Source>, Vec<usize>)> {
    HANDED.take()
}

/// Reads a tree as a type.
pub(crate) fn read<T: DeserializeOwned>(source: &Rc<Source>) -> Result<T, FieldErrors> {
    gather(&source.walk, || T::deserialize(source.reader()))
}

/// Reads JSON as a type: at once, and, where that fails, as a tree. The tree has each number as it is
/// written, so an integer may be written `1.0`; and where the tree cannot be read either, everything
/// that is wrong is found.
pub(crate) fn json<T: DeserializeOwned>(text: &str) -> Result<T, FieldErrors> {
    serde_json::from_str(text).or_else(|error| match tree::parse(text) {
        Some(tree) => read(&Source::tree(tree)),
        None => Err(locate::located(text, &error).into()),
    })
}

/// A JSON text as a tree.
fn tree(text: &str) -> Result<Node, serde_json::Error> {
    match tree::parse(text) {
        Some(node) => Ok(node),
        None => serde_json::from_str(text).map(Node::from_json),
    }
}

/// Reads a tree of texts as a type.
pub(crate) fn read_texts<T: DeserializeOwned>(root: Node) -> Result<T, FieldErrors> {
    read(&Source::texts(root))
}

/// Reads once, and, where that fails, as often as it takes to find everything that is wrong.
pub(crate) fn gather<T>(
    walk: &Walk,
    read: impl Fn() -> Result<T, FieldErrors>,
) -> Result<T, FieldErrors> {
    let first = match read() {
        Err(field_errors) if !field_errors.is_absent() => field_errors,
        done => return done,
    };
    walk.goes_on.set(true);
    CHECKED.set(0);
    let mut all = FieldErrors::default();
    loop {
        walk.unfinished.set(0);
        let Err(field_errors) = read() else { break };
        all.add(field_errors);
        if walk.unfinished.get() == 0 {
            break;
        }
        if all.len() >= MOST || walk.steps.get() > STEPS || checked() > STEPS {
            all.cut(WireError::new(MORE));
            break;
        }
    }
    walk.goes_on.set(false);
    Err(if all.len() == 0 { first } else { all })
}

/// Hands a part of a tree over to whoever holds it.
fn hand_over<'de, V: serde::de::Visitor<'de>>(
    source: &Rc<Source>,
    way: Vec<usize>,
    visitor: V,
) -> Result<V::Value, FieldErrors> {
    HANDED.set(Some((Rc::clone(source), way)));
    visitor.visit_unit()
}
