//! What only the caller's side knows: its folder, its files, its standard input, its environment. Every consumer asks here
//! before it sends anything, since the daemon lives elsewhere.

use std::{
    fs,
    io::Read,
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

use clap::ValueEnum;
use contract::{
    Code, Command, Failure, Row,
    command::{Batch, RecordWords, Step, StepCall, TraceAction, Wanted, parse_steps},
    view::Platform,
};

/// Extensions of files that a browser opens.
const PAGES: &[&str] =
    &["html", "htm", "xhtml", "svg", "pdf", "txt", "md", "json", "xml", "png", "jpg", "jpeg", "gif", "webp"];

/// Makes paths absolute and reads files that stand for arguments. Relative ones lie in `folder`: the caller's, or that of
/// the script in which the command stands.
///
/// # Errors
/// `INVALID_ARGS` or `STORAGE_FAILED`, before anything is sent.
pub fn resolve(command: &mut Command, folder: &Path) -> Result<(), Failure> {
    command.check()?;
    match command {
        Command::Open(open) => {
            open.driver_url = open.driver_url.take().filter(|url| !url.is_empty());
            if let Some(app) = &mut open.app {
                *app = opened(app, folder)?;
            }
            if let Some(script) = &mut open.save_script {
                *script = script_place(script, folder, open.force)?;
            }
            if let Some(Wanted::In(file)) = &open.capabilities {
                open.capabilities = Some(Wanted::read(&read(file, folder)?).map_err(|why| {
                    Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{file}: {why}"))
                        .reason("invalid_arguments")
                })?);
            }
        }
        Command::Upload(upload) => {
            for file in &mut upload.words.0.files {
                *file = absolute(folder, Path::new(file.as_str())).display().to_string();
            }
        }
        Command::Install(install) => install.path = absolute(folder, Path::new(&install.path)).display().to_string(),
        Command::Reinstall(install) => install.path = absolute(folder, Path::new(&install.path)).display().to_string(),
        Command::Push(push) => push.path = absolute(folder, Path::new(&push.path)).display().to_string(),
        Command::Pull(pull) => {
            let name = pull.from.rsplit('/').find(|part| !part.is_empty()).unwrap_or("pulled").to_owned();
            let given = absolute(folder, Path::new(pull.path.as_deref().unwrap_or(&name)));
            let path = if given.is_dir() { given.join(name) } else { given };
            writable(&path)?;
            pull.path = Some(path.display().to_string());
        }
        Command::Record(record) => {
            if let RecordWords::Start { path } = &mut record.words.0 {
                let file =
                    absolute(folder, Path::new(&path.take().unwrap_or_else(|| format!("film-{}.mp4", millis()))));
                writable(&file)?;
                *path = Some(file.display().to_string());
            }
        }
        Command::Screenshot(shot) => {
            let given = shot.out.take().or_else(|| shot.path.take());
            let path = absolute(folder, Path::new(&given.unwrap_or_else(|| format!("screenshot-{}.png", millis()))));
            writable(&path)?;
            shot.out = Some(path.display().to_string());
        }
        Command::Session(session) => {
            if let Some(script) = &mut session.path {
                *script = script_place(script, folder, session.force)?;
            }
        }
        Command::Trace(trace) if trace.action == TraceAction::Stop => {
            let given = trace.out.take().unwrap_or_else(|| format!("trace-{}.html", millis()));
            let path = absolute(folder, Path::new(&given));
            writable(&path)?;
            trace.out = Some(path.display().to_string());
        }
        Command::Batch(batch) => {
            if let Some(file) = batch.steps_file.take() {
                let text = read(&file, folder)?;
                batch.steps = Some(parse_steps(&text).map_err(|why| {
                    Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{file}: {why}"))
                        .reason("invalid_arguments")
                })?);
            }
            resolve_steps(batch, folder)?;
        }
        _ => {}
    }
    Ok(())
}

/// The same for each step of a batch. One that says nothing of this side stays as it was written; what is wrong with a batch
/// itself is the daemon's to say.
fn resolve_steps(batch: &mut Batch, folder: &Path) -> Result<(), Failure> {
    let Ok(commands) = batch.commands() else { return Ok(()) };
    let steps = batch.steps.iter_mut().flat_map(|steps| &mut steps.0);
    for ((step, mut command), number) in steps.zip(commands).zip(1..) {
        let before = command.clone();
        resolve(&mut command, folder).map_err(|failure| {
            let mut failure = failure.detail("step", number);
            failure.message = format!("step {number}: {}", failure.message);
            failure
        })?;
        if command != before {
            *step = Step::Call(StepCall { command: command.spec().name.to_owned(), args: command.to_args() });
        }
    }
    Ok(())
}

/// Where a recorded script goes: a file, or a folder in which the daemon names it after the session. Nothing given is the
/// caller's folder.
fn script_place(given: &str, folder: &Path, force: bool) -> Result<String, Failure> {
    let path = absolute(folder, Path::new(if given.is_empty() { "." } else { given }));
    // A file that is there is the daemon's to refuse, under its own name for it.
    if !path.is_dir() && (force || !path.exists()) {
        writable(&path)?;
    }
    Ok(path.display().to_string())
}

/// An app as it is sent: files with their whole path, pages on disk as addresses.
fn opened(app: &str, folder: &Path) -> Result<String, Failure> {
    let path = &folder.join(app);
    let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let is_page = PAGES.contains(&extension.as_str());
    if app.contains("://") || !path.is_file() && extension != "toml" {
        // Written as a path, so no address is meant: example.org/a.html may be one.
        return match is_page && app.starts_with(['.', '/']) {
            true => Err(Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("there is no file {app}"))
                .reason("file_unreadable")
                .hint("name a file that exists, or an address: http://...")),
            false => Ok(app.to_owned()),
        };
    }
    let whole = absolute(folder, path).display().to_string();
    Ok(if is_page { format!("file://{}", encoded(&whole)) } else { whole })
}

/// A path as part of an address.
fn encoded(path: &str) -> String {
    path.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// The whole path as a person would write it: without `.` and `..`. Links stay: what a page asks for lies beside the link.
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let path = folder.join(path);
    let whole = std::path::absolute(&path).unwrap_or(path);
    whole.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
        plain
    })
}

/// Refuses a file that could not be written in the end, before the request is made.
///
/// # Errors
/// `STORAGE_FAILED`, with what is in the way.
pub fn writable(path: &Path) -> Result<(), Failure> {
    let refuse = |why: String| {
        Err(Failure::refused(Row::ClientOutputUnwritable, Code::StorageFailed, format!("{}: {why}", path.display()))
            .reason("file_unwritable")
            .hint("name a file in a folder that exists and can be written"))
    };
    if path.is_dir() {
        return refuse("is a folder".into());
    }
    match path.parent().map(fs::metadata) {
        Some(Ok(folder)) if !folder.is_dir() => refuse("its parent is no folder".into()),
        Some(Ok(folder)) if folder.permissions().readonly() => refuse("its folder cannot be written".into()),
        Some(Ok(_)) => Ok(()),
        Some(Err(why)) => refuse(format!("its folder: {why}")),
        None => refuse("is no path of a file".into()),
    }
}

/// What a command takes from a file is no larger, bytes: `/dev/zero` never ends.
const LARGEST: u64 = 16 << 20;

fn read(file: &str, folder: &Path) -> Result<String, Failure> {
    let whole = || {
        let mut text = String::new();
        let read = match file {
            "-" => std::io::stdin().take(LARGEST + 1).read_to_string(&mut text)?,
            file => fs::File::open(folder.join(file))?.take(LARGEST + 1).read_to_string(&mut text)?,
        };
        match read as u64 > LARGEST {
            true => Err(std::io::Error::other(format!("it is larger than {} MB", LARGEST >> 20))),
            false => Ok(text),
        }
    };
    whole().map_err(|why| {
        Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{file}: {why}")).reason("file_unreadable")
    })
}

/// The folder that names the session: the git worktree around the current folder, else the current folder.
pub fn workspace() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let top = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&here);
    Some(top.display().to_string())
}

/// The platform that was named, on the command line or in the environment. An empty variable names none.
///
/// # Errors
/// `INVALID_ARGS` for a variable that names no platform.
pub fn platform(given: Option<Platform>) -> Result<Option<Platform>, Failure> {
    const VARIABLE: &str = "AGENT_DEVICE_PLATFORM";
    let named = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
    match (given, named) {
        (Some(given), _) => Ok(Some(given)),
        (None, None) => Ok(None),
        (None, Some(name)) => Platform::from_str(&name, true).map(Some).map_err(|_| {
            Failure::refused(
                Row::ClientUsage,
                Code::InvalidArgs,
                format!("{VARIABLE}={name}: there is no such platform"),
            )
            .reason("usage")
            .hint("stage, web or android")
        }),
    }
}

/// An id that no other request has: the time, this process, a count.
pub fn request_id(consumer: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    format!("{consumer}-{now:x}-{:x}-{:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn millis() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis())
}

#[cfg(test)]
mod tests {
    use contract::command::Open;

    use super::*;

    #[test]
    fn a_page_that_is_not_there_is_refused_and_an_address_is_left_alone() {
        for app in ["example.org/a.html", "demo", "http://x.test/a.html", "page.html"] {
            assert_eq!(opened(app, Path::new("")).unwrap(), app);
        }
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("here.html"), "x").unwrap();
        let there = opened("here.html", folder.path()).unwrap();
        assert!(there.starts_with("file:///") && there.ends_with("/here.html"), "{there}");
        assert!(
            opened("./no-such-page.html", Path::new("")).unwrap_err().message.contains("no file ./no-such-page.html")
        );
    }

    #[test]
    fn a_script_without_a_name_goes_into_the_callers_folder_and_one_with_a_name_into_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let placed = |line: &str| {
            let mut command = Command::from_line(line).unwrap();
            resolve(&mut command, folder.path()).map(|()| match command {
                Command::Open(open) => open.save_script.unwrap(),
                Command::Session(session) => session.path.unwrap(),
                Command::Trace(trace) => trace.out.unwrap(),
                other => panic!("{other:?}"),
            })
        };
        let whole = folder.path().display().to_string();
        assert_eq!(placed("open demo --save-script").unwrap(), whole);
        let here = std::env::current_dir().unwrap().display().to_string();
        assert_eq!(
            script_place("", Path::new(""), false).unwrap(),
            here,
            "a caller that names no folder is in its own"
        );
        assert_eq!(placed("open demo --save-script=a/../b.ad").unwrap(), format!("{whole}/b.ad"));
        assert_eq!(placed("session save-script c.ad --force").unwrap(), format!("{whole}/c.ad"));
        assert_eq!(placed("open demo --save-script=no/b.ad").unwrap_err().reason_str(), Some("file_unwritable"));
        assert_eq!(placed("trace stop --out run.html").unwrap(), format!("{whole}/run.html"));
        assert!(placed("trace stop").unwrap().ends_with(".html"));
        fs::write(folder.path().join("b.ad"), "x").unwrap();
        assert_eq!(placed("open demo --save-script=b.ad").unwrap(), format!("{whole}/b.ad"), "the daemon refuses it");
    }

    #[test]
    fn files_of_a_batchs_steps_lie_in_the_callers_folder() {
        let folder = tempfile::tempdir().unwrap();
        let asked = |steps: &str| {
            let mut command = Command::Batch(Batch { steps: Some(parse_steps(steps).unwrap()), steps_file: None });
            resolve(&mut command, folder.path()).map(|()| match command {
                Command::Batch(Batch { steps: Some(steps), .. }) => steps.0,
                other => panic!("{other:?}"),
            })
        };
        let steps = asked(r#"["press id=x", "screenshot a.png", {"command": "screenshot"}]"#).unwrap();
        assert_eq!(steps[0], Step::Line("press id=x".into()));
        let out = |step: &Step| match step {
            Step::Call(call) => call.args["out"].as_str().unwrap().to_owned(),
            Step::Line(line) => panic!("{line}"),
        };
        assert_eq!(out(&steps[1]), folder.path().join("a.png").display().to_string());
        assert!(out(&steps[2]).starts_with(&folder.path().display().to_string()));
        let refused = asked(r#"["press id=x", "screenshot no/a.png"]"#).unwrap_err();
        assert_eq!((refused.reason_str(), &refused.details["step"]), (Some("file_unwritable"), &2.into()));
        assert!(refused.message.starts_with("step 2: "), "{}", refused.message);
        assert!(asked(r#"["press id=x", "frobnicate"]"#).is_ok(), "the daemon says what is wrong");
    }

    #[test]
    fn capabilities_in_a_file_are_read_before_anything_is_sent() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("caps.json");
        let asked = || {
            let mut command = Command::from_line(&format!("open a.test --capabilities @{}", file.display())).unwrap();
            resolve(&mut command, Path::new("")).map(|()| command)
        };
        assert_eq!(asked().unwrap_err().reason_str(), Some("file_unreadable"));
        fs::write(&file, r#"{"alwaysMatch": {}}"#).unwrap();
        assert!(asked().unwrap_err().message.contains("leave \"alwaysMatch\" out"));
        fs::write(&file, r#"{"platformName": "linux"}"#).unwrap();
        let Ok(Command::Open(Open { capabilities: Some(Wanted::These(these)), .. })) = asked() else {
            panic!("not read")
        };
        assert_eq!(these["platformName"], "linux");
    }

    #[test]
    fn what_never_ends_is_not_read_to_its_end() {
        let told = read("/dev/zero", Path::new("")).unwrap_err();
        assert_eq!(told.reason_str(), Some("file_unreadable"));
        assert!(told.message.contains("larger than 16 MB"), "{}", told.message);
    }
}
