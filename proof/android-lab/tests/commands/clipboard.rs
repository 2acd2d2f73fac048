use std::sync::Arc;

use android::{
    device::AndroidDevice,
    helper::{Helper, install::Policy, options::Options as HelperOptions, package::Packages},
    marker::Marker,
};
use android_lab::{
    Options,
    state::KEYBOARD,
    trap::{Act, Moment, Trap},
};
use backend::{Device, Input, Receipt};
use contract::{Failure, Row};
use wire::Context;

use crate::rig::{Rig, context, demo, refusal, sends, with, within};

const ODD: &str = "it's $HOME; `x` \"q\" \\ żółć 你好 👩‍🚀\n\u{0}\tend ";

/// The device as a session has it: with the helper that this build carries.
struct Opened {
    device: AndroidDevice,
    _folder: tempfile::TempDir,
}

fn opened(rig: &Rig) -> Opened {
    opened_with(rig, HelperOptions::default())
}

fn opened_with(rig: &Rig, options: HelperOptions) -> Opened {
    let folder = tempfile::tempdir().unwrap();
    let packages = Packages::embedded().unwrap();
    let place = folder.path().to_owned();
    let helper = Helper::new(rig.phone.clone(), packages, Policy::default(), options, place);
    let marker = Marker::write(folder.path(), rig.device.serial()).unwrap();
    Opened { device: AndroidDevice::new(Arc::new(helper), marker), _folder: folder }
}

impl Opened {
    async fn write(&self, context: &Context, text: &str) -> Result<Receipt, Failure> {
        self.device.perform(context, Input::Clipboard { text: text.to_owned() }).await
    }

    async fn read(&self) -> Result<String, Failure> {
        self.device.clipboard(&context()).await
    }

    async fn close(self) {
        self.device.close(&context()).await.unwrap();
    }
}

/// The keyboard is the one that its user chose.
fn keyboard_is_the_users(rig: &Rig) {
    assert_eq!(rig.device.setting("secure", "default_input_method").as_deref(), Some(KEYBOARD));
    assert_eq!(rig.device.setting("secure", "enabled_input_methods").as_deref(), Some(KEYBOARD));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_goes_to_the_clipboard_and_back_on_every_android() {
    for api in [34, 29, 28] {
        let Some(rig) = with(Options::demo().api(api)).await else { return };
        let phone = opened(&rig);
        assert_eq!(phone.read().await.unwrap(), "", "API {api}: nothing is on it");
        for text in ["hello", ODD, ""] {
            let writing = context();
            let receipt = phone.write(&writing, text).await.unwrap();
            assert_eq!((receipt.warnings.len(), receipt.resolved, sends(&writing)), (0, None, (1, 0)), "API {api}");
            assert_eq!(rig.device.copied().as_deref(), Some(text), "API {api}");
            assert_eq!(phone.read().await.unwrap(), text, "API {api}");
            keyboard_is_the_users(&rig);
        }
        rig.device.copy("copied in an app");
        assert_eq!(phone.read().await.unwrap(), "copied in an app", "API {api}");
        assert_eq!(rig.runs(&["cmd", "clipboard"]), 0, "not by the shell");
        let switches = rig.runs(&["ime", "set"]);
        assert_eq!(
            switches,
            if api >= 29 { 2 * 5 } else { 0 },
            "API {api}: the keyboard is left alone where it can be"
        );
        phone.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_that_is_run_once_for_each_command_reaches_the_clipboard_too() {
    let Some(rig) = demo().await else { return };
    let phone = opened_with(&rig, HelperOptions { session: false, ..HelperOptions::default() });
    let writing = context();
    phone.write(&writing, ODD).await.unwrap();
    assert_eq!((sends(&writing), rig.device.copied().as_deref()), ((1, 0), Some(ODD)));
    assert_eq!(phone.read().await.unwrap(), ODD);
    assert!(rig.device.helpers().is_empty(), "no helper runs on");
    keyboard_is_the_users(&rig);
    phone.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reading_that_fails_leaves_the_keyboard_as_it_was() {
    let Some(rig) = demo().await else { return };
    let phone = opened(&rig);
    rig.device.copy("a secret");
    rig.device.trap(&Trap::new("clip", 1, Moment::Before, Act::Throw("no".to_owned())));
    let failure = phone.read().await.unwrap_err();
    assert!(!failure.message.contains("a secret"), "{failure:?}");
    keyboard_is_the_users(&rig);
    assert_eq!(phone.read().await.unwrap(), "a secret");
    // A helper that dies in the middle: the next one gives the keyboard back.
    let trap = Trap::new("clip", 1, Moment::Before, Act::Kill);
    rig.device.trap(&trap);
    let died = phone.read().await;
    within("the death", trap.springs()).await;
    rig.device.clear_traps();
    assert!(died.is_err() || died.is_ok_and(|text| text == "a secret"));
    assert_eq!(phone.read().await.unwrap(), "a secret");
    keyboard_is_the_users(&rig);
    phone.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_answer_is_lost_is_asked_for_and_not_repeated() {
    let Some(rig) = demo().await else { return };
    let phone = opened(&rig);
    assert_eq!(phone.read().await.unwrap(), "");
    rig.device.trap(&Trap::new("copy", 1, Moment::After, Act::DropLink));
    // Were it sent again, this one would spring and the write would fail.
    rig.device.trap(&Trap::new("copy", 2, Moment::Before, Act::Throw("written twice".to_owned())));
    let writing = context();
    let receipt = phone.write(&writing, ODD).await.unwrap();
    assert_eq!((receipt.resolved, sends(&writing)), (Some(Row::HelperJournalCompleted), (1, 0)));
    assert_eq!(rig.device.copied().as_deref(), Some(ODD));
    rig.device.clear_traps();
    assert_eq!(phone.read().await.unwrap(), ODD);
    phone.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vendors_shell_puts_a_text_on_the_clipboard_and_gives_it_back() {
    let Some(rig) = demo().await else { return };
    rig.device.clipboard_by_cmd(true);
    for text in ["hello", "it's $HOME; `x` \"q\" \\ 🙂", "two\nlines"] {
        let writing = context();
        rig.system.write_clipboard(&writing, text).await.unwrap();
        assert_eq!(sends(&writing), (1, 0));
        assert_eq!(rig.system.clipboard(&context()).await.unwrap(), text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clipboard_out_of_the_shells_reach_is_said_to_be_and_what_works_instead() {
    let Some(rig) = demo().await else { return };
    let writing = context();
    let failure = rig.system.write_clipboard(&writing, "x").await.unwrap_err();
    assert_eq!(refusal(&failure), (Some(Row::AndroidSettingRefused), Some("clipboard_unsupported")));
    assert_eq!(sends(&writing), (0, 0), "nothing was put anywhere");
    assert!(failure.hint.as_deref().unwrap().contains("fill or type"));
    let failure = rig.system.clipboard(&context()).await.unwrap_err();
    assert_eq!(failure.reason_str(), Some("clipboard_unsupported"));
}
