//~ duplicate field `by_mail` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct ByMail {
    pub email: String,
}
bothends_runtime::object! { ByMail(email: String) { "email" => email } }
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    pub by_mail: Option<ByMail>,
    pub by_name: Option<String>,
}
bothends_runtime::any_of! { Contact() { by_mail: ByMail, by_name: String, by_mail: ByMail } }
