//! Does every service do what it says?

use std::{path::Path, time::Duration};

use android::adb::{Adb, Address, Event, Features, State, console, quote};
use contract::{Code, Dispatched, Effect, Row, Sends};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use wire::{Sent, channel::Rows};

use crate::rig::{LIMIT, Rig, Server, adb_program, context, free_port, until};

#[tokio::test]
async fn a_server_tells_its_version_and_its_devices() {
    let Some(rig) = Rig::start().await else { return };
    assert!(rig.server.adb.version(&context()).await.unwrap() >= 39);
    let listed = rig.server.adb.devices(&context()).await.unwrap();
    let ours = listed.iter().find(|listed| listed.serial == rig.phone.serial()).unwrap();
    assert_eq!((&ours.state, ours.is_emulator()), (&State::Device, false));
    let context = context();
    let features = rig.phone.features(&context).await.unwrap();
    assert!(features.has("shell_v2") && features.has("cmd"), "{features:?}");
}

#[tokio::test]
async fn a_program_gives_every_byte_its_errors_and_its_code() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    let script = r"i=0; while [ $i -lt 256 ]; do printf \\$(printf %o $i); i=$((i+1)); done; echo wrong >&2; exit 7";
    let answered = rig.phone.shell(&context, Effect::Mutates, script).await.unwrap();
    let output = answered.completed();
    assert_eq!(output.stdout, (0..=255).collect::<Vec<u8>>());
    assert_eq!((output.stderr.as_slice(), output.exit), (&b"wrong\n"[..], 7));
    assert_eq!(context.ledger.sends(), Sends { completed: 1, open: 0 });

    let line = quote::line(["printf", "%s|", "a b", "it's", "$HOME"]);
    assert_eq!(rig.phone.look(&context, &line).await.unwrap(), "a b|it's|$HOME|");
    let output = rig.phone.exec(&context, Effect::Observes, "printf 'a\\r\\nb'; exit 3").await.unwrap().completed();
    assert_eq!(output, b"a\r\nb");
}

#[tokio::test]
async fn a_program_that_fails_after_it_started_may_have_done_something() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    let failure = rig.phone.run(&context, Effect::Mutates, "echo no such thing >&2; exit 1").await.unwrap_err();
    let claim = failure.claim().unwrap();
    assert_eq!((claim.row, claim.dispatched), (Row::AdbCommandFailed, Dispatched::Unknown));
    assert!(failure.message.contains("no such thing"), "{failure}");
    assert_eq!(context.ledger.sends().open, 1);
    let failure = rig.phone.look(&context, "false").await.unwrap_err();
    let claim = failure.claim().unwrap();
    assert_eq!((claim.row, claim.dispatched), (Row::AdbLookFailed, Dispatched::No));
}

#[tokio::test]
async fn input_of_any_size_goes_in_and_its_end_is_told() {
    let Some(rig) = Rig::start().await else { return };
    let input: Vec<u8> = (0..3_000_000_u32).map(|i| (i % 251) as u8).collect();
    let output = rig.phone.pipe(&context(), Effect::Observes, "cat", &input).await.unwrap().completed();
    assert_eq!(output.stdout, input);
    // One that ends without reading its input is no error.
    let output = rig.phone.pipe(&context(), Effect::Observes, "exit 5", &input).await.unwrap().completed();
    assert_eq!(output.exit, 5);
    // And one without input sees the end of it at once.
    let output = rig.phone.shell(&context(), Effect::Observes, "cat; echo end").await.unwrap().completed();
    assert_eq!(output.stdout, b"end\n");
}

#[tokio::test]
async fn an_old_device_tells_exit_codes_too() {
    let Some(rig) = Rig::start().await else { return };
    let old = rig.phone.clone().with_features(Features::parse(""));
    let context = context();
    let output = old.shell(&context, Effect::Mutates, "printf 'a\\nb'; echo e >&2; exit 9").await.unwrap().completed();
    assert_eq!((output.stdout.as_slice(), output.exit), (&b"a\nbe\n"[..], 9));
    let output = old.shell(&context, Effect::Observes, "cat; echo end").await.unwrap().completed();
    assert_eq!(output.stdout, b"end\n");
    let input = vec![b'x'; 200_000];
    let output = old.pipe(&context, Effect::Observes, "cat; (exit 6)", &input).await.unwrap().completed();
    assert_eq!((output.stdout.len(), output.exit), (input.len(), 6));
    assert_eq!(old.look(&context, "echo yes # and a comment").await.unwrap(), "yes\n");
    let mut running =
        old.spawn(&context, Effect::Manages, &["sh", "-c", "echo one; exec sleep 1000"]).await.unwrap().completed();
    assert_eq!(running.line().await.unwrap().as_deref(), Some("one"));
    assert_eq!(running.stop().await.unwrap(), None);
}

#[tokio::test]
async fn what_is_written_to_a_port_of_the_device_is_the_operation() {
    let Some(rig) = Rig::start().await else { return };
    let rows = Rows {
        not_written: Row::HelperNotWritten,
        lost: Row::HelperReplyLost,
        timeout: Row::HelperTimeoutAfterSend,
        look_lost: Row::HelperLookLost,
        unreadable: Row::HelperReplyUnreadable,
    };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let echo = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = [0; 5];
        stream.read_exact(&mut heard).await.unwrap();
        stream.write_all(&heard).await.unwrap();
    });
    let context = context();
    let channel = rig.phone.tcp(&context, port, Row::HelperSessionGone).await.unwrap();
    assert_eq!(context.ledger.sends(), Sends::NONE);
    let sent = channel
        .operate(&context, Effect::Mutates, rows, b"hello", |mut stream| async move {
            let mut back = Vec::new();
            stream.read_to_end(&mut back).await?;
            Ok(back)
        })
        .await;
    let Sent::Answered(answered) = sent else { panic!("{sent:?}") };
    assert_eq!(answered.completed(), b"hello");
    echo.await.unwrap();

    // Nothing listens any more.
    let proof = rig.phone.tcp(&context, port, Row::HelperSessionGone).await.unwrap_err();
    assert_eq!((proof.row(), proof.cause()), (Row::HelperSessionGone, "closed"));
}

#[tokio::test]
async fn a_running_program_tells_its_lines_and_ends_with_its_owner() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    let script = "echo $$; echo oops >&2; printf 'two\\r\\nlast'; exec sleep 1000";
    let arguments = ["sh", "-c", script];
    let spawn = || rig.phone.spawn(&context, Effect::Manages, &arguments);

    let mut running = spawn().await.unwrap().completed();
    let pid = running.line().await.unwrap().unwrap();
    assert_eq!(running.line().await.unwrap().as_deref(), Some("two"));
    let process = Path::new("/proc").join(&pid);
    assert!(process.exists());
    drop(running);
    until("the program's end, once its owner is gone", async || !process.exists()).await;

    let mut running = spawn().await.unwrap().completed();
    let pid = running.line().await.unwrap().unwrap();
    assert_eq!(running.stop().await.unwrap(), Some(143));
    assert_eq!(running.line().await.unwrap().as_deref(), Some("two"));
    assert_eq!(running.line().await.unwrap().as_deref(), Some("last"));
    assert_eq!(running.line().await.unwrap(), None);
    assert_eq!(running.errors(), "oops\n");
    assert!(!Path::new("/proc").join(&pid).exists());

    // One that ends by itself tells its code, although the watcher beside it still waits.
    let mut running =
        rig.phone.spawn(&context, Effect::Manages, &["sh", "-c", "echo bye; exit 4"]).await.unwrap().completed();
    assert_eq!(running.line().await.unwrap().as_deref(), Some("bye"));
    assert_eq!(running.next().await.unwrap(), Event::Ended(Some(4)));
    assert_eq!(running.exit(), Some(4));
}

#[tokio::test]
async fn ports_lead_from_here_to_the_device_and_back() {
    let Some(rig) = Rig::start().await else { return };
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let to = format!("tcp:{}", listener.local_addr().unwrap().port());
    let context = context();

    let port = rig.phone.forward(&context, &to).await.unwrap();
    let listed = rig.server.adb.forwards(&context).await.unwrap();
    assert!(listed.iter().any(|one| one.from == format!("tcp:{port}") && one.to == to), "{listed:?}");
    let (mut there, here) = tokio::join!(async { TcpStream::connect(("127.0.0.1", port)).await.unwrap() }, async {
        listener.accept().await.unwrap().0
    },);
    drop(here);
    assert_eq!(there.read(&mut [0; 8]).await.unwrap(), 0);
    rig.phone.unforward(&context, port).await.unwrap();
    let failure = rig.phone.unforward(&context, port).await.unwrap_err();
    assert_eq!(failure.claim().unwrap().dispatched, Dispatched::No);

    let port = rig.phone.reverse(&context, &to).await.unwrap();
    let listed = rig.phone.reverses(&context).await.unwrap();
    assert!(listed.iter().any(|one| one.from == format!("tcp:{port}") && one.to == to), "{listed:?}");
    let (mut there, here) = tokio::join!(async { TcpStream::connect(("127.0.0.1", port)).await.unwrap() }, async {
        listener.accept().await.unwrap().0
    },);
    drop(here);
    assert_eq!(there.read(&mut [0; 8]).await.unwrap(), 0);
    rig.phone.unreverse(&context, port).await.unwrap();
    assert!(rig.phone.unreverse(&context, port).await.is_err());
    let port = free_port();
    rig.phone.reverse_same(&context, port).await.unwrap();
    rig.phone.unreverse(&context, port).await.unwrap();
}

#[tokio::test]
async fn devices_are_followed_as_they_come_and_go() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    let mut tracker = rig.server.adb.track(&context).await.unwrap();
    let serial = rig.phone.serial();
    assert!(tracker.next().await.unwrap().iter().any(|one| one.serial == serial && one.state == State::Device));
    rig.server.adb.disconnect(&context, serial).await.unwrap();
    let follow = async |tracker: &mut android::adb::devices::Tracker, there: bool| loop {
        let list = tracker.next().await.unwrap();
        if list.iter().any(|one| one.serial == serial && one.state == State::Device) == there {
            return;
        }
    };
    tokio::time::timeout(LIMIT, follow(&mut tracker, false)).await.unwrap();
    rig.server.adb.connect(&context, serial).await.unwrap();
    tokio::time::timeout(LIMIT, follow(&mut tracker, true)).await.unwrap();
    let failure = rig.server.adb.disconnect(&context, "127.0.0.1:1").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbServerRefused);
}

#[tokio::test]
async fn refusals_of_a_real_server_have_their_rows() {
    let server = Server::start().await;
    let context = context();
    let failure = server.adb.device("nope").shell(&context, Effect::Mutates, "true").await.unwrap_err();
    assert_eq!((failure.code, failure.claim().unwrap().row), (Code::DeviceNotFound, Row::AdbDeviceNotFound));
    assert!(failure.retriable && failure.claim().unwrap().dispatched == Dispatched::No);
    let failure = server.adb.connect(&context, &format!("127.0.0.1:{}", free_port())).await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbServerRefused);
    assert_eq!(context.ledger.sends(), Sends::NONE);
    // Pairing came with platform-tools 30: an older server says so, a newer one that nothing answers.
    let failure = server.adb.pair(&context, &format!("127.0.0.1:{}", free_port()), "123456").await.unwrap_err();
    let row = failure.claim().unwrap().row;
    assert!(matches!(row, Row::AdbServerRefused | Row::AndroidPairingRefused), "{row}");
    assert_eq!(failure.claim().unwrap().dispatched, Dispatched::No);
}

#[tokio::test]
async fn a_service_that_the_device_does_not_know_may_have_reached_it() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    // Longer than a word may be: refused before anything is opened.
    let failure = rig.phone.shell(&context, Effect::Mutates, &"x".repeat(70_000)).await.unwrap_err();
    assert_eq!((failure.code, context.ledger.sends()), (Code::InvalidArgs, Sends::NONE));
    let proof = rig.phone.abstract_socket(&context, "nobody-listens-here", Row::AdbServiceRefused).await.unwrap_err();
    assert_eq!(proof.row(), Row::AdbServiceRefused);
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_the_operation_possibly_done() {
    let Some(rig) = Rig::start().await else { return };
    let context = context();
    rig.phone.features(&context).await.unwrap();
    let begun = rig.device.folder.path().join("begun");
    let line = format!("echo $$ >> {}; exec sleep 1000", begun.display());
    tokio::select! {
        _ = rig.phone.shell(&context, Effect::Mutates, &line) => panic!("it runs on"),
        () = until("its begin", async || begun.exists()) => {}
    }
    assert_eq!(context.ledger.sends(), Sends { completed: 0, open: 1 });

    let late = context.until(Duration::from_secs(1));
    let failure = rig.phone.shell(&late, Effect::Mutates, &line).await.unwrap_err();
    let pids = std::fs::read_to_string(&begun).unwrap();
    until("the end of what was begun", async || pids.lines().all(|pid| !Path::new("/proc").join(pid).exists())).await;
    assert_eq!((failure.code, failure.claim().unwrap().row), (Code::Timeout, Row::AdbTimeoutAfterSend));
}

#[tokio::test]
async fn a_server_is_started_where_none_answers() {
    let home = tempfile::tempdir().unwrap();
    let port = free_port();
    let wrapper = home.path().join("adb");
    let script = format!(
        "#!/bin/sh\nHOME={0} ADB_LOCAL_TRANSPORT_MAX_PORT=5000 TMPDIR={0} exec adb \"$@\"\n",
        home.path().display()
    );
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let adb = Adb::new(Address::local(port), Some(wrapper));
    let context = context();
    // All at once: one start serves them all.
    let (one, two, three) = tokio::join!(adb.version(&context), adb.version(&context), adb.devices(&context));
    let ended = adb_program(home.path()).args(["-P", &port.to_string(), "kill-server"]).status().unwrap();
    assert!(ended.success());
    assert_eq!(one.unwrap(), two.unwrap());
    assert_eq!(three.unwrap(), []);
}

#[tokio::test]
async fn where_no_server_can_be_had_nothing_was_sent() {
    let port = free_port();
    let context = context();
    let without = Adb::new(Address::local(port), None);
    let failure = without.device("x").shell(&context, Effect::Mutates, "true").await.unwrap_err();
    assert_eq!((failure.code, failure.claim().unwrap().row), (Code::ToolMissing, Row::AdbToolMissing));
    let broken = Adb::new(Address::local(port), Some("/bin/false".into()));
    let failure = broken.device("x").shell(&context, Effect::Mutates, "true").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbServerUnreachable);
    assert!(failure.message.contains("start-server ended with"), "{failure}");
    assert_eq!(context.ledger.sends(), Sends::NONE);
}

#[tokio::test]
async fn a_server_behind_a_unix_socket_answers_too() {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("localfilesystem:{}", folder.path().join("adb").display());
    let address = Address::parse(&spec).unwrap();
    let server = Server::listening(&["-L".into(), spec], address).await;
    assert_eq!(server.adb.devices(&context()).await.unwrap(), []);
}

#[tokio::test]
async fn the_emulators_console_is_spoken_to_after_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let token = folder.path().join("token");
    std::fs::write(&token, "s3cret\n").unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let console = tokio::spawn(async move {
        let mut heard = Vec::new();
        for _ in 0..3 {
            let (stream, _) = listener.accept().await.unwrap();
            let mut stream = tokio::io::BufStream::new(stream);
            let greeting =
                "Android Console: Authentication required\r\nAndroid Console: type 'auth <auth_token>'\r\nOK\r\n";
            stream.write_all(greeting.as_bytes()).await.unwrap();
            stream.flush().await.unwrap();
            let mut line = String::new();
            while tokio::io::AsyncBufReadExt::read_line(&mut stream, &mut line).await.unwrap_or(0) > 0 {
                let reply = match line.trim() {
                    "auth s3cret" => "Android Console: type 'help' for a list of commands\r\nOK\r\n",
                    "avd name" => "Pixel_7\r\nOK\r\n",
                    line if line.starts_with("auth") => "KO: authentication token does not match\r\n",
                    _ => "KO: unknown command, try 'help'\r\n",
                };
                heard.push(line.trim().to_owned());
                stream.write_all(reply.as_bytes()).await.unwrap();
                stream.flush().await.unwrap();
                line.clear();
            }
        }
        heard
    });
    let context = context();
    let name = console::say(&context, Effect::Observes, port, &token, "avd name").await.unwrap();
    assert_eq!(name, "Pixel_7");
    let failure = console::say(&context, Effect::Mutates, port, &token, "frobnicate").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbCommandFailed);
    let sends = context.ledger.sends();
    std::fs::write(&token, "wrong").unwrap();
    let failure = console::say(&context, Effect::Mutates, port, &token, "avd name").await.unwrap_err();
    assert_eq!((failure.code, context.ledger.sends()), (Code::Unauthorized, sends));
    assert_eq!(console.await.unwrap(), ["auth s3cret", "avd name", "auth s3cret", "frobnicate", "auth wrong"]);
    let failure = console::say(&context, Effect::Mutates, free_port(), &token, "avd name").await.unwrap_err();
    assert_eq!(failure.claim().unwrap().row, Row::AdbServerUnreachable);
}

#[tokio::test]
async fn what_is_no_adb_server_is_not_taken_for_one() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let web = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        stream.read_to_end(&mut Vec::new()).await.unwrap_or(0)
    });
    let adb = Adb::new(Address::local(port), None);
    let failure = adb.version(&context()).await.unwrap_err();
    assert_eq!(failure.claim().unwrap().dispatched, Dispatched::No);
    assert!(failure.message.contains("neither OKAY nor FAIL"), "{failure}");
    web.await.unwrap();
}
