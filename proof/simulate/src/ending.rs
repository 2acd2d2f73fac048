//! What is tried when the clients are done: every request has its result, every session is of use or says how to go on,
//! everything can be closed, and the timelines tell what happened.

use std::{collections::BTreeMap, time::Duration};

use contract::{
    Command, Effect, Request, Target,
    command::{AfterArgs, Close, Open, Press, Snapshot, ViewArgs},
    words::Words,
};
use cut::{After, Told, Trial, judge};
use daemon::requests::result_of;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    apps::BENCH,
    asked::asked,
    books::Page,
    chronicle,
    line::Line,
    model::{self, Finding, Kind},
    world::World,
};

/// How long the slowest request, or a fault, takes.
const REST: Duration = Duration::from_secs(300);

/// Tries it; a trial per session.
pub async fn end(world: &World) -> Vec<Trial> {
    results(world).await;
    // What was sent and lost takes effect by now, or never.
    sleep(REST).await;
    let mut trials = Vec::new();
    let (mut line, _) = world.connect().await;
    let sessions: Vec<_> = world.life().router.sessions.list().into_iter().map(|row| row.name).collect();
    for session in sessions {
        let after = usable(world, &mut line, &session).await;
        world.books.trace(world.started, format_args!("{session} afterwards: {after:?}"));
        let trial = Trial {
            operation: "any, after all that".to_owned(),
            fault: String::new(),
            told: Told::Done,
            landed: 1,
            asked: 1,
            after,
            took: Duration::ZERO,
            limit: REST,
        };
        for breach in judge(&trial) {
            let what = format!("{session}: {:?}", trial.after);
            world.books.wrong(Finding::new(Kind::Broken(breach), None, what));
        }
        trials.push(trial);
    }
    let closed = ask(world, &mut line, "end-all", "s0", Command::Close(Close { all: true })).await;
    if !matches!(closed, Some((Told::Done, _))) || !world.life().router.sessions.list().is_empty() {
        let what = format!("not everything could be closed: {closed:?}");
        world.books.wrong(Finding::new(Kind::Broken(cut::Breach::Stuck), Some("end-all"), what));
    }
    let (state, life) = (world.state(), world.life_number());
    let mut pages = world.books.open();
    let wrong = chronicle::wrong(&pages, &state, life);
    pages.findings.extend(wrong);
    trials
}

/// Every request that this daemon got has a result, also where nobody waited for it.
async fn results(world: &World) {
    let life = world.life_number();
    let unheard: Vec<String> = {
        let pages = world.books.open();
        let open = pages.requests.iter().filter(|(_, page)| page.life == life && page.told.is_none());
        open.filter(|(_, page)| page.effect == Effect::Mutates).map(|(id, _)| id.clone()).collect()
    };
    let router = world.life().router.clone();
    for id in unheard {
        let result = match router.requests.again(&id) {
            Some(receiver) => timeout(REST, result_of(receiver)).await.ok().flatten(),
            None => None,
        };
        let mut pages = world.books.open();
        let page = pages.requests.get_mut(&id).expect("it was asked");
        match result {
            Some(response) => {
                let reply = match &response {
                    Ok(answer) => json!({"result": answer}),
                    Err(failed) => json!({"error": {"data": failed}}),
                };
                page.told = Some((model::told(&reply), model::body(&reply)));
            }
            // Never read by the daemon, its connection closed first; what touched a device was read.
            None if page.calls.is_empty() => {}
            None => {
                let finding = Finding::new(Kind::NoResult, Some(&id), format!("it called a device: {page:?}"));
                pages.findings.push(finding);
            }
        }
    }
}

/// What can be done with a session.
async fn usable(world: &World, line: &mut Line, session: &str) -> After {
    let Err(failed) = works(world, line, session, 0).await else { return After::Usable };
    let hint = failed.get("hint").and_then(Value::as_str).unwrap_or_default().to_owned();
    if hint.is_empty() {
        return After::Stuck(format!("no hint in {failed}"));
    }
    let relaunch = Command::Open(Open { app: Some(BENCH.to_owned()), relaunch: true, ..Open::default() });
    let opened = ask(world, line, &format!("end-{session}-open"), session, relaunch).await;
    match works(world, line, session, 1).await {
        Ok(()) => After::Recovered(hint),
        Err(again) => After::Stuck(format!("{failed}; opened anew: {opened:?}; then {again}")),
    }
}

/// A look and a press.
async fn works(world: &World, line: &mut Line, session: &str, round: u32) -> Result<(), Value> {
    let press = Command::Press(Press {
        target: Words(Target::Point { x: 380.0, y: 590.0 }),
        count: None,
        interval_ms: None,
        hold_ms: None,
        double_tap: false,
        button: None,
        after: AfterArgs::default(),
    });
    let view = ViewArgs { interactive_only: true, ..ViewArgs::default() };
    let snapshot = Command::Snapshot(Snapshot { view, ..Snapshot::default() });
    for (word, command) in [("look", snapshot), ("press", press)] {
        let id = format!("end-{session}-{word}-{round}");
        match ask(world, line, &id, session, command).await {
            Some((Told::Done, _)) => {}
            Some((_, body)) => return Err(body),
            None => return Err(json!("no answer")),
        }
    }
    Ok(())
}

async fn ask(world: &World, line: &mut Line, id: &str, session: &str, command: Command) -> Option<(Told, Value)> {
    let request = Request { session: Some(session.to_owned()), ..Request::new(id, &command) };
    let page = Page {
        step: u32::MAX,
        session: session.to_owned(),
        life: world.life_number(),
        operation: command.spec().name,
        effect: command.effect(),
        several: matches!(&command, Command::Close(close) if close.all),
        asked: asked(&command),
        limit: Duration::from_millis(command.timeout_ms()) + Duration::from_secs(10),
        faults: Vec::new(),
        names: None,
        hits: None,
        halves: false,
        written: Some(Instant::now()),
        told: None,
        took: None,
        calls: BTreeMap::new(),
        app: None,
        returned: (0, 0),
    };
    world.books.open().requests.insert(id.to_owned(), page);
    let number = line.run(&request, None).await?;
    let reply = line.reply(number, Instant::now() + REST).await?;
    let told = (model::told(&reply), model::body(&reply));
    let mut pages = world.books.open();
    let page = pages.requests.get_mut(id)?;
    page.took = page.written.map(|written| written.elapsed());
    page.told = Some(told.clone());
    Some(told)
}
