//~ duplicate value `1` in a table
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    One,
    Two,
}
bothends_runtime::literal_enum! {
    Level {
        One => 1,
        Two => 1,
    }
}
