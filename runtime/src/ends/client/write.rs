//! Encoding of an operation's request as the HTTP request that a transport sends.

use super::base;
use super::call::CallOf;
use super::credentials::{choose, cookie_header};
use super::failure::Failure;
use super::idempotency_key;
use super::origin;
use super::{Body, ClientCore, Credential, CredentialSource, MissingCredentials, UntrustedOrigin};
use crate::message::operation::{Target, negotiate};
#[cfg(feature = "gzip")]
use crate::message::payload::coding;
use crate::message::wire::header::LAST_EVENT_ID;
use crate::message::wire::percent::decode;
use crate::message::{Operation, RequestEncoder};
use crate::values::EncodeError;
#[cfg(feature = "gzip")]
use http::HeaderMap;
#[cfg(feature = "gzip")]
use http::header::ACCEPT_ENCODING;
use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{Method, Request};
use std::borrow::Cow;

impl<T> ClientCore<T> {
    pub(super) fn request<O: Operation>(
        &self,
        request: &O,
        credentials: &dyn CredentialSource,
    ) -> Result<Request<Body>, Failure> {
        let mut encoder = RequestEncoder::new(O::META);
        request.encode(&mut encoder);
        let mode = self.options.credentials;
        let credentials = choose(request.security(), credentials, mode).map_err(|schemes| {
            Failure::MissingCredentials(MissingCredentials {
                operation: O::META.id,
                schemes,
            })
        });
        self.finish(CallOf::new::<O>(), &mut encoder, credentials)
    }

    pub(super) fn finish(
        &self,
        call: CallOf,
        encoder: &mut RequestEncoder,
        credentials: Result<Vec<Credential>, Failure>,
    ) -> Result<Request<Body>, Failure> {
        if let Some(error) = &self.options.error {
            return Err(error.clone().into());
        }
        let meta = call.meta;
        let stream = encoder.take_stream();
        let base = self.servers.server_of(meta);
        let path = base.as_deref().map_or("", base::path);
        let mut parts = encoder.take_parts(path)?;
        let credentials = credentials?;
        let base = base?;
        // The base URL of the client, and what overrides it, are trusted.
        let is_own = matches!(base, Cow::Borrowed(_));
        if !is_own && origin::shows(&credentials, &self.options) && !self.trusts(&base) {
            let untrusted = UntrustedOrigin::new(meta.id, &base);
            return Err(Failure::UntrustedOrigin(untrusted));
        }
        let headers = &mut parts.headers;
        for credential in &credentials {
            credential.apply(headers, &mut parts.target, &mut parts.cookies)?;
        }
        add_pairs(&mut parts.target, &self.options.query);
        if let Some((name, value)) = cookie_header(&parts.cookies)? {
            headers.insert(name, value);
        }
        for (name, value) in &self.options.headers {
            if !headers.contains_key(name) {
                headers.insert(name.clone(), value.clone());
            }
        }
        if let Some(id) = &self.options.last_event_id {
            headers.insert(LAST_EVENT_ID, id.clone());
        }
        idempotency_key::fill(headers, meta);
        if let Some(accepted) = negotiate::accept(call.rows) {
            headers.entry(ACCEPT).or_insert(accepted);
        }
        let user_agent = headers.entry(USER_AGENT);
        user_agent.or_insert_with(|| self.user_agent.clone());
        let buffered = parts.body;
        let body = stream.or_else(|| buffered.map(|(media, bytes)| (media, Body::from(bytes))));
        let body = body.map_or_else(Body::empty, |(content_type, body)| {
            headers.insert(CONTENT_TYPE, content_type);
            body
        });
        #[cfg(feature = "gzip")]
        let (call, body) = self.coding(call, headers, body);
        let mut request = Request::new(body);
        *request.method_mut() = Method::from_bytes(meta.method.as_bytes())
            .map_err(|_| EncodeError::new("method", "it is not a method"))?;
        *request.uri_mut() = base::at(&base, parts.target)?;
        *request.headers_mut() = parts.headers;
        let extensions = request.extensions_mut();
        extensions.insert(call);
        // For transports and layers.
        extensions.insert(meta);
        extensions.insert(self.options.limits.unwrap_or_default());
        if let Some(timeout) = self.options.timeout {
            extensions.insert(timeout);
        }
        Ok(request)
    }

    /// Compresses the body if the client is to do so, and asks for a compressed response unless the
    /// caller has.
    #[cfg(feature = "gzip")]
    fn coding(&self, mut call: CallOf, headers: &mut HeaderMap, body: Body) -> (CallOf, Body) {
        let body = if self.compressed {
            coding::wrapped(headers, body)
        } else {
            body
        };
        call.decodes = !headers.contains_key(ACCEPT_ENCODING);
        if call.decodes {
            let accepted = http::HeaderValue::from_static(coding::ACCEPTED);
            headers.insert(ACCEPT_ENCODING, accepted);
        }
        (call, body)
    }
}

/// Adds the pairs whose keys are not already in the query.
fn add_pairs(target: &mut Target, pairs: &[(String, String)]) {
    if pairs.is_empty() {
        return;
    }
    let own: Vec<String> = target
        .query()
        .split('&')
        .map(|pair| pair.split('=').next().unwrap_or(pair))
        .map(|key| decode(key, true).map_or_else(|_| key.to_owned(), Cow::into_owned))
        .collect();
    for (name, value) in pairs {
        let plain = decode(name, false).unwrap_or(Cow::Borrowed(name));
        if own.iter().any(|known| *known == *plain) {
            continue;
        }
        let query = target.begin_pair();
        query.push_str(name);
        query.push('=');
        query.push_str(value);
    }
}
