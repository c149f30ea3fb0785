//~ cannot find type `jsn`
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Json(String),
    Text(String),
}
bothends_runtime::contents! {
    Body {
        "application/json" => Json(jsn String),
        "text/plain" => Text(text String),
    }
}
