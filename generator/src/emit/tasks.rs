//! Tasks: the constants and methods of the client, and the inbox of the webhooks.

use super::docs::{Text, code};
use super::operations::{place_word, type_name};
use super::scope::Scope;
use super::syntax::simple_type;
use crate::ir::{Expression, LinkedCall, Operation, Place, Source, Task, TaskStatus};
use crate::names::constant;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ImplItem, Item, Path, parse_quote};

fn constant_name(scope: &Scope<'_>, operation: &Operation) -> Ident {
    let name = constant(&operation.name.rust);
    scope.cx.ident(&format!("{name}_TASK"))
}

/// Returns the methods that start the task of an operation and wait for its end.
pub(super) fn methods(scope: &Scope<'_>, operation: &Operation) -> Vec<ImplItem> {
    let methods = &operation.task_methods;
    let Some(task) = operation.task.as_ref().filter(|_| methods.resume.is_some()) else {
        return Vec::new();
    };
    let status = &scope.cx.api.operations[task.status_operation];
    let [poll, send] =
        [status, operation].map(|operation| type_name(scope.cx, operation, "Request"));
    let constant = constant_name(scope, operation);
    let task_type = scope.runtime_in("client", "Task");
    let calls = calls(scope, task);
    let method = |name: &Option<String>, docs: String, takes: Option<&Ident>, call: Expr| {
        let name = scope.cx.ident(name.as_ref()?);
        let docs = Text::line(docs).attrs();
        let request = takes.map(|ty| quote!(, request: impl Into<#ty>));
        let method: ImplItem = parse_quote! {
            #(#docs)*
            pub fn #name(&self #request) -> #task_type<T, #poll, #send #calls>
            where
                T: Clone,
            {
                self.core.#call
            }
        };
        Some(method)
    };
    let link = |name: &str| {
        format!(
            "[`{name}`](Self::{name})",
            name = name.trim_start_matches("r#")
        )
    };
    let (started, polled) = (link(&operation.name.rust), link(&status.name.rust));
    let returns = task.result.as_ref().map(|call| {
        let name = &scope.cx.api.operations[call.operation].name.rust;
        format!(" Then {} returns its result.", link(name))
    });
    let cancels = task.cancel.as_ref().map(|call| {
        let name = &scope.cx.api.operations[call.operation].name.rust;
        format!(" `cancel` of the task calls {}.", link(name))
    });
    let more = returns.unwrap_or_default() + &cancels.unwrap_or_default();
    let starts =
        format!("Starts a task by {started} and waits until {polled} reports its end.{more}");
    let resumes =
        format!("Waits for a task that {started} started, until {polled} reports its end.{more}");
    let with = || -> Expr { parse_quote!(start_task(#constant, request.into())) };
    let (takes, call) = match operation.is_bare() {
        true => (None, parse_quote!(start_task(#constant, #send::new()))),
        false => (Some(&send), with()),
    };
    let resume = parse_quote!(resume_task(#constant, request.into()));
    let methods = [
        method(&methods.start, starts.clone(), takes, call),
        method(&methods.start_with, starts, Some(&send), with()),
        method(&methods.resume, resumes, Some(&poll), resume),
    ];
    methods.into_iter().flatten().collect()
}

/// Returns the function `inbox`, and the handler of a receiver that has only the inbox.
pub(super) fn inbox(scope: &Scope<'_>) -> Vec<Item> {
    let webhooks = scope.cx.api.task_webhooks();
    if webhooks.is_empty() {
        return Vec::new();
    }
    let inbox = scope.runtime_in("tasks", "TaskInbox");
    let rows = webhooks
        .iter()
        .map(|(kind, pointer)| quote!((#kind, #pointer)));
    vec![
        parse_quote! {
            /// Returns an inbox for the webhooks that report the end of tasks. A `WebhookRouter` puts
            /// them into it (`router(handler).inbox(&inbox)`), and tasks of the client wait on it
            /// (`webhooks(&inbox)`).
            pub fn inbox() -> #inbox {
                #inbox::new(&[#(#rows),*])
            }
        },
        parse_quote! {
            /// Handles no webhook: for a receiver that has an inbox only.
            impl WebhookHandler for () {}
        },
    ]
}

/// Returns the description of the tasks that an operation starts.
pub(super) fn constant_of(scope: &Scope<'_>, operation: &Operation) -> Option<Item> {
    let task = operation.task.as_ref()?;
    let status = &scope.cx.api.operations[task.status_operation];
    let request = simple_type(type_name(scope.cx, status, "Request"));
    let sent = simple_type(type_name(scope.cx, operation, "Request"));
    let name = constant_name(scope, operation);
    let meta = scope.runtime_in("client", "TaskMeta");
    let terminal = &task.terminal;
    let mut value: Expr = parse_quote!(#meta::new(&[#(#terminal),*]));
    if !task.from.is_empty() {
        let rows = task.from.iter().map(|row| found_at(scope, row));
        value = parse_quote!(#value.from(&[#(#rows),*]));
    }
    match &task.status {
        None => {}
        Some(TaskStatus::Body(pointer)) => value = parse_quote!(#value.status_at(#pointer)),
        Some(TaskStatus::Code) => value = parse_quote!(#value.status_is_code()),
    }
    if !task.failed.is_empty() {
        let failed = &task.failed;
        value = parse_quote!(#value.failed(&[#(#failed),*]));
    }
    if let Some(pointer) = &task.failed_at {
        value = parse_quote!(#value.failed_at(#pointer));
    }
    let mut doc = format!(
        "Tasks started by {}. Their status is read by {}, whose {} is the id of the task.",
        code(&operation.name.wire),
        code(&status.name.wire),
        code(&task.parameter),
    );
    let wire = |call: &LinkedCall| code(&scope.cx.api.operations[call.operation].name.wire);
    if let Some(call) = &task.result {
        let rows = call.from.iter().map(|row| found_at(scope, row));
        value = parse_quote!(#value.result(&[#(#rows),*]));
        doc.push_str(&format!(" Their result is read by {}.", wire(call)));
    }
    if let Some(call) = &task.cancel {
        let rows = call.from.iter().map(|row| found_at(scope, row));
        value = parse_quote!(#value.cancelled_by(&[#(#rows),*]));
        doc.push_str(&format!(" They are cancelled by {}.", wire(call)));
    }
    let doc = Text::line(doc).attrs();
    let calls = calls(scope, task);
    Some(parse_quote!(#(#doc)* pub const #name: #meta<#sent, #request #calls> = #value;))
}

/// Returns the last parameters of `Task` and `TaskMeta`: the operation that returns the result, and that
/// which cancels a task. Without both, their defaults stand.
fn calls(scope: &Scope<'_>, task: &Task) -> TokenStream {
    let request = |index: usize| type_name(scope.cx, &scope.cx.api.operations[index], "Request");
    let result = task.result.as_ref().map(|call| request(call.operation));
    let Some(cancel) = &task.cancel else {
        return result.map_or_else(TokenStream::new, |result| quote!(, #result));
    };
    let result = result.unwrap_or_else(|| request(task.status_operation));
    let cancel = request(cancel.operation);
    quote!(, #result, #cancel)
}

/// Returns the source of a parameter: `("path", "id", Expression::ResponseBody("/id"))`.
pub(super) fn found_at(scope: &Scope<'_>, row: &(Place, String, Expression)) -> TokenStream {
    let (place, name, expression) = row;
    let place = place_word(*place);
    let expression = expression_of(&scope.runtime("Expression"), expression);
    quote!((#place, #name, #expression))
}

/// Returns an expression: `Expression::ResponseBody("/id")`.
pub(super) fn expression_of(path: &Path, expression: &Expression) -> TokenStream {
    match expression {
        Expression::Constant(text) => quote!(#path::Constant(#text)),
        Expression::Url => quote!(#path::Url),
        Expression::Method => quote!(#path::Method),
        Expression::StatusCode => quote!(#path::StatusCode),
        Expression::Request(Source::Header(name)) => quote!(#path::RequestHeader(#name)),
        Expression::Request(Source::Query(name)) => quote!(#path::RequestQuery(#name)),
        Expression::Request(Source::Path(name)) => quote!(#path::RequestPath(#name)),
        Expression::Request(Source::Body(pointer)) => quote!(#path::RequestBody(#pointer)),
        Expression::Response(Source::Header(name)) => quote!(#path::ResponseHeader(#name)),
        Expression::Response(Source::Body(pointer)) => quote!(#path::ResponseBody(#pointer)),
        // A response has no query and no path.
        Expression::Response(Source::Query(_) | Source::Path(_)) => quote!(#path::Url),
    }
}
