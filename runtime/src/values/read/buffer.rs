//! Values that are read as a tree, because only the whole value shows their type.

use super::state::{Ask, State};
use super::{Arena, FieldErrors, Reader};
use crate::values::decimal::Decimal;
use crate::values::number::NUMBER;
use crate::values::{Json, Node};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;

/// The name of a newtype by which a reader recognizes that it is asked for its node. Any other
/// deserializer handles it as an ordinary newtype.
pub(crate) const NODE: &str = "$bothends::Node";

/// Reads a value as a tree, and passes its reader to a function.
///
/// # Errors
///
/// Returns an error if the value cannot be read as a tree, and the errors of the function.
pub(crate) fn with_node<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    read: impl for<'s, 'n> FnOnce(Reader<'s, 'n>) -> Result<T, FieldErrors>,
) -> Result<T, D::Error> {
    state.ask(Ask::Node);
    let tags = state.tags.take();
    let node = deserializer.deserialize_newtype_struct(NODE, NodeVisitor)?;
    let done = match state.take_handed() {
        Some((node, is_text)) => read(Reader::new(state, node, is_text).with_tags(tags)),
        None => return direct(&node, state, read),
    };
    done.map_err(|errors| state.raise(errors))
}

/// Passes the reader of a tree that belongs to no reader to a function.
///
/// # Errors
///
/// Returns the errors of the function.
pub(crate) fn direct<T, E: Error>(
    node: &Node,
    outer: &State<'_>,
    read: impl for<'s, 'n> FnOnce(Reader<'s, 'n>) -> Result<T, FieldErrors>,
) -> Result<T, E> {
    let arena = Arena::default();
    let state = State::within(&arena, outer);
    let done = read(Reader::new(&state, node, false));
    outer.unions.continue_from(&state.unions);
    outer.lose_all(state.lost());
    done.map_err(|errors| outer.raise(errors))
}

impl Node {
    /// Reads the members of an object, after those that are read already.
    pub(crate) fn of_members<'de, A: MapAccess<'de>>(
        mut fields: Vec<(String, Self)>,
        mut map: A,
    ) -> Result<Self, A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            fields.push((key, map.next_value_seed(NodeSeed)?));
        }
        Ok(Self::Object(fields))
    }
}

/// The seed of any value.
pub(crate) struct NodeSeed;

impl<'de> DeserializeSeed<'de> for NodeSeed {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

/// The seed of the value of a member that has the name of [`NUMBER`]: the text of a number, or any
/// value.
///
/// With the feature `arbitrary_precision`, serde_json passes a number as a map with one member,
/// whose value it passes as an owned string. A string of a JSON text is never owned.
struct NumberSeed;

impl<'de> DeserializeSeed<'de> for NumberSeed {
    type Value = (Node, bool);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let is_number = Cell::new(false);
        let node = deserializer.deserialize_any(NumberVisitor(&is_number))?;
        Ok((node, is_number.get()))
    }
}

struct NumberVisitor<'a>(&'a Cell<bool>);

impl<'de> Visitor<'de> for NumberVisitor<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Node, E> {
        if Decimal::parse(&value).is_none() {
            return NodeVisitor.visit_string(value);
        }
        self.0.set(true);
        Ok(Node::number(&value))
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        NodeVisitor.visit_unit()
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        NodeVisitor.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        NodeVisitor.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        NodeVisitor.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        NodeVisitor.visit_f64(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        NodeVisitor.visit_str(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Node, A::Error> {
        NodeVisitor.visit_seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Node, A::Error> {
        NodeVisitor.visit_map(map)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Node, D::Error> {
        inner.deserialize_any(NodeVisitor)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Node, D::Error> {
        inner.deserialize_any(NodeVisitor)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(Json::Bool(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(Json::from(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(Json::from(value)))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Node, E> {
        Ok(Node::number(&value.to_string()))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Node, E> {
        Ok(Node::number(&value.to_string()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(Json::from(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(NodeSeed)? {
            items.push(item);
        }
        Ok(Node::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        match map.next_key::<String>()? {
            None => Ok(Node::Object(Vec::new())),
            Some(key) if key == NUMBER => match map.next_value_seed(NumberSeed)? {
                (number, true) => Ok(number),
                (value, false) => Node::of_members(vec![(key, value)], map),
            },
            Some(key) => {
                let value = map.next_value_seed(NodeSeed)?;
                Node::of_members(vec![(key, value)], map)
            }
        }
    }
}
