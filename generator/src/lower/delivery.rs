//! How webhooks are delivered: `delivery` of `x-bothends-webhooks`.

use crate::diagnostic::{Diagnostics, codes};
use crate::ir::DeliveryRules;
use crate::model::Model;
use crate::source::{Origin, Value};

/// Reads the extension of the root. What else stands in it is for people.
pub(super) fn lower(model: &Model, diagnostics: &mut Diagnostics) -> Option<DeliveryRules> {
    let key = "x-bothends-webhooks";
    let (_, stated) = model.extensions.iter().find(|(name, _)| name == key)?;
    let delivery = stated.get("delivery")?;
    match rules(delivery) {
        Ok(rules) => Some(rules),
        Err(reason) => {
            diagnostics
                .report(codes::DELIVERY, &Origin::default().child(key), reason)
                .help("docs/extensions.md tells what `x-bothends-webhooks` holds");
            None
        }
    }
}

fn rules(stated: &Value) -> Result<DeliveryRules, String> {
    let whole = |value: &Value, most: u32| {
        let number = value
            .as_integer()
            .and_then(|number| u32::try_from(number).ok());
        number.filter(|number| *number <= most)
    };
    let number = |key: &str, most: u32| {
        let number = stated.get(key).and_then(|value| whole(value, most));
        number.ok_or_else(|| format!("`delivery/{key}` is not a whole number up to {most}"))
    };
    let statuses = stated.get("retry-statuses").and_then(Value::as_array);
    let statuses = statuses.ok_or("`delivery/retry-statuses` is not a list")?;
    let statuses = statuses.iter().map(|status| {
        let status = whole(status, 599).filter(|status| *status >= 100);
        let status = status.and_then(|status| u16::try_from(status).ok());
        status.ok_or_else(|| "`delivery/retry-statuses` holds what is no status".to_owned())
    });
    Ok(DeliveryRules {
        timeout_seconds: number("timeout-seconds", 3600)?.into(),
        max_retries: number("max-retries", 1000)?,
        retry_statuses: statuses.collect::<Result<_, _>>()?,
    })
}
