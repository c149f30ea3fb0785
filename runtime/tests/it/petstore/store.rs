//! A server that answers what it is asked to.

use super::operations::*;
use super::server::{Files, Pets};
use super::types::{self, NewPet, Pet};
use bothends_runtime::server::{Context, Error, Rejection};
use bothends_runtime::{Bytes, Nullable, Response, StatusCode};
use std::sync::{Arc, Mutex};

/// Answers what the request says it should.
#[derive(Clone, Default)]
pub struct Store {
    /// What was asked.
    pub seen: Arc<Mutex<Vec<(Context, ShowPetByIdRequest)>>>,
}

impl Pets for Store {
    async fn list_pets(
        &self,
        _: Context,
        _: ListPetsRequest,
    ) -> Result<ListPetsResponse, Error<ListPetsError>> {
        Ok(Response::new(vec![pet()]))
    }

    async fn create_pet(
        &self,
        _: Context,
        request: CreatePetRequest,
    ) -> Result<CreatePetResponse, Error<CreatePetError>> {
        Ok(request.body.into())
    }

    async fn show_pet_by_id(
        &self,
        context: Context,
        request: ShowPetByIdRequest,
    ) -> Result<ShowPetByIdResponse, Error<ShowPetByIdError>> {
        let id = request.pet_id.to_string();
        self.seen.lock().unwrap().push((context, request));
        let fault = || types::Fault::new("not_here".into(), "no".to_owned());
        let later = |location: &str| {
            let headers = ShowPetByIdResponseHeaders::new().location(location);
            let body = ShowPetByIdResponseBody::Accepted(NewPet::new());
            Ok(Response::with_headers(body, headers))
        };
        match id.as_str() {
            "none" => Ok(ShowPetByIdResponseBody::NoContent.into()),
            "later" => later("/pets/1"),
            "raw" => {
                let body = ShowPetByIdResponseBody::Success(Bytes::from_static(b"\0\xff"));
                Ok(Response::new(body).with_status(StatusCode::PARTIAL_CONTENT))
            }
            "404" => Err(ShowPetByIdError::NotFound(fault()).into()),
            "503" => Err(ShowPetByIdError::ServerError {
                status: StatusCode::SERVICE_UNAVAILABLE,
                body: fault(),
            }
            .into()),
            "fault" => Err(Rejection::unauthorized().into()),
            "panic" => panic!("a secret"),
            "internal" => Err(Error::internal(Hidden(Some(Box::new(Hidden(None)))))),
            "bare" => Err(Rejection::internal().into()),
            "unsent" => later("a secret\n"),
            _ => Ok(ShowPetByIdResponseBody::Ok(pet()).into()),
        }
    }
}

impl Files for Store {
    async fn upload(
        &self,
        _: Context,
        request: UploadRequest,
    ) -> Result<UploadResponse, Error<UploadError>> {
        if (&*request.name, &*request.ext) != ("a.b/c", "tar.gz") {
            return Err(Rejection::not_found().into());
        }
        Ok(match request.body {
            Some(body) => UploadResponseBody::Ok(body).into(),
            None => UploadResponseBody::NoContent.into(),
        })
    }
}

pub fn pet() -> Pet {
    let mut pet = Pet::new(
        1,
        Some(Box::new(types::Owner::new("Ann".to_owned(), Vec::new()))),
    );
    pet.note = Nullable::Null;
    pet.extra.insert("age".to_owned(), 3.into());
    pet
}

/// An error with a source, or without.
#[derive(Debug)]
struct Hidden(Option<Box<Hidden>>);

impl std::fmt::Display for Hidden {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.0.is_some() { "outer" } else { "inner" };
        write!(f, "the {place} secret")
    }
}

impl std::error::Error for Hidden {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&**self.0.as_ref()?)
    }
}
