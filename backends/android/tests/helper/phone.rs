//! A phone that says what the test wants: an adb server with one device, its shell and the helper's port.
//!
//! Every connection is a real one. What was asked is kept, so that a test can say how often something was sent.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use android::{
    adb::{Adb, Address, Features, Phone},
    helper::{
        Helper,
        install::Policy,
        options::Options,
        package::{Manifest, Package, Packages},
    },
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

pub const PACKAGE: &str = "com.callstack.agentdevice.snapshothelper";
pub const SERIAL: &str = "phone-1";
/// The sum of the package that is embedded, as far as these tests are concerned.
pub const OURS: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const PLAIN: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

/// What the helper does with one connection.
#[derive(Debug, Clone)]
pub enum Says {
    /// Answers with these lines and `ok=true`.
    Ok(&'static str),
    /// Answers with these lines and no `ok`.
    Plain(&'static str),
    /// Hears the line and closes without a byte.
    Closes,
    /// Hears the line and says nothing, for as long as the caller waits.
    Stalls,
    /// Nothing listens.
    Refuses,
}

/// What the phone is like. Changed while a test runs.
#[derive(Debug)]
pub struct Behaviour {
    /// Facts of the ready record, a line each; `None`: the instrumentation ends with `not_ready`.
    pub ready: Option<String>,
    /// What it prints instead.
    pub not_ready: String,
    /// Whether it says nothing at all of its start.
    pub silent: bool,
    /// Answers for actions, in order; the last of an action stays.
    pub answers: VecDeque<(&'static str, Says)>,
    /// Version and sum of the helper that is installed.
    pub installed: Option<(u64, String)>,
    /// What installers print, in order; `Success` afterwards.
    pub installs: VecDeque<&'static str>,
    /// What a single run prints.
    pub once: String,
    /// Whether the helper's process ends when it is told to.
    pub ends: bool,
    /// Whether its process is there.
    pub alive: bool,
}

#[derive(Debug)]
pub struct Scripted {
    behaviour: Mutex<Behaviour>,
    /// Lines of the shell.
    pub shell: Mutex<Vec<String>>,
    /// Lines that the helper heard.
    pub heard: Mutex<Vec<String>>,
    /// Told when a session is to end.
    quit: tokio::sync::Notify,
}

pub const JOURNAL: &str = "agentDeviceExtensions=journal,deadline,node-keys,look,foreground,action,text,key,global,guard,repeat\n\
    bootId=b00710a3c5d7e9f1\nacceptedTotal=7\nelapsedRealtimeMs=50000\n";

impl Scripted {
    pub fn with<T>(&self, change: impl FnOnce(&mut Behaviour) -> T) -> T {
        change(&mut self.behaviour.lock().unwrap())
    }

    /// How often the helper heard an action.
    pub fn times(&self, action: &str) -> usize {
        self.heard.lock().unwrap().iter().filter(|line| line.split(' ').next() == Some(action)).count()
    }

    /// How often the shell was asked for something that holds these words.
    pub fn ran(&self, words: &str) -> usize {
        self.shell.lock().unwrap().iter().filter(|line| line.contains(words)).count()
    }

    /// The last line of an action.
    pub fn last(&self, action: &str) -> String {
        let heard = self.heard.lock().unwrap();
        heard.iter().rev().find(|line| line.split(' ').next() == Some(action)).unwrap().clone()
    }
}

/// A phone and the helper client that is tested. The folder is for what it unpacks.
pub async fn phone(policy: Policy) -> (Arc<Scripted>, Helper, tempfile::TempDir) {
    phone_with(policy, Options::default()).await
}

pub async fn phone_with(policy: Policy, options: Options) -> (Arc<Scripted>, Helper, tempfile::TempDir) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let adb = Adb::new(Address::local(listener.local_addr().unwrap().port()), None);
    let scripted = Arc::new(Scripted {
        behaviour: Mutex::new(Behaviour {
            ready: Some(JOURNAL.to_owned()),
            not_ready: String::new(),
            silent: false,
            answers: VecDeque::new(),
            installed: Some((30_000, OURS.to_owned())),
            installs: VecDeque::new(),
            once: String::new(),
            ends: true,
            alive: false,
        }),
        shell: Mutex::default(),
        heard: Mutex::default(),
        quit: tokio::sync::Notify::new(),
    });
    let peer = scripted.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let peer = peer.clone();
            tokio::spawn(async move {
                // A client that goes away in the middle is part of the tests.
                let _gone = serve(&peer, stream).await;
            });
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let phone: Phone = adb.device(SERIAL).with_features(Features::parse("shell_v2,cmd"));
    let helper = Helper::new(phone, packages(), policy, options, folder.path().to_owned());
    (scripted, helper, folder)
}

fn packages() -> Packages {
    let package = |sum: &str, args: &[&str]| Package {
        manifest: Manifest {
            name: "android-snapshot-helper".into(),
            version: "0.30.0".into(),
            asset_name: "helper.apk".into(),
            apk_url: None,
            sha256: sum.into(),
            package_name: PACKAGE.into(),
            version_code: 30_000,
            instrumentation_runner: format!("{PACKAGE}/.SnapshotInstrumentation"),
            min_sdk: 23,
            target_sdk: 36,
            output_format: "uiautomator-xml".into(),
            status_protocol: "android-snapshot-helper-v1".into(),
            install_args: args.iter().map(ToString::to_string).collect(),
        },
        bytes: b"PK\x03\x04 of a helper",
    };
    Packages { main: package(OURS, &["install", "-r", "-t"]), plain: Some(package(PLAIN, &["install", "-r"])) }
}

async fn word(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await?;
    let length = usize::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap();
    let mut word = vec![0; length];
    stream.read_exact(&mut word).await?;
    Ok(String::from_utf8(word).unwrap())
}

async fn serve(phone: &Scripted, mut stream: TcpStream) -> std::io::Result<()> {
    assert_eq!(word(&mut stream).await?, format!("host:transport:{SERIAL}"));
    stream.write_all(b"OKAY").await?;
    let service = word(&mut stream).await?;
    if service.starts_with("tcp:") {
        return helper(phone, stream).await;
    }
    stream.write_all(b"OKAY").await?;
    if let Some(line) = service.strip_prefix("shell,v2,raw:") {
        return shell(phone, stream, line).await;
    }
    let line = service.strip_prefix("exec:").unwrap();
    phone.shell.lock().unwrap().push(line.to_owned());
    let size: usize = line.split_whitespace().skip_while(|word| *word != "-S").nth(1).unwrap().parse().unwrap();
    let mut package = vec![0; size];
    stream.read_exact(&mut package).await?;
    let said = phone.with(|behaviour| {
        let said = behaviour.installs.pop_front().unwrap_or("Success");
        if said == "Success" {
            let sum = if line.contains("-t") { OURS } else { PLAIN };
            behaviour.installed = Some((30_000, sum.to_owned()));
        }
        said
    });
    stream.write_all(said.as_bytes()).await
}

async fn helper(phone: &Scripted, mut stream: TcpStream) -> std::io::Result<()> {
    let says = |phone: &Scripted, action: &str| {
        phone.with(|behaviour| {
            let place = behaviour.answers.iter().position(|(of, _)| *of == action || *of == "*");
            match place {
                Some(place) => behaviour.answers.remove(place).unwrap().1,
                None => Says::Ok(""),
            }
        })
    };
    // Whether anything listens is known before a line is heard.
    let refuses = phone.with(|behaviour| {
        let refuses = matches!(behaviour.answers.front(), Some((_, Says::Refuses)));
        if refuses {
            behaviour.answers.pop_front();
        }
        refuses || !behaviour.alive
    });
    if refuses {
        return stream.write_all(b"FAIL0012Connection refused").await;
    }
    stream.write_all(b"OKAY").await?;
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        line.push(stream.read_u8().await?);
    }
    let line = String::from_utf8(line).unwrap().trim_end().to_owned();
    phone.heard.lock().unwrap().push(line.clone());
    let mut words = line.split(' ');
    let (action, id) = (words.next().unwrap(), words.next().unwrap_or_default());
    let head = format!("agentDeviceProtocol=android-snapshot-helper-v1\nhelperApiVersion=2\nrequestId={id}\n");
    if action == "quit" && phone.with(|behaviour| behaviour.ends) {
        phone.with(|behaviour| behaviour.alive = false);
        phone.quit.notify_waiters();
    }
    match says(phone, action) {
        Says::Ok(lines) => stream.write_all(format!("{head}ok=true\n{lines}\n").as_bytes()).await,
        Says::Plain(lines) => stream.write_all(format!("{head}{lines}\n").as_bytes()).await,
        Says::Closes => Ok(()),
        Says::Stalls => {
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).await.map(drop)
        }
        Says::Refuses => unreachable!("taken before"),
    }
}

fn packet(kind: u8, bytes: &[u8]) -> Vec<u8> {
    [&[kind][..], &u32::try_from(bytes.len()).unwrap().to_le_bytes(), bytes].concat()
}

async fn shell(phone: &Scripted, mut stream: TcpStream, line: &str) -> std::io::Result<()> {
    phone.shell.lock().unwrap().push(line.to_owned());
    if line.contains("-e sessionPort") {
        return session(phone, stream, line).await;
    }
    let (said, exit) = phone.with(|behaviour| answer(behaviour, line));
    stream.write_all(&[packet(1, said.as_bytes()), packet(3, &[exit])].concat()).await
}

fn answer(phone: &mut Behaviour, line: &str) -> (String, u8) {
    if line.contains("am instrument") {
        return (phone.once.clone(), 0);
    }
    if line.starts_with("cmd package list packages") {
        let listed = phone.installed.as_ref().map(|(version, _)| format!("package:{PACKAGE} versionCode:{version}\n"));
        return (listed.unwrap_or_default(), 0);
    }
    if line.starts_with("pm path") {
        return ("package:/data/app/x/base.apk\n".to_owned(), 0);
    }
    if line.starts_with("sha256sum") {
        let sum = phone.installed.as_ref().map(|(_, sum)| format!("{sum}  /data/app/x/base.apk\n"));
        return (sum.unwrap_or_default(), 0);
    }
    if line.starts_with("pm uninstall") {
        phone.installed = None;
        return ("Success\n".to_owned(), 0);
    }
    if line.starts_with("am force-stop") {
        phone.alive &= !phone.ends;
        return (String::new(), 0);
    }
    if line.starts_with("pidof") {
        return (if phone.alive { "4711\n" } else { "AGENT_DEVICE_NO_HELPER\n" }.to_owned(), 0);
    }
    if line.contains("cmd clipboard") {
        return ("/system/bin/sh: cmd: not found\n".to_owned(), 127);
    }
    panic!("nobody expected {line}");
}

/// `am instrument` that runs on: the ready record, then nothing until it is told to quit.
async fn session(phone: &Scripted, mut stream: TcpStream, line: &str) -> std::io::Result<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let port = words[words.iter().position(|word| *word == "sessionPort").unwrap() + 1];
    let quit = phone.quit.notified();
    let ready = phone.with(|behaviour| {
        behaviour.alive = behaviour.ready.is_some() || behaviour.silent;
        behaviour.ready.clone().ok_or_else(|| behaviour.not_ready.clone())
    });
    let status =
        |lines: &str| -> String { lines.lines().map(|line| format!("INSTRUMENTATION_STATUS: {line}\n")).collect() };
    if phone.with(|behaviour| behaviour.silent) {
        let mut rest = Vec::new();
        return stream.read_to_end(&mut rest).await.map(drop);
    }
    match ready {
        Err(said) => stream.write_all(&[packet(1, said.as_bytes()), packet(3, &[0])].concat()).await,
        Ok(lines) => {
            let said = format!(
                "{}{}INSTRUMENTATION_STATUS_CODE: 2\n",
                status(&format!(
                    "agentDeviceProtocol=android-snapshot-helper-v1\nsessionReady=true\nsessionPort={port}\n"
                )),
                status(&lines)
            );
            stream.write_all(&packet(1, said.as_bytes())).await?;
            quit.await;
            let end =
                "INSTRUMENTATION_RESULT: ok=true\nINSTRUMENTATION_RESULT: sessionEnded=true\nINSTRUMENTATION_CODE: 0\n";
            stream.write_all(&[packet(1, end.as_bytes()), packet(3, &[0])].concat()).await
        }
    }
}
