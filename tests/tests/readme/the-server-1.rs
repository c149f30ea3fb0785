use bothends_runtime::server::{Context, Error};
use financial_data::operations::*;
use financial_data::server::{OauthApi, OpenBankingApi};

pub fn app() -> axum::Router {
    // SNIPPET

    // A service implements the traits of all tags.
    impl OpenBankingApi for Service {
        async fn start_open_banking_refresh(
            &self,
            _: Context,
            _: StartOpenBankingRefreshRequest,
        ) -> Result<StartOpenBankingRefreshResponse, Error<StartOpenBankingRefreshError>> {
            todo!()
        }

        async fn get_open_banking_refresh_status(
            &self,
            _: Context,
            _: GetOpenBankingRefreshStatusRequest,
        ) -> Result<GetOpenBankingRefreshStatusResponse, Error<GetOpenBankingRefreshStatusError>> {
            todo!()
        }
    }
    app
}
