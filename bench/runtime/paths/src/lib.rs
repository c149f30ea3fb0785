//! An API of 500 paths in the shape of GitHub's: most are below `/repos/{owner}/{repo}`, up to nine
//! segments deep, with static segments beside parameters.

use std::fmt::Write;

/// The number of paths.
pub const COUNT: usize = 500;

/// A path, with the operation `GET`.
#[derive(Debug, Clone)]
pub struct Path {
    /// The template, such as `/users/{username}`.
    pub template: String,
}

/// A parameter of a path.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// Whether it is a number rather than a text.
    pub number: bool,
}

const REPO: [&str; 40] = [
    "actions/artifacts",
    "actions/caches",
    "actions/runs",
    "actions/secrets",
    "actions/variables",
    "actions/workflows",
    "activity",
    "attestations",
    "autolinks",
    "branches",
    "check-runs",
    "check-suites",
    "code-scanning/alerts",
    "code-scanning/analyses",
    "codespaces/secrets",
    "collaborators",
    "comments",
    "commits",
    "dependabot/alerts",
    "dependabot/secrets",
    "deployments",
    "environments",
    "events",
    "forks",
    "git/blobs",
    "git/refs",
    "git/tags",
    "git/trees",
    "hooks",
    "invitations",
    "issues",
    "keys",
    "labels",
    "milestones",
    "pages/builds",
    "pulls",
    "releases",
    "rulesets",
    "secret-scanning/alerts",
    "security-advisories",
];
const ORG: [&str; 12] = [
    "actions/runner-groups",
    "actions/runners",
    "codespaces",
    "dependabot/secrets",
    "hooks",
    "invitations",
    "issues",
    "members",
    "migrations",
    "packages",
    "projects",
    "teams",
];
const USER: [&str; 8] = [
    "events",
    "followers",
    "following",
    "gists",
    "keys",
    "packages",
    "projects",
    "repos",
];

/// Returns a name for the items of a resource: `run_id` for `actions/runs`.
fn item(resource: &str) -> String {
    let last = resource.rsplit('/').next().unwrap_or(resource);
    let one = last.strip_suffix('s').unwrap_or(last);
    format!("{}_id", one.replace('-', "_"))
}

/// Appends a collection, its items, and collections of the items.
fn resource(out: &mut Vec<String>, root: &str, resource: &str, below: &[&str]) {
    let one = format!("{root}/{resource}/{{{}}}", item(resource));
    out.push(format!("{root}/{resource}"));
    out.push(one.clone());
    for below in below {
        out.push(format!("{one}/{below}"));
        out.push(format!(
            "{one}/{below}/{{{}}}",
            item(below).replace("_id", "_number")
        ));
    }
}

/// Returns the paths in the order of the document.
pub fn paths() -> Vec<Path> {
    let mut all = Vec::new();
    for root in [
        "/advisories",
        "/app",
        "/codes_of_conduct",
        "/emojis",
        "/events",
        "/feeds",
        "/gitignore/templates",
        "/meta",
        "/octocat",
        "/rate_limit",
        "/versions",
        "/zen",
    ] {
        all.push(root.to_owned());
    }
    for root in [
        "/search/code",
        "/search/commits",
        "/search/issues",
        "/search/labels",
        "/search/repositories",
        "/search/users",
    ] {
        all.push(root.to_owned());
    }
    resource(&mut all, "", "gists", &["comments", "commits"]);
    resource(&mut all, "", "licenses", &[]);
    all.push("/orgs/{org}".to_owned());
    for name in ORG {
        resource(
            &mut all,
            "/orgs/{org}",
            name,
            &["repositories", "reviews", "settings"],
        );
    }
    all.push("/repos/{owner}/{repo}".to_owned());
    // Static segments beside the number of an issue or a pull request.
    for name in ["issues", "pulls"] {
        resource(
            &mut all,
            &format!("/repos/{{owner}}/{{repo}}/{name}"),
            "comments",
            &["reactions"],
        );
    }
    for name in REPO {
        resource(
            &mut all,
            "/repos/{owner}/{repo}",
            name,
            &["assignees", "files", "reviews"],
        );
    }
    for name in USER {
        resource(&mut all, "/user", name, &[]);
        resource(&mut all, "/users/{username}", name, &["tags"]);
    }
    assert_eq!(all.len(), COUNT);
    all.into_iter().map(|template| Path { template }).collect()
}

impl Path {
    /// Returns the parameters in the order of the path.
    pub fn parameters(&self) -> Vec<Parameter> {
        let names = self
            .template
            .split('/')
            .filter_map(|segment| segment.strip_prefix('{'));
        let names = names.map(|name| name.trim_end_matches('}').to_owned());
        names
            .map(|name| Parameter {
                number: name.ends_with("_id") || name.ends_with("_number"),
                name,
            })
            .collect()
    }

    /// Returns a path that matches.
    pub fn example(&self) -> String {
        let segments = self
            .template
            .split('/')
            .map(|segment| match segment.strip_prefix('{') {
                None => segment,
                Some(name) if name.ends_with("_id}") || name.ends_with("_number}") => "1296269",
                Some(_) => "octocat",
            });
        segments.collect::<Vec<_>>().join("/")
    }
}

/// Returns the OpenAPI document. The operation of the first path is `op000`.
pub fn document() -> String {
    let mut out = String::from(
        r#"{"openapi":"3.1.0","info":{"title":"Paths","version":"1.0.0"},"components":{"schemas":{"Receipt":{"type":"object","required":["items","bytes"],"properties":{"items":{"type":"integer","format":"int64"},"bytes":{"type":"integer","format":"int64"}}}}},"tags":[{"name":"hub"}],"paths":{"#,
    );
    for (index, path) in paths().iter().enumerate() {
        let parameters: Vec<String> = (path.parameters().iter())
            .map(|parameter| {
                let schema = match parameter.number {
                    true => r#"{"type":"integer","format":"int64"}"#,
                    false => r#"{"type":"string"}"#,
                };
                let name = &parameter.name;
                format!(r#"{{"name":"{name}","in":"path","required":true,"schema":{schema}}}"#)
            })
            .collect();
        let comma = if index > 0 { "," } else { "" };
        let (template, parameters) = (&path.template, parameters.join(","));
        let _ = write!(
            out,
            r##"{comma}"{template}":{{"get":{{"operationId":"op{index:03}","tags":["hub"],"parameters":[{parameters}],"responses":{{"200":{{"description":"What was read.","content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/Receipt"}}}}}}}}}}}}}}"##
        );
    }
    out.push_str("}}");
    out
}

/// Returns an expression for the bytes of the parameters, which are variables with this prefix.
fn bytes(path: &Path, prefix: &str) -> String {
    let parameters = path.parameters().into_iter();
    let terms = parameters.map(|parameter| match parameter.number {
        true => format!("{prefix}{}", parameter.name),
        false => format!("{prefix}{}.len() as i64", parameter.name),
    });
    let sum = terms.collect::<Vec<_>>().join(" + ");
    if sum.is_empty() { "0".to_owned() } else { sum }
}

/// Returns the implementation of the generated trait.
pub fn handlers() -> String {
    let mut out = String::from("impl HubApi for Handlers {\n");
    for (index, path) in paths().iter().enumerate() {
        let bytes = bytes(path, "request.");
        let _ = writeln!(
            out,
            "async fn op{index:03}(&self, _: Context, request: Op{index:03}Request) -> Result<Op{index:03}Response, Error<Op{index:03}Error>> {{ let _ = &request; Ok(Response::new(Receipt::from(ReceiptInit {{ items: {index}, bytes: {bytes} }}))) }}"
        );
    }
    out.push_str("}\n");
    out
}

/// Returns axum handlers, and a function `router` with all of them.
pub fn axum() -> String {
    let mut out = String::new();
    let mut routes = String::new();
    for (index, path) in paths().iter().enumerate() {
        let parameters = path.parameters();
        let names: Vec<&str> = parameters
            .iter()
            .map(|parameter| &*parameter.name)
            .collect();
        let types = parameters
            .iter()
            .map(|parameter| if parameter.number { "i64" } else { "String" });
        let (names, types) = (names.join(", "), types.collect::<Vec<_>>().join(", "));
        let extractor = match parameters.len() {
            0 => String::new(),
            1 => format!("Path({names}): Path<{types}>"),
            _ => format!("Path(({names})): Path<({types})>"),
        };
        let bytes = bytes(path, "");
        let _ = writeln!(
            out,
            "async fn op{index:03}(_: AcceptsJson, {extractor}) -> Json<Receipt> {{ Json(Receipt {{ items: {index}, bytes: {bytes} }}) }}"
        );
        let _ = writeln!(routes, ".route({:?}, get(op{index:03}))", path.template);
    }
    let _ = write!(out, "fn router() -> Router {{ Router::new(){routes} }}");
    out
}
