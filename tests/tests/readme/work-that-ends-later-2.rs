use bothends_runtime::server::{Context, Error, Rejection, RejectionKind};
use callback::operations::*;
use callback::server::DefaultApi;
use callback::types::{Export, ExportOptionsFormat, ExportState};
use callback::webhooks::START_EXPORT_FINISHED_URL;

pub struct Service;

impl DefaultApi for Service {
    // SNIPPET

    async fn get_export(
        &self,
        _context: Context,
        _request: GetExportRequest,
    ) -> Result<GetExportResponse, Error<GetExportError>> {
        Err(Rejection::not_found().into())
    }
}

impl Service {
    async fn start(&self, _format: ExportOptionsFormat, _notify: String) -> Export {
        Export::new(7, ExportState::Running)
    }
}
