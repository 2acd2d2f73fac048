//! A daemon on another machine, through the real server and the real program.
#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use std::{fs, time::Duration};

use cut::{Ending, Fault, Side, Strike};
use proof::{
    conformance::{self, CommandLine, Place},
    hop::{Hop, LEAST_LEASE, TOKEN, method},
    patience::{soon, until},
    program::Program,
};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use stage::{FaultKind, Operation};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const NOTHING: [String; 0] = [];

#[tokio::test(flavor = "multi_thread")]
async fn a_session_on_another_machine_reads_and_writes_the_callers_files() {
    let hop = Hop::start().await;
    let client = hop.client();
    fs::copy(hop.world.ground(), client.folder().join("mine.toml")).unwrap();
    let opened = client.does(&["open", "mine.toml", "--save-script=steps.ad"]).await;
    let here = client.folder().canonicalize().unwrap();
    assert_eq!(opened["app"], here.join("mine.toml").display().to_string(), "in the caller's words");
    client.does(&["press", "id=save"]).await;
    let shot = client.does(&["screenshot", "shot.png"]).await;
    assert_eq!(shot["path"], here.join("shot.png").display().to_string());
    assert!(fs::read(client.folder().join("shot.png")).unwrap().starts_with(b"\x89PNG"));
    client.does(&["trace", "start"]).await;
    client.does(&["press", "id=save"]).await;
    let traced = client.does(&["trace", "stop", "--out", "trace.html"]).await;
    assert_eq!(traced["entries"], 1, "{traced}");
    assert!(fs::read_to_string(client.folder().join("trace.html")).unwrap().contains("press"));
    let text = client.run(&["close"]).await;
    assert!(text.out.contains(&here.join("steps.ad").display().to_string()), "{text:?}");
    let steps = fs::read_to_string(client.folder().join("steps.ad")).unwrap();
    assert!(steps.contains("press id=save"), "{steps}");
    // The same once more: what is there is not replaced unasked, and nothing is opened.
    let (code, told) = client.fails(&["open", "mine.toml", "--save-script=steps.ad"]).await;
    assert_eq!((code, told.reason.as_deref()), (1, Some("script_target_exists")));
    // And it can be replayed over the hop.
    let replayed = client.run(&["replay", "steps.ad"]).await;
    assert_eq!(replayed.code, 0, "{replayed:?}");
    assert!(!client.state().socket().exists(), "no daemon was started here");
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_sent_its_field_takes_files_and_what_it_saves_comes_back() {
    let hop = Hop::start().await;
    let client = hop.client();
    let page = "<!doctype html><title>Page</title><input type=file id=f multiple aria-label=files>\
        <p id=o></p><a id=d download=hello.txt href='data:text/plain,hello'>save</a>\
        <script>f.onchange=()=>o.textContent=[...f.files].map(x=>x.name+':'+x.size).join()</script>";
    fs::write(client.folder().join("my page.html"), page).unwrap();
    fs::write(client.folder().join("one.txt"), "one").unwrap();
    // Large enough that it is asked for before it is sent.
    fs::write(client.folder().join("two.bin"), vec![7; 100_000]).unwrap();
    client.does(&["open", "./my page.html"]).await;
    for _ in 0..2 {
        client.does(&["upload", "id=f", "one.txt", "two.bin"]).await;
        let said = client.does(&["get", "text", "id=o"]).await;
        assert_eq!(said["text"], "one.txt:3,two.bin:100000");
    }
    client.does(&["press", "id=d"]).await;
    let saved = client.does(&["downloads", "--wait-ms", "20000"]).await;
    let path = saved["downloads"][0]["path"].as_str().unwrap();
    assert!(path.starts_with(&client.state().path().display().to_string()), "{path}");
    assert_eq!(fs::read_to_string(path).unwrap(), "hello");
    client.does(&["close"]).await;
    assert_eq!(hop.end().await, NOTHING);
}

/// The five promises, at bytes of both sides of a press: `no` did nothing, a success was done once, nothing twice.
#[tokio::test(flavor = "multi_thread")]
async fn wherever_the_line_breaks_a_press_is_done_once_or_told_as_it_was() {
    let hop = Hop::start().await;
    let session = hop.world.on_ground().await;
    let proxy = hop.proxy().await;
    let client = hop.client_at(proxy.address());
    let press = ["press", "id=save", "--session", "ground"];
    client.does(&press).await;
    let clean =
        proxy.exchanges().into_iter().find(|exchange| exchange.label == "POST /rpc" && exchange.connection == 0);
    let clean = clean.unwrap();
    let run = proxy.exchanges().pop().unwrap();
    assert!(run.request > clean.request, "the command comes last");
    let mut counts = [0; 3];
    let mut trial = 0_usize;
    for (side, length) in [(Side::Request, run.request), (Side::Reply, run.reply)] {
        // Every seventh byte, the first and the last ones.
        let places = (0..=length).filter(|at| at % 7 == 0 || *at < 3 || at + 3 > length);
        for after in places {
            trial += 1;
            let ending = if trial.is_multiple_of(2) { Ending::Fin } else { Ending::Reset };
            proxy.forget();
            proxy.arm(Strike { at: method("run", 1), fault: Fault::cut(side, after, ending) });
            if trial.is_multiple_of(3) {
                // And the first question for it.
                let again =
                    Fault::cut(if trial.is_multiple_of(2) { Side::Request } else { Side::Reply }, trial % 90, ending);
                proxy.arm(Strike { at: method("retained", 1), fault: again });
            }
            let before = session.landed();
            let (code, said) = client.json(&press).await;
            let landed = session.landed() - before;
            let what = format!("{side:?} cut after {after} of {length}: {said:?}");
            match &said {
                Ok(_) => assert_eq!(landed, 1, "{what}"),
                Err(told) if told.dispatched == "no" => assert_eq!((landed, code), (0, 1), "{what}"),
                Err(_) => assert!(landed <= 1 && code == 3, "{what}"),
            }
            counts[match said {
                Ok(_) => 0,
                Err(told) if told.dispatched == "no" => 1,
                Err(_) => 2,
            }] += 1;
            // The server lives and can be asked: nobody is left in doubt.
            assert_eq!(counts[2], 0, "{what}");
        }
    }
    assert!(trial > 100 && counts[0] > 20 && counts[1] > 20, "{counts:?} of {trial}");
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_stops_nothing_and_the_answer_is_kept() {
    let hop = Hop::start().await;
    let session = hop.world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, Duration::from_millis(700));
    let lease = "a-lease-of-mine";
    let welcome = hop.rpc(lease, "hello", &json!({"version": contract::VERSION})).await;
    let target = json!({"target": {"kind": "selector", "selector": "id=save"}});
    let params = json!({"requestId": "broken-1", "session": "ground", "command": "press", "args": target});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "run", "params": params}).to_string();
    let head = format!(
        "POST /rpc HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\nagent-device-lease: {lease}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(&hop.address).await.unwrap();
    stream.write_all((head + &body).as_bytes()).await.unwrap();
    until("the press to be under way", || session.struck() > 0).await;
    drop(stream);
    let question = json!({"requestId": "broken-1", "instance": welcome["result"]["instance"]});
    let kept = hop.rpc(lease, "retained", &question).await;
    assert!(kept["result"]["data"]["message"].as_str().unwrap().starts_with("Pressed"), "{kept}");
    assert_eq!((session.landed(), &kept["of"]), (1, &json!("broken-1")));
    // Another daemon could not tell; one that never had it refuses it from then on.
    let other = hop.rpc(lease, "retained", &json!({"requestId": "broken-1", "instance": "another"})).await;
    assert_eq!(other["error"]["data"]["details"]["reason"], "instance_gone");
    let never = hop.rpc(lease, "retained", &json!({"requestId": "never-1"})).await;
    assert_eq!(never["error"]["data"]["details"]["reason"], "not_seen");
    let late = hop.rpc(lease, "run", &json!({"requestId": "never-1", "session": "ground", "command": "home"})).await;
    assert_eq!(late["error"]["data"]["details"]["reason"], "request_withdrawn");
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_what_runs_on_the_other_machine() {
    let hop = Hop::start().await;
    hop.world.on_ground().await;
    let client = hop.client();
    let child = client.start(&["wait", "id=never", "50000", "--session", "ground", "--json"]);
    let busy = || hop.world.router.sessions.list().into_iter().any(|row| row.name == "ground" && row.busy);
    until("the wait to begin", busy).await;
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw).unwrap();
    let asked = std::time::Instant::now();
    kill_process(pid, Signal::INT).unwrap();
    let ended = soon("the program", client.ended(child)).await;
    let told = client.envelope(&ended).unwrap_err();
    assert_eq!((told.code.as_str(), told.dispatched.as_str(), ended.code), ("CANCELLED", "no", 1));
    assert!(asked.elapsed() < Duration::from_secs(20), "it was waited for: {:?}", asked.elapsed());
    // One that has not come yet is refused when it comes.
    let lease = "a-lease-of-mine";
    let cancelled = hop.rpc(lease, "cancel", &json!({"requestId": "early-1"})).await;
    assert_eq!(cancelled["result"]["cancelled"], false);
    let late = hop.rpc(lease, "run", &json!({"requestId": "early-1", "session": "ground", "command": "home"})).await;
    assert_eq!(late["error"]["data"]["details"]["dispatched"], "no");
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_runs_out_takes_its_session_and_its_files_with_it() {
    let hop = Hop::start().await;
    let lease = "a-lease-that-ends";
    let short = format!("agent-device-lease-ms: {}\r\n", LEAST_LEASE.as_millis());
    assert_eq!(hop.http("POST /lease", lease, &short, b"{}").await.body["leaseMs"], 5000);
    let ground = fs::read(hop.world.ground()).unwrap();
    let hash: String = sha2_hex(&ground);
    let name = format!("in/{hash}/ground.toml");
    assert_eq!(hop.http(&format!("PUT /files/{name}"), lease, "", &ground).await.status, 201);
    let wrong = hop.http(&format!("PUT /files/{name}"), lease, "", b"something else").await;
    assert_eq!(wrong.status, 422);
    let folder = hop.leases().pop().unwrap();
    // Without a session's name: that of the folder and the lease.
    let open = json!({"requestId": "lease-1", "workspace": "/home/ada/tour", "command": "open", "args": {"app": format!("lease:/{name}")}});
    let opened = hop.rpc(lease, "run", &open).await;
    let session = opened["result"]["data"]["session"].as_str().unwrap_or_else(|| panic!("{opened}")).to_owned();
    assert!(session.starts_with("tour-"), "{session}");
    let other = hop
        .rpc(
            "another-lease",
            "run",
            &json!({"requestId": "lease-2", "workspace": "/home/ada/tour", "command": "snapshot"}),
        )
        .await;
    assert_eq!(other["error"]["data"]["code"], "SESSION_NOT_FOUND", "two machines with the same folder met");
    let standing = hop.http("POST /lease", lease, "", b"{}").await.body;
    assert_eq!((&standing["sessions"], &standing["files"]), (&json!([session]), &json!(1)));
    // A request under way keeps it, however long it takes.
    let wait = json!({"requestId": "lease-3", "session": session, "command": "wait", "args": {"kind": "selector", "selector": "id=never", "timeoutMs": 6500}});
    let waited = hop.rpc(lease, "run", &wait).await;
    assert!(waited["error"]["data"]["code"] == "WAIT_TIMEOUT", "{waited}");
    assert!(hop.world.router.sessions.list().iter().any(|row| row.name == session), "it was closed under a command");
    let names = || hop.world.router.sessions.list().into_iter().any(|row| row.name == session);
    until("the session to be closed", || !names()).await;
    until("its files to be removed", || !folder.exists()).await;
    // And one can be ended at once.
    hop.rpc(lease, "run", &json!({"requestId": "lease-4", "session": "second", "command": "open"})).await;
    let ended = hop.http("DELETE /lease", lease, "", b"").await;
    assert_eq!(ended.body["closed"], json!(["second"]));
    assert!(hop.world.router.sessions.list().is_empty());
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_no_token_or_no_manners_is_told_so_and_the_others_go_on() {
    let hop = Hop::start().await;
    let health = hop.raw(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    assert_eq!((health.status, &health.body), (200, &json!({"agentDevice": contract::VERSION})));
    let asked = |head: &str| format!("{head}\r\nhost: x\r\nconnection: close\r\n\r\n").into_bytes();
    let bearer = format!("authorization: Bearer {TOKEN}");
    for (request, status) in [
        ("POST /rpc HTTP/1.1\r\ncontent-length: 0".to_owned(), 401),
        ("POST /rpc HTTP/1.1\r\nauthorization: Bearer x\r\ncontent-length: 0".to_owned(), 401),
        ("GET /files/out/a HTTP/1.1".to_owned(), 401),
        (format!("POST /rpc HTTP/1.1\r\n{bearer}\r\norigin: http://127.0.0.1\r\ncontent-length: 0"), 403),
        ("GET /health HTTP/1.1\r\norigin: null".to_owned(), 403),
        (format!("GET /rpc HTTP/1.1\r\n{bearer}"), 405),
        (format!("GET /elsewhere HTTP/1.1\r\n{bearer}"), 404),
        (format!("POST /lease HTTP/1.1\r\n{bearer}\r\ncontent-length: 0"), 400),
        (format!("POST /rpc HTTP/1.1\r\n{bearer}\r\ntransfer-encoding: chunked"), 411),
        (format!("POST /rpc HTTP/1.1\r\n{bearer}\r\ncontent-length: 17000000"), 413),
        (
            format!(
                "PUT /files/out/a HTTP/1.1\r\n{bearer}\r\nagent-device-lease: a-lease-of-mine\r\ncontent-length: 0"
            ),
            400,
        ),
        (
            format!("GET /files/out/..%2f..%2fdaemon.log HTTP/1.1\r\n{bearer}\r\nagent-device-lease: a-lease-of-mine"),
            400,
        ),
        (format!("GET /files/out/none HTTP/1.1\r\n{bearer}\r\nagent-device-lease: a-lease-of-mine"), 404),
    ] {
        let reply = hop.raw(&asked(&request)).await;
        assert_eq!(reply.status, status, "{request}: {reply:?}");
        assert!(reply.head.to_lowercase().contains("agent-device: "), "{reply:?}");
        if status != 200 {
            let told = hop.world.recorder.failure(&reply.body["error"]);
            assert_eq!(told.dispatched, "no", "{request}");
        }
    }
    // Rubbish, and heads without an end.
    for rubbish in [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"[..], b"GET / HTTP/9.9\r\n\r\n", &[b'x'; 100_000]] {
        assert_ne!(hop.raw(rubbish).await.status, 200);
    }
    // One that begins and does not go on is let go; others are served all the while.
    let mut slow = TcpStream::connect(&hop.address).await.unwrap();
    slow.write_all(b"POST /rpc HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    let client = hop.client();
    client.does(&["session", "list"]).await;
    let mut rest = Vec::new();
    let read = soon("the slow one's end", slow.read_to_end(&mut rest)).await;
    assert!(read.is_err() || !rest.starts_with(b"HTTP/1.1 200"), "{rest:?}");
    client.does(&["session", "list"]).await;
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_machines_have_sessions_of_their_own_at_once() {
    let hop = Hop::start().await;
    let ground = hop.world.ground().display().to_string();
    let (one, two) = (hop.client(), hop.client());
    one.does(&["open", &ground]).await;
    two.does(&["open", &ground]).await;
    let press = |client: &Program, times: u32| {
        let calls: Vec<_> = (0..times).map(|_| client.start(&["press", "id=save", "--json"])).collect();
        async move {
            let mut done = 0;
            for call in calls {
                let output = soon("a press", call.wait_with_output()).await.unwrap();
                let said: Value = serde_json::from_slice(&output.stdout).unwrap();
                done += u32::from(said["success"] == true);
            }
            done
        }
    };
    let (first, second) = tokio::join!(press(&one, 6), press(&two, 6));
    assert_eq!((first, second), (6, 6));
    let landed: Vec<_> = hop.world.session("any").probes().iter().map(|probe| probe.log().len()).collect();
    assert_eq!(landed, [6, 6]);
    assert_eq!(hop.world.router.sessions.list().len(), 2);
    assert_eq!(hop.end().await, NOTHING);
}

/// The list that every surface runs, asked for on another machine.
#[tokio::test(flavor = "multi_thread")]
async fn the_conformance_cases_hold_over_the_hop() {
    let hop = Hop::start().await;
    let client = hop.client();
    for place in [Place::Stage, Place::Web] {
        if place == Place::Web && std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
            continue;
        }
        let report = conformance::run(&mut CommandLine(&client), place, &client).await;
        assert!(report.failed.is_empty(), "{} cases failed:\n{}", report.failed.len(), report.failed.join("\n"));
        assert!(report.passed.len() > 60, "{:?}", report.passed);
    }
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_with_tls_is_passed_where_its_certificate_is_trusted() {
    let hop = Hop::start().await;
    let session = hop.world.on_ground().await;
    let port = gateway(&hop.address, true, Duration::from_secs(30));
    let client = |trusts: bool| {
        let mut client = hop.client();
        client.environment.retain(|(name, _)| name != "AGENT_DEVICE_URL");
        client.environment.push(("AGENT_DEVICE_URL".to_owned(), format!("https://localhost:{port}/")));
        let root = proof::workspace().join("consumers/replay/javascript/tests/tls/root.pem");
        if trusts {
            client.environment.push(("SSL_CERT_FILE".to_owned(), root.display().to_string()));
        }
        client
    };
    let trusting = client(true);
    trusting.does(&["press", "id=save", "--session", "ground"]).await;
    trusting.does(&["screenshot", "shot.png", "--session", "ground"]).await;
    assert!(fs::read(trusting.folder().join("shot.png")).unwrap().starts_with(b"\x89PNG"));
    let (code, told) = client(false).fails(&["press", "id=save", "--session", "ground"]).await;
    assert_eq!((code, told.row.as_deref()), (1, Some("client.hop-unreachable")));
    assert!(told.message().to_lowercase().contains("certificate"), "{}", told.message());
    // In the clear to another machine: not even tried.
    let mut clear = hop.client();
    clear.environment.retain(|(name, _)| name != "AGENT_DEVICE_URL");
    clear.environment.push(("AGENT_DEVICE_URL".to_owned(), "http://devices.example.org".to_owned()));
    let (code, told) = clear.fails(&["press", "id=save", "--session", "ground"]).await;
    assert_eq!((code, told.code.as_str()), (2, "INVALID_ARGS"));
    assert_eq!(session.landed(), 1);
    assert_eq!(hop.end().await, NOTHING);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_gives_up_sooner_than_a_command_ends_loses_nothing() {
    let hop = Hop::start().await;
    let session = hop.world.on_ground().await;
    session.slow(Operation::Press, FaultKind::Delay, Duration::from_millis(2500));
    let port = gateway(&hop.address, false, Duration::from_millis(600));
    let client = hop.client_at(&format!("127.0.0.1:{port}"));
    let done = client.does(&["press", "id=save", "--session", "ground"]).await;
    assert_eq!((session.landed(), &done["resolvedRow"]), (1, &json!("client.hop-reply-recovered")));
    assert_eq!(hop.end().await, NOTHING);
}

/// Hands HTTP requests on, one after another on each connection, and answers with a page of its own where no reply comes in
/// time. The port it listens on.
fn gateway(server: &str, tls: bool, patience: Duration) -> u16 {
    use std::{
        io::{Read, Write},
        net::TcpListener,
        sync::Arc,
    };

    use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};

    trait Both: Read + Write {}
    impl<T: Read + Write> Both for T {}

    fn message(stream: &mut dyn Read) -> Option<Vec<u8>> {
        let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
        loop {
            if let Some(length) = cut::Framing::Http.length(&bytes) {
                bytes.truncate(length);
                return Some(bytes);
            }
            match stream.read(&mut chunk) {
                Ok(read) if read > 0 => bytes.extend_from_slice(&chunk[..read]),
                _ => return None,
            }
        }
    }

    let folder = proof::workspace().join("consumers/replay/javascript/tests/tls");
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from_pem_file(folder.join("server.pem")).unwrap()],
            PrivateKeyDer::from_pem_file(folder.join("server.key")).unwrap(),
        );
    let config = Arc::new(config.unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, server, config) = (stream.unwrap(), server.clone(), config.clone());
            std::thread::spawn(move || {
                let mut front: Box<dyn Both> = match tls {
                    true => Box::new(rustls::StreamOwned::new(rustls::ServerConnection::new(config).unwrap(), stream)),
                    false => Box::new(stream),
                };
                let mut back = std::net::TcpStream::connect(server).unwrap();
                back.set_read_timeout(Some(patience)).unwrap();
                while let Some(request) = message(&mut front) {
                    back.write_all(&request).unwrap();
                    let reply = message(&mut back);
                    let page =
                        b"HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 4\r\nconnection: close\r\n\r\nlate".to_vec();
                    let over = reply.is_none();
                    if front.write_all(&reply.unwrap_or(page)).and_then(|()| front.flush()).is_err() || over {
                        return;
                    }
                }
            });
        }
    });
    port
}

fn sha2_hex(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
