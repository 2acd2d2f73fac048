//! A lost reply of the helper: what its journal can still tell, and what it cannot.

use std::{
    process::{Child, Stdio},
    sync::Arc,
};

use android_lab::{Act, Moment, Trap};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Notify,
};

use super::Driver;
use crate::{
    adb_cut::AdbCut,
    android::{HELPER, Phone},
    patience::{soon, until},
    seen::Told,
};

/// The event that ends a tap: the contact goes down, moves, is lifted.
pub const LIFT: u32 = 3;
/// Commands that the helper's journal remembers.
const CAPACITY: usize = 64;

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(HelperJournalCompleted, |world| {
        let phone = Phone::on_ground(world).await;
        phone.proxy.cut(1, "helper:gesture", AdbCut::CutReply(0));
        let answer = phone.session.does("press id=save").await;
        assert_eq!(phone.proxy.struck(), 1, "{:?}", phone.proxy.seen());
        phone.saw_press(Told::resolved(&answer))
    }),
    driver!(HelperJournalNeverAccepted, |world| {
        let phone = Phone::on_ground(world).await;
        phone.proxy.cut(1, "helper:gesture", AdbCut::CloseBefore);
        let told = phone.session.fails("press id=save").await;
        assert_eq!(phone.proxy.handed_on("helper:gesture"), 0, "nor was it sent again");
        phone.saw_press(told)
    }),
    driver!(HelperJournalInFlight, |world| {
        let phone = Phone::on_ground(world).await;
        // The contact is down, and the helper cannot lift it.
        let held = Trap::new("inject", 2, Moment::Before, Act::Hold);
        phone.device.trap(&held);
        let told = phone.session.fails_at(&phone.session.within(3_000, "press id=save")).await;
        assert_eq!(phone.presses("save"), 0, "it has begun and not ended");
        held.release();
        until("the press ends after the caller was told", || phone.presses("save") > 0).await;
        phone.saw_press(told)
    }),
    driver!(HelperJournalFailed, |world| {
        let phone = Phone::on_ground(world).await;
        let refusal = Act::Throw("Injecting to another application requires INJECT_EVENTS permission".to_owned());
        phone.device.trap(&Trap::new("inject", LIFT, Moment::After, refusal));
        phone.proxy.cut(1, "helper:gesture", AdbCut::CutReply(0));
        let told = phone.session.fails("press id=save").await;
        assert_eq!((phone.proxy.struck(), phone.presses("save")), (1, 1), "it failed after it took effect");
        phone.saw_press(told)
    }),
    driver!(HelperJournalRestarted, |world| {
        let phone = Phone::on_ground(world).await;
        let reply = Arc::new(Notify::new());
        phone.proxy.cut(1, "helper:gesture", AdbCut::Sever(reply.clone()));
        let anew = async {
            until("the press is in effect", || phone.presses("save") > 0).await;
            let port = phone.helper_port();
            phone.device.kill_helper(HELPER);
            until("the helper is gone", || phone.device.helpers().is_empty()).await;
            // Another host starts one of its own, on the very same port.
            let helper = started(&phone, port);
            until("another helper runs", || !phone.device.helpers().is_empty()).await;
            soon("it listens", async { while asked(&phone, port, "viewport x").await.is_none() {} }).await;
            reply.notify_one();
            helper
        };
        let (told, mut helper) = tokio::join!(phone.session.fails("press id=save"), anew);
        phone.device.kill_helper(HELPER);
        soon("its am ends", async {
            while helper.try_wait().is_ok_and(|ended| ended.is_none()) {
                tokio::task::yield_now().await
            }
        })
        .await;
        phone.saw_press(told)
    }),
    driver!(HelperJournalForgotten, |world| {
        let phone = Phone::on_ground(world).await;
        let reply = Arc::new(Notify::new());
        phone.proxy.cut(1, "helper:gesture", AdbCut::Sever(reply.clone()));
        let crowd = async {
            until("the press is in effect", || phone.presses("save") > 0).await;
            let port = phone.helper_port();
            for number in 0..=CAPACITY {
                // A command without a plan: accepted, and failed before it touches anything.
                let answer = asked(&phone, port, &format!("gesture crowd-{number} e30=")).await;
                assert!(answer.is_some_and(|answer| answer.contains("ok=false")));
            }
            reply.notify_one();
        };
        let told = tokio::join!(phone.session.fails("press id=save"), crowd).0;
        phone.saw_press(told)
    }),
    driver!(HelperJournalUnavailable, |world| {
        let phone = Phone::on_ground(world).await;
        // The helper dies when the press took effect, and its journal with it.
        phone.device.trap(&Trap::new("inject", LIFT, Moment::After, Act::Kill));
        let told = phone.session.fails("press id=save").await;
        let seen = phone.saw_press(told);
        assert_eq!(seen.truth.landed, 1);
        phone.session.does("press id=leave").await;
        assert_eq!(phone.presses("leave"), 1, "the session goes on with a new helper");
        seen
    }),
];

/// A helper on a port that another host, through the same adb server, starts.
fn started(phone: &Phone<'_>, port: u16) -> Child {
    let runner = format!("{HELPER}/.SnapshotInstrumentation");
    let line = format!("am instrument -w -e sessionPort {port} -e clientTimeoutMs 60000 {runner}");
    let mut adb = phone.device.adb();
    adb.args(["shell", &line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    adb.spawn().expect("adb runs")
}

/// What the helper answers to another host that asks through the same adb server; `None` where nothing listens.
async fn asked(phone: &Phone<'_>, port: u16, line: &str) -> Option<String> {
    let exchange = async {
        let mut adb = TcpStream::connect(("127.0.0.1", phone.lab.port())).await?;
        for word in [format!("host:transport:{}", phone.device.serial()), format!("tcp:{port}")] {
            adb.write_all(format!("{:04x}{word}", word.len()).as_bytes()).await?;
            let mut said = [0; 4];
            adb.read_exact(&mut said).await?;
            if said != *b"OKAY" {
                return Ok(None);
            }
        }
        adb.write_all(format!("{line}\n").as_bytes()).await?;
        let mut answer = String::new();
        adb.read_to_string(&mut answer).await?;
        std::io::Result::Ok(Some(answer))
    };
    soon("an answer through adb", exchange).await.expect("the adb server answers")
}
