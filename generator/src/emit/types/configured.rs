//! Types, derives and attributes of the configuration.

use crate::ir::TypeDef;
use syn::{Attribute, Meta, Path, PathArguments, TypePath, parse_quote};

/// Parses the path of a derive macro.
///
/// # Errors
/// Returns an error message if the text is not a path.
pub(crate) fn parse_derive(text: &str) -> Result<Path, String> {
    let path = syn::parse_str::<Path>(text).map_err(|error| error.to_string())?;
    let is_plain = |arguments: &PathArguments| matches!(arguments, PathArguments::None);
    match path
        .segments
        .iter()
        .all(|segment| is_plain(&segment.arguments))
    {
        true => Ok(path),
        false => Err("a derive macro takes no arguments".to_owned()),
    }
}

/// Parses the path of a module: from a crate, or from the root of this one.
///
/// # Errors
/// Returns an error message if the text is not such a path.
pub(crate) fn parse_module(text: &str) -> Result<Path, String> {
    let path = syn::parse_str::<Path>(text).map_err(|error| error.to_string())?;
    let is_plain = |arguments: &PathArguments| matches!(arguments, PathArguments::None);
    let first = path
        .segments
        .first()
        .map(|segment| segment.ident.to_string());
    match first.as_deref() {
        Some("self" | "super" | "Self") => Err(
            "a path begins with the name of a crate or with `crate`, as it is used in several modules"
                .to_owned(),
        ),
        _ if path.segments.iter().all(|segment| is_plain(&segment.arguments)) => Ok(path),
        _ => Err("the path of a module takes no arguments".to_owned()),
    }
}

/// Parses the path of a type, which may have arguments.
///
/// # Errors
/// Returns an error message if the text is not a path.
pub(crate) fn parse_type(text: &str) -> Result<TypePath, String> {
    let path = syn::parse_str::<TypePath>(text).map_err(|error| error.to_string())?;
    match path.qself {
        None => Ok(path),
        Some(_) => Err("a path cannot begin with `<`".to_owned()),
    }
}

/// Parses the content of an attribute, which stands between `#[` and `]`.
///
/// # Errors
/// Returns an error message if the text is not the content of an attribute of a type.
pub(crate) fn parse_attribute(text: &str) -> Result<Meta, String> {
    let meta = syn::parse_str::<Meta>(text).map_err(|error| error.to_string())?;
    match meta.path().is_ident("cfg") {
        true => Err("`cfg` would remove the type, and not what uses it".to_owned()),
        false => Ok(meta),
    }
}

/// Returns the derive macros of a type. The texts were parsed before.
pub(super) fn derives(def: &TypeDef) -> Vec<Path> {
    let paths = def.derives.iter().map(|text| parse_derive(text));
    paths.filter_map(Result::ok).collect()
}

/// Returns the attributes of a type. The texts were parsed before.
pub(super) fn attributes(def: &TypeDef) -> Vec<Attribute> {
    let attributes = def.attributes.iter().map(|text| parse_attribute(text));
    attributes
        .filter_map(Result::ok)
        .map(|meta| parse_quote!(#[#meta]))
        .collect()
}
