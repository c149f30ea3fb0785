//! Documented retries against a server that is not ours: `tests/python/retries.py`, and the faults that it injects.

use bothends_runtime::client::{Backoff, CallOptions};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::operations::*;
use generated::types::{Handled, Order};
use std::time::Duration;

pub(crate) mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/retries.rs"));
}

/// Returns the server and a client of it; `None` without Python.
fn client(test: &str) -> Option<(Running, Client)> {
    has_python(test).then(|| {
        let mut server = Running::start("retries.py", &[]).expect("python3 runs");
        let port = server.line().expect("a line");
        let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
        (server, client)
    })
}

fn order(script: &str) -> PlaceOrderRequest {
    PlaceOrderRequest::new(script.to_owned(), Order::new("pencil".to_owned()))
}

/// Returns the number of received requests, and of handled ones.
fn counts(handled: &Handled) -> (i64, i64) {
    (handled.received, handled.handled)
}

#[test]
fn documented_failures_are_retried() {
    let Some((_server, client)) = client("documented_failures_are_retried") else {
        return;
    };
    block_on(async {
        let retried = client.clone().with_documented_retries();
        // More than the three attempts of the default policy: the document limits the time only.
        for script in ["limited", "503-503", "cut", "cut-503-limited-500-502"] {
            let items = retried.list_items(script).await.expect(script);
            let faults = i64::try_from(script.split('-').count()).expect("a few");
            assert_eq!(counts(&items), (faults + 1, 1), "{script}");
        }
        // The document lists no 408, and its longest delay is less than six seconds.
        for script in ["408", "patience"] {
            retried.list_items(script).await.expect_err(script);
            let once = retried.list_items(script).await.expect("the second call");
            assert_eq!(counts(&once), (2, 1), "{script}");
        }
        // The document disables retries, excludes other statuses, and connections that are cut.
        retried.get_quote("503").await.expect_err("not retried");
        retried.put_note("500").await.expect_err("not retried");
        retried.put_note("cut").await.expect_err("not retried");
        let note = retried.put_note("503").await.expect("it is retried");
        assert_eq!(counts(&note), (2, 1));
        // Without the setting, there is one attempt.
        client.list_items("503-500").await.expect_err("not retried");
    });
}

#[test]
fn a_call_has_one_key_however_often_it_is_sent() {
    let Some((_server, client)) = client("a_call_has_one_key_however_often_it_is_sent") else {
        return;
    };
    block_on(async {
        let retried = client.clone().with_documented_retries();
        // The server handles the first request, and cuts the connection before it responds.
        for script in ["handled-503", "limited", "cut-cut"] {
            let placed = retried.place_order(order(script)).await.expect(script);
            assert_eq!(placed.handled, 1, "{script}");
            let [first, rest @ ..] = placed.keys.as_slice() else {
                panic!("no key arrived");
            };
            assert!(
                first.len() == 36 && rest.iter().all(|key| key == first),
                "{:?}",
                placed.keys
            );
        }
        // Another call has another key.
        let again = retried
            .place_order(order("limited"))
            .await
            .expect("it is placed");
        assert_eq!(counts(&again), (3, 2));
        assert_ne!(again.keys[0], again.keys[2]);
        // The header of the document, and without any key.
        let paid = retried.pay("handled-503").await.expect("it is paid");
        assert_eq!((counts(&paid), paid.keys[0].len()), ((3, 1), 36));
        retried
            .send_message("503")
            .await
            .expect_err("a POST without a key");
        let sent = retried.send_message("503").await.expect("the second call");
        assert_eq!((counts(&sent), sent.keys[0].as_str()), ((2, 1), "none"));
    });
}

#[test]
fn the_caller_may_set_the_key() {
    let Some((_server, client)) = client("the_caller_may_set_the_key") else {
        return;
    };
    block_on(async {
        // The key is sent without the setting too, and another policy repeats the call.
        let keyed = client.with(CallOptions::new().idempotency_key("order-1"));
        let placed = keyed
            .place_order(order("fine"))
            .await
            .expect("it is placed");
        assert_eq!(placed.keys, ["other order-1"]);
        let mut backoff = Backoff::default();
        backoff.initial_delay = Duration::from_millis(1);
        let retried = client.with(CallOptions::new().retry(backoff));
        let request = order("503-handled").idempotency_key("order-2".to_owned());
        let placed = retried.place_order(request).await.expect("it is placed");
        assert_eq!(
            (placed.handled, placed.into_inner().keys),
            (1, vec!["other order-2".to_owned(); 3])
        );
    });
}
