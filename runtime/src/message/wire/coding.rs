//! Parameters in all locations: the whole query as one value, and the others by their names.

use super::expand::Expanded;
use super::form;
use super::notation::{Notation, Param, Place};
use super::parse::Sources;
use super::percent::{Keep, decode, encode};
use super::{expand as named, parse};
use crate::values::read::{FieldErrors, ReadAs, json, texts};
use crate::values::{Node, WireError};

/// Serializes a parameter; `None` if it is undefined. `template` is the segment of the path.
pub(crate) fn expand(
    param: Param,
    key: &str,
    node: &Node,
    template: &'static str,
) -> Result<Option<Expanded>, WireError> {
    if param.place != Place::QueryString {
        return named::expand(param, key, node, template);
    }
    let text = match param.form {
        Notation::Json => encode(&node.json()?, Keep::UNRESERVED),
        _ => form::write(node, false, &[])?,
    };
    Ok((!text.is_empty()).then_some(Expanded::Text(text)))
}

/// Decodes a parameter.
pub(crate) fn read<T, R: ReadAs<T>>(
    param: Param,
    key: &'static str,
    sources: &Sources<'_>,
) -> Result<T, FieldErrors> {
    if param.place != Place::QueryString {
        return parse::read::<T, R>(param, key, sources);
    }
    let query = sources.whole_query;
    if query.is_empty() {
        return Err(WireError::absent().into());
    }
    if param.form == Notation::Json {
        let text = decode(query, false).map_err(|_| WireError::new("is badly encoded"))?;
        return json::<T, R>(&text, sources.strictness);
    }
    texts::<T, R>(&form::read(query, false, &[])?, sources.strictness)
}
