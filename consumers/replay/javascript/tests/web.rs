//! `http.*` against real servers.

#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
    thread,
    time::{Duration, Instant},
};

use javascript::{Engine, Http, HttpRequest, Kind, Limits, Web, WebLimits};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use serde_json::json;

/// Answers every connection by `answer`, which gets the request's head and body; tells of each request.
fn server(answer: impl Fn(&str, &mut TcpStream) + Send + 'static) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (told, requests) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let request = request(&mut stream);
            let _nobody_asks = told.send(request.clone());
            answer(&request, &mut stream);
        }
    });
    (address, requests)
}

fn request(stream: &mut impl Read) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap() == 0 {
            return head;
        }
    }
    let length = head
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("content-length:").map(|length| length.trim().parse().unwrap())
        })
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn reply(stream: &mut impl Write, status: &str, headers: &str, body: &str) {
    let length = body.len();
    let _gone =
        write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}");
}

fn engine(limits: WebLimits) -> Engine {
    Engine::new(Limits::default(), Some(Box::new(Web::new(limits)))).unwrap()
}

fn get(url: &str) -> HttpRequest {
    HttpRequest { method: "GET".to_owned(), url: url.to_owned(), headers: vec![], body: None }
}

#[test]
fn a_script_sends_and_reads() {
    let (address, requests) = server(|_, stream| {
        reply(stream, "201 Created", "X-Trace: a\r\nX-Trace: b\r\n", "{\"id\": \"ä\"}");
    });
    let mut engine = engine(WebLimits::default());
    engine.set("server", json!(address)).unwrap();
    let code = "const reply = http.post(server + '/users?a=1', {headers: {'Content-Type': 'application/json', 'X-N': 7}, \
                body: JSON.stringify({name: 'Ada'})}); [reply.ok, reply.status, json(reply.body).id, reply.headers['x-trace']]";
    assert_eq!(engine.eval(code, "a.js", 1).unwrap(), json!([true, 201, "ä", "a, b"]));
    let request = requests.recv().unwrap();
    assert!(request.starts_with("POST /users?a=1 HTTP/1.1\r\n"), "{request}");
    assert!(request.to_ascii_lowercase().contains("content-type: application/json\r\n"), "{request}");
    assert!(request.to_ascii_lowercase().contains("x-n: 7\r\n"), "{request}");
    assert!(request.ends_with("\r\n\r\n{\"name\":\"Ada\"}"), "{request}");
}

#[test]
fn every_method_is_its_own_and_refusals_are_replies() {
    let (address, requests) = server(|_, stream| reply(stream, "404 Not Found", "", "no"));
    let mut engine = engine(WebLimits::default());
    engine.set("server", json!(address)).unwrap();
    for (call, method) in [
        ("http.get(server)", "GET"),
        ("http.put(server, {body: 'x'})", "PUT"),
        ("http.delete(server)", "DELETE"),
        ("http.delete(server, {body: 'x'})", "DELETE"),
        ("http.request(server)", "GET"),
        ("http.request(server, {method: 'patch', body: ''})", "PATCH"),
    ] {
        let code = format!("const r = {call}; [r.ok, r.status, r.body]");
        assert_eq!(engine.eval(&code, "a.js", 1).unwrap(), json!([false, 404, "no"]), "{call}");
        assert!(requests.recv().unwrap().starts_with(&format!("{method} / ")), "{call}");
    }
}

#[test]
fn a_request_that_got_no_reply_is_never_sent_again() {
    // Closed after reading: whether it was acted upon, nobody knows.
    let (address, requests) = server(|_, _| {});
    let mut web = Web::default();
    let post = HttpRequest { method: "POST".to_owned(), body: Some("once".to_owned()), ..get(&address) };
    for request in [get(&address), post] {
        web.send(&request, Duration::from_secs(20)).unwrap_err();
        requests.recv().unwrap();
        assert!(requests.try_recv().is_err(), "{request:?} was sent again");
    }
}

#[test]
fn a_form_of_texts_is_sent_in_parts() {
    let (address, requests) = server(|_, stream| reply(stream, "200 OK", "", ""));
    let mut engine = engine(WebLimits::default());
    engine.set("server", json!(address)).unwrap();
    engine.eval("http.post(server, {multipartForm: {'a\"': 'agent-device-form', b: 2}})", "a.js", 1).unwrap();
    let request = requests.recv().unwrap();
    assert!(
        request.to_ascii_lowercase().contains("content-type: multipart/form-data; boundary=agent-device-form-\r\n"),
        "{request}"
    );
    let body = "--agent-device-form-\r\nContent-Disposition: form-data; name=\"a%22\"\r\n\r\nagent-device-form\r\n\
                --agent-device-form-\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n--agent-device-form---\r\n";
    assert!(request.ends_with(body), "{request}");
}

#[test]
fn every_request_has_a_connection_of_its_own() {
    // Nobody reads from a connection again, though all stay open.
    let (keep, _kept) = channel();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            request(&mut stream);
            let _gone = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
            let _nobody = keep.send(stream);
        }
    });
    let mut web = Web::default();
    for _ in 0..3 {
        assert_eq!(web.send(&get(&address), Duration::from_secs(20)).unwrap().body, "x");
    }
}

#[test]
fn what_was_sent_is_not_sent_to_another_place_by_itself() {
    let (target, reached) = server(|_, stream| reply(stream, "200 OK", "", "reached"));
    let (address, _requests) = server(move |request, stream| {
        let status = if request.contains(" /307 ") { "307 Temporary Redirect" } else { "302 Found" };
        reply(stream, status, &format!("Location: {target}/\r\n"), "");
    });
    let mut web = Web::default();
    let post = |path: &str| HttpRequest {
        method: "POST".to_owned(),
        body: Some("pay".to_owned()),
        headers: vec![("Authorization".to_owned(), "Bearer x".to_owned())],
        ..get(&format!("{address}{path}"))
    };
    let refused = web.send(&post("/307"), Duration::from_secs(20)).unwrap_err();
    assert!(refused.contains("wants the body again"), "{refused}");
    assert!(reached.try_recv().is_err());
    assert_eq!(web.send(&post("/302"), Duration::from_secs(20)).unwrap().body, "reached");
    let followed = reached.recv().unwrap();
    assert!(followed.starts_with("GET / ") && !followed.contains("pay"), "{followed}");
}

#[test]
fn time_size_and_redirects_are_limited() {
    let limits = WebLimits { body_bytes: 1000, redirects: 2, ..WebLimits::default() };
    let (address, _requests) = server(|request, stream| match request.split(' ').nth(1) {
        Some("/long") => reply(stream, "200 OK", "", &"x".repeat(1001)),
        Some("/fits") => reply(stream, "200 OK", "", &"x".repeat(1000)),
        Some("/endless") => {
            let _ = write!(stream, "HTTP/1.1 200 OK\r\n\r\n");
            while stream.write_all(&[b'x'; 512]).is_ok() {}
        }
        _ => reply(stream, "302 Found", "Location: /again\r\n", ""),
    });
    let mut web = Web::new(limits);
    let mut send = |path: &str| web.send(&get(&format!("{address}{path}")), Duration::from_secs(20));
    assert_eq!(send("/fits").unwrap().body.len(), 1000);
    for path in ["/long", "/endless"] {
        assert!(send(path).unwrap_err().ends_with("the reply is longer than 1000 bytes"));
    }
    assert!(send("/again").unwrap_err().ends_with("more than 2 redirects"));
}

#[test]
fn a_server_that_is_silent_or_drips_ends_with_the_scripts_time() {
    for drips in [false, true] {
        let (address, _requests) = server(move |_, stream| {
            let (keep, held) = channel::<()>();
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            // One byte now and then would keep a limit per read alive for ever.
            while drips && stream.write_all(b"x").is_ok() {
                let _ = held.recv_timeout(Duration::from_millis(50));
            }
            let _ = held.recv_timeout(Duration::from_secs(20));
            drop(keep);
        });
        let mut engine = engine(WebLimits::default());
        engine.set("server", json!(address)).unwrap();
        engine.limit_time(Duration::from_millis(500));
        let began = Instant::now();
        let failed = engine.eval("try { http.get(server) } catch { } for (;;) {}", "a.js", 1).unwrap_err();
        assert_eq!(failed.kind, Kind::TimedOut);
        assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
        engine.limit_time(Duration::from_secs(20));
        assert_eq!(engine.eval("1", "a.js", 1).unwrap(), json!(1));
    }
}

#[test]
fn failures_can_be_caught_and_name_the_request() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut engine = engine(WebLimits::default());
    let failed = engine.eval(&format!("\nhttp.get('http://{free}/x')"), "a.js", 1).unwrap_err();
    assert_eq!((failed.kind, failed.line), (Kind::Thrown, 2));
    assert!(failed.message.starts_with(&format!("http: GET http://{free}/x: ")), "{failed}");
    for address in ["file:///etc/passwd", "/etc/passwd", "ftp://a/", "data:,x", "", "http://"] {
        let failed = engine.eval(&format!("http.get({address:?})"), "a.js", 1).unwrap_err();
        assert_eq!(failed.kind, Kind::Thrown, "{failed}");
    }
    for call in [
        "http.get('http://a/', {headers: {'a b': 'c'}})",
        "http.get('http://a/', {headers: {a: 'b\\r\\nc: d'}})",
        "http.request('http://a/', {method: 'GE T'})",
    ] {
        assert_eq!(engine.eval(call, "a.js", 1).unwrap_err().kind, Kind::Thrown, "{call}");
    }
    let body = engine.eval("http.post('http://a/', {body: {a: 1}})", "a.js", 1).unwrap_err();
    assert!(body.message.contains("the body must be a text"), "{body}");
}

/// Run by the test below, with and without a root of trust.
#[test]
fn as_a_child_it_gets_over_tls() {
    let Ok(address) = std::env::var("TLS_ADDRESS") else { return };
    let got = Web::default().send(&get(&address), Duration::from_secs(20));
    println!("GOT {:?}", got.map(|reply| reply.body));
}

#[test]
fn tls_trusts_the_roots_of_the_system_and_no_others() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls");
    let root = folder.join("root.pem");
    let server = CertificateDer::from_pem_file(folder.join("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![server], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let session = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::StreamOwned::new(session, stream.unwrap());
            let mut head = [0; 4];
            if stream.read_exact(&mut head).is_ok() {
                reply(&mut stream, "200 OK", "", "over TLS");
            }
        }
    });
    let child = |trusts: bool| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "as_a_child_it_gets_over_tls", "--nocapture"]);
        child.env("TLS_ADDRESS", format!("https://localhost:{port}/")).env_remove("SSL_CERT_DIR");
        if trusts {
            child.env("SSL_CERT_FILE", &root);
        }
        String::from_utf8(child.output().unwrap().stdout).unwrap()
    };
    let trusted = child(true);
    assert!(trusted.contains("GOT Ok(\"over TLS\")"), "{trusted}");
    let refused = child(false);
    assert!(refused.contains("GOT Err(") && refused.to_ascii_lowercase().contains("certificate"), "{refused}");
}
