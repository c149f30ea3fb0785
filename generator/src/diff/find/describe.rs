//! Types and values in words, for reports and fingerprints. The words are those of the document,
//! so that a new Rust name does not change a fingerprint.

use crate::ir::{Api, Bound, DefaultValue, Literal, Primitive, Rule, TypeKind, TypeRef};

/// Returns a type in words.
pub(super) fn describe(api: &Api, ty: &TypeRef) -> String {
    at(api, ty, 0)
}

/// Returns the old and the new type in words. Different types of the same name have their kinds, too.
pub(super) fn describe_both(old: (&Api, &TypeRef), new: (&Api, &TypeRef)) -> (String, String) {
    let words = [old, new].map(|(api, ty)| describe(api, ty));
    let kinds = [old, new].map(|(api, ty)| kind(api, ty.inner()));
    let [from, to] = words;
    match kinds {
        [before, after] if from == to && before != after => {
            (format!("{from} ({before})"), format!("{to} ({after})"))
        }
        _ => (from, to),
    }
}

/// Returns what a type is, without its name.
fn kind(api: &Api, ty: &TypeRef) -> String {
    let TypeRef::Named(id) = ty else {
        return describe(api, ty);
    };
    match &api.type_def(*id).kind {
        TypeKind::Object(_) | TypeKind::Pending => "object".to_owned(),
        TypeKind::StringEnum(_) => "enum of strings".to_owned(),
        TypeKind::LiteralEnum(_) => "enum".to_owned(),
        TypeKind::Union(_) => "union".to_owned(),
        TypeKind::Newtype(inner, _) | TypeKind::Alias(inner) => describe(api, inner),
    }
}

fn at(api: &Api, ty: &TypeRef, depth: usize) -> String {
    if depth > 12 {
        return "…".to_owned();
    }
    let inner_text = |ty: &TypeRef| at(api, ty, depth + 1);
    match ty {
        TypeRef::Named(id) => {
            let def = api.type_def(*id);
            match &def.kind {
                TypeKind::Alias(inner) if def.parent.is_some() => inner_text(inner),
                _ if def.parent.is_some() => def.name.rust.clone(),
                _ => def.name.wire.clone(),
            }
        }
        TypeRef::Primitive(primitive) => scalar(primitive),
        TypeRef::Boxed(inner) => inner_text(inner),
        TypeRef::Replaced(inner_text) => inner_text.path.clone(),
        TypeRef::Vec(inner) => format!("list of {}", inner_text(inner)),
        TypeRef::Map(inner) => format!("map of {}", inner_text(inner)),
        TypeRef::Option(inner) | TypeRef::Nullable(inner) => {
            format!("{} or null", inner_text(inner))
        }
        TypeRef::JsonText(inner) => format!("JSON text of {}", inner_text(inner)),
        TypeRef::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(inner_text).collect();
            format!("tuple of {}", parts.join(", "))
        }
        TypeRef::Prefix(prefix) => {
            let parts: Vec<String> = prefix.parts().map(inner_text).collect();
            format!("list that starts with {}", parts.join(", "))
        }
    }
}

fn scalar(primitive: &Primitive) -> String {
    match primitive {
        Primitive::Bool => "boolean".to_owned(),
        Primitive::Number(name) if name.starts_with('f') => format!("number ({name})"),
        Primitive::Number(name) => format!("integer ({name})"),
        Primitive::String => "string".to_owned(),
        Primitive::Json => "any value".to_owned(),
        Primitive::Null => "null".to_owned(),
        Primitive::Uuid => "string (uuid)".to_owned(),
        Primitive::DateTime => "string (date-time)".to_owned(),
        Primitive::Date => "string (date)".to_owned(),
        Primitive::Ipv4 => "string (ipv4)".to_owned(),
        Primitive::Ipv6 => "string (ipv6)".to_owned(),
        Primitive::Base64 => "string (base64)".to_owned(),
        Primitive::Binary => "file".to_owned(),
        Primitive::Bytes => "bytes".to_owned(),
        Primitive::Custom(path) => path.clone(),
    }
}

/// Returns a default as JSON.
pub(super) fn default(api: &Api, value: &DefaultValue) -> String {
    match value {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::Int(value) => value.to_string(),
        DefaultValue::Float(value) => value.to_string(),
        DefaultValue::String(value) => format!("{value:?}"),
        DefaultValue::Variant(id, index) => match &api.type_def(*id).kind {
            TypeKind::StringEnum(string_enum) => {
                let variant = string_enum.variants.get(*index);
                variant.map_or_else(String::new, |variant| format!("{:?}", variant.name.wire))
            }
            TypeKind::LiteralEnum(literal_enum) => {
                let variant = literal_enum.variants.get(*index);
                variant.map_or_else(String::new, |variant| literal(&variant.value))
            }
            _ => String::new(),
        },
        DefaultValue::EmptyList => "[]".to_owned(),
        DefaultValue::List(items) => {
            let items: Vec<String> = items.iter().map(|item| default(api, item)).collect();
            format!("[{}]", items.join(", "))
        }
    }
}

/// Returns a scalar as JSON.
pub(super) fn literal(value: &Literal) -> String {
    match value {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => value.to_string(),
        Literal::String(value) => format!("{value:?}"),
    }
}

/// Returns a number.
pub(super) fn bound(value: &Bound) -> String {
    match value {
        Bound::Int(value) => value.to_string(),
        Bound::Float(value) => value.to_string(),
    }
}

/// Returns a constraint without the name of its keyword.
pub(super) fn constraint(rule: &Rule) -> String {
    match rule {
        Rule::MinLength(n) | Rule::MaxLength(n) | Rule::MinItems(n) | Rule::MaxItems(n) => {
            n.to_string()
        }
        Rule::MinProperties(n) | Rule::MaxProperties(n) => n.to_string(),
        Rule::Pattern(own, document) => document.clone().unwrap_or_else(|| own.clone()),
        Rule::Format(format) => format.clone(),
        Rule::Minimum(n)
        | Rule::Maximum(n)
        | Rule::ExclusiveMinimum(n)
        | Rule::ExclusiveMaximum(n)
        | Rule::MultipleOf(n) => bound(n),
        Rule::Constants(values) | Rule::Enum(values) | Rule::PropertyNamePatterns(values) => {
            values.join(", ")
        }
        Rule::DependentRequired(name, others) => format!("{name}: {}", others.join(", ")),
        Rule::OneOfRequired(groups) | Rule::AnyOfRequired(groups) => {
            let groups: Vec<String> = groups.iter().map(|group| group.join(", ")).collect();
            groups.join(" | ")
        }
        Rule::UniqueItems | Rule::Required | Rule::Returned | Rule::Known => "true".to_owned(),
        Rule::Items(_)
        | Rule::AdditionalProperties(_)
        | Rule::PropertyNames(_)
        | Rule::TupleList(_) => String::new(),
    }
}
