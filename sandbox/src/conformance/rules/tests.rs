//! Each rule, with a history that keeps it, one that breaks it, and one that shows nothing.

use super::super::Verdict::{self, NotShown, Ok, Violated};
use super::super::samples::{
    badly_signed, call, judge, judge_at, poll, refresh, spent, token, unauthorized, webhook,
};
use super::RULES;
use crate::model::{Call, SentWebhook};

/// Asserts the verdict on calls, and which of them is the evidence.
#[track_caller]
fn calls(rule: &str, calls: Vec<Call>, verdict: Verdict, evidence: &[&str]) {
    let finding = judge(rule, calls, Vec::new());
    let ids: Vec<_> = finding
        .evidence
        .iter()
        .map(|evidence| evidence.call.as_deref())
        .collect();
    let expected: Vec<_> = evidence.iter().map(|id| Some(*id)).collect();
    assert_eq!((finding.verdict, ids), (verdict, expected), "{finding:?}");
}

/// Asserts the verdict on webhooks, and which of them is the evidence.
#[track_caller]
fn webhooks(rule: &str, sent: Vec<SentWebhook>, verdict: Verdict, evidence: &[&str]) {
    let finding = judge(rule, Vec::new(), sent);
    let ids: Vec<_> = finding
        .evidence
        .iter()
        .map(|evidence| evidence.webhook.as_deref())
        .collect();
    let expected: Vec<_> = evidence.iter().map(|id| Some(*id)).collect();
    assert_eq!((finding.verdict, ids), (verdict, expected), "{finding:?}");
}

#[test]
fn names_are_unique_and_nothing_is_shown_by_an_empty_history() {
    for (index, rule) in RULES.iter().enumerate() {
        let others = &RULES[index + 1..];
        assert!(others.iter().all(|other| other.name != rule.name));
        let finding = judge(rule.name, Vec::new(), Vec::new());
        assert_eq!(finding.verdict, NotShown, "{}", rule.name);
        assert!(finding.evidence.is_empty());
    }
}

#[test]
fn client_id() {
    let rule = "client-id-sent";
    let without = |call: Call| Call {
        request_headers: Vec::new(),
        ..call
    };
    calls(rule, vec![poll("a", 1), refresh("b", 2)], Ok, &["a", "b"]);
    calls(
        rule,
        vec![poll("a", 1), without(poll("b", 2))],
        Violated,
        &["b"],
    );
    calls(rule, vec![without(refresh("a", 1))], Violated, &["a"]);
    // The client credentials grant has the client id in HTTP Basic.
    calls(rule, vec![without(token("a", 1))], NotShown, &[]);
}

#[test]
fn refresh_token() {
    let rule = "refresh-token-once";
    calls(
        rule,
        vec![refresh("a", 1), refresh("b", 2)],
        Ok,
        &["a", "b"],
    );
    calls(rule, vec![refresh("a", 1), spent("b", 2)], Violated, &["b"]);
    calls(rule, vec![token("a", 1), poll("b", 2)], NotShown, &[]);
    // A refresh that failed for another reason.
    let failed = Call {
        status: Some(503),
        ..refresh("a", 1)
    };
    calls(rule, vec![failed], NotShown, &[]);
}

#[test]
fn cached() {
    let rule = "token-cached";
    let each = |tokens: i64, polls: i64| -> Vec<Call> {
        (0..tokens)
            .flat_map(|n| {
                let polls = (0..polls).map(move |m| poll(&format!("p{n}-{m}"), n * 100 + m + 1));
                std::iter::once(token(&format!("t{n}"), n * 100)).chain(polls)
            })
            .collect()
    };
    calls(rule, each(1, 5), Ok, &["p0-4"]);
    calls(rule, each(4, 1), Violated, &["t1", "t2", "t3"]);
    calls(rule, each(1, 2), NotShown, &[]);
    // Three processes that start at the same time.
    calls(rule, each(3, 2), Ok, &["p2-1"]);
    // A new token near the end of the validity, and one after a 401, are in order.
    let hour = 3_600_000;
    let mut long: Vec<Call> = (0..6)
        .flat_map(|n| {
            let at = n * hour * 9 / 10;
            [token(&format!("t{n}"), at), poll(&format!("p{n}"), at + 1)]
        })
        .collect();
    calls(rule, long.clone(), Ok, &["p5"]);
    long.clear();
    for n in 0..6 {
        long.push(token(&format!("t{n}"), n * 10));
        let failed = unauthorized(&format!("u{n}"), n * 10 + 1, "token_expired");
        let path = format!("{}-{n}", failed.path);
        long.push(Call { path, ..failed });
    }
    calls(rule, long.clone(), Ok, &["u5"]);
    // A request and its retries are one request, so that here is too little to see.
    let retried = long.into_iter().map(|call| match call.status {
        Some(401) => unauthorized(&call.id, call.at, "token_expired"),
        _ => call,
    });
    calls(rule, retried.collect(), NotShown, &[]);
}

#[test]
fn retried() {
    let rule = "unauthorized-retried";
    let expired = |id: &str, at: i64| unauthorized(id, at, "token_expired");
    let history = vec![expired("a", 1), token("t", 5), poll("b", 10)];
    calls(rule, history, Ok, &["a"]);
    calls(rule, vec![expired("a", 1)], Violated, &["a"]);
    let history = vec![token("t", -60_000), expired("a", 1), poll("b", 2)];
    calls(rule, history, Violated, &["a"]);
    // No new token helps, or there is none.
    calls(
        rule,
        vec![unauthorized("a", 1, "unauthorized_scope")],
        NotShown,
        &[],
    );
    let failed = Call {
        status: Some(401),
        ..token("t", 5)
    };
    calls(rule, vec![expired("a", 1), failed], NotShown, &[]);
    // Another request has obtained the new token while this one was in progress.
    let history = vec![
        expired("a", 1),
        token("t", 5),
        expired("c", 6),
        poll("b", 10),
    ];
    calls(rule, history, Ok, &["a"]);
    // Too recent, unless the client has gone on.
    let finding = judge_at(rule, 1_000, vec![expired("a", 1)], Vec::new());
    assert_eq!(finding.verdict, NotShown);
    let start = |id, at| call(id, at, "startOpenBankingRefresh", 200);
    let history = vec![expired("a", 1), start("b", 2), start("c", 3)];
    let finding = judge_at(rule, 1_000, history, Vec::new());
    assert_eq!(finding.verdict, Violated);
}

#[test]
fn bounded() {
    let rule = "unauthorized-retry-bounded";
    let row = |length: i64| -> Vec<Call> {
        let expired = |n| unauthorized(&format!("u{n}"), n * 10, "token_expired");
        (0..length).map(expired).collect()
    };
    calls(rule, row(2), Ok, &["u0", "u1"]);
    calls(rule, row(6), Violated, &["u0", "u1"]);
    calls(rule, vec![poll("a", 1)], NotShown, &[]);
    // A success ends the row.
    let mut history = row(3);
    history.push(poll("a", 35));
    history.extend(row(3).into_iter().map(|call| Call {
        at: call.at + 100,
        id: format!("later-{}", call.id),
        ..call
    }));
    assert_eq!(judge(rule, history, Vec::new()).verdict, Ok);
}

#[test]
fn useful() {
    let rule = "unauthorized-retry-useful";
    let scope = |id: &str, at: i64| unauthorized(id, at, "unauthorized_scope");
    calls(rule, vec![token("t", 0), scope("a", 1_000)], Ok, &["a"]);
    let history = vec![scope("a", 1), token("t", 5), scope("b", 10)];
    calls(rule, history, Violated, &["a"]);
    calls(
        rule,
        vec![unauthorized("a", 1, "token_expired")],
        NotShown,
        &[],
    );
    // Another customer is another request.
    let call_of = |customer: &str, call: Call| Call {
        request_headers: vec![("x-customer-id".to_owned(), customer.to_owned())],
        ..call
    };
    let history = vec![
        call_of("1", scope("a", 1)),
        token("t", 5),
        call_of("2", poll("b", 10)),
    ];
    calls(rule, history, Ok, &["a"]);
}

#[test]
fn interval() {
    let rule = "polling-interval";
    let polls = |count: i64, every: i64| -> Vec<Call> {
        (0..count)
            .map(|n| poll(&format!("p{n}"), n * every))
            .collect()
    };
    calls(rule, polls(20, 250), Ok, &["p0"]);
    calls(rule, polls(20, 20), Violated, &["p0"]);
    calls(rule, polls(1, 1), NotShown, &[]);
    // Retries after an error are no polls.
    let errors = polls(20, 20).into_iter().map(|call| Call {
        status: Some(503),
        ..call
    });
    calls(rule, errors.collect(), NotShown, &[]);
}

#[test]
fn acknowledged() {
    let rule = "webhook-acknowledged";
    let slow = |id: &str, status| SentWebhook {
        microseconds: 10_200_000,
        ..webhook(id, 1, id, status)
    };
    webhooks(rule, vec![webhook("a", 1, "a", Some(503))], Ok, &["a"]);
    webhooks(rule, vec![slow("a", None)], Violated, &["a"]);
    webhooks(rule, vec![slow("a", Some(200))], Violated, &["a"]);
    webhooks(rule, vec![webhook("a", 1, "a", None)], NotShown, &[]);
}

#[test]
fn verified() {
    let rule = "webhook-signature-verified";
    let right = webhook("right", 1, "right", Some(200));
    let wrong = badly_signed("wrong", 2, "wrong-key", 401);
    let altered = badly_signed("altered", 3, "altered-body", 401);
    let missing = badly_signed("missing", 4, "missing", 403);
    let history = [&right, &wrong, &altered, &missing].map(Clone::clone);
    webhooks(rule, history.to_vec(), Ok, &["wrong", "altered", "missing"]);
    let accepted = badly_signed("altered", 3, "altered-body", 200);
    let history = vec![right.clone(), wrong.clone(), accepted, missing.clone()];
    webhooks(rule, history, Violated, &["altered"]);
    // Every kind has to be rejected: one that was not sent, or failed for another reason, is open.
    webhooks(
        rule,
        vec![right.clone(), wrong.clone(), missing.clone()],
        NotShown,
        &[],
    );
    let broken = badly_signed("altered", 3, "altered-body", 500);
    let history = vec![right.clone(), wrong.clone(), broken, missing];
    webhooks(rule, history, NotShown, &[]);
    // With a key, there is one kind more.
    let by_key = |sent: &SentWebhook| SentWebhook {
        request_headers: vec![("x-signature".to_owned(), "signature".to_owned())],
        ..sent.clone()
    };
    let missing = badly_signed("missing", 4, "missing", 401);
    let mut history: Vec<_> = [&right, &wrong, &altered, &missing].map(by_key).to_vec();
    webhooks(rule, history.clone(), NotShown, &[]);
    history.push(by_key(&badly_signed("none", 5, "algorithm-none", 401)));
    let evidence = ["wrong", "altered", "missing", "none"];
    webhooks(rule, history, Ok, &evidence);
    // A second endpoint that shows less.
    let elsewhere = |sent: &SentWebhook| SentWebhook {
        url: "http://127.0.0.1:9/other".to_owned(),
        ..sent.clone()
    };
    let mut history = [&right, &wrong, &altered, &missing]
        .map(Clone::clone)
        .to_vec();
    history.push(elsewhere(&right));
    webhooks(rule, history.clone(), NotShown, &[]);
    history.extend([&wrong, &altered, &missing].map(elsewhere));
    let all = ["wrong", "altered", "missing"];
    webhooks(rule, history, Ok, &[all, all].concat());
    // A client whose responses do not differ, one that is broken, and one without a probe.
    let silent = badly_signed("wrong", 2, "wrong-key", 200);
    webhooks(rule, vec![right.clone(), silent], NotShown, &[]);
    let rejected = webhook("right", 1, "right", Some(401));
    webhooks(rule, vec![rejected, wrong], NotShown, &[]);
    let broken = badly_signed("wrong", 2, "wrong-key", 500);
    webhooks(rule, vec![right.clone(), broken], NotShown, &[]);
    webhooks(rule, vec![right], NotShown, &[]);
}

#[test]
fn believed() {
    let rule = "webhook-signature-verified";
    let forged = |task: &str, message: &str| SentWebhook {
        message_id: message.to_owned(),
        request_body: format!(r#"{{"data":{{"task_id":"{task}"}}}}"#),
        ..badly_signed("forged", 1, "wrong-key", 200)
    };
    let right = webhook("right", 1, "right", Some(200));
    let finding = judge(
        rule,
        vec![poll("ask", 500)],
        vec![right.clone(), forged("task-1", "probe:1:wrong-key")],
    );
    assert_eq!(finding.verdict, Violated, "{finding:?}");
    assert_eq!(finding.evidence[0].call.as_deref(), Some("ask"));
    // Of another task, and of one that the client can know.
    for sent in [
        forged("task-2", "probe:1:wrong-key"),
        forged("task-1", "task:1"),
    ] {
        let finding = judge(rule, vec![poll("ask", 500)], vec![right.clone(), sent]);
        assert_eq!(finding.verdict, NotShown, "{finding:?}");
    }
}

#[test]
fn deduplicated() {
    let rule = "webhook-deduplicated";
    let first = webhook("first", 1_000, "m", Some(200));
    let repeat = webhook("repeat", 2_000, "m", Some(204));
    webhooks(rule, vec![first.clone(), repeat.clone()], Ok, &["repeat"]);
    let failed = webhook("repeat", 2_000, "m", Some(409));
    webhooks(rule, vec![first.clone(), failed], Violated, &["repeat"]);
    webhooks(rule, vec![first.clone()], NotShown, &[]);
    // A retry after an error is no repetition.
    let error = webhook("error", 500, "m", Some(503));
    webhooks(rule, vec![error, first.clone()], NotShown, &[]);
    // Sent while the first one was processed.
    let early = webhook("early", 1_002, "m", Some(503));
    webhooks(rule, vec![first.clone(), early], NotShown, &[]);
    // The client does twice what it does after a webhook.
    let history = vec![poll("a", 1_010), poll("b", 2_010)];
    let finding = judge(rule, history, vec![first.clone(), repeat.clone()]);
    assert_eq!(finding.verdict, Violated, "{finding:?}");
    assert_eq!(finding.evidence[0].call.as_deref(), Some("b"));
    let finding = judge(rule, vec![poll("a", 1_010)], vec![first, repeat]);
    assert_eq!(finding.verdict, Ok, "{finding:?}");
}

#[test]
fn tolerated() {
    let rule = "unknown-tolerated";
    let right = webhook("right", 1, "probe:1:right", Some(200));
    let unknown = |status| webhook("unknown", 2, "probe:1:unknown", Some(status));
    webhooks(rule, vec![right.clone(), unknown(200)], Ok, &["unknown"]);
    webhooks(
        rule,
        vec![right.clone(), unknown(400)],
        Violated,
        &["unknown"],
    );
    webhooks(rule, vec![right], NotShown, &[]);
    // An endpoint that accepts nothing.
    webhooks(rule, vec![unknown(404)], NotShown, &[]);
}

#[test]
fn unknown_headers_and_fields_are_listed() {
    let history = vec![Call {
        path: "/v1/open-banking/refresh/task-1?verbose=1".to_owned(),
        request_headers: vec![
            ("X-Client-Id".to_owned(), "c".to_owned()),
            ("X-Shop-Trace".to_owned(), "1".to_owned()),
        ],
        ..poll("a", 1)
    }];
    assert_eq!(
        super::super::unknown::list(&history),
        [
            "header `x-shop-trace`",
            "query parameter `verbose` of `getOpenBankingRefreshStatus`"
        ]
    );
}
