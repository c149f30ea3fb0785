use bothends_runtime::Requirement;
use bothends_runtime::server::{Authenticate, Context, AuthError, Error};
use financial_data::operations::*;
use financial_data::server::{Credentials, OauthApi, OpenBankingApi, rejections};

pub fn app() -> axum::Router {
    // SNIPPET

    /// Who calls.
    #[derive(Clone)]
    struct User;

    impl User {
        fn is_expired(&self) -> bool {
            false
        }

        fn may(&self, _: &[Requirement]) -> bool {
            true
        }
    }

    impl Users {
        async fn find(&self, _: &str) -> Result<Option<User>, std::io::Error> {
            Ok(None)
        }
    }

    // A service implements the traits of all tags.
    impl OpenBankingApi for Service {
        async fn start_open_banking_refresh(
            &self,
            _: Context,
            _: StartOpenBankingRefreshRequest,
        ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
            Err(Error::internal("not part of this snippet"))
        }

        async fn get_open_banking_refresh_status(
            &self,
            _: Context,
            _: GetOpenBankingRefreshStatusRequest,
        ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
            Err(Error::internal("not part of this snippet"))
        }
    }
    app
}
