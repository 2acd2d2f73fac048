//! The `agent-device` command line. The same program, called with another word, is the daemon.
//!
//! | module | answers |
//! | --- | --- |
//! | [`arguments`] | what can stand on the command line |
//! | [`usage`] | what is said of a command line that cannot be understood |
//! | [`qr`] | the QR code that a phone reads to pair |
//! | [`models`] | `mcp`: tools for a model |
//! | [`output`] | what is printed, and the exit code |
//! | [`reference`] | the pages of docs/reference, for developers |
//! | [`serving`] | `serve`: clients on other machines |
//! | [`traced`] | the page of a trace |
//! | [`topics`] | `help`: topics and the list of commands |

mod arguments;
#[cfg(test)]
mod documented;
mod models;
mod output;
mod qr;
#[cfg(debug_assertions)]
mod reference;
mod serving;
mod topics;
mod traced;
mod usage;

use std::{path::Path, process::ExitCode, time::Duration};

use clap::{CommandFactory, Parser};
use contract::{
    Command, Disclosed, Effect, Failure, Request, Sends,
    command::{DaemonAction, READINESS_CAP_MS},
    request::Render,
};
use daemon::{
    client::{Client, DAEMON_WORD, Interrupt},
    state_dir::StateDir,
};

use arguments::{Arguments, Global, Sub};

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == DAEMON_WORD) {
        return match StateDir::find(None) {
            Ok(state) => daemon::process::run(state),
            Err(why) => {
                daemon::log::line(&why);
                ExitCode::FAILURE
            }
        };
    }
    // For developers: a program that is shipped does not carry it.
    #[cfg(debug_assertions)]
    if words.get(1).is_some_and(|word| word == reference::REFERENCE_WORD) {
        return reference::run(words.get(2).map(AsRef::as_ref), words.get(3).map(AsRef::as_ref));
    }
    let json = words.iter().any(|word| word == "--json");
    match Arguments::try_parse_from(&words) {
        Ok(arguments) => run(arguments),
        Err(error) => usage::report(&error, &words, json),
    }
}

fn run(arguments: Arguments) -> ExitCode {
    let json = arguments.global.json;
    let (command, effect) = match arguments.command {
        Sub::Replay(args) => {
            return flows(arguments.global, |caller| output::finish(replay::command::replay(&args, caller), json));
        }
        Sub::Test(args) => {
            return flows(arguments.global, |caller| match replay::suite::command::test(&args, caller) {
                Ok(done) => output::suite(&done, json),
                Err(failure) => output::failed(&before_sending(failure), json),
            });
        }
        Sub::Init(args) => return told(&args, json),
        Sub::Mcp(args) => return models::serve(*args, arguments.global),
        Sub::Serve(args) => return serving::serve(&args, &arguments.global),
        Sub::Help { topic } => return topics::print(topic.as_deref(), json),
        Sub::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "agent-device", &mut script);
            return output::raw(&script);
        }
        Sub::Device(mut command) => match prepared(&mut command) {
            Ok(()) => {
                let effect = command.effect();
                (command, effect)
            }
            Err(failure) => return output::failed(&before_sending(failure), json),
        },
    };
    let mut client = match client(&arguments.global) {
        Ok(client) => client,
        Err(failure) => return output::failed(&before_sending(failure), json),
    };
    // To ask about a daemon, or to stop it, is no reason to start one.
    client.start = !matches!(&command, Command::Daemon(daemon) if daemon.action != DaemonAction::Start);
    client.progress = output::progress(json);
    if client.is_remote() {
        // A connection that breaks stops nothing there: Ctrl-C has to be said.
        let interrupt = Interrupt::default();
        replay::signals::heard(&interrupt);
        client.interrupt = Some(interrupt);
    }
    let global = arguments.global;
    let platform = match caller::platform(global.platform) {
        Ok(platform) => platform,
        Err(failure) => return output::failed(&before_sending(failure), json),
    };
    let request = Request {
        session: global.session.filter(|name| !name.is_empty()),
        workspace: caller::workspace(),
        platform,
        device: global.device,
        timeout_ms: global.timeout,
        render: if json { Render::Json } else { Render::Text },
        ..Request::new(caller::request_id("cli"), &command)
    };
    let limit = Duration::from_millis(request.timeout_ms.unwrap_or(command.timeout_ms() + READINESS_CAP_MS));
    if let Command::Daemon(daemon) = &command {
        let response = client.run(&request, effect, limit);
        // Stopped means gone: what is done next can rely on it.
        if response.is_ok() && daemon.action == DaemonAction::Stop && !client.wait_until_gone() {
            let failure = Failure::new(contract::Code::Timeout, "the daemon was told to stop and is still there")
                .hint("its log says what it waits for: daemon.log in the state folder");
            return output::failed(&before_sending(failure), json);
        }
        return output::daemon_answer(response, json);
    }
    output::finish(traced::paged(client.run(&request, effect, limit), &command), json)
}

/// The way to the daemon: this machine's, or that of another where an address is given.
fn client(global: &Global) -> Result<Client, Failure> {
    Client::reaching(state_dir(global)?, global.url.as_deref())
}

fn state_dir(global: &Global) -> Result<StateDir, Failure> {
    StateDir::find(global.state_dir.as_deref().filter(|dir| !dir.as_os_str().is_empty())).map_err(|why| {
        Failure::refused(contract::Row::ClientDaemonNotStarted, contract::Code::StorageFailed, why)
            .hint("give a folder: --state-dir DIR")
    })
}

/// Agents are told of this program: files of this machine, no daemon.
fn told(init: &init::Init, json: bool) -> ExitCode {
    let place = init::Place::find(init.folder.as_deref(), json);
    match init::run(init, &place, output::confirmed) {
        Ok(answer) => output::done(&answer, json),
        Err(failure) => output::failed(&Disclosed::seal(failure, None, Sends::NONE), json),
    }
}

/// Scripts and flows: many requests of one call.
fn flows(global: Global, run: impl FnOnce(&replay::command::Caller) -> ExitCode) -> ExitCode {
    let ready = client(&global).and_then(|client| Ok((client, caller::platform(global.platform)?)));
    let (client, platform) = match ready {
        Ok(ready) => ready,
        Err(failure) => return output::failed(&before_sending(failure), global.json),
    };
    run(&replay::command::Caller {
        client: client.keeping(),
        session: global.session.filter(|name| !name.is_empty()),
        workspace: caller::workspace(),
        platform,
        device: global.device,
        timeout_ms: global.timeout,
        folder: std::env::current_dir().unwrap_or_default(),
        json: global.json,
    })
}

/// Everything that is the caller's: paths, files that stand for arguments, the code that a phone reads.
fn prepared(command: &mut Command) -> Result<(), Failure> {
    caller::resolve(command, Path::new(""))?;
    match command {
        Command::Pair(pair) => qr::offer(pair),
        _ => Ok(()),
    }
}

/// A failure of this program before it asked anybody anything.
fn before_sending(failure: Failure) -> Disclosed {
    Disclosed::seal(failure, Some(Effect::Manages), Sends::NONE)
}
