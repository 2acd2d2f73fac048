//! What is asked, drawn at random.

use contract::{
    Command, Target,
    command::{
        AfterArgs, Alert, AlertAction, Back, Batch, Close, Diff, DiffKind, Fill, FillWords, Find, FindAction,
        FindWords, Focus, Get, GetFormat, Home, Hover, Is, IsWords, Locator, Longpress, LongpressWords, Open,
        Predicate, Press, Scroll, ScrollDirection, Session, SessionAction, SettleArgs, Snapshot, Step, StepCall, Steps,
        Swipe, SwipePattern, Type, ViewArgs, Viewport, Wait, WaitFor,
    },
    words::Words,
};
use stage::Operation;

use crate::{
    apps::{BENCH, BUTTONS, FIELDS, LABELS, OTHER, REFUSED},
    draw::Draw,
    plan::{Act, RefUse},
};

const TEXTS: &[&str] = &["", "a", "Robin", "a1b2c3", "42", "two words", "grüße \u{1f600}"];

/// Something that opens a session.
pub fn opening(draw: &mut Draw) -> Act {
    let app = draw.weighted(&[(8, Some(BENCH)), (1, Some(OTHER)), (1, None)]).map(str::to_owned);
    Act::Ask(Box::new(Command::Open(Open { app, relaunch: draw.chance(12), ..Open::default() })))
}

/// Anything.
pub fn act(draw: &mut Draw) -> Act {
    match draw.below(100) {
        0..4 => opening(draw),
        4..18 => Act::AtRef {
            pick: draw.number(),
            pinned: draw.chance(40),
            with: draw.weighted(&[
                (8, RefUse::Press(1)),
                (2, RefUse::Press(3)),
                (2, RefUse::Double),
                (1, RefUse::Long),
                (1, RefUse::Hover),
                (2, RefUse::Fill),
                (2, RefUse::Get),
            ]),
        },
        18..30 => Act::Ask(Box::new(snapshot(draw))),
        30..32 => Act::Ask(Box::new(Command::Close(Close { all: draw.chance(25) }))),
        32..40 => Act::Ask(Box::new(batch(draw))),
        40..41 => {
            Act::Ask(Box::new(Command::Session(Session { action: SessionAction::List, path: None, force: false })))
        }
        _ => Act::Ask(Box::new(step(draw))),
    }
}

/// What fits what was asked before: an answer to the dialog that a press opens, text for what a press focused.
pub fn after_that(draw: &mut Draw, before: &Act) -> Act {
    let Act::Ask(command) = before else { return act(draw) };
    if matches!(**command, Command::Close(_)) && draw.chance(85) {
        return opening(draw);
    }
    let pressed = match &**command {
        Command::Press(press) => match &*press.target {
            Target::Selector { selector } => selector.strip_prefix("id=").unwrap_or_default(),
            _ => "",
        },
        Command::Focus(_) | Command::Fill(_) => "name",
        _ => "",
    };
    if !draw.chance(60) {
        return act(draw);
    }
    let command = match pressed {
        "ask" | "sure" | "say" => alert(draw),
        "name" => typed(draw),
        "panel" => press_of(draw, by_id("done")),
        "go" | "soon" => match draw.below(3) {
            0 => scroll(draw),
            1 => press_of(draw, Target::Selector { selector: "label=\"Row 2\"".to_owned() }),
            _ => Command::Back(Back { settle: settle(draw) }),
        },
        _ => return act(draw),
    };
    Act::Ask(Box::new(command))
}

/// The operations of the device that a command comes by: where a fault strikes it.
pub fn operations(act: &Act) -> &'static [Operation] {
    use Operation as O;
    match act {
        Act::Kill => &[O::Capture],
        Act::AtRef { with, .. } => match with {
            RefUse::Press(_) | RefUse::Double | RefUse::Long => &[O::Press, O::Press, O::Look, O::Status],
            RefUse::Hover => &[O::Hover, O::Look, O::Status],
            RefUse::Fill => &[O::Fill, O::Look, O::Status],
            RefUse::Get => &[O::Capture, O::Look],
        },
        Act::Ask(command) => match &**command {
            Command::Open(_) => &[O::Open, O::Navigate, O::Close, O::Status],
            Command::Close(_) => &[O::Close, O::Status],
            Command::Press(_) | Command::Longpress(_) | Command::Focus(_) => {
                &[O::Press, O::Press, O::Press, O::Capture, O::Look, O::Status]
            }
            Command::Find(_) => &[O::Press, O::Fill, O::Type, O::Capture, O::Look, O::Status],
            Command::Fill(_) => &[O::Fill, O::Fill, O::Capture, O::Look, O::Status],
            Command::Type(_) => &[O::Type, O::Type, O::Look, O::Status],
            Command::Scroll(_) => &[O::Scroll, O::Scroll, O::Capture, O::Look, O::Status],
            Command::Swipe(_) => &[O::Swipe, O::Status],
            Command::Back(_) => &[O::Back, O::Capture, O::Status],
            Command::Home(_) => &[O::Home, O::Status],
            Command::Viewport(_) => &[O::Viewport, O::Status],
            Command::Hover(_) => &[O::Hover, O::Look, O::Status],
            Command::Alert(_) => &[O::AnswerDialog, O::AnswerDialog, O::Look, O::Status],
            Command::Batch(_) => &[O::Press, O::Fill, O::Type, O::Capture, O::Look, O::Scroll, O::Status],
            _ => &[O::Capture, O::Look],
        },
    }
}

fn snapshot(draw: &mut Draw) -> Command {
    let view = ViewArgs { interactive_only: draw.chance(60), ..ViewArgs::default() };
    Command::Snapshot(Snapshot { view, diff: draw.chance(10), force_full: draw.chance(30) })
}

/// What can also stand in a batch.
fn step(draw: &mut Draw) -> Command {
    match draw.below(100) {
        0..34 => press(draw),
        34..46 => fill(draw),
        46..52 => typed(draw),
        52..60 => find(draw),
        60..66 => scroll(draw),
        66..70 => swipe(draw),
        70..74 => Command::Back(Back { settle: settle(draw) }),
        74..75 => Command::Home(Home::default()),
        75..76 => Command::Viewport(Viewport { width: draw.one(&[390, 500]), height: draw.one(&[780, 600]) }),
        76..83 => alert(draw),
        83..90 => wait(draw),
        90..94 => {
            Command::Get(Get { format: draw.one(&[GetFormat::Text, GetFormat::Attrs]), target: Words(target(draw)) })
        }
        94..97 => Command::Is(Is {
            words: Words(IsWords {
                predicate: draw.one(&[Predicate::Visible, Predicate::Exists, Predicate::Absent, Predicate::Enabled]),
                target: target(draw),
                value: None,
            }),
        }),
        97..98 => Command::Hover(Hover { target: Words(target(draw)), settle: settle(draw) }),
        98..99 => Command::Focus(Focus { target: Words(field(draw)) }),
        _ => Command::Diff(Diff { kind: DiffKind::Snapshot, view: ViewArgs::default() }),
    }
}

fn by_id(id: &str) -> Target {
    Target::Selector { selector: format!("id={id}") }
}

fn target(draw: &mut Draw) -> Target {
    match draw.below(20) {
        0..14 => by_id(draw.one(BUTTONS)),
        14..17 => Target::Selector { selector: format!("label={:?}", draw.one(LABELS)) },
        17 => by_id(draw.one(REFUSED)),
        _ => Target::Point { x: draw.below(420) as f64, y: draw.below(800) as f64 },
    }
}

fn field(draw: &mut Draw) -> Target {
    by_id(if draw.chance(90) { draw.one(FIELDS) } else { draw.one(BUTTONS) })
}

fn settle(draw: &mut Draw) -> SettleArgs {
    let settle = draw.chance(20);
    SettleArgs {
        settle,
        settle_quiet_ms: (settle && draw.chance(50)).then_some(60),
        settle_timeout_ms: (settle && draw.chance(50)).then_some(700),
    }
}

fn after(draw: &mut Draw) -> AfterArgs {
    AfterArgs { settle: settle(draw), verify: draw.chance(10) }
}

fn typed(draw: &mut Draw) -> Command {
    Command::Type(Type { text: draw.one(TEXTS).to_owned(), delay_ms: draw.chance(40).then_some(20), record_as: None })
}

fn press(draw: &mut Draw) -> Command {
    let target = target(draw);
    press_of(draw, target)
}

fn press_of(draw: &mut Draw, target: Target) -> Command {
    if draw.chance(8) {
        let duration_ms = draw.one(&[None, Some(100), Some(600)]);
        let words = Words(LongpressWords { target, duration_ms });
        return Command::Longpress(Longpress { words, settle: settle(draw) });
    }
    let shape = draw.below(10);
    Command::Press(Press {
        target: Words(target),
        count: (shape < 2).then(|| 2 + draw.below(5) as u32),
        interval_ms: (shape == 0).then(|| draw.one(&[1, 30, 400])),
        hold_ms: (shape == 3).then(|| draw.one(&[50, 700])),
        double_tap: shape == 4,
        button: None,
        after: after(draw),
    })
}

fn fill(draw: &mut Draw) -> Command {
    Command::Fill(Fill {
        words: Words(FillWords { target: field(draw), text: draw.one(TEXTS).to_owned() }),
        delay_ms: draw.chance(30).then(|| draw.one(&[1, 25, 150])),
        record_as: None,
        after: after(draw),
    })
}

fn find(draw: &mut Draw) -> Command {
    let action =
        draw.one(&[FindAction::Click, FindAction::Click, FindAction::Fill, FindAction::Type, FindAction::Exists]);
    let text = matches!(action, FindAction::Fill | FindAction::Type);
    let query = if text { "Name" } else { draw.one(LABELS) }.to_owned();
    let value = text.then(|| draw.one(TEXTS).to_owned());
    Command::Find(Find {
        words: Words(FindWords { locator: Some(Locator::Label), query, action, value }),
        first: draw.chance(30),
        last: false,
        wait_ms: None,
    })
}

fn scroll(draw: &mut Draw) -> Command {
    let until = draw.chance(50).then(|| format!("id=row-{}", 1 + draw.below(26)));
    Command::Scroll(Scroll {
        direction: draw.one(&[
            ScrollDirection::Down,
            ScrollDirection::Down,
            ScrollDirection::Up,
            ScrollDirection::Bottom,
        ]),
        amount: None,
        pixels: None,
        until,
        within: draw.chance(30).then(|| "id=rows".to_owned()),
        settle: settle(draw),
    })
}

fn swipe(draw: &mut Draw) -> Command {
    Command::Swipe(Swipe {
        x1: 195.0,
        y1: draw.one(&[300.0, 600.0, 790.0]),
        x2: 195.0,
        y2: draw.one(&[120.0, 500.0]),
        duration_ms: draw.one(&[None, Some(10), Some(900)]),
        count: draw.chance(40).then(|| 2 + draw.below(3) as u32),
        pause_ms: draw.chance(30).then_some(80),
        pattern: draw.chance(30).then_some(SwipePattern::PingPong),
    })
}

fn alert(draw: &mut Draw) -> Command {
    let action = draw.one(&[AlertAction::Accept, AlertAction::Accept, AlertAction::Dismiss, AlertAction::Get]);
    let text = (action == AlertAction::Accept && draw.chance(20)).then(|| draw.one(TEXTS).to_owned());
    Command::Alert(Alert { action, text, wait_ms: None })
}

fn wait(draw: &mut Draw) -> Command {
    let timeout_ms = Some(draw.one(&[0, 300, 2_000]));
    let selector = format!("id={}", draw.one(BUTTONS));
    Command::Wait(Wait {
        words: Words(match draw.below(5) {
            0 => WaitFor::Duration { duration_ms: draw.one(&[0, 50, 1_000]) },
            1 => WaitFor::Text { text: draw.one(LABELS).to_owned(), timeout_ms },
            2 => WaitFor::Absent { selector, timeout_ms },
            3 => WaitFor::Stable { quiet_ms: Some(100), timeout_ms },
            _ => WaitFor::Selector { selector, timeout_ms },
        }),
    })
}

fn batch(draw: &mut Draw) -> Command {
    let count = 1 + draw.below(5);
    let one = |draw: &mut Draw| match draw.below(40) {
        0 => Command::Close(Close { all: false }),
        1 => snapshot(draw),
        2 => Command::Open(Open { app: Some(BENCH.to_owned()), ..Open::default() }),
        _ => step(draw),
    };
    let call =
        |command: Command| Step::Call(StepCall { command: command.spec().name.to_owned(), args: command.to_args() });
    let steps = (0..count).map(|_| call(one(draw))).collect();
    Command::Batch(Batch { steps: Some(Steps(steps)), steps_file: None })
}
