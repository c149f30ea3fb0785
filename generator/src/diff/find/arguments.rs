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
    /// The paths of the constructors: `Pet::new`, or `PetInit` for arguments by name.
    pub(super) paths: [String; 2],
    pub(super) origins: [&'c Origin; 2],
    /// The arguments before and after.
    pub(super) arguments: [Vec<Argument>; 2],
    /// Whether the arguments are passed by name, in a struct.
    pub(super) by_name: [bool; 2],
}

impl Constructor<'_> {
    /// Returns whether calls compile and set something else: the types are the same, in order.
    pub(super) fn sets_others(&self) -> bool {
        let [old, new] = &self.arguments;
        let types = |arguments: &[Argument]| {
            arguments
                .iter()
                .map(|argument| argument.ty.clone())
                .collect::<Vec<_>>()
        };
        self.by_name == [false; 2] && old != new && types(old) == types(new)
    }

    /// Returns whether the same arguments are passed in another way: in another order, or by name
    /// instead of by position.
    fn is_moved(&self) -> bool {
        let [old, new] = &self.arguments;
        let is_new = |argument: &Argument| new.iter().any(|other| argument.name == other.name);
        let places = |arguments: &[Argument]| {
            arguments
                .iter()
                .map(|argument| argument.name.clone())
                .collect::<Vec<_>>()
        };
        let same = old.len() == new.len() && old.iter().all(is_new);
        same && match self.by_name {
            [true, true] => false,
            [false, false] => places(old) != places(new),
            _ => true,
        }
    }

    /// Returns whether there is an argument more or less that nothing else explains, or the same
    /// arguments are passed in another way.
    pub(super) fn is_changed(&self, explained: &[String]) -> bool {
        let names = |side: usize| -> Vec<&String> {
            let arguments = self.arguments[side].iter();
            arguments.map(|argument| &argument.name).collect()
        };
        let (a, b) = (names(0), names(1));
        let lone = |these: &[&String], those: &[&String]| {
            let mut these = these.iter();
            these.any(|name| !those.contains(name) && !explained.contains(name))
        };
        self.is_moved() || lone(&a, &b) || lone(&b, &a)
    }

    fn names(&self, side: usize) -> String {
        let names = self.arguments[side]
            .iter()
            .map(|argument| argument.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }
}

impl Finder<'_> {
    /// Adds a difference of the arguments of a constructor.
    pub(super) fn add_arguments(&mut self, raw: Raw, constructor: &Constructor<'_>) {
        self.add(raw, constructor.scope.clone(), |found| {
            let [old, new] = constructor.paths.clone().map(Some);
            found
                .arg("from", constructor.names(0))
                .arg("to", constructor.names(1))
                .at(Some(constructor.origins[0]), Some(constructor.origins[1]))
                .rust(old, new)
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
        let request = |api: &Api, operation: &Operation| -> Vec<Argument> {
            let params = operation.required().into_iter();
            let params = params.map(|param| Argument::new(api, &name(param), &param.ty));
            let body = operation.body.iter().filter(|body| !body.optional);
            params.chain(body.map(|body| content(api, body))).collect()
        };
        let headers = |api: &Api, headers: &[Header]| -> Vec<Argument> {
            let required = Header::required(headers).into_iter();
            let lower = |header: &Header| header.name.wire.to_ascii_lowercase();
            required
                .map(|header| Argument::new(api, &lower(header), &header.ty))
                .collect()
        };
        let named = |api: &Api, operation: &Operation| -> [bool; 2] {
            let required = Header::required(&operation.success_headers).into_iter();
            let headers = api.takes_names(required.map(|header| &header.ty));
            [api.request_takes_names(operation), headers]
        };
        let (named_old, named_new) = (named(self.old, old), named(self.new, new));
        let all = [
            (
                "Request",
                Direction::Request,
                [request(self.old, old), request(self.new, new)],
                [named_old[0], named_new[0]],
            ),
            (
                "ResponseHeaders",
                Direction::Response,
                [
                    headers(self.old, &old.success_headers),
                    headers(self.new, &new.success_headers),
                ],
                [named_old[1], named_new[1]],
            ),
        ];
        for (end, direction, arguments, by_name) in all {
            let path = |base: &str, by_name: bool| match by_name {
                true => format!("{base}{end}Init"),
                false => format!("{base}{end}::new"),
            };
            let constructor = Constructor {
                scope: Scope::Operation(index, direction),
                paths: [path(&old.base, by_name[0]), path(&new.base, by_name[1])],
                origins: [&old.origin, &new.origin],
                arguments,
                by_name,
            };
            if constructor.sets_others() {
                self.add_arguments(Raw::ConstructorSetsOthers, &constructor);
            } else if constructor.is_moved() {
                self.add_arguments(Raw::ConstructorChanged, &constructor);
            }
        }
    }
}

/// Returns the argument for a body, whose type is that of its content.
fn content(api: &Api, body: &Body) -> Argument {
    let media = body.payload.media();
    let ty: Vec<String> = media.iter().map(|media| describe(api, &media.ty)).collect();
    Argument {
        name: "body".to_owned(),
        ty: ty.join(" | "),
    }
}
