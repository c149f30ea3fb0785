//! Schemas.

use super::{Extensions, SchemaId};
use crate::position::Origin;
use crate::source::Value;

/// The set of JSON types that the `type` keyword of a schema allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Types(pub u8);

impl Types {
    /// No `type` keyword: all types are allowed.
    pub(crate) const UNSTATED: Self = Self(0);
    /// `null`
    pub(crate) const NULL: Self = Self(1);
    /// `boolean`
    pub(crate) const BOOLEAN: Self = Self(2);
    /// `integer`
    pub(crate) const INTEGER: Self = Self(4);
    /// `number`
    pub(crate) const NUMBER: Self = Self(8);
    /// `string`
    pub(crate) const STRING: Self = Self(16);
    /// `array`
    pub(crate) const ARRAY: Self = Self(32);
    /// `object`
    pub(crate) const OBJECT: Self = Self(64);

    /// Returns `true` if the set contains every type of `other`.
    #[must_use]
    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Returns the union of both sets.
    #[must_use]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// Returns the set without the types of `other`.
    #[must_use]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Returns `true` if the keyword is absent.
    #[must_use]
    pub(crate) const fn is_unstated(self) -> bool {
        self.0 == 0
    }
    /// Returns the number of types in the set.
    #[must_use]
    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }
    /// Returns the type with this keyword value.
    #[must_use]
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }
}

/// A schema object. A `$ref` without siblings never becomes a `Schema`: its users refer to the id
/// of the target.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schema {
    /// The position in the document.
    pub origin: Origin,
    /// The component name, if the schema is a direct entry of a section of reusable schemas.
    pub name: Option<String>,
    /// A suggested name: the last segment of a reference to the schema, or the name of its file.
    /// Only for referenced schemas without a `name`.
    pub suggested_name: Option<String>,
    /// Whether this is a schema of the document with other targets for its `$dynamicRef`s.
    pub instance: bool,
    /// The target of a `$ref` with siblings that are meaningful in this dialect. The other fields
    /// contain the siblings.
    pub reference: Option<SchemaId>,
    /// `true` or `false` in place of an object.
    pub boolean: Option<bool>,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `type`, combined with the `nullable` of OpenAPI 3.0 if the schema has a `type`.
    pub types: Types,
    /// Whether `nullable` or `x-nullable` is true, with or without a `type`.
    pub nullable: bool,
    /// `format`
    pub format: Option<String>,
    /// `enum`
    pub enumeration: Option<Vec<Value>>,
    /// `const`
    pub constant: Option<Value>,
    /// `default`
    pub default: Option<Value>,
    /// The first of `example` and `examples`, as shown in docs.
    pub examples: Vec<String>,
    /// `allOf`
    pub all_of: Vec<SchemaId>,
    /// `anyOf`
    pub any_of: Vec<SchemaId>,
    /// `oneOf`
    pub one_of: Vec<SchemaId>,
    /// Schemas that apply under a condition: `if`, `then`, `else`, and those of `dependentSchemas`
    /// and `dependencies`.
    pub conditional: Vec<SchemaId>,
    /// `not`
    pub not: Option<SchemaId>,
    /// `discriminator`
    pub discriminator: Option<Discriminator>,
    /// `properties`, in document order.
    pub properties: Vec<(String, SchemaId)>,
    /// `required`
    pub required: Vec<String>,
    /// `additionalProperties`; a boolean is represented by a boolean schema.
    pub additional_properties: Option<SchemaId>,
    /// Whether `additional_properties` is the schema in `unevaluatedProperties`, for properties that
    /// no part of the schema declares.
    pub unevaluated: bool,
    /// `unevaluatedProperties`, if it is a boolean.
    pub unevaluated_properties: Option<bool>,
    /// `patternProperties`
    pub pattern_properties: Vec<(String, SchemaId)>,
    /// `items`
    pub items: Option<SchemaId>,
    /// `prefixItems`
    pub prefix_items: Vec<SchemaId>,
    /// Bounds and patterns.
    pub constraints: Constraints,
    /// `readOnly`
    pub read_only: bool,
    /// `writeOnly`
    pub write_only: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `contentEncoding`
    pub content_encoding: Option<String>,
    /// `contentMediaType`
    pub content_media_type: Option<String>,
    /// `contentSchema`
    pub content_schema: Option<SchemaId>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// Constraints that do not change the Rust type of a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Constraints {
    /// `minimum`, and whether the bound is exclusive.
    pub minimum: Option<(Value, bool)>,
    /// `maximum`, and whether the bound is exclusive.
    pub maximum: Option<(Value, bool)>,
    /// `multipleOf`; several values if `allOf` merges them.
    pub multiple_of: Vec<Value>,
    /// `minLength`, in characters
    pub min_length: Option<u64>,
    /// `maxLength`, in characters
    pub max_length: Option<u64>,
    /// `pattern`; several values if `allOf` merges them.
    pub pattern: Vec<String>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
    /// `propertyNames`
    pub property_names: Vec<SchemaId>,
    /// `dependentRequired`: a property, and the properties required if it is present.
    pub dependent_required: Vec<(String, Vec<String>)>,
    /// `oneOf` and `anyOf` whose alternatives only list required names.
    pub required_groups: Vec<RequiredGroups>,
}

/// Groups of required names, of which an object has exactly one (`oneOf`) or at least one
/// (`anyOf`).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RequiredGroups {
    /// The names of each group.
    pub groups: Vec<Vec<String>>,
    /// Whether at most one group may be present.
    pub at_most_one: bool,
}

/// `discriminator`
#[derive(Debug, Clone)]
pub(crate) struct Discriminator {
    /// `propertyName`
    pub property: String,
    /// `mapping`: the tag value, and its schema (`None` if the schema does not exist).
    pub mapping: Vec<(String, Option<SchemaId>)>,
    /// `defaultMapping` (OpenAPI 3.2): the schema of values whose tag is absent or unknown.
    pub default: Option<SchemaId>,
}
