//! Which app is in front.

use backend::Foreground;
use contract::{Code, Failure, Row};
use wire::Context;

use super::script::{Script, text};
use crate::adb::Phone;

/// The first Android whose `dumpsys window windows` no longer tells the focus (API level).
const FOCUS_BY_DISPLAY: u32 = 29;

/// Packages whose activities are questions of the system over an app.
const QUESTIONS: &[&str] = &[
    "com.android.permissioncontroller",
    "com.google.android.permissioncontroller",
    "com.android.packageinstaller",
    "com.google.android.packageinstaller",
];

/// What the window manager says of the focus.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// Package and activity of the app that has the focus.
    pub app: Option<Component>,
    /// Title of the window that has it.
    pub window: Option<String>,
}

/// A package and one of its classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// The package.
    pub package: String,
    /// The class with its whole name.
    pub class: String,
}

impl Component {
    /// Reads `com.example/.Main` or `com.example/com.example.Main`.
    pub fn parse(text: &str) -> Option<Self> {
        let (package, class) = text.split_once('/')?;
        let named = |part: &str, more: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_' || more.contains(c))
        };
        if !named(package, ".") || !named(class, ".$") {
            return None;
        }
        let class = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
        Some(Self { package: package.to_owned(), class })
    }
}

/// The look: one program on the device, its output cut down there.
fn script(api: u32) -> Script {
    let area = if api >= FOCUS_BY_DISPLAY { "displays" } else { "windows" };
    Script::of(format!(
        "dumpsys window {area} | grep -E 'mCurrentFocus|mFocusedApp|mTopFocusedDisplayId|Display: mDisplayId'"
    ))
}

/// The app in front.
///
/// # Errors
/// No way to the device; `adb.look-failed` where no app has the focus.
pub async fn foreground(context: &Context, phone: &Phone, api: u32) -> Result<Foreground, Failure> {
    let parts = script(api).look(context, phone).await?;
    let focus = focus(text(&parts, 0));
    let Some(app) = focus.app else {
        return Err(Failure::refused(Row::AdbLookFailed, Code::CommandFailed, "no app has the focus")
            .reason("no_foreground_app")
            .hint(
                "the screen may be off or locked: wake and unlock the device, then look again: agent-device screenshot",
            ));
    };
    if !QUESTIONS.contains(&app.package.as_str()) {
        let above = above(&app, focus.window.as_deref());
        return Ok(Foreground { app: app.package, activity: Some(app.class), above });
    }
    // The system asks something: the app is what lies under the question in the same task.
    let parts =
        Script::of("dumpsys activity activities | grep -E 'Hist +#|TaskRecord|Task\\{'").look(context, phone).await?;
    let question = format!("{}/{}", app.package, app.class);
    Ok(match under(text(&parts, 0), &app) {
        Some(below) => Foreground { app: below.package, activity: Some(below.class), above: vec![question] },
        None => Foreground { app: app.package, activity: Some(app.class), above: Vec::new() },
    })
}

/// Reads `mCurrentFocus` and `mFocusedApp`, of the display that has the focus where there are several.
pub fn focus(dump: &str) -> Focus {
    let top =
        dump.lines().find_map(|line| line.trim().strip_prefix("mTopFocusedDisplayId=")?.trim().parse::<u32>().ok());
    let mut display: Option<u32> = None;
    let mut found = Focus::default();
    for line in dump.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("Display: mDisplayId=") {
            display = rest.split(|c: char| !c.is_ascii_digit()).next().and_then(|id| id.parse().ok());
        }
        if let (Some(top), Some(display)) = (top, display)
            && top != display
        {
            continue;
        }
        if let Some(rest) = line.strip_prefix("mCurrentFocus=") {
            found.window = found.window.or_else(|| window(rest));
        } else if let Some(rest) = line.strip_prefix("mFocusedApp=") {
            found.app = found.app.or_else(|| component_in(rest));
        }
    }
    // Between two activities the focused app can be missing while its window has the focus already.
    found.app = found.app.or_else(|| found.window.as_deref().and_then(Component::parse));
    found
}

/// The title in `Window{1a2b3c u0 TITLE}`, also with `paused=false` or a type after the hash.
fn window(text: &str) -> Option<String> {
    let inner = text.strip_prefix("Window{")?;
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let mut rest = inner.split_once(' ')?.1;
    if let Some((user, after)) = rest.split_once(' ')
        && user.strip_prefix('u').is_some_and(|id| id.chars().all(|c| c.is_ascii_digit()))
    {
        rest = after;
    }
    let title = rest.trim().trim_end_matches(" paused=false").trim_end_matches(" paused=true");
    (!title.is_empty()).then(|| title.to_owned())
}

/// The component among the words of a record: `ActivityRecord{4d5e6f u0 com.example/.Main t12}`, with the older
/// `AppWindowToken{... token=Token{... ActivityRecord{...}}}` around it.
fn component_in(text: &str) -> Option<Component> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '{' | '}')).find_map(Component::parse)
}

/// The window over an app that takes its input: nothing where it is the app's own screen.
fn above(app: &Component, window: Option<&str>) -> Vec<String> {
    match window {
        None => Vec::new(),
        Some(title) if Component::parse(title).is_some_and(|window| window.package == app.package) => Vec::new(),
        Some(title) => vec![title.to_owned()],
    }
}

/// The activity under a question, from the list of each task's activities, topmost first.
pub(crate) fn under(dump: &str, question: &Component) -> Option<Component> {
    let mut seen = false;
    for line in dump.lines().map(str::trim) {
        // `* Hist #1:` up to Android 10, `* Hist  #1:` after.
        if !line.contains("Hist ") {
            if seen {
                return None;
            }
            continue;
        }
        let Some(component) = component_in(line) else { continue };
        if seen && component != *question {
            return Some(component);
        }
        seen |= component == *question;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn component(package: &str, class: &str) -> Component {
        Component { package: package.into(), class: class.into() }
    }

    /// The lines as each Android prints them.
    #[test]
    fn the_focus_is_read_in_every_format() {
        let main = Some(component("com.example", "com.example.Main"));
        for (android, dump, app, window) in [
            (
                "6",
                "  mCurrentFocus=Window{5d2a1b8 u0 com.example/com.example.Main}\n  mFocusedApp=AppWindowToken{d0c8f token=Token{9f1a2 ActivityRecord{c1e3b u0 com.example/.Main t6}}}\n",
                main.clone(),
                Some("com.example/com.example.Main"),
            ),
            (
                "9, a dialog of the system",
                "  mCurrentFocus=Window{7f0c9c1 u0 Application Not Responding: com.example}\n  mFocusedApp=AppWindowToken{41d12a1 token=Token{2f9a8 ActivityRecord{c1a u0 com.example/.Main t9}}}\n",
                main.clone(),
                Some("Application Not Responding: com.example"),
            ),
            (
                "10",
                "  Display: mDisplayId=0\n  mCurrentFocus=Window{ab u0 com.example/com.example.Main}\n  mFocusedApp=AppWindowToken{b token=Token{c ActivityRecord{d u0 com.example/.Main t7}}}\n",
                main.clone(),
                Some("com.example/com.example.Main"),
            ),
            (
                "12 to 16, two displays",
                "  mTopFocusedDisplayId=2\n  Display: mDisplayId=0 (organized)\n  mCurrentFocus=Window{ab u0 com.other/com.other.Main}\n  mFocusedApp=ActivityRecord{d u0 com.other/.Main t7}\n  Display: mDisplayId=2\n  mCurrentFocus=Window{ac u0 com.example/com.example.Main}\n  mFocusedApp=ActivityRecord{e u0 com.example/.Main} t8}\n",
                main.clone(),
                Some("com.example/com.example.Main"),
            ),
            (
                "work profile, inner class",
                "  mCurrentFocus=Window{ab u10 com.example/com.example.Outer$Inner}\n  mFocusedApp=null\n",
                Some(component("com.example", "com.example.Outer$Inner")),
                Some("com.example/com.example.Outer$Inner"),
            ),
            (
                "the shade",
                "  mCurrentFocus=Window{1 u0 NotificationShade}\n  mFocusedApp=ActivityRecord{2 u0 com.example/.Main t3}\n",
                main,
                Some("NotificationShade"),
            ),
            ("locked, screen off", "  mCurrentFocus=null\n  mFocusedApp=null\n", None, None),
        ] {
            assert_eq!(focus(dump), Focus { app, window: window.map(str::to_owned) }, "{android}");
        }
    }

    #[test]
    fn only_what_is_not_the_apps_own_lies_above_it() {
        let app = component("com.example", "com.example.Main");
        assert!(above(&app, Some("com.example/com.example.Second")).is_empty());
        assert!(above(&app, None).is_empty());
        assert_eq!(above(&app, Some("NotificationShade")), ["NotificationShade"]);
        assert_eq!(above(&app, Some("com.other/com.other.Main")), ["com.other/com.other.Main"]);
    }

    #[test]
    fn the_app_lies_under_the_question() {
        let question = component(
            "com.android.permissioncontroller",
            "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
        );
        let new = "  * Task{a #12 type=standard A=10:com.example}\n    * Hist  #1: ActivityRecord{b u0 com.android.permissioncontroller/.permission.ui.GrantPermissionsActivity t12}\n    * Hist  #0: ActivityRecord{c u0 com.example/.Main t12}\n  * Task{d #1 type=home}\n    * Hist  #0: ActivityRecord{e u0 com.launcher/.Home t1}\n";
        assert_eq!(under(new, &question), Some(component("com.example", "com.example.Main")));
        let alone = "  * Task{a}\n    * Hist #0: ActivityRecord{b u0 com.android.permissioncontroller/.permission.ui.GrantPermissionsActivity t12}\n  * Task{d}\n    * Hist #0: ActivityRecord{e u0 com.launcher/.Home t1}\n";
        assert_eq!(under(alone, &question), None);
    }

    #[test]
    fn words_that_are_no_component_are_left_alone() {
        for text in ["com.example", "/x", "a/", "Application Not Responding: a/b c", "pkg/cls extra", "type=standard/x"]
        {
            assert_eq!(Component::parse(text), None, "{text}");
        }
    }
}
