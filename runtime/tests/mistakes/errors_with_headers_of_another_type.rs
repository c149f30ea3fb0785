//~ `Headers` is not a type of documented response headers
#[derive(Debug, Clone, PartialEq)]
pub struct Headers;
#[derive(Debug, Clone, PartialEq)]
pub enum GetPetError {
    NotFound,
}
bothends_runtime::errors! { GetPetError[Headers] { 404 => NotFound } }
