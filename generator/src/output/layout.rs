//! Comparison of Rust without its layout: a program may format the generated files by its own settings of rustfmt.

use proc_macro2::{TokenStream, TokenTree};

/// Returns whether two texts of a Rust file differ at most in their layout: in white space, and in commas before a
/// closing bracket.
pub(super) fn is_same(path: &str, one: &str, other: &str) -> bool {
    if one == other || !path.ends_with(".rs") {
        return one == other;
    }
    let (code, wanted) = (one.parse::<TokenStream>(), other.parse::<TokenStream>());
    let same = code.ok().zip(wanted.ok());
    comments(one).eq(comments(other))
        && same.is_some_and(|(one, other)| is_same_code(one, other, DEEPEST))
}

/// Returns the comments that are not documentation. They are no tokens.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| {
        line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
    })
}

/// The depth of brackets up to which code is compared. Generated code has fewer.
const DEEPEST: usize = 128;

fn is_same_code(one: TokenStream, other: TokenStream, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut sides = [one, other].map(|of| significant(of).into_iter());
    loop {
        let [one, other] = sides.each_mut().map(Iterator::next);
        let same = match (one, other) {
            (None, None) => return true,
            (Some(TokenTree::Group(one)), Some(TokenTree::Group(other))) => {
                one.delimiter() == other.delimiter()
                    && is_same_code(one.stream(), other.stream(), depth)
            }
            // Whether a sign is followed by another one depends on white space.
            (Some(TokenTree::Punct(one)), Some(TokenTree::Punct(other))) => {
                one.as_char() == other.as_char()
            }
            (Some(one), Some(other)) => one.to_string() == other.to_string(),
            _ => false,
        };
        if !same {
            return false;
        }
    }
}

/// Returns the tokens without commas at the end, and before a `>`.
fn significant(tokens: TokenStream) -> Vec<TokenTree> {
    let mut all: Vec<TokenTree> = Vec::new();
    for token in tokens {
        if is_sign(Some(&token), '>') && is_sign(all.last(), ',') {
            all.pop();
        }
        all.push(token);
    }
    if is_sign(all.last(), ',') {
        all.pop();
    }
    all
}

fn is_sign(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(of)) if of.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn white_space_and_last_commas_are_layout() {
        let one = "// Generated.

/// A pet.
pub fn pet(a: A<B, C>) -> u8 { send(&[1, 2]) }
";
        let other = "// Generated.
/// A pet.
pub fn pet(
  a: A<
    B,
    C,
  >,
) -> u8 {
  send(&[
    1, 2,
  ])
}
";
        assert!(is_same("a.rs", one, other));
        assert!(!is_same("a.toml", one, other));
    }

    #[test]
    fn names_strings_documentation_and_comments_are_not() {
        let one = "// Generated.
/// A pet.
const A: &str = \"a b\";
";
        for (was, is) in [
            ("Generated", "Made"),
            ("A pet", "A  pet"),
            ("A:", "B:"),
            ("a b", "ab"),
            (";", "; ;"),
        ] {
            assert!(!is_same("a.rs", one, &one.replace(was, is)), "{was}");
        }
    }
}
