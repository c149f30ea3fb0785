//! Forms.

use super::visit::Visit;
use maud::{Markup, html};

/// Returns a form that is submitted with the token of the session.
pub(super) fn post(visit: &Visit, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name="csrf" value=(visit.session.csrf);
            (content)
        }
    }
}

/// Returns a form with files.
pub(super) fn upload(visit: &Visit, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) enctype="multipart/form-data" {
            input type="hidden" name="csrf" value=(visit.session.csrf);
            (content)
        }
    }
}

/// Returns a form that consists of a button.
pub(super) fn action(visit: &Visit, action: &str, label: &str) -> Markup {
    post(visit, action, &html! { button { (label) } })
}

/// Returns a form that consists of a button, with a question before it is submitted. The label for
/// assistive technology says what the button is about.
pub(super) fn danger(visit: &Visit, action: &str, label: &str, question: &str) -> Markup {
    post(
        visit,
        action,
        &html! { button.danger data-confirm=(question) { (label) } },
    )
}

/// A field of a form.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) value: &'a str,
    pub(super) hint: &'a str,
    pub(super) required: bool,
    pub(super) number: bool,
}

impl<'a> Field<'a> {
    pub(super) const fn new(name: &'a str, label: &'a str) -> Self {
        Self {
            name,
            label,
            value: "",
            hint: "",
            required: false,
            number: false,
        }
    }

    pub(super) const fn value(self, value: &'a str) -> Self {
        Self { value, ..self }
    }

    pub(super) const fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    pub(super) const fn number(self) -> Self {
        Self {
            number: true,
            ..self
        }
    }

    fn hint_id(&self) -> Option<String> {
        (!self.hint.is_empty()).then(|| format!("hint-{}", self.name))
    }

    fn around(&self, control: &Markup) -> Markup {
        html! {
            div.field {
                label for={ "field-" (self.name) } { (self.label) }
                (control)
                @if let Some(id) = self.hint_id() { p.hint id=(id) { (self.hint) } }
            }
        }
    }

    /// Returns a line of text.
    pub(super) fn line(self) -> Markup {
        self.around(&html! {
            input id={ "field-" (self.name) } name=(self.name) value=(self.value)
                inputmode=[self.number.then_some("numeric")] required[self.required]
                aria-describedby=[self.hint_id()];
        })
    }

    /// Returns several lines of text.
    pub(super) fn area(self, rows: u32) -> Markup {
        self.around(&html! {
            textarea id={ "field-" (self.name) } name=(self.name) rows=(rows) spellcheck="false"
                required[self.required] aria-describedby=[self.hint_id()] { (self.value) }
        })
    }

    /// Returns a choice between values with labels.
    pub(super) fn choice(self, options: &[(&str, &str)]) -> Markup {
        self.around(&html! {
            select id={ "field-" (self.name) } name=(self.name) aria-describedby=[self.hint_id()] {
                @for (value, label) in options {
                    option value=(value) selected[*value == self.value] { (label) }
                }
            }
        })
    }

    /// Returns a file to choose.
    pub(super) fn file(self, accept: &str) -> Markup {
        self.around(&html! {
            input type="file" id={ "field-" (self.name) } name=(self.name) accept=(accept)
                required[self.required] aria-describedby=[self.hint_id()];
        })
    }
}

/// Returns a box to check.
pub(super) fn check(name: &str, value: &str, label: &str, is_checked: bool) -> Markup {
    html! {
        div.check {
            input type="checkbox" id={ "check-" (name) "-" (value) } name=(name) value=(value) checked[is_checked];
            label for={ "check-" (name) "-" (value) } { (label) }
        }
    }
}
