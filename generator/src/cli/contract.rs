//! `bothends contract SPEC URL`

use bothends::ir::{Api, SchemeKind};
use bothends::scaffold::{Purpose, variable_of};

use super::args::Contract;
use super::drive::{self, Driver};
use super::{End, report, settings};

/// The variable of the environment that has the headers of all requests.
const HEADERS: &str = "BOTHENDS_HEADERS";

pub(super) fn run(args: &Contract) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Contract) -> Result<End, String> {
    let format = args.messages.message_format;
    let tls = match args.url.split_once("://") {
        Some(("http", _)) => false,
        Some(("https", _)) => true,
        _ => return Err(format!("`{}` is not a URL of http or https", args.url)),
    };
    let config = drive::configured(settings::read_checked(&args.settings)?);
    let Some((spec, plan)) = drive::plan(&config, format)? else {
        return Ok(End::Found);
    };
    if plan.api.operations.is_empty() {
        let spec = spec.display();
        return Err(format!(
            "`{spec}` has no operations: there is nothing to call"
        ));
    }
    let mut variables = credentials(&plan.api, &args.credential)?;
    if !args.header.is_empty() {
        headers(&args.header)?;
        variables.push((HEADERS.to_owned(), args.header.join("\n")));
    }
    let purpose = Purpose::Contract { tls };
    let build = (&args.settings.build, &config);
    let driver = Driver::write(&spec, &plan, purpose, build, format)?;
    let numbers = [args.cases.to_string(), args.seed.to_string()];
    let arguments: Vec<String> = [args.url.clone()].into_iter().chain(numbers).collect();
    Ok(match driver.run(&arguments, &variables)?.code() {
        Some(0) => End::Done,
        Some(1) => End::Found,
        _ => End::Failed,
    })
}

/// Returns the variables of the environment for credentials that flags give, each as `SCHEME=VALUE`. Messages do not
/// show a value.
fn credentials(api: &Api, flags: &[String]) -> Result<Vec<(String, String)>, String> {
    let schemes = || {
        let schemes = api.schemes.iter();
        schemes.filter(|scheme| scheme.kind != SchemeKind::Transport)
    };
    let names = || {
        let names = schemes().map(|scheme| format!("`{}`", scheme.name.wire));
        match names.collect::<Vec<_>>() {
            names if names.is_empty() => "the document has no security scheme".to_owned(),
            names => format!("the security schemes are {}", names.join(", ")),
        }
    };
    let given = flags.iter().map(|flag| {
        let (name, value) = flag
            .split_once('=')
            .ok_or_else(|| format!("`--credential` expects `SCHEME=VALUE`; {}", names()))?;
        let scheme = schemes().find(|scheme| scheme.name.wire == name);
        let scheme = scheme.ok_or_else(|| {
            format!(
                "unknown security scheme `{}`; {}",
                name.escape_debug(),
                names()
            )
        })?;
        Ok((variable_of(scheme), value.to_owned()))
    });
    given.collect()
}

/// Returns an error for a header that is not `NAME: VALUE` on one line.
fn headers(flags: &[String]) -> Result<(), String> {
    let is_header = |flag: &String| flag.contains(':') && !flag.contains(['\r', '\n']);
    match flags.iter().all(is_header) {
        true => Ok(()),
        false => Err("`--header` expects `NAME: VALUE`".to_owned()),
    }
}
