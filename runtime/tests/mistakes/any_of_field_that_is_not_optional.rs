//~ mismatched types
//~ by_name
#[derive(Debug, Clone, PartialEq)]
pub struct ByMail {
    pub email: String,
}
bothends_runtime::object! { ByMail(email: String) { "email" => email } }
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    pub by_mail: Option<ByMail>,
    pub by_name: String,
}
bothends_runtime::any_of! { Contact() { by_mail: ByMail, by_name } }
