//! JavaScript dialogs.

use backend::{Aim, Input};
use contract::{Code, Dispatched, Point, command::Button};

use crate::support::{Opened, context, is_webkit, row};

async fn answer(page: &Opened, accept: bool, text: Option<&str>) {
    page.perform(Input::AnswerDialog { accept, text: text.map(str::to_owned) }).await.0.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_opens_a_dialog_says_what_it_says_and_the_answer_reaches_the_page() {
    let page = Opened::at("dialogs.html").await;
    assert_eq!(page.device.dialog(&context()).await.unwrap(), None);
    let receipt = page.press("button", "Alert").await.unwrap();
    assert_eq!(receipt.opened.as_deref(), Some("Hello 🎉"));
    assert_eq!(page.device.dialog(&context()).await.unwrap().unwrap().text, "Hello 🎉");
    answer(&page, true, None).await;
    assert_eq!(page.device.dialog(&context()).await.unwrap(), None);
    page.wait_log("alerted").await;

    // WebKitGTK's driver does not answer while a dialog keeps the button down.
    if !is_webkit() {
        assert_eq!(page.press("button", "Early").await.unwrap().opened.as_deref(), Some("Early"));
        answer(&page, true, None).await;
    }

    page.press("button", "Confirm").await.unwrap();
    answer(&page, false, None).await;
    page.press("button", "Prompt").await.unwrap();
    answer(&page, true, Some("Ann 日本")).await;
    page.wait_log("alerted confirm=false prompt=Ann 日本").await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dialog_blocks_says_so_and_sends_nothing() {
    let page = Opened::at("dialogs.html").await;
    let button = page.key("button", "Confirm").await;
    let point = page.landing(button).await.point;
    page.press("button", "Late").await.unwrap();
    page.wait_for("the dialog", async || page.device.dialog(&context()).await.unwrap().is_some()).await;

    let failure = page.device.capture(&context(), 100).await.unwrap_err();
    assert_eq!((row(&failure), failure.code), ("webdriver.alert-open", Code::AlertOpen), "{failure}");
    assert!(failure.message.contains("Late"), "{failure}");
    assert!(failure.hint.as_deref().is_some_and(|hint| hint.contains("alert accept")), "{failure:?}");
    assert_eq!(page.device.screenshot(&context(), false).await.unwrap_err().code, Code::AlertOpen);

    // The guard of an earlier look is not enough: without a look of its own nothing is pressed.
    for node in [None, Some(button)] {
        let press = Input::Press { aim: Aim { point, node }, button: Button::Primary, hold_ms: 0 };
        let (result, sends) = page.perform(press).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.code), ("webdriver.alert-open", Code::AlertOpen), "{failure}");
        assert_eq!(failure.claim().map(|claim| claim.dispatched), Some(Dispatched::No));
        assert!(!sends.any());
    }
    for input in [
        Input::Type { text: "x".into() },
        Input::Back,
        Input::Navigate { address: page.site.at("blank.html"), load_timeout_ms: 5000 },
        Input::Viewport { width: 600, height: 600 },
        Input::Swipe { from: Point { x: 1.0, y: 1.0 }, to: Point { x: 50.0, y: 50.0 }, duration_ms: 50 },
    ] {
        let name = format!("{input:?}");
        let (result, sends) = page.perform(input).await;
        assert_eq!(result.unwrap_err().code, Code::AlertOpen, "{name}");
        assert!(!sends.any(), "{name}");
    }
    answer(&page, true, None).await;
    page.tree().await;
    page.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_is_not_there_cannot_be_answered() {
    let page = Opened::at("dialogs.html").await;
    for text in [None, Some("x".to_owned())] {
        let (result, sends) = page.perform(Input::AnswerDialog { accept: true, text }).await;
        let failure = result.unwrap_err();
        assert_eq!((row(&failure), failure.code), ("daemon.refusal.alert-absent", Code::AlertNotFound), "{failure}");
        assert!(!sends.any());
    }
    page.press("button", "Alert").await.unwrap();
    let (result, sends) = page.perform(Input::AnswerDialog { accept: true, text: Some("x".to_owned()) }).await;
    assert_eq!(row(&result.unwrap_err()), "webdriver.keys.not-interactable");
    assert!(!sends.any());
    answer(&page, true, None).await;
    page.end().await;
}
