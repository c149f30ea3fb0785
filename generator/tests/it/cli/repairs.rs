//! `bothends lint --write-overlay`: a proposed overlay, which replaces no file.

use super::{Folder, PETS};

#[test]
fn an_overlay_is_a_new_file_and_the_remaining_errors_are_counted() {
    let folder = Folder::new();
    let broken = PETS.replace("/Pet'", "/Pat'").replace(
        "responses:",
        "parameters: [{ name: size, schema: { $ref: '#/definitions/Teapot' } }]\n      responses:",
    );
    folder.put("pets.yaml", &broken);
    let words = [
        "lint",
        "pets.yaml",
        "--write-overlay",
        "fix/pets.overlay.yaml",
    ];
    let run = folder.run(&words);
    let expected = "fix/pets.overlay.yaml: 2 actions; 1 error remains\n";
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(1), expected),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("E0104") && run.err.contains("E0201"),
        "{}",
        run.err
    );
    let text = folder.read("fix/pets.overlay.yaml");
    assert!(
        text.starts_with("overlay: 1.1.0\ninfo:\n  title: Repairs of pets.yaml\n"),
        "{text}"
    );

    let again = folder.run(&words);
    assert_eq!((again.code, again.out.as_str()), (Some(2), ""));
    assert!(
        again.err.contains("`fix/pets.overlay.yaml` already exists"),
        "{}",
        again.err
    );
    assert_eq!(folder.read("fix/pets.overlay.yaml"), text);

    let more = [
        "lint",
        "pets.yaml",
        "--overlay",
        "fix/pets.overlay.yaml",
        "--write-overlay",
        "more.yaml",
    ];
    let run = folder.run(&more);
    let expected = "nothing can be repaired; 1 error remains\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), expected));
    assert!(!folder.has("more.yaml"));

    folder.put("pets.yaml", PETS);
    let run = folder.run(&["lint", "pets.yaml", "--write-overlay", "more.yaml"]);
    let expected = "nothing can be repaired; no error remains\n";
    assert_eq!((run.code, run.out.as_str()), (Some(0), expected));
}
