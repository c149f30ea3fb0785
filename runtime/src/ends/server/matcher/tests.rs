use super::*;
use crate::message::wire::template::fits;
use proptest::prelude::*;

/// A segment of a test's route, with its own text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Static(&'static str),
    Mixed(&'static str),
    Variable,
}

type Routes = Vec<Vec<Part>>;

fn rank(part: &Part) -> u8 {
    match part {
        Part::Static(_) => 0,
        Part::Mixed(_) => 1,
        Part::Variable => 2,
    }
}

/// Parses paths such as `/pets/{}`, in the order in which the generator writes them.
fn sorted(paths: &[&'static str]) -> Routes {
    let part = |text: &'static str| match text {
        "{}" => Part::Variable,
        text if text.contains('{') => Part::Mixed(text),
        text => Part::Static(text),
    };
    let parse = |path: &&'static str| path.split('/').skip(1).map(part).collect();
    sort(paths.iter().map(parse).collect())
}

fn sort(mut routes: Routes) -> Routes {
    routes.sort_by_cached_key(|route| route.iter().map(rank).collect::<Vec<_>>());
    routes
}

fn compile(routes: &Routes) -> Matcher {
    let segment = |part: &Part| match part {
        Part::Static(text) => Segment::Static(text),
        Part::Mixed(template) => Segment::Mixed(template),
        Part::Variable => Segment::Variable,
    };
    let condition = |part: &Part| match part {
        Part::Mixed(template) => Some((fits as fn(&str, &str) -> bool, *template)),
        _ => None,
    };
    let rows: Vec<(Vec<_>, Vec<_>)> = routes
        .iter()
        .map(|route| {
            let segments = route.iter().map(segment).collect();
            (segments, route.iter().filter_map(condition).collect())
        })
        .collect();
    Matcher::new(
        rows.iter()
            .map(|(segments, conditions)| (&segments[..], &conditions[..])),
    )
}

/// Tries the routes in their order: the definition of a match.
fn in_order(routes: &Routes, path: &str) -> Result<Option<usize>, BadEncoding> {
    let segments = path.split('/').skip(1);
    let segments: Vec<_> = segments
        .map(|raw| decode(raw, false))
        .collect::<Result<_, _>>()?;
    let matches = |(part, segment): (&Part, &Cow<'_, str>)| match part {
        Part::Static(text) => segment == text,
        Part::Mixed(template) => fits(segment, template),
        Part::Variable => true,
    };
    Ok(routes.iter().position(|route| {
        route.len() == segments.len() && route.iter().zip(&segments).all(matches)
    }))
}

fn found(matcher: &Matcher, path: &str) -> Result<Option<usize>, BadEncoding> {
    Ok(matcher.find(path)?.map(|(index, _)| index))
}

#[test]
fn texts_precede_mixed_segments_and_these_precede_variables() {
    let routes = sorted(&[
        "/a/{}",
        "/a/b",
        "/a/{}.json",
        "/{}/b/c",
        "/a/{}/d",
        "/a/{}.json/{}",
        "/a/{}.{}/x",
        "/",
        "/a/",
    ]);
    let matcher = compile(&routes);
    for (path, expected) in [
        ("/a/b", Some("/a/b")),
        ("/a/%62", Some("/a/b")),
        ("/a/c", Some("/a/{}")),
        ("/a/c.json", Some("/a/{}.json")),
        ("/a/.json", Some("/a/{}")),
        ("/a/b%2Fc", Some("/a/{}")),
        // The text `a` leads to no match, so the variable counts.
        ("/a/b/c", Some("/{}/b/c")),
        ("/a/b/d", Some("/a/{}/d")),
        ("/x/b/c", Some("/{}/b/c")),
        // Both mixed segments match; the text after the second is more specific.
        ("/a/c.json/x", Some("/a/{}.{}/x")),
        ("/a/c.json/y", Some("/a/{}.json/{}")),
        ("/", Some("/")),
        ("/a/", Some("/a/")),
        ("/a", None),
        ("/a/b/", None),
        ("/a/b/c/d", None),
        ("", None),
    ] {
        let index = found(&matcher, path).unwrap();
        let shown = index.map(|index| &routes[index]);
        let expected = expected.map(|path| sorted(&[path]).remove(0));
        assert_eq!(shown, expected.as_ref(), "{path}");
    }
    assert_eq!(found(&matcher, "/unknown/%zz"), Err(BadEncoding));
}

#[test]
fn the_first_of_two_equal_routes_counts() {
    let matcher = compile(&sorted(&["/{}", "/{}"]));
    assert_eq!(found(&matcher, "/a"), Ok(Some(0)));
}

#[test]
fn the_segments_of_variables_are_recorded_as_they_were_sent() {
    let matcher = compile(&sorted(&["/a/{}/b/{}", "/a/{}/c/{}.json"]));
    let path = "/a/x%2Fy/b/7";
    let (_, captures) = matcher.find(path).unwrap().unwrap();
    let values = captures.bind(path, "/a/{one}/b/{two}").unwrap();
    assert_eq!(values, [("one", "x%2Fy".into()), ("two", "7".into())]);
    let path = "/a/x/c/y.json";
    let (_, captures) = matcher.find(path).unwrap().unwrap();
    let values = captures.bind(path, "/a/{one}/c/{two}.json").unwrap();
    assert_eq!(values, [("one", "x".into()), ("two", "y".into())]);
}

/// Returns an API of this many paths with common beginnings.
fn large(paths: usize) -> Routes {
    let text = |text: String| -> Part { Part::Static(text.leak()) };
    let routes = (0..paths).map(|index| {
        let mut route = vec![text(format!("area-{}", index % 23)), Part::Variable];
        route.push(text(format!("kind-{}", index % 7)));
        if index % 3 > 0 {
            route.push(Part::Variable);
        }
        route.push(text(format!("thing-{index}")));
        if index % 5 == 0 {
            route.push(Part::Mixed("{}.{}"));
        }
        route
    });
    sort(routes.collect())
}

/// Returns a path that a route matches.
fn example(route: &[Part]) -> String {
    let segment = |part: &Part| match part {
        Part::Static(text) => format!("/{text}"),
        Part::Mixed(template) => format!("/{}", template.replace("{}", "m")),
        Part::Variable => "/v".to_owned(),
    };
    route.iter().map(segment).collect()
}

#[test]
fn every_path_of_a_large_api_is_found() {
    let routes = large(500);
    let matcher = compile(&routes);
    for (index, route) in routes.iter().enumerate() {
        let path = example(route);
        assert_eq!(found(&matcher, &path), Ok(Some(index)), "{path}");
        assert_eq!(found(&matcher, &format!("{path}/x")), Ok(None), "{path}");
    }
    // A search visits a node for each segment, whatever the number of routes.
    let largest = matcher.nodes.iter().map(|node| node.texts.len()).max();
    assert!(largest.is_some_and(|largest| largest < 100), "{largest:?}");
}

fn part() -> impl Strategy<Value = Part> {
    let text = prop_oneof![Just("a"), Just("b"), Just("a.b"), Just("é"), Just("")];
    let mixed = prop_oneof![
        Just("{}.{}"),
        Just("{}.b"),
        Just("a{}"),
        Just("{}:x"),
        Just("{}{}")
    ];
    prop_oneof![
        3 => text.prop_map(Part::Static),
        2 => mixed.prop_map(Part::Mixed),
        2 => Just(Part::Variable),
    ]
}

fn path() -> impl Strategy<Value = String> {
    let segment = prop_oneof![
        Just("a"),
        Just("b"),
        Just("%61"),
        Just("a.b"),
        Just("a%2Eb"),
        Just("%C3%A9"),
        Just("a:x"),
        Just("%2F"),
        Just(""),
        Just("%"),
        Just("%FF"),
    ];
    prop::collection::vec(segment, 0..5).prop_map(|segments| {
        segments
            .iter()
            .map(|segment| format!("/{segment}"))
            .collect()
    })
}

proptest! {
    #[test]
    fn the_tree_finds_what_the_list_finds(
        routes in prop::collection::vec(prop::collection::vec(part(), 1..5), 0..12),
        paths in prop::collection::vec(path(), 1..8),
    ) {
        let routes = sort(routes);
        let matcher = compile(&routes);
        for path in paths {
            prop_assert_eq!(found(&matcher, &path), in_order(&routes, &path), "{}", path);
        }
    }
}
