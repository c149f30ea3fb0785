//! Connections of HTTP/2, whose clients write frames by hand.

use super::*;

/// A frame (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, stream];
    frame.extend(payload);
    frame
}

/// The preface, with the window of each stream.
fn preface(window: u32) -> Vec<u8> {
    let mut setting = vec![0, 4];
    setting.extend(window.to_be_bytes());
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    [&preface[..], &frame(4, 0, 0, &setting)].concat()
}

/// `GET` of a path, as a whole request.
fn get(path: &str, stream: u8) -> Vec<u8> {
    let mut fields = vec![0x82, 0x86, 0x41, 4];
    fields.extend(b"peer");
    fields.extend([0x44, u8::try_from(path.len()).unwrap()]);
    fields.extend(path.as_bytes());
    frame(1, 5, stream, &fields)
}

/// Sends PINGs until the connection is closed; returns the received bytes, and the seconds.
async fn ping_until_closed(pipe: DuplexStream, every: u64) -> (Vec<u8>, u64) {
    let begun = Instant::now();
    let (mut reader, mut writer) = tokio::io::split(pipe);
    let pinging = tokio::spawn(async move {
        while writer.write_all(&frame(6, 0, 0, &[1; 8])).await.is_ok() {
            sleep(Duration::from_secs(every)).await;
        }
    });
    let mut bytes = Vec::new();
    let _ = reader.read_to_end(&mut bytes).await;
    pinging.abort();
    (bytes, begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn pings_keep_neither_an_idle_connection_nor_a_stalled_response() {
    // The client does not acknowledge the PING of the shutdown, and has 5 s after GOAWAY.
    for (path, window, every, seconds) in [
        ("/", 65535, 50, 65),
        ("/", 0, 25, 30),
        ("/many", 20_000, 25, 30),
    ] {
        let (connector, pipes) = pipes();
        start(serve(pipes, Paths::default()));
        let mut pipe = connector.connect();
        pipe.write_all(&preface(window)).await.unwrap();
        pipe.write_all(&get(path, 1)).await.unwrap();
        let (_, took) = ping_until_closed(pipe, every).await;
        assert_eq!(took, seconds, "{path} {window}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_large_response_has_all_the_time_that_the_peer_takes_pieces_in() {
    let (connector, pipes) = pipes();
    let large = axum::routing::get(async || "a".repeat(256 << 10));
    start(serve(pipes, axum::Router::new().route("/", large)));
    let mut pipe = connector.connect();
    pipe.write_all(&preface(16 << 10)).await.unwrap();
    pipe.write_all(&get("/", 1)).await.unwrap();
    let (mut reader, mut writer) = tokio::io::split(pipe);
    tokio::spawn(async move {
        loop {
            sleep(Duration::from_secs(20)).await;
            for stream in [0, 1] {
                let more = (16_u32 << 10).to_be_bytes();
                if writer.write_all(&frame(8, 0, stream, &more)).await.is_err() {
                    return;
                }
            }
        }
    });
    let mut bytes = Vec::new();
    let _ = reader.read_to_end(&mut bytes).await;
    let received = bytes.iter().filter(|byte| **byte == b'a').count();
    assert!(received >= 256 << 10, "{received}");
}

#[tokio::test(start_paused = true)]
async fn a_response_to_a_request_that_crosses_goaway_is_sent_as_a_whole() {
    let (connector, pipes) = pipes();
    let paths = Paths::default();
    start(serve(pipes, paths.clone()));
    let mut pipe = connector.connect();
    pipe.write_all(&preface(65535)).await.unwrap();
    pipe.write_all(&get("/", 1)).await.unwrap();
    sleep(61 * Duration::from_secs(1)).await;
    pipe.write_all(&get("/wait", 3)).await.unwrap();
    paths.entered.notified().await;
    sleep(6 * Duration::from_secs(1)).await;
    paths.left.notify_one();
    let (bytes, seconds) = ping_until_closed(pipe, 50).await;
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("waited"), "{text:?}");
    assert_eq!(seconds, 5);
}
