//! The layout of rustfmt for items that prettyplease breaks otherwise, or that are too long.

use super::expression;
use super::lines::{INDENT, fill, whole_types};
use super::row::split;
use super::tokens::flat;
use syn::Item;

/// Appends a printed item, within a number of columns.
type Layout = fn(&mut String, &str, usize);

/// Returns the layout of an item without methods.
pub(super) fn layout_of(item: &Item) -> Layout {
    match item {
        Item::Use(_) => import,
        Item::Type(_) => alias,
        Item::Struct(_) => fields,
        Item::Enum(_) => variants,
        Item::Trait(_) => bounds,
        Item::Impl(_) => bounded,
        Item::Fn(_) => function,
        _ => |text, printed, _| text.push_str(printed),
    }
}

/// Appends an import with as many names per line as fit.
fn import(text: &mut String, printed: &str, width: usize) {
    let names = printed.trim_end().strip_suffix("};");
    let Some((head, names)) = names.and_then(|printed| printed.split_once('{')) else {
        text.push_str(printed);
        return;
    };
    let names = names.split(',').map(str::trim);
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let line = format!("{head}{{{}}};", names.join(", "));
    if line.chars().count() <= width {
        text.push_str(&line);
    } else {
        text.push_str(&format!("{head}{{\n"));
        // rustfmt leaves the last column of such a line empty.
        fill(text, 1, names, width - 1);
        text.push_str("};");
    }
    text.push('\n');
}

/// Appends an alias, with its type on a second line if it is too long.
fn alias(text: &mut String, printed: &str, width: usize) {
    break_after(text, printed, " =", width);
}

/// Appends a struct, with the type of a field on a second line if it is too long.
fn fields(text: &mut String, printed: &str, width: usize) {
    break_after(text, printed, ":", width);
}

/// Appends the head of a type with its brace on a line of its own, if it is too long. Returns `false` for others.
fn head(text: &mut String, line: &str, width: usize) -> bool {
    let head = line.strip_suffix(" {").filter(|_| line.starts_with("pub "));
    let long = head.filter(|_| line.chars().count() > width);
    if let Some(head) = long {
        text.push_str(&format!("{head}\n{{\n"));
    }
    long.is_some()
}

/// Appends lines that begin with `pub`, broken after a sign if they are too long.
fn break_after(text: &mut String, printed: &str, sign: &str, width: usize) {
    for line in whole_types(printed.lines()) {
        if head(text, &line, width) {
            continue;
        }
        let is_public = line.trim_start().starts_with("pub ") && !line.ends_with('{');
        let is_long = is_public && line.chars().count() > width;
        let parts = line.split_once(&format!("{sign} ")).filter(|_| is_long);
        match parts {
            Some((name, ty)) => {
                let outer = &name[..name.len() - name.trim_start().len()];
                let generic = ty.split_once('<').filter(|_| {
                    outer.len() + INDENT.len() + ty.chars().count() > width && !ty.contains('(')
                });
                let inner = generic.and_then(|(path, rest)| Some((path, rest.rsplit_once('>')?)));
                text.push_str(&match inner {
                    Some((path, (inner, end))) => {
                        format!("{name}{sign} {path}<\n{outer}{INDENT}{inner},\n{outer}>{end}\n")
                    }
                    None => format!("{name}{sign}\n{outer}{INDENT}{ty}\n"),
                });
            }
            None => text.push_str(&format!("{line}\n")),
        }
    }
}

/// Appends a function with another layout of its body.
fn function(text: &mut String, printed: &str, width: usize) {
    let mut lines = printed.split_inclusive('\n').peekable();
    for line in lines.by_ref() {
        text.push_str(line);
        if line.trim_end().ends_with('{') && !line.starts_with("//") {
            break;
        }
    }
    let body = std::iter::from_fn(|| lines.next_if(|line| line.trim_end() != "}"));
    let body: Vec<&str> = body.map(|line| line.trim_end_matches('\n')).collect();
    expression::body(text, &body, 1, width);
    lines.for_each(|line| text.push_str(line));
}

/// Appends an enum, with the fields of a variant on separate lines if they are too long.
fn variants(text: &mut String, printed: &str, width: usize) {
    for line in whole_variants(printed, width) {
        let line = line.as_str();
        if head(text, line, width) {
            continue;
        }
        let fields = line
            .strip_suffix(" },")
            .and_then(|line| line.split_once(" { "))
            .and_then(|(name, fields)| Some((name, fields.parse().ok()?)));
        match fields {
            Some((name, fields)) if is_member(name) && is_wide(line, name, width) => {
                text.push_str(&format!("{name} {{\n"));
                for field in split(fields) {
                    text.push_str(&format!(
                        "{INDENT}{INDENT}{},\n",
                        flat(field.into_iter().collect())
                    ));
                }
                text.push_str(&format!("{INDENT}}},\n"));
            }
            _ => text.push_str(&format!("{line}\n")),
        }
    }
}

/// Returns the lines, with each variant of a single type on one where it fits.
fn whole_variants(printed: &str, width: usize) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut lines = printed.lines();
    while let Some(line) = lines.next() {
        if !line.strip_suffix('(').is_some_and(is_member) {
            whole.push(line.to_owned());
            continue;
        }
        let inner: Vec<&str> = lines
            .by_ref()
            .take_while(|line| line.trim() != "),")
            .collect();
        let joined: String = inner.iter().map(|line| line.trim()).collect();
        let joined = format!("{line}{}),", joined.trim_end_matches(','));
        if joined.chars().count() <= width {
            whole.push(joined);
        } else {
            whole.push(line.to_owned());
            whole.extend(inner.into_iter().map(str::to_owned));
            whole.push(format!("{INDENT}),"));
        }
    }
    whole
}

/// Returns whether rustfmt gives the fields of a variant lines of their own.
fn is_wide(line: &str, name: &str, width: usize) -> bool {
    let columns = line.chars().count();
    columns > width || columns - name.chars().count() > " {  },".len() + FIELDS
}

/// The columns of a variant's fields on one line.
const FIELDS: usize = 35;

fn is_member(name: &str) -> bool {
    let name = name.strip_prefix(INDENT).unwrap_or_default();
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '#'))
}

/// Appends a trait without methods, with the bounds on lines of their own if they are too long.
fn bounds(text: &mut String, printed: &str, width: usize) {
    for line in printed.lines() {
        let bounds = line
            .strip_suffix(" {}")
            .and_then(|line| line.split_once(": "));
        match bounds {
            Some((name, bounds))
                if name.starts_with("pub trait ") && line.chars().count() + BRACES > width =>
            {
                let bounds = list_of_bounds(bounds, INDENT, INDENT.len(), width);
                text.push_str(&format!("{name}:\n{INDENT}{bounds}\n{{\n}}\n"));
            }
            _ => text.push_str(&format!("{line}\n")),
        }
    }
}

/// The columns that rustfmt leaves behind a trait without methods.
const BRACES: usize = 7;

/// Returns bounds on one line, or each on its own if they do not fit after a number of columns.
fn list_of_bounds(bounds: &str, indent: &str, before: usize, width: usize) -> String {
    if before + bounds.chars().count() <= width {
        return bounds.to_owned();
    }
    bounds.replace(" + ", &format!("\n{indent}+ "))
}

/// Appends an impl without items, with the bounds of its only parameter on lines of their own if they are too
/// long.
fn bounded(text: &mut String, printed: &str, width: usize) {
    let words: Vec<&str> = printed.split_whitespace().collect();
    let line = words
        .join(" ")
        .replace("impl< ", "impl<")
        .replace(", >", ">");
    let parts = line
        .strip_prefix("impl<")
        .and_then(|line| line.strip_suffix(" {}")?.split_once("> "))
        .and_then(|(parameter, rest)| {
            Some((parameter.split_once(": ")?, rest.split_once(" for ")?))
        });
    let Some(((parameter, bounds), (trait_name, ty))) = parts else {
        text.push_str(printed);
        return;
    };
    let head = format!("impl<{parameter}: {bounds}>");
    let columns = head.chars().count();
    if line.chars().count() <= width {
        text.push_str(&line);
        text.push('\n');
    } else if columns + 1 + trait_name.chars().count() <= width {
        text.push_str(&format!("{head} {trait_name}\n{INDENT}for {ty}\n{{\n}}\n"));
    } else if columns <= width {
        text.push_str(&format!("{head}\n{INDENT}{trait_name} for {ty}\n{{\n}}\n"));
    } else {
        let before = INDENT.len() + parameter.chars().count() + ": ,".len();
        let bounds = list_of_bounds(bounds, &INDENT.repeat(2), before, width);
        text.push_str(&format!(
            "impl<\n{INDENT}{parameter}: {bounds},\n> {trait_name} for {ty}\n{{\n}}\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::item;
    use super::super::lines::WIDTH;
    use syn::{Item, parse_quote};

    #[test]
    fn long_items_have_several_lines() {
        let items: Vec<Item> = vec![
            parse_quote!(
                use runtime::client::{
                    Basic, BoxTransport, BuildError, CallOptions, ClientCore, Default, Provided,
                    Secret,
                };
            ),
            parse_quote!(
                pub type ObjectOfAdditionalPropertiesObjectPolymorphism =
                    Map<ObjectOfAdditionalPropertiesObjectPolymorphismValue>;
            ),
            parse_quote! {
                pub struct Pet {
                    pub untyped_choice_field_method_with_explicit_choices: Option<ProductsListUntypedChoiceFieldMethod>,
                    pub discrim_value: Option<PatchMappingWithDuplicateSchemasBodyOptionOneNoDiscriminator>,
                }
            },
            parse_quote! {
                pub enum PetError {
                    Client { status: StatusCode },
                    Server { status: StatusCode, body: types::ErrorBody },
                    Other {
                        status: StatusCode,
                        causes: BTreeMap<String, String>,
                        body: types::ObReadProduct2DataProductItemOtherProductTypeOverdraftOverdraftTierBandSet
                    },
                }
            },
            parse_quote!(
                pub trait Api:
                    AccountsApi
                    + BalancesApi
                    + BeneficiariesApi
                    + DirectDebitsApi
                    + ScheduledPaymentsApi
                    + StandingOrdersApi
                {
                }
            ),
        ];
        let mut text = String::new();
        items
            .into_iter()
            .for_each(|parsed| item::print(&mut text, parsed, WIDTH));
        let wanted = "\
use runtime::client::{
    Basic, BoxTransport, BuildError, CallOptions, ClientCore, Default, Provided, Secret,
};
pub type ObjectOfAdditionalPropertiesObjectPolymorphism =
    Map<ObjectOfAdditionalPropertiesObjectPolymorphismValue>;
pub struct Pet {
    pub untyped_choice_field_method_with_explicit_choices:
        Option<ProductsListUntypedChoiceFieldMethod>,
    pub discrim_value: Option<PatchMappingWithDuplicateSchemasBodyOptionOneNoDiscriminator>,
}
pub enum PetError {
    Client { status: StatusCode },
    Server {
        status: StatusCode,
        body: types::ErrorBody,
    },
    Other {
        status: StatusCode,
        causes: BTreeMap<String, String>,
        body: types::ObReadProduct2DataProductItemOtherProductTypeOverdraftOverdraftTierBandSet,
    },
}
pub trait Api:
    AccountsApi
    + BalancesApi
    + BeneficiariesApi
    + DirectDebitsApi
    + ScheduledPaymentsApi
    + StandingOrdersApi
{
}
";
        assert_eq!(text, wanted);
    }
}
