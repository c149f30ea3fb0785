use super::types;
use bothends_runtime::{Bytes, NoError, StatusCode};

/// Show a pet
///
/// `GET /pets/{petId}`
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShowPetByIdRequest {
    pub pet_id: types::PetId,
    pub tags: Option<Vec<String>>,
    pub order: Option<types::Order>,
    pub trace: Option<i32>,
    pub sid: Option<String>,
}

bothends_runtime::operation! {
    "showPetById": "GET" "/pets/{petId}"
    ShowPetByIdRequest(pet_id: types::PetId) from [types::PetId] {
        path "petId" => pet_id,
        query[pipe] "tags": Vec<String> => tags?,
        query "order": types::Order => order?,
        header "X-Trace": i32 => trace?,
        cookie "sid": String => sid?,
    }
    -> ShowPetByIdResponse[ShowPetByIdResponseHeaders] = ShowPetByIdResponseBody, ShowPetByIdError
    security {
        ["bearer": ["read"], "clientId"],
        ["basic"],
        [],
    }
}

/// Successful responses of `showPetById`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ShowPetByIdResponseBody {
    /// 200: The pet.
    Ok(types::Pet),
    /// 202: It is on its way.
    Accepted(types::NewPet),
    /// 204: There is none.
    NoContent,
    /// 2XX: A picture.
    Success(Bytes),
}

bothends_runtime::responses! {
    ShowPetByIdResponseBody {
        200 => Ok(json types::Pet),
        202 => Accepted(json types::NewPet),
        204 => NoContent,
        2XX => Success(bytes Bytes),
    }
}

/// Documented headers of the successful responses of `showPetById`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShowPetByIdResponseHeaders {
    pub location: Option<String>,
}

bothends_runtime::response_headers! {
    ShowPetByIdResponseHeaders() {
        header "Location": String => location?,
    }
}

/// Documented error responses of `showPetById`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ShowPetByIdError {
    /// 404: It is not here.
    NotFound(types::Fault),
    /// 5XX: The store failed.
    ServerError {
        status: StatusCode,
        body: types::Fault,
    },
}

bothends_runtime::errors! {
    ShowPetByIdError: types::Code {
        404 => NotFound(json types::Fault) [code: code, message: message],
        5XX => ServerError { status, body(json "application/problem+json" types::Fault) }
            [code: code, message: message],
    }
}

/// Create a pet
///
/// `POST /pets`
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CreatePetRequest {
    pub body: types::NewPet,
}

bothends_runtime::operation! {
    "createPet": "POST" "/pets"
    CreatePetRequest(body: types::NewPet) from [types::NewPet] {
        body[json] "application/json" => body,
    }
    -> CreatePetResponse { 201 => json types::NewPet }, CreatePetError = NoError
    security {
        ["bearer"],
    }
}

/// List all pets
///
/// `GET /pets`
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ListPetsRequest {}

bothends_runtime::operation! {
    "listPets": "GET" "/pets"
    ListPetsRequest() {}
    -> ListPetsResponse { 200 => json Vec<types::Pet> }, ListPetsError = NoError
}

/// Upload a file
///
/// `PUT /files/{name}.{ext}`
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UploadRequest {
    pub name: String,
    pub ext: String,
    pub body: Option<UploadBody>,
}

bothends_runtime::operation! {
    "upload": "PUT" "/files/{name}.{ext}"
    UploadRequest(name: String, ext: String) {
        path "name" => name,
        path "ext" => ext,
        body[any] "multipart/form-data, application/json, text/plain, application/octet-stream":
            UploadBody => body?,
    }
    -> UploadResponse = UploadResponseBody, UploadError = NoError
}

/// A body, by media type.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum UploadBody {
    /// `multipart/form-data`
    Photo(types::Photo),
    /// `application/json`
    Json(types::NewPet),
    /// `text/plain`
    Text(String),
    /// `application/octet-stream`
    Bytes(Bytes),
}

bothends_runtime::contents! {
    UploadBody {
        "multipart/form-data" => Photo(multipart types::Photo),
        "application/json" => Json(json types::NewPet),
        "text/plain" => Text(text String),
        "application/octet-stream" => Bytes(bytes Bytes),
    }
}

/// Successful responses of `upload`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum UploadResponseBody {
    /// 200: What was uploaded.
    Ok(UploadBody),
    /// 204: Nothing was.
    NoContent,
}

bothends_runtime::responses! {
    UploadResponseBody {
        200 => Ok(any UploadBody),
        204 => NoContent,
    }
}
