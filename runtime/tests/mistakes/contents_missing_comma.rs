//~ no rules expected `"text/plain"`
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Json(String),
    Text(String),
}
bothends_runtime::contents! {
    Body {
        "application/json" => Json(json String)
        "text/plain" => Text(text String),
    }
}
