//! The text of a driver: for each operation, how its request and its outcomes are put together
//! from values, and a server that responds what it is told to.

use std::fmt::Write as _;

use bothends::ir::{
    Api, Codec, Content, Header, Media, Name, Operation, Payload, Response, StatusSpec, Tag,
};

/// A driver as text.
pub(crate) struct Drivers {
    pub(crate) text: String,
    /// Whether there is any operation to drive.
    pub(crate) operations: bool,
}

pub(crate) fn text(api: &Api) -> Drivers {
    let mut out = String::from(
        "use crate::desk::{Begun, Desk, Parts};\nuse bothends_runtime::{Operation, server};\n",
    );
    for (index, tag) in api.tags.iter().enumerate() {
        let operations = api
            .operations
            .iter()
            .filter(|operation| operation.tag == Some(index));
        handler(&mut out, tag, operations);
    }
    out.push_str("pub fn operations() -> Vec<crate::Driver> {\n    vec![\n");
    for operation in &api.operations {
        writeln!(
            out,
            "        crate::Driver {{ id: {:?}, begin: begin_{} }},",
            operation.name.wire,
            plain(&operation.name)
        )
        .unwrap_or_default();
    }
    out.push_str("    ]\n}\n");
    for operation in &api.operations {
        if let Some(tag) = operation.tag.and_then(|index| api.tags.get(index)) {
            begin(&mut out, operation, tag);
        }
    }
    let operations = !api.operations.is_empty();
    if operations {
        out.push_str(
            "pub fn server(desk: Desk) -> crate::Service {\n    \
             crate::Service::new(super::server::router(desk))\n}\n",
        );
    }
    Drivers {
        text: out,
        operations,
    }
}

fn plain(name: &Name) -> &str {
    name.rust.strip_prefix("r#").unwrap_or(&name.rust)
}

fn request_type(operation: &Operation, tag: &Tag) -> String {
    format!(
        "super::operations::{}::{}Request",
        tag.name.rust, operation.base
    )
}

/// The server: every method asks the desk.
fn handler<'a>(out: &mut String, tag: &Tag, operations: impl Iterator<Item = &'a Operation>) {
    let mut text = format!("impl super::server::{} for Desk {{\n", tag.trait_name);
    for operation in operations {
        let request = request_type(operation, tag);
        text.push_str(&format!(
            "    async fn {}(&self, _: server::Context, mut request: {request}) \
             -> Result<<{request} as Operation>::Response, server::Error<<{request} as Operation>::Error>> {{\n        \
             {}self.answer(request)\n    }}\n",
            operation.name.rust,
            settle_request(operation, tag),
        ));
    }
    out.push_str(&text);
    out.push_str("}\n");
}

/// Whether a body comes item by item: such a one is equal to nothing but itself.
fn has_stream(operation: &Operation) -> bool {
    let bodies = operation.body.iter().map(|body| &body.payload);
    let responses = operation.successes.iter().chain(&operation.errors);
    let payloads = bodies.chain(responses.filter_map(|response| response.payload.as_ref()));
    let mut media = payloads.flat_map(Payload::media);
    media.any(|media| media.codec.is_items())
}

/// From values to the request and the outcome.
fn begin(out: &mut String, operation: &Operation, tag: &Tag) {
    if has_stream(operation) {
        out.push_str(&format!(
            "fn begin_{}(_: &mut Parts) -> Result<Begun, String> {{\n    Err(\"it has a stream\".to_owned())\n}}\n",
            plain(&operation.name)
        ));
        return;
    }
    let request = request_type(operation, tag);
    let module = format!("super::operations::{}", tag.name.rust);
    let mut text = format!(
        "fn begin_{}(parts: &mut Parts) -> Result<Begun, String> {{\n    \
         type Response = <{request} as Operation>::Response;\n    \
         type Failure = <{request} as Operation>::Error;\n    \
         let request = {request} {{\n",
        plain(&operation.name)
    );
    for param in &operation.params {
        text.push_str(&format!(
            "        {}: parts.take({:?})?,\n",
            param.name.rust, param.name.wire
        ));
    }
    if let Some(body) = &operation.body {
        let value = payload(&module, &body.payload);
        if body.optional {
            text.push_str(&format!(
                "        {}: if parts.absent() {{ None }} else {{ Some({value}) }},\n",
                body.name.rust
            ));
        } else {
            text.push_str(&format!("        {}: {value},\n", body.name.rust));
        }
    }
    text.push_str("    };\n    let outcome: Result<Response, Failure> = match parts.index() {\n");
    let several = operation.successes.len() > 1;
    let successes = operation.successes.iter();
    let successes = successes.map(|response| success(&module, operation, response, several));
    let errors = operation.errors.iter().map(|response| {
        format!(
            "Err(Failure::{}{})",
            response.name.rust,
            error(&module, response)
        )
    });
    for (index, value) in successes.chain(errors).enumerate() {
        text.push_str(&format!("        {index} => {value},\n"));
    }
    text.push_str("        _ => return Err(\"no such response\".to_owned()),\n    };\n");
    text.push_str(&format!(
        "    Ok(Begun::new(request, outcome, settle_{}))\n}}\n",
        plain(&operation.name)
    ));
    out.push_str(&text);
    settle_response(out, operation, &request, &module);
}

/// What takes in the bytes of a body that comes in pieces; nothing where there is none.
fn collect_body(module: &str, payload: &Payload, place: &str) -> String {
    match payload {
        Payload::One(media) if media.codec == Codec::Chunks => {
            format!("crate::desk::settle({place}).await;")
        }
        Payload::One(_) => String::new(),
        Payload::Many(content, media) => media
            .iter()
            .filter(|(_, media)| media.codec == Codec::Chunks)
            .map(|(variant, _)| {
                format!(
                    "if let {}::{}::{}(body) = {place} {{ crate::desk::settle(body).await; }}",
                    home(module, content),
                    content.name.rust,
                    variant.rust
                )
            })
            .collect(),
    }
}

/// The module that defines the enum of a body.
fn home<'a>(module: &'a str, content: &Content) -> &'a str {
    match content.shared {
        Some(_) => "super::types",
        None => module,
    }
}

fn settle_request(operation: &Operation, tag: &Tag) -> String {
    let Some(body) = &operation.body else {
        return String::new();
    };
    let module = format!("super::operations::{}", tag.name.rust);
    let field = format!("request.{}", body.name.rust);
    if body.optional {
        let settled = collect_body(&module, &body.payload, "body");
        format!("if let Some(body) = &mut {field} {{ {settled} }}")
    } else {
        collect_body(&module, &body.payload, &format!("(&mut {field})"))
    }
}

fn settle_response(out: &mut String, operation: &Operation, request: &str, module: &str) {
    let settled = match operation.successes.as_slice() {
        [response] => response
            .payload
            .as_ref()
            .map_or_else(String::new, |payload| {
                collect_body(module, payload, "(&mut **response)")
            }),
        several => {
            let arms = several.iter().filter_map(|response| {
                let settled = collect_body(module, response.payload.as_ref()?, "body");
                let variant = &response.name.rust;
                let base = &operation.base;
                (!settled.is_empty()).then(|| {
                    format!("{module}::{base}ResponseBody::{variant}(body) => {{ {settled} }}")
                })
            });
            let arms: String = arms.collect();
            format!("match &mut **response {{ {arms} _ => {{}} }}")
        }
    };
    out.push_str(&format!(
        "fn settle_{}(response: &mut <{request} as Operation>::Response) -> crate::desk::Settling<'_> {{\n    \
         Box::pin(async move {{ {settled} }})\n}}\n",
        plain(&operation.name)
    ));
}

/// A success: the status where it varies, the documented headers of all successes, the body.
fn success(module: &str, operation: &Operation, response: &Response, several: bool) -> String {
    let status = (!matches!(response.status, StatusSpec::Code(_)))
        .then_some(("let status = parts.status()?; ", ".with_status(status)"));
    let (status, with_status) = status.unwrap_or_default();
    let headers = match operation.success_headers.as_slice() {
        [] => "()".to_owned(),
        headers => format!(
            "{module}::{}ResponseHeaders {{ {} }}",
            operation.base,
            fields(headers)
        ),
    };
    let body = response
        .payload
        .as_ref()
        .map(|content| payload(module, content));
    let body = if several {
        let variant = &response.name.rust;
        let body = body.map_or_else(String::new, |body| format!("({body})"));
        format!("{module}::{}ResponseBody::{variant}{body}", operation.base)
    } else {
        body.unwrap_or_else(|| "()".to_owned())
    };
    format!(
        "{{ {status}let headers = {headers}; let body = {body}; \
         Ok(Response::with_headers(body, headers){with_status}) }}"
    )
}

/// The fields of documented headers.
fn fields(headers: &[Header]) -> String {
    let fields = headers
        .iter()
        .map(|header| format!("{}: parts.take({:?})?", header.name.rust, header.name.wire));
    fields.collect::<Vec<_>>().join(", ")
}

/// What follows the variant of an error. The headers of errors are apart from their values, and have
/// tests of their own in the runtime.
fn error(module: &str, response: &Response) -> String {
    let body = response
        .payload
        .as_ref()
        .map(|content| payload(module, content));
    if matches!(response.status, StatusSpec::Code(_)) {
        return body.map_or_else(String::new, |body| format!("({body})"));
    }
    let body = body.map_or_else(String::new, |body| format!(", body: {body}"));
    format!(" {{ status: parts.status()?{body} }}")
}

fn body(media: &Media) -> String {
    match media.codec {
        Codec::Chunks => format!("parts.bytes({:?})?", media.name),
        _ => "parts.take(\"body\")?".to_owned(),
    }
}

fn payload(module: &str, payload: &Payload) -> String {
    match payload {
        Payload::One(media) => body(media),
        Payload::Many(content, media) => {
            let module = home(module, content);
            let arm = |(index, (variant, media)): (usize, &(Name, Media))| {
                format!(
                    "{index} => {module}::{}::{}({}), ",
                    content.name.rust,
                    variant.rust,
                    body(media)
                )
            };
            let arms: String = media.iter().enumerate().map(arm).collect();
            format!(
                "match parts.index() {{ {arms}_ => return Err(\"no such media type\".to_owned()) }}"
            )
        }
    }
}
