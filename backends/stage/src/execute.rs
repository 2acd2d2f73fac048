//! What a command does to the app.

use std::time::Duration;

use backend::{Aimed, Dialog, Field, Input, Receipt, TouchPlan};
use contract::{Code, Size};
use tokio::time::{Instant, sleep};

use crate::actor::{Answer, Command};
use crate::paint::Sheet;
use crate::scene::hit::Contacts;
use crate::scene::touch::{Contact, LONG_PRESS};
use crate::scene::{Frame, Scene};

/// Does it, and says what came of it.
pub async fn execute(scene: &mut Scene, command: Command) -> Answer {
    match command {
        Command::Open => {
            scene.probe.start();
            Answer::Done
        }
        Command::Capture(most) => Answer::Tree(scene.capture(most)),
        Command::Aim(key) => Answer::Aimed(match scene.index_of(key) {
            Some(index) => scene.aim(index),
            None => Aimed::Gone,
        }),
        Command::Field(key) => {
            Answer::Field(scene.index_of(key).filter(|index| scene.app.kind(*index).is_field()).map(|index| Field {
                value: scene.field_value(index),
                masked: scene.app.element(index).is_some_and(|element| element.spec.mask),
            }))
        }
        Command::Text(key) => Answer::Text(scene.index_of(key).map(|index| scene.text_of(index))),
        Command::Attributes(key) => Answer::Attributes(scene.index_of(key).map(|index| scene.attributes(index))),
        Command::TextFocus => Answer::TextFocus(scene.text_focus().is_some()),
        Command::Dialog => Answer::Dialog(scene.dialog.as_ref().map(|dialog| Dialog {
            kind: dialog.kind.to_owned(),
            text: dialog.text.clone(),
            buttons: if dialog.kind == "alert" { vec!["OK".into()] } else { vec!["Cancel".into(), "OK".into()] },
        })),
        Command::Keyboard => Answer::Keyboard(scene.keyboard()),
        Command::Screenshot(whole) => Answer::Sheet(Box::new(Sheet::of(scene, whole))),
        Command::Input(input, second) => perform(scene, input, second).await,
        Command::Navigate(app) => {
            let (instance, probe) = (crate::provider::next_instance(), scene.probe.clone());
            app.faults.iter().for_each(|fault| probe.faults().inject(fault.clone()));
            *scene = Scene::new(app, instance, probe, Instant::now());
            scene.probe.note_system(format!("open {}", scene.app.id));
            Answer::Receipt(Receipt::default())
        }
        Command::Close => {
            scene.probe.close();
            Answer::Done
        }
    }
}

async fn perform(scene: &mut Scene, input: Input, second: bool) -> Answer {
    if let Some(refused) = misses(scene, &input).filter(|_| !second) {
        return refused;
    }
    Answer::Receipt(match input {
        Input::Press { aim, hold_ms, .. } => {
            let held = Duration::from_millis(hold_ms);
            let touched = scene.touch(aim.point);
            pause(scene, held).await;
            let contact = match (second, held >= LONG_PRESS) {
                (true, _) => Contact::Second,
                (false, true) => Contact::Long,
                (false, false) => Contact::Short,
            };
            scene.release(touched, aim.point, contact)
        }
        Input::Hover { aim } => scene.hover(aim.point),
        Input::Swipe { from, to, duration_ms } => {
            pause(scene, Duration::from_millis(duration_ms)).await;
            scene.swipe(from, to)
        }
        Input::Touch { plan, .. } => moved(scene, &plan).await,
        Input::Fill { aim, text, delay_ms } => match scene.begin_fill(aim.point) {
            Err(receipt) => receipt,
            Ok(field) => {
                for character in text.chars() {
                    scene.type_character(character);
                    pause(scene, Duration::from_millis(delay_ms)).await;
                }
                scene.changed(field);
                Receipt { events: vec![format!("fill {}", scene.describe(field))], ..Receipt::default() }
            }
        },
        Input::Type { text } => match scene.text_focus() {
            None => {
                scene.probe.note_system("type nothing");
                let lost = "nothing that takes text has the focus; the text went nowhere".to_owned();
                Receipt { warnings: vec![lost], ..Receipt::default() }
            }
            Some(field) => {
                for character in text.chars() {
                    scene.type_character(character);
                }
                scene.changed(field);
                Receipt { events: vec![format!("type {}", scene.describe(field))], ..Receipt::default() }
            }
        },
        Input::Scroll { within, to } => scene.scroll(within.and_then(|key| scene.index_of(key)), to),
        Input::Back => scene.back(),
        Input::HideKeyboard => scene.hide_keyboard(),
        Input::Enter => scene.enter(),
        Input::Home => scene.home(),
        Input::Viewport { width, height } => {
            scene.viewport = Size { width: f64::from(width), height: f64::from(height) };
            scene.probe.note_system(format!("viewport {width}x{height}"));
            Receipt::default()
        }
        Input::AnswerDialog { accept, text } => {
            let mut warnings = Vec::new();
            if text.is_some() && scene.dialog.as_ref().is_some_and(|dialog| dialog.kind != "prompt") {
                warnings.push("the dialog has no field: the text was not used".to_owned());
            }
            if !scene.answer(accept, text.as_deref()) {
                return Answer::Refused(Code::AlertNotFound, "no dialog is open".to_owned());
            }
            Receipt { warnings, ..Receipt::default() }
        }
        Input::DoublePress { .. }
        | Input::Navigate { .. }
        | Input::Upload { .. }
        | Input::CloseWindow { .. }
        | Input::AppSwitcher
        | Input::Orientation { .. }
        | Input::Clipboard { .. }
        | Input::Setting(_) => {
            return Answer::Refused(Code::UnsupportedOperation, "a simulated device has no such input".to_owned());
        }
    })
}

/// The refusal of a contact that would not reach the element that was meant: it has moved, left or been covered since it was
/// looked at. The second press of a double press shares the fate of the first.
fn misses(scene: &Scene, input: &Input) -> Option<Answer> {
    let (point, key) = match input {
        Input::Press { aim, .. } | Input::Hover { aim } | Input::Fill { aim, .. } => (aim.point, aim.node?),
        Input::Touch { plan, node } if plan.contacts.len() == 1 => (plan.start(), (*node)?),
        _ => return None,
    };
    let frame = Frame::of(scene);
    let place = scene.index_of(key).and_then(|index| Some((index, frame.item_of(index)?)));
    let Some((index, place)) = place else {
        return Some(Answer::Refused(
            Code::ElementNotFound,
            "the element has left the screen since it was looked at".into(),
        ));
    };
    let contacts = Contacts::of(scene, &frame);
    (!contacts.reaches(point, place)).then(|| {
        let what = scene.describe(index);
        let over = contacts.in_the_way(point, place).and_then(|over| frame.get(over));
        let over = over.map_or_else(|| "nothing".to_owned(), |over| scene.describe(over.element));
        Answer::Refused(
            Code::ElementCovered,
            format!("{what} has moved or been covered since it was looked at: {over} is there now"),
        )
    })
}

/// Contacts that move: one that stays is a press, one that moves a swipe. An app knows nothing of two contacts at once: that
/// they came is counted.
async fn moved(scene: &mut Scene, plan: &TouchPlan) -> Receipt {
    let time = Duration::from_millis(plan.duration_ms);
    let (from, to) = (plan.start(), plan.end());
    if plan.contacts.len() > 1 {
        pause(scene, time).await;
        let what = scene.topmost(from).map_or_else(|| "the display".to_owned(), |index| scene.describe(index));
        scene.probe.note_system("two contacts");
        return Receipt { events: vec![format!("two contacts on {what}")], ..Receipt::default() };
    }
    if from == to {
        let touched = scene.touch(from);
        pause(scene, time).await;
        let contact = if time >= LONG_PRESS { Contact::Long } else { Contact::Short };
        return scene.release(touched, from, contact);
    }
    pause(scene, time).await;
    scene.swipe(from, to)
}

async fn pause(scene: &mut Scene, time: Duration) {
    if !time.is_zero() {
        sleep(time).await;
        scene.advance(Instant::now());
    }
}
