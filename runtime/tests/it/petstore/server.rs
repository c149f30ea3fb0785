use super::operations::*;
use bothends_runtime::server::{
    Context, Error, FieldErrorFormat, RejectionBodies, RejectionBody, Router, fits,
};
use std::future::Future;

pub trait Pets: Send + Sync + 'static {
    /// List all pets
    ///
    /// `GET /pets`: see [`ListPetsRequest`].
    fn list_pets(
        &self,
        ctx: Context,
        request: ListPetsRequest,
    ) -> impl Future<Output = Result<ListPetsResponse, Error<ListPetsError>>> + Send;

    /// Create a pet
    ///
    /// `POST /pets`: see [`CreatePetRequest`].
    fn create_pet(
        &self,
        ctx: Context,
        request: CreatePetRequest,
    ) -> impl Future<Output = Result<CreatePetResponse, Error<CreatePetError>>> + Send;

    /// Show a pet
    ///
    /// `GET /pets/{petId}`: see [`ShowPetByIdRequest`].
    fn show_pet_by_id(
        &self,
        ctx: Context,
        request: ShowPetByIdRequest,
    ) -> impl Future<Output = Result<ShowPetByIdResponse, Error<ShowPetByIdError>>> + Send;
}

pub trait Files: Send + Sync + 'static {
    /// Upload a file
    ///
    /// `PUT /files/{name}.{ext}`: see [`UploadRequest`].
    fn upload(
        &self,
        ctx: Context,
        request: UploadRequest,
    ) -> impl Future<Output = Result<UploadResponse, Error<UploadError>>> + Send;
}

/// The whole API: what implements the trait of every tag.
pub trait Api: Pets + Files {}

impl<T: Pets + Files> Api for T {}

pub fn router<A: Api>(api: A) -> Router<A> {
    Router::new(api, find::<A>, &REJECTION_BODIES)
}

bothends_runtime::routes! {
    find<A: Api> {
        ["pets"] => { "GET" => list_pets, "POST" => create_pet },
        ["pets", _] => { "GET" => show_pet_by_id },
        ["files", file] if fits(file, "{name}.{ext}") => { "PUT" => upload },
    }
}

pub static REJECTION_BODIES: RejectionBodies = RejectionBodies::new()
    .with_not_found(RejectionBody::new(
        404,
        "application/json",
        r#"{"operation_id":"unknown","code_id":"not_found","errors":{}}"#,
    ))
    .with_validation(
        RejectionBody::new(
            400,
            "application/json",
            r#"{"operation_id":"unknown","code_id":"failed_validation","errors":{}}"#,
        )
        .with_fields("/errors", FieldErrorFormat::Map),
    );
