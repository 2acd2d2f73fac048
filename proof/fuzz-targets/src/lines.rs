//! Lines of a client on the socket, of a person at the command line, of whoever writes an app for the stage.

use contract::{Command, Request};
use screen::Selector;
use stage::script as app;

/// A line of the socket.
pub fn daemon_line(data: &[u8]) {
    let Ok(incoming) = daemon::protocol::parse(data) else { return };
    let Ok(request) = serde_json::from_value::<Request>(incoming.params) else { return };
    let again = serde_json::to_value(&request).expect("a request that was read can be written");
    let again: Request = serde_json::from_value(again).expect("and read again");
    assert_eq!(again.args, request.args);
    if let Ok(command) = Command::from_call(&request.command, &request.args) {
        survives_the_socket(&command);
    }
}

/// A line of a batch or a script.
pub fn command_line(data: &[u8]) {
    let Ok(line) = std::str::from_utf8(data) else { return };
    match Command::from_line(line) {
        Ok(command) => {
            survives_the_socket(&command);
            // Whoever reads a line can write one that says the same.
            if let Some(words) = command.to_words() {
                let again = Command::from_words(&words).unwrap_or_else(|why| panic!("{words:?}: {}", why.failure));
                assert_eq!(again.to_words(), Some(words));
            }
        }
        Err(failure) => assert!(!failure.message.is_empty(), "a refusal without words"),
    }
}

/// A script: what is wrong is said at a place that there is; what is right is written so that it reads back, and every
/// step of it is in the exported flow or in its list.
pub fn replay_script(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let script = match script::parse(text, "x.ad") {
        Ok(script) => script,
        Err(errors) => {
            assert!(!errors.is_empty() && errors.len() <= script::parse::MOST_ERRORS);
            for error in errors {
                let line = text
                    .strip_prefix('\u{feff}')
                    .unwrap_or(text)
                    .lines()
                    .nth(error.source.line as usize - 1)
                    .unwrap_or("");
                // A place just behind the line is where something is missing.
                assert!((1..=line.chars().count() + 2).contains(&error.problem.column), "{error:?}");
                let shown = error.to_string();
                assert!(shown.chars().all(|letter| letter == '\n' || contract::plain::is_shown(letter)), "{shown:?}");
            }
            return;
        }
    };
    let printed = script::print(&script);
    let again = script::parse(&printed, "x.ad").unwrap_or_else(|errors| panic!("{printed}\n{}", errors[0]));
    assert!(again == script, "another script came out than went in:\n{printed}");
    assert_eq!(script::print(&again), printed);
    assert_eq!(script::digest(&script).len(), 64);
    if let Ok(commands) = script.commands(&script.variables(script::Variables::new())) {
        for command in &commands {
            if let Some(line) = script::line_of(command) {
                let one = script::parse(&line, "x.ad").unwrap_or_else(|errors| panic!("{line}\n{}", errors[0]));
                let read = one.commands(&script::Variables::new()).expect("a written line has no variables");
                assert_eq!(read.iter().map(script::line_of).collect::<Vec<_>>(), [Some(line)]);
            }
        }
    }
    let export = script::export(&script);
    let missing = export.gaps.iter().filter(|gap| !gap.written).count();
    assert_eq!(export.steps + missing, script.steps.len(), "{}", export.yaml);
}

fn survives_the_socket(command: &Command) {
    let _limits = (command.effect(), command.timeout_ms());
    let args = command.to_args();
    let back = Command::from_call(command.spec().name, &args)
        .unwrap_or_else(|failure| panic!("{command:?} is refused when it comes back as {args}: {failure}"));
    // Numbers may lose their last bit on the way through JSON only once.
    assert_eq!(back.to_args(), args, "another command came out than went in");
}

/// A selector: what is printed reads back as itself, and nothing of it acts on a terminal.
pub fn selector(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Selector::parse(text) {
        Ok(selector) => {
            let written = selector.to_string();
            assert_eq!(Selector::parse(&written).as_ref(), Ok(&selector), "{written:?}");
            assert!(written.chars().all(contract::plain::is_shown), "{written:?}");
        }
        Err(error) => {
            assert!(text.is_char_boundary(error.position) && error.position <= text.len(), "{error:?}");
            let failure = contract::Failure::from(error);
            assert!(!failure.message.is_empty());
        }
    }
}

/// An app of the stage.
pub fn stage_script(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match app::parse("app.toml", text) {
        Ok(app) => {
            // Title bars, dialogs and the keyboard's keys are added to what the file may hold.
            let most = usize::try_from(app::MAX_ELEMENTS).unwrap_or(usize::MAX) + 64 + app.screens.len() * 4;
            assert!(app.elements.len() <= most, "{} elements", app.elements.len());
            for element in &app.elements {
                assert!(element.parent.is_none_or(|parent| parent < app.elements.len()));
                assert!(element.children.iter().all(|child| *child < app.elements.len()));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
