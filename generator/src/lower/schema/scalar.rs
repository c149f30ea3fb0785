//! Strings and numbers, by format.

use crate::diagnostic::{Diagnostics, codes};
use crate::dialect::meant_format;
use crate::ir::{Primitive, TypeRef};
use crate::model::{Model, Types};
use crate::source::{Number, Value};
use crate::vocabulary::is_base64;

use crate::lower::schema::shape::Shape;
use crate::lower::{Document, Options};

impl Document<'_> {
    /// Returns the type of a scalar with exactly one JSON type.
    pub(in crate::lower) fn scalar(&self, shape: &Shape, ty: Types) -> TypeRef {
        let format = shape.format.as_deref();
        if let Some(path) = format.and_then(|format| self.options.formats.get(format))
            && ty != Types::BOOLEAN
        {
            return TypeRef::Primitive(custom(path, ty));
        }
        TypeRef::Primitive(match ty {
            Types::BOOLEAN => Primitive::Bool,
            Types::INTEGER => Primitive::Number(integer(shape)),
            Types::NUMBER => Primitive::Number(if format == Some("float") {
                "f32"
            } else {
                "f64"
            }),
            Types::STRING => string(shape),
            _ => Primitive::Json,
        })
    }
}

/// Types of `[formats]` that are written as strings.
const WRITTEN_AS_STRINGS: [&str; 2] = ["rust_decimal::Decimal", "bigdecimal::BigDecimal"];

impl Document<'_> {
    /// Reports a number whose type is written as a string.
    pub(in crate::lower) fn check_custom_number(&mut self, shape: &Shape, ty: Types) {
        let format = shape.format.as_deref().unwrap_or_default();
        let Some(path) = self.options.formats.get(format) else {
            return;
        };
        let is_known = WRITTEN_AS_STRINGS.contains(&path.trim_start_matches("::"));
        if matches!(ty, Types::NUMBER | Types::INTEGER) && is_known {
            let message = format!(
                "a number of the format `{format}` is a `{path}`, which is written as a string"
            );
            self.diagnostics
                .report(codes::NUMBER_AS_STRING, &shape.origin, message);
        }
    }
}

/// Reports formats that have no type, and are similar to ones that have.
pub(in crate::lower) fn report_formats(
    model: &Model,
    options: &Options,
    diagnostics: &mut Diagnostics,
) {
    for schema in model.schemas.iter().filter(|schema| !schema.instance) {
        let format = schema.format.as_deref();
        let Some(format) = format.filter(|format| !options.formats.contains_key(*format)) else {
            continue;
        };
        if let Some(meant) = meant_format(format) {
            let message = format!("`{format}` is not a known format, and is ignored");
            let origin = schema.origin.child("format");
            diagnostics
                .report(codes::FORMAT_MISSPELT, &origin, message)
                .help(format!("did you mean `{meant}`?"));
        }
    }
}

/// Returns whether a format adds information to its JSON type, so that a named scalar gets a type.
pub(in crate::lower) fn is_distinctive(format: &str) -> bool {
    !matches!(format, "int32" | "int64" | "float" | "double" | "string")
}

fn custom(path: &str, ty: Types) -> Primitive {
    match path {
        "String" if ty == Types::STRING => Primitive::String,
        "i64" => Primitive::Number("i64"),
        "f64" => Primitive::Number("f64"),
        _ => Primitive::Custom(path.to_owned()),
    }
}

fn string(shape: &Shape) -> Primitive {
    match shape.format.as_deref() {
        Some("date-time") => Primitive::DateTime,
        Some("date") => Primitive::Date,
        Some("uuid") => Primitive::Uuid,
        Some("ipv4") => Primitive::Ipv4,
        Some("ipv6") => Primitive::Ipv6,
        Some("byte" | "base64") => Primitive::Base64,
        Some("binary") => Primitive::Binary,
        _ if shape.content_encoding.as_deref().is_some_and(is_base64) => Primitive::Base64,
        _ if shape.content_encoding.is_none()
            && shape
                .content_media_type
                .as_deref()
                .is_some_and(is_binary_media) =>
        {
            Primitive::Binary
        }
        _ => Primitive::String,
    }
}

fn is_binary_media(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    !(media.starts_with("text/") || media.ends_with("json") || media.ends_with("xml"))
}

/// Returns the integer type: that of the format, or else `i64`, or a wider one that the bounds
/// require.
fn integer(shape: &Shape) -> &'static str {
    match shape.format.as_deref() {
        Some("int8") => "i8",
        Some("int16") => "i16",
        Some("int32") => "i32",
        Some("uint8") => "u8",
        Some("uint16") => "u16",
        Some("uint32") => "u32",
        Some("uint64" | "uint") => "u64",
        _ => by_bounds(shape),
    }
}

fn by_bounds(shape: &Shape) -> &'static str {
    let bound = |bound: &Option<(Value, bool)>| match bound {
        Some((Value::Number(Number::Int(int)), _)) => Some(*int),
        _ => None,
    };
    let (low, high) = (
        bound(&shape.constraints.minimum),
        bound(&shape.constraints.maximum),
    );
    match (low, high) {
        (Some(low), Some(high)) if low >= 0 && high > i128::from(i64::MAX) => {
            if high <= i128::from(u64::MAX) {
                "u64"
            } else {
                "u128"
            }
        }
        _ => "i64",
    }
}
