//! `am`: activities, instrumentations, processes; `monkey` as a launcher.

use std::sync::Arc;

use tokio::time::Instant;

use super::{after, broadcast};
use crate::{
    call::{Call, Told},
    core::Core,
    process::{self, full},
    state::{Kind, LAUNCHER},
};

/// The one activity that a stage app has.
const ACTIVITY: &str = "MainActivity";

/// Runs it.
pub async fn run(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    match words.split_first() {
        Some((&"start" | &"start-activity", rest)) => start(core, call, rest).await,
        Some((&"instrument", rest)) => instrument(core, call, rest).await,
        Some((&"force-stop" | &"stop-app" | &"kill", rest)) => {
            if let Some(package) = rest.last() {
                core.stop_package(package, "from pid shell").await;
            }
            0
        }
        Some((&"broadcast", rest)) => broadcast::run(core, call, rest).await,
        Some((&"get-current-user", _)) => {
            call.line("0").await;
            0
        }
        Some((&"wait-for-broadcast-idle", _)) => {
            call.line("All broadcast queues are idle!").await;
            0
        }
        _ => {
            call.complain(format!("Error: unknown command '{}'", words.first().unwrap_or(&""))).await;
            255
        }
    }
}

/// What an `am start` asks for.
#[derive(Debug, Default)]
struct Intent {
    action: Option<String>,
    categories: Vec<String>,
    data: Option<String>,
    component: Option<String>,
    package: Option<String>,
    wait: bool,
    stop_first: bool,
}

impl Intent {
    fn of(words: &[&str]) -> Self {
        let mut intent = Self::default();
        let mut words = words.iter().map(|word| (*word).to_owned());
        while let Some(word) = words.next() {
            match word.as_str() {
                "-W" => intent.wait = true,
                "-S" => intent.stop_first = true,
                "-a" => intent.action = words.next(),
                "-c" => intent.categories.extend(words.next()),
                "-d" => intent.data = words.next(),
                "-n" => intent.component = words.next(),
                "-p" => intent.package = words.next(),
                "--user" | "-t" | "-f" | "--display" | "--windowingMode" => drop(words.next()),
                "--es" | "--ei" | "--ez" | "-e" | "--el" => drop((words.next(), words.next())),
                other if other.starts_with('-') => {}
                other if other.contains("://") => intent.data = Some(other.to_owned()),
                other if other.contains('/') => intent.component = Some(other.to_owned()),
                other => intent.package = Some(other.to_owned()),
            }
        }
        intent
    }

    /// As Android prints one.
    fn said(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.action.as_ref().map(|action| format!("act={action}")));
        if !self.categories.is_empty() {
            parts.push(format!("cat=[{}]", self.categories.join(",")));
        }
        parts.extend(self.data.as_ref().map(|data| format!("dat={data}")));
        parts.extend(self.package.as_ref().map(|package| format!("pkg={package}")));
        parts.extend(self.component.as_ref().map(|component| format!("cmp={component}")));
        format!("Intent {{ {} }}", parts.join(" "))
    }

    /// The package that answers it.
    fn resolve(&self, core: &Core) -> Option<String> {
        let state = core.state();
        let starts = |package: &str| {
            package == LAUNCHER
                || state.packages.get(package).is_some_and(|known| matches!(known.kind, Kind::Stage { .. }))
        };
        if let Some(component) = &self.component {
            let (package, class) = full(component);
            return Some(package).filter(|package| starts(package) && class == format!("{package}.{ACTIVITY}"));
        }
        if let Some(package) = &self.package {
            return Some(package.clone()).filter(|package| starts(package));
        }
        if self.categories.iter().any(|category| category == "android.intent.category.HOME") {
            return Some(LAUNCHER.to_owned());
        }
        // An address belongs to the app whose package is its scheme's or host's, in either order.
        let data = self.data.as_deref()?;
        let (scheme, rest) = data.split_once(':')?;
        let host = rest.trim_start_matches('/').split(['/', '?']).next().unwrap_or_default();
        let reversed: Vec<&str> = host.split('.').rev().collect();
        let reversed = reversed.join(".");
        state
            .packages
            .keys()
            .find(|package| {
                starts(package)
                    && (package.ends_with(&format!(".{scheme}")) || **package == reversed || **package == host)
            })
            .cloned()
    }
}

async fn start(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let intent = Intent::of(words);
    let began = Instant::now();
    if intent.stop_first {
        // What is named is ended before anything is looked for.
        let named = intent.component.as_ref().map(|component| full(component).0);
        let Some(package) = named.or_else(|| intent.resolve(core)) else {
            call.complain(format!("Error: Intent does not match any activities: {}", intent.said())).await;
            return 1;
        };
        call.line(format!("Stopping: {package}")).await;
        core.stop_package(&package, "start -S").await;
    }
    call.line(format!("Starting: {}", intent.said())).await;
    let Some(package) = intent.resolve(core) else {
        if let Some(component) = &intent.component {
            let (package, class) = full(component);
            call.complain("Error type 3").await;
            call.complain(format!("Error: Activity class {{{package}/{class}}} does not exist.")).await;
        } else {
            call.complain(format!("Error: Activity not started, unable to resolve {}", intent.said())).await;
        }
        return 1;
    };
    let was_front = core.state().front == package && core.state().running.contains_key(&package);
    let fresh = match core.bring(&package).await {
        Ok(fresh) => fresh,
        Err(cause) => {
            call.complain(format!("Error: Activity not started, {cause}")).await;
            return 1;
        }
    };
    if was_front {
        call.complain(
            "Warning: Activity not started, intent has been delivered to currently running top-most instance.",
        )
        .await;
    }
    if intent.wait {
        let ms = began.elapsed().as_millis();
        let state = if fresh { "COLD" } else { "HOT" };
        call.print(format!(
            "Status: ok\nLaunchState: {state}\nActivity: {package}/.MainActivity\nTotalTime: {ms}\nWaitTime: {ms}\nComplete\n"
        ))
        .await;
    }
    0
}

async fn instrument(core: &Arc<Core>, call: &mut Call, words: &[&str]) -> u8 {
    let (mut wait, mut component, mut arguments) = (false, None, Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-w" => wait = true,
            "-e" => {
                if let (Some(key), Some(value)) = (rest.next(), rest.next()) {
                    arguments.push(((*key).to_owned(), (*value).to_owned()));
                }
            }
            "--user" | "--abi" | "-p" => drop(rest.next()),
            other if other.contains('/') => component = Some(other.to_owned()),
            _ => {}
        }
    }
    let Some(component) = component else {
        call.complain("Error: No instrumentation component supplied").await;
        return 1;
    };
    let mut prints = match process::instrument(core, &component, &arguments).await {
        Ok(prints) => prints,
        Err(said) => {
            call.print(said).await;
            call.complain(format!("android.util.AndroidException: INSTRUMENTATION_FAILED: {component}")).await;
            return 1;
        }
    };
    if !wait {
        return 0;
    }
    loop {
        tokio::select! {
            bytes = prints.recv() => match bytes {
                Some(bytes) => call.print(bytes).await,
                None => return 0,
            },
            // The instrumentation goes on without its am, as on a phone.
            told = call.told_to_stop() => return if told == Told::Signal { 130 } else { 0 },
        }
    }
}

/// `monkey -p PACKAGE -c android.intent.category.LAUNCHER 1`: starts an app.
pub async fn monkey(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    let package = after(&words, "-p").unwrap_or_default();
    match core.bring(package).await {
        Ok(_) => {
            call.line("Events injected: 1").await;
            call.line("## Network stats: elapsed time=10ms (0ms mobile, 0ms wifi, 10ms not connected)").await;
            0
        }
        Err(_) => {
            call.line("** No activities found to run, monkey aborted.").await;
            252
        }
    }
}
