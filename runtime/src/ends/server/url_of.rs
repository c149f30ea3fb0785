//! The URL of another request, for `Location` and for links in bodies.

use crate::message::{Operation, RequestEncoder};
use crate::values::EncodeError;

/// Returns the URL by which clients make a request: `server` with the path and the query of the request.
///
/// `server` is the URL of the server as clients know it, without a slash at the end, such as
/// `https://api.example.com/v1`. Without one, the URL begins with the path of the operation.
///
/// ```ignore
/// let location = server::url_of("https://api.example.com/v1", &GetOrderRequest::new(7))?;
/// assert_eq!(location, "https://api.example.com/v1/orders/7");
/// ```
///
/// # Errors
///
/// Returns an error if a value cannot be encoded, such as an empty text in a path.
pub fn url_of<O: Operation>(server: &str, request: &O) -> Result<String, EncodeError> {
    let mut encoder = RequestEncoder::new(O::META);
    request.encode(&mut encoder);
    let request = encoder.finish()?;
    let mark = if request.query.is_empty() { "" } else { "?" };
    Ok(format!("{server}{}{mark}{}", request.path, request.query))
}
