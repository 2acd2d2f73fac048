//! apps, install, reinstall, push, pull, boot, shutdown, pair: devices without a session.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use backend::{Fleet, Package, Pairing, Provider};
use contract::{
    Code, Command, Failure, Request, Row,
    command::{Open, Pair},
    plain,
    request::Answer,
    view::Holder,
};
use serde_json::{Value, json};
use wire::Context;

use super::files::readable;
use crate::{
    leases::{Lease, now_ms},
    router::Router,
};

/// Runs one of these commands; `None` where it is none of them.
///
/// # Errors
/// What the device says; `DEVICE_IN_USE` where another session holds it.
pub async fn fleet(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    command: &Command,
) -> Option<Result<Answer, Failure>> {
    Some(match command {
        Command::Apps(args) => apps(router, context, request, name, args.all).await,
        Command::Install(args) => {
            let package = Package {
                path: PathBuf::from(&args.path),
                replacing: None,
                grant_all: args.grant_all,
                downgrade: args.downgrade,
            };
            install(router, context, request, name, package).await
        }
        Command::Reinstall(args) => {
            let package = Package {
                path: PathBuf::from(&args.path),
                replacing: Some(args.app.clone()),
                grant_all: args.grant_all,
                downgrade: false,
            };
            install(router, context, request, name, package).await
        }
        Command::Push(args) => push(router, context, request, name, &args.path, &args.to).await,
        Command::Pull(args) => pull(router, context, request, name, &args.from, args.path.as_deref()).await,
        Command::Boot(args) => boot(router, context, request, args.headless).await,
        Command::Shutdown(_) => shutdown(router, context, request, name).await,
        Command::Pair(args) => pair(router, context, request, args).await,
        _ => return None,
    })
}

/// A device that was chosen, held for as long as the command runs.
struct Chosen {
    provider: Arc<dyn Provider>,
    device: String,
    _lease: Option<Lease>,
}

impl Chosen {
    fn fleet(&self) -> Result<&dyn Fleet, Failure> {
        self.provider.fleet().ok_or_else(|| without(&self.provider.platform().to_string()))
    }
}

/// The device that a command means: the named one, the session's, the platform's only one.
async fn choose(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    changes: bool,
) -> Result<Chosen, Failure> {
    context.check()?;
    let open = router.sessions.list().into_iter().find(|row| row.name == name);
    let provider = match (request.platform, &open) {
        (Some(platform), _) => router.providers.iter().find(|provider| provider.platform() == platform),
        (None, Some(open)) if request.device.is_none() => {
            router.providers.iter().find(|provider| provider.platform() == open.platform)
        }
        (None, _) => router.providers.iter().find(|provider| provider.fleet().is_some()),
    };
    let provider = provider.cloned().ok_or_else(|| without("this build"))?;
    if provider.fleet().is_none() {
        return Err(without(&provider.platform().to_string()));
    }
    let own = open.filter(|open| open.platform == provider.platform()).map(|open| open.device);
    let device = match (&request.device, own) {
        (Some(device), _) => device.clone(),
        (None, Some(own)) => own,
        (None, None) => provider.default_device(context, &Open::default()).await?,
    };
    let own = || router.leases.holder(&device).is_some_and(|holder| holder.session == name);
    let lease = if changes && provider.exclusive(&device) && !own() {
        let holder = Holder { session: name.to_owned(), workspace: request.workspace.clone(), since_ms: now_ms() };
        Some(router.leases.take(&device, holder)?)
    } else {
        None
    };
    Ok(Chosen { provider, device, _lease: lease })
}

/// The named platform's devices, or those of the first platform that has any to deal with.
fn of_platform<'r>(router: &'r Router, request: &Request) -> Result<&'r dyn Fleet, Failure> {
    router
        .providers
        .iter()
        .filter(|provider| request.platform.is_none_or(|platform| provider.platform() == platform))
        .find_map(|provider| provider.fleet())
        .ok_or_else(|| without("this platform"))
}

fn without(what: &str) -> Failure {
    Failure::refused(
        Row::DaemonAdmissionUnsupportedOperation,
        Code::UnsupportedOperation,
        format!("{what}: no apps, files or emulators to deal with"),
    )
    .reason("unsupported_operation")
    .hint("name a platform that has them: --platform android")
}

async fn apps(router: &Router, context: &Context, request: &Request, name: &str, all: bool) -> Result<Answer, Failure> {
    let chosen = choose(router, context, request, name, false).await?;
    let apps = chosen.fleet()?.apps(context, &chosen.device, all).await?;
    let lines: Vec<_> = apps
        .iter()
        .map(|app| match (&app.name, &app.version) {
            (Some(name), Some(version)) => format!("{} ({name} {version})", app.id),
            (Some(name), None) => format!("{} ({name})", app.id),
            (None, Some(version)) => format!("{} ({version})", app.id),
            (None, None) => app.id.clone(),
        })
        .map(|line| plain::line(&line).into_owned())
        .collect();
    let text = if lines.is_empty() { "No apps".to_owned() } else { lines.join("\n") };
    Ok(Answer::new(json!({"device": chosen.device, "apps": apps}), text))
}

async fn install(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    package: Package,
) -> Result<Answer, Failure> {
    readable(&package.path)?;
    let chosen = choose(router, context, request, name, true).await?;
    let installed = chosen.fleet()?.install(context, &chosen.device, &package).await?;
    let what = installed.app.clone().unwrap_or_else(|| package.path.display().to_string());
    let mut text = plain::line(&format!("Installed {what} on {}", chosen.device)).into_owned();
    for warning in &installed.warnings {
        text.push_str("\nWarning: ");
        text.push_str(&plain::line(warning));
    }
    let mut data = json!(installed);
    data["device"] = chosen.device.into();
    Ok(Answer::new(data, text))
}

async fn push(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    path: &str,
    to: &str,
) -> Result<Answer, Failure> {
    let path = Path::new(path);
    readable(path)?;
    let chosen = choose(router, context, request, name, true).await?;
    let bytes = chosen.fleet()?.push(context, &chosen.device, path, to).await?;
    let text = format!("Copied {} to {to} on {} ({bytes} bytes)", path.display(), chosen.device);
    Ok(Answer::said(json!({"device": chosen.device, "to": to, "bytes": bytes}), text))
}

async fn pull(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    from: &str,
    path: Option<&str>,
) -> Result<Answer, Failure> {
    let path = path.map(Path::new).filter(|path| path.is_absolute()).ok_or_else(|| {
        Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            "the daemon takes absolute paths only; clients resolve them",
        )
        .reason("invalid_arguments")
    })?;
    let chosen = choose(router, context, request, name, false).await?;
    let bytes = chosen.fleet()?.pull(context, &chosen.device, from, path).await?;
    let shown = path.display().to_string();
    let text = format!("Copied {from} on {} to {shown} ({bytes} bytes)", chosen.device);
    Ok(Answer::said(json!({"device": chosen.device, "path": shown, "bytes": bytes}), text))
}

async fn boot(router: &Router, context: &Context, request: &Request, headless: bool) -> Result<Answer, Failure> {
    let Some(device) = request.device.as_deref() else {
        return Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            "say which emulator: --device NAME",
        )
        .reason("invalid_arguments")
        .hint("agent-device devices lists them"));
    };
    let fleet = of_platform(router, request)?;
    context.check()?;
    let booted = fleet.boot(context, device, headless).await?;
    Ok(Answer::said(json!({"device": booted, "booted": true}), format!("{device} is ready as {booted}")))
}

async fn shutdown(router: &Router, context: &Context, request: &Request, name: &str) -> Result<Answer, Failure> {
    let chosen = choose(router, context, request, name, true).await?;
    chosen.fleet()?.shutdown(context, &chosen.device).await?;
    let text = format!("{} is shut down", chosen.device);
    Ok(Answer::said(json!({"device": chosen.device, "shutdown": true}), text))
}

async fn pair(router: &Router, context: &Context, request: &Request, args: &Pair) -> Result<Answer, Failure> {
    let fleet = of_platform(router, request)?;
    let missing = |what: &str| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, what.to_owned())
            .reason("invalid_arguments")
    };
    let pairing = match (args.list, &args.address, &args.code, &args.service, &args.password) {
        (true, ..) => Pairing::List,
        (_, Some(address), Some(code), ..) => Pairing::Code { address: address.clone(), code: code.clone() },
        (_, Some(_), None, ..) => return Err(missing("the code that the phone shows is missing")),
        (_, None, _, Some(service), Some(password)) => {
            Pairing::Qr { service: service.clone(), password: password.clone() }
        }
        _ => return Err(missing("say --list, an address with its code, or let the command line show a QR code")),
    };
    context.check()?;
    let data = fleet.pair(context, &pairing).await?;
    let text = data.get("message").and_then(Value::as_str).unwrap_or("Paired").to_owned();
    Ok(Answer::new(data, text))
}
