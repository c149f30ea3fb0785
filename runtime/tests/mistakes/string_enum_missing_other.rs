//~ `&Color::Unrecognized(_)` not covered
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Color {
    Red,
    Unrecognized(bothends_runtime::Unrecognized),
}
bothends_runtime::string_enum! {
    Color {
        Red => "red",
    }
}
