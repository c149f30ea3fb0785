//! Tests of documented retries and idempotency keys.

use crate::ir::{Retries, Rule};

use super::operation;

#[test]
fn a_client_creates_keys_that_the_schema_accepts() {
    for (schema, is_created) in [
        ("type: string", true),
        ("type: string, format: uuid", true),
        ("type: [string, 'null'], minLength: 36, maxLength: 36", true),
        ("type: string, pattern: '^[0-9a-f-]{36}$'", true),
        ("type: string, pattern: '^order-'", false),
        ("type: string, maxLength: 35", false),
        ("type: string, minLength: 37", false),
        ("type: string, enum: [a]", false),
        ("type: string, format: date-time", false),
        ("type: integer", false),
    ] {
        for required in [true, false] {
            let (operation, ..) = operation(&format!(
                "parameters: [{{name: idempotency-KEY, in: header, required: {required}, schema: {{{schema}}}}}]\n\
                 responses: {{'204': {{description: d}}}}"
            ));
            let key = operation.idempotency_key.as_deref();
            assert_eq!(key, is_created.then_some("idempotency-KEY"), "{schema}");
            let param = &operation.params[0];
            assert_eq!(param.optional, is_created || !required, "{schema}");
            let is_checked = param.rules.contains(&Rule::Required);
            assert_eq!(is_checked, is_created && required, "{schema}");
        }
    }
}

#[test]
fn statements_of_both_vendors_are_read_and_others_are_reported() {
    let retries = |text: &str| {
        let text = format!("{text}\nresponses: {{'204': {{description: d}}}}");
        let (operation, _, reported) = operation(&text);
        (operation.retries, reported)
    };
    assert_eq!(retries(""), (None, vec![]));
    let disabled = || {
        Some(Retries {
            disabled: true,
            ..Retries::default()
        })
    };
    for text in [
        "x-fern-retries: {disabled: true}",
        "x-fern-retries: false",
        "x-speakeasy-retries: {strategy: none}",
    ] {
        assert_eq!(retries(text), (disabled(), vec![]), "{text}");
    }
    let idempotent = Retries {
        idempotent: true,
        ..Retries::default()
    };
    assert_eq!(
        retries("x-fern-idempotent: true"),
        (Some(idempotent), vec![])
    );
    assert_eq!(retries("x-fern-idempotent: false"), (None, vec![]));
    // Two vendors, and parts that cannot be read.
    let text = "x-fern-idempotent: true\nx-fern-retries: {disabled: false}\n\
                x-speakeasy-retries: {strategy: backoff, statusCodes: [429, '5xx', 4XX], \
                backoff: {initialInterval: -1, maxInterval: 2e3, exponent: .inf, maxElapsedTime: 9}}";
    let partly = Retries {
        idempotent: true,
        statuses: Some(vec![(429, 429), (500, 599), (400, 499)]),
        only_responses: true,
        max_delay: Some(2000),
        max_elapsed: Some(9),
        ..Retries::default()
    };
    assert_eq!(retries(text), (Some(partly), vec!["W0410", "W0410"]));
}
