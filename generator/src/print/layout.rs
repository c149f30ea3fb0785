//! The layout of rustfmt for items that prettyplease breaks otherwise, or that are too long.

use super::lines::{INDENT, fill};
use super::row::split;
use super::signature::joined;
use super::tokens::flat;
use syn::Item;

/// Appends a printed item, within a number of columns.
type Layout = fn(&mut String, &str, usize);

/// Returns the layout of an item without methods.
pub(super) fn of(item: &Item) -> Layout {
    match item {
        Item::Use(_) => import,
        Item::Type(_) => alias,
        Item::Struct(_) => fields,
        Item::Enum(_) => variants,
        Item::Trait(_) => bounds,
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
        fill(text, 1, names, width);
        text.push_str("};");
    }
    text.push('\n');
}

/// Returns the lines, with each type of several lines on one.
fn whole_types(printed: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut whole, mut lines) = (Vec::new(), printed.lines());
    while let Some(line) = lines.next() {
        let mut parts = vec![line];
        if line.ends_with('<') && !line.trim_start().starts_with("//") {
            for next in lines.by_ref() {
                parts.push(next);
                if indent(next) == indent(line) {
                    break;
                }
            }
        }
        whole.push(joined(&parts));
    }
    whole
}

/// Appends an alias, with its type on a second line if it is too long.
fn alias(text: &mut String, printed: &str, width: usize) {
    break_after(text, printed, " =", width);
}

/// Appends a struct, with the type of a field on a second line if it is too long.
fn fields(text: &mut String, printed: &str, width: usize) {
    break_after(text, printed, ":", width);
}

/// Appends lines that begin with `pub`, broken after a sign if they are too long.
fn break_after(text: &mut String, printed: &str, sign: &str, width: usize) {
    for line in whole_types(printed) {
        let is_public = line.trim_start().starts_with("pub ") && !line.ends_with('{');
        let is_long = is_public && line.chars().count() > width;
        let parts = line.split_once(&format!("{sign} ")).filter(|_| is_long);
        match parts {
            Some((name, ty)) => {
                let indent = name.len() - name.trim_start().len();
                let indent = " ".repeat(indent + INDENT.len());
                text.push_str(&format!("{name}{sign}\n{indent}{ty}\n"));
            }
            None => text.push_str(&format!("{line}\n")),
        }
    }
}

/// Appends an enum, with the fields of a variant on separate lines if they are too long.
fn variants(text: &mut String, printed: &str, width: usize) {
    for line in printed.lines() {
        let fields = line
            .strip_suffix(" },")
            .and_then(|line| line.split_once(" { "))
            .and_then(|(name, fields)| Some((name, fields.parse().ok()?)));
        match fields {
            Some((name, fields)) if is_member(name) && line.chars().count() > width => {
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

fn is_member(name: &str) -> bool {
    let name = name.strip_prefix(INDENT).unwrap_or_default();
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '#'))
}

/// Appends a trait without methods, with one bound per line if they are too long for one line.
fn bounds(text: &mut String, printed: &str, width: usize) {
    for line in printed.lines() {
        let bounds = line
            .strip_suffix(" {}")
            .and_then(|line| line.split_once(": "));
        match bounds {
            Some((name, bounds))
                if name.starts_with("pub trait ") && line.chars().count() > width =>
            {
                let bounds = bounds.replace(" + ", &format!("\n{INDENT}+ "));
                text.push_str(&format!("{name}:\n{INDENT}{bounds}\n{{\n}}\n"));
            }
            _ => text.push_str(&format!("{line}\n")),
        }
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
                    Basic, BoxTransport, BuildError, CallOptions, Core, Default, Provided, Secret,
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
            .for_each(|of| item::print(&mut text, of, WIDTH));
        let wanted = "\
use runtime::client::{
    Basic, BoxTransport, BuildError, CallOptions, Core, Default, Provided, Secret,
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
    Server { status: StatusCode, body: types::ErrorBody },
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
