//! devices, capabilities, doctor, session, daemon, events: the daemon and the host, never the app.

use std::fmt::Write as _;

use backend::CheckStatus;
use contract::{
    Code, Command, Failure, Request, Row,
    command::{DaemonAction, Events, SessionAction},
    plain,
    request::Answer,
};
use serde_json::json;
use wire::Context;

use super::fleet;
use crate::{leases::age, router::Router, timeline};

/// Events shown when nothing is said.
const EVENTS: u32 = 50;

/// Runs a command that needs no session.
///
/// # Errors
/// What the command says.
pub async fn host(
    router: &Router,
    context: &Context,
    request: &Request,
    name: &str,
    command: &Command,
) -> Result<Answer, Failure> {
    if let Some(done) = fleet::fleet(router, context, request, name, command).await {
        return done;
    }
    match command {
        Command::Devices(_) => Ok(devices(router, request).await),
        Command::Capabilities(_) => capabilities(router, request).await,
        Command::Doctor(_) => doctor(router, request).await,
        Command::Session(session) => match session.action {
            SessionAction::List => Ok(sessions(router)),
            SessionAction::StateDir => {
                let path = router.state.path().display().to_string();
                Ok(Answer::said(json!({"stateDir": path}), path.clone()))
            }
            SessionAction::SaveScript => {
                Err(Failure::new(Code::Internal, "the router sent a session's command to the host"))
            }
        },
        Command::Daemon(daemon) => match daemon.action {
            // Who reads this runs: nothing is left to start.
            DaemonAction::Start | DaemonAction::Status => Ok(status(router)),
            DaemonAction::Stop => {
                let sessions = router.sessions.list().len();
                router.stop.cancel();
                Ok(Answer::new(
                    json!({"stopped": true, "sessions": sessions}),
                    format!("Stopped; {sessions} session(s) closed"),
                ))
            }
        },
        Command::Events(events) => Ok(self::events(router, name, events)),
        _ => Err(Failure::new(Code::Internal, "the router sent a session's command to the host")),
    }
}

async fn devices(router: &Router, request: &Request) -> Answer {
    let mut devices = Vec::new();
    for provider in router
        .providers
        .iter()
        .filter(|provider| request.platform.is_none_or(|platform| provider.platform() == platform))
    {
        for mut device in provider.devices().await {
            device.claimed_by = router.leases.holder(&device.id);
            devices.push(device);
        }
    }
    let mut text = String::new();
    for device in &devices {
        let held = device
            .claimed_by
            .as_ref()
            .map(|holder| format!(", held by session {} for {}", holder.session, age(holder.since_ms)));
        let state = match (&held, device.available, &device.unavailable_reason) {
            (Some(held), ..) => held.clone(),
            (None, true, _) => String::new(),
            (None, false, Some(reason)) => format!(", not available: {reason}"),
            (None, false, None) => ", not available".to_owned(),
        };
        let _infallible = writeln!(
            text,
            "{:<10} {} ({}, {}{state})",
            device.id,
            plain::line(&device.name),
            device.platform,
            device.kind
        );
    }
    Answer::new(json!({"devices": devices}), text.trim_end())
}

async fn capabilities(router: &Router, request: &Request) -> Result<Answer, Failure> {
    let mut rows = Vec::new();
    for provider in router
        .providers
        .iter()
        .filter(|provider| request.platform.is_none_or(|platform| provider.platform() == platform))
    {
        for device in provider.devices().await {
            if request.device.as_ref().is_none_or(|wanted| *wanted == device.id)
                && let Some(capabilities) = provider.capabilities(&device.id)
            {
                rows.push((device, capabilities));
            }
        }
    }
    if rows.is_empty() {
        let wanted = request.device.as_deref().unwrap_or_default();
        return Err(Failure::refused(
            Row::DaemonAdmissionDeviceNotFound,
            Code::DeviceNotFound,
            format!("there is no device {wanted:?}"),
        )
        .reason("device_not_found"));
    }
    let mut text = String::new();
    for (device, capabilities) in &rows {
        let word = |value: &contract::Capability| {
            serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
        };
        let _infallible =
            writeln!(text, "{}: {}", device.id, capabilities.can.iter().map(word).collect::<Vec<_>>().join(" "));
        for missing in &capabilities.cannot {
            let _infallible = writeln!(text, "  not {}: {}", word(&missing.capability), missing.reason);
        }
    }
    let data: Vec<_> = rows.iter().map(|(device, can)| json!({"device": device.id, "platform": device.platform, "can": can.can, "cannot": can.cannot})).collect();
    Ok(Answer::new(json!({"devices": data}), text.trim_end()))
}

/// `doctor`: fails where a check fails, so that its exit code can be trusted.
async fn doctor(router: &Router, request: &Request) -> Result<Answer, Failure> {
    let mut checks = vec![router.state_check()];
    for provider in router
        .providers
        .iter()
        .filter(|provider| request.platform.is_none_or(|platform| provider.platform() == platform))
    {
        checks.extend(provider.doctor().await);
    }
    let mut text = String::new();
    for check in &checks {
        let mark = match check.status {
            CheckStatus::Pass => "pass",
            CheckStatus::Warn => "warn",
            CheckStatus::Fail => "FAIL",
        };
        let _infallible = writeln!(text, "{mark}  {}: {}", check.name, plain::line(&check.found));
        if let Some(remedy) = &check.remedy {
            let _infallible = writeln!(text, "      -> {remedy}");
        }
    }
    let failed: Vec<_> =
        checks.iter().filter(|check| check.status == CheckStatus::Fail).map(|check| check.name.clone()).collect();
    if failed.is_empty() {
        return Ok(Answer::new(json!({"checks": checks, "ok": true}), text.trim_end()));
    }
    let remedy = checks.iter().filter(|check| check.status == CheckStatus::Fail).find_map(|check| check.remedy.clone());
    let mut failure = Failure::new(
        Code::ToolMissing,
        format!("{} of {} checks failed: {}", failed.len(), checks.len(), failed.join(", ")),
    )
    .reason("doctor_failed")
    .detail("report", text.lines().collect::<Vec<_>>())
    .detail("checks", serde_json::to_value(&checks).unwrap_or_default());
    failure.hint = remedy.or(failure.hint);
    Err(failure)
}

fn sessions(router: &Router) -> Answer {
    let sessions = router.sessions.list();
    let mut text = String::new();
    for session in &sessions {
        let _infallible = writeln!(
            text,
            "{:<16} {} on {} ({}), open for {}, last used {} ago{}",
            plain::line(&session.name),
            plain::line(&session.app),
            plain::line(&session.device),
            session.platform,
            age(session.opened_ms),
            age(session.used_ms),
            if session.busy { ", busy" } else { "" }
        );
    }
    if sessions.is_empty() {
        text.push_str("No sessions");
    }
    Answer::new(json!({"sessions": sessions}), text.trim_end())
}

fn status(router: &Router) -> Answer {
    let data = json!({
        "version": contract::VERSION,
        "pid": std::process::id(),
        "instance": router.instance,
        "startedMs": router.started_ms,
        "running": true,
        "stateDir": router.state.path().display().to_string(),
        "socket": router.state.socket().display().to_string(),
        "sessions": router.sessions.list().len(),
    });
    Answer::new(
        data,
        format!(
            "agent-device {} (pid {}), running for {}",
            contract::VERSION,
            std::process::id(),
            age(router.started_ms)
        ),
    )
}

fn events(router: &Router, name: &str, args: &Events) -> Answer {
    let limit = args.limit.unwrap_or(EVENTS) as usize;
    let events = timeline::read_after(&router.state.session(name), args.cursor.unwrap_or(0), limit);
    let mut text = String::new();
    for event in &events {
        let state = match (&event.dispatched, event.ok) {
            (_, true) => "ok".to_owned(),
            (Some(dispatched), false) => {
                format!("{} dispatched: {dispatched}", event.code.as_deref().unwrap_or("failed"))
            }
            (None, false) => "failed".to_owned(),
        };
        let _infallible = writeln!(
            text,
            "{:>5} {:<10} {:>5} ms  {state}  {}",
            event.number,
            event.command,
            event.duration_ms,
            plain::line(&event.message)
        );
    }
    if events.is_empty() {
        text.push_str("No events");
    }
    let cursor = events.last().map(|event| event.number);
    Answer::new(json!({"events": events, "cursor": cursor}), text.trim_end())
}
