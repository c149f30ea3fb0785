//! An [`Api`] as an indented outline. Snapshots show the outline, and people read the decisions in
//! it without the generated Rust.

use std::fmt::{self, Display, Formatter};

use super::{
    Api, Doc, Header, Link, Media, Operation, Part, Payload, Primitive, Response, StatusSpec,
    TypeDef, TypeKind, TypeRef, Unknown,
};

/// Displays an [`Api`] as an outline.
#[derive(Debug)]
pub struct Outline<'a>(pub &'a Api);

impl Display for Outline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let api = self.0;
        for def in &api.types {
            type_def(f, api, def)?;
        }
        for (kind, list) in [("operation", &api.operations), ("webhook", &api.webhooks)] {
            for item in list {
                operation(f, api, kind, item)?;
            }
        }
        for scheme in &api.schemes {
            writeln!(
                f,
                "scheme {} `{}`: {:?}",
                scheme.name.rust, scheme.name.wire, scheme.kind
            )?;
        }
        Ok(())
    }
}

fn type_def(f: &mut Formatter<'_>, api: &Api, def: &TypeDef) -> fmt::Result {
    let direction = match (def.input, def.output) {
        (true, true) => "in out",
        (true, false) => "in",
        _ => "out",
    };
    let name = &def.name.rust;
    match &def.kind {
        TypeKind::Pending => writeln!(f, "pending {name}")?,
        TypeKind::Object(object) => {
            writeln!(f, "struct {name} ({direction}) {}", def.origin.pointer())?;
            for field in &object.fields {
                let mark = if field.optional { "?" } else { "" };
                let ty = Ref(api, &field.ty);
                write!(f, "  {}{mark} `{}`: {ty}", field.name.rust, field.name.wire)?;
                if let Some(default) = &field.default {
                    write!(f, " = {default:?}")?;
                }
                let fixed = if field.fixed { " (fixed)" } else { "" };
                let or_none = if field.or_none { " (or none)" } else { "" };
                writeln!(f, "{fixed}{or_none}{}", deprecated(&field.doc))?;
            }
            if let Some(init) = &object.init {
                writeln!(f, "  from {init}")?;
            }
            for constant in &object.constants {
                writeln!(f, "  `{}` = {:?}", constant.wire, constant.value)?;
            }
            match &object.unknown {
                Unknown::Ignored => {}
                Unknown::Refused => writeln!(f, "  others refused")?,
                Unknown::Kept(name, ty) => {
                    writeln!(f, "  others kept in {}: {}", name.rust, Ref(api, ty))?;
                }
            }
        }
        TypeKind::StringEnum(string_enum) => {
            let open = if string_enum.fallback.is_some() {
                "open"
            } else {
                "closed"
            };
            writeln!(
                f,
                "{open} enum {name} ({direction}) {}",
                def.origin.pointer()
            )?;
            for variant in &string_enum.variants {
                writeln!(f, "  {} {:?}", variant.name.rust, variant.name.wire)?;
            }
            if let Some(fallback) = &string_enum.fallback {
                writeln!(f, "  {} ..", fallback.rust)?;
            }
        }
        TypeKind::LiteralEnum(literal_enum) => {
            writeln!(
                f,
                "literal enum {name} ({direction}) {}",
                def.origin.pointer()
            )?;
            for variant in &literal_enum.variants {
                writeln!(f, "  {} {:?}", variant.name.rust, variant.value)?;
            }
            if let Some(fallback) = &literal_enum.fallback {
                writeln!(f, "  {} ..", fallback.rust)?;
            }
        }
        TypeKind::Union(union) => {
            let tag = union
                .tag
                .as_ref()
                .map_or(String::new(), |tag| format!(" by `{tag}`"));
            let kind = if union.several { "any of" } else { "union" };
            writeln!(
                f,
                "{kind} {name}{tag} ({direction}) {}",
                def.origin.pointer()
            )?;
            for variant in &union.variants {
                write!(f, "  {}: {}", variant.name.rust, Ref(api, &variant.ty))?;
                for tag in &variant.tags {
                    write!(f, " {tag:?}")?;
                }
                if variant.takes_others {
                    write!(f, " or other")?;
                }
                writeln!(f)?;
            }
            if let Some(fallback) = &union.fallback {
                writeln!(f, "  {} ..", fallback.rust)?;
            }
        }
        TypeKind::Newtype(ty, _) => writeln!(f, "newtype {name}({})", Ref(api, ty))?,
        TypeKind::Alias(ty) => writeln!(f, "alias {name} = {}", Ref(api, ty))?,
    }
    Ok(())
}

fn deprecated(doc: &Doc) -> &'static str {
    if doc.deprecated { " (deprecated)" } else { "" }
}

fn operation(f: &mut Formatter<'_>, api: &Api, kind: &str, operation: &Operation) -> fmt::Result {
    let Operation {
        name,
        base,
        method,
        path,
        ..
    } = operation;
    write!(
        f,
        "{kind} {} {base} `{}`: {method} {path}",
        name.rust, name.wire
    )?;
    if let Some(tag) = operation.tag.and_then(|tag| api.tags.get(tag)) {
        write!(f, " in {}", tag.name.rust)?;
    }
    writeln!(f, "{}", deprecated(&operation.doc))?;
    if let Some(server) = &operation.server {
        writeln!(f, "  server {server}")?;
    }
    for param in &operation.params {
        let mark = if param.optional { "?" } else { "" };
        let place = format!("{:?}", param.place).to_lowercase();
        write!(
            f,
            "  {place} {}{mark} `{}`: ",
            param.name.rust, param.name.wire
        )?;
        writeln!(f, "{} {:?}", Ref(api, &param.ty), param.style)?;
    }
    if let Some(body) = &operation.body {
        let mark = if body.optional { "?" } else { "" };
        writeln!(f, "  body{mark} {}", Load(api, &body.payload))?;
    }
    for answer in &operation.successes {
        response(f, api, "success", answer)?;
    }
    for Header { name, ty, .. } in &operation.success_headers {
        let (rust, wire, ty) = (&name.rust, &name.wire, Ref(api, ty));
        writeln!(f, "  success header {rust} `{wire}`: {ty}")?;
    }
    for answer in &operation.errors {
        response(f, api, "error", answer)?;
    }
    for Header { name, ty, .. } in &operation.error_headers {
        let (rust, wire, ty) = (&name.rust, &name.wire, Ref(api, ty));
        writeln!(f, "  error header {rust} `{wire}`: {ty}")?;
    }
    for alternative in &operation.security {
        write!(f, "  security")?;
        for needed in alternative {
            write!(f, " {}{:?}", needed.scheme, needed.scopes)?;
        }
        writeln!(f)?;
    }
    if let Some(pages) = &operation.pages {
        let more = (&pages.has_more, &pages.pages, &pages.limit, &pages.kept);
        let items = pages.items.as_deref().unwrap_or("of no type");
        writeln!(f, "  pages: {:?}, items {items}, {more:?}", pages.next)?;
    }
    for Link { name, call, .. } in &operation.links {
        let target = &api.operations[call.operation].name.rust;
        writeln!(f, "  link {} `{}`: {target}", name.rust, name.wire)?;
        for (place, name, expression) in &call.from {
            writeln!(f, "    {place:?} `{name}` = {expression:?}")?;
        }
    }
    for stated_link in &operation.stated_links {
        let target = &api.operations[stated_link.call.operation].name.rust;
        writeln!(
            f,
            "  stated link `{}` of {:?}: {target}",
            stated_link.name, stated_link.statuses
        )?;
    }
    if let Some(task) = &operation.task {
        let status = &api.operations[task.status_operation].name.rust;
        writeln!(
            f,
            "  task: {status} by `{}`, ends with {:?}",
            task.parameter, task.terminal
        )?;
        for (place, name, expression) in &task.from {
            writeln!(f, "    {place:?} `{name}` = {expression:?}")?;
        }
        for (what, call) in [("result", &task.result), ("cancel", &task.cancel)] {
            let Some(call) = call else { continue };
            writeln!(
                f,
                "    {what}: {}",
                api.operations[call.operation].name.rust
            )?;
            for (place, name, expression) in &call.from {
                writeln!(f, "      {place:?} `{name}` = {expression:?}")?;
            }
        }
    }
    if let Some(retries) = &operation.retries {
        writeln!(f, "  {retries:?}")?;
    }
    if let Some(name) = &operation.idempotency_key {
        writeln!(f, "  idempotency key in `{name}`")?;
    }
    Ok(())
}

fn response(f: &mut Formatter<'_>, api: &Api, kind: &str, response: &Response) -> fmt::Result {
    let status = match response.status {
        StatusSpec::Code(code) => code.to_string(),
        StatusSpec::Range(first) => format!("{first}XX"),
        StatusSpec::Default => "default".to_owned(),
    };
    write!(f, "  {kind} {status} {}", response.name.rust)?;
    if let Some(payload) = &response.payload {
        write!(f, " {}", Load(api, payload))?;
    }
    if let Some(path) = &response.code_path {
        write!(f, ", code at {path:?}")?;
    }
    writeln!(f)
}

struct Load<'a>(&'a Api, &'a Payload);

impl Display for Load<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let write_media = |f: &mut Formatter<'_>, media: &Media| {
            write!(
                f,
                "{:?} `{}` {}",
                media.codec,
                media.key(),
                Ref(self.0, &media.ty)
            )?;
            for part in &media.parts {
                let Part {
                    name,
                    media,
                    style,
                    shape,
                } = part;
                write!(f, ", part `{name}` {shape:?} {style:?} {media:?}")?;
            }
            Ok(())
        };
        match self.1 {
            Payload::One(media) => write_media(f, media),
            Payload::Many(content, variants) => {
                write!(f, "{} {{", content.name.rust)?;
                for (name, media) in variants {
                    write!(f, " {}: ", name.rust)?;
                    write_media(f, media)?;
                }
                write!(f, " }}")
            }
        }
    }
}

/// Returns a type in the notation of the outline.
#[cfg(test)]
pub(crate) fn shown(api: &Api, ty: &TypeRef) -> String {
    Ref(api, ty).to_string()
}

struct Ref<'a>(&'a Api, &'a TypeRef);

impl Display for Ref<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let inner = |ty| Ref(self.0, ty);
        match self.1 {
            TypeRef::Named(id) => f.write_str(&self.0.type_def(*id).name.rust),
            TypeRef::Primitive(Primitive::Number(name)) => f.write_str(name),
            TypeRef::Primitive(Primitive::Custom(path)) => f.write_str(path),
            TypeRef::Primitive(primitive) => write!(f, "{primitive:?}"),
            TypeRef::Boxed(ty) => write!(f, "Box<{}>", inner(ty)),
            TypeRef::Vec(ty) => write!(f, "Vec<{}>", inner(ty)),
            TypeRef::Map(ty) => write!(f, "Map<{}>", inner(ty)),
            TypeRef::Option(ty) => write!(f, "Option<{}>", inner(ty)),
            TypeRef::Nullable(ty) => write!(f, "Nullable<{}>", inner(ty)),
            TypeRef::JsonText(ty) => write!(f, "JsonText<{}>", inner(ty)),
            TypeRef::Tuple(parts) => {
                f.write_str("(")?;
                for part in parts {
                    write!(f, "{}, ", inner(part))?;
                }
                f.write_str(")")
            }
            TypeRef::Replaced(inner) => f.write_str(&inner.path),
            TypeRef::Prefix(prefix) => {
                f.write_str("[")?;
                for part in &prefix.required {
                    write!(f, "{}, ", inner(part))?;
                }
                for part in &prefix.optional {
                    write!(f, "{}?, ", inner(part))?;
                }
                match &prefix.rest {
                    Some(rest) => write!(f, "..{}]", inner(rest)),
                    None => f.write_str("]"),
                }
            }
        }
    }
}
