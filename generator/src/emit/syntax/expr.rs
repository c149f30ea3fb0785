//! Expressions, patterns and match arms.

use super::ident::id;
use super::path::path;
use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{
    Arm, Expr, ExprCall, ExprClosure, ExprField, ExprLit, ExprMatch, ExprMethodCall, ExprPath,
    ExprRange, ExprReference, ExprStruct, ExprTry, FieldPat, FieldValue, Lit, LitInt, LitStr,
    Member, Pat, PatIdent, PatStruct, PatTupleStruct, PatWild, Path, RangeLimits, ReturnType,
};

/// A path as an expression.
pub(in crate::emit) fn path_expr(path: impl Into<Path>) -> Expr {
    Expr::Path(ExprPath {
        attrs: Vec::new(),
        qself: None,
        path: path.into(),
    })
}

/// A name of our own as an expression.
pub(in crate::emit) fn var(name: &'static str) -> Expr {
    path_expr(id(name))
}

/// `Self::Name` as a path.
pub(in crate::emit) fn self_path(ident: Ident) -> Path {
    path([id("Self"), ident])
}

/// A string literal.
pub(in crate::emit) fn string(text: &str) -> Expr {
    literal(Lit::Str(LitStr::new(text, Span::call_site())))
}

/// A status code as a literal.
pub(in crate::emit) fn status_code(code: u16) -> Expr {
    literal(Lit::Int(LitInt::new(&code.to_string(), Span::call_site())))
}

/// A literal as an expression.
pub(in crate::emit) fn literal(lit: Lit) -> Expr {
    Expr::Lit(ExprLit {
        attrs: Vec::new(),
        lit,
    })
}

/// `func(args)`
pub(in crate::emit) fn call(func: Expr, args: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::Call(ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// `receiver.name(args)`
pub(in crate::emit) fn method(
    receiver: Expr,
    name: &'static str,
    args: impl IntoIterator<Item = Expr>,
) -> Expr {
    Expr::MethodCall(ExprMethodCall {
        attrs: Vec::new(),
        receiver: Box::new(receiver),
        dot_token: Default::default(),
        method: id(name),
        turbofish: None,
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// `base.member`
pub(in crate::emit) fn member(base: Expr, member: impl Into<Member>) -> Expr {
    Expr::Field(ExprField {
        attrs: Vec::new(),
        base: Box::new(base),
        dot_token: Default::default(),
        member: member.into(),
    })
}

/// `&expr`
pub(in crate::emit) fn borrow(expr: Expr) -> Expr {
    Expr::Reference(ExprReference {
        attrs: Vec::new(),
        and_token: Default::default(),
        mutability: None,
        expr: Box::new(expr),
    })
}

/// `expr?`
pub(in crate::emit) fn question(expr: Expr) -> Expr {
    Expr::Try(ExprTry {
        attrs: Vec::new(),
        expr: Box::new(expr),
        question_token: Default::default(),
    })
}

/// `|name| body`
pub(in crate::emit) fn closure(name: Ident, body: Expr) -> Expr {
    Expr::Closure(ExprClosure {
        attrs: Vec::new(),
        lifetimes: None,
        modifiers: Default::default(),
        constness: None,
        asyncness: None,
        capture: None,
        inputs_begin: Default::default(),
        inputs: Punctuated::from_iter([binding(name)]),
        inputs_end: Default::default(),
        output: ReturnType::Default,
        body: Box::new(body),
    })
}

/// `path { a, b: value }`: a field without a value is written short.
pub(in crate::emit) fn construct(
    path: Path,
    fields: impl IntoIterator<Item = (Ident, Option<Expr>)>,
) -> Expr {
    let fields = fields.into_iter().map(|(ident, value)| FieldValue {
        attrs: Vec::new(),
        colon_token: value.is_some().then(Default::default),
        expr: value.unwrap_or_else(|| path_expr(ident.clone())),
        member: Member::Named(ident),
    });
    Expr::Struct(ExprStruct {
        attrs: Vec::new(),
        qself: None,
        path,
        brace_token: Default::default(),
        fields: fields.collect(),
        dot2_token: None,
        rest: None,
    })
}

/// `match scrutinee { arms }`
pub(in crate::emit) fn match_expr(scrutinee: Expr, arms: Vec<Arm>) -> Expr {
    Expr::Match(ExprMatch {
        attrs: Vec::new(),
        match_token: Default::default(),
        expr: Box::new(scrutinee),
        brace_token: Default::default(),
        arms,
    })
}

/// `pat => body,`
pub(in crate::emit) fn arm(pat: Pat, body: Expr) -> Arm {
    Arm {
        attrs: Vec::new(),
        pat,
        fat_arrow_token: Default::default(),
        body: Box::new(body),
        comma: Some(Default::default()),
    }
}

/// `_`
pub(in crate::emit) fn wild() -> Pat {
    Pat::Wild(PatWild {
        attrs: Vec::new(),
        underscore_token: Default::default(),
    })
}

/// A name that a pattern binds.
pub(in crate::emit) fn binding(ident: Ident) -> Pat {
    Pat::Ident(PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: None,
        ident,
        subpat: None,
    })
}

/// A path as a pattern.
pub(in crate::emit) fn path_pat(path: Path) -> Pat {
    Pat::Path(ExprPath {
        attrs: Vec::new(),
        qself: None,
        path,
    })
}

/// `path(pat)`
pub(in crate::emit) fn tuple_pat(path: Path, pat: Pat) -> Pat {
    Pat::TupleStruct(PatTupleStruct {
        attrs: Vec::new(),
        qself: None,
        path,
        paren_token: Default::default(),
        elems: Punctuated::from_iter([pat]),
    })
}

/// `path { a, b }`, or `path { a, .. }`.
pub(in crate::emit) fn struct_pat(
    path: Path,
    fields: impl IntoIterator<Item = Ident>,
    rest: bool,
) -> Pat {
    let fields = fields.into_iter().map(|ident| FieldPat {
        attrs: Vec::new(),
        member: Member::Named(ident.clone()),
        colon_token: None,
        pat: Box::new(binding(ident)),
    });
    Pat::Struct(PatStruct {
        attrs: Vec::new(),
        qself: None,
        path,
        brace_token: Default::default(),
        fields: fields.collect(),
        rest: rest.then(|| syn::PatRest {
            attrs: Vec::new(),
            dot2_token: Default::default(),
        }),
    })
}

/// `200`
pub(in crate::emit) fn status_pat(code: u16) -> Pat {
    Pat::Lit(ExprLit {
        attrs: Vec::new(),
        lit: Lit::Int(LitInt::new(&code.to_string(), Span::call_site())),
    })
}

/// `200..=299`
pub(in crate::emit) fn status_range(first: u16, last: u16) -> Pat {
    Pat::Range(ExprRange {
        attrs: Vec::new(),
        start: Some(Box::new(status_code(first))),
        limits: RangeLimits::Closed(Default::default()),
        end: Some(Box::new(status_code(last))),
    })
}
