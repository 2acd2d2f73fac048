//! One command under one fault.

use std::time::{Duration, Instant};

use contract::{Command, Request, request::method};
use cut::{After, Told, Trial};
use daemon::client::Client;
use serde_json::Value;
use tokio::sync::Notify;

use super::{
    blows::{Act, Blow, Lengths},
    house::{House, SESSION, request_id},
};
use crate::{
    cuts::stage::operations::{Count, Operation},
    program::Program,
    recorder::Recorder,
    seen,
};

/// The limit of every command, ms.
const LIMIT_MS: u64 = 400;
/// What the client library waits beyond it. The program waits longer.
const MARGIN: Duration = Duration::from_millis(150);
/// How long a greeting is waited for.
const GREETING: Duration = Duration::from_secs(5);
/// What an answer may take beyond all that: eight daemons share the processors of this machine with others.
const ALLOWANCE: Duration = Duration::from_secs(2);

/// What was said to the caller: the answer's data, or the failure.
type Said = Result<Value, seen::Told>;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The client library.
    Library,
    /// The same within a runtime, on a connection that has carried a request before.
    Kept,
    /// The program, asked for text or for `--json`.
    Program {
        /// With `--json`.
        json: bool,
    },
}

/// A daemon, and an operation on its device.
pub struct Ground<'r> {
    /// The daemon.
    pub house: House,
    operation: &'static Operation,
    recorder: &'r Recorder,
    program: Option<Program>,
    /// What asks where connections are kept.
    kept: Option<Client>,
}

/// An operation where nothing is wrong.
#[derive(Debug, Clone)]
pub struct Clean {
    /// What counts it.
    pub asked: u32,
    /// Lengths of its exchanges, bytes.
    pub lengths: Lengths,
    /// The names of its answer's data.
    keys: Vec<String>,
}

impl<'r> Ground<'r> {
    /// A daemon for trials of an operation.
    pub async fn start(operation: &'static Operation, caller: Caller, recorder: &'r Recorder) -> Self {
        let build = match caller {
            Caller::Library | Caller::Kept => daemon::build_id::of_this_program(),
            Caller::Program { .. } => daemon::build_id::of(&crate::program::path()),
        };
        let house = House::start(build).await;
        let program = matches!(caller, Caller::Program { .. }).then(|| {
            let folder = tempfile::Builder::new().prefix("ad").tempdir().expect("a folder for the program");
            Program::of_daemon(folder, &house.front, recorder)
        });
        Self { house, operation, recorder, program, kept: None }
    }

    /// Whether a session has to be open before it.
    fn stands_on_a_session(&self) -> bool {
        self.operation.count != Count::Started || self.operation.line.contains("--relaunch")
    }

    /// Makes the app ready, whatever the run before left.
    async fn prepare(&mut self) -> Result<(), String> {
        let mut lines = Vec::new();
        if self.stands_on_a_session() {
            lines.extend(["open {app}", "home"]);
        } else {
            // Where there is none, that is what was wanted.
            drop(self.house.inside("close").await);
        }
        lines.extend(self.operation.ready);
        for line in lines {
            let failed = self.house.inside(line).await.err();
            failed.map_or(Ok(()), |failed| Err(format!("{line}: {}", failed.failure().message)))?;
        }
        Ok(())
    }

    /// The library's call, ready to be asked.
    fn call(&mut self) -> Call {
        let client = self.kept.clone().unwrap_or_else(|| self.library());
        let (request, command) = self.house.request(self.operation.line, LIMIT_MS);
        Call { client, request, command, awaited: self.kept.is_some() }
    }

    fn library(&self) -> Client {
        let mut client = self.house.client();
        client.margin = MARGIN;
        client
    }

    /// A client whose next request goes on a connection that has carried one.
    async fn warm(&mut self) {
        let client = self.library().keeping();
        let (request, command) = self.house.request("session list", 20_000);
        let asked = client.clone().ask(request, command.effect(), Duration::from_secs(20)).await;
        asked.unwrap_or_else(|failed| panic!("session list: {}", failed.failure().message));
        self.kept = Some(client);
    }

    /// Asks the program.
    async fn ask_program(program: &Program, line: &str, json: bool) -> Said {
        let words = shlex::split(line).unwrap_or_else(|| panic!("{line}: not words"));
        let limit = LIMIT_MS.to_string();
        let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
        args.extend(["--session", SESSION, "--timeout", &limit]);
        if json {
            args.push("--json");
        }
        let ended = program.run(&args).await;
        if json {
            let said = program.envelope(&ended);
            assert_eq!(ended.code, said.as_ref().map_or_else(seen::Told::exit_code, |_| 0), "{line}: {ended:?}");
            return said;
        }
        let dispatched = ended.err.lines().find_map(|line| line.strip_prefix("Dispatched: ")).map(str::to_owned);
        match (ended.code, dispatched) {
            (0, None) => Ok(Value::Null),
            (code, Some(dispatched)) => {
                let wanted = if dispatched.starts_with("unknown") { 3 } else { 1 };
                assert_eq!(code, wanted, "{line}: {ended:?}");
                let word = dispatched.split(' ').next().unwrap_or_default();
                Err(seen::Told::of(&serde_json::json!({"details": {"dispatched": word, "dispatchRow": "as text"}})))
            }
            (_, None) => panic!("{line}: a failure without a word on what was sent: {ended:?}"),
        }
    }

    async fn ask(&mut self, caller: Caller) -> Said {
        match (caller, &self.program) {
            (Caller::Program { json }, Some(program)) => {
                let line = self.operation.line.replace("{app}", &self.house.app.display().to_string());
                Self::ask_program(program, &line, json).await
            }
            _ => self.call().ask().await,
        }
    }

    /// Runs it with nothing wrong; what that looks like.
    pub async fn clean(&mut self) -> Clean {
        let name = self.operation.name;
        self.prepare().await.unwrap_or_else(|why| panic!("{name}: {why}"));
        let before = self.house.counted(self.operation.count);
        self.house.proxy.forget();
        let data = self.call().ask().await.unwrap_or_else(|told| panic!("{name}: {}", told.error));
        let asked = self.house.counted(self.operation.count) - before;
        assert!(asked > 0, "{name}: nothing counts it");
        let sides = |of: &str| {
            let all = self.house.proxy.exchanges();
            let one = all.iter().find(|one| one.label == of).unwrap_or_else(|| panic!("{name}: no {of}: {all:?}"));
            [one.request, one.reply]
        };
        let run = sides(&format!("run {}", self.operation.command));
        // The question for a lost reply has the request's id; its answer is the reply.
        let retained = [
            serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "retained", "params": {"requestId": request_id(0)}})
                .to_string()
                .len() + 1,
            run[1],
        ];
        let lengths = Lengths { hello: sides("hello"), run, retained };
        Clean { asked, lengths, keys: keys(&data) }
    }

    /// Whether a flipped byte makes another sound request of this one: other arguments, another session. Nobody can tell
    /// it from one that was meant, so nothing is promised of it.
    fn asks_for_something_else(&mut self, blow: &Blow, caller: Caller) -> bool {
        let (request, command) = self.house.request(self.operation.line, LIMIT_MS);
        let number = if caller == Caller::Kept { 2 } else { 1 };
        let Some(flipped) = blow.flipped(&request, number) else { return false };
        let Ok(read) = serde_json::from_slice::<Value>(&flipped) else { return false };
        let asked = read.get("method").is_some_and(|method| method == method::RUN);
        let Some(other) = read.get("params").and_then(|params| serde_json::from_value::<Request>(params.clone()).ok())
        else {
            return false;
        };
        let Ok(means) = Command::from_call(&other.command, &other.args) else { return false };
        asked && (means != command || other.session != request.session || other.workspace != request.workspace)
    }

    /// Runs it under a fault; `None` where the fault makes another request of it.
    pub async fn trial(&mut self, clean: &Clean, blow: &Blow, caller: Caller) -> Option<Trial> {
        let operation = self.operation;
        if self.asks_for_something_else(blow, caller) {
            return None;
        }
        self.prepare().await.unwrap_or_else(|why| panic!("{}: {why}", operation.name));
        if caller == Caller::Kept {
            self.warm().await;
        }
        self.house.proxy.forget();
        let before = self.house.counted(operation.count);
        blow.arm(&self.house.proxy, operation.command);
        let began = Instant::now();
        let said = self.under(blow, caller).await;
        let took = began.elapsed();
        let asked_again = self.house.proxy.exchanges().iter().any(|exchange| exchange.label == "retained");
        self.house.proxy.forget();
        self.house.proxy.release();
        if !self.house.serves() {
            self.house.comes_back();
        }
        self.house.rests().await;
        let landed = self.house.counted(operation.count) - before;
        Some(Trial {
            operation: operation.name.to_owned(),
            fault: format!("{blow}, asked by the {}", caller_words(caller)),
            told: self.told(said, asked_again, clean, blow, caller),
            landed,
            asked: clean.asked,
            after: self.afterwards(clean, caller).await,
            took,
            limit: 2 * (Duration::from_millis(operation.limit_ms.max(LIMIT_MS)) + MARGIN) + 3 * GREETING + ALLOWANCE,
        })
    }

    async fn under(&mut self, blow: &Blow, caller: Caller) -> Said {
        let strikes = self.house.proxy.struck() + blow.strikes();
        let lethal = !matches!(blow.act, Act::Wire(_));
        if !lethal {
            return self.ask(caller).await;
        }
        // The client runs on its own while the daemon ends under it.
        let (call, program) = (self.call(), self.program.take());
        let line = self.operation.line.replace("{app}", &self.house.app.display().to_string());
        let over = Notify::new();
        let asking = async {
            let said = match (caller, &program) {
                (Caller::Program { json }, Some(program)) => Self::ask_program(program, &line, json).await,
                _ => call.ask().await,
            };
            over.notify_one();
            said
        };
        let house = &mut self.house;
        let killing = async {
            tokio::select! {
                biased;
                () = house.proxy.until_struck(strikes) => {}
                // It never came so far: a machine that is busy lets greetings run out of time.
                () = over.notified() => return,
            }
            match blow.act {
                Act::Dies(..) => house.dies().await,
                Act::DiesAndComesBack(..) => {
                    house.dies().await;
                    house.comes_back();
                }
                Act::Stops(..) => house.stops(),
                Act::Wire(_) => {}
            }
            house.proxy.release();
            if matches!(blow.act, Act::Stops(..)) {
                house.stopped().await;
            }
        };
        let (said, ()) =
            crate::patience::soon("a killed daemon's client", async { tokio::join!(asking, killing) }).await;
        self.program = program;
        said
    }

    /// The answer in the words of a campaign; what is wrong with a failure is noted.
    fn told(&self, said: Said, asked_again: bool, clean: &Clean, blow: &Blow, caller: Caller) -> Told {
        if let (Err(told), Caller::Library | Caller::Kept, false) = (&said, caller, blow.garbles_reply()) {
            self.recorder.failure(&told.error);
        }
        match said {
            Ok(data)
                if caller != (Caller::Program { json: false })
                    && !blow.garbles_reply()
                    && keys(&data) != clean.keys =>
            {
                Told::Malformed(format!("success with another answer: {data}"))
            }
            Ok(_) if asked_again => Told::Resolved("retained result".to_owned()),
            other => seen::word(&other),
        }
    }

    /// What a caller can do with the session: the same again, at least once it was opened again.
    async fn afterwards(&mut self, clean: &Clean, caller: Caller) -> After {
        if let Err(why) = self.prepare().await {
            return After::Stuck(why);
        }
        let before = self.house.counted(self.operation.count);
        let said = self.ask(caller).await;
        self.house.rests().await;
        let landed = self.house.counted(self.operation.count) - before;
        match said {
            Ok(_) if landed == clean.asked => After::Usable,
            Ok(_) => After::Stuck(format!("the same again landed {landed} times, asked for {}", clean.asked)),
            Err(told) => After::Stuck(format!("the same again: {}", told.error)),
        }
    }
}

/// A call of the client library.
struct Call {
    client: Client,
    request: Request,
    command: Command,
    /// Whether no thread waits for it.
    awaited: bool,
}

impl Call {
    /// Makes it; on a thread of its own where the library blocks.
    async fn ask(self) -> Said {
        let limit = Duration::from_millis(LIMIT_MS);
        let answered = if self.awaited {
            self.client.ask(self.request, self.command.effect(), limit).await
        } else {
            let run = move || self.client.run(&self.request, self.command.effect(), limit);
            tokio::task::spawn_blocking(run).await.expect("the client does not panic")
        };
        let failure = |failed| seen::Told::of(&serde_json::to_value(failed).expect("a failure can be written"));
        answered.map(|answer| answer.data).map_err(failure)
    }
}

fn caller_words(caller: Caller) -> &'static str {
    match caller {
        Caller::Library => "library",
        Caller::Kept => "library, on a kept connection",
        Caller::Program { json: true } => "program, --json",
        Caller::Program { json: false } => "program, text",
    }
}

/// The names of an answer's data, those left out that come and go with how busy the machine is.
fn keys(data: &Value) -> Vec<String> {
    let told = |name: &&String| !["warnings", "notices", "resolvedRow"].contains(&name.as_str());
    data.as_object().map(|data| data.keys().filter(told).cloned().collect()).unwrap_or_default()
}
