//! The actions and their merging, with documents and results written by hand.

use super::{applied, yaml};

/// A document in the manner of the specification's examples.
const SHOP: &str = "
openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
paths:
  /items:
    get:
      tags: [shop, old]
      parameters:
        - {name: filter, in: query, schema: {type: string}}
        - {name: dummy, in: query}
      x-traits: [paged]
    post: {summary: Add}
  /bags:
    get: {summary: Bags}
";

#[test]
fn one_action_mirrors_the_document() {
    let actions = "
- target: $
  update:
    info: {title: Corner shop, x-changed: true}
    paths:
      /items:
        summary: Items
        get: {x-rate: 100}
      /bags:
        get: {summary: All bags}
";
    let expected = "
openapi: 3.1.0
info: {title: Corner shop, version: 1.0.0, x-changed: true}
paths:
  /items:
    get:
      tags: [shop, old]
      parameters:
        - {name: filter, in: query, schema: {type: string}}
        - {name: dummy, in: query}
      x-traits: [paged]
      x-rate: 100
    post: {summary: Add}
    summary: Items
  /bags:
    get: {summary: All bags}
";
    assert_eq!(applied(SHOP, actions), yaml(expected));
}

#[test]
fn a_target_selects_objects_arrays_or_primitives() {
    let actions = "
- target: $.info.title
  update: Corner shop
- target: $.paths.*.get
  update: {x-safe: true}
- target: $.paths['/items'].get.tags
  update: [new, newer]
- target: $.paths['/items'].get.parameters
  update: {name: page, in: query}
- target: $..parameters[?@.name == 'filter' && @.in == 'query'].schema
  update: {maxLength: 10}
";
    let expected = "
openapi: 3.1.0
info: {title: Corner shop, version: 1.0.0}
paths:
  /items:
    get:
      tags: [shop, old, new, newer]
      parameters:
        - {name: filter, in: query, schema: {type: string, maxLength: 10}}
        - {name: dummy, in: query}
        - {name: page, in: query}
      x-traits: [paged]
      x-safe: true
    post: {summary: Add}
  /bags:
    get: {summary: Bags, x-safe: true}
";
    assert_eq!(applied(SHOP, actions), yaml(expected));
}

#[test]
fn entries_and_items_are_removed() {
    let actions = "
- target: $.paths.*.get.parameters[?@.name == 'dummy']
  remove: true
- target: $.paths.*.get.tags[?@ == 'shop']
  remove: true
  update: [ignored]
- target: $.paths[?@.get.summary == 'Bags']
  remove: true
- target: $.paths['/items'].post
  remove: true
";
    let expected = "
openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
paths:
  /items:
    get:
      tags: [old]
      parameters:
        - {name: filter, in: query, schema: {type: string}}
      x-traits: [paged]
";
    assert_eq!(applied(SHOP, actions), yaml(expected));
}

#[test]
fn all_targets_of_one_removal_are_those_before_it() {
    let document = "a: [{b: [1, 2, 3]}, {b: [4, 5]}, {b: [6]}]";
    // Items 0 of the outer array and of the inner ones.
    let actions = "- {target: '$..[0]', remove: true}";
    assert_eq!(applied(document, actions), yaml("a: [{b: [5]}, {b: []}]"));
    let actions = "- {target: '$.a[0,2]', remove: true}\n- {target: '$.a[0].b[-1]', remove: true}";
    assert_eq!(applied(document, actions), yaml("a: [{b: [4]}]"));
}

#[test]
fn traits_are_applied() {
    let actions = "
- target: $.paths[?(@.get['x-traits'][?(@ == 'paged')])].get
  update:
    parameters:
      - {name: top, in: query}
- target: $.paths['/items'].post
  remove: true
- target: $.paths['/items'].get['tags', 'x-traits']
  remove: true
";
    let expected = "
openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
paths:
  /items:
    get:
      parameters:
        - {name: filter, in: query, schema: {type: string}}
        - {name: dummy, in: query}
        - {name: top, in: query}
  /bags:
    get: {summary: Bags}
";
    assert_eq!(applied(SHOP, actions), yaml(expected));
}

#[test]
fn a_copy_is_merged_like_an_update() {
    let document =
        "paths:\n  /items: {get: {tags: [a]}, x-n: 1}\n  /some: {delete: {}, get: {tags: [b]}}";
    let copied = "
paths:
  /items: {get: {tags: [a]}, x-n: 1}
  /some: {delete: {}, get: {tags: [b, a]}, x-n: 1}
";
    let actions = "- {target: '$.paths[\"/some\"]', copy: '$.paths[\"/items\"]'}";
    assert_eq!(applied(document, actions), yaml(copied));
    // A path is renamed: an empty object first, then the copy, then the removal.
    let actions = "
- {target: $.paths, update: {/new: {}}}
- {target: '$.paths[\"/new\"]', copy: '$.paths[\"/items\"]'}
- {target: '$.paths[\"/items\", \"/some\"]', remove: true}
";
    let renamed = "paths: {/new: {get: {tags: [a]}, x-n: 1}}";
    assert_eq!(applied(document, actions), yaml(renamed));
}

#[test]
fn actions_follow_each_other() {
    let actions = "
- {target: $.servers, remove: true}
- {target: $, update: {servers: [{url: /b}]}}
- {target: '$.servers[0]', update: {description: B}}
";
    assert_eq!(
        applied("servers: [{url: /a}, {url: /c}]", actions),
        yaml("servers: [{url: /b, description: B}]")
    );
}

#[test]
fn a_target_with_the_expected_value_is_changed() {
    let actions = "
- {target: $.a.type, x-bothends-expects: string, update: integer}
- {target: $.a, x-bothends-expects: {n: 1.0, type: integer}, update: {m: 2}}
";
    let document = "a: {type: string, n: 1}";
    assert_eq!(
        applied(document, actions),
        yaml("a: {type: integer, n: 1, m: 2}")
    );
}
