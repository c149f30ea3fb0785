//~ duplicate status `404` in a table
#[derive(Debug, Clone, PartialEq)]
pub enum GetPetError {
    NotFound(String),
    Gone(String),
}
bothends_runtime::errors! {
    GetPetError { 404 => NotFound(json String), 404 => Gone(json String) }
}
