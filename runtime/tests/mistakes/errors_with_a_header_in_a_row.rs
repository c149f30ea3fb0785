//~ no rules expected `header`
#[derive(Debug, Clone, PartialEq)]
pub enum GetPetError {
    NotFound { retry_after: Option<i64> },
}
bothends_runtime::errors! {
    GetPetError { 404 => NotFound { header "Retry-After" => retry_after } }
}
