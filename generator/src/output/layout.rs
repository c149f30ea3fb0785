//! Comparison of Rust without its layout: a program may format the generated files by its own settings of rustfmt.

use proc_macro2::{TokenStream, TokenTree};

/// Returns whether two texts of a Rust file differ at most in their layout: in white space, and in commas before a
/// closing bracket.
pub(super) fn is_same(path: &str, left: &str, right: &str) -> bool {
    if left == right || !path.ends_with(".rs") {
        return left == right;
    }
    let (code, wanted) = (left.parse::<TokenStream>(), right.parse::<TokenStream>());
    let same = code.ok().zip(wanted.ok());
    comments(left).eq(comments(right))
        && same.is_some_and(|(left, right)| is_same_code(left, right, DEEPEST))
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

fn is_same_code(left: TokenStream, right: TokenStream, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut sides = [left, right].map(|tokens| significant(tokens).into_iter());
    loop {
        let [left, right] = sides.each_mut().map(Iterator::next);
        let same = match (left, right) {
            (None, None) => return true,
            (Some(TokenTree::Group(left)), Some(TokenTree::Group(right))) => {
                left.delimiter() == right.delimiter()
                    && is_same_code(left.stream(), right.stream(), depth)
            }
            // Whether a sign is followed by another one depends on white space.
            (Some(TokenTree::Punct(left)), Some(TokenTree::Punct(right))) => {
                left.as_char() == right.as_char()
            }
            (Some(left), Some(right)) => left.to_string() == right.to_string(),
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
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::is_same;

    #[test]
    fn white_space_and_last_commas_are_layout() {
        let left = "// Generated.

/// A pet.
pub fn pet(a: A<B, C>) -> u8 { send(&[1, 2]) }
";
        let right = "// Generated.
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
        assert!(is_same("a.rs", left, right));
        assert!(!is_same("a.toml", left, right));
    }

    #[test]
    fn names_strings_documentation_and_comments_are_not() {
        let text = "// Generated.
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
            assert!(!is_same("a.rs", text, &text.replace(was, is)), "{was}");
        }
    }
}
