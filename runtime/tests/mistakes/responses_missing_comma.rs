//~ no rules expected `204`
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Ok(String),
    NoContent,
}
bothends_runtime::responses! {
    Body {
        200 => Ok(json String)
        204 => NoContent,
    }
}
