//! Deserialization of a [`Node`] to any type, with all of its errors.
//!
//! serde stops at the first error. An invalid value is therefore read in several passes:
//! [`fill`](crate::values::table::fill) continues after an invalid property by itself; in a list or a map,
//! the next pass starts behind the invalid item, until no new errors are found. The work is limited
//! to [`MOST`] errors, and to [`STEPS`] visited values.

/// Methods of a deserializer that forward to another.
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

use crate::values::BODY;
use crate::values::{FieldError, Json};
use crate::values::{Node, WireError, locate};
pub(crate) use reader::Reader;
use serde::de::DeserializeOwned;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The size hint of a map whose reader may continue after an error.
pub(crate) const GO_ON: usize = usize::MAX;

/// The expectation of a table's visitor: the reader continues only for this visitor.
pub(crate) const TABLE: &str = "an object";

/// Limit for the number of values that are visited to find all errors of one value.
const STEPS: u64 = 2_000_000;

/// The message of an error that stands for further ones.
const MORE: &str = "and more is wrong that is not told";

/// Returns the error that stands for further ones.
pub(crate) fn more() -> FieldError {
    FieldError::new(BODY, MORE)
}

/// A tree that is being read. It is not moved while it is referenced, so the address of a node
/// identifies the node.
#[derive(Debug)]
pub(crate) struct Source {
    root: Node,
    /// The path from the root to the present node: indexes in lists and objects.
    way: RefCell<Vec<usize>>,
    /// Whether every scalar is a text, which the type interprets.
    text: bool,
    walk: Rc<Walk>,
}

/// The state of reading a value in one or more passes.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    goes_on: Cell<bool>,
    steps: Cell<u64>,
    /// The number of lists and maps that the next pass has to continue.
    unfinished: Cell<u32>,
    /// The index at which a list starts, by its address.
    starts: RefCell<HashMap<usize, usize>>,
    /// The skipped members of objects.
    left_out: RefCell<HashSet<(usize, usize)>>,
    /// Trees that were parsed from a text in the tree, by its address.
    inner: RefCell<HashMap<usize, Rc<Source>>>,
    /// The discriminator properties of unions, by the address of the object.
    tags: RefCell<HashMap<usize, &'static str>>,
}

impl Walk {
    fn step(&self) {
        self.steps.set(self.steps.get().saturating_add(1));
    }

    /// Returns whether reading continues after an error.
    pub(crate) fn goes_on(&self) -> bool {
        self.goes_on.get()
    }

    /// Stops at the next error until [`resume`](Self::resume) is called.
    pub(crate) fn pause(&self) {
        self.goes_on.set(false);
    }

    pub(crate) fn resume(&self, goes_on: bool) {
        self.goes_on.set(goes_on);
    }

    /// Records the tag of an object, which does not count as lost if its variant does not keep it.
    pub(crate) fn tag(&self, node: &Node, key: &'static str) {
        self.tags.borrow_mut().insert(address(node), key);
    }

    fn is_tag(&self, object: usize, key: &str) -> bool {
        self.tags.borrow().get(&object) == Some(&key)
    }
}

impl Source {
    /// Creates a tree from JSON.
    pub(crate) fn json(json: Json) -> Rc<Self> {
        Rc::new(Self::new(Node::from_json(json), false, Rc::default()))
    }

    /// Creates a tree whose scalars have JSON types.
    fn tree(root: Node) -> Rc<Self> {
        Rc::new(Self::new(root, false, Rc::default()))
    }

    /// Creates a tree in which every scalar is a text.
    pub(crate) fn texts(root: Node) -> Rc<Self> {
        Rc::new(Self::new(root, true, Rc::default()))
    }

    /// Creates a tree in which every scalar is a text, as a part of another walk.
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

    /// Returns the tree that is made of a node of this one, and makes it if it does not exist.
    fn within(&self, node: &Node, text: bool, make: impl FnOnce() -> Node) -> Rc<Self> {
        let mut inner = self.walk.inner.borrow_mut();
        let make = || Rc::new(Self::new(make(), text, Rc::clone(&self.walk)));
        Rc::clone(inner.entry(address(node)).or_insert_with(make))
    }

    /// Returns a deserializer of the root.
    pub(crate) fn reader(self: &Rc<Self>) -> Reader<'_> {
        Reader::new(self, &self.root)
    }

    /// Returns the node at a path.
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

    /// Returns a deserializer of the node at a path.
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

/// Returns the identity of a node.
pub(crate) fn address(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

thread_local! {
    /// The number of lists and objects that were read only in part.
    static PARTS: Cell<u64> = const { Cell::new(0) };
    /// The number of values that rules have visited while errors were collected.
    static CHECKED: Cell<u64> = const { Cell::new(0) };
    /// A part of a tree that is passed to a union, which a visitor of serde cannot carry.
    static HANDED: RefCell<Option<(Rc<Source>, Vec<usize>)>> = const { RefCell::new(None) };
}

/// Returns a counter that grows whenever a list or an object is read only in part.
pub(crate) fn parts() -> u64 {
    PARTS.get()
}

fn count_part() {
    PARTS.set(PARTS.get().wrapping_add(1));
}

/// Returns how many values were visited by rules.
fn checked() -> u64 {
    CHECKED.get()
}

/// Counts values that are visited by rules; returns `false` if the limit is exceeded.
pub(crate) fn may_check(count: u64) -> bool {
    CHECKED.set(CHECKED.get().saturating_add(count));
    CHECKED.get() <= STEPS
}

/// Takes the part of a tree that a reader has passed on.
pub(crate) fn take_handed() -> Option<(Rc<Source>, Vec<usize>)> {
    HANDED.take()
}

/// Deserializes a tree.
pub(crate) fn read<T: DeserializeOwned>(source: &Rc<Source>) -> Result<T, FieldErrors> {
    gather(&source.walk, || T::deserialize(source.reader()))
}

/// Deserializes JSON: directly, and if this fails, as a tree. The tree contains each number as it
/// is written, so an integer may be written `1.0`. If the tree is invalid as well, all errors are
/// collected.
pub(crate) fn json<T: DeserializeOwned>(text: &str) -> Result<T, FieldErrors> {
    serde_json::from_str(text).or_else(|error| match tree::parse(text) {
        Some(tree) => read(&Source::tree(tree)),
        None => Err(locate::located(text, &error).into()),
    })
}

/// Parses a JSON text as a tree.
fn tree(text: &str) -> Result<Node, serde_json::Error> {
    match tree::parse(text) {
        Some(node) => Ok(node),
        None => serde_json::from_str(text).map(Node::from_json),
    }
}

/// Deserializes a tree of texts.
pub(crate) fn read_texts<T: DeserializeOwned>(root: Node) -> Result<T, FieldErrors> {
    read(&Source::texts(root))
}

/// Reads a value once, and if this fails, as often as needed to collect all errors.
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

/// Passes a part of a tree to the code that buffers it.
fn hand_over<'de, V: serde::de::Visitor<'de>>(
    source: &Rc<Source>,
    way: Vec<usize>,
    visitor: V,
) -> Result<V::Value, FieldErrors> {
    HANDED.set(Some((Rc::clone(source), way)));
    visitor.visit_unit()
}
