//! Calls the bookshop: `cargo run -p example-client -- http://127.0.0.1:8080`.
//!
//! The first argument is the URL that `example-server` prints. `BOOKSHOP_TOKEN` is the token for the
//! operations that require one.

use std::error::Error;

use api::client::{BASE_URL, Client, Credentials};
use api::operations::{GetBookError, ListBooksRequest};
use api::types::{NewBook, NewBookInit};
use bothends_runtime::client::Secret;

mod api {
    bothends_runtime::include_api!();
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1);
    let token = std::env::var("BOOKSHOP_TOKEN").unwrap_or_else(|_| "example-token".to_owned());
    let client = Client::new(url.as_deref().unwrap_or(BASE_URL))?.with_credentials(Credentials {
        token: Some(Secret::from(token)),
    });

    // The body is required, so the method takes the body.
    let book = NewBook::from(NewBookInit {
        title: "The Dispossessed".to_owned(),
        author: "Ursula K. Le Guin".to_owned(),
    });
    let added = client.add_book(book.year(1974)).await?;
    println!("added book {}: {}", added.id, added.title);

    // Every parameter is optional, so `list_books` has a second method that takes them.
    let books = client
        .list_books_with(ListBooksRequest::new().limit(10))
        .await?;
    for book in books.iter() {
        println!("{}: {} by {}", book.id, book.title, book.author);
    }

    // Documented errors are typed.
    match client.get_book(-1).await {
        Ok(book) => println!("book -1 is {}", book.title),
        Err(error) => match error.api() {
            Some(GetBookError::NotFound(problem)) => println!("not found: {}", problem.message),
            _ => return Err(error.into()),
        },
    }
    Ok(())
}
