//~ Bird
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
pub enum Pet {
    Cat(Cat),
    Dog(Dog),
}
bothends_runtime::tagged! { Pet by "kind" { Cat => "cat", Dog => "dog", Bird => "bird" } }
