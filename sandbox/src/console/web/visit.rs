//! Requests of people who are signed in.

use super::html::sentence;
use crate::app::Shared;
use crate::console::actions;
use crate::console::failure::Failure;
use crate::console::session::{self, Notice, Session};
use crate::model::Project;
use crate::store::Stored;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::RequestPartsExt;
use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, FromRequestParts, Multipart, Path, Request};
use axum::response::{IntoResponse, Redirect, Response};
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use std::collections::HashMap;

/// The cookie of a session.
pub(super) const COOKIE: &str = "sandbox_session";
/// The cookie of the colours.
pub(super) const SCHEME: &str = "sandbox_scheme";

/// A response, or why there is none.
pub(super) type Page = Result<Response, Refusal>;

/// Why a page is not shown.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Nobody is signed in.
    SignIn,
    /// The form was not one of this session.
    Forged,
    /// The form cannot be read, or is too large.
    Form(StatusCode, String),
    /// The action failed.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A person who is signed in.
#[derive(Debug)]
pub(super) struct Visit {
    /// The state.
    pub(super) app: Shared,
    /// The session.
    pub(super) session: Session,
    /// What the last action has left to say.
    pub(super) notice: Option<Notice>,
    /// The path of a page that can be loaded again, and the colours that are chosen for it.
    pub(super) loaded: Option<(String, String)>,
}

impl Visit {
    /// Returns a project.
    pub(super) async fn project(&self, id: &str) -> Result<Stored<Project>, Refusal> {
        Ok(actions::project(&self.app, id).await?)
    }

    /// Redirects after an action, and has the next page say how it went.
    pub(super) async fn after<T>(
        &self,
        result: Result<T, Failure>,
        done: &str,
        next: &str,
    ) -> Page {
        let notice = match result {
            Ok(_) => Notice {
                is_error: false,
                text: done.to_owned(),
            },
            Err(failure) => Notice {
                is_error: true,
                text: sentence(&failure),
            },
        };
        session::leave_notice(&self.app, &self.session, notice).await?;
        Ok(Redirect::to(next).into_response())
    }
}

/// Returns the value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// A request without a notice, such as a stream.
#[derive(Debug)]
pub(super) struct Quiet(pub(super) Visit);

impl FromRequestParts<Shared> for Quiet {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let cookie = cookie(&parts.headers, COOKIE).ok_or(Refusal::SignIn)?;
        let session = session::find(app, cookie).await?.ok_or(Refusal::SignIn)?;
        let app = Shared::clone(app);
        Ok(Self(Visit {
            app,
            session,
            notice: None,
            loaded: None,
        }))
    }
}

impl FromRequestParts<Shared> for Visit {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Refusal> {
        let Quiet(mut visit) = Quiet::from_request_parts(parts, app).await?;
        visit.notice = session::take_notice(app, &visit.session).await?;
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let scheme = cookie(&parts.headers, SCHEME).unwrap_or_default();
        visit.loaded = Some((path.to_owned(), scheme.to_owned()));
        Ok(visit)
    }
}

/// A form that was submitted in this session.
#[derive(Debug)]
pub(super) struct Submitted {
    /// Who has submitted it.
    pub(super) visit: Visit,
    /// The fields.
    pub(super) fields: Fields,
    path: HashMap<String, String>,
}

impl Submitted {
    /// Returns a part of the path by its name in the route.
    pub(super) fn path(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// Returns the id of the project in the path.
    pub(super) fn project(&self) -> &str {
        self.path("id")
    }
}

/// The fields of a form.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Returns the value of a field, unless it is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let field = self.0.iter().find(|(known, _)| known == name);
        let value = field.map(|(_, value)| value.trim());
        value.filter(|value| !value.is_empty())
    }

    /// Returns the value of a field as it was typed. Forms are sent with CR LF for a line break.
    pub(super) fn typed(&self, name: &str) -> String {
        let field = self.0.iter().find(|(known, _)| known == name);
        field.map_or_else(String::new, |(_, value)| value.replace("\r\n", "\n"))
    }

    /// Returns the value of a field as an owned text, unless it is empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// Returns the values of a field that are not empty.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter().filter(move |(known, _)| known == name);
        fields
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// Returns `true` for a box that is checked.
    pub(super) fn is_checked(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the value of a field that is required.
    pub(super) fn required(&self, name: &str) -> Result<String, Failure> {
        self.text(name)
            .ok_or_else(|| Failure::field(name, "is empty"))
    }

    /// Returns the value of a field as a number.
    pub(super) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>, Failure> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|_| Failure::field(name, "is not such a number"))
        };
        self.get(name).map(parse).transpose()
    }

    /// Returns the value of a field that is one of the words of a type.
    pub(super) fn word<T: serde::de::DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Failure> {
        let read = |text: &str| {
            serde_json::from_value(serde_json::Value::from(text))
                .map_err(|error| Failure::field(name, error))
        };
        self.get(name).map(read).transpose()
    }
}

impl FromRequest<Shared> for Submitted {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Shared) -> Result<Self, Refusal> {
        let (mut parts, body) = request.into_parts();
        let Quiet(visit) = Quiet::from_request_parts(&mut parts, app).await?;
        let path = parts.extract::<Path<HashMap<String, String>>>().await;
        let path = path.map_or_else(|_| HashMap::new(), |Path(path)| path);
        let fields = fields(Request::from_parts(parts, body)).await?;
        let token = fields.get("csrf").unwrap_or_default();
        if verify_slices_are_equal(token.as_bytes(), visit.session.csrf.as_bytes()).is_err() {
            return Err(Refusal::Forged);
        }
        Ok(Self {
            visit,
            fields,
            path,
        })
    }
}

/// Reads the fields of a form, URL-encoded or with files.
pub(super) async fn fields(request: Request) -> Result<Fields, Refusal> {
    let content_type = request.headers().get(header::CONTENT_TYPE);
    let content_type = content_type
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if !content_type.starts_with("multipart/form-data") {
        let body = Bytes::from_request(request, &())
            .await
            .map_err(|error| Refusal::Form(error.status(), error.body_text()))?;
        return Ok(Fields(
            url::form_urlencoded::parse(&body).into_owned().collect(),
        ));
    }
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|error| Refusal::Form(error.status(), error.body_text()))?;
    let refused = |error: MultipartError| Refusal::Form(error.status(), error.body_text());
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.map_err(refused)? {
        let name = field.name().unwrap_or_default().to_owned();
        fields.push((name, field.text().await.map_err(refused)?));
    }
    Ok(Fields(fields))
}
