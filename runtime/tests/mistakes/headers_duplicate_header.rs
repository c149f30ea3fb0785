//~ duplicate header `x-total` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct Headers {
    pub total: i64,
    pub sum: Option<i64>,
}
bothends_runtime::response_headers! {
    Headers(total: i64) {
        header "X-Total" => total,
        header "x-total": i64 => sum?,
    }
}
