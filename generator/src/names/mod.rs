//! Rust names for the names of the document.
//!
//! # The rule
//!
//! 1. **Words.** A name is split at all characters that are neither letters nor digits, and where
//!    its case changes: `HTTPServer` is *http server*, `userIDs` is *user ids*, `oauth2Token` is
//!    *oauth2 token*, `IPv4` and `TLSv13` are *ipv4* and *tlsv13*. Some names are one word in spite
//!    of their capitals, which types keep: `OAuth`, `ETag`, `GitHub`, `GitLab` (`oauth2_token`,
//!    `OAuth2Token`), and names that begin with a small letter, such as `iOS` and `eBook`.
//!    Compatibility forms are replaced by what they stand for (`Ａ` by `A`, Unicode NFKC).
//! 2. **Signs.** `+ - * # ! < > = $ % & @` before the first word and after the last are spelled out
//!    (`MinusCreated`, `CPlusPlus`) in the values of enums, where they are data, and before a digit
//!    (`$1` is `dollar_1`). Signs of numbers are spelled out anywhere (`GMT+1` is `GmtPlus1`, while
//!    `UTF-8` has a hyphen). All other signs are dropped (`@type` is `type`). A name that consists
//!    of signs is spelled out (`*` is `Star`, a space is `Space`). An empty name is `Empty`.
//! 3. **Case.** Words are written as `snake_case` (fields, methods, modules) or `PascalCase`
//!    (types, variants, traits). Digits that would run together are separated: `1.5` is `N1_5`. A
//!    name that begins with a digit gets an `n`: `n404`, `N404`; a leading `_` would mean "unused"
//!    in Rust. Letters of all scripts stay, except where rustc would warn; those are written by
//!    code point. A name is cut after 100 characters.
//! 4. **Unavailable names.** Keywords become raw (`r#type`), those without a raw form get a `_`
//!    (`self_`). Types with a name from Rust's prelude or from the generated code get `Schema`
//!    (`OptionSchema`), methods get a `_` (`new_`), modules `_api`, bases `Op`.
//! 5. **Inline types** are named after their parent and their own words. The parent is a type, by
//!    its Rust name, or an operation, by its base; where the name would exceed 100 characters, the
//!    outermost parent is used. The media types of a body are an enum named `{base}Content`, those
//!    of a response `{base}{Response}Content`. Inline types of reusable parts are named after the
//!    part, without the name of an operation: `{Parameter}Parameter`, `{Header}Header`,
//!    `{RequestBody}Body`, `{Response}Body`, `{Response}{Header}`, and `…Content` (the last word is
//!    omitted where the name ends with it). They are in `types`, and the same for all operations.
//!    The type of several equal places is named by what they have in common (`sharing/words.rs`).
//!    A `title` that is a name is the name of an inline type, unless a component or another inline
//!    type has it. A schema to which a reference leads, and that is no component, is named by its
//!    pointer (`dialect/pointed.rs`).
//! 6. **Scopes.** Each of these is a scope: types of `types`; all items of all operations; all
//!    items of all webhooks; methods of all operations, and of all webhooks; modules of tags;
//!    credentials; rejections; servers; the fields of a struct; the variants of an enum; the fields
//!    of a request; the variants of the responses and those of the errors of an operation; the
//!    fields of a response's headers.
//! 7. **Precedence**, when several items of a scope have a claim to one name: first a requested
//!    name (configuration, `x-bothends-name`, `x-enum-varnames`), then a name whose form on the
//!    wire is its form in Rust, then a name that loses no sign, then the order of the document.
//!    Reusable schemas precede inline schemas, and those precede inline types of other reusable
//!    parts (in the order of parameters, headers, bodies and responses, each by name). Types of
//!    several places are last, in the order of their content. Names of the document precede names
//!    that the generator invents. The variant for unknown values precedes all others: a new value
//!    must not rename it. The base of an operation whose request is called like a type of `types`
//!    gets `Op`: users import both modules by a glob.
//! 8. **The others** are spelled out with all their signs, if that makes a difference. Otherwise
//!    they get the first free number from 2 on, and a warning reports the number. Two items never
//!    share a name.
//! 9. **Shared errors** are named after the types of their bodies and their statuses
//!    (`Problem401_404`). A name of more than 42 characters is a list of the statuses
//!    (`Errors401_403_404`). More than five statuses become words: the phrases of those that most
//!    operations lack, as many as fit, and `ClientErrors`, `ServerErrors` or `OtherErrors` for the
//!    rest (`NotFoundOrClientErrors`). Headers distinguish errors with equal words
//!    (`Problem429WithRetryAfter`), and then numbers, in the order of their content. Neither media
//!    types nor the order of operations matter.
//! 10. **Structs of required values** are named after the type that is created from them
//!     (`PetInit`, `CopyFileRequestInit`), if its constructor takes values by name. Those of
//!     `types` are named last, so that they rename nothing.
//!
//! A name therefore changes only when an added item has a better claim to it.

mod casing;
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
use crate::position::Keys;

pub(crate) use ident::{constant, flow_constant, is_keyword};
use scope::{Namer, Scope};
use unicode::Lookalikes;

/// Applies the names that the configuration requests.
///
/// `overrides` are Rust names by their target: a JSON pointer (`/components/schemas/Pet`), after the
/// path of its file unless that is the root document (`common.yaml#/components/schemas/Money`), the
/// name of a reusable schema, an `operationId`, or `Schema.member` for a field or a variant.
pub(crate) fn request(
    api: &mut Api,
    overrides: &BTreeMap<String, String>,
    keys: &Keys,
    diagnostics: &mut Diagnostics,
) {
    overrides::apply(api, overrides, keys, diagnostics);
}

/// Assigns a Rust name to every item of an API.
pub(crate) fn assign(api: &mut Api, diagnostics: &mut Diagnostics) {
    errors::release(api);
    let mut namer = Namer {
        diagnostics,
        lookalikes: Lookalikes::default(),
    };
    let mut scopes = Scopes::default();
    operations::tags(api, &mut scopes, &mut namer);
    types::reusable(api, &mut scopes, &mut namer);
    types::titled(api, true, &mut scopes, &mut namer);
    types::inline_of_types(api, &mut scopes, &mut namer);
    operations::shared_bodies(api, &mut scopes, &mut namer);
    types::shared(api, &mut scopes, &mut namer);
    operations::methods(api, &mut scopes, &mut namer);
    members::responses(api, &mut namer);
    errors::name(api, &mut scopes, &mut namer);
    operations::bodies(api, &mut scopes, &mut namer);
    types::titled(api, false, &mut scopes, &mut namer);
    types::inline(api, &mut scopes, &mut namer);
    members::of_types(api, &mut namer);
    members::of_operations(api, &mut namer);
    members::schemes(api, &mut namer);
    members::rejections(api, &mut namer);
    members::servers(api, &mut namer);
    types::inits(api, &mut scopes, &mut namer);
}

/// The scopes of types.
#[derive(Debug, Default)]
struct Scopes {
    types: Scope,
    operations: Scope,
    webhooks: Scope,
}

impl Scopes {
    const fn scope_of(&mut self, module: Module) -> &mut Scope {
        match module {
            Module::Types => &mut self.types,
            Module::Tag(_) => &mut self.operations,
            Module::Webhooks => &mut self.webhooks,
        }
    }
}
