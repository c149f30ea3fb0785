//! What is right in an answer to a broken request.

use bothends_runtime::Json;

/// What is wrong with what came back, if anything is. What is broken may be two requests.
pub(crate) fn fault(answers: &[u8], own_shape: bool) -> Option<String> {
    let text = String::from_utf8_lossy(answers);
    let mut rest: &str = &text;
    // Nothing at all: the server hung up, since there was no whole request.
    while !rest.is_empty() {
        let Some((head, after)) = rest.split_once("\r\n\r\n") else {
            return Some(format!("no end of the headers: {rest}"));
        };
        let head = head.to_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        let (body, after) = after.split_at_checked(length).unwrap_or((after, ""));
        if let Some(fault) = one_fault(&head, body, own_shape) {
            return Some(fault);
        }
        rest = after;
    }
    None
}

fn one_fault(head: &str, body: &str, own_shape: bool) -> Option<String> {
    let status = head
        .get(9..12)
        .and_then(|status| status.parse::<u16>().ok());
    let Some(status) = status else {
        return Some(format!("no status: {head}"));
    };
    if head.contains("x-injected") {
        return Some("a header was injected".to_owned());
    }
    match status {
        200..=299 => return None,
        400..=499 => {}
        _ => return Some(format!("status {status}")),
    }
    // hyper itself says no more of what is no HTTP.
    if !head.contains("content-type") {
        let known = matches!(status, 400 | 414 | 431);
        return (!known).then(|| format!("{status} without a body"));
    }
    let body: Json = match serde_json::from_str(body) {
        Ok(body) => body,
        Err(error) => return Some(format!("{status} with {error}")),
    };
    // The document of the service has one body for all client errors.
    let keys: &[&str] = if own_shape {
        &["operation_id", "code_id", "message", "errors"]
    } else {
        &["type", "title", "status"]
    };
    let missing = keys.iter().find(|key| body.get(**key).is_none());
    missing.map(|key| format!("{status} without `{key}`: {body}"))
}
