//! What a document states of a link.

use super::{Exchange, Row};
#[cfg(feature = "links")]
use crate::ends::client::{ClientCore, Error, ResponseFuture, Transport};
use crate::message::{Expression, Operation};
#[cfg(any(feature = "server", feature = "links"))]
use crate::values::EncodeError;
use std::fmt;
use std::marker::PhantomData;

/// A link from a response of the operation `S` to the operation `O`: a constant of generated code.
///
/// `B` is what the values of the link are taken from: [`Received`] if the response has them all, and
/// [`Exchanged`] if some are in the request.
pub struct Link<S, O, B = Received> {
    parameters: &'static [Row],
    from: PhantomData<fn() -> (S, B)>,
    to: PhantomData<fn() -> O>,
}

/// What the values of a link are taken from.
pub trait LinkBasis<S: Operation>: sealed::Sealed {
    /// The response, or the request and the response.
    type From<'a>
    where
        S: 'a;

    /// Captures the messages; `None` if one cannot be encoded.
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "the trait is sealed")]
    fn exchange<'a>(from: Self::From<'a>) -> Option<Exchange>
    where
        S: 'a;
}

/// A response.
#[derive(Debug, Clone, Copy)]
pub struct Received;

/// A request and its response.
#[derive(Debug, Clone, Copy)]
pub struct Exchanged;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Received {}
    impl Sealed for super::Exchanged {}
}

impl<S: Operation> LinkBasis<S> for Received {
    type From<'a>
        = &'a S::Response
    where
        S: 'a;

    #[allow(private_interfaces, reason = "the trait is sealed")]
    fn exchange<'a>(response: Self::From<'a>) -> Option<Exchange>
    where
        S: 'a,
    {
        Exchange::received::<S>(response)
    }
}

#[cfg(any(feature = "server", feature = "links"))]
impl<S: Operation> LinkBasis<S> for Exchanged {
    type From<'a>
        = (&'a S, &'a S::Response)
    where
        S: 'a;

    #[allow(private_interfaces, reason = "the trait is sealed")]
    fn exchange<'a>((request, response): Self::From<'a>) -> Option<Exchange>
    where
        S: 'a,
    {
        Exchange::received::<S>(response)?.sent(request)
    }
}

impl<S, O, B> Clone for Link<S, O, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S, O, B> Copy for Link<S, O, B> {}

impl<S: Operation, O: Operation, B> fmt::Debug for Link<S, O, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("from", &S::META.id)
            .field("to", &O::META.id)
            .field("parameters", &self.parameters)
            .finish()
    }
}

impl<S: Operation, O: Operation, B> Link<S, O, B> {
    /// Creates a link with the parameters of `O` and the expressions of their values, as location,
    /// name and expression.
    pub const fn new(parameters: &'static [(&'static str, &'static str, Expression)]) -> Self {
        Self {
            parameters,
            from: PhantomData,
            to: PhantomData,
        }
    }
}

#[cfg(any(feature = "server", feature = "links"))]
impl<S: Operation, O: Operation, B: LinkBasis<S>> Link<S, O, B> {
    /// Returns the request that the link derives from a response, or from a request and its response.
    /// The caller may set further parameters, and the body.
    ///
    /// # Errors
    ///
    /// Returns an error with the name of the parameter if its value is not in the messages, as in
    /// responses of another status, and one with the id of `O` if it does not accept the values.
    pub fn request(&self, from: B::From<'_>) -> Result<O, EncodeError> {
        let (sent, id) = (S::META.id, O::META.id);
        let invalid = |what: &str| EncodeError::new(id, format!("{what} of `{sent}`"));
        let exchange =
            B::exchange(from).ok_or_else(|| invalid("its link is in an invalid message"))?;
        let missing = |row: &&Row| exchange.value(row, O::META.path).is_none();
        if let Some((_, name, _)) = self.parameters.iter().find(missing) {
            let message = format!("the messages of `{sent}` have no value for it");
            return Err(EncodeError::new(*name, message));
        }
        let request = exchange.follow(self.parameters);
        request.ok_or_else(|| invalid("it does not accept the values in the messages"))
    }
}

#[cfg(feature = "links")]
impl<T: Transport> ClientCore<T> {
    /// Calls the operation to which a link leads; generated code calls this.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Encode`] if [`Link::request`] fails, and the errors
    /// of [`Self::send`].
    pub fn follow<S, O, B>(
        &self,
        link: Link<S, O, B>,
        from: B::From<'_>,
    ) -> ResponseFuture<'_, O::Response, O::Error>
    where
        S: Operation,
        O: Operation + Send + Sync + 'static,
        B: LinkBasis<S>,
    {
        match link.request(from) {
            Ok(request) => self.send(request),
            Err(error) => Box::pin(async move { Err(Error::Encode(error)) }),
        }
    }
}
