//~ duplicate status `4XX` in a table
use bothends_runtime::StatusCode;

#[derive(Debug, Clone, PartialEq)]
pub enum GetPetError {
    ClientError { status: StatusCode },
    Other { status: StatusCode },
}
bothends_runtime::errors! {
    GetPetError {
        4XX => ClientError { status },
        4XX => Other { status },
    }
}
