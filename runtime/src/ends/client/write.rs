//! Encoding of an operation's request as the HTTP request that a transport sends.

use super::base;
use super::call::CallOf;
use super::credentials::{choose, cookie_header};
use super::failure::Failure;
use super::origin;
use super::{Body, Core, Credential, CredentialSource, MissingCredentials, UntrustedOrigin};
use crate::message::operation::negotiate;
use crate::message::operation::{Row, SuccessSet};
#[cfg(feature = "gzip")]
use crate::message::payload::coding;
use crate::message::wire::percent::decode;
use crate::message::{Operation, OperationMeta, RequestEncoder, ResponseSet};
use crate::values::EncodeError;
#[cfg(feature = "gzip")]
use http::header::ACCEPT_ENCODING;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{Method, Request};
use std::borrow::Cow;

/// An extension of requests whose response the client decodes. A caller that sets `Accept-Encoding`
/// decodes the response itself.
#[cfg(feature = "gzip")]
#[derive(Clone, Copy)]
pub(super) struct Unwraps;

impl<T> Core<T> {
    pub(super) fn request<O: Operation>(
        &self,
        request: &O,
        credentials: &dyn CredentialSource,
    ) -> Result<Request<Body>, Failure> {
        let mut encoder = RequestEncoder::new(O::META);
        request.encode(&mut encoder);
        let accepted = [O::Success::rows(O::META), O::Error::ROWS];
        let mode = self.options.credentials;
        let credentials = choose(request.security(), credentials, mode).map_err(|schemes| {
            Failure::MissingCredentials(MissingCredentials {
                operation: O::META.id,
                schemes,
            })
        });
        let mut request = self.finish(O::META, encoder, accepted, credentials)?;
        request.extensions_mut().insert(CallOf::of::<O>());
        Ok(request)
    }

    fn finish(
        &self,
        meta: &'static OperationMeta,
        mut encoder: RequestEncoder,
        accepted: [&[Row]; 2],
        credentials: Result<Vec<Credential>, Failure>,
    ) -> Result<Request<Body>, Failure> {
        if let Some(error) = &self.options.error {
            return Err(error.clone().into());
        }
        let stream = encoder.take_stream();
        let mut written = encoder.finish()?;
        let headers = &mut written.headers;
        let credentials = credentials?;
        let base = self.servers.of(meta)?;
        if origin::shows(&credentials, &self.options) && !self.trusts(&base) {
            let untrusted = UntrustedOrigin::new(meta.id, &base);
            return Err(Failure::UntrustedOrigin(untrusted));
        }
        for credential in &credentials {
            credential.apply(headers, &mut written.query, &mut written.cookies)?;
        }
        add_pairs(&mut written.query, &self.options.query);
        if let Some((name, value)) = cookie_header(&written.cookies)? {
            headers.insert(name, value);
        }
        for (name, value) in &self.options.headers {
            if !headers.contains_key(name) {
                headers.insert(name.clone(), value.clone());
            }
        }
        if let Some(accepted) = negotiate::accept(accepted) {
            headers.entry(ACCEPT).or_insert(accepted);
        }
        let body = stream.or(written
            .body
            .map(|(content_type, bytes)| (content_type, Body::from(bytes))));
        let body = body.map_or_else(Body::empty, |(content_type, body)| {
            headers.insert(CONTENT_TYPE, content_type);
            body
        });
        #[cfg(feature = "gzip")]
        let body = if self.compressed {
            coding::wrapped(headers, body)
        } else {
            body
        };
        #[cfg(feature = "gzip")]
        let asks = !headers.contains_key(ACCEPT_ENCODING);
        #[cfg(feature = "gzip")]
        if asks {
            let accepted = http::HeaderValue::from_static(coding::ACCEPTED);
            headers.insert(ACCEPT_ENCODING, accepted);
        }
        let mut request = Request::new(body);
        #[cfg(feature = "gzip")]
        if asks {
            request.extensions_mut().insert(Unwraps);
        }
        *request.method_mut() = Method::from_bytes(meta.method.as_bytes())
            .map_err(|_| EncodeError::new("method", "it is none"))?;
        *request.uri_mut() = base::join(&base, &written.path, &written.query)?;
        *request.headers_mut() = written.headers;
        let limits = self.options.limits.unwrap_or_default();
        request.extensions_mut().insert(limits);
        if let Some(timeout) = self.options.timeout {
            request.extensions_mut().insert(timeout);
        }
        Ok(request)
    }
}

/// Adds the pairs whose keys are not already in the query.
fn add_pairs(query: &mut String, pairs: &[(String, String)]) {
    let own: Vec<String> = query
        .split('&')
        .map(|pair| pair.split('=').next().unwrap_or(pair))
        .map(|key| decode(key, true).map_or_else(|_| key.to_owned(), Cow::into_owned))
        .collect();
    for (name, value) in pairs {
        let plain = decode(name, false).unwrap_or(Cow::Borrowed(name));
        if own.iter().any(|known| *known == *plain) {
            continue;
        }
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(name);
        query.push('=');
        query.push_str(value);
    }
}
