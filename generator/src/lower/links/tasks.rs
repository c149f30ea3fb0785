//! Operations that start a task: `x-bothends-task`, or a link to the operation that returns its
//! status.

use crate::diagnostic::codes;
use crate::ir::{Api, Expression, Source, Task, TaskStatus};
use crate::source::Value;

use crate::lower::Lowering;
use crate::lower::links::task_calls;

/// Connects each operation that starts a task with the operation that returns its status. Returns the
/// calls that these tasks state.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    api: &mut Api,
) -> Vec<task_calls::Stated> {
    let mut calls = Vec::new();
    for (index, stated) in std::mem::take(&mut lowering.pending.stated_tasks) {
        let origin = api.operations[index].origin.child("x-bothends-task");
        match task(api, &stated) {
            Ok((task, of_task)) => {
                api.operations[index].task = Some(task);
                calls.extend(of_task.into_iter().map(|call| call.at(index, &origin)));
            }
            Err(reason) => {
                lowering
                    .document
                    .diagnostics
                    .report(codes::TASK, &origin, reason)
                    .help(
                        "`status` names the operation, `parameter` its parameter for the task's id",
                    );
            }
        }
    }
    calls
}

fn task(api: &Api, whole: &Value) -> Result<(Task, Vec<task_calls::Key>), String> {
    let Value::Object(stated) = whole else {
        return Err("expected an object for `x-bothends-task`".to_owned());
    };
    let text = |key: &str| match stated.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    let status = text("status").ok_or("missing `status` of `x-bothends-task`")?;
    let found = api
        .operations
        .iter()
        .position(|operation| operation.name.wire == status);
    let status_operation = found.ok_or_else(|| format!("unknown operation `{status}`"))?;
    let parameter = text("parameter").ok_or("missing `parameter` of `x-bothends-task`")?;
    let mut params = api.operations[status_operation].params.iter();
    let place = params
        .find(|param| param.name.wire == parameter)
        .map(|param| param.place)
        .ok_or_else(|| format!("unknown parameter `{parameter}` of `{status}`"))?;
    let id = pointer(stated.get("id"), "id")?;
    let id = id.map(|id| Expression::Response(Source::Body(id)));
    let ends = ends(api, whole)?;
    let task = Task {
        status_operation,
        from: id
            .map(|id| (place, parameter.clone(), id))
            .into_iter()
            .collect(),
        parameter,
        terminal: ends
            .terminal
            .ok_or("missing list `terminal` of `x-bothends-task`")?,
        status: ends.status.map(TaskStatus::Body),
        failed: ends.failed,
        failed_at: ends.failed_at,
        webhooks: ends.webhooks,
        result: None,
        cancel: None,
    };
    Ok((task, ends.calls))
}

fn pointer(stated: Option<&Value>, key: &str) -> Result<Option<String>, String> {
    match stated {
        None => Ok(None),
        Some(Value::String(pointer)) if pointer.starts_with('/') => Ok(Some(pointer.clone())),
        Some(_) => Err(format!("expected a JSON pointer for `{key}`")),
    }
}

/// The conditions for the end of a task.
#[derive(Default)]
pub(in crate::lower) struct Ends {
    pub(in crate::lower) status: Option<String>,
    pub(in crate::lower) terminal: Option<Vec<String>>,
    pub(in crate::lower) failed: Vec<String>,
    pub(in crate::lower) failed_at: Option<String>,
    pub(in crate::lower) webhooks: Vec<(String, String)>,
    pub(in crate::lower) calls: Vec<task_calls::Key>,
}

/// Reads `status-at`, `terminal`, `failed`, `failed-at`, `webhooks`, `result` and `cancel`.
pub(in crate::lower) fn ends(api: &Api, stated: &Value) -> Result<Ends, String> {
    let Value::Object(stated) = stated else {
        return Err("expected an object for `x-bothends-task`".to_owned());
    };
    let failed = statuses(stated.get("failed"), "failed")?.unwrap_or_default();
    let mut terminal = statuses(stated.get("terminal"), "terminal")?;
    if let Some(terminal) = &mut terminal {
        let further = failed.iter().filter(|status| !terminal.contains(*status));
        let further: Vec<String> = further.cloned().collect();
        terminal.extend(further);
    }
    Ok(Ends {
        status: pointer(stated.get("status-at"), "status-at")?,
        terminal,
        failed,
        failed_at: pointer(stated.get("failed-at"), "failed-at")?,
        webhooks: webhooks(api, stated.get("webhooks"))?,
        calls: task_calls::keys(stated)?,
    })
}

/// Returns a list of statuses as text: strings, numbers and booleans.
fn statuses(stated: Option<&Value>, key: &str) -> Result<Option<Vec<String>>, String> {
    let Some(stated) = stated else {
        return Ok(None);
    };
    let Value::Array(values) = stated else {
        return Err(format!("expected a list for `{key}`"));
    };
    let text = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(value.to_json()),
        _ => Err(format!("expected strings, numbers or booleans in `{key}`")),
    };
    values.iter().map(text).collect::<Result<_, _>>().map(Some)
}

/// Returns webhooks by name, each with the JSON pointer of the task's id in its body.
fn webhooks(api: &Api, stated: Option<&Value>) -> Result<Vec<(String, String)>, String> {
    let Some(stated) = stated else {
        return Ok(Vec::new());
    };
    let Value::Object(stated) = stated else {
        return Err("expected an object of JSON pointers by webhook for `webhooks`".to_owned());
    };
    let entries = stated.iter().map(|(name, pointer)| {
        if !api
            .webhooks
            .iter()
            .any(|webhook| webhook.name.wire == *name)
        {
            return Err(format!("unknown webhook `{name}`"));
        }
        match pointer {
            Value::String(pointer) if pointer.starts_with('/') => {
                Ok((name.to_owned(), pointer.clone()))
            }
            _ => Err(format!("expected a JSON pointer for `webhooks/{name}`")),
        }
    });
    entries.collect()
}
