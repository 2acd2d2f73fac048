//! open and close.

use std::{sync::Arc, time::Duration};

use backend::{Input, Provider};
use contract::{
    Code, Effect, Failure, Request, Row,
    command::Open,
    request::Answer,
    view::{Holder, Platform},
};
use serde_json::{Map, json};
use wire::{Context, Ledger};

use super::{answer, receipt_facts};
use crate::{leases::now_ms, router::Router, run::Run, session::Session, sessions::Held, timeline::Timeline};

/// How long a page may take to load when nothing is said, ms.
pub const LOAD_TIMEOUT_MS: u64 = 30_000;
/// How long closing may take before the rest is left to the killing of processes.
const CLOSE_LIMIT: Duration = Duration::from_secs(10);

/// `open`: a new session, or another address in the one that is open.
///
/// # Errors
/// Device unknown or held by another session; contradiction to what is open; what the device says.
pub async fn open(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    held: &mut Held,
    args: &Open,
) -> Result<Answer, Failure> {
    let provider = provider(router, request, args, held.get().map(|session| session.platform))?;
    let device = match (&request.device, held.get()) {
        (Some(device), _) => device.clone(),
        // What is open stays where it is: a browser's device is chosen by its name, so that is asked anew.
        (None, Some(session)) if session.lease.is_some() && session.platform == provider.platform() => {
            session.device_id.clone()
        }
        (None, _) => provider.default_device(context, args).await?,
    };
    if let Some(session) = held.get()
        && !args.relaunch
    {
        return open_in(session, context, request, provider.platform(), &device, args).await;
    }
    // Everything that can be refused is refused before a relaunch closes what is open.
    let relaunched = held.get().is_some();
    if let Some(app) = args.app.as_ref().filter(|app| relaunched && !provider.opens(app)) {
        return Err(unknown_app(app));
    }
    let capabilities = provider.capabilities(&device).ok_or_else(|| {
        Failure::refused(
            Row::DaemonAdmissionDeviceNotFound,
            Code::DeviceNotFound,
            format!("there is no {} device {device:?}", provider.platform()),
        )
        .reason("device_not_found")
    })?;
    let holder = Holder { session: name.to_owned(), workspace: request.workspace.clone(), since_ms: now_ms() };
    let held_already = held.get().is_some_and(|session| session.device_id == device && session.lease.is_some());
    let take = || router.leases.take(&device, holder.clone());
    let mut lease = if provider.exclusive(&device) && !held_already { Some(take()?) } else { None };
    let folder = router.state.session(name);
    let timeline = Timeline::open(&folder).map_err(|why| {
        Failure::refused(Row::DaemonAdmissionStorage, Code::StorageFailed, format!("{}: {why}", folder.display()))
            .reason("state_unwritable")
            .hint(format!("make room, or set another folder: {}", crate::state_dir::STATE_DIR_VARIABLE))
    })?;
    if relaunched {
        // One step, however many sends of its own the device's closing takes, and also where it takes none.
        let ticket = context.ledger.begin(Effect::Mutates);
        close_session(held, &Context { ledger: Ledger::default(), ..context.clone() }).await?;
        ticket.completed();
    }
    if held_already {
        lease = Some(take()?);
    }
    let opened = provider.open(context, &device, args).await?;
    if router.stop.is_cancelled() {
        let _ended = opened.close(&Context::with_limit(CLOSE_LIMIT)).await;
        return Err(Failure::new(Code::DaemonUnavailable, "the daemon was told to stop while this was being opened")
            .reason("shutting_down")
            .retriable());
    }
    let app = args.app.clone().unwrap_or_else(|| match provider.platform() {
        Platform::Stage => "demo".to_owned(),
        Platform::Web => "about:blank".to_owned(),
        Platform::Android => "the home screen".to_owned(),
    });
    let text = format!("Opened {app} on {device} in session {name}");
    held.put(Session {
        name: name.to_owned(),
        workspace: request.workspace.clone(),
        platform: provider.platform(),
        device_id: device.clone(),
        app: app.clone(),
        opened_ms: now_ms(),
        device: opened,
        lease,
        refs: held.refs(name),
        listing: None,
        tree: None,
        seen_at: None,
        viewport: None,
        film: None,
        timeline,
        folder,
    });
    let data = json!({"session": name, "app": app, "device": device, "platform": provider.platform(), "capabilities": capabilities.can});
    Ok(Answer::said(data, text))
}

/// The platform that is meant: named, or that of the session that is open where it opens such an app, or the first that
/// does, or the stage.
fn provider(
    router: &Router,
    request: &Request,
    args: &Open,
    open: Option<Platform>,
) -> Result<Arc<dyn Provider>, Failure> {
    let by_platform =
        |platform: Platform| router.providers.iter().find(|provider| provider.platform() == platform).cloned();
    let web_only = args.browser.is_some()
        || args.headed
        || args.mobile.is_some()
        || args.driver_url.is_some()
        || args.capabilities.is_some();
    let opened_here = |app: &str| open.and_then(by_platform).filter(|provider| !web_only && provider.opens(app));
    let chosen = match (request.platform, args.app.as_deref()) {
        (Some(platform), _) => by_platform(platform),
        (None, None) if web_only => by_platform(Platform::Web),
        (None, None) => by_platform(Platform::Stage),
        (None, Some(app)) => {
            opened_here(app).or_else(|| router.providers.iter().find(|provider| provider.opens(app)).cloned())
        }
    };
    let provider = chosen.ok_or_else(|| unknown_app(args.app.as_deref().unwrap_or_default()))?;
    if web_only && provider.platform() != Platform::Web {
        return Err(Failure::refused(
            Row::DaemonProtocolBadArguments,
            Code::InvalidArgs,
            "--browser, --headed, --mobile, --driver-url and --capabilities go with --platform web",
        )
        .reason("invalid_arguments"));
    }
    Ok(provider)
}

fn unknown_app(app: &str) -> Failure {
    Failure::refused(Row::DaemonAdmissionDeviceNotFound, Code::InvalidArgs, format!("nothing here opens {app:?}"))
        .reason("app_unknown")
        .hint("a web address (http://...), a stage app (demo, ./app.toml), or an Android app with its platform: com.example.app --platform android")
}

/// Another address in the session that is open.
async fn open_in(
    session: &mut Session,
    context: &Context,
    request: &Request,
    platform: Platform,
    device: &str,
    args: &Open,
) -> Result<Answer, Failure> {
    let other_device = request.device.is_some() || args.browser.is_some();
    if session.platform != platform
        || (other_device && session.device_id != device)
        || args.mobile.is_some()
        || args.headed
        || args.driver_url.is_some()
        || args.capabilities.is_some()
    {
        return Err(Failure::refused(
            Row::DaemonAdmissionOpenConflict,
            Code::InvalidArgs,
            format!(
                "session {:?} has {} open on {}; this open asks for something else",
                session.name, session.app, session.device_id
            ),
        )
        .reason("open_conflict")
        .hint("start it anew with --relaunch, or use another session: --session NAME"));
    }
    let Some(app) = args.app.clone() else {
        return Ok(Answer::said(
            json!({"session": session.name, "app": session.app, "device": device, "platform": session.platform,
                "capabilities": session.device.capabilities().can}),
            format!("{} is open already", session.app),
        ));
    };
    let device = session.device.clone();
    session.tree = None;
    let load_timeout_ms = args.load_timeout_ms.unwrap_or(LOAD_TIMEOUT_MS);
    let receipt = device.perform(context, Input::Navigate { address: app.clone(), load_timeout_ms }).await?;
    session.app.clone_from(&app);
    let mut facts = Map::from_iter([
        ("session".to_owned(), session.name.as_str().into()),
        ("app".to_owned(), app.as_str().into()),
        ("device".to_owned(), session.device_id.as_str().into()),
        ("platform".to_owned(), json!(session.platform)),
        ("capabilities".to_owned(), json!(session.device.capabilities().can)),
    ]);
    let mut lines = Vec::new();
    receipt_facts(&receipt, &mut facts, &mut lines);
    Ok(answer(facts, format!("Opened {app}"), lines))
}

/// `close`.
///
/// # Errors
/// `SESSION_NOT_FOUND` where nothing is open.
pub async fn close(name: &str, held: &mut Held, context: &Context) -> Result<Answer, Failure> {
    held.session(name)?;
    close_session(held, context).await?;
    Ok(Answer::said(json!({"session": name, "closed": true}), format!("Closed session {name}")))
}

/// Closes what a session has open. The session is gone afterwards, whatever the device says.
///
/// # Errors
/// What the device says of it.
pub async fn close_session(held: &mut Held, context: &Context) -> Result<(), Failure> {
    let Some(session) = held.take() else { return Ok(()) };
    // Closing goes on when the caller is gone: half a close would leave processes behind.
    let mut closing = Context::with_limit(CLOSE_LIMIT);
    closing.request = context.request.clone();
    closing.ledger = context.ledger.clone();
    session.device.close(&closing).await
}

/// A run of one command in an open session.
pub fn run<'a>(context: &Context, request: &Request, session: &'a mut Session) -> Run<'a> {
    Run {
        context: context.clone(),
        session,
        readiness_ms: request.readiness_timeout_ms,
        expect: request.expect.clone(),
        render: request.render,
        polls: Vec::new(),
        notes: None,
    }
}
