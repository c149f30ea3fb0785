//! Lists in pages of a server that is not ours: `tests/python/pages.py`, and the faults that it injects.

use std::time::Duration;

use bothends_runtime::client::{Backoff, CallOptions, Error, PageError};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use futures_util::{Stream, StreamExt as _, TryStreamExt as _};
use generated::client::Client;
use generated::operations::*;
use generated::types::Item;

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/pages.rs"));
}

/// Returns the server and a client of it; `None` without Python.
fn client(test: &str) -> Option<(Running, Client)> {
    has_python(test).then(|| {
        let mut server = Running::start("pages.py", &[]).expect("python3 runs");
        let port = server.line().expect("a line");
        let client = Client::new(&format!("http://127.0.0.1:{port}/v1")).expect("a client");
        (server, client)
    })
}

/// Returns the ids of all items.
async fn ids<E: std::error::Error>(
    items: impl Stream<Item = Result<Item, PageError<E>>>,
) -> Result<String, PageError<E>> {
    let ids = items.map_ok(|item| item.id).try_collect::<Vec<_>>().await?;
    Ok(ids.join(" "))
}

fn pets() -> ListPetsRequest {
    ListPetsRequest::new().kind("cat & dog".to_owned())
}

#[test]
fn a_link_of_the_response_leads_to_the_next_page() {
    let Some((mut server, client)) = client("a_link_of_the_response_leads_to_the_next_page") else {
        return;
    };
    block_on(async {
        // The first page, as before, and no other.
        let page = client.list_pets_with(pets()).await.expect("a page");
        assert_eq!(
            (page.data.len(), page.next.value().map(String::as_str)),
            (2, Some("c1"))
        );
        let request = |line: &str| assert_eq!(server.line().expect("a line"), line);
        let mut expect = request;
        expect("/v1/pets?kind=cat%20%26%20dog");

        let mut items = client.list_pets_with(pets()).items();
        for id in ["a", "b"] {
            let item = items.try_next().await.expect("an item").expect("an item");
            assert_eq!(item.id, id);
        }
        // No page is requested ahead: the first request of this list is followed by that of another.
        drop(items);
        expect("/v1/pets?kind=cat%20%26%20dog");

        // The filter is repeated, and an empty page does not end the list.
        let items = client.list_pets_with(pets()).items();
        assert_eq!(ids(items).await.expect("all pages"), "a b c");
        expect("/v1/pets?kind=cat%20%26%20dog");
        expect("/v1/pets?kind=cat%20%26%20dog&cursor=c1");
        expect("/v1/pets?kind=cat%20%26%20dog&cursor=c2");
    });
}

#[test]
fn a_page_is_requested_ahead_on_request() {
    let Some((mut server, client)) = client("a_page_is_requested_ahead_on_request") else {
        return;
    };
    block_on(async {
        let mut items = client.list_pets_with(pets()).items().ahead();
        let first = items.try_next().await.expect("an item").expect("an item");
        // The second page is requested, and the second item of the first is not read.
        let lines = tokio::task::spawn_blocking(move || {
            let lines = [server.line(), server.line()];
            (server, lines.map(|line| line.expect("a line")))
        });
        let (_server, lines) = lines.await.expect("two lines");
        let path = "/v1/pets?kind=cat%20%26%20dog";
        assert_eq!(lines, [path.to_owned(), format!("{path}&cursor=c1")]);
        assert_eq!(first.id, "a");
        assert_eq!(ids(items).await.expect("all pages"), "b c");

        let repeated = client.list_pets_with(pets()).after("loop1").items().ahead();
        let ids: Vec<_> = repeated.collect().await;
        let [.., Err(PageError::Repeated { cursor })] = &ids[..] else {
            panic!("{ids:?}");
        };
        assert!(cursor.starts_with("loop"), "{cursor}");
    });
}

#[test]
fn a_list_continues_after_a_cursor() {
    let Some((_server, client)) = client("a_list_continues_after_a_cursor") else {
        return;
    };
    block_on(async {
        let mut pages = client.list_pets_with(pets()).pages();
        assert_eq!(pages.cursor(), None);
        pages.try_next().await.expect("a page").expect("a page");
        let cursor = pages.cursor().expect("there are more").to_owned();
        assert_eq!(cursor, "c1");
        let rest = client.list_pets_with(pets()).after(cursor).items();
        assert_eq!(ids(rest).await.expect("the rest"), "c");

        // An empty text is no cursor.
        let last = client.list_pets_with(pets()).after("empty").items();
        assert_eq!(ids(last).await.expect("the last page"), "z");

        // The error of a page ends the list; its cursor is that of the missing page.
        let mut pages = client.list_pets().after("c1");
        let error = pages.try_next().await.expect_err("the filter is missing");
        assert!(
            matches!(error.as_call(), Some(Error::Api { .. })),
            "{error:?}"
        );
        assert_eq!(pages.cursor(), Some("c1"));
        assert!(pages.try_next().await.expect("the end").is_none());
    });
}

#[test]
fn a_repeated_cursor_ends_with_an_error() {
    let Some((_server, client)) = client("a_repeated_cursor_ends_with_an_error") else {
        return;
    };
    block_on(async {
        for cursor in ["same", "loop1"] {
            let mut pages = client.list_pets_with(pets()).after(cursor);
            let mut read = 0;
            let error = loop {
                match pages.try_next().await {
                    Ok(Some(_)) => read += 1,
                    Ok(None) => panic!("{cursor} has no end"),
                    Err(error) => break error,
                }
            };
            assert!(matches!(error, PageError::Repeated { .. }), "{error:?}");
            assert!(read <= 4, "{read} pages of {cursor}");
        }
    });
}

#[test]
fn the_header_link_leads_to_the_next_page() {
    let Some((_server, client)) = client("the_header_link_leads_to_the_next_page") else {
        return;
    };
    block_on(async {
        for owner in ["absolute", "relative", "path"] {
            let items = client.list_repos(owner).items();
            assert_eq!(
                ids(items).await.expect(owner),
                "1a 1b 2a 2b 3a 3b",
                "{owner}"
            );
        }
        // Each page is retried for itself.
        let mut retry = Backoff::default().attempts(4);
        retry.initial_delay = Duration::ZERO;
        let patient = client.with(CallOptions::new().retry(retry));
        let items = patient.list_repos("busy").items();
        assert_eq!(ids(items).await.expect("busy"), "1a 1b 2a 2b 3a 3b");

        for (owner, shown) in [
            ("foreign", "http://127.0.0.2:1/v1/repos/7?…"),
            ("other-scheme", "https://"),
            ("dots", "/v1/../admin"),
        ] {
            let mut pages = client.list_repos(owner).pages();
            let page = pages.try_next().await.expect("the first page");
            assert!(page.is_some(), "{owner}");
            let error = pages.try_next().await.expect_err(owner);
            let PageError::Url { url } = &error else {
                panic!("{error:?}");
            };
            assert!(url.starts_with(shown), "{url}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let after = client.list_repos("absolute").after("?page=3").items();
        assert_eq!(ids(after).await.expect("the last page"), "3a 3b");
    });
}

#[test]
fn the_forms_of_other_generators_are_read() {
    let Some((mut server, client)) = client("the_forms_of_other_generators_are_read") else {
        return;
    };
    block_on(async {
        let mut expect = |lines: &[&str]| {
            for line in lines {
                assert_eq!(server.line().expect("a line"), *line);
            }
        };
        let charges = ids(client.list_charges().items()).await;
        assert_eq!(charges.expect("charges"), "a b c d");
        expect(&[
            "/v1/charges",
            "/v1/charges?starting_after=b",
            "/v1/charges?starting_after=c",
        ]);

        let orders = ids(client.list_orders().items()).await;
        assert_eq!(orders.expect("orders"), "0 1 2");
        expect(&["/v1/orders", "/v1/orders?page=1", "/v1/orders?page=2"]);

        let lines = ids(client.list_lines().items()).await;
        assert_eq!(lines.expect("lines"), "a b c d e");
        expect(&[
            "/v1/lines",
            "/v1/lines?offset=2",
            "/v1/lines?offset=4",
            "/v1/lines?offset=5",
        ]);
        // A page that is smaller than the limit is the last one.
        let lines = client.list_lines_with(ListLinesRequest::new().limit(3).offset(1));
        assert_eq!(ids(lines.items()).await.expect("lines"), "b c d e");
        expect(&["/v1/lines?offset=1&limit=3", "/v1/lines?limit=3&offset=4"]);

        let found = client.search(SearchBody::new("cat".to_owned())).items();
        assert_eq!(ids(found).await.expect("found"), "a b c");
        expect(&["/v1/search"; 3]);

        let mut pages = client.list_messages().pages();
        let mut texts = Vec::new();
        while let Some(page) = pages.try_next().await.expect("messages") {
            texts.extend(page.into_inner().text);
        }
        assert_eq!(texts, ["1", "2", "3"]);
        expect(&["/v1/messages", "/v1/messages?from=2", "/v1/messages?from=3"]);

        let users = ids(client.list_users().items()).await;
        assert_eq!(users.expect("users"), "0 10 20");
        expect(&["/v1/users", "/v1/users?cursor=10", "/v1/users?cursor=20"]);

        let events = ids(client.list_events().items()).await;
        assert_eq!(events.expect("events"), "1 2 3");
        expect(&["/v1/events", "/v1/events?page=2", "/v1/events?page=3"]);

        // A token of dropshot has the values of the first request.
        let sagas = ListSagasRequest::new().limit(1).sort_by("id".to_owned());
        let sagas = ids(client.list_sagas_with(sagas).items()).await;
        assert_eq!(sagas.expect("sagas"), "first t/1");
        expect(&[
            "/v1/sagas?limit=1&sort_by=id",
            "/v1/sagas?limit=1&page_token=t%2F1",
        ]);
    });
}
