//~ mismatched types
//~ i64
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Ok(String),
    NoContent,
}
bothends_runtime::responses! {
    Body {
        200 => Ok(json i64),
        204 => NoContent,
    }
}
