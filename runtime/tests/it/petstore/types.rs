use bothends_runtime::{Base64, Binary, Json, Map, Nullable, Unrecognized};

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
    pub note: Nullable<String>,
    pub owner: Option<Box<Owner>>,
    #[deprecated]
    pub r#type: Option<Kind>,
    pub extra: Map<Json>,
}

bothends_runtime::object! {
    Pet(id: i64, owner: Option<Box<Owner>>) {
        "id" => id,
        "tag": String => tag?,
        "note": String => note?,
        "owner" => owner,
        "type": Kind => r#type?,
        ..extra
    }
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Owner {
    pub name: String,
    pub pets: Vec<Pet>,
}

bothends_runtime::object! {
    Owner(name: String, pets: Vec<Pet>) closed {
        "name" => name,
        "pets" => pets,
    }
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NewPet {
    pub name: Option<String>,
    pub kind: Option<Kind>,
}

bothends_runtime::object! {
    NewPet() {
        "name": String => name?,
        "kind": Kind => kind?,
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum Kind {
    Cat,
    Dog,
    Unrecognized(Unrecognized),
}

bothends_runtime::string_enum! {
    Kind, Unrecognized {
        Cat => "cat",
        Dog => "dog",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
pub enum Order {
    Up,
    Down,
}

bothends_runtime::string_enum! {
    Order {
        Up => "up",
        Down => "down",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Level {
    One,
    Half,
    On,
    Word,
    Nothing,
}

bothends_runtime::literal_enum! {
    Level {
        One => 1,
        Half => -2.5,
        On => true,
        Word => "x",
        Nothing => null,
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PetId(pub String);

bothends_runtime::newtype! { PetId(String) display }

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Photo {
    pub caption: Option<String>,
    pub thumbnail: Option<Base64>,
    pub files: Vec<Binary>,
    pub about: Option<NewPet>,
}

bothends_runtime::object! {
    Photo(files: Vec<Binary>) {
        "caption": String => caption?,
        "thumbnail": Base64 => thumbnail?,
        "files" => files,
        "about": NewPet => about?,
    }
}

#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fault {
    pub code: Code,
    pub message: String,
}

bothends_runtime::object! {
    Fault(code: Code, message: String) {
        "code" => code,
        "message" => message,
    }
}

#[derive(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum Code {
    NotHere,
    Unrecognized(Unrecognized),
}

bothends_runtime::string_enum! { Code, Unrecognized { NotHere => "not_here" } }
