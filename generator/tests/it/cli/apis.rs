//! Several documents in one configuration file.

use super::{Folder, broken};

const COMMON: &str = "\
openapi: 3.1.0
info: { title: Common, version: 1.0.0 }
components:
  schemas:
    Money: { type: object, required: [cents], properties: { cents: { type: integer } } }
";

const SHOP: &str = "\
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /prices:
    get:
      operationId: getPrice
      responses:
        '200':
          description: A price.
          content:
            application/json:
              schema: { $ref: 'common.yaml#/components/schemas/Money' }
";

const CONFIG: &str = r#"
module = true

[[api]]
spec = "common.yaml"
out = "src/common"
names = { Money = "Amount" }

[[api]]
name = "shop"
spec = "shop.yaml"
out = "src/shop"
imports = { "common.yaml" = "crate::common::types" }

[[api]]
spec = "pets.yaml"
out = "src/pets"
"#;

const OUTPUTS: [&str; 3] = ["src/common/mod.rs", "src/shop/mod.rs", "src/pets/mod.rs"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("common.yaml", COMMON);
    folder.put("shop.yaml", SHOP);
    folder.put("bothends.toml", CONFIG);
    folder
}

#[test]
fn all_documents_are_generated_and_checked() {
    let folder = folder();
    let run = folder.run(&["generate"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(OUTPUTS.iter().all(|path| folder.has(path)), "{}", run.out);
    // The importing document has the names of the other table.
    let shop = folder.read("src/shop/mod.rs");
    assert!(
        shop.contains("pub use crate::common::types::Amount as Money;"),
        "{shop}"
    );
    let check = folder.run(&["generate", "--check"]);
    let up_to_date = "src/common: up to date\nsrc/shop: up to date\nsrc/pets: up to date\n";
    assert_eq!((check.code, &*check.out), (Some(0), up_to_date));
    folder.put("common.yaml", &COMMON.replace("cents", "pence"));
    let check = folder.run(&["generate", "--check"]);
    assert_eq!(check.code, Some(1));
    assert!(
        check.out.starts_with("src/common: 1 file out of date:\n"),
        "{}",
        check.out
    );
    assert!(
        check.out.contains("src/shop: up to date\n"),
        "{}",
        check.out
    );
}

#[test]
fn an_error_in_one_document_writes_none() {
    let folder = folder();
    folder.put("pets.yaml", &broken());
    let run = folder.run(&["generate"]);
    assert_eq!((run.code, &*run.out), (Some(1), ""));
    assert!(run.err.contains("pets.yaml"), "{}", run.err);
    assert!(!OUTPUTS.iter().any(|path| folder.has(path)));
    // One document is selected by its name, or by that of its file.
    for (name, written) in [("shop", "src/shop/mod.rs"), ("common", "src/common/mod.rs")] {
        let run = folder.run(&["generate", "--document", name]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(folder.has(written));
    }
    assert!(!folder.has("src/pets/mod.rs"));
}

#[test]
fn commands_of_one_document_need_its_name() {
    let folder = folder();
    let several = "the configuration has several documents: name one by `--document`: `common`, `shop`, `pets`";
    for command in [
        &["deps"][..],
        &["stubs"],
        &["list", "operations"],
        &["generate", "--out", "a"],
        &["generate", "pets.yaml"],
        &["diff", "--against", "HEAD"],
    ] {
        let run = folder.run(command);
        assert_eq!(run.code, Some(2), "{command:?}");
        assert!(run.err.contains(several), "{command:?}: {}", run.err);
    }
    let run = folder.run(&["list", "operations", "--document", "shop"]);
    assert_eq!((run.code, &*run.out), (Some(0), "getPrice  GET /prices\n"));
    let run = folder.run(&["stubs", "--document", "pets"]);
    assert!(
        run.code == Some(0) && run.out.contains("list_pets"),
        "{}",
        run.err
    );
    let run = folder.run(&["deps", "--document", "shop"]);
    assert!(
        run.code == Some(0) && run.out.contains("bothends-runtime"),
        "{}",
        run.err
    );
    let run = folder.run(&["list", "tags", "--document", "shops"]);
    let unknown = "unknown document `shops`; the documents are `common`, `shop`, `pets`";
    assert!(
        run.code == Some(2) && run.err.contains(unknown),
        "{}",
        run.err
    );
    let run = folder.run(&["config", "--check"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("# bothends.toml:4"), "{}", run.out);
}

#[test]
fn a_comparison_has_the_settings_of_the_compared_document() {
    let folder = folder();
    folder.put("old/shop.yaml", SHOP);
    folder.put("old/common.yaml", &COMMON.replace("[cents]", "[]"));
    let run = folder.run(&["diff", "old/shop.yaml", "shop.yaml", "--details"]);
    assert!(
        run.out.contains("(imported from `crate::common::types`)"),
        "{}{}",
        run.out,
        run.err
    );
    let run = folder.run(&["diff", "old/shop.yaml", "shop.yaml", "--keep-names"]);
    assert_eq!(run.code, Some(2), "{}", run.out);
    assert!(
        run.err.contains("write to a file with one document"),
        "{}",
        run.err
    );
}

#[test]
fn a_flag_imports_a_file() {
    let folder = Folder::new();
    folder.put("common.yaml", COMMON);
    folder.put("shop.yaml", SHOP);
    let import = "common.yaml=crate::common::types";
    let generate = ["generate", "shop.yaml", "--module", "--out", "shop"];
    folder.ok(&[&generate[..], &["--import", import]].concat());
    let shop = folder.read("shop/mod.rs");
    assert!(shop.contains("crate::common::types::Money"), "{shop}");
    // A flag has precedence over the entry of the file.
    folder.put(
        "bothends.toml",
        "[imports]\n'common.yaml' = 'crate::former::types'\n",
    );
    folder.ok(&[&generate[..], &["--import", import]].concat());
    assert_eq!(folder.read("shop/mod.rs"), shop);
    let text = folder.ok(&["config", "shop.yaml", "--import", import]);
    let expected = "imports = { \"common.yaml\" = \"crate::common::types\" }";
    let line = text.lines().find(|line| line.starts_with(expected));
    assert!(
        line.is_some_and(|line| line.ends_with("# --import")),
        "{text}"
    );
    let wrong = folder.run(&[&generate[..], &["--import", "common.yaml"]].concat());
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    assert!(wrong.err.contains("expected `FILE=PATH`"), "{}", wrong.err);
}
