//! Parameters of requests.

use super::scalar::{self, Scalar};
use super::{RequestDecoder, RequestEncoder};
use crate::message::wire::{Param, Place, Sources, expand, read};
use crate::values::read::{BySchema, FieldErrors, Own, Plain, ReadAs, Schema, Value, texts};
use crate::values::{EncodeError, Node, Strictness, WireError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

impl Param {
    /// Makes the parameter optional.
    pub const fn optional(self) -> OptionalParam {
        OptionalParam(self)
    }

    /// Encodes the value.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        if scalar::write(self, key, value, request) != Scalar::Written {
            self.put(key, Node::new(value), true, request);
        }
    }

    /// Reads the value by serde's traits alone, for a type that no table describes.
    pub const fn unchecked(self) -> UncheckedParam {
        UncheckedParam(self)
    }

    /// Decodes the value; field errors are recorded in the request's decoder.
    pub fn decode<T: Value>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.decode_as::<T, Own>(key, request)
    }

    fn decode_as<T, R: ReadAs<T>>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        let read = self.read::<T, R>(key, &request.sources());
        read.map_err(|field_errors| tell(self.place, field_errors, key, request))
            .ok()
    }

    fn read<T, R: ReadAs<T>>(
        self,
        key: &'static str,
        sources: &Sources<'_>,
    ) -> Result<T, FieldErrors> {
        let read = read::<T, R>(self, key, sources);
        match read {
            Err(field_errors) if self.is_given_empty(key, sources) => {
                let set = texts::<T, R>(&Node::Text("true".to_owned()), Strictness::Lenient);
                set.map_err(|_| field_errors)
            }
            read => read,
        }
    }

    /// Returns whether the value is empty, and `allowEmptyValue` permits this.
    fn is_given_empty(self, key: &str, sources: &Sources<'_>) -> bool {
        let mut given = sources.query.iter().filter(|(name, _)| name == key);
        self.empty
            && given.next().is_some_and(|(_, value)| value.is_empty())
            && given.next().is_none()
    }

    /// Encodes a tree.
    pub(super) fn put(
        self,
        key: &'static str,
        node: Result<Node, WireError>,
        required: bool,
        request: &mut RequestEncoder,
    ) {
        let template = request.template();
        let done = node.and_then(|node| expand(self, key, &node, template));
        match done {
            Ok(Some(expanded)) => request.add(self.place, key, expanded),
            Ok(None) if required => request.fail(EncodeError::new(
                key,
                "it is required, and an empty list or null cannot be written here",
            )),
            Ok(None) => {}
            Err(error) => request.fail(EncodeError::new(error.field(key), error.message)),
        }
    }
}

/// An optional parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionalParam(Param);

impl OptionalParam {
    /// Encodes the value, if there is one.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        // Only JSON can represent null.
        if scalar::write(self.0, key, value, request) != Scalar::Other {
            return;
        }
        let node = Node::new(value);
        if matches!(node, Ok(Node::Null)) {
            return;
        }
        self.0.put(key, node, false, request);
    }

    /// Decodes the value, if there is one; field errors are recorded in the request's decoder.
    pub fn decode<T: Value + Default>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.decode_as::<T, Own>(key, request)
    }

    fn decode_as<T: Default, R: ReadAs<T>>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        let sources = request.sources();
        match self.0.read::<T, R>(key, &sources) {
            Ok(value) => Some(value),
            Err(field_errors)
                if field_errors.is_absent() || self.0.is_given_empty(key, &sources) =>
            {
                Some(T::default())
            }
            Err(field_errors) => {
                tell(self.0.place, field_errors, key, request);
                None
            }
        }
    }
}

/// A parameter of a type that has only serde's traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UncheckedParam(pub(super) Param);

impl UncheckedParam {
    /// Makes the parameter optional.
    pub const fn optional(self) -> UncheckedOptionalParam {
        UncheckedOptionalParam(OptionalParam(self.0))
    }

    /// Encodes the value.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        self.0.encode(key, value, request);
    }

    /// Decodes the value; field errors are recorded in the request's decoder.
    pub fn decode<T: DeserializeOwned>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.0.decode_as::<T, Plain>(key, request)
    }
}

impl UncheckedParam {
    /// Adds the schema by which a server checks the value.
    pub fn schema<C: Schema>(self, _: C) -> CheckedParam<C> {
        CheckedParam(self.0, PhantomData)
    }
}

/// A parameter of a type that has only serde's traits, whose value a server checks by a schema.
#[derive(Debug)]
pub struct CheckedParam<C>(Param, PhantomData<C>);

impl<C: Schema> CheckedParam<C> {
    /// Makes the parameter optional.
    pub const fn optional(self) -> CheckedOptionalParam<C> {
        CheckedOptionalParam(OptionalParam(self.0), PhantomData)
    }

    /// Decodes the value; field errors are recorded in the request's decoder.
    pub fn decode<T: DeserializeOwned>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.0.decode_as::<T, BySchema<C>>(key, request)
    }
}

/// An optional parameter of a type that has only serde's traits, whose value a server checks by a
/// schema.
#[derive(Debug)]
pub struct CheckedOptionalParam<C>(OptionalParam, PhantomData<C>);

impl<C: Schema> CheckedOptionalParam<C> {
    /// Decodes the value, if there is one; field errors are recorded in the request's decoder.
    pub fn decode<T: DeserializeOwned + Default>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.0.decode_as::<T, BySchema<C>>(key, request)
    }
}

/// An optional parameter of a type that has only serde's traits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UncheckedOptionalParam(OptionalParam);

impl UncheckedOptionalParam {
    /// Encodes the value, if there is one.
    pub fn encode<T: Serialize>(self, key: &'static str, value: &T, request: &mut RequestEncoder) {
        self.0.encode(key, value, request);
    }

    /// Decodes the value, if there is one; field errors are recorded in the request's decoder.
    pub fn decode<T: DeserializeOwned + Default>(
        self,
        key: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<T> {
        self.0.decode_as::<T, Plain>(key, request)
    }
}

/// Records the errors of a parameter.
fn tell(
    place: Place,
    field_errors: FieldErrors,
    key: &'static str,
    request: &mut RequestDecoder<'_>,
) {
    request.accepted_by(field_errors.leniencies());
    for error in field_errors.into_errors() {
        request.push_error(place.word(), error.field(key), error.message);
    }
}
