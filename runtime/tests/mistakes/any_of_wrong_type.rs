//~ the trait bound `std::option::Option<Dog>: From<Cat>` is not satisfied
#[derive(Debug, Clone, PartialEq)]
pub struct Cat {
    pub lives: i64,
}
bothends_runtime::object! { Cat(lives: i64) { "lives" => lives } }
#[derive(Debug, Clone, PartialEq)]
pub struct Dog {
    pub name: String,
}
bothends_runtime::object! { Dog(name: String) { "name" => name } }
#[derive(Debug, Clone, PartialEq)]
pub struct Both {
    pub cat: Option<Cat>,
    pub dog: Option<Dog>,
}
bothends_runtime::any_of! { Both() { cat: Cat, dog: Cat } }
