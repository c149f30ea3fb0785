//! What a value could do to the message around it: line breaks, and marks of cookies and paths.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::HeaderMap;
use bothends_runtime::{
    Bytes, EncodedRequest, Map, OperationMeta, Param, ParameterStyle, RequestDecoder,
    RequestEncoder,
};

static META: OperationMeta = OperationMeta {
    id: "op",
    method: "GET",
    path: "/x/{p}",
    server: None,
    parameters: &[("path", "p")],
    security: &[],
    streams: &[],
    success: &[],
    retries: None,
    idempotency_key: None,
};

fn sent(param: Param, value: &str) -> Result<EncodedRequest, String> {
    let mut request = RequestEncoder::new(&META);
    param.encode("p", &value, &mut request);
    if !format!("{param:?}").contains("Path") {
        ParameterStyle::path().encode("p", &"1", &mut request);
    }
    request.finish().map_err(|error| error.to_string())
}

/// RFC 9110, section 5.5: no CR, LF or NUL in a field.
#[test]
fn headers_hold_no_line_breaks() {
    for value in ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "\r\n", "a\u{7f}"] {
        assert_eq!(
            sent(ParameterStyle::header(), value).unwrap_err(),
            "p cannot be sent: a header cannot hold a line break or another control character",
            "{value:?}"
        );
    }
    assert!(sent(ParameterStyle::header(), "a\tb é").is_ok());
}

/// RFC 6265, section 4.1.1: what is no character of a cookie is encoded, or refused where nothing is.
#[test]
fn cookies_hold_neither_line_breaks_nor_other_cookies() {
    let encoded = sent(ParameterStyle::cookie(), "a\r\nb; admin=1, \"c\"\0").unwrap();
    assert_eq!(encoded.cookies, "p=a%0D%0Ab%3B%20admin%3D1%2C%20%22c%22%00");
    for value in ["a\r\nb", "a\nb", "a\0b"] {
        assert_eq!(
            sent(ParameterStyle::cookie().cookie(), value).unwrap_err(),
            "cookie cannot be sent: a header cannot hold a line break or another control character",
            "{value:?}"
        );
    }
    assert_eq!(
        sent(ParameterStyle::cookie().cookie(), "a; admin=1").unwrap_err(),
        "p cannot be sent: ';' in a value would be taken for what stands between values"
    );
    // A name that is no token (RFC 9110, section 5.6.2).
    for name in ["", "a b", "a=b", "a;b", "a\r\nb", "é", "\"a\""] {
        let map: Map<String> = [(name.to_owned(), "1".to_owned())].into();
        let mut request = RequestEncoder::new(&META);
        ParameterStyle::path().encode("p", &"1", &mut request);
        ParameterStyle::cookie()
            .cookie()
            .encode("q", &map, &mut request);
        let error = request.finish().unwrap_err();
        assert_eq!(
            error.message(),
            "this cannot be the name of a cookie",
            "{name:?}"
        );
    }
}

/// A name that reads like an encoded one: in the style `cookie` nothing is encoded, so nothing is
/// decoded.
#[test]
fn names_of_cookies_come_back_as_they_were() {
    for style in [ParameterStyle::cookie(), ParameterStyle::cookie().cookie()] {
        for name in ["%00", "%41", "%", "%zz", "a+b"] {
            let map: Map<String> = [(name.to_owned(), "1".to_owned())].into();
            let mut request = RequestEncoder::new(&META);
            ParameterStyle::path().encode("p", &"1", &mut request);
            style.encode("q", &map, &mut request);
            let sent = request.finish().unwrap();
            let mut headers = HeaderMap::new();
            headers.insert("cookie", sent.cookies.parse().unwrap());
            let mut request =
                RequestDecoder::new(&META, &sent.path, None, &headers, Bytes::new()).unwrap();
            assert_eq!(
                style.decode("q", &mut request),
                Some(map),
                "{style:?} {name}"
            );
        }
    }
}

/// RFC 3986, section 3.3: what is no character of a segment is encoded; a segment of dots is refused.
#[test]
fn paths_hold_one_segment() {
    for (value, path) in [
        ("a/b", "/x/a%2Fb"),
        ("a\r\nHost: evil", "/x/a%0D%0AHost%3A%20evil"),
        ("a?b#c", "/x/a%3Fb%23c"),
        ("\0", "/x/%00"),
        ("%2e%2e", "/x/%252e%252e"),
        ("...", "/x/..."),
    ] {
        assert_eq!(sent(ParameterStyle::path(), value).unwrap().path, path);
    }
    for value in [".", ".."] {
        assert_eq!(
            sent(ParameterStyle::path(), value).unwrap_err(),
            "path cannot be sent: a segment of the path cannot be `.` or `..`"
        );
    }
}
