//! The generated server, called in process.

use crate::api::operations::*;
use crate::api::server::{LedgerApi, TransferApi, router};
use crate::api::types::{Entry, EntryInit, NewEntry, Order, Receipt, ReceiptInit};
use bench_inputs::cases::{Case, Prepare, case, drive};
use bench_inputs::requests::{self, Template};
use bench_inputs::{serve, transfer};
use bothends_runtime::server::{Context, Error, Router};
use bothends_runtime::{ByteStream, Check, Response, Streamed};
use futures_util::stream;
use std::convert::Infallible;
use std::hint::black_box;
use tower_service::Service;

pub const CASES: &[(&str, Prepare)] = &[
    ("server-get", |_| in_process(requests::get_requests())),
    ("server-get-many", |_| {
        in_process(requests::get_many_requests())
    }),
    ("server-post", |_| in_process(requests::post_requests())),
    ("server-get-checked", |_| {
        checked(requests::get_requests())
    }),
    ("server-upload", |_| framed(requests::upload())),
    ("server-multipart", |_| framed(requests::document())),
    ("server-journal", |_| in_process(vec![requests::journal()])),
];

/// The handlers. Those of the peer do the same.
#[derive(Debug, Clone, Copy)]
pub struct Handlers;

impl LedgerApi for Handlers {
    async fn get_summary(
        &self,
        _: Context,
        request: GetSummaryRequest,
    ) -> Result<GetSummaryResponse, Error<GetSummaryError>> {
        let category = match request.order {
            Some(Order::Oldest) => "oldest",
            _ => "newest",
        };
        let entry = Entry::from(EntryInit {
            id: 1,
            account: request.account_id,
            title: "Summary".to_owned(),
            amount: i64::from(request.limit),
            currency: "EUR".to_owned(),
            category: category.to_owned(),
            labels: Vec::new(),
        });
        Ok(Response::new(entry))
    }

    async fn get_entry(
        &self,
        _: Context,
        request: GetEntryRequest,
    ) -> Result<GetEntryResponse, Error<GetEntryError>> {
        let amount = request.min_amount.unwrap_or_default() * f64::from(request.limit);
        let category = match request.order {
            Some(Order::Oldest) => "oldest",
            _ => "newest",
        };
        let labels = match request.archived {
            Some(true) => vec!["archived".to_owned()],
            _ => Vec::new(),
        };
        let entry = Entry::from(EntryInit {
            id: request.entry_id,
            account: request.account_id,
            title: request.search.unwrap_or_else(|| "entry".to_owned()),
            amount: amount as i64,
            currency: "EUR".to_owned(),
            category: category.to_owned(),
            labels,
        });
        Ok(Response::new(entry))
    }

    async fn add_entry(
        &self,
        _: Context,
        request: AddEntryRequest,
    ) -> Result<AddEntryResponse, Error<AddEntryError>> {
        Ok(Response::new(stored(request.account_id, request.body)))
    }
}

fn stored(account: String, new: NewEntry) -> Entry {
    let NewEntry {
        title,
        amount,
        currency,
        category,
        labels,
        memo,
        ..
    } = new;
    let mut entry = Entry::from(EntryInit {
        id: 7,
        account,
        title,
        amount,
        currency,
        category,
        labels,
    });
    entry.memo = memo;
    entry
}

impl TransferApi for Handlers {
    async fn replace_accounts(
        &self,
        _: Context,
        request: ReplaceAccountsRequest,
    ) -> Result<ReplaceAccountsResponse, Error<ReplaceAccountsError>> {
        let items = i64::try_from(request.body.len()).map_err(Error::internal)?;
        let bytes = request.body.iter().map(|account| account.id).sum();
        Ok(Response::new(Receipt::from(ReceiptInit { items, bytes })))
    }

    async fn read_journal(
        &self,
        _: Context,
        _: ReadJournalRequest,
    ) -> Result<ReadJournalResponse, Error<ReadJournalError>> {
        let lines = (1..=transfer::LINES as i64).map(line);
        Ok(Response::new(Streamed::from_items(lines)))
    }

    async fn add_document(
        &self,
        _: Context,
        request: AddDocumentRequest,
    ) -> Result<AddDocumentResponse, Error<AddDocumentError>> {
        let file = request.body.file.data;
        let bytes = i64::try_from(file.len()).map_err(Error::internal)?;
        let last = file.last().copied().map_or(0, i64::from);
        let items = i64::from(request.body.pages) * 1_000 + last;
        Ok(Response::new(Receipt::from(ReceiptInit { items, bytes })))
    }

    async fn put_blob(
        &self,
        _: Context,
        request: PutBlobRequest,
    ) -> Result<PutBlobResponse, Error<PutBlobError>> {
        let mut body = request.body;
        let mut bytes = 0;
        while let Some(piece) = body.next().await {
            bytes += piece.map_err(Error::internal)?.len();
        }
        let bytes = i64::try_from(bytes).map_err(Error::internal)?;
        Ok(Response::new(Receipt::from(ReceiptInit {
            items: 1,
            bytes,
        })))
    }

    async fn get_blob(
        &self,
        _: Context,
        _: GetBlobRequest,
    ) -> Result<GetBlobResponse, Error<GetBlobError>> {
        let pieces = (0..transfer::PIECES).map(|_| Ok::<_, Infallible>(transfer::piece()));
        Ok(Response::new(ByteStream::new(stream::iter(pieces))))
    }
}

/// Returns a line of the journal.
fn line(id: i64) -> Entry {
    let labels = vec!["home".to_owned(), "monthly".to_owned()];
    let text = str::to_owned;
    let (account, category) = (text("acct-0193"), text("housing"));
    Entry::from(EntryInit {
        id,
        account,
        title: text("Standing order"),
        amount: id,
        currency: text("EUR"),
        category,
        labels,
    })
}

/// The limit for the bodies of requests, which are up to 100 MB.
const LIMIT: usize = 256 << 20;

/// Serves the API over loopback.
pub fn serve(once: bool) -> Result<(), Box<dyn std::error::Error>> {
    serve::serve(router(Handlers).body_limit(LIMIT).enforce_accept(), once)
}

/// Calls the router in process with a body that arrives in frames.
fn framed(request: Template) -> Box<dyn Case> {
    let mut service = router(Handlers).body_limit(LIMIT).enforce_accept();
    let (mut other, again) = (service.clone(), request.clone());
    let show = move || {
        let Ok(response) = drive(other.call(again.framed()));
        requests::shown(response)
    };
    let run = move || {
        let Ok(response) = drive(service.call(black_box(&request).framed()));
        black_box(requests::drain(response));
    };
    case(show, run)
}

/// Calls the router in process. Every request is shown, and the first is measured.
fn in_process(requests: Vec<Template>) -> Box<dyn Case> {
    calls(router(Handlers).enforce_accept(), requests)
}

/// The same, with checked responses.
fn checked(requests: Vec<Template>) -> Box<dyn Case> {
    let router = router(Handlers).check_responses(Check::Fail);
    calls(router.enforce_accept(), requests)
}

fn calls(mut service: Router<Handlers>, requests: Vec<Template>) -> Box<dyn Case> {
    let first = requests[0].clone();
    let mut other = service.clone();
    let show = move || {
        let shown = requests.iter().map(|request| {
            let Ok(response) = drive(other.call(request.request()));
            requests::shown(response)
        });
        shown.collect()
    };
    let run = move || {
        let Ok(response) = drive(service.call(black_box(&first).request()));
        black_box(requests::drain(response));
    };
    case(show, run)
}
