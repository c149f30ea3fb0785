//~ cannot find type `jsn`
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
        404 => NotFound(jsn Problem),
        4XX => ClientError { status, body(json Problem) } [code: code?, message: message],
    }
}
