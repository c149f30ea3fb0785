//~ use of deprecated method `Pet::old`
//~ use of deprecated method `ListRequest::page`
//~ use of deprecated method `ListRequest::page_or_default`
//~ use of deprecated method `ListHeaders::total`
#![deny(deprecated)]

#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub old: Option<String>,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet(id: i64) {
        "id" => id,
        "old": #[deprecated] String => old?,
        "tag": String => tag?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct ListRequest {
    pub page: Option<i64>,
}
bothends_runtime::operation! {
    "list": "GET" "/list"
    ListRequest() {
        query "page": #[deprecated] i64 => page? or #[deprecated] page_or_default: i64 = 1,
    }
    -> ListResponse[ListHeaders] { 204 }, ListError = bothends_runtime::NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct ListHeaders {
    pub total: Option<i64>,
}
bothends_runtime::response_headers! {
    ListHeaders() { header "X-Total": #[deprecated] i64 => total? }
}

pub fn uses() -> (Pet, i64, ListHeaders) {
    let request = ListRequest::new().page(2);
    let page = request.page_or_default();
    (Pet::new(1).tag("new").old("old"), page, ListHeaders::new().total(3))
}
