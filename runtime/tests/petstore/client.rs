use super::operations::*;
use bothends_runtime::client;

#[derive(Debug, Clone)]
pub struct Client<T = client::DefaultTransport> {
    core: client::Core<T>,
}

impl<T> Client<T> {
    pub const fn new(core: client::Core<T>) -> Self {
        Self { core }
    }
}

impl<T: client::Transport> Client<T> {
    pub async fn list_pets(
        &self,
        request: ListPetsRequest,
    ) -> Result<ListPetsResponse, client::Error<bothends_runtime::NoError>> {
        self.core.call(&request).await
    }

    pub async fn create_pet(
        &self,
        request: CreatePetRequest,
    ) -> Result<CreatePetResponse, client::Error<bothends_runtime::NoError>> {
        self.core.call(&request).await
    }

    pub async fn show_pet_by_id(
        &self,
        request: ShowPetByIdRequest,
    ) -> Result<ShowPetByIdResponse, client::Error<ShowPetByIdError>> {
        self.core.call(&request).await
    }

    pub async fn upload(
        &self,
        request: UploadRequest,
    ) -> Result<UploadResponse, client::Error<bothends_runtime::NoError>> {
        self.core.call(&request).await
    }
}

#[derive(Debug, Clone, Default)]
pub struct Credentials {
    pub basic: Option<client::Basic>,
    pub bearer: Option<client::Secret>,
    pub client_id: Option<client::Secret>,
    pub key: Option<client::Secret>,
    pub sid: Option<client::Secret>,
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
