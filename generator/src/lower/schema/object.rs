//! Objects with named properties.

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::codes;
use crate::ir::{Doc, Field, Name, Object, Rule, TypeId, TypeRef, Unknown, Writer};
use crate::model::{Schema, SchemaId, Types};
use crate::resolve::nearest;

use crate::lower::passes::requested::KeptRules;
use crate::lower::schema::defaults::Pending;
use crate::lower::schema::presence;
use crate::lower::schema::shape::{Additional, Shape};
use crate::lower::{Document, Lowering, schema};

impl Lowering<'_> {
    /// Returns the struct of an object schema.
    pub(in crate::lower) fn object(&mut self, shape: &Shape, ty: TypeId) -> Object {
        self.document.report_undeclared_required(shape);
        let properties = self.document.named_properties(shape);
        let mut fields = Vec::with_capacity(properties.len());
        for (name, property) in properties {
            let required = shape.required.contains(&name);
            let declared = shape.properties.contains_key(&name);
            let mut field = self.field(&name, property, required && declared, (ty, fields.len()));
            if required && !declared {
                // Services respond without such properties, so only a request has to have them.
                field.required = true;
                field.rules.insert(0, Rule::Required);
                if self.document.options.kept_rules == KeptRules::Responses {
                    field.rules.insert(1, Rule::Returned);
                }
            }
            fields.push(field);
        }
        for name in &shape.required {
            if !shape.properties.contains_key(name) && !shape.may_have_more() {
                self.document.diagnostics
                    .report(
                        codes::REQUIRED_BUT_REFUSED,
                        &shape.origin,
                        format!("required property `{name}` is not allowed by `additionalProperties: false`"),
                    )
                    .help("declare the property, or remove it from `required`");
            }
        }
        self.document.report_closed_parts(shape);
        self.types.defs[ty.0 as usize].rules = self.document.object_rules(&shape.constraints);
        Object {
            fields,
            constants: Vec::new(),
            unknown: self.unknown(shape, ty),
            each: self.document.extra_rules(shape),
            init: None,
        }
    }

    fn field(
        &mut self,
        name: &str,
        property: SchemaId,
        required: bool,
        (ty_id, index): (TypeId, usize),
    ) -> Field {
        let at = self.types.at_type(ty_id, name);
        let lowered = self.lower(property, &at);
        let schema = self.document.schema(property);
        let origin = schema.origin.clone();
        let is_use = !self.document.is_named(property);
        let mut doc = if is_use {
            schema::doc_of(schema, false)
        } else {
            Doc::default()
        };
        // The text is part of the type that is defined for this property alone; here it would be
        // repeated.
        if matches!(&lowered.ty, TypeRef::Named(id) if self.types.defs[id.0 as usize].origin == origin)
        {
            doc.text = None;
        }
        let name_of = self.document.wanted(property, name);
        if let Some(value) = self.document.schema(property).default.clone() {
            let accessor = !required && !lowered.nullable;
            let ty = lowered.ty.clone();
            self.pending.defaults.push(Pending {
                owner: ty_id,
                field: index,
                value,
                ty,
                accessor,
            });
        }
        let ty = presence::field_type(lowered, required);
        let writer = self.document.writer(property);
        Field {
            origin,
            name: name_of,
            ty,
            optional: !required,
            required,
            doc,
            default: None,
            fixed: false,
            or_none: false,
            rules: self.document.rules(property),
            writer,
        }
    }

    fn unknown(&mut self, shape: &Shape, ty: TypeId) -> Unknown {
        if !keeps_more(shape) {
            return match shape.additional {
                Additional::Refused => Unknown::Refused,
                _ => Unknown::Ignored,
            };
        }
        let at = self.types.at_type(ty, "");
        let value = self.additional(shape, &at);
        let mut name = Name::new("extra");
        while shape.properties.contains_key(&name.wire) || shape.required.contains(&name.wire) {
            name.wire.push_str(" fields");
        }
        Unknown::Kept(name, value)
    }
}

impl Document<'_> {
    /// Returns the properties of an object: the declared properties, and undeclared required
    /// properties, whose schema is that of `additionalProperties`. If other properties are ignored,
    /// properties that are only mentioned (`dependentRequired`, or a choice of required names) are
    /// included too.
    fn named_properties(&mut self, shape: &Shape) -> IndexMap<String, SchemaId> {
        let mut properties = shape.properties.clone();
        if !shape.may_have_more() {
            return properties;
        }
        let mut names: IndexSet<String> = shape.required.clone();
        if !keeps_more(shape) {
            let c = &shape.constraints;
            let groups = c
                .required_groups
                .iter()
                .flat_map(|required_group| &required_group.groups);
            let dependent = c.dependent_required.iter();
            names
                .extend(dependent.flat_map(|(name, more)| [name].into_iter().chain(more).cloned()));
            names.extend(groups.flatten().cloned());
        }
        for name in names {
            if properties.contains_key(&name) {
                continue;
            }
            let property = match shape.additional {
                Additional::Of(id) if shape.patterns.is_empty() => id,
                _ => self.add_schema(Schema {
                    origin: shape.origin.clone(),
                    ..Schema::default()
                }),
            };
            properties.insert(name, property);
        }
        properties
    }

    /// Reports a composition without a valid object: a part allows only the properties beside its
    /// `additionalProperties: false`, and a required one is declared elsewhere.
    fn report_closed_parts(&mut self, shape: &Shape) {
        let is_excluded = |part: &Schema, name: &String| {
            let mut own = part.properties.iter();
            part.pattern_properties.is_empty() && !own.any(|(declared, _)| declared == name)
        };
        // Others are tags that this generator adds to a variant.
        let states = |id: &SchemaId, name| self.schema(*id).required.contains(name);
        let mut declared = shape.required.iter().filter(|name| {
            let mut holders = shape.requiring.iter();
            shape.properties.contains_key(*name) && holders.any(|id| states(id, name))
        });
        let parts = || shape.closing.iter().map(|part| self.schema(*part));
        let Some(name) = declared.find(|name| parts().any(|part| is_excluded(part, name))) else {
            return;
        };
        let message = format!(
            "required property `{name}` is not allowed by `additionalProperties: false` of another part"
        );
        self.diagnostics
            .report(codes::REQUIRED_BUT_REFUSED, &shape.origin, message)
            .help("remove `additionalProperties: false`, or declare the property beside it");
    }

    /// Reports required names without a property, each once, where the name is listed.
    fn report_undeclared_required(&mut self, shape: &Shape) {
        // Other properties are allowed, and may be required.
        if shape.additional != Additional::Unstated || !shape.patterns.is_empty() {
            return;
        }
        for holder in &shape.requiring {
            let schema = self.schema(*holder);
            let names = schema.required.iter().enumerate();
            let missing = names.filter(|(_, name)| !shape.properties.contains_key(*name));
            let at = schema.origin.child("required");
            let missing: Vec<(usize, String)> =
                missing.map(|(index, name)| (index, name.clone())).collect();
            for (index, name) in missing {
                if !self.undeclared.insert((*holder, name.clone())) {
                    continue;
                }
                let others = shape.properties.keys().map(String::as_str);
                let others = others.filter(|other| !shape.required.contains(*other));
                let wanted = self.diagnostics.wants(codes::REQUIRED_UNDECLARED);
                let help = wanted.then(|| nearest(&name, others)).flatten();
                let help = help.map_or_else(
                    || "declare it under `properties`, or remove it from `required`".to_owned(),
                    |near| format!("did you mean `{near}`?"),
                );
                let message = format!("required property `{name}` is not declared");
                self.diagnostics
                    .report(
                        codes::REQUIRED_UNDECLARED,
                        &at.child(&index.to_string()),
                        message,
                    )
                    .help(help);
            }
        }
    }

    /// Returns the side that writes a property, according to the property or its target.
    fn writer(&self, property: SchemaId) -> Writer {
        let schema = self.schema(property);
        let parts = schema.reference.iter().chain(&schema.all_of);
        let all = [property].into_iter().chain(parts.copied());
        let any_part = |get: fn(&Schema) -> bool| all.clone().any(|id| get(self.schema(id)));
        match (
            any_part(|schema| schema.read_only),
            any_part(|schema| schema.write_only),
        ) {
            (true, false) => Writer::Server,
            (false, true) => Writer::Client,
            _ => Writer::Both,
        }
    }

    fn wanted(&self, property: SchemaId, name: &str) -> Name {
        let wanted =
            schema::wanted_name(self.schema(property)).filter(|_| !self.is_named(property));
        Name {
            wanted,
            ..Name::new(name)
        }
    }

    /// Returns whether a schema is reusable.
    pub(in crate::lower) fn is_named(&self, id: SchemaId) -> bool {
        self.named.contains_key(&id)
    }

    /// Returns whether a shape is an object, by its declared type or by its keywords.
    pub(in crate::lower) fn is_object(shape: &Shape) -> bool {
        shape.types == Types::OBJECT
            || (shape.types.is_unstated() && (!shape.properties.is_empty()))
    }
}

/// Returns whether additional properties are kept: if they have a type, if the object has no other
/// keywords, or if rules apply to them that could not be checked otherwise.
fn keeps_more(shape: &Shape) -> bool {
    let c = &shape.constraints;
    match shape.additional {
        Additional::Any | Additional::Of(_) => true,
        _ if !shape.patterns.is_empty() => true,
        Additional::Refused => false,
        Additional::Unstated => {
            let counted =
                c.min_properties.is_some_and(|least| least > 0) || c.max_properties.is_some();
            shape.properties.is_empty() || counted || !c.property_names.is_empty()
        }
    }
}
