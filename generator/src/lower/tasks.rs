//! Operations that start a task: `x-bothends-task`.

use crate::diagnostic::codes;
use crate::ir::{Api, Task};
use crate::source::Value;

use super::Lowering;

/// Binds each operation that starts a task to the one that tells its status.
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

fn task(api: &Api, stated: &Value) -> Result<Task, String> {
    let Value::Object(stated) = stated else {
        return Err("`x-bothends-task` is not an object".to_owned());
    };
    let text = |key: &str| match stated.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let pointer = |key: &str| match stated.get(key) {
        None => Ok(None),
        Some(Value::String(pointer)) if pointer.starts_with('/') => Ok(Some(pointer.clone())),
        Some(_) => Err(format!("`{key}` is not a JSON pointer")),
    };
    let status = text("status").ok_or("`x-bothends-task` has no `status`")?;
    let found = api
        .operations
        .iter()
        .position(|operation| operation.name.wire == status);
    let status_operation = found.ok_or_else(|| format!("there is no operation `{status}`"))?;
    let parameter = text("parameter").ok_or("`x-bothends-task` has no `parameter`")?;
    if !api.operations[status_operation]
        .params
        .iter()
        .any(|p| p.name.wire == parameter)
    {
        return Err(format!("`{status}` has no parameter `{parameter}`"));
    }
    let terminal = match stated.get("terminal") {
        Some(Value::Array(values)) => values.iter().filter_map(|value| match value {
            Value::String(text) => Some(text.clone()),
            _ => None,
        }),
        _ => return Err("`x-bothends-task` has no list `terminal`".to_owned()),
    };
    Ok(Task {
        status_operation,
        parameter,
        id: pointer("id")?,
        status: pointer("status-at")?,
        terminal: terminal.collect(),
        webhooks: webhooks(api, stated.get("webhooks"))?,
    })
}

/// Webhooks by name, each with the JSON pointer of the task's id in its body.
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
