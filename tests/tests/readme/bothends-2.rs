use bothends_runtime::server::{Context, Error, Rejection};
use exports::operations::*;
use exports::server::DefaultApi;
use exports::types::Export;

pub struct Service {
    exports: Vec<Export>,
}

impl DefaultApi for Service {
    // SNIPPET
}

impl Service {
    fn newest(&self, state: Option<ListExportsState>, limit: i64) -> Vec<Export> {
        let wanted = |export: &&Export| state.as_ref().is_none_or(|state| state.as_str() == export.state.as_str());
        self.exports.iter().filter(wanted).take(limit as usize).cloned().collect()
    }

    fn find(&self, id: i64) -> Option<Export> {
        self.exports.iter().find(|export| export.id == id).cloned()
    }
}
