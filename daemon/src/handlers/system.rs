//! app-switcher, orientation, keyboard, clipboard, settings, appstate: what the system offers around the app.

use backend::Input;
use contract::{
    Failure,
    command::{
        Appearance, Clipboard, ClipboardWords, Grant, Keyboard, KeyboardAction, Orientation, Setting, Settings,
        SettleArgs,
    },
    request::Answer,
};
use serde_json::{Map, json};

use super::moving::finish;
use crate::run::Run;

/// `app-switcher`.
///
/// # Errors
/// What the device says.
pub async fn app_switcher(run: &mut Run<'_>) -> Result<Answer, Failure> {
    let receipt = run.perform(Input::AppSwitcher).await?;
    finish(run, Map::new(), "Showing the apps that were used last".to_owned(), &receipt, &SettleArgs::default(), None)
        .await
}

/// `orientation`.
///
/// # Errors
/// What the device says.
pub async fn orientation(run: &mut Run<'_>, args: &Orientation) -> Result<Answer, Failure> {
    let receipt = run.perform(Input::Orientation { turn: args.orientation }).await?;
    run.session.viewport = None;
    let word = json!(args.orientation);
    let mut facts = Map::new();
    let sentence = format!("The screen stands in {}", word.as_str().unwrap_or_default());
    facts.insert("orientation".into(), word);
    facts.insert("confirmed".into(), receipt.warnings.is_empty().into());
    finish(run, facts, sentence, &receipt, &SettleArgs::default(), None).await
}

/// `keyboard`.
///
/// # Errors
/// What the device says.
pub async fn keyboard(run: &mut Run<'_>, args: &Keyboard) -> Result<Answer, Failure> {
    run.context.check()?;
    let state = match args.action {
        KeyboardAction::Enter => {
            let receipt = run.perform(Input::Enter).await?;
            return finish(run, Map::new(), "Pressed enter".to_owned(), &receipt, &SettleArgs::default(), None).await;
        }
        KeyboardAction::Status | KeyboardAction::Dismiss => run.session.device.keyboard(&run.context).await?,
    };
    let mut data = json!(state);
    if args.action == KeyboardAction::Status {
        let text = match (state.visible, &state.input_type) {
            (false, _) => "The keyboard is hidden".to_owned(),
            (true, None) => "The keyboard is shown".to_owned(),
            (true, Some(kind)) => format!("The keyboard is shown, for {kind}"),
        };
        return Ok(Answer::new(data, text));
    }
    data["wasVisible"] = state.visible.into();
    if !state.visible {
        return Ok(Answer::new(data, "The keyboard was hidden already"));
    }
    let receipt = run.perform(Input::HideKeyboard).await?;
    let mut facts = Map::new();
    facts.insert("visible".into(), false.into());
    facts.insert("wasVisible".into(), true.into());
    finish(run, facts, "Hid the keyboard".to_owned(), &receipt, &SettleArgs::default(), None).await
}

/// `clipboard`.
///
/// # Errors
/// What the device says.
pub async fn clipboard(run: &mut Run<'_>, args: &Clipboard) -> Result<Answer, Failure> {
    run.context.check()?;
    match &*args.words {
        ClipboardWords::Read => {
            let text = run.session.device.clipboard(&run.context).await?;
            Ok(Answer::new(json!({"text": text}), text))
        }
        ClipboardWords::Write { text } => {
            let receipt = run.perform(Input::Clipboard { text: text.clone() }).await?;
            let count = text.chars().count();
            let sentence = format!("Put {count} character{} on the clipboard", if count == 1 { "" } else { "s" });
            finish(run, Map::new(), sentence, &receipt, &SettleArgs::default(), None).await
        }
    }
}

/// `settings`.
///
/// # Errors
/// What the device says.
pub async fn settings(run: &mut Run<'_>, args: &Settings) -> Result<Answer, Failure> {
    let setting = &*args.words;
    let facts = json!(setting).as_object().cloned().unwrap_or_default();
    let receipt = run.perform(Input::Setting(setting.clone())).await?;
    let switched = |what: &str, on: bool| format!("Turned {what} {}", if on { "on" } else { "off" });
    let sentence = match setting {
        Setting::Wifi { on } => switched("Wi-Fi", *on),
        Setting::Airplane { on } => switched("airplane mode", *on),
        Setting::Location { on } => switched("location", *on),
        Setting::Animations { on } => switched("animations", *on),
        Setting::LocationSet { latitude, longitude } => format!("The device is at {latitude}, {longitude}"),
        Setting::Appearance { appearance } => match appearance {
            Appearance::Light => "The system is light".to_owned(),
            Appearance::Dark => "The system is dark".to_owned(),
            Appearance::Toggle => "Changed between light and dark".to_owned(),
        },
        Setting::Permission { grant, permission } => match grant {
            Grant::Grant => format!("Granted {permission}"),
            Grant::Deny => format!("Denied {permission}"),
            Grant::Reset => format!("The app has to ask for {permission} again"),
        },
        Setting::ClearAppState { app } => {
            format!("Cleared what {} has stored", app.as_deref().unwrap_or(run.session.app.as_str()))
        }
    };
    finish(run, facts, sentence, &receipt, &SettleArgs::default(), None).await
}

/// `appstate`.
///
/// # Errors
/// What the device says.
pub async fn appstate(run: &mut Run<'_>) -> Result<Answer, Failure> {
    run.context.check()?;
    let front = run.session.device.foreground(&run.context).await?;
    let mut text = match &front.activity {
        Some(activity) => format!("{} ({activity})", front.app),
        None => front.app.clone(),
    };
    for above in &front.above {
        text.push_str("\nAbove it: ");
        text.push_str(above);
    }
    Ok(Answer::said(json!(front), text))
}
