//! Who is asked for the clipboard: the helper that names it, else the shell, and never both.

use std::{sync::Arc, time::Duration};

use android::{
    device::AndroidDevice,
    helper::{Helper, install::Policy},
    marker::Marker,
};
use backend::{Device, Input, Receipt};
use contract::{Failure, Row, Sends};
use wire::Context;

use crate::phone::{JOURNAL, Says, phone};

const COMPLETED: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=8\nstate=completed\nreply=b2s9dHJ1ZQo=\n";
const ABSENT: &str = "bootId=b00710a3c5d7e9f1\nacceptedTotal=7\ncapacity=64\nstate=absent\n";

fn device(helper: Helper, folder: &tempfile::TempDir) -> AndroidDevice {
    AndroidDevice::new(Arc::new(helper), Marker::write(folder.path(), "scripted").unwrap())
}

fn soon() -> Context {
    Context::with_limit(Duration::from_secs(5))
}

async fn write(device: &AndroidDevice, context: &Context) -> Result<Receipt, Failure> {
    device.perform(context, Input::Clipboard { text: "x".to_owned() }).await
}

#[tokio::test]
async fn the_helper_is_asked_where_it_knows_the_clipboard_and_else_the_shell() {
    for knows in [true, false] {
        let (phone, helper, folder) = phone(Policy::Ensure).await;
        if knows {
            let ready = JOURNAL.replacen("=journal,", "=clipboard,journal,", 1);
            phone.with(|behaviour| behaviour.ready = Some(ready));
        }
        let device = device(helper, &folder);
        let (read, written) = (device.clipboard(&soon()).await, write(&device, &soon()).await);
        // The scripted shell has no clipboard: that is what stock Android says.
        for failed in [read.err(), written.err()] {
            assert_eq!(failed.and_then(|failure| failure.reason_str().map(str::to_owned)).is_none(), knows);
        }
        let (helper, shell) =
            (phone.times("clipboard"), phone.ran("cmd clipboard get") + phone.ran("cmd clipboard set"));
        assert_eq!((helper, shell > 0), if knows { (2, false) } else { (0, true) });
    }
}

#[tokio::test]
async fn a_write_whose_answer_is_lost_is_what_the_journal_says() {
    for (says, resolved, sends) in [
        (COMPLETED, Some(Row::HelperJournalCompleted), Sends { completed: 1, open: 0 }),
        (ABSENT, None, Sends { completed: 0, open: 0 }),
    ] {
        let (phone, helper, folder) = phone(Policy::Ensure).await;
        let ready = JOURNAL.replacen("=journal,", "=clipboard,journal,", 1);
        phone.with(|behaviour| {
            behaviour.ready = Some(ready);
            behaviour.answers = [("clipboard", Says::Closes), ("status", Says::Ok(says))].into_iter().collect();
        });
        let (device, context) = (device(helper, &folder), soon());
        let receipt = write(&device, &context).await;
        assert_eq!(receipt.as_ref().ok().and_then(|receipt| receipt.resolved), resolved, "{receipt:?}");
        assert_eq!(receipt.is_ok(), resolved.is_some());
        assert_eq!((phone.times("clipboard"), phone.times("status")), (1, 1));
        assert_eq!(context.ledger.sends(), sends);
    }
}

#[tokio::test]
async fn what_the_device_holds_instead_is_told_by_its_length_alone() {
    let (phone, helper, folder) = phone(Policy::Ensure).await;
    let ready = JOURNAL.replacen("=journal,", "=clipboard,journal,", 1);
    phone.with(|behaviour| {
        behaviour.ready = Some(ready);
        // "other"
        behaviour.answers.push_back(("clipboard", Says::Ok("present=true\ntextBase64=b3RoZXI=\n")));
    });
    let device = device(helper, &folder);
    let failure = write(&device, &soon()).await.unwrap_err();
    assert_eq!(failure.claim().map(|claim| claim.row), Some(Row::AndroidSettingNotHeld));
    assert!(!format!("{failure:?}").contains("other") && failure.message.contains("5 characters"), "{failure:?}");
}
