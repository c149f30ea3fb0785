//! Types that are too long for their line, as rustfmt would break them.

use super::item::{WIDTH, indent};
use super::tokens::flat;
use quote::ToTokens;
use syn::{AngleBracketedGenericArguments, GenericArgument, Path, PathArguments, Type};
use syn::{TypeImplTrait, TypeParamBound};

/// Adds a type at the end of the last line; `tail` characters will follow it there.
pub(super) fn print(text: &mut String, level: usize, ty: &Type, tail: usize) {
    let line = flat(ty.to_token_stream());
    if column(text) + line.chars().count() + tail <= WIDTH {
        text.push_str(&line);
    } else {
        broken(text, level, ty);
    }
}

/// Adds what a function returns, behind parameters that each have their line.
///
/// rustfmt counts this in ways of its own, which are followed here to the column.
pub(super) fn returned(text: &mut String, level: usize, ty: &Type) {
    let room = WIDTH - level * 4;
    let line = flat(ty.to_token_stream());
    let fits = if matches!(ty, Type::ImplTrait(_)) {
        room + 2
    } else {
        room - 3
    };
    if line.chars().count() <= fits {
        text.push_str(&line);
    } else {
        broken(text, level, ty);
    }
}

fn broken(text: &mut String, level: usize, ty: &Type) {
    match ty {
        Type::Path(of) => path(text, level, &of.path),
        Type::ImplTrait(of) => bounds(text, level, of),
        _ => text.push_str(&flat(ty.to_token_stream())),
    }
}

/// Width of the last line so far.
pub(super) fn column(text: &str) -> usize {
    text.rsplit('\n').next().unwrap_or_default().chars().count()
}

/// `a::Name<`, each argument on its line, `>`.
fn path(text: &mut String, level: usize, path: &Path) {
    let arguments = path.segments.last().map(|last| &last.arguments);
    let Some(PathArguments::AngleBracketed(AngleBracketedGenericArguments { args, .. })) =
        arguments
    else {
        text.push_str(&flat(path.to_token_stream()));
        return;
    };
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|part| part.ident.to_string())
        .collect();
    text.push_str(&names.join("::"));
    text.push_str("<\n");
    for argument in args {
        indent(text, level + 1);
        match argument {
            GenericArgument::Type(ty) => print(text, level + 1, ty, 1),
            GenericArgument::AssocType(of) => {
                text.push_str(&of.ident.to_string());
                text.push_str(" = ");
                print(text, level + 1, &of.ty, 1);
            }
            other => text.push_str(&flat(other.to_token_stream())),
        }
        text.push_str(",\n");
    }
    indent(text, level);
    text.push('>');
}

/// `impl A + B`: broken before the `+`, or within the first when that alone is too long.
fn bounds(text: &mut String, level: usize, of: &TypeImplTrait) {
    text.push_str("impl ");
    let mut broken = false;
    for (index, bound) in of.bounds.iter().enumerate() {
        let line = flat(bound.to_token_stream());
        if index > 0 && broken {
            text.push_str(" + ");
        } else if index > 0 {
            text.push('\n');
            indent(text, level);
            text.push_str("+ ");
        }
        match bound {
            TypeParamBound::Trait(bound) if line.chars().count() + 9 + level * 4 > WIDTH => {
                broken = true;
                path(text, level, &bound.path);
            }
            _ => text.push_str(&line),
        }
    }
}
