use super::operations::*;
use bothends_runtime::client::{Basic, ClientCore, DefaultTransport, Error, Secret, Transport};
use std::future::Future;

/// A client of `Pet store`.
#[derive(Debug, Clone)]
pub struct Client<T = DefaultTransport> {
    core: ClientCore<T>,
}

impl<T: Transport> Client<T> {
    /// A client that calls through this.
    pub fn from_core(core: ClientCore<T>) -> Self {
        Self { core }
    }
}

impl<T: Transport> Client<T> {
    /// List all pets
    ///
    /// `GET /pets`: see [`ListPetsRequest`].
    pub fn list_pets(
        &self,
    ) -> impl Future<Output = Result<ListPetsResponse, Error<ListPetsError>>> + Send + '_ {
        self.core.send(ListPetsRequest::new())
    }

    /// Create a pet
    ///
    /// `POST /pets`: see [`CreatePetRequest`].
    pub fn create_pet(
        &self,
        request: impl Into<CreatePetRequest>,
    ) -> impl Future<Output = Result<CreatePetResponse, Error<CreatePetError>>> + Send + '_ {
        self.core.send(request.into())
    }

    /// Show a pet
    ///
    /// `GET /pets/{petId}`: see [`ShowPetByIdRequest`].
    pub fn show_pet_by_id(
        &self,
        request: impl Into<ShowPetByIdRequest>,
    ) -> impl Future<Output = Result<ShowPetByIdResponse, Error<ShowPetByIdError>>> + Send + '_
    {
        self.core.send(request.into())
    }

    /// Upload a file
    ///
    /// `PUT /files/{name}.{ext}`: see [`UploadRequest`].
    pub fn upload(
        &self,
        request: impl Into<UploadRequest>,
    ) -> impl Future<Output = Result<UploadResponse, Error<UploadError>>> + Send + '_ {
        self.core.send(request.into())
    }
}

#[derive(Debug, Clone, Default)]
pub struct Credentials {
    pub basic: Option<Basic>,
    pub bearer: Option<Secret>,
    pub client_id: Option<Secret>,
    pub key: Option<Secret>,
    pub sid: Option<Secret>,
}

bothends_runtime::credentials! {
    Credentials {
        basic: basic "basic",
        bearer: bearer "bearer",
        client_id: header "clientId" "X-Client-Id",
        key: query "key" "api_key",
        sid: cookie "cookieAuth" "sid",
    }
}
