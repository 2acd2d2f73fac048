//! `dumpsys`: the lines of it that tools read.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    call::Call,
    core::Core,
    display::DENSITY,
    double::act,
    shell::permissions,
    state::{Kind, LAUNCHER, Package},
};

/// Runs it.
pub async fn run(core: &Arc<Core>, call: &mut Call) -> u8 {
    let argv = call.argv.clone();
    let words: Vec<&str> = argv.iter().skip(1).map(String::as_str).collect();
    let text = match words.as_slice() {
        ["window", rest @ ..] => window(core, rest).await,
        ["display", ..] => display(core),
        ["input_method", ..] => input_method(core).await,
        ["activity", rest @ ..] => activity(core, rest),
        ["package", "packages", ..] => packages(core),
        ["package", name, ..] => package(core, name),
        ["gfxinfo", name, rest @ ..] => gfxinfo(core, name, rest),
        ["meminfo", name, ..] => meminfo(core, name),
        ["power", ..] => {
            let awake = if core.state().awake { "Awake" } else { "Asleep" };
            format!("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness={awake}\n")
        }
        ["battery", ..] => {
            "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  status: 2\n  level: 100\n  \
             scale: 100\n"
                .to_owned()
        }
        ["wifi", ..] => {
            let on = core.state().switches.get("wifi").copied().unwrap_or_default();
            format!("Wi-Fi is {}\n", if on { "enabled" } else { "disabled" })
        }
        ["SurfaceFlinger", ..] => String::new(),
        [service, ..] => {
            call.complain(format!("Can't find service: {service}")).await;
            return 0;
        }
        [] => "Currently running services:\n  activity\n  display\n  window\n".to_owned(),
    };
    call.print(text).await;
    0
}

/// The window that has the focus, as the window manager names it.
async fn focus(core: &Arc<Core>) -> String {
    let scene = core.scene().await;
    let windows = scene["windows"].as_array().cloned().unwrap_or_default();
    let focused = windows.iter().find(|window| window["focused"] == true);
    let Some(window) = focused else { return "null".to_owned() };
    let package = window["root"]["package"].as_str().unwrap_or_default();
    let id = window["id"].as_i64().unwrap_or_default();
    let over = core.state().over.clone();
    // A dialog of the system has a title and no activity; a question for a permission is an activity.
    let name = match over.as_deref() {
        Some(question) if question == package && question.ends_with("permissioncontroller") => {
            format!("{question}/{QUESTION}")
        }
        Some(dialog) if dialog == package => window["title"].as_str().unwrap_or_default().to_owned(),
        _ => format!("{package}/{package}.MainActivity"),
    };
    format!("Window{{{id:x} u0 {name}}}")
}

/// The activity that asks for a permission.
const QUESTION: &str = "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity";

/// The activity in front, as the activity manager names it.
fn record(core: &Core) -> String {
    let front = core.state().front.clone();
    let class = if front == LAUNCHER { ".Launcher" } else { ".MainActivity" };
    format!("ActivityRecord{{1ab u0 {front}/{class} t12}}")
}

async fn window(core: &Arc<Core>, words: &[&str]) -> String {
    let focus = focus(core).await;
    let record = record(core);
    let (width, height) = core.state().display.size();
    let rotation = core.state().display.rotation;
    let displays = format!(
        "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n    init={width}x{height} {DENSITY}dpi \
         cur={width}x{height} app={width}x{height}\n    mCurrentRotation=ROTATION_{}\n",
        u32::from(rotation) * 90
    );
    let list: String = core.scene().await["windows"].as_array().into_iter().flatten().enumerate().map(one).collect();
    let focused = format!("  mCurrentFocus={focus}\n  mFocusedApp={record}\n");
    match words.first().copied().unwrap_or_default() {
        "displays" => format!("{displays}{focused}"),
        "windows" => format!("WINDOW MANAGER WINDOWS (dumpsys window windows)\n{list}\n{focused}"),
        "policy" => format!(
            "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    screenState=SCREEN_STATE_{}\n    isStatusBarKeyguard=false\n    \
             showing=false\n",
            if core.state().awake { "ON" } else { "OFF" }
        ),
        _ => format!("{displays}\nWINDOW MANAGER WINDOWS (dumpsys window windows)\n{list}\n{focused}"),
    }
}

fn one((number, window): (usize, &Value)) -> String {
    let package = window["root"]["package"].as_str().unwrap_or_default();
    let id = window["id"].as_i64().unwrap_or_default();
    let kind = if window["type"] == "input-method" {
        2011
    } else if window["type"] == "system" {
        2000
    } else {
        1
    };
    format!(
        "  Window #{number} Window{{{id:x} u0 {package}}}:\n    mOwnerUid=10100 package={package} appop=NONE\n    mAttrs={{ty={kind}}}\n    \
         isOnScreen=true\n    isVisible=true\n"
    )
}

fn display(core: &Core) -> String {
    let (width, height) = core.state().display.size();
    let rotation = core.state().display.rotation;
    let on = if core.state().awake { "ON" } else { "OFF" };
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, displayId=0, orientation={rotation}, \
         deviceWidth={width}, deviceHeight={height}}}]\n  Display 0:\n    mCurrentOrientation={rotation}\n    \
         mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", real {width} x {height}, density {DENSITY}, rotation {rotation}, state {on}}}\n"
    )
}

async fn input_method(core: &Arc<Core>) -> String {
    let field = act::field(core).await;
    let scene = core.scene().await;
    let shown = scene["windows"].as_array().into_iter().flatten().any(|window| window["type"] == "input-method");
    let editable = field["editable"] == true;
    let kind = if field["password"] == true {
        "0x81"
    } else if editable {
        "0x1"
    } else {
        "0x0"
    };
    let (id, front) = {
        let state = core.state();
        (state.keyboard(), state.front.clone())
    };
    format!(
        "Current Input Method Manager state:\n  mCurMethodId={id}\n  mCurId={id} mHaveConnection=true\n  mShowRequested={shown} \
         mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}\n  mCurFocusedWindowClient=ClientState{{1 pid=1}}\n  \
         mServedView={}\n  mInputEditorInfo:\n    inputType={kind} imeOptions=0x12000006 privateImeOptions=null\n    packageName={front} \
         fieldId=1\n",
        if editable { "android.widget.EditText" } else { "null" }
    )
}

fn activity(core: &Core, words: &[&str]) -> String {
    let record = record(core);
    let front = core.state().front.clone();
    match words.first().copied().unwrap_or_default() {
        "top" => {
            let pid = core.state().running.get(&front).map(|running| running.pid).unwrap_or_default();
            format!("TASK 10100 id=12\n  ACTIVITY {front}/.MainActivity 1ab pid={pid}\n")
        }
        "processes" => core
            .state()
            .running
            .iter()
            .map(|(package, running)| format!("  Proc # 0: fg {}:{package}/u0a100\n", running.pid))
            .collect(),
        _ => {
            let over = core.state().over.clone().filter(|over| over.ends_with("permissioncontroller"));
            let asks = over.map(|over| {
                format!("    * Hist  #1: ActivityRecord{{2cd u0 {over}/.permission.ui.GrantPermissionsActivity t12}}\n")
            });
            format!(
                "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n  * Task{{12 \
             A={front}}}\n    mResumedActivity: {record}\n{}    * Hist  #0: {record}\n\n  mResumedActivity: {record}\n  \
             topResumedActivity={record}\n  mFocusedApp={record}\n",
                asks.unwrap_or_default()
            )
        }
    }
}

fn package(core: &Core, name: &str) -> String {
    let state = core.state();
    let Some(package) = state.packages.get(name) else { return format!("Unable to find package: {name}\n") };
    format!("Packages:\n{}{}", head(name, package), permissions::dump(&state, name, package))
}

/// `dumpsys package packages`: all of them.
fn packages(core: &Core) -> String {
    let heads: String = core.state().packages.iter().map(|(name, package)| head(name, package)).collect();
    format!("Packages:\n{heads}")
}

fn head(name: &str, package: &Package) -> String {
    let path = match &package.kind {
        Kind::Apk { path, .. } => path.clone(),
        _ => format!("/data/app/~~lab==/{name}-1==/base.apk"),
    };
    format!(
        "  Package [{name}] (1ab):\n    userId=10100\n    codePath={path}\n    versionCode={} minSdk=23 targetSdk=34\n    \
         versionName={}\n",
        package.version_code, package.version_name
    )
}

/// Ten frames of 16.7 ms, the last one late.
fn gfxinfo(core: &Core, name: &str, words: &[&str]) -> String {
    let Some(pid) = core.state().running.get(name).map(|running| running.pid) else {
        return format!("No process found for: {name}\n");
    };
    let head = format!(
        "Applications Graphics Acceleration Info:\nUptime: 1000 Realtime: 1000\n\n** Graphics info for pid {pid} [{name}] **\n\n"
    );
    if words.contains(&"reset") {
        return format!("{head}Total frames rendered: 0\nJanky frames: 0 (0.00%)\n");
    }
    let frames: String = (0..10_u64)
        .map(|frame| {
            let start = 1_000_000_000 + frame * 16_666_667;
            let took = if frame == 9 { 40_000_000 } else { 8_000_000 };
            format!("0,{start},{start},9223372036854775807,0,{start},{start},{start},{start},{start},{start},{start},{start},{},1,1,\n", start + took)
        })
        .collect();
    format!(
        "{head}Stats since: 1ns\nTotal frames rendered: 10\nJanky frames: 1 (10.00%)\n50th percentile: 8ms\n90th percentile: 40ms\n95th \
         percentile: 40ms\n99th percentile: 40ms\n\n---PROFILEDATA---\nFlags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,\
         HandleInputStart,AnimationStart,PerformTraversalsStart,DrawStart,SyncQueued,SyncStart,IssueDrawCommandsStart,SwapBuffers,\
         FrameCompleted,DequeueBufferDuration,QueueBufferDuration,\n{frames}---PROFILEDATA---\n"
    )
}

fn meminfo(core: &Core, name: &str) -> String {
    let Some(pid) = core.state().running.get(name).map(|running| running.pid) else {
        return format!("No process found for: {name}\n");
    };
    format!(
        "Applications Memory Usage (in Kilobytes):\nUptime: 1000 Realtime: 1000\n\n** MEMINFO in pid {pid} [{name}] **\n                   \
         Pss  Private  Private  SwapPss     Heap     Heap     Heap\n                 Total    Dirty    Clean    Dirty     Size    Alloc     \
         Free\n                ------   ------   ------   ------   ------   ------   ------\n  Native Heap     9000     8900        0        \
         0    20000    12000     8000\n  Dalvik Heap     4000     3900        0        0     8000     4000     4000\n        TOTAL    41000    \
         30000     5000        0    28000    16000    12000\n\n App Summary\n                       Pss(KB)\n                        ------\n           Java Heap:     \
         4000\n         Native Heap:     8900\n               TOTAL:    41000       TOTAL SWAP PSS:        0\n"
    )
}
