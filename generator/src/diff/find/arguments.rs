//! The arguments of constructors: of structs, requests and headers.

use super::super::rules::{Direction, Raw};
use super::describe::describe;
use super::{Call, Finder, Scope};
use crate::ir::{Api, Body, Header, Operation, Param, TypeRef};
use crate::position::Origin;

/// An argument: what it sets, by a name that both documents share, and its type in words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Argument {
    name: String,
    ty: String,
}

impl Argument {
    pub(super) fn new(api: &Api, name: &str, ty: &TypeRef) -> Self {
        let (name, ty) = (name.to_owned(), describe(api, ty));
        Self { name, ty }
    }
}

/// A constructor of both crates.
pub(super) struct Constructor<'c> {
    pub(super) scope: Scope,
    /// The paths of the types.
    pub(super) paths: [String; 2],
    pub(super) origins: [&'c Origin; 2],
    /// The arguments before and after.
    pub(super) arguments: [Vec<Argument>; 2],
}

impl Constructor<'_> {
    /// Returns whether calls compile and set something else: the types are the same, in order.
    pub(super) fn is_reordered(&self) -> bool {
        let [old, new] = &self.arguments;
        let types = |of: &[Argument]| of.iter().map(|one| one.ty.clone()).collect::<Vec<_>>();
        old != new && types(old) == types(new)
    }

    /// Returns whether the same arguments are in another order.
    fn is_moved(&self) -> bool {
        let [old, new] = &self.arguments;
        let is_new = |one: &Argument| new.iter().any(|other| one.name == other.name);
        let places = |of: &[Argument]| of.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
        places(old) != places(new) && old.len() == new.len() && old.iter().all(is_new)
    }

    /// Returns whether there is an argument more or less that nothing else explains, or the same
    /// arguments in another order.
    pub(super) fn is_changed(&self, explained: &[String]) -> bool {
        let names = |side: usize| -> Vec<&String> {
            let arguments = self.arguments[side].iter();
            arguments.map(|one| &one.name).collect()
        };
        let (a, b) = (names(0), names(1));
        let lone = |these: &[&String], those: &[&String]| {
            let mut these = these.iter();
            these.any(|name| !those.contains(name) && !explained.contains(name))
        };
        self.is_moved() || lone(&a, &b) || lone(&b, &a)
    }

    fn names(&self, side: usize) -> String {
        let names = self.arguments[side].iter().map(|one| one.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}

impl Finder<'_> {
    /// Adds a difference of the arguments of a constructor.
    pub(super) fn add_arguments(&mut self, raw: Raw, of: &Constructor<'_>) {
        self.add(raw, of.scope.clone(), |found| {
            let path = |side: usize| Some(format!("{}::new", of.paths[side]));
            found
                .arg("from", of.names(0))
                .arg("to", of.names(1))
                .at(Some(of.origins[0]), Some(of.origins[1]))
                .rust(path(0), path(1))
        });
    }

    /// Compares the order of the arguments that a paired operation needs: of its request and of the
    /// headers of its responses. The partners of parameters have the names of the old document.
    pub(super) fn arguments_of(&mut self, index: usize, renamed: &[(&Param, &Param)]) {
        let Call { old, new, .. } = self.calls[index];
        let name = |param: &Param| {
            let mut known = renamed.iter();
            let known = known.find(|(_, new)| std::ptr::eq(*new, param));
            let (place, name) = known.map_or((param.place, &param.name), |(old, _)| {
                (old.place, &old.name)
            });
            format!("{} {}", format!("{place:?}").to_lowercase(), name.wire)
        };
        let request = |api: &Api, of: &Operation| -> Vec<Argument> {
            let params = of.required().into_iter();
            let params = params.map(|param| Argument::new(api, &name(param), &param.ty));
            let body = of.body.iter().filter(|body| !body.optional);
            params.chain(body.map(|body| content(api, body))).collect()
        };
        let headers = |api: &Api, of: &[Header]| -> Vec<Argument> {
            let required = Header::required(of).into_iter();
            let lower = |header: &Header| header.name.wire.to_ascii_lowercase();
            required
                .map(|header| Argument::new(api, &lower(header), &header.ty))
                .collect()
        };
        let all = [
            (
                "Request",
                Direction::Request,
                [request(self.old, old), request(self.new, new)],
            ),
            (
                "ResponseHeaders",
                Direction::Response,
                [
                    headers(self.old, &old.success_headers),
                    headers(self.new, &new.success_headers),
                ],
            ),
        ];
        for (end, direction, arguments) in all {
            let constructor = Constructor {
                scope: Scope::Operation(index, direction),
                paths: [&old.base, &new.base].map(|base| format!("{base}{end}")),
                origins: [&old.origin, &new.origin],
                arguments,
            };
            if constructor.is_reordered() {
                self.add_arguments(Raw::ConstructorReordered, &constructor);
            } else if constructor.is_moved() {
                self.add_arguments(Raw::ConstructorChanged, &constructor);
            }
        }
    }
}

/// Returns the argument for a body, whose type is that of its content.
fn content(api: &Api, body: &Body) -> Argument {
    let media = body.payload.media();
    let ty: Vec<String> = media.iter().map(|of| describe(api, &of.ty)).collect();
    Argument {
        name: "body".to_owned(),
        ty: ty.join(" | "),
    }
}
