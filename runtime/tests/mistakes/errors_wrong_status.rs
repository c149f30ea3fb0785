//~ a status is a code such as 200, a range such as 2XX, or `default`
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub code: Option<String>,
    pub message: String,
}
bothends_runtime::object! {
    Problem(message: String) {
        "code": String => code?,
        "message" => message,
    }
}
#[derive(Debug, Clone, PartialEq)]
pub enum GetPetError {
    NotFound(Problem),
    ClientError { status: bothends_runtime::StatusCode, body: Problem },
}
bothends_runtime::errors! {
    GetPetError: String {
        4O4 => NotFound(json Problem),
        4XX => ClientError { status, body(json Problem) } [code: code?, message: message],
    }
}
