//! `bothends contract` against a service in Python, with planted faults and without.

use bothends_tests::python::Running;

use super::{Run, bothends, document};

/// The key of the service, which no output has.
const KEY: &str = "s3cret key";

fn contract(service: &[&str], args: &[&str], key: Option<&str>) -> Run {
    let mut running = Running::start("books.py", service).expect("python3");
    let port = running.line().expect("a port");
    let url = format!("http://127.0.0.1:{port}");
    let path = document("books.yaml");
    let mut all = vec!["contract", path.to_str().expect("UTF-8"), &url];
    all.extend(args);
    let folder = tempfile::tempdir().expect("a folder");
    let key: Vec<_> = key
        .map(|key| ("BOTHENDS_CREDENTIAL_KEY", key))
        .into_iter()
        .collect();
    let run = bothends(folder.path(), &all, &key);
    let written = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(written, 0, "the command wrote into the current folder");
    for secret in [KEY, "s3cret%20key", "s3cret+key", "t0ken"] {
        assert!(
            !format!("{}{}", run.out, run.err).contains(secret),
            "{}{}",
            run.out,
            run.err
        );
    }
    Run {
        out: run.out.replace(&url, "URL"),
        err: run.err.replace(&url, "URL"),
        ..run
    }
}

#[test]
fn planted_faults_are_found_and_shown_as_requests() {
    let run = contract(&["faulty"], &[], Some(KEY));
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    let found: Vec<&str> = (run.out.lines())
        .filter(|line| {
            ["listBooks: ", "addBook: ", "getBook: "]
                .iter()
                .any(|id| line.starts_with(id))
        })
        .collect();
    let planted = [
        "listBooks: the response 200 does not match the document: header `X-Total` must be an integer",
        "listBooks: the service failed with 500 Internal Server Error",
        "addBook: the response 201 accepts an invalid request: `title` (body) has more than 40 characters",
        "getBook: the response 410 does not match the document: the status is not documented",
        "getBook: the response 200 does not match the document: the body at /title must be a string",
    ];
    for planted in planted {
        assert!(found.contains(&planted), "{planted}:\n{}", run.out);
    }
    assert_eq!(found.len(), planted.len(), "{}", run.out);
    let curl = "    curl -X GET 'URL/books?limit=50&api%20key='\"$SECRET\"'' -H 'accept: application/json, */*;q=0.1'";
    assert!(run.out.lines().any(|line| line == curl), "{}", run.out);
    let rust =
        "    Request::builder().method(\"GET\").uri(\"URL/books?limit=50&api%20key=$SECRET\")";
    assert!(
        run.out.lines().any(|line| line.starts_with(rust)),
        "{}",
        run.out
    );
    assert!(
        run.err
            .contains("running `cargo run --quiet --manifest-path "),
        "{}",
        run.err
    );
    let again = contract(&["faulty"], &[], Some(KEY));
    assert_eq!(again.out, run.out, "a seed draws the same requests");
}

#[test]
fn a_service_that_keeps_its_contract_has_no_findings() {
    let run = contract(&[], &["--cases", "300", "--seed", "7"], Some(KEY));
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let is_whole = run.out.starts_with("0 findings in ");
    let is_whole = is_whole
        && run
            .out
            .ends_with(" requests to 3 operations, with the seed 7\n");
    assert!(is_whole, "{}", run.out);
}

#[test]
fn flags_select_operations_and_set_credentials() {
    let flag = format!("key={KEY}");
    let args = [
        "--include",
        "tag:writing",
        "--credential",
        &flag,
        "--header",
        "X-Trace: 1",
    ];
    let run = contract(&["faulty"], &args, None);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("1 findings in "), "{}", run.out);
    assert!(run.out.contains(" to 1 operations, "), "{}", run.out);
    let header = "-H 'x-trace: '\"$SECRET\"''";
    assert!(run.out.contains(header), "{}", run.out);
}

#[test]
fn tokens_are_obtained_with_the_id_and_the_secret_of_a_client() {
    for (credential, code) in [
        ("machine=client:s3cret key", 0),
        ("machine=client:another", 2),
        ("machine=t0ken", 0),
        ("machine=another", 2),
    ] {
        let args = ["--cases", "20", "--credential", credential];
        let run = contract(&[], &args, None);
        assert_eq!(run.code, Some(code), "{credential}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_service_that_refuses_all_credentials_is_not_tested() {
    let run = contract(&[], &["--cases", "2"], None);
    assert_eq!(run.code, Some(2), "{}{}", run.out, run.err);
    assert!(
        run.err.contains("error: no operation was tested\n"),
        "{}",
        run.err
    );
    assert!(
        run.err
            .contains("note: getBook: 401 Unauthorized: set the credentials\n"),
        "{}",
        run.err
    );
}
