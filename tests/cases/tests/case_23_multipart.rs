//! Multipart forms: lists as one part of JSON, a part for each item, and files.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{UploadBody, UploadBodyMode, UploadError, UploadRequest, UploadResponse};
use api::server::{DefaultApi, router};
use api::types::Product;
use bothends_runtime::Binary;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, post, response, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "23-multipart");
bothends_case_tests::document!(twin, "23-multipart-twin");

#[derive(Clone, Default)]
struct Documents(Arc<Mutex<Option<UploadBody>>>);

impl DefaultApi for Documents {
    async fn upload(
        &self,
        _: Context,
        request: UploadRequest,
    ) -> Result<UploadResponse, Error<UploadError>> {
        *self.0.lock().expect("no panic") = Some(request.body);
        Ok(().into())
    }
}

/// A part as an HTTP library writes it: its name, and a file name with a media type, or neither.
fn part(name: &str, file: Option<(&str, &str)>, content: &str) -> String {
    let (file, media) = match file {
        Some(("", media)) => (String::new(), format!("Content-Type: {media}\r\n")),
        Some((file, media)) => (
            format!("; filename=\"{file}\""),
            format!("Content-Type: {media}\r\n"),
        ),
        None => Default::default(),
    };
    format!(
        "--b\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n{media}\r\n{content}\r\n"
    )
}

#[test]
fn a_server_reads_lists_as_json_and_as_parts() {
    let json = Some(("", "application/json"));
    let body = [
        part(
            "file",
            Some(("a.bin", "application/octet-stream")),
            "\u{0}x",
        ),
        part("overwrite", None, "true"),
        part("products", json, r#"[{"sku":"a"},{"sku":"b","qty":2}]"#),
        part("plain", json, r#"{"sku":"c"}"#),
        part("plain", json, r#"{"sku":"d"}"#),
        part("pages", Some(("1.png", "image/png")), "one"),
        part("pages", Some(("2.jpg", "image/jpeg")), "two"),
        part("shop[files][]", Some(("s.txt", "text/plain")), "s"),
        part("tags", None, "x, y"),
        part("tags", None, "z"),
        part("ids", json, "[1,2]"),
        part("mode", None, "safe"),
        "--b--\r\n".to_owned(),
    ]
    .concat();
    let documents = Documents::default();
    let to = serve(router(documents.clone()).allow_unauthenticated());
    let head = format!(
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/documents", &head, &body);
    assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
    let seen = documents
        .0
        .lock()
        .expect("no panic")
        .take()
        .expect("a form");
    let skus = |products: &[Product]| -> Vec<String> {
        products.iter().map(|product| product.sku.clone()).collect()
    };
    assert_eq!(seen.file.data, "\u{0}x");
    assert_eq!(seen.file.name.as_deref(), Some("a.bin"));
    assert_eq!(seen.overwrite, Some(true));
    assert_eq!(skus(&seen.products), ["a", "b"]);
    assert_eq!(skus(&seen.plain.expect("products")), ["c", "d"]);
    let pages = seen.pages.expect("pages");
    // The first documented type is that of a file without one.
    let media = pages.iter().map(|page| page.content_type.as_deref());
    assert_eq!(media.collect::<Vec<_>>(), [None, Some("image/jpeg")]);
    assert_eq!(seen.shop_files.map(|files| files.len()), Some(1));
    assert_eq!(seen.tags, Some(vec!["x, y".to_owned(), "z".to_owned()]));
    assert_eq!(seen.ids, Some(vec![1, 2]));
    assert_eq!(seen.mode, Some(UploadBodyMode::Safe));
}

#[test]
fn a_client_writes_lists_as_json_and_as_parts() {
    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    let page = |name: &str, media: &str| {
        Binary::new(name.to_owned())
            .with_name(name)
            .with_content_type(media)
    };
    let products = vec![Product::new("a".into()), Product::new("b".into()).qty(2)];
    let body = UploadBody::new(Binary::new("x").with_name("a.bin"), products)
        .overwrite(true)
        .plain(vec![Product::new("c".into()), Product::new("d".into())])
        .pages(vec![
            page("1.png", "image/png"),
            page("2.jpg", "image/jpeg"),
        ])
        .shop_files(vec![page("s.txt", "text/plain")])
        .tags(vec!["x, y".to_owned(), "z".to_owned()])
        .ids(vec![1, 2]);
    block_on(client.upload(body)).expect("a response");
    let request = peer.join().expect("a request");
    let (head, body) = request.split_once("\r\n\r\n").expect("a body");
    let (_, boundary) = head.split_once("boundary=").expect("a boundary");
    let boundary = boundary
        .lines()
        .next()
        .unwrap_or_default()
        .trim_matches('"');
    let mut parts: Vec<(String, String, String)> = Vec::new();
    for part in body.split(&format!("--{boundary}")) {
        let Some((head, content)) = part.trim_start_matches("\r\n").split_once("\r\n\r\n") else {
            continue;
        };
        let name = head
            .split("name=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        let media = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-type")
                .then(|| value.to_owned())
        });
        parts.push((
            name.unwrap_or_default().to_owned(),
            media.unwrap_or_default(),
            content.trim_end_matches("\r\n").to_owned(),
        ));
    }
    let json = "application/json";
    let expected = [
        ("file", "application/octet-stream", "x"),
        ("overwrite", "", "true"),
        ("products", json, r#"[{"sku":"a"},{"sku":"b","qty":2}]"#),
        ("plain", json, r#"{"sku":"c"}"#),
        ("plain", json, r#"{"sku":"d"}"#),
        ("pages", "image/png", "1.png"),
        ("pages", "image/jpeg", "2.jpg"),
        ("shop[files][]", "text/plain", "s.txt"),
        ("tags", "", "x, y"),
        ("tags", "", "z"),
        ("ids", json, "[1,2]"),
    ];
    for ((name, media, content), (wanted, wanted_media, value)) in parts.iter().zip(expected) {
        assert_eq!((name.as_str(), content.as_str()), (wanted, value));
        // Text may be left to the default of RFC 7578, section 4.4.
        let text = wanted_media.is_empty() && media.starts_with("text/plain");
        assert!(media == wanted_media || text, "{name}: {media}");
    }
    assert_eq!(parts.len(), expected.len(), "{parts:?}");
}

#[test]
fn a_list_has_a_part_for_each_item_in_later_versions() {
    use twin::client::Client;
    use twin::operations::UploadBody;

    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    block_on(client.upload(UploadBody::new(vec![1, 2]))).expect("a response");
    let request = peer.join().expect("a request");
    assert_eq!(request.matches("name=\"ids\"").count(), 2, "{request}");
    assert_eq!(
        request
            .to_lowercase()
            .matches("content-type: application/json\r\n")
            .count(),
        2
    );
}
