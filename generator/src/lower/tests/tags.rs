//! The order of tags.

use super::super::Options;
use super::lower_with;

fn tags(operations: &[&str]) -> Vec<String> {
    let mut text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\ntags: [{name: Zoo}, {name: Bar}]\npaths:\n"
        .to_owned();
    for (index, tag) in operations.iter().enumerate() {
        let tags = if tag.is_empty() {
            String::new()
        } else {
            format!("tags: [{tag}], ")
        };
        text.push_str(&format!(
            "  /p{index}: {{get: {{{tags}responses: {{'204': {{description: d}}}}}}}}\n"
        ));
    }
    let (api, _) = lower_with(&text, &Options::default());
    for (operation, tag) in api.operations.iter().zip(operations) {
        let own = &api.tags[operation.tag.expect("a tag")].name.wire;
        assert_eq!(own, if tag.is_empty() { "default" } else { tag });
    }
    api.tags.into_iter().map(|tag| tag.name.wire).collect()
}

#[test]
fn tags_are_in_the_order_of_the_list_and_then_of_their_names() {
    let sorted = ["Zoo", "Bar", "alpha", "default", "other"];
    assert_eq!(tags(&["other", "Bar", "", "alpha", "Zoo"]), sorted);
    assert_eq!(tags(&["Zoo", "alpha", "", "Bar", "other"]), sorted);
}

#[test]
fn a_tag_without_an_operation_is_none() {
    assert_eq!(tags(&["Bar"]), ["Bar"]);
}
