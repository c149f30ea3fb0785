//! The colours of the pages: those that the system prefers, or the light or the dark ones by choice. The
//! choice is a cookie, by which the style sheet differs.

use super::form::{Field, post};
use super::visit::{Page, SCHEME, Submitted, Visit, cookie};
use crate::app::Shared;
use axum::Router;
use axum::response::{AppendHeaders, IntoResponse, Redirect};
use axum::routing::post as on_post;
use http::{HeaderMap, header};
use maud::{Markup, html};

/// In seconds.
const YEAR: i64 = 365 * 24 * 60 * 60;
/// The choices. Without one of them, the system decides.
const SCHEMES: [(&str, &str); 3] = [
    ("system", "As the system"),
    ("light", "Light"),
    ("dark", "Dark"),
];
const STYLE: &str = include_str!("console.css");
/// What begins the colours of each in the style sheet.
const BOTH: &str = "color-scheme: light dark;";
const PREFERRED: &str = "@media (prefers-color-scheme: dark)";

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/scheme", on_post(choose))
}

/// Returns the form that changes the colours, if the page can be loaded again.
pub(super) fn switch(visit: &Visit) -> Option<Markup> {
    let (path, scheme) = visit.loaded.as_ref()?;
    let content = html! {
        input type="hidden" name="next" value=(path);
        (Field::new("scheme", "Colours").value(scheme).choice(&SCHEMES))
        button.plain { "Change" }
    };
    Some(post(visit, "/scheme", &content))
}

async fn choose(submitted: Submitted) -> Page {
    let fields = &submitted.fields;
    let scheme = fields.get("scheme").unwrap_or_default();
    let known = SCHEMES.iter().find(|(name, _)| *name == scheme);
    let scheme = known.map_or("system", |(name, _)| name);
    let cookie = format!("{SCHEME}={scheme}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict");
    // A path of this server: two slashes would begin another one.
    let next = fields.get("next").filter(|next| {
        let mut characters = next.chars();
        characters.next() == Some('/') && !matches!(characters.next(), Some('/' | '\\'))
    });
    let next = Redirect::to(next.unwrap_or("/projects"));
    Ok((AppendHeaders([(header::SET_COOKIE, cookie)]), next).into_response())
}

/// Returns the style sheet.
pub(super) async fn style(headers: HeaderMap) -> impl IntoResponse {
    let (scheme, media) = match cookie(&headers, SCHEME).unwrap_or_default() {
        "light" => ("color-scheme: light;", "@media not all"),
        "dark" => ("color-scheme: dark;", "@media all"),
        _ => (BOTH, PREFERRED),
    };
    let style = STYLE
        .replacen(BOTH, scheme, 1)
        .replacen(PREFERRED, media, 1);
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::VARY, "cookie"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_sheet_has_the_places_that_a_choice_changes() {
        assert_eq!(STYLE.matches(BOTH).count(), 1);
        assert_eq!(STYLE.matches(PREFERRED).count(), 1);
    }
}
