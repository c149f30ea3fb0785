//! Events whose data depends on their names, and envelopes of events.

use api::client::Client;
use api::operations::{WatchRunOkBody, WatchRunRequest};
use api::types::{Done, Pet, Step};
use bothends_runtime::{Event, StreamError};
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;
use twin::operations::WatchRunsOkBody;
use twin::types::{Chunk, Run};

bothends_case_tests::document!(api, "41-typed-events");
bothends_case_tests::document!(twin, "41-typed-events-twin");

fn events(body: &str) -> String {
    response("200 OK", "Content-Type: text/event-stream\r\n", body)
}

fn data<T: Clone>(events: &[Event<T>]) -> Vec<T> {
    events.iter().map(|event| event.data.clone()).collect()
}

#[test]
fn the_name_of_an_event_selects_the_type_of_its_data() {
    let sent = "id: 1\nevent: step\ndata: {\"name\":\"a\",\"ms\":3}\n\n\
                event: delta\ndata: 5\n\n\
                event: delta\ndata: \"x\"\n\n\
                event: later\ndata: {\"n\":1}\n\n\
                event: done\ndata: {\"ok\":true}\n\n";
    let (url, peer) = answering(&events(sent));
    let client = Client::new(&url).expect("a client");
    let request = WatchRunRequest::new("7".to_owned()).last_event_id("0".to_owned());
    let received = block_on(async {
        let mut stream = client
            .watch_run(request)
            .await
            .expect("a stream")
            .into_inner();
        let mut all = Vec::new();
        while let Some(event) = stream.next().await {
            all.push(event.expect("an event"));
        }
        all
    });
    let request = peer.join().expect("a request");
    assert!(request.contains("last-event-id: 0\r\n"), "{request}");
    assert_eq!(received[0].id.as_deref(), Some("1"));
    let mut step = Step::new("a".to_owned());
    step.ms = Some(3);
    let [one, two, three, four, five] = &data(&received)[..] else {
        panic!("{received:?}");
    };
    assert_eq!(one, &WatchRunOkBody::Step(step));
    assert_eq!(two, &WatchRunOkBody::Delta("5".to_owned()));
    assert_eq!(three, &WatchRunOkBody::Delta("\"x\"".to_owned()));
    let WatchRunOkBody::Unrecognized(other) = four else {
        panic!("{four:?}");
    };
    assert_eq!(other.as_json()["n"], 1);
    assert_eq!(received[3].event.as_deref(), Some("later"));
    assert_eq!(five, &WatchRunOkBody::Done(Done::new(true)));
}

#[test]
fn data_without_a_choice_by_name_is_told_apart_by_its_content() {
    let (url, _peer) = answering(&events(
        "event: Cat\ndata: {\"lives\":9}\n\nevent: Dog\ndata: {\"bark\":\"w\"}\n\n",
    ));
    let client = Client::new(&url).expect("a client");
    let pets = block_on(async {
        client
            .watch_pets()
            .await
            .expect("pets")
            .into_inner()
            .try_collect()
            .await
    });
    let pets = data(&pets.expect("pets"));
    assert!(
        matches!(&pets[..], [Pet { cat: Some(cat), .. }, Pet { dog: Some(_), .. }] if cat.lives == 9),
        "{pets:?}"
    );
}

/// A handler's events, as the bytes that a server sends.
mod served {
    use super::api::operations::{
        WatchPetsError, WatchPetsRequest, WatchPetsResponse, WatchRunError, WatchRunOkBody,
        WatchRunRequest, WatchRunResponse,
    };
    use super::api::server::{DefaultApi, router};
    use super::api::types::Step;
    use bothends_runtime::server::{Context, Error};
    use bothends_runtime::{Event, Streamed};
    use bothends_test_peers::{get, serve};

    struct Runs;

    impl DefaultApi for Runs {
        async fn watch_run(
            &self,
            _: Context,
            request: WatchRunRequest,
        ) -> Result<WatchRunResponse, Error<WatchRunError>> {
            let wrong = Event {
                event: Some("done".to_owned()),
                ..Event::new(WatchRunOkBody::Delta("x".to_owned()))
            };
            let mut events = vec![
                Event::new(WatchRunOkBody::Step(Step::new("a".to_owned()))),
                Event::new(WatchRunOkBody::Delta("5".to_owned())),
            ];
            events.extend((request.id == "wrong").then_some(wrong));
            Ok(Streamed::from_items(events).into())
        }

        async fn watch_pets(
            &self,
            _: Context,
            _: WatchPetsRequest,
        ) -> Result<WatchPetsResponse, Error<WatchPetsError>> {
            Ok(Streamed::from_items([]).into())
        }
    }

    #[test]
    fn an_event_is_sent_with_the_name_of_its_variant() {
        let to = serve(router(Runs).allow_unauthenticated());
        let answer = get(to, "/runs/7/events", "");
        assert!(
            answer.contains("event: step\ndata: {\"name\":\"a\"}\n\n"),
            "{answer}"
        );
        assert!(answer.contains("event: delta\ndata: 5\n\n"), "{answer}");
        let answer = get(to, "/runs/wrong/events", "");
        assert!(!answer.contains("event: done"), "{answer}");
    }
}

fn collect<T: Clone>(
    body: &str,
    call: impl AsyncFnOnce(twin::client::Client) -> bothends_runtime::Streamed<Event<T>>,
) -> Result<Vec<T>, StreamError> {
    let (url, _peer) = answering(&events(body));
    let client = twin::client::Client::new(&url).expect("a client");
    let all = block_on(async { call(client).await.try_collect().await })?;
    Ok(data(&all))
}

#[test]
fn an_object_of_the_fields_of_an_event_is_an_envelope_under_schema() {
    let chunk = |text: &str| Chunk::new(text.to_owned());
    let sent = "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n\ndata: [DONE]\n\n";
    let chat = collect(sent, async |client| {
        client.chat().await.expect("a stream").into_inner()
    });
    assert_eq!(chat.expect("chunks"), [chunk("a"), chunk("b")]);
    let named = collect(sent, async |client| {
        client.watch_named().await.expect("a stream").into_inner()
    });
    assert_eq!(named.expect("chunks"), [chunk("a"), chunk("b")]);
}

#[test]
fn text_data_stays_text() {
    let sent = "data: 5\n\ndata: true\n\ndata: null\n\ndata: \"q\"\n\n";
    let numbers = collect(sent, async |client| {
        client.watch_numbers().await.expect("a stream").into_inner()
    });
    assert_eq!(numbers.expect("texts"), ["5", "true", "null", "\"q\""]);
}

#[test]
fn an_event_of_no_listed_name_has_the_data_of_the_kind_without_names() {
    let sent = "event: run.created\ndata: {\"id\":1}\n\nevent: run.paused\ndata: {\"id\":2}\n\n\
                data: 7\n\nevent: note\ndata: n\n\n";
    let runs = collect(sent, async |client| {
        client.watch_runs().await.expect("a stream").into_inner()
    });
    let runs = runs.expect("events");
    assert_eq!(
        runs,
        [
            WatchRunsOkBody::RunCreated(Run::new(1)),
            WatchRunsOkBody::RunQueued(Run::new(2)),
            WatchRunsOkBody::Message("7".to_owned()),
            WatchRunsOkBody::Message("n".to_owned()),
        ]
    );
}

#[test]
fn an_object_with_more_than_the_fields_of_an_event_is_the_data() {
    let sent = "data: {\"data\":\"d\",\"size\":2}\n\n";
    let items = collect(sent, async |client| {
        client.watch_data().await.expect("a stream").into_inner()
    });
    let items = items.expect("items");
    assert_eq!((items[0].data.as_str(), items[0].size), ("d", Some(2)));
}
