//! The servers, and requests that each answers with a success.

use bothends_runtime::server::{Context, Error};

pub(crate) mod constraints {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/constraints.rs"));
}
pub(crate) mod bodies {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/bodies.rs"));
}
pub(crate) mod parameters {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/parameters.rs"));
}

/// Lets every request through that was read.
pub(crate) struct Taken;

fn taken<T, E>() -> Result<T, Error<E>> {
    let mut response = bothends_runtime::server::Response::default();
    *response.status_mut() = http::StatusCode::NO_CONTENT;
    Err(response.into())
}

macro_rules! handlers {
    ($module:ident $Trait:ident { $($name:ident $Request:ident $Response:ident $Error:ty;)* }) => {
        impl $module::server::$Trait for Taken {
            $(async fn $name(
                &self,
                _: Context,
                _: $module::operations::$Request,
            ) -> Result<$module::operations::$Response, Error<$Error>> {
                taken()
            })*
        }
    };
}

handlers! { constraints ShelvesApi {
    list_books ListBooksRequest ListBooksResponse constraints::operations::ListBooksError;
    add_book AddBookRequest AddBookResponse constraints::operations::AddBookError;
    add_notes AddNotesRequest AddNotesResponse constraints::operations::AddNotesError;
} }
handlers! { parameters DefaultApi {
    find_rooms FindRoomsRequest FindRoomsResponse bothends_runtime::NoError;
} }
handlers! { bodies DefaultApi {
    send_json SendJsonRequest SendJsonResponse bothends_runtime::NoError;
    send_optional SendOptionalRequest SendOptionalResponse bothends_runtime::NoError;
    send_form SendFormRequest SendFormResponse bothends_runtime::NoError;
    send_multipart SendMultipartRequest SendMultipartResponse bothends_runtime::NoError;
    send_text SendTextRequest SendTextResponse bothends_runtime::NoError;
    send_bytes SendBytesRequest SendBytesResponse bothends_runtime::NoError;
    send_any_of_three SendAnyOfThreeRequest SendAnyOfThreeResponse bothends_runtime::NoError;
} }
handlers! { financial_data OauthApi {
    create_token CreateTokenRequest CreateTokenResponse financial_data::operations::CreateTokenError;
} }
handlers! { financial_data OpenBankingApi {
    start_open_banking_refresh StartOpenBankingRefreshRequest StartOpenBankingRefreshResponse
        financial_data::operations::StartOpenBankingRefreshError;
    get_open_banking_refresh_status GetOpenBankingRefreshStatusRequest
        GetOpenBankingRefreshStatusResponse financial_data::operations::GetOpenBankingRefreshStatusError;
} }

/// Requests that are answered with a success, by document: the first line and the headers, and the
/// body. The length is put in last.
pub(crate) const CONSTRAINTS: &[(&str, &str)] = &[
    (
        "GET /shelves/A1/books?limit=10&tags=a&tags=b HTTP/1.1\r\nX-Trace: 0123abcd\r\nCookie: visitor=me\r\n",
        "",
    ),
    (
        "POST /shelves/B22/books HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json\r\n",
        r#"{"title": "A", "price": 1.25, "authors": [{"name": "Ann", "email": "a@b.c"}], "cover": {"front": "x"}, "ratings": {"a": 5}, "sequel": {"title": "B", "price": 2}}"#,
    ),
    (
        "POST /shelves/B22/books HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "title=A&price=1.5&authors=%7B%22name%22%3A%22Ann%22%7D",
    ),
    (
        "POST /notes HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n",
        r#"[{"text": "a"}, {"text": "\u00e9", "stars": 3}]"#,
    ),
];
pub(crate) const PARAMETERS: &[(&str, &str)] = &[(
    "GET /rooms/a,b/.c,d/;x=1;y=2?form=a&form=b&commas=a,b&spaces=a%20b&pipes=a%7Cb&deep%5Bx%5D=1&deep%5By%5D=2&point=x,1,y,2&count=3&filter=%7B%22x%22%3A1%2C%22y%22%3A2%7D HTTP/1.1\r\nX-Trace: abc\r\nX-Names: a,b\r\nCookie: session=s\r\n",
    "",
)];
pub(crate) const BODIES: &[(&str, &str)] = &[
    (
        "POST /json HTTP/1.1\r\nContent-Type: application/json\r\n",
        r#"{"text": "a", "stars": 1}"#,
    ),
    ("POST /optional HTTP/1.1\r\n", ""),
    (
        "POST /form HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "text=a+b&stars=1",
    ),
    (
        "POST /multipart HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=XX\r\n",
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nabc\r\n--XX\r\nContent-Disposition: form-data; name=\"note\"\r\nContent-Type: application/json\r\n\r\n{\"text\":\"a\"}\r\n--XX\r\nContent-Disposition: form-data; name=\"labels\"\r\n\r\none\r\n--XX--\r\n",
    ),
    (
        "POST /text HTTP/1.1\r\nContent-Type: text/plain\r\n",
        "a text",
    ),
    (
        "POST /bytes HTTP/1.1\r\nContent-Type: application/octet-stream\r\n",
        "bytes",
    ),
    (
        "POST /any-of-three HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n",
        "text=a&stars=2",
    ),
];
pub(crate) const SERVICE: &[(&str, &str)] = &[
    (
        "POST /v1/oauth/token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: Basic YTpi\r\n",
        "grant_type=refresh_token&refresh_token=r",
    ),
    (
        "POST /v1/open-banking/refresh HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer t\r\nX-Client-Id: c\r\n",
        r#"{"from": "2024-01-01", "accounts": ["a", 1, null]}"#,
    ),
    (
        "GET /v1/open-banking/refresh/7f3c HTTP/1.1\r\nAuthorization: Bearer t\r\nX-Client-Id: c\r\n",
        "",
    ),
];
