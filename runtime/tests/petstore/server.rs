use super::operations::*;
use bothends_runtime::server::{Context, Error, FaultBody, Faults, FieldsAs, Methods, Router};

pub trait Pets: Send + Sync + 'static {
    fn list_pets(
        &self,
        ctx: Context,
        request: ListPetsRequest,
    ) -> impl Future<Output = Result<ListPetsResponse, Error<bothends_runtime::NoError>>> + Send;

    fn create_pet(
        &self,
        ctx: Context,
        request: CreatePetRequest,
    ) -> impl Future<Output = Result<CreatePetResponse, Error<bothends_runtime::NoError>>> + Send;

    fn show_pet_by_id(
        &self,
        ctx: Context,
        request: ShowPetByIdRequest,
    ) -> impl Future<Output = Result<ShowPetByIdResponse, Error<ShowPetByIdError>>> + Send;
}

pub trait Files: Send + Sync + 'static {
    fn upload(
        &self,
        ctx: Context,
        request: UploadRequest,
    ) -> impl Future<Output = Result<UploadResponse, Error<bothends_runtime::NoError>>> + Send;
}

pub fn router<A: Pets + Files>(api: A) -> Router<A> {
    Router::new(api, find::<A>, &FAULTS)
}

fn find<A: Pets + Files>(segments: &[&str]) -> Option<Methods<A>> {
    Some(match segments {
        ["pets"] => {
            bothends_runtime::methods! { A; "GET" => list_pets, "POST" => create_pet }
        }
        ["pets", _] => bothends_runtime::methods! { A; "GET" => show_pet_by_id },
        ["files", file] if bothends_runtime::server::fits(file, "{name}.{ext}") => {
            bothends_runtime::methods! { A; "PUT" => upload }
        }
        _ => return None,
    })
}

pub static FAULTS: Faults = Faults {
    not_found: Some(FaultBody::new(
        404,
        "application/json",
        r#"{"operation_id":"unknown","code_id":"not_found","errors":{}}"#,
    )),
    validation: Some(
        FaultBody::new(
            400,
            "application/json",
            r#"{"operation_id":"unknown","code_id":"failed_validation","errors":{}}"#,
        )
        .with_fields("/errors", FieldsAs::Map),
    ),
    ..Faults::DEFAULT
};
