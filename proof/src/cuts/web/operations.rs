//! Everything that changes a page or its browser: how it is asked for, how the page is made ready for it, and what
//! counts it.

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// Its line in the figures.
    pub name: &'static str,
    /// The command that it is an operation of, by its own name.
    pub command: &'static str,
    /// As a person types it. `{url}` is the address of the ground, `{driver}` that of the driver behind the proxy,
    /// `{file}` a file.
    pub line: &'static str,
    /// What makes the page ready, before each run.
    pub ready: &'static [Ready],
    /// What counts it.
    pub count: Count,
    /// The path of the page that it is done on.
    pub page: &'static str,
    /// How often it is asked for, by that count.
    pub asked: u32,
    /// What becomes of it where nothing is wrong with the way.
    pub works: bool,
    /// On an emulated phone, with touch.
    pub mobile: bool,
    /// What becomes of the browser.
    pub life: Life,
}

impl Operation {
    /// Whether each run loads pages.
    pub fn loads(&self) -> bool {
        self.ready.contains(&Ready::Load) || self.count.pages()
    }
}

/// What becomes of the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// It is there before and after.
    Stays,
    /// It is started: for a session of its own.
    Starts,
    /// It is ended.
    Ends,
}

/// One step before a run, past the backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ready {
    /// This is evaluated in the page.
    Script(&'static str),
    /// The page is loaded anew.
    Load,
    /// The pointer is moved to where nothing is.
    PointerAway,
    /// This opens a dialog.
    Dialog(&'static str),
    /// So many windows are open.
    Windows(usize),
    /// The window is resized until the viewport has this size, px.
    Size(u32, u32),
}

/// What counts an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// What the page posted to its site, and the pages that were asked for: the sum of these names.
    Site(&'static [&'static str]),
    /// What this evaluates to in the page, 0 once it is ready.
    Page(&'static str),
    /// So many windows are fewer than there were once it was ready.
    ClosedWindows,
    /// The browser's session with the driver is over.
    Ended,
}

impl Count {
    /// Whether pages that are asked for count.
    pub fn pages(&self) -> bool {
        matches!(self, Count::Site(names) if names.iter().any(|name| name.starts_with("page ")))
    }
}

/// The page of most operations, and its path.
pub const PAGE: (&str, &str) = (
    "/",
    "
<style>
  body { margin: 0 } .x { position: absolute; width: 110px; height: 36px; box-sizing: border-box }
  #box { overflow: auto } #box div { height: 2000px } #pad, #touch, #drop { background: #ddd; touch-action: none; user-select: none }
</style>
<button class=x style='left:10px;top:10px' id=press onclick=\"hit('press')\">Press</button>
<button class=x style='left:130px;top:10px' id=double ondblclick=\"hit('double')\">Double</button>
<button class=x style='left:250px;top:10px' id=hold
  onpointerdown='this.since = performance.now()'
  onpointerup=\"if (performance.now() - this.since > 45) hit('hold')\">Hold</button>
<button class=x style='left:10px;top:56px' id=second
  oncontextmenu=\"event.preventDefault(); hit('second')\">Second</button>
<div class=x style='left:130px;top:56px' id=hover role=button onmouseenter=\"hit('hover')\">Hover</div>
<a class=x style='left:250px;top:56px' id=link href=/landing>Leave</a>
<button class=x style='left:10px;top:102px' id=ask onclick=\"hit('ask'); alert('sure?')\">Ask</button>
<button class=x style='left:130px;top:102px' id=window onclick=\"hit('window'); window.open('/landing')\">Window</button>
<button class=x style='left:250px;top:102px' id=covered onclick=\"hit('covered')\"
  onmousemove='cover()'>Covered</button>
<input class=x style='left:10px;top:148px' id=field aria-label=Field
  onfocus=\"hit('focus')\" oninput=\"if (this.value === 'hello') hit('fill')\">
<input class=x style='left:130px;top:148px' id=typed aria-label=Typed oninput=\"hit('typed')\">
<input class=x style='left:250px;top:148px' id=date aria-label=Date type=date oninput=\"hit('date')\">
<input class=x style='left:10px;top:194px;width:230px' id=file aria-label=File type=file onchange=\"hit('upload')\">
<div class=x style='left:250px;top:194px' id=box role=region aria-label=Box tabindex=0><div>Long</div></div>
<div class=x style='left:10px;top:240px' id=pad role=button aria-label=Pad onpointerup=\"hit('pad')\"></div>
<div class=x style='left:130px;top:240px' id=drop role=button aria-label=Drop onpointerup=\"hit('drop')\"></div>
<div class=x style='left:10px;top:286px;width:230px;height:120px' id=touch role=button aria-label=Touch></div>
<script>
  addEventListener('popstate', () => hit('back'));
  addEventListener('touchstart', event => {
    if (event.touches.length === 2) { event.preventDefault(); hit('two'); }
  }, { passive: false });
  function cover() {
    const over = document.createElement('div');
    over.id = 'over'; over.className = 'x'; over.style = 'left:250px;top:102px;background:red';
    over.onclick = () => hit('stolen');
    document.body.append(over);
  }
</script>",
);

/// A page around [`FRAME`], whose address at another origin is `{frame}`, and its path.
pub const AROUND: (&str, &str) = ("/around", "<iframe title=Frame src='{frame}'></iframe>");

/// The page in the frame, and its path.
pub const FRAME: (&str, &str) = ("/framed", "<button id=inner onclick=\"hit('inner')\">Inner</button>");
/// The page that links lead to, and its path.
pub const LANDING: (&str, &str) = ("/landing", "<p>Landing");

const PLAIN: Operation = Operation {
    name: "",
    command: "press",
    line: "",
    ready: &[],
    count: Count::Site(&[]),
    page: PAGE.0,
    asked: 1,
    works: true,
    mobile: false,
    life: Life::Stays,
};

const fn press(name: &'static str, line: &'static str, counts: &'static [&'static str]) -> Operation {
    Operation { name, line, count: Count::Site(counts), ..PLAIN }
}

const fn other(
    name: &'static str,
    command: &'static str,
    line: &'static str,
    counts: &'static [&'static str],
) -> Operation {
    Operation { command, ..press(name, line, counts) }
}

const EMPTY_FIELD: Ready = Ready::Script("field.blur(), field.value = ''");
const CONFIRM: &str = "setTimeout(() => hit(confirm('sure?') ? 'accepted' : 'dismissed'))";
const PROMPT: &str = "setTimeout(() => { if (prompt('name?') === 'abc') hit('answered') })";
const HISTORY: Ready = Ready::Script(
    "for (let n = (history.state || {}).depth || 0; n < 2; n += 1) history.pushState({ depth: n + 1 }, '')",
);

/// Every operation.
pub const OPERATIONS: &[Operation] = &[
    press("press", "press id=press", &["press"]),
    press("press point", "press 60 28", &["press"]),
    Operation { asked: 2, ..press("press series", "press id=press --count 2", &["press"]) },
    press("press double", "press id=double --double-tap", &["double"]),
    press("press hold", "press id=hold --hold-ms 60", &["hold"]),
    press("press secondary", "press id=second --button secondary", &["second"]),
    Operation { page: AROUND.0, ..press("press in frame", "press id=inner", &["inner"]) },
    Operation { ready: &[Ready::Load], ..press("press link", "press id=link", &["page /landing"]) },
    press("press, dialog", "press id=ask", &["ask"]),
    Operation { ready: &[Ready::Windows(1)], ..press("press, window", "press id=window", &["window"]) },
    Operation {
        ready: &[
            Ready::PointerAway,
            Ready::Script("document.querySelectorAll('#over').forEach(over => over.remove())"),
        ],
        works: false,
        ..press("press, covered", "press id=covered", &["covered", "stolen"])
    },
    Operation { mobile: true, ..press("press touch", "press id=press", &["press"]) },
    other("longpress", "longpress", "longpress id=hold 60", &["hold"]),
    Operation { ready: &[Ready::PointerAway], ..other("hover", "hover", "hover id=hover", &["hover"]) },
    Operation { ready: &[EMPTY_FIELD], ..other("focus", "focus", "focus id=field", &["focus"]) },
    Operation { ready: &[EMPTY_FIELD], ..other("fill", "fill", "fill id=field hello", &["fill"]) },
    Operation {
        ready: &[Ready::Script("date.value = ''")],
        ..other("fill date", "fill", "fill id=date 2024-05-06", &["date"])
    },
    Operation {
        ready: &[Ready::Script("typed.value = '', typed.focus()")],
        asked: 3,
        ..other("type", "type", "type abc", &["typed"])
    },
    Operation {
        ready: &[Ready::Script("box.scrollTop = 0")],
        count: Count::Page("box.scrollTop / 50"),
        ..other("scroll", "scroll", "scroll down --pixels 50 --in id=box", &[])
    },
    other("swipe", "swipe", "swipe 30 258 90 258 --duration-ms 30", &["pad"]),
    Operation {
        asked: 2,
        ..other("swipe series", "swipe", "swipe 30 258 90 258 --duration-ms 30 --count 2", &["pad"])
    },
    other("pan", "gesture", "gesture pan id=pad 30 0 --duration-ms 30", &["pad"]),
    other("fling", "gesture", "gesture fling right 40 40 258", &["pad"]),
    other("drag", "gesture", "gesture drag id=pad id=drop --hold-ms 20 --duration-ms 30", &["drop"]),
    Operation { mobile: true, ..other("pinch", "gesture", "gesture pinch 1.5 id=touch --duration-ms 30", &["two"]) },
    Operation { mobile: true, ..other("rotate", "gesture", "gesture rotate 30 id=touch --duration-ms 30", &["two"]) },
    Operation {
        mobile: true,
        ..other("transform", "gesture", "gesture transform id=touch 5 5 1.2 10 --duration-ms 30", &["two"])
    },
    Operation { ready: &[HISTORY], ..other("back", "back", "back", &["back"]) },
    other("home", "home", "home", &["page /"]),
    other("open page", "open", "open {url}", &["page /"]),
    Operation {
        ready: &[Ready::Script("file.value = ''")],
        ..other("upload", "upload", "upload id=file {file}", &["upload"])
    },
    Operation {
        ready: &[Ready::Size(900, 600)],
        count: Count::Page("innerWidth === 800 ? 1 : 0"),
        ..other("viewport", "viewport", "viewport 800 650", &[])
    },
    Operation { ready: &[Ready::Dialog(CONFIRM)], ..other("alert accept", "alert", "alert accept", &["accepted"]) },
    Operation { ready: &[Ready::Dialog(CONFIRM)], ..other("alert dismiss", "alert", "alert dismiss", &["dismissed"]) },
    Operation {
        ready: &[Ready::Dialog(PROMPT)],
        ..other("alert text", "alert", "alert accept --text abc", &["answered"])
    },
    Operation {
        ready: &[Ready::Windows(2)],
        count: Count::ClosedWindows,
        ..other("close window", "windows", "windows --close 2", &[])
    },
    other("find, click", "find", "find id press click", &["press"]),
    Operation { ready: &[EMPTY_FIELD], ..other("find, fill", "find", "find id field fill hello", &["fill"]) },
    Operation {
        ready: &[EMPTY_FIELD],
        asked: 2,
        ..other("batch", "batch", "batch --steps '[\"press id=press\",\"fill id=field hello\"]'", &["press", "fill"])
    },
    Operation { life: Life::Starts, ..other("open browser", "open", "open {url} --driver-url {driver}", &["page /"]) },
    Operation { life: Life::Ends, count: Count::Ended, ..other("close browser", "close", "close", &[]) },
];

/// Commands that change things and have no operation here, and why.
pub const ELSEWHERE: &[(&str, &str)] = &[
    ("app-switcher", "a browser has none"),
    ("orientation", "a browser has none"),
    ("keyboard", "a browser on a desktop has none"),
    ("clipboard", "WebDriver has no way to it"),
    ("settings", "a browser has none"),
    ("install", "a phone's"),
    ("reinstall", "a phone's"),
    ("push", "a phone's"),
];

#[cfg(test)]
mod tests {
    use contract::{
        Command, Effect,
        command::{Browser, SPECS},
    };

    use super::*;

    #[test]
    fn every_command_that_changes_something_is_tried_or_named_with_a_reason() {
        let can = webdriver::browser::capabilities(Browser::Chrome, false, true);
        for spec in SPECS.iter().filter(|spec| spec.effect == Effect::Mutates) {
            let tried = OPERATIONS.iter().any(|operation| operation.command == spec.name);
            let left_out = ELSEWHERE.iter().any(|(command, _)| *command == spec.name);
            assert!(tried != left_out, "{}: tried {tried}, left out {left_out}", spec.name);
            let supported = spec.session != contract::command::SessionNeed::None
                && spec.requires.iter().all(|capability| can.has(*capability));
            assert!(!(left_out && supported), "{}: left out, and a browser can do it", spec.name);
        }
    }

    #[test]
    fn every_operation_is_a_line_of_its_command_that_changes_something() {
        for operation in OPERATIONS {
            let line = operation.line.replace(['{', '}'], "");
            let command = Command::from_line(&line).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert_eq!((command.spec().name, command.effect()), (operation.command, Effect::Mutates), "{line}");
        }
    }
}
