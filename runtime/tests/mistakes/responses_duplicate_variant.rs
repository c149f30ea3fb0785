//~ duplicate variant `Ok` in a table
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    Ok(String),
}
bothends_runtime::responses! {
    Body {
        200 => Ok(json String),
        201 => Ok(json String),
    }
}
