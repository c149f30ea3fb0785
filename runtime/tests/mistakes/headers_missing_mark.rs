//~ missing field `link` in initializer of `Headers`
#[derive(Debug, Clone, PartialEq)]
pub struct Headers {
    pub total: i64,
    pub link: Option<String>,
}
bothends_runtime::response_headers! {
    Headers(total: i64) {
        header "X-Total" => total,
        header "Link": String => link,
    }
}
