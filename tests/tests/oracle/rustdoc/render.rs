//! Types of rustdoc's JSON as Rust code.

use serde_json::Value;

use super::{Items, strings};

impl Items<'_> {
    /// Returns a type as code. Aliases are replaced by their targets, so that two spellings of one
    /// type are equal.
    pub(super) fn ty(&self, ty: &Value) -> String {
        let Some((kind, content)) = ty.as_object().and_then(|object| object.iter().next()) else {
            // Such as `infer`.
            return ty.as_str().unwrap_or_default().to_owned();
        };
        match kind.as_str() {
            "primitive" | "generic" => content.as_str().unwrap_or_default().to_owned(),
            "resolved_path" => self.path(content),
            "tuple" => format!("({})", self.list(content)),
            "slice" => format!("[{}]", self.ty(content)),
            "array" => {
                let length = content["len"].as_str().unwrap_or_default();
                format!("[{}; {length}]", self.ty(&content["type"]))
            }
            "borrowed_ref" => {
                let word = if content["is_mutable"] == true {
                    "mut "
                } else {
                    ""
                };
                let lifetime = content["lifetime"].as_str();
                let lifetime = lifetime.map_or_else(String::new, |name| format!("{name} "));
                format!("&{lifetime}{word}{}", self.ty(&content["type"]))
            }
            "qualified_path" => {
                let name = content["name"].as_str().unwrap_or_default();
                let this = self.ty(&content["self_type"]);
                match &content["trait"] {
                    Value::Null => format!("{this}::{name}"),
                    path => format!("<{this} as {}>::{name}", self.path(path)),
                }
            }
            "impl_trait" => format!("impl {}", self.bounds(content)),
            "dyn_trait" => {
                let traits = content["traits"].as_array().into_iter().flatten();
                let traits = traits.map(|bound| self.path(&bound["trait"]));
                let lifetime = content["lifetime"].as_str().map(str::to_owned);
                let all: Vec<String> = traits.chain(lifetime).collect();
                format!("dyn {}", all.join(" + "))
            }
            "function_pointer" => format!("fn{}", self.signature(&content["sig"])),
            _ => ty.to_string(),
        }
    }

    fn list(&self, all: &Value) -> String {
        let all = all.as_array().into_iter().flatten();
        let all: Vec<String> = all.map(|ty| self.ty(ty)).collect();
        all.join(", ")
    }

    /// Returns a path with its arguments.
    pub(super) fn path(&self, path: &Value) -> String {
        let id = path["id"].to_string();
        let is_shared = |target: &Value| {
            let id = target["resolved_path"]["id"].to_string();
            self.shared.contains_key(id.as_str())
        };
        let alias = self
            .rustdoc
            .item(&id)
            .map(|item| &item["inner"]["type_alias"]);
        if let Some(alias) = alias.filter(|alias| alias.is_object()) {
            let is_generic = alias["generics"]["params"]
                .as_array()
                .is_some_and(|all| !all.is_empty());
            // The name of a shared error is no interface, and that of its alias is one.
            if !is_generic && !is_shared(&alias["type"]) {
                return self.ty(&alias["type"]);
            }
        }
        let name = self.name(&id).unwrap_or_else(|| {
            let written = path["path"].as_str().or_else(|| path["name"].as_str());
            written.unwrap_or_default().to_owned()
        });
        format!("{name}{}", self.arguments(&path["args"]))
    }

    /// Returns the path of an item: below its module, or from the root of another crate.
    fn name(&self, id: &str) -> Option<String> {
        if let Some(path) = self.public.get(id) {
            return Some(path.clone());
        }
        let summary = self.rustdoc.paths.get(id)?;
        let own = usize::from(summary["crate_id"] == 0) * 2;
        let path = summary["path"].as_array()?.iter().skip(own);
        let path: Vec<&str> = path.filter_map(Value::as_str).collect();
        Some(path.join("::"))
    }

    fn arguments(&self, arguments: &Value) -> String {
        if let Some(parenthesized) = arguments.get("parenthesized") {
            return format!(
                "({}) -> {}",
                self.list(&parenthesized["inputs"]),
                self.ty(&parenthesized["output"])
            );
        }
        let bracketed = &arguments["angle_bracketed"];
        let args = bracketed["args"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|argument| {
                let lifetime = argument["lifetime"].as_str().map(str::to_owned);
                let value = argument["const"]["expr"].as_str().map(str::to_owned);
                let other = lifetime.or(value);
                other.unwrap_or_else(|| self.ty(&argument["type"]))
            });
        let constraints = bracketed["constraints"].as_array().into_iter().flatten();
        let constraints = constraints.map(|constraint| {
            let name = constraint["name"].as_str().unwrap_or_default();
            match &constraint["binding"]["equality"]["type"] {
                Value::Null => format!(
                    "{name}: {}",
                    self.bounds(&constraint["binding"]["constraint"])
                ),
                ty => format!("{name} = {}", self.ty(ty)),
            }
        });
        let all: Vec<String> = args.chain(constraints).collect();
        match all.is_empty() {
            true => String::new(),
            false => format!("<{}>", all.join(", ")),
        }
    }

    pub(super) fn bounds(&self, bounds: &Value) -> String {
        let all = bounds.as_array().into_iter().flatten().map(|entry| {
            let bound = &entry["trait_bound"];
            match entry["outlives"].as_str() {
                Some(lifetime) => lifetime.to_owned(),
                None if bound.is_object() => {
                    let relaxed = bound["modifier"] == "maybe";
                    let mark = if relaxed { "?" } else { "" };
                    format!("{mark}{}", self.path(&bound["trait"]))
                }
                None => entry.to_string(),
            }
        });
        let mut all: Vec<String> = all.collect();
        all.sort();
        all.join(" + ")
    }

    /// Returns generic parameters with all their bounds. The order of lifetimes and the names of
    /// anonymous parameters are no interface.
    pub(super) fn generics(&self, generics: &Value) -> String {
        let params = generics["params"].as_array().into_iter().flatten();
        let params = params.filter_map(|parameter| {
            let kind = &parameter["kind"]["type"];
            let bounds = self.bounds(&kind["bounds"]);
            let is_anonymous =
                kind["is_synthetic"] == true || !parameter["kind"]["lifetime"].is_null();
            (!is_anonymous)
                .then(|| format!("{}: {bounds}", parameter["name"].as_str().unwrap_or("")))
        });
        let predicates = generics["where_predicates"]
            .as_array()
            .into_iter()
            .flatten();
        let predicates = predicates.filter_map(|predicate| {
            let bound = &predicate["bound_predicate"];
            let bounds = self.bounds(&bound["bounds"]);
            let is_bound = bound.is_object();
            is_bound.then(|| format!("{}: {bounds}", self.ty(&bound["type"])))
        });
        let mut all: Vec<String> = params.chain(predicates).collect();
        all.sort();
        match all.is_empty() {
            true => String::new(),
            false => format!("<{}>", all.join(", ")),
        }
    }

    fn signature(&self, signature: &Value) -> String {
        let inputs = signature["inputs"].as_array().into_iter().flatten();
        // The names of arguments are no interface.
        let inputs: Vec<String> = inputs.map(|input| self.ty(&input[1])).collect();
        let output = match &signature["output"] {
            Value::Null => "()".to_owned(),
            ty => self.ty(ty),
        };
        format!("({}) -> {output}", inputs.join(", "))
    }

    /// Returns the signature of a function.
    pub(super) fn function(&self, function: &Value) -> String {
        let header = ["is_const", "is_unsafe", "is_async"];
        let words = header
            .iter()
            .filter(|word| function["header"][**word] == true);
        let words: String = words.map(|word| format!("{} ", &word[3..])).collect();
        let generics = self.generics(&function["generics"]);
        format!("{words}fn{generics}{}", self.signature(&function["sig"]))
    }

    /// Returns the names of items that code outside of the crate can see.
    pub(super) fn names(&self, ids: &Value) -> Vec<String> {
        let items = strings(ids)
            .into_iter()
            .filter_map(|id| self.rustdoc.item(&id));
        items
            .map(|item| item["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}
