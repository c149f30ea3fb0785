//! `default`, validated against its type.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::ir::{Api, DefaultValue, Literal, Primitive, TypeId, TypeKind, TypeRef};
use crate::source::{Number, Value};

use crate::lower::{Lowering, TypeTable};

/// A default that is validated once every type is known.
pub(in crate::lower) struct Pending {
    /// The struct.
    pub(in crate::lower) owner: TypeId,
    /// The index of its field.
    pub(in crate::lower) field: usize,
    /// The default in the document.
    pub(in crate::lower) value: Value,
    /// The type of the field's value.
    pub(in crate::lower) ty: TypeRef,
    /// Whether an accessor can return the default for an absent property.
    pub(in crate::lower) accessor: bool,
}

impl Lowering<'_> {
    /// Validates every default against its type, and keeps the valid ones.
    pub(in crate::lower) fn check_defaults(&mut self) {
        for pending in std::mem::take(&mut self.pending.defaults) {
            // In many documents, `null` means "no default", for any type.
            if pending.value == Value::Null {
                continue;
            }
            let checked = self.types.default_value(&pending.value, &pending.ty);
            let TypeKind::Object(object) = &mut self.types.defs[pending.owner.0 as usize].kind
            else {
                continue;
            };
            let field = &mut object.fields[pending.field];
            match checked {
                Ok(default) => {
                    field
                        .doc
                        .notes
                        .push(format!("Default: `{}`", pending.value.to_json()));
                    field.default = default.filter(|_| pending.accessor);
                }
                Err(expected) => {
                    let text = pending.value.to_json();
                    self.document
                        .diagnostics
                        .report(
                            codes::WRONG_DEFAULT,
                            &field.origin,
                            format!("the default {text} is not {expected}"),
                        )
                        .help("correct the default: no code is generated for it");
                }
            }
        }
    }

    /// Validates the defaults of parameters, and keeps the valid ones.
    pub(in crate::lower) fn check_parameter_defaults(&mut self, api: &mut Api) {
        let stated = std::mem::take(&mut self.pending.parameter_defaults);
        // A parameter that operations share is reported once.
        let mut reported = HashSet::new();
        let operations = api.operations.iter_mut().chain(&mut api.webhooks);
        for param in operations.flat_map(|operation| &mut operation.params) {
            let TypeRef::Option(ty) = &param.ty else {
                continue;
            };
            let Some(value) = stated.get(&param.origin) else {
                continue;
            };
            if *value == Value::Null {
                continue;
            }
            match self.types.default_value(value, ty) {
                Ok(default) => param.default = default,
                Err(expected) if reported.insert(param.origin.clone()) => {
                    let message = format!("the default {} is not {expected}", value.to_json());
                    self.document
                        .diagnostics
                        .report(codes::WRONG_DEFAULT, &param.origin, message)
                        .help("correct the default: no code is generated for it");
                }
                Err(_) => {}
            }
        }
    }
}

impl TypeTable {
    /// Returns `Ok(None)` for a valid default of a type that gets no accessor.
    fn default_value(
        &self,
        value: &Value,
        ty: &TypeRef,
    ) -> Result<Option<DefaultValue>, &'static str> {
        Ok(Some(match (ty, value) {
            (TypeRef::Primitive(Primitive::Bool), Value::Bool(value)) => DefaultValue::Bool(*value),
            (TypeRef::Primitive(Primitive::Bool), _) => return Err("a boolean"),
            (TypeRef::Primitive(Primitive::String), Value::String(text)) => {
                DefaultValue::String(text.clone())
            }
            (TypeRef::Primitive(Primitive::String), _) => return Err("a string"),
            (TypeRef::Primitive(Primitive::Number(ty)), value) => number(ty, value)?,
            (TypeRef::Vec(item), Value::Array(values)) => {
                let Some(values) = self.list(values, item)? else {
                    return Ok(None);
                };
                if values.is_empty() {
                    DefaultValue::EmptyList
                } else {
                    DefaultValue::List(values)
                }
            }
            (TypeRef::Vec(_), _) => return Err("a list"),
            (TypeRef::Named(id), value) => {
                return match &self.defs[id.0 as usize].kind {
                    TypeKind::Alias(ty) => self.default_value(value, ty),
                    TypeKind::StringEnum(string_enum) => {
                        let Value::String(text) = value else {
                            return Err("a string");
                        };
                        let index = string_enum
                            .variants
                            .iter()
                            .position(|v| v.name.wire == *text);
                        let index = index.ok_or("one of the values of its enum")?;
                        Ok(Some(DefaultValue::Variant(*id, index)))
                    }
                    TypeKind::LiteralEnum(literal_enum) => {
                        let index = literal_enum
                            .variants
                            .iter()
                            .position(|v| is_same(&v.value, value));
                        let index = index.ok_or("one of the values of its enum")?;
                        Ok(Some(DefaultValue::Variant(*id, index)))
                    }
                    _ => Ok(None),
                };
            }
            _ => return Ok(None),
        }))
    }

    fn list(
        &self,
        values: &[Value],
        item: &TypeRef,
    ) -> Result<Option<Vec<DefaultValue>>, &'static str> {
        values
            .iter()
            .map(|value| self.default_value(value, item))
            .collect()
    }
}

fn number(ty: &str, value: &Value) -> Result<DefaultValue, &'static str> {
    let float = ty.starts_with('f');
    match value {
        Value::Number(number) if float && is_float(ty, number.as_f64()) => {
            Ok(DefaultValue::Float(number.as_f64()))
        }
        Value::Number(Number::Int(int)) if fits(ty, *int) => Ok(DefaultValue::Int(*int)),
        Value::Number(_) => Err("a number of its type"),
        _ => Err("a number"),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn is_float(ty: &str, number: f64) -> bool {
    match ty {
        "f32" => (number as f32).is_finite(),
        _ => number.is_finite(),
    }
}

fn fits(ty: &str, int: i128) -> bool {
    match ty {
        "i8" => i8::try_from(int).is_ok(),
        "i16" => i16::try_from(int).is_ok(),
        "i32" => i32::try_from(int).is_ok(),
        "i64" => i64::try_from(int).is_ok(),
        "u8" => u8::try_from(int).is_ok(),
        "u16" => u16::try_from(int).is_ok(),
        "u32" => u32::try_from(int).is_ok(),
        "u64" => u64::try_from(int).is_ok(),
        "u128" => int >= 0,
        _ => false,
    }
}

fn is_same(literal: &Literal, value: &Value) -> bool {
    match (literal, value) {
        (Literal::Bool(a), Value::Bool(b)) => a == b,
        (Literal::Int(a), Value::Number(Number::Int(b))) => a == b,
        (Literal::Float(a), Value::Number(Number::Float(b))) => a == b,
        (Literal::String(a), Value::String(b)) => a == b,
        _ => false,
    }
}
