//! Starting apps and going to addresses: what is meant, what is refused before anything starts, what `am` says.

use contract::{Code, Effect, Failure, Row};
use wire::{Answered, Context};

use crate::adb::{Phone, ShellOutput, quote};

const MAIN: &str = "android.intent.action.MAIN";
const LAUNCHER: &str = "android.intent.category.LAUNCHER";
const VIEW: &str = "android.intent.action.VIEW";

/// What `open` was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An app, by its package.
    App(String),
    /// One activity of an app: package, and class as it was written.
    Activity(String, String),
    /// An address that some app opens.
    Url(String),
}

impl Target {
    /// Reads `com.example`, `com.example/.Activity`, or an address with its scheme. `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((scheme, rest)) = text.split_once(':')
            && is_scheme(scheme)
            && !rest.is_empty()
        {
            return Some(Self::Url(text.to_owned()));
        }
        match text.split_once('/') {
            Some((package, class)) if is_package(package) && is_class(class) => {
                Some(Self::Activity(package.to_owned(), class.to_owned()))
            }
            None if is_package(text) => Some(Self::App(text.to_owned())),
            _ => None,
        }
    }

    /// The app that it names; an address names none.
    pub fn package(&self) -> Option<&str> {
        match self {
            Self::App(package) | Self::Activity(package, _) => Some(package),
            Self::Url(_) => None,
        }
    }
}

/// Names of at least two parts, each beginning with a letter (Android's rule).
fn is_package(text: &str) -> bool {
    let part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic())
            && part.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    text.contains('.') && text.split('.').all(part)
}

fn is_class(text: &str) -> bool {
    let inner = text.strip_prefix('.').unwrap_or(text);
    !inner.is_empty() && inner.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | '.' | '$'))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|one| one.is_ascii_alphanumeric() || matches!(one, '+' | '-' | '.'))
}

/// What came of a start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Started {
    /// The app that is in front because of it, where `am` says so.
    pub package: Option<String>,
    /// For the caller.
    pub warnings: Vec<String>,
}

/// Looks whether a target can be started at all, and finds the activity that starts an app.
///
/// # Errors
/// `android.app-not-installed`, `android.activity-not-found`; nothing has been started.
pub async fn resolve(phone: &Phone, context: &Context, target: &Target) -> Result<Option<String>, Failure> {
    let Some(package) = target.package() else { return Ok(None) };
    let path = phone.shell(context, Effect::Observes, &quote::line(["pm", "path", package])).await?.completed();
    if !path.text().contains("package:") {
        return Err(not_installed(phone, package));
    }
    if let Target::Activity(package, class) = target {
        return Ok(Some(format!("{package}/{class}")));
    }
    let line = quote::line(["cmd", "package", "resolve-activity", "--brief", "-a", MAIN, "-c", LAUNCHER, package]);
    let said = phone.shell(context, Effect::Observes, &line).await?.completed();
    match component(&said.text(), package) {
        Some(component) => Ok(Some(component)),
        // Before Android 7 nobody can be asked: the start itself finds it.
        None if said.exit != 0 && !said.all().contains("No activity found") => Ok(None),
        None => Err(Failure::refused(
            Row::AndroidActivityNotFound,
            Code::OpenFailed,
            format!("{package} on {} has nothing that a launcher would start", phone.serial()),
        )
        .reason("activity_not_found")
        .hint(format!("name the activity: agent-device open {package}/.SomeActivity --platform android"))),
    }
}

/// The activity in the answer of `resolve-activity --brief`: its last line that names one of the package.
fn component(said: &str, package: &str) -> Option<String> {
    said.lines()
        .rev()
        .map(str::trim)
        .find(|line| line.split_once('/').is_some_and(|(of, _)| of == package))
        .map(str::to_owned)
}

/// Starts a target that was found to exist. `anew` ends the app first.
///
/// # Errors
/// `android.activity-not-found` where the activity manager says that it started nothing and ended nothing either; how
/// the command was lost.
pub async fn start(
    phone: &Phone,
    context: &Context,
    target: &Target,
    component: Option<&str>,
    anew: bool,
) -> Result<Started, Failure> {
    let mut arguments = vec!["am", "start", "-W"];
    if anew {
        arguments.push("-S");
    }
    match (target, component) {
        (Target::Url(url), _) => arguments.extend(["-a", VIEW, "-d", url]),
        (Target::App(_), Some(component)) => arguments.extend(["-a", MAIN, "-c", LAUNCHER, "-n", component]),
        (Target::Activity(..), Some(component)) => arguments.extend(["-n", component]),
        (Target::App(package) | Target::Activity(package, _), None) => {
            arguments.extend(["-a", MAIN, "-c", LAUNCHER, "-p", package]);
        }
    }
    let answered = phone.shell(context, Effect::Mutates, &quote::line(&arguments)).await?;
    let mut started = judged(phone, answered)?;
    started.warnings.extend(target.package().and_then(|wanted| elsewhere(&started, wanted)));
    Ok(started)
}

/// Another app than the one that was started is in front: it ended at once, or handed over.
fn elsewhere(started: &Started, wanted: &str) -> Option<String> {
    let front = started.package.as_deref().filter(|front| *front != wanted)?;
    Some(format!("{front} is in front, not {wanted}: it ended at once (see agent-device logs), or handed over"))
}

fn judged(phone: &Phone, answered: Answered<ShellOutput>) -> Result<Started, Failure> {
    match verdict(&answered.reply().all()) {
        Said::Started(started) => {
            answered.completed();
            Ok(started)
        }
        Said::NotFound { why, ended: None } => Err(not_found(
            answered
                .refused(Row::AndroidActivityNotFound, why)
                .failure(Code::OpenFailed, &format!("nothing was started on {}", phone.serial())),
        )),
        Said::NotFound { why, ended: Some(app) } => {
            answered.undecided();
            let message = format!("{app} was ended, and nothing was started on {}: {why}", phone.serial());
            Err(not_found(Failure::lost(Row::AdbCommandFailed, Code::OpenFailed, message)))
        }
        Said::Unclear => Err(phone.ended_badly(Effect::Mutates, "am start", &answered.undecided())),
    }
}

fn not_found(failure: Failure) -> Failure {
    failure.reason("activity_not_found").hint("see what is installed: agent-device apps --platform android")
}

#[derive(Debug, PartialEq, Eq)]
enum Said {
    Started(Started),
    NotFound {
        why: String,
        /// The app that `-S` ended: that comes before anything is looked for.
        ended: Option<String>,
    },
    Unclear,
}

/// Texts with which the activity manager says that it started nothing.
const NOTHING_STARTED: [&str; 4] = [
    "does not exist.",
    "Intent does not match any activities",
    "Activity not started, unable to resolve Intent",
    "Activity not started, you do not have permission to access it",
];
/// Texts of a start after which the app is in front as it was.
const IN_FRONT: [&str; 2] = [
    "Activity not started, its current task has been brought to the front",
    "Activity not started, intent has been delivered to currently running top-most instance",
];

/// What the output of `am start -W` means.
fn verdict(output: &str) -> Said {
    let lines = || output.lines().map(str::trim);
    if let Some(line) =
        lines().find(|line| line.starts_with("Error") && NOTHING_STARTED.iter().any(|text| line.contains(text)))
    {
        let ended = lines().find_map(|line| line.strip_prefix("Stopping:")).map(|app| app.trim().to_owned());
        return Said::NotFound { why: line.to_owned(), ended };
    }
    let mut started = Started {
        package: lines()
            .find_map(|line| line.strip_prefix("Activity:"))
            .and_then(|component| component.trim().split_once('/'))
            .map(|(package, _)| package.to_owned()),
        warnings: Vec::new(),
    };
    let brought = lines().any(|line| IN_FRONT.iter().any(|text| line.contains(text)));
    match lines().find_map(|line| line.strip_prefix("Status:")).map(str::trim) {
        Some("ok") => Said::Started(started),
        Some("timeout") => {
            started.warnings.push("the app was started and has not drawn itself yet".to_owned());
            Said::Started(started)
        }
        _ if brought => Said::Started(started),
        _ => Said::Unclear,
    }
}

/// Ends an app.
///
/// # Errors
/// How the command was lost.
pub async fn end(phone: &Phone, context: &Context, package: &str) -> Result<(), Failure> {
    phone.run(context, Effect::Mutates, &quote::line(["am", "force-stop", package])).await.map(drop)
}

/// The refusal of an app that is not there.
pub fn not_installed(phone: &Phone, package: &str) -> Failure {
    Failure::refused(
        Row::AndroidAppNotInstalled,
        Code::OpenFailed,
        format!("{package} is not installed on {}", phone.serial()),
    )
    .reason("app_not_installed")
    .hint("see what is there: agent-device apps --platform android; or install it: agent-device install FILE.apk")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_is_told_by_its_shape() {
        let app = |package: &str| Some(Target::App(package.into()));
        assert_eq!(Target::parse("com.example.app"), app("com.example.app"));
        assert_eq!(Target::parse("com.example/.Main"), Some(Target::Activity("com.example".into(), ".Main".into())));
        assert_eq!(
            Target::parse("com.example/com.other.Main$Inner"),
            Some(Target::Activity("com.example".into(), "com.other.Main$Inner".into()))
        );
        for url in ["https://example.com/a?b=1", "myapp://x", "mailto:a@b.c", "geo:0,0?q=x"] {
            assert_eq!(Target::parse(url), Some(Target::Url(url.into())), "{url}");
        }
        for nothing in
            ["demo", "app.toml/x y", "", "com..x", "1com.x", "/com.x", "com.x/", "a b.c", "com.example:", ":x"]
        {
            assert_eq!(Target::parse(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn the_launchers_activity_is_the_last_line_of_the_package() {
        let said = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.example/.Main\n";
        assert_eq!(component(said, "com.example").as_deref(), Some("com.example/.Main"));
        assert_eq!(component("No activity found\n", "com.example"), None);
        assert_eq!(component("com.other/.Main", "com.example"), None);
    }

    #[test]
    fn starts_are_judged_by_what_am_says() {
        let ok = "Starting: Intent { act=android.intent.action.MAIN cmp=com.example/.Main }\nStatus: ok\nLaunchState: COLD\n\
            Activity: com.example/.Main\nTotalTime: 412\nWaitTime: 417\nComplete\n";
        let Said::Started(started) = verdict(ok) else { panic!("not started") };
        assert_eq!((started.package.as_deref(), started.warnings.len()), (Some("com.example"), 0));
        let front = "Starting: Intent { cmp=com.example/.Main }\nWarning: Activity not started, its current task has been \
            brought to the front\nStatus: ok\nLaunchState: UNKNOWN (0)\nActivity: com.example/.Main\nComplete\n";
        assert!(matches!(verdict(front), Said::Started(_)));
        let top = "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n";
        assert!(matches!(verdict(top), Said::Started(_)));
        let Said::Started(slow) = verdict("Status: timeout\nActivity: com.example/.Main\n") else {
            panic!("not started")
        };
        assert_eq!(slow.warnings.len(), 1);
        assert_eq!(elsewhere(&slow, "com.example"), None);
        assert!(elsewhere(&slow, "com.other").is_some_and(|warning| warning.contains("com.example is in front")));
        for nothing in [
            "Starting: Intent { cmp=com.example/.Nope }\nError type 3\nError: Activity class {com.example/com.example.Nope} does not exist.\n",
            "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=nope://x flg=0x10000000 }",
            "Error: Activity not started, you do not have permission to access it.",
            "Error: Intent does not match any activities: Intent { act=android.intent.action.VIEW dat=nope://x }",
        ] {
            assert!(matches!(verdict(nothing), Said::NotFound { ended: None, .. }), "{nothing}");
        }
        let anew = "Stopping: com.example\nStarting: Intent { cmp=com.example/.Nope }\nError type 3\nError: Activity class {com.example/com.example.Nope} does not exist.\n";
        assert!(matches!(verdict(anew), Said::NotFound { ended: Some(app), .. } if app == "com.example"));
        for unclear in ["", "java.lang.SecurityException: Permission Denial: starting Intent", "Killed"] {
            assert_eq!(verdict(unclear), Said::Unclear, "{unclear}");
        }
    }
}
