//! Streams of Mistral's and Cohere's official SDKs for Python: the requests that mistralai 3.7.0 and cohere 7.3.1 sent,
//! and the streams that they read, recorded at a socket.

use api::client::{Client, Credentials};
use api::operations::{
    ChatCompletionError, ChatCompletionOkContent, ChatCompletionRequest, ChatCompletionResponse,
    ChatV2Error, ChatV2OkContent, ChatV2Request, ChatV2Response,
};
use api::server::{DefaultApi, router};
use api::types::{ChatRequest, CompletionChunk, StreamedChatResponse};
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Event, Streamed};
use bothends_test_peers::{answering, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "sdk-streams");

const MISTRAL: &str = "POST /v1/chat/completions HTTP/1.1\r\n\
    Accept-Encoding: identity\r\nAccept: text/event-stream\r\nuser-agent: mistral-client-python/3.7.0\r\n\
    Authorization: Bearer k\r\ncontent-type: application/json\r\nContent-Length: 94\r\n\r\n\
    {\"model\":\"mistral-small-latest\",\"messages\":[{\"content\":\"Say hi\",\"role\":\"user\"}],\"stream\":true}";

const COHERE: &str = "POST /v2/chat HTTP/1.1\r\n\
    Accept: */*\r\nAccept-Encoding: identity\r\nUser-Agent: cohere/7.3.1\r\nX-Fern-Language: Python\r\n\
    X-Fern-Runtime: python/3.11.7\r\nX-Fern-SDK-Name: cohere\r\nX-Fern-SDK-Version: 7.3.1\r\n\
    Authorization: Bearer k\r\ncontent-type: application/json\r\nContent-Length: 91\r\n\r\n\
    {\"model\":\"command-a-03-2025\",\"messages\":[{\"role\":\"user\",\"content\":\"Say hi\"}],\"stream\":true}";

/// `CompletionEvent(data=CompletionChunk(id='cmpl-e5cc', … content='Hi' …))`
const CHUNKS: &str = "data: {\"id\":\"cmpl-e5cc\",\"object\":\"chat.completion.chunk\",\"created\":1702256327,\
    \"model\":\"mistral-small-latest\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"Hi\"},\
    \"finish_reason\":null}]}\n\n\
    data: {\"id\":\"cmpl-e5cc\",\"object\":\"chat.completion.chunk\",\"created\":1702256327,\
    \"model\":\"mistral-small-latest\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}],\
    \"usage\":{\"completion_tokens\":1,\"prompt_tokens\":8,\"total_tokens\":9}}\n\n\
    data: [DONE]\n\n";

const EVENTS: &str = "event: message-start\ndata: {\"type\":\"message-start\",\"id\":\"29f14a5a\"}\n\n\
    event: content-delta\ndata: {\"type\":\"content-delta\",\"index\":0,\
    \"delta\":{\"message\":{\"content\":{\"text\":\"Hi\"}}}}\n\n\
    event: message-end\ndata: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"COMPLETE\"}}\n\n\
    data: [DONE]\n\n";

/// The events of a recorded stream without its end.
fn items<T: serde::de::DeserializeOwned>(stream: &str) -> Vec<Event<T>> {
    let events = stream
        .split("\n\n")
        .filter(|event| event.contains("data: {"));
    let event = |text: &str| {
        let (head, data) = text.split_once("data: ").expect("data");
        let name = head
            .strip_prefix("event: ")
            .map(|name| name.trim().to_owned());
        let data = serde_json::from_str(data).expect("JSON");
        Event {
            event: name,
            ..Event::new(data)
        }
    };
    events.map(event).collect()
}

struct Chats;

impl DefaultApi for Chats {
    async fn chat_completion(
        &self,
        _: Context,
        request: ChatCompletionRequest,
    ) -> Result<ChatCompletionResponse, Error<ChatCompletionError>> {
        assert_eq!(request.body.stream, Some(true));
        let chunks = items::<CompletionChunk>(CHUNKS);
        Ok(ChatCompletionOkContent::Events(Streamed::from_items(chunks)).into())
    }

    async fn chat_v2(
        &self,
        _: Context,
        request: ChatV2Request,
    ) -> Result<ChatV2Response, Error<ChatV2Error>> {
        assert_eq!(request.body.messages[0].content, "Say hi");
        let events = items::<StreamedChatResponse>(EVENTS);
        Ok(ChatV2OkContent::Events(Streamed::from_items(events)).into())
    }
}

/// The body of a chunked response.
fn unchunked(answer: &str) -> String {
    let (_, mut rest) = answer.split_once("\r\n\r\n").expect("a head");
    let mut body = String::new();
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        body.push_str(&after[..length]);
        rest = after[length..].trim_start_matches("\r\n");
        if length == 0 {
            break;
        }
    }
    body
}

#[test]
fn a_server_answers_the_sdks_with_the_streams_that_they_read() {
    let to = serve(router(Chats).allow_unauthenticated());
    for (request, stream) in [(MISTRAL, CHUNKS), (COHERE, EVENTS)] {
        let answer = send(to, request);
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        assert!(
            answer.contains("content-type: text/event-stream\r\n"),
            "{answer}"
        );
        assert_eq!(unchunked(&answer), stream);
    }
}

fn client(stream: &str) -> Client {
    let media = "Content-Type: text/event-stream; charset=utf-8\r\n";
    let (url, _peer) = answering(&response("200 OK", media, stream));
    let credentials = Credentials {
        key: Some("k".into()),
    };
    Client::new(&url)
        .expect("a client")
        .with_credentials(credentials)
}

#[test]
fn a_client_reads_the_streams_that_the_sdks_read() {
    let body = || ChatRequest::new(Vec::new(), "m".to_owned()).stream(true);
    let chunks = block_on(async {
        let content = client(CHUNKS)
            .chat_completion(body())
            .await
            .expect("a stream");
        match content.into_inner() {
            ChatCompletionOkContent::Events(stream) => stream.try_collect().await,
            other => panic!("{other:?}"),
        }
    });
    assert_eq!(chunks.expect("chunks"), items(CHUNKS));
    let events = block_on(async {
        let content = client(EVENTS).chat_v2(body()).await.expect("a stream");
        match content.into_inner() {
            ChatV2OkContent::Events(stream) => stream.try_collect().await,
            other => panic!("{other:?}"),
        }
    });
    let events = events.expect("events");
    assert_eq!(events, items(EVENTS));
    assert!(matches!(
        events[1].data,
        StreamedChatResponse::ContentDelta(_)
    ));
}
