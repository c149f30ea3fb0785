//! Reading: from JSON, from trees of texts, and from any deserializer of serde.
//!
//! A [`Value`] is read with a [`State`], which says how strict reading is, counts what is lost, limits
//! the work, and collects errors with their places. JSON is read directly, up to the first error. If
//! there is one, it is read again as a tree, in several passes that find all errors: an object
//! continues after an invalid property by itself; in a list or a map, the next pass starts behind
//! the invalid item, until no new errors are found. The work is limited to [`MOST`] errors, and to
//! [`state::STEPS`] visited values.

mod access;
mod arena;
pub(crate) mod bounds;
mod buffer;
mod builtin;
mod deserializer;
mod failed;
pub mod imports;
pub(crate) mod members;
mod reader;
mod schema;
mod state;
mod text;
mod tree;
mod value;

pub(crate) use crate::values::error::{FieldErrors, MOST};
pub(crate) use crate::values::words::one_of;
pub(crate) use arena::Arena;
pub(crate) use buffer::{NODE, NodeSeed, direct, with_node};
pub(crate) use builtin::{Member, null_as, text_as};
pub(crate) use failed::Failed;
pub(crate) use reader::Reader;
pub(crate) use schema::read as read_by_schema;
pub use schema::{BySchema, ReplacesSchema, Schema, any_value, replaces_schema};
pub use state::State;
pub(crate) use state::{Ask, Lost};
pub(crate) use text::TextDeserializer;
pub use value::{Builtin, Kind, Own, Plain, ReadAs, Tag, Value, read, unfilled};
pub(crate) use value::{PlainText, Seed, event_data};
#[cfg(feature = "sample")]
pub(in crate::values) use value::{strictly, takes};

use crate::values::json_reader::Cursor;
use crate::values::{BODY, FieldError, Node, Strictness, WireError};

/// The message of an error that stands for further ones.
const MORE: &str = "has further errors, which are not listed";

/// Returns the error that stands for further ones.
pub(crate) fn more() -> FieldError {
    FieldError::new(BODY, MORE)
}

/// Reads JSON: directly, and if this fails, as a tree. The tree contains each number as it is
/// written, so an integer may be written `1.0`. If the tree is invalid as well, all errors are
/// collected.
pub(crate) fn json<T, R: ReadAs<T>>(text: &str, strictness: Strictness) -> Result<T, FieldErrors> {
    let arena = Arena::default();
    let state = State::json(&arena, strictness);
    let mut cursor = Cursor::new(text);
    if let Ok(value) = R::read(&mut cursor, &state)
        && cursor.end().is_ok()
    {
        return Ok(value);
    }
    read_tree::<T, R>(&tree::parse(text)?, false, strictness)
}

/// Reads a tree of texts, which the types interpret.
pub(crate) fn texts<T, R: ReadAs<T>>(
    root: &Node,
    strictness: Strictness,
) -> Result<T, FieldErrors> {
    read_tree::<T, R>(root, true, strictness)
}

fn read_tree<T, R: ReadAs<T>>(
    root: &Node,
    is_text: bool,
    strictness: Strictness,
) -> Result<T, FieldErrors> {
    let arena = Arena::default();
    let state = State::tree(&arena, strictness);
    gather(&state, || {
        R::read(Reader::new(&state, root, is_text), &state)
    })
}

/// Reads a value once, and if this fails, as often as needed to collect all errors.
pub(crate) fn gather<T>(
    state: &State<'_>,
    read: impl Fn() -> Result<T, Failed>,
) -> Result<T, FieldErrors> {
    let first = match read() {
        Ok(value) => return Ok(value),
        Err(failed) => state.take_since(0, failed),
    };
    match first.is_absent() {
        true => Err(first),
        false => Err(all_errors(state, first, &|| read().err())),
    }
}

/// Reads a value as often as needed to collect all errors after the first.
fn all_errors(
    state: &State<'_>,
    first: FieldErrors,
    read: &dyn Fn() -> Option<Failed>,
) -> FieldErrors {
    let walk = state.walk();
    state.set_goes_on(true);
    let mut all = FieldErrors::default();
    loop {
        walk.unfinished.set(0);
        let Some(failed) = read() else { break };
        all.add(state.take_since(0, failed));
        if walk.unfinished.get() == 0 {
            break;
        }
        if all.len() >= MOST || walk.steps.get() > state::STEPS || !state.may_check(0) {
            all.cut(WireError::new(MORE));
            break;
        }
    }
    state.set_goes_on(false);
    if all.len() == 0 { first } else { all }
}
