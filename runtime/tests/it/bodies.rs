//! Bodies that are not JSON: the bytes, written by hand, and back.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::serde::Serialize;
use bothends_runtime::serde::de::DeserializeOwned;
use bothends_runtime::{
    Base64, Binary, Bytes, EncodedResponse, Map, ResponseDecoder, ResponseEncoder, object,
};
use std::fmt::Debug;

#[derive(Debug, Clone, PartialEq)]
struct Order {
    id: i64,
    note: Option<String>,
    tags: Vec<String>,
    place: Option<Place>,
    places: Option<Vec<Place>>,
}
object! {
    Order(id: i64, tags: Vec<String>) {
        "id" => id,
        "note" => note?,
        "tags" => tags,
        "place" => place?,
        "places" => places?,
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Place {
    street: String,
    open: bool,
    floors: Option<Vec<i64>>,
}
object! { Place(street: String, open: bool) { "street" => street, "open" => open, "floors" => floors? } }

fn order() -> Order {
    Order {
        note: Some("a b&c=d+é~*".to_owned()),
        place: Some(Place::new("1 x".to_owned(), true)),
        ..Order::new(-1, vec!["x".to_owned(), String::new()])
    }
}

type Write<T> = fn(&mut ResponseEncoder, &T);
type Read<T> = fn(&ResponseDecoder) -> Result<T, bothends_runtime::DecodeError>;

fn sent<T>(write: Write<T>, value: &T) -> Result<EncodedResponse, String> {
    let mut response = ResponseEncoder::new();
    write(response.status(200), value);
    response.finish().map_err(|error| error.to_string())
}

fn received<T>(read: Read<T>, content_type: &str, body: impl Into<Bytes>) -> Result<T, String> {
    let headers = [(
        bothends_runtime::http::header::CONTENT_TYPE,
        content_type.parse().unwrap(),
    )];
    let status = bothends_runtime::StatusCode::OK;
    let response = ResponseDecoder::new(status, headers.into_iter().collect(), body.into());
    read(&response).map_err(|error| error.to_string())
}

#[track_caller]
fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    write: Write<T>,
    read: Read<T>,
    value: &T,
) -> (String, String) {
    let (content_type, body) = sent(write, value).unwrap().body.unwrap();
    let content_type = content_type.to_str().unwrap().to_owned();
    assert_eq!(
        received(read, &content_type, body.clone()).as_ref(),
        Ok(value)
    );
    (content_type, String::from_utf8(body.into()).unwrap())
}

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn a_form_repeats_lists_and_holds_objects_as_json() {
    let (content_type, body) = there_and_back(
        |to, value| to.body().form(FORM, value),
        |from| from.body().form(),
        &order(),
    );
    assert_eq!(content_type, FORM);
    assert_eq!(
        body,
        "id=-1&note=a+b%26c%3Dd%2B%C3%A9%7E*&tags=x&tags=\
         &place=%7B%22street%22%3A%221+x%22%2C%22open%22%3Atrue%7D"
    );
    let places = Order {
        places: Some(vec![
            Place::new("a".to_owned(), true),
            Place::new("b".to_owned(), false),
        ]),
        ..order()
    };
    there_and_back(
        |to, value| to.body().form(FORM, value),
        |from| from.body().form(),
        &places,
    );
}

#[test]
fn what_is_wrong_with_a_form_is_told_by_its_field() {
    let read =
        |body: &'static str| received::<Order>(|from| from.body().form(), FORM, body).unwrap_err();
    assert_eq!(read(""), "id: is required");
    assert_eq!(read("id=x&tags=a"), "id: must be an integer");
    assert_eq!(read("id=1&id=2&tags=a"), "id: is given more than once");
    assert_eq!(read("id=1"), "tags: is required");
    assert_eq!(read("id=1&tags=a&note=%F"), "note: is badly encoded");
    assert_eq!(
        read("id=1&tags=a&place=x"),
        "place: is not JSON: syntax error at line 1 column 1"
    );
    assert_eq!(
        received::<Order>(|from| from.body().form(), FORM, &b"\xff"[..]).unwrap_err(),
        "body: is not UTF-8"
    );
}

#[test]
fn a_form_is_a_map_too() {
    let map: Map<String> = [("a[b]".to_owned(), "c".to_owned())].into();
    let (_, body) = there_and_back(
        |to, value| to.body().form(FORM, value),
        |from| from.body().form(),
        &map,
    );
    assert_eq!(body, "a%5Bb%5D=c");
}

const PARTS: &str = "multipart/form-data";

#[derive(Debug, Clone, PartialEq)]
struct Upload {
    name: String,
    count: Option<i64>,
    tags: Option<Vec<String>>,
    place: Option<Place>,
    file: Binary,
    more: Option<Vec<Binary>>,
}
object! {
    Upload(name: String, file: Binary) {
        "name" => name,
        "count" => count?,
        "tags" => tags?,
        "place" => place?,
        "file" => file,
        "more" => more?,
    }
}

#[test]
fn parts_are_written_as_the_standard_says() {
    let upload = Upload {
        count: Some(3),
        tags: Some(vec!["a".to_owned(), "b".to_owned()]),
        place: Some(Place::new("x".to_owned(), true)),
        more: Some(vec![Binary::new("1").with_name("q\"\r\n\\%22%.txt")]),
        ..Upload::new(
            "å".to_owned(),
            Binary::new("hello")
                .with_name("h.txt")
                .with_content_type("text/plain"),
        )
    };
    let (content_type, body) = there_and_back(
        |to, value| to.body().multipart(PARTS, value),
        |from| from.body().multipart(),
        &upload,
    );
    assert_eq!(
        content_type,
        "multipart/form-data; boundary=bothends-0000000000000000"
    );
    let part = |head: &str, data: &str| {
        format!(
            "--bothends-0000000000000000\r\nContent-Disposition: form-data; {head}\r\n\r\n{data}\r\n"
        )
    };
    let expected = [
        part("name=\"name\"", "å"),
        part("name=\"count\"", "3"),
        part("name=\"tags\"", "a"),
        part("name=\"tags\"", "b"),
        part(
            "name=\"place\"\r\nContent-Type: application/json",
            "{\"street\":\"x\",\"open\":true}",
        ),
        part(
            "name=\"file\"; filename=\"h.txt\"\r\nContent-Type: text/plain",
            "hello",
        ),
        part(
            "name=\"more\"; filename=\"q%22%0D%0A%5C%2522%.txt\"\r\nContent-Type: application/octet-stream",
            "1",
        ),
        "--bothends-0000000000000000--\r\n".to_owned(),
    ];
    assert_eq!(body, expected.concat());
}

#[test]
fn long_parts_are_encoded_whole_with_a_random_boundary() {
    let upload = Upload::new("a".to_owned(), Binary::new(vec![b'x'; 100 << 10]));
    let (content_type, body) = there_and_back(
        |to, value| to.body().multipart(PARTS, value),
        |from| from.body().multipart(),
        &upload,
    );
    let boundary = content_type.split_once("boundary=").unwrap().1;
    assert_eq!(boundary.len(), "bothends-".len() + 32);
    assert_eq!(body.matches(boundary).count(), 3);
}

#[test]
fn parts_of_strangers_are_read() {
    let body = "preamble\r\n--X y\r\ncontent-disposition: form-data; filename=\"a \\\"b\\\".txt\"; name=file\r\n\
                CONTENT-TYPE: text/plain; charset=utf-8\r\nX-Other: 1\r\n\r\n\r\n--X\r\n\r\n--X y  \r\n\
                Content-Disposition: form-data; name=\"name\"\r\n\r\n\r\n--X y--\r\nepilogue";
    let upload: Upload = received(
        |from| from.body().multipart(),
        "multipart/form-data; boundary=\"X y\"",
        body,
    )
    .unwrap();
    let file = Binary::new("\r\n--X\r\n")
        .with_name("a \"b\".txt")
        .with_content_type("text/plain; charset=utf-8")
        .header("X-Other", "1");
    assert_eq!(upload, Upload::new(String::new(), file));
}

#[test]
fn what_is_wrong_with_parts_is_told() {
    let read = |content_type: &str, body: &'static [u8]| {
        received::<Upload>(|from| from.body().multipart(), content_type, body).unwrap_err()
    };
    let with = "multipart/form-data; boundary=b";
    assert_eq!(read(PARTS, b""), "body: the type has no boundary");
    assert_eq!(read(with, b""), "body: the parts do not end");
    assert_eq!(
        read(
            with,
            b"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"
        ),
        "body: the parts do not end"
    );
    assert_eq!(
        read(with, b"--b\r\n\r\nx\r\n--b--"),
        "body: a part without an end of its headers"
    );
    assert_eq!(
        read(with, b"--b\r\nA: b\r\n\r\nx\r\n--b--"),
        "body: a part without a name"
    );
    assert_eq!(read(with, b"--b--"), "name: is required");
    let count = b"--b\r\nContent-Disposition: form-data; name=\"count\"\r\n\r\nx\r\n--b--";
    assert_eq!(read(with, count), "count: must be an integer");
    let text = b"--b\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n\xff\r\n--b--";
    assert_eq!(read(with, text), "name: is not UTF-8");
    let bad = Binary::new("x").with_content_type("a\r\nb");
    let error = sent(
        |to, value| to.body().multipart(PARTS, value),
        &Upload::new(String::new(), bad),
    )
    .unwrap_err();
    assert_eq!(
        error,
        "file cannot be sent: a header cannot hold a line break or another control character"
    );
}

#[test]
fn texts_are_scalars() {
    let (content_type, body) = there_and_back(
        |to, value| to.body().text("text/plain", value),
        |from| from.body().text(),
        &-5_i64,
    );
    assert_eq!((&*content_type, &*body), ("text/plain", "-5"));
    there_and_back(
        |to, value| to.body().text("text/*", value),
        |from| from.body().text(),
        &String::new(),
    );
    assert_eq!(
        received::<i64>(|from| from.body().text(), "text/plain", "x").unwrap_err(),
        "body: must be an integer"
    );
}

#[test]
fn headers_come_back_or_are_said_to_be_missing() {
    let mut response = ResponseEncoder::new();
    let none: Option<i64> = None;
    response
        .status(200)
        .header("X-A", &vec![1, 2])
        .header("X-B", &none);
    let sent = response.finish().unwrap();
    assert_eq!(sent.headers.get("x-a").unwrap(), "1,2");
    let response = ResponseDecoder::new(sent.status, sent.headers, Bytes::new());
    assert_eq!(response.header::<Vec<i64>>("X-A"), Ok(vec![1, 2]));
    assert_eq!(response.header::<Option<i64>>("X-B"), Ok(None));
    assert_eq!(
        response.header::<i64>("X-B").unwrap_err().to_string(),
        "X-B: the header is missing"
    );
    let mut response = ResponseEncoder::new();
    response.status(200).header("X-A", &"a\r\nSet-Cookie: b");
    assert!(response.finish().is_err());
}

#[test]
fn a_body_of_base64_may_be_the_bytes_themselves() {
    let read: Read<Base64> = |response| response.body().bytes();
    let bytes = received(read, "application/base64", &b"\xff\xfe"[..]);
    assert_eq!(bytes, Ok(Base64(vec![0xff, 0xfe])));
    let text = received(read, "text/plain", "QUI=");
    assert_eq!(text, Ok(Base64(b"AB".to_vec())));
}
