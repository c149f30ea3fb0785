//~ no rules expected `blue`
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    Red,
    Blue,
}
bothends_runtime::string_enum! { Color { Red => "red", Blue => blue } }
