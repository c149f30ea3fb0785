//! Serves the bookshop: `cargo run -p example-server -- 127.0.0.1:8080`.
//!
//! The first argument is the address to listen on; with port 0 the system chooses a port. The first
//! line of the output is the URL. `BOOKSHOP_TOKEN` is the token that callers of `addBook` need.

use std::sync::{Mutex, PoisonError};

use api::operations::*;
use api::server::{BooksApi, Credentials};
use api::types::{Book, BookInit, Problem};
use bothends_runtime::server::{AuthError, Authenticate, Context, Error, Secret, serve};
use bothends_runtime::{Response, SecurityRequirement};

mod api {
    bothends_runtime::include_api!();
}

/// The books, in memory.
#[derive(Default)]
struct Bookshop {
    books: Mutex<Vec<Book>>,
}

impl BooksApi for Bookshop {
    async fn list_books(
        &self,
        _: Context,
        request: ListBooksRequest,
    ) -> Result<ListBooksResponse, Error<ListBooksError>> {
        // The router has checked the limit: a request with another one does not reach this method.
        let limit = usize::try_from(request.limit_or_default()).map_err(Error::internal)?;
        let books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Response::new(books.iter().take(limit).cloned().collect()))
    }

    async fn add_book(
        &self,
        _: Context,
        request: AddBookRequest,
    ) -> Result<AddBookResponse, Error<AddBookError>> {
        let mut books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        let id = i64::try_from(books.len()).map_err(Error::internal)? + 1;
        let mut book = Book::from(BookInit {
            id,
            title: request.body.title,
            author: request.body.author,
        });
        book.year = request.body.year;
        books.push(book.clone());
        Ok(Response::new(book))
    }

    async fn get_book(
        &self,
        _: Context,
        request: GetBookRequest,
    ) -> Result<GetBookResponse, Error<GetBookError>> {
        let books = self.books.lock().unwrap_or_else(PoisonError::into_inner);
        match books.iter().find(|book| book.id == request.id) {
            Some(book) => Ok(Response::new(book.clone())),
            None => {
                let problem = Problem::new(format!("there is no book {}", request.id));
                Err(GetBookError::NotFound(problem).into())
            }
        }
    }
}

/// Lets callers in that present the token.
struct Token(Secret);

impl Authenticate for Token {
    type Credentials = Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        presented: Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        // `Secret`s are compared in constant time.
        match presented.token {
            Some(token) if token == self.0 => Ok(()),
            _ => Err(AuthError::Unauthenticated),
        }
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1);
    let address = address.as_deref().unwrap_or("127.0.0.1:8080");
    let token = std::env::var("BOOKSHOP_TOKEN").unwrap_or_else(|_| "example-token".to_owned());

    let router = api::server::router(Bookshop::default())
        .guard(Token(Secret::from(token)))
        .on_failure(|failure| eprintln!("{failure}"));
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    serve(listener, router).await
}
