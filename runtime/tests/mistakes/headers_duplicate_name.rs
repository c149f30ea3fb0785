//~ duplicate header `X-Total` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct Headers {
    pub total: Option<i64>,
    pub sum: Option<i64>,
}
bothends_runtime::response_headers! {
    Headers() { header "X-Total": i64 => total?, header "X-Total": i64 => sum? }
}
