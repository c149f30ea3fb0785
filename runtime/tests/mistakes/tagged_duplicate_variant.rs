//~ duplicate variant `Lion` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct Cat {
    pub lives: i64,
}
bothends_runtime::object! { Cat(lives: i64) { "lives" => lives } }
#[derive(Debug, Clone, PartialEq)]
pub enum Pet {
    Cat(Cat),
    Lion(Cat),
}
bothends_runtime::tagged! {
    Pet by "kind" {
        Cat => "cat",
        Lion => "lion",
        Lion => "puma",
    }
}
