//! One session: a command, a death, what the caller is told, and how it goes on.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use cut::{After, Told, Trial};
use serde_json::Value;
use tokio::{sync::RwLock, time::sleep};

use super::{adb::AdbPhone, victim::Victim};
use crate::{
    android::{GROUND, HELPER},
    cuts::Draw,
    program::Program,
    seen,
    site::Site,
};

/// The page of a session in a browser.
const PAGE: &str =
    r#"<button id=save onclick="hit('save')">Save</button><button id=mark onclick="hit('mark')">Mark</button>"#;
/// The limit of every command, ms.
const COMMAND_MS: &str = "20000";
/// How long an answer may take: the command's limit, the client's start of a daemon (10 s), and a busy machine.
const LIMIT: Duration = Duration::from_secs(35);
/// How long a command is taken to last before the first of its kind has ended, ms.
const FIRST_MS: usize = 200;
/// Commands that may be over before anybody died, for each that was not.
const TRIES: u32 = 20;

/// What sessions share.
pub struct Shared {
    /// The program.
    pub program: Program,
    /// Held for reading by a session that recovers, for writing by who kills: a recovery that is tried is tried in
    /// peace, and has to work the first time.
    pub calm: RwLock<()>,
    /// Told now and then how far it is.
    pub progress: fn(&str),
}

/// Where the session is.
enum Place {
    Browser(Site),
    Phone(Box<AdbPhone>),
}

/// One session and its client.
pub struct Seat {
    /// The session's name.
    pub name: String,
    shared: Arc<Shared>,
    place: Place,
}

/// How long the latest command of a kind took at which nobody died, ms: moments are drawn from that time.
type Pace = BTreeMap<&'static str, usize>;

/// What is asked for, and how many presses of `save` that is.
const COMMANDS: [(&str, &[&str], u32); 4] = [
    ("press", &["press", "id=save"], 1),
    ("press --count 3", &["press", "id=save", "--count", "3", "--interval-ms", "50"], 3),
    ("batch", &["batch", "--steps", r#"["press id=save", "snapshot -i", "press id=save"]"#], 2),
    ("snapshot", &["snapshot", "-i"], 0),
];

impl Seat {
    /// A session in a browser of its own, with a page that is counted by its site.
    pub async fn in_browser(shared: &Arc<Shared>, number: usize) -> Self {
        let site = Site::with(PAGE).await;
        Self { name: format!("browser-{number}"), shared: shared.clone(), place: Place::Browser(site) }
    }

    /// A session on a device.
    pub fn on_phone(shared: &Arc<Shared>, phone: AdbPhone) -> Self {
        Self { name: "phone".to_owned(), shared: shared.clone(), place: Place::Phone(Box::new(phone)) }
    }

    /// Opens the session and tries `deaths` deaths in it. Its trials, and the device, which has to outlive the daemon.
    pub async fn lives(self, deaths: u32, mut draw: Draw) -> (Vec<Trial>, Option<AdbPhone>) {
        let (mut trials, mut tries, mut pace) = (Vec::new(), 0, Pace::new());
        let opened = {
            // Who kills takes the browsers of those next door as well: not before they are there.
            let _calm = self.shared.calm.read().await;
            self.open().await
        };
        opened.unwrap_or_else(|told| panic!("{} does not open: {}", self.name, told.error));
        while trials.len() < deaths as usize && tries < deaths * TRIES {
            tries += 1;
            // A command that was over before anybody died is no trial.
            let Some(trial) = self.dies(&mut draw, &mut pace).await else { continue };
            trials.push(trial);
            let Trial { operation, fault, told, after, took, .. } = trials.last().expect("just added");
            let (number, ms) = (trials.len(), took.as_millis());
            (self.shared.progress)(&format!(
                "{} {number}: {operation}: {fault}: {told:?} after {ms} ms, {after:?}",
                self.name
            ));
        }
        let phone = match self.place {
            Place::Phone(phone) => Some(*phone),
            Place::Browser(_) => None,
        };
        (trials, phone)
    }

    async fn dies(&self, draw: &mut Draw, pace: &mut Pace) -> Option<Trial> {
        let (operation, words, asked) = COMMANDS[draw.below(COMMANDS.len())];
        let victim = match self.place {
            Place::Browser(_) => Victim::OF_BROWSER[draw.below(Victim::OF_BROWSER.len())],
            Place::Phone(_) => Victim::OF_PHONE[draw.below(Victim::OF_PHONE.len())],
        };
        let moment = Duration::from_millis(draw.below(*pace.get(operation).unwrap_or(&FIRST_MS)) as u64);
        let before = self.presses("save");
        let began = Instant::now();
        let (answer, killed) = {
            let command = self.run(words);
            let killed = async {
                sleep(moment).await;
                let _nobody_recovers = self.shared.calm.write().await;
                self.kills(victim, draw)
            };
            tokio::pin!(command, killed);
            tokio::select! {
                biased;
                answer = &mut command => (answer, None),
                killed = &mut killed => (command.await, killed),
            }
            // A killer that still waits for its turn goes with this block: nobody would ever let it have it.
        };
        let took = began.elapsed();
        let told = seen::word(&answer);
        // Nobody died here. Where the command failed all the same, somebody did next door: as good a trial.
        if killed.is_none() && matches!(told, Told::Done) {
            pace.insert(operation, usize::try_from(took.as_millis()).unwrap_or(FIRST_MS));
            return None;
        }
        let after = self.goes_on(victim, killed.is_some()).await;
        // What the old page or app still did is counted: it is gone by now, or has answered another command since.
        let landed = self.presses("save").checked_sub(before).expect("an app that was opened again counts on");
        let who = killed.unwrap_or_else(|| "somebody next door".to_owned());
        let fault = format!("{who} killed after {} ms", moment.as_millis());
        let operation =
            format!("{operation} ({})", if matches!(self.place, Place::Phone(_)) { "Android" } else { "web" });
        Some(Trial { operation, fault, told, landed, asked, after, took, limit: LIMIT })
    }

    /// Kills one of a kind: that of this session where it can be known, else any.
    fn kills(&self, victim: Victim, draw: &mut Draw) -> Option<String> {
        let program = &self.shared.program;
        match (&self.place, victim) {
            (Place::Phone(phone), Victim::Helper) => {
                let there = !phone.device.helpers().is_empty();
                phone.device.kill_helper(HELPER);
                there.then(|| "the helper".to_owned())
            }
            _ => victim.dies(program.folder(), draw),
        }
    }

    /// Goes on as a caller would: the same kind of command; where that fails, close and open, and then again.
    async fn goes_on(&self, victim: Victim, killed: bool) -> After {
        let _calm = self.shared.calm.read().await;
        if let (Place::Phone(phone), Victim::AdbServer, true) = (&self.place, victim, killed) {
            // Any question starts the next server.
            let _listed = self.run(&["devices", "--platform", "android"]).await;
            if let Err(why) = phone.connect_again().await {
                return After::Stuck(format!("the device does not come back: {why}"));
            }
        }
        let first = match self.mark().await {
            Ok(()) => return After::Usable,
            Err(why) => why,
        };
        // What is not open any more cannot be closed: any answer will do.
        let closed = self.run(&["close"]).await.map_err(|told| told.error["message"].to_string());
        match self.open().await {
            Err(told) => After::Stuck(format!("{first}; close: {closed:?}; open: {}", told.error)),
            Ok(_) => match self.mark().await {
                Ok(()) => After::Recovered(first),
                Err(why) => After::Stuck(format!("{first}; opened anew: {why}")),
            },
        }
    }

    /// Presses the other button, which must reach it once.
    async fn mark(&self) -> Result<(), String> {
        let id = if matches!(self.place, Place::Phone(_)) { "twin-1" } else { "mark" };
        let before = self.presses(id);
        let words = format!("id={id}");
        match self.run(&["press", &words]).await {
            Err(told) => Err(told.error.to_string()),
            Ok(_) if self.presses(id) == before + 1 => Ok(()),
            Ok(_) => Err(format!("a press landed {} times", self.presses(id) - before)),
        }
    }

    async fn open(&self) -> Result<Value, seen::Told> {
        match &self.place {
            Place::Browser(site) => self.run(&["open", &site.url]).await,
            Place::Phone(phone) => {
                self.run(&["open", GROUND, "--platform", "android", "--device", phone.device.serial()]).await
            }
        }
    }

    async fn run(&self, words: &[&str]) -> Result<Value, seen::Told> {
        let all = [words, &["--session", &self.name, "--timeout", COMMAND_MS]].concat();
        let (code, answer) = self.shared.program.json(&all).await;
        let wanted = answer.as_ref().map_or_else(seen::Told::exit_code, |_| 0);
        assert_eq!(code, wanted, "exit code of {words:?}: {answer:?}");
        answer
    }

    fn presses(&self, id: &str) -> u32 {
        match &self.place {
            Place::Browser(site) => site.hits(id),
            Place::Phone(phone) => phone.presses(id),
        }
    }
}
