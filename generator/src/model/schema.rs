//! Schemas.

use super::{Extensions, SchemaId};
use crate::position::Origin;
use crate::source::Value;

/// Set of JSON types a schema allows by its `type` keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) struct Types(pub u8);

impl Types {
    /// No `type` keyword: everything is allowed.
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

    /// Whether every type of `other` is in the set.
    #[must_use]
    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Both sets together.
    #[must_use]
    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// The set without the types of `other`.
    #[must_use]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Whether the keyword is absent.
    #[must_use]
    pub(crate) const fn is_unstated(self) -> bool {
        self.0 == 0
    }
    /// How many types the set holds.
    #[must_use]
    pub(crate) const fn count(self) -> u32 {
        self.0.count_ones()
    }
    /// The type of a keyword value, if it is one.
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

/// A schema object. A pure `$ref` never becomes a `Schema`: its users hold the target's id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schema {
    /// Where it stands.
    pub origin: Origin,
    /// Component name, when it is a direct entry of a section of reusable schemas.
    pub name: Option<String>,
    /// What it could be called: the last step of the reference to it, or the name of its file.
    /// Only for schemas that references lead to and that have no `name`.
    pub suggested_name: Option<String>,
    /// Target of a `$ref` whose siblings mean something in this dialect; the siblings are the
    /// other fields of this value.
    pub reference: Option<SchemaId>,
    /// `true` or `false` instead of an object.
    pub boolean: Option<bool>,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `type`, with OpenAPI 3.0's `nullable` folded in where a `type` is stated.
    pub types: Types,
    /// `nullable` / `x-nullable` was true, with or without a `type`.
    pub nullable: bool,
    /// `format`
    pub format: Option<String>,
    /// `enum`
    pub enumeration: Option<Vec<Value>>,
    /// `const`
    pub constant: Option<Value>,
    /// `default`
    pub default: Option<Value>,
    /// `example` and `examples`, the first of them, as far as they are shown.
    pub examples: Vec<String>,
    /// `allOf`
    pub all_of: Vec<SchemaId>,
    /// `anyOf`
    pub any_of: Vec<SchemaId>,
    /// `oneOf`
    pub one_of: Vec<SchemaId>,
    /// `not`
    pub not: Option<SchemaId>,
    /// `discriminator`
    pub discriminator: Option<Discriminator>,
    /// `properties`, in the document's order.
    pub properties: Vec<(String, SchemaId)>,
    /// `required`
    pub required: Vec<String>,
    /// `additionalProperties`; a boolean is a boolean schema.
    pub additional_properties: Option<SchemaId>,
    /// `unevaluatedProperties: false`, or `true` for anything else that was stated.
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
    /// `x-` keys.
    pub extensions: Extensions,
}

/// Constraints that do not change the Rust shape of a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Constraints {
    /// `minimum`; beside it whether the bound itself is excluded.
    pub minimum: Option<(Value, bool)>,
    /// `maximum`; beside it whether the bound itself is excluded.
    pub maximum: Option<(Value, bool)>,
    /// `multipleOf`; more than one where an `allOf` brings them together.
    pub multiple_of: Vec<Value>,
    /// `minLength`, in characters
    pub min_length: Option<u64>,
    /// `maxLength`, in characters
    pub max_length: Option<u64>,
    /// `pattern`; more than one where an `allOf` brings them together.
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
    /// `dependentRequired`: a property, and what is required beside it.
    pub dependent_required: Vec<(String, Vec<String>)>,
    /// `oneOf` and `anyOf` whose alternatives list required names only.
    pub required_groups: Vec<RequiredGroups>,
}

/// Groups of required names, of which an object has one (`oneOf`) or any (`anyOf`).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RequiredGroups {
    /// The names of each group.
    pub groups: Vec<Vec<String>>,
    /// No second group is there.
    pub one: bool,
}

/// `discriminator`
#[derive(Debug, Clone)]
pub(crate) struct Discriminator {
    /// `propertyName`
    pub property: String,
    /// `mapping`: the tag value, and the schema it names (`None` when it names nothing).
    pub mapping: Vec<(String, Option<SchemaId>)>,
    /// `defaultMapping` (OpenAPI 3.2): the schema of values whose tag is absent or not known.
    pub default: Option<SchemaId>,
}
