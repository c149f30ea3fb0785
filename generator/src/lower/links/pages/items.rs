//! The items of a page: the path to the list in the type of the body.

use crate::ir::{Api, Expression, NextPage, Payload, Source, TypeRef};

/// A list in a body: its JSON pointer, and the path to it.
type Found = (String, Vec<(usize, bool)>);

/// Finds the items of each operation with pages. A documented header `Link` of a response without a list
/// says nothing of pages.
pub(in crate::lower) fn find_items(api: &mut Api) {
    for index in 0..api.operations.len() {
        let operation = &api.operations[index];
        let (Some(pages), Some(success)) = (&operation.pages, operation.successes.first()) else {
            continue;
        };
        let Some(Payload::One(media)) = &success.payload else {
            continue;
        };
        let found = match &pages.items {
            Some(pointer) => at(api, &media.ty, pointer).map(|path| (pointer.clone(), path)),
            None => only(api, &media.ty),
        };
        let is_link = matches!(
            &pages.next,
            NextPage::Url(Expression::Response(Source::Header(_)))
        );
        let is_unstated = is_link && pages.items.is_none() && found.is_none();
        let operation = &mut api.operations[index];
        match (&mut operation.pages, found) {
            (pages @ Some(_), None) if is_unstated => *pages = None,
            (Some(pages), Some((pointer, path))) => {
                pages.items = Some(pointer);
                pages.item_path = Some(path);
            }
            _ => {}
        }
    }
}

/// Returns the path to the list at a JSON pointer.
fn at(api: &Api, ty: &TypeRef, pointer: &str) -> Option<Vec<(usize, bool)>> {
    let Some(rest) = pointer.strip_prefix('/') else {
        return api.item_of(ty).map(|_| Vec::new());
    };
    let (segment, after) = match rest.split_once('/') {
        Some((segment, after)) => (segment, format!("/{after}")),
        None => (rest, String::new()),
    };
    let name = segment.replace("~1", "/").replace("~0", "~");
    let fields = api.object_of(ty)?.fields.iter();
    let (index, field) = fields
        .enumerate()
        .find(|(_, field)| field.name.wire == name)?;
    let (ty, optional) = field.present();
    let mut path = at(api, ty, &after)?;
    path.insert(0, (index, optional));
    Some(path)
}

/// Returns the only list of a body: the body itself, or one property of it.
pub(super) fn only(api: &Api, ty: &TypeRef) -> Option<Found> {
    if api.item_of(ty).is_some() {
        return Some((String::new(), Vec::new()));
    }
    let fields = api.object_of(ty)?.fields.iter().enumerate();
    let mut lists = fields.filter(|(_, field)| api.item_of(field.present().0).is_some());
    let (Some((index, field)), None) = (lists.next(), lists.next()) else {
        return None;
    };
    let name = field.name.wire.replace('~', "~0").replace('/', "~1");
    Some((format!("/{name}"), vec![(index, field.present().1)]))
}
