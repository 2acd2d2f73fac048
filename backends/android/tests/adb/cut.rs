//! Wherever the server breaks off: is `no` ever said of something that went out?

use std::{path::PathBuf, time::Instant};

use android::adb::{Features, Phone, refusals, sync::push::Attributes};
use contract::{Code, Disclosed, Dispatched, Effect, Failure, Row, Sends};
use tokio::{io::AsyncReadExt, task::JoinSet, time::timeout};
use wire::{Context, Sent, channel::Rows};

use crate::{
    rig::{LIMIT, context},
    scripted::{End, SOON, Script, Step, bytes, framed, release, server, word},
};

const SERIAL: &str = "emulator-5554";
const EXIT_0: &[u8] = &[3, 1, 0, 0, 0, 0];

/// A mutating service, what a server says to it, and after how many bytes of it the operation begins.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Service {
    Shell,
    Legacy,
    Spawn,
    Push,
    Install,
    Command,
    Reverse,
}

impl Service {
    const ALL: [Self; 7] =
        [Self::Shell, Self::Legacy, Self::Spawn, Self::Push, Self::Install, Self::Command, Self::Reverse];

    fn features(self) -> Features {
        Features::parse(if self == Self::Legacy { "" } else { "shell_v2,cmd" })
    }

    fn steps(self) -> Vec<Step> {
        let mut steps = vec![word(b"OKAY")];
        match self {
            Self::Shell => steps.push(word(&[b"OKAY", &[1, 2, 0, 0, 0, b'h', b'i'][..], EXIT_0].concat())),
            Self::Legacy => steps.push(word(b"OKAYhi\n\x1e0\n")),
            Self::Spawn => steps.push(word(b"OKAY")),
            Self::Push => {
                steps.push(word(b"OKAY"));
                let request = 8 + "/x,33188".len() + 8 + "content".len() + 8;
                steps.push(bytes(request, b"OKAY\0\0\0\0"));
            }
            Self::Install => {
                steps.push(word(b"OKAY"));
                steps.push(bytes("PK\x03\x04".len(), b"Success\n"));
            }
            Self::Command => {
                steps.push(word(b"OKAY"));
                steps.push(bytes("tap 1\n".len(), b"ok\n"));
            }
            Self::Reverse => steps.push(word(b"OKAYOKAY000512345")),
        }
        steps
    }

    /// Bytes that are heard before the operation.
    fn before(self) -> usize {
        let transport = framed(&format!("host:transport:{SERIAL}"));
        match self {
            Self::Push => transport + framed("sync:"),
            Self::Command => transport + framed("tcp:7"),
            _ => transport,
        }
    }

    async fn call(self, phone: &Phone, context: &Context, package: &std::path::Path) -> Result<(), Failure> {
        let effect = Effect::Mutates;
        match self {
            Self::Shell | Self::Legacy => phone.run(context, effect, "input tap 1 2").await.map(|_| ()),
            Self::Spawn => phone.spawn(context, effect, &["am", "instrument"]).await.map(|answered| {
                answered.completed();
            }),
            Self::Push => phone.push(context, effect, b"content", "/x", Attributes::default()).await,
            Self::Install => phone.install(context, effect, package, &[]).await,
            Self::Reverse => phone.reverse(context, "tcp:1").await.map(|_| ()),
            Self::Command => {
                let channel = phone
                    .tcp(context, 7, Row::HelperSessionGone)
                    .await
                    .map_err(|proof| refusals::failure(proof, "tapping"))?;
                let sent = channel
                    .operate(context, effect, ROWS, b"tap 1\n", |mut stream| async move {
                        let mut reply = [0; 3];
                        stream.read_exact(&mut reply).await
                    })
                    .await;
                match sent {
                    Sent::NotSent(proof) => Err(proof.failure(Code::CommandFailed, "tapping")),
                    Sent::Lost(lost) => Err(lost.failure("tapping")),
                    Sent::Answered(answered) => {
                        answered.completed();
                        Ok(())
                    }
                }
            }
        }
    }
}

const ROWS: Rows = Rows {
    not_written: Row::HelperNotWritten,
    lost: Row::HelperReplyLost,
    timeout: Row::HelperTimeoutAfterSend,
    look_lost: Row::HelperLookLost,
    unreadable: Row::HelperReplyUnreadable,
};

/// What became of one conversation.
#[derive(Debug)]
struct Outcome {
    script: Script,
    ended: Result<(), Dispatched>,
    sends: Sends,
    heard: usize,
}

async fn outcome(service: Service, script: Script, package: PathBuf) -> Outcome {
    let (adb, heard) = server(script.clone()).await;
    let phone = adb.device(SERIAL).with_features(service.features());
    let context = Context::with_limit(if script.end == End::Stalls { SOON } else { LIMIT });
    let begin = Instant::now();
    let ended = service.call(&phone, &context, &package).await;
    assert!(begin.elapsed() < LIMIT / 2, "it hangs: {service:?} {script:?}");
    let sends = context.ledger.sends();
    let ended = ended.map_err(|failure| {
        // A reverse never touches the app and is not counted: its own claim is what is looked at.
        Disclosed::seal(failure, Some(Effect::Mutates), sends).dispatched()
    });
    // Where the time was up before the client came, the server still waits for somebody.
    release(&adb).await;
    let heard = timeout(LIMIT, heard).await.unwrap().unwrap().len();
    Outcome { script, ended, sends, heard }
}

#[tokio::test]
async fn wherever_a_server_breaks_off_what_may_have_gone_out_is_never_called_unsent() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("app.apk");
    std::fs::write(&package, "PK\x03\x04").unwrap();
    let (mut no, mut unknown, mut whole) = (0, 0, 0);
    for service in Service::ALL {
        let steps = service.steps();
        let all: usize = steps.iter().map(|step| step.says.len()).sum();
        let mut running = JoinSet::new();
        for end in [End::Closes, End::Resets, End::Stalls] {
            for says in 0..all {
                let script = Script { steps: steps.clone(), hears: usize::MAX, says, end };
                running.spawn(outcome(service, script, package.clone()));
            }
            for hears in 0..service.before() + 12 {
                let script = Script { steps: steps.clone(), hears, says: usize::MAX, end };
                running.spawn(outcome(service, script, package.clone()));
            }
        }
        running.spawn(outcome(service, Script::whole(steps), package.clone()));
        for outcome in running.join_all().await {
            let begun = outcome.heard > service.before();
            match outcome.ended {
                Ok(()) => {
                    // The verdict is in the letters: what follows them (a line feed, a length of zero) adds nothing.
                    let verdict = match service {
                        Service::Install => all - "\n".len(),
                        Service::Push => all - 4,
                        _ => all,
                    };
                    assert!(outcome.script.says >= verdict, "cut, and taken for whole: {outcome:?}");
                    whole += 1;
                }
                Err(Dispatched::No) => {
                    assert!(!begun, "a false no: {outcome:?}");
                    assert_eq!(outcome.sends, Sends::NONE, "{outcome:?}");
                    no += 1;
                }
                Err(Dispatched::Unknown) => {
                    let said = outcome.script.says.min(all);
                    assert!(said >= 4 || outcome.script.says == usize::MAX, "the way was not open: {outcome:?}");
                    unknown += 1;
                }
            }
        }
    }
    println!("{no} no, {unknown} unknown, {whole} whole");
    assert!(no > 100 && unknown > 100 && whole >= Service::ALL.len());
}

#[tokio::test]
async fn a_refusal_to_the_way_sends_nothing_and_one_to_the_service_may_have() {
    let refused = |text: &str| format!("FAIL{:04x}{text}", text.len()).into_bytes();
    for (text, row) in [
        ("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set", Row::AdbDeviceUnauthorized),
        ("device still authorizing", Row::AdbDeviceUnauthorized),
        ("device 'emulator-5554' not found", Row::AdbDeviceNotFound),
        ("more than one device", Row::AdbSeveralDevices),
        ("no devices/emulators found", Row::AdbNoDevices),
        ("insufficient permissions for device: verify udev rules", Row::AdbServerRefused),
        ("something new", Row::AdbServerRefused),
    ] {
        let context = context();
        let (adb, heard) = server(Script::whole(vec![word(&refused(text))])).await;
        let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
        let failure = phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (row, Dispatched::No), "{failure}");
        assert_eq!(context.ledger.sends(), Sends::NONE);
        assert_eq!(heard.await.unwrap().len(), framed("host:transport:emulator-5554"));
    }
    for text in ["closed", "device offline (transport offline)"] {
        let context = context();
        let (adb, _heard) = server(Script::whole(vec![word(b"OKAY"), word(&refused(text))])).await;
        let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
        let failure = phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap_err();
        let claim = failure.claim().unwrap();
        assert_eq!((claim.row, claim.dispatched), (Row::AdbServiceRefused, Dispatched::Unknown));
        assert_eq!(context.ledger.sends().open, 1);
    }
}

#[tokio::test]
async fn an_answer_outside_the_protocol_leaves_it_open() {
    for says in [&b"HTTP/1.1"[..], b"OKAY\x09\x01\0\0\0x", b"OKAY\x03\x02\0\0\0ab", b"FAILzzzz"] {
        let context = context();
        let (adb, _heard) = server(Script::whole(vec![word(b"OKAY"), word(says)])).await;
        let phone = adb.device(SERIAL).with_features(Features::parse("shell_v2"));
        let failure = phone.run(&context, Effect::Mutates, "input tap 1 2").await.unwrap_err();
        assert_eq!(failure.claim().unwrap().row, Row::AdbReplyUnreadable, "{failure}");
        assert_eq!(context.ledger.sends().open, 1);
    }
}
