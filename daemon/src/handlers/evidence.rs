//! logs, perf, record: what a device can tell beside its screen.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use contract::{
    Code, Failure, Row,
    command::{LOG_LINES, Logs, LogsWords, Perf, Record, RecordWords},
    request::Answer,
};
use serde_json::{Value, json};

use crate::run::Run;

/// `logs`.
///
/// # Errors
/// What the device says; `STORAGE_FAILED` where the file cannot be written.
pub async fn logs(run: &mut Run<'_>, args: &Logs) -> Result<Answer, Failure> {
    run.context.check()?;
    let file = run.session.folder.join("app.log");
    let shown = file.display().to_string();
    let stored =
        |why: std::io::Error| Failure::new(Code::StorageFailed, format!("{shown}: {why}")).reason("file_unwritable");
    match &*args.words {
        LogsWords::Show => {
            let lines = run.session.device.log_lines(&run.context, args.lines.unwrap_or(LOG_LINES)).await?;
            let text = if lines.is_empty() { "The app has written nothing".to_owned() } else { lines.join("\n") };
            Ok(Answer::new(json!({"lines": lines}), text))
        }
        LogsWords::Start => {
            run.session.device.log_start(&run.context, &file).await?;
            Ok(Answer::said(json!({"path": shown, "active": true}), format!("Keeping the app's log in {shown}")))
        }
        LogsWords::Stop => {
            let was = run.session.device.log_stop(&run.context).await?;
            let text = if was { format!("Stopped; the log is in {shown}") } else { "No log was being kept".to_owned() };
            Ok(Answer::said(json!({"path": shown, "active": false, "wasActive": was}), text))
        }
        LogsWords::Path => Ok(Answer::said(json!({"path": shown, "exists": file.exists()}), shown)),
        LogsWords::Clear => {
            if file.exists() {
                std::fs::File::options().write(true).truncate(true).open(&file).map_err(stored)?;
            }
            Ok(Answer::said(json!({"path": shown}), format!("Emptied {shown}")))
        }
        LogsWords::Mark { message } => {
            let line = format!("---- mark: {} ----\n", message.replace(['\r', '\n'], " "));
            std::fs::File::options()
                .create(true)
                .append(true)
                .open(&file)
                .and_then(|mut open| open.write_all(line.as_bytes()))
                .map_err(stored)?;
            Ok(Answer::said(json!({"path": shown, "mark": message}), format!("Marked {shown}")))
        }
    }
}

/// `perf`.
///
/// # Errors
/// What the device says.
pub async fn perf(run: &mut Run<'_>, args: &Perf) -> Result<Answer, Failure> {
    run.context.check()?;
    let measured = run.session.device.perf(&run.context, args.area, args.reset).await?;
    let mut lines = Vec::new();
    for (key, value) in measured.as_object().into_iter().flatten() {
        match value {
            Value::String(text) => lines.push(format!("{key}: {text}")),
            Value::Array(_) | Value::Object(_) => {}
            other => lines.push(format!("{key}: {other}")),
        }
    }
    Ok(Answer::new(measured, lines.join("\n")))
}

/// `record`.
///
/// # Errors
/// What the device says; `STORAGE_FAILED` where the film cannot be written.
pub async fn record(run: &mut Run<'_>, args: &Record) -> Result<Answer, Failure> {
    run.context.check()?;
    let bad = |message: &str| {
        Failure::refused(Row::DaemonProtocolBadArguments, Code::InvalidArgs, message).reason("invalid_arguments")
    };
    match &*args.words {
        RecordWords::Start { path } => {
            let path = path.as_ref().map(PathBuf::from).ok_or_else(|| bad("a film needs the path of a file"))?;
            if !path.is_absolute() {
                return Err(bad("the daemon takes absolute paths only; clients resolve them"));
            }
            if let Some(running) = &run.session.film {
                return Err(bad(&format!("a film for {} is running already", running.display()))
                    .hint("end it first: agent-device record stop"));
            }
            // A film that cannot be written when it is ended would be lost.
            if !path.parent().is_some_and(Path::is_dir) || path.is_dir() {
                return Err(Failure::refused(
                    Row::DaemonProtocolBadArguments,
                    Code::StorageFailed,
                    format!("{}: there is no folder for it, or it is one itself", path.display()),
                )
                .reason("file_unwritable"));
            }
            run.session.device.record_start(&run.context, args.quality.unwrap_or_default()).await?;
            let shown = path.display().to_string();
            run.session.film = Some(path);
            Ok(Answer::said(json!({"path": shown, "recording": true}), format!("Filming for {shown}")))
        }
        RecordWords::Stop => {
            let Some(film) = run.session.device.record_stop(&run.context).await? else {
                run.session.film = None;
                return Err(Failure::refused(
                    Row::DaemonProtocolBadArguments,
                    Code::InvalidArgs,
                    "nothing is being filmed",
                )
                .reason("not_recording")
                .hint("begin a film: agent-device record start FILE"));
            };
            let path = run.session.film.take().unwrap_or_else(|| run.session.folder.join("film.mp4"));
            let mut files = Vec::new();
            for (number, chunk) in (1..).zip(&film.chunks) {
                let file = numbered(&path, number);
                std::fs::write(&file, chunk).map_err(|why| {
                    Failure::new(Code::StorageFailed, format!("{}: {why}", file.display())).reason("file_unwritable")
                })?;
                files.push(file.display().to_string());
            }
            let text = format!("Filmed {:.1} s: {}", film.duration_ms as f64 / 1000.0, files.join(", "));
            Ok(Answer::said(json!({"paths": files, "format": film.format, "durationMs": film.duration_ms}), text))
        }
    }
}

/// The first file has the name that was asked for, the others a number more: `a.mp4`, `a-2.mp4`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return path.to_path_buf();
    }
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!("{}-{number}.{}", part(path.file_stem()), part(path.extension())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_parts_of_a_film_lie_beside_the_first() {
        assert_eq!(numbered(Path::new("/a/film.mp4"), 1), Path::new("/a/film.mp4"));
        assert_eq!(numbered(Path::new("/a/film.mp4"), 3), Path::new("/a/film-3.mp4"));
    }
}
