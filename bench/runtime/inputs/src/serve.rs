//! The loop of the servers over loopback: hyper's HTTP/1 connections on one thread, for both sides.

use crate::allocations;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::error::Error;
use tokio::net::TcpListener;
use tower_service::Service;

/// Serves connections with a service, on a port that it prints. With `once`, the first connection
/// is the only one, and its allocations and peak are printed when it has ended.
pub fn serve<S, B>(service: S, once: bool) -> Result<(), Box<dyn Error>>
where
    S: Service<Request<Incoming>, Response = Response<B>, Error = Infallible>,
    S: Clone + Send + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        println!("http://{}", listener.local_addr()?);
        loop {
            let (stream, _) = listener.accept().await?;
            stream.set_nodelay(true)?;
            let service = TowerToHyperService::new(service.clone());
            let before = allocations::start();
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if once {
                connection.await?;
                println!("{}", before.spent());
                return Ok(());
            }
            tokio::spawn(connection);
        }
    })
}
