//~ ; 1]` is not a JSON scalar
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    One,
    Two,
}
bothends_runtime::literal_enum! {
    Level {
        One => 1,
        Two => [2],
    }
}
