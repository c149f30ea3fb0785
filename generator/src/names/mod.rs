//! From names on the wire to names in Rust.
//!
//! # The rule
//!
//! 1. **Words.** A name is split at everything that is neither letter nor digit, and where its case
//!    says so: `HTTPServer` is *http server*, `userIDs` is *user ids*, `oauth2Token` is *oauth2
//!    token*, `IPv4` and `TLSv13` are *ipv4* and *tlsv13*. Some names are one word in spite of their
//!    capitals, which types keep: `OAuth`, `ETag`, `GitHub`, `GitLab` (`oauth2_token`, `OAuth2Token`), and
//!    names that begin with a small letter, such as `iOS` and `eBook`. Compatibility forms count as what they stand for (`Ａ` as `A`, Unicode NFKC).
//! 2. **Signs.** `+ - * # ! < > = $ % & @` before the first word and after the last are spelled out
//!    (`MinusCreated`, `CPlusPlus`) in the values of enums, where they are data, and before a digit
//!    (`$1` is `dollar_1`), and so are signs of numbers anywhere (`GMT+1` is `GmtPlus1`, while
//!    `UTF-8` has a hyphen); elsewhere they are dropped (`@type` is `type`). A name of nothing but
//!    signs is spelled out (`*` is `Star`, a space is `Space`), one of nothing at all is `Empty`.
//! 3. **Case.** Words are written as `snake_case` (fields, methods, modules) or `PascalCase` (types,
//!    variants, traits). Digits that would run together are parted: `1.5` is `N1_5`. A name that
//!    begins with a digit gets an `n`: `n404`, `N404`; a leading `_` would mean "unused" in Rust.
//!    Letters of all scripts stay, except where rustc would warn of them; those are written by code
//!    point. After 100 characters a name is cut.
//! 4. **Names that are not to be had.** Keywords become raw (`r#type`), those without a raw form get
//!    a `_` (`self_`). Types named like something of Rust's prelude or of the generated code get
//!    `Schema` (`OptionSchema`), methods get a `_` (`new_`), modules `_api`, bases `Op`.
//! 5. **Inline types** are named for what they stand in: the Rust name of the type, or the base of
//!    the operation, and then their own words; where that takes more than 100 characters, for the
//!    outermost thing that they stand in. The media types of a body are an enum named
//!    `{base}Content`, those of a response `{base}{Response}Content`. Inline types of what operations
//!    refer to are named for that, and no operation is in their names: `{Parameter}Parameter`,
//!    `{Header}Header`, `{RequestBody}Body`, `{Response}Body`, `{Response}{Header}`, and `…Content`
//!    (the last word is left out where the name ends with it). They are in `types`, and the same for
//!    all operations.
//! 6. **Scopes.** Types of `types`; everything of all operations; everything of
//!    all webhooks; methods of all operations, and of all webhooks; modules of tags; credentials; rejections; servers;
//!    the fields of a struct, the variants of an enum, the fields of a request, the variants of the
//!    responses and those of the errors of an operation, the fields of a response's headers.
//! 7. **Who goes first**, when several of a scope want one name: a name that was asked for
//!    (configuration, `x-bothends-name`, `x-enum-varnames`), then one that is on the wire exactly as
//!    it would be in Rust, then one that loses no sign, then the order of the document. Reusable
//!    schemas go before inline ones, those before inline types of other reusable things (in the order
//!    of parameters, headers, bodies and responses, each by name), and real names before those that we
//!    make up, but the variant for unknown values goes before all: it must not be renamed by a new value.
//! 8. **The others** are spelled out with all their signs, if that makes a difference, else they get
//!    the first free number from 2 on, and a warning says so. Two things never become one.
//!
//! So a name changes only when something is added that has a better claim to it.

mod errors;
mod ident;
mod members;
mod operations;
mod overrides;
mod reserved;
mod scope;
mod status;
#[cfg(test)]
mod tests;
mod types;
mod unicode;
mod words;

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Module};

pub(crate) use ident::is_keyword;
use scope::{Namer, Scope};
use unicode::Lookalikes;

/// Gives everything of an API its Rust name.
///
/// `overrides` are Rust names by what they are for: a JSON pointer (`/components/schemas/Pet`), the
/// name of a reusable schema, an `operationId`, or `Schema.member` for a field or a variant.
pub(crate) fn assign(
    api: &mut Api,
    overrides: &BTreeMap<String, String>,
    diagnostics: &mut Diagnostics,
) {
    overrides::apply(api, overrides, diagnostics);
    errors::release(api);
    let mut namer = Namer {
        diagnostics,
        lookalikes: Lookalikes::default(),
    };
    let mut scopes = Scopes::default();
    operations::tags(api, &mut scopes, &mut namer);
    types::reusable(api, &mut scopes, &mut namer);
    types::inline_of_types(api, &mut scopes, &mut namer);
    operations::shared_bodies(api, &mut scopes, &mut namer);
    operations::methods(api, &mut scopes, &mut namer);
    members::responses(api, &mut namer);
    errors::name(api, &mut scopes, &mut namer);
    operations::bodies(api, &mut scopes, &mut namer);
    types::inline(api, &mut scopes, &mut namer);
    members::of_types(api, &mut namer);
    members::of_operations(api, &mut namer);
    members::schemes(api, &mut namer);
    members::rejections(api, &mut namer);
    members::servers(api, &mut namer);
}

/// The scopes of types.
#[derive(Debug, Default)]
struct Scopes {
    types: Scope,
    operations: Scope,
    webhooks: Scope,
}

impl Scopes {
    const fn of(&mut self, module: Module) -> &mut Scope {
        match module {
            Module::Types => &mut self.types,
            Module::Tag(_) => &mut self.operations,
            Module::Webhooks => &mut self.webhooks,
        }
    }
}
