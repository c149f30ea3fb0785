#![allow(clippy::match_overlapping_arm)]

use super::types;
use bothends_runtime::{Bytes, StatusCode};

#[derive(Debug, Clone, PartialEq)]
pub struct ShowPetByIdRequest {
    pub pet_id: types::PetId,
    pub tags: Option<Vec<String>>,
    pub order: Option<types::Order>,
    pub trace: Option<i32>,
    pub sid: Option<String>,
}
bothends_runtime::operation! {
    "showPetById": "GET" "/pets/{petId}"
    ShowPetByIdRequest(pet_id: types::PetId) -> ShowPetByIdResponse, ShowPetByIdError {
        path "petId" => pet_id,
        query[pipe] "tags" => tags?,
        query "order" => order?,
        header "X-Trace" => trace?,
        cookie "sid" => sid?,
    }
    security {
        ["bearer": ["read"], "clientId"],
        ["basic"],
        [],
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ShowPetByIdResponse {
    Ok(types::Pet),
    NoContent,
    Accepted {
        location: Option<String>,
        body: types::NewPet,
    },
    Success {
        status: StatusCode,
        body: Bytes,
    },
}
impl bothends_runtime::Outcome for ShowPetByIdResponse {
    fn encode(&self, response: &mut bothends_runtime::ResponseEncoder) {
        match self {
            Self::Ok(body) => response.status(200).json("application/json", body),
            Self::NoContent => response.status(204).empty(),
            Self::Accepted { location, body } => {
                response
                    .status(202)
                    .header("Location", location)
                    .json("application/json", body);
            }
            Self::Success { status, body } => {
                response
                    .status(status.as_u16())
                    .bytes("application/octet-stream", body);
            }
        }
    }

    fn decode(
        response: &bothends_runtime::ResponseDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(match response.status() {
            200 => response.json().map(Self::Ok),
            204 => Ok(Self::NoContent),
            202 => response.json().and_then(|body| {
                Ok(Self::Accepted {
                    location: response.header("Location")?,
                    body,
                })
            }),
            200..=299 => response.bytes().map(|body| Self::Success {
                status: response.status_code(),
                body,
            }),
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ShowPetByIdError {
    NotFound(types::Fault),
    Other {
        status: StatusCode,
        body: types::Fault,
    },
}
impl bothends_runtime::Outcome for ShowPetByIdError {
    fn encode(&self, response: &mut bothends_runtime::ResponseEncoder) {
        match self {
            Self::NotFound(body) => response.status(404).json("application/json", body),
            Self::Other { status, body } => {
                response
                    .status(status.as_u16())
                    .json("application/problem+json", body);
            }
        }
    }

    fn decode(
        response: &bothends_runtime::ResponseDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(match response.status() {
            404 => response.json().map(Self::NotFound),
            500..=599 => response.json().map(|body| Self::Other {
                status: response.status_code(),
                body,
            }),
            _ => return None,
        })
    }
}
bothends_runtime::operation_error! { ShowPetByIdError "showPetById" }
impl bothends_runtime::CodedError for ShowPetByIdError {
    type Code = types::Code;

    fn code_id(&self) -> Option<&types::Code> {
        match self {
            Self::NotFound(body) | Self::Other { body, .. } => Some(&body.code),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct CreatePetRequest {
    pub body: types::NewPet,
}
bothends_runtime::operation! {
    "createPet": "POST" "/pets"
    CreatePetRequest(body: types::NewPet) -> CreatePetResponse, bothends_runtime::NoError {
        body[json] "application/json" => body,
    }
    security { ["bearer"] }
}

#[derive(Debug, Clone, PartialEq)]
pub enum CreatePetResponse {
    Created(types::NewPet),
}
impl bothends_runtime::Outcome for CreatePetResponse {
    fn encode(&self, response: &mut bothends_runtime::ResponseEncoder) {
        match self {
            Self::Created(body) => response.status(201).json("application/json", body),
        }
    }

    fn decode(
        response: &bothends_runtime::ResponseDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(match response.status() {
            201 => response.json().map(Self::Created),
            _ => return None,
        })
    }
}

/// Without parameters.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPetsRequest {}
bothends_runtime::operation! {
    "listPets": "GET" "/pets"
    ListPetsRequest() -> ListPetsResponse, bothends_runtime::NoError {}
}

#[derive(Debug, Clone, PartialEq)]
pub enum ListPetsResponse {
    Ok(Vec<types::Pet>),
}
impl bothends_runtime::Outcome for ListPetsResponse {
    fn encode(&self, response: &mut bothends_runtime::ResponseEncoder) {
        match self {
            Self::Ok(body) => response.status(200).json("application/json", body),
        }
    }

    fn decode(
        response: &bothends_runtime::ResponseDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(match response.status() {
            200 => response.json().map(Self::Ok),
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct UploadRequest {
    pub name: String,
    pub ext: String,
    pub body: Option<UploadBody>,
}
bothends_runtime::operation! {
    "upload": "PUT" "/files/{name}.{ext}"
    UploadRequest(name: String, ext: String) -> UploadResponse, bothends_runtime::NoError {
        path "name" => name,
        path "ext" => ext,
        body[any] "*/*" => body?,
    }
}

/// One of several bodies.
#[derive(Debug, Clone, PartialEq)]
pub enum UploadBody {
    Photo(types::Photo),
    Json(types::NewPet),
    Text(String),
    Bytes(Bytes),
}
impl bothends_runtime::Body for UploadBody {
    fn encode(&self, body: &mut bothends_runtime::BodyEncoder) {
        match self {
            Self::Photo(value) => body.multipart("multipart/form-data", value),
            Self::Json(value) => body.json("application/json", value),
            Self::Text(value) => body.text("text/plain", value),
            Self::Bytes(value) => body.bytes("application/octet-stream", value),
        }
    }

    fn decode(
        body: &bothends_runtime::BodyDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(if body.is("multipart/form-data") {
            body.multipart().map(Self::Photo)
        } else if body.is("application/json") {
            body.json().map(Self::Json)
        } else if body.is("text/plain") {
            body.text().map(Self::Text)
        } else if body.is("application/octet-stream") {
            body.bytes().map(Self::Bytes)
        } else {
            return None;
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum UploadResponse {
    Ok(Option<UploadBody>),
}
impl bothends_runtime::Outcome for UploadResponse {
    fn encode(&self, response: &mut bothends_runtime::ResponseEncoder) {
        match self {
            Self::Ok(Some(body)) => response.status(200).any(body),
            Self::Ok(None) => response.status(204).empty(),
        }
    }

    fn decode(
        response: &bothends_runtime::ResponseDecoder,
    ) -> Option<Result<Self, bothends_runtime::DecodeError>> {
        Some(match response.status() {
            200 => response.any().map(Some).map(Self::Ok),
            204 => Ok(Self::Ok(None)),
            _ => return None,
        })
    }
}
