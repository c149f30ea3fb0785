//! Who is let in.

use super::{BoxFuture, Context, Error};
use crate::NoError;

/// Decides who is let in.
///
/// It sees the request before its parameters and its body are read, and finds what the operation
/// asks for in `context.operation().security`: one of the alternatives is enough, and each needs
/// all of its schemes; none at all means that everybody is let in. What it finds out about the
/// caller, it leaves in `context.extensions_mut()` for the handler.
///
/// A router without an authenticator lets everybody in everywhere.
pub trait Authenticator: Send + Sync {
    /// Lets the request in, or says what to answer.
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>>;
}
