//~ pattern `&Color::Blue` not covered
#[derive(Debug, Clone, Copy, PartialEq, Hash)]
pub enum Color {
    Red,
    Blue,
}
bothends_runtime::string_enum! { Color { Red => "red" } }
