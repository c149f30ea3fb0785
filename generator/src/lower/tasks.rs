//! Operations that start a task: `x-bothends-task`, or a link to the operation that returns its
//! status.

use crate::diagnostic::codes;
use crate::ir::{Api, Expression, Source, Task};
use crate::source::Value;

use super::Lowering;

/// Connects each operation that starts a task with the operation that returns its status.
pub(super) fn lower(lowering: &mut Lowering<'_>, api: &mut Api) {
    for (index, stated) in std::mem::take(&mut lowering.stated_tasks) {
        let origin = api.operations[index].origin.clone();
        match task(api, &stated) {
            Ok(task) => api.operations[index].task = Some(task),
            Err(reason) => {
                lowering
                    .diagnostics
                    .report(codes::TASK, &origin, reason)
                    .help(
                        "`status` names the operation, `parameter` its parameter for the task's id",
                    );
            }
        }
    }
}

fn task(api: &Api, whole: &Value) -> Result<Task, String> {
    let Value::Object(stated) = whole else {
        return Err("`x-bothends-task` is not an object".to_owned());
    };
    let text = |key: &str| match stated.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let status = text("status").ok_or("`x-bothends-task` has no `status`")?;
    let found = api
        .operations
        .iter()
        .position(|operation| operation.name.wire == status);
    let status_operation = found.ok_or_else(|| format!("there is no operation `{status}`"))?;
    let parameter = text("parameter").ok_or("`x-bothends-task` has no `parameter`")?;
    let mut params = api.operations[status_operation].params.iter();
    let place = params
        .find(|param| param.name.wire == parameter)
        .map(|param| param.place)
        .ok_or_else(|| format!("`{status}` has no parameter `{parameter}`"))?;
    let id = pointer(stated.get("id"), "id")?;
    let id = id.map(|id| Expression::Response(Source::Body(id)));
    let ends = ends(api, whole)?;
    Ok(Task {
        status_operation,
        from: id
            .map(|id| (place, parameter.clone(), id))
            .into_iter()
            .collect(),
        parameter,
        status: ends.status,
        terminal: ends
            .terminal
            .ok_or("`x-bothends-task` has no list `terminal`")?,
        webhooks: ends.webhooks,
    })
}

fn pointer(stated: Option<&Value>, key: &str) -> Result<Option<String>, String> {
    match stated {
        None => Ok(None),
        Some(Value::String(pointer)) if pointer.starts_with('/') => Ok(Some(pointer.clone())),
        Some(_) => Err(format!("`{key}` is not a JSON pointer")),
    }
}

/// The conditions for the end of a task.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) status: Option<String>,
    pub(super) terminal: Option<Vec<String>>,
    pub(super) webhooks: Vec<(String, String)>,
}

/// Reads `status-at`, `terminal` and `webhooks`.
pub(super) fn ends(api: &Api, stated: &Value) -> Result<Ends, String> {
    let Value::Object(stated) = stated else {
        return Err("`x-bothends-task` is not an object".to_owned());
    };
    let terminal = match stated.get("terminal") {
        None => None,
        Some(Value::Array(values)) => Some(values.iter().filter_map(|value| match value {
            Value::String(text) => Some(text.clone()),
            _ => None,
        })),
        Some(_) => return Err("`terminal` is not a list".to_owned()),
    };
    Ok(Ends {
        status: pointer(stated.get("status-at"), "status-at")?,
        terminal: terminal.map(Iterator::collect),
        webhooks: webhooks(api, stated.get("webhooks"))?,
    })
}

/// Returns webhooks by name, each with the JSON pointer of the task's id in its body.
fn webhooks(api: &Api, stated: Option<&Value>) -> Result<Vec<(String, String)>, String> {
    let Some(stated) = stated else {
        return Ok(Vec::new());
    };
    let Value::Object(stated) = stated else {
        return Err("`webhooks` is not an object of JSON pointers by webhook".to_owned());
    };
    let entries = stated.iter().map(|(name, pointer)| {
        if !api
            .webhooks
            .iter()
            .any(|webhook| webhook.name.wire == *name)
        {
            return Err(format!("there is no webhook `{name}`"));
        }
        match pointer {
            Value::String(pointer) if pointer.starts_with('/') => {
                Ok((name.to_owned(), pointer.clone()))
            }
            _ => Err(format!("`webhooks/{name}` is not a JSON pointer")),
        }
    });
    entries.collect()
}
