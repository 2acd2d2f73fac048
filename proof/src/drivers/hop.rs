//! The way to a daemon on another machine, and what the server there refuses.

use cut::{Ending, Fault, Side, Strike};
use serde_json::json;
use tokio::net::TcpListener;

use super::Driver;
use crate::{
    hop::{Hop, TOKEN, always, cut_each, elsewhere, method},
    seen::{Seen, Told},
};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(ClientHopUnreachable, |_world| {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it has one").to_string();
        drop(listener);
        presses_in_vain(&address).await
    }),
    driver!(ClientHopForeign, |_world| {
        let page = "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<h1>Sorry.</h1>";
        let (address, serving) = always(page).await;
        let seen = presses_in_vain(&address).await;
        serving.abort();
        seen
    }),
    driver!(ClientHopVersionMismatch, |_world| {
        let welcome = json!({"version": "0.0.0-other", "build": "x", "instance": "x", "pid": 1, "sessions": 0, "accepted": false});
        let body = json!({"jsonrpc": "2.0", "id": 1, "result": welcome}).to_string();
        let head = format!("HTTP/1.1 200 OK\r\nagent-device: 0.0.0-other\r\ncontent-length: {}\r\n\r\n", body.len());
        let (address, serving) = always(head + &body).await;
        let seen = presses_in_vain(&address).await;
        assert!(seen.told.message().contains("0.0.0-other"), "{:#}", seen.told.error);
        serving.abort();
        seen
    }),
    driver!(ClientHopReplyRecovered, |_world| {
        let hop = Hop::start().await;
        let session = hop.world.on_ground().await;
        let proxy = hop.proxy().await;
        proxy.arm(Strike { at: method("run", 1), fault: Fault::cut(Side::Reply, 0, Ending::Fin) });
        let answer = hop.client_at(proxy.address()).does(&["press", "id=save", "--session", "ground"]).await;
        assert_eq!(proxy.struck(), 1);
        let seen = Told::resolved(&answer).and(session.landed(), 1);
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ClientUploadFailed, |_world| {
        let hop = Hop::start().await;
        let proxy = hop.proxy().await;
        cut_each(&proxy, "PUT", 3);
        let ground = hop.world.ground().display().to_string();
        let (code, told) = hop.client_at(proxy.address()).fails(&["open", &ground, "--session", "other"]).await;
        assert_eq!((code, proxy.struck()), (1, 3));
        assert!(hop.world.session("other").probes().is_empty(), "it was opened");
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.and(0, 1)
    }),
    driver!(ClientArtifactLost, |_world| {
        let hop = Hop::start().await;
        let proxy = hop.proxy().await;
        let client = hop.client_at(proxy.address());
        let ground = hop.world.ground().display().to_string();
        client.does(&["open", &ground, "--session", "kept", "--save-script=kept.ad"]).await;
        client.does(&["press", "id=save", "--session", "kept"]).await;
        cut_each(&proxy, "GET", 3);
        let (code, told) = client.fails(&["close", "--session", "kept"]).await;
        assert_eq!((code, proxy.struck()), (3, 3), "it may not be done again blindly");
        assert!(!client.folder().join("kept.ad").exists(), "a script of which half came");
        let closed = hop.world.session("kept").probe().closed();
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.and(u32::from(closed), 1)
    }),
    driver!(ClientLookArtifactLost, |_world| {
        let hop = Hop::start().await;
        let session = hop.world.on_ground().await;
        let proxy = hop.proxy().await;
        cut_each(&proxy, "GET", 3);
        let client = hop.client_at(proxy.address());
        let (code, told) = client.fails(&["screenshot", "a.png", "--session", "ground"]).await;
        assert_eq!((code, proxy.struck()), (1, 3));
        let seen = told.and(session.landed(), 0);
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ServeUnauthorized, |_world| {
        let hop = Hop::start().await;
        let session = hop.world.on_ground().await;
        let client = elsewhere(&hop.address, &TOKEN.replace('a', "b"));
        let (code, told) = client.fails(&["press", "id=save", "--session", "ground"]).await;
        assert_eq!((code, told.code.as_str()), (1, "UNAUTHORIZED"));
        let seen = told.and(session.landed(), 1);
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ServeBadRequest, |_world| {
        let hop = Hop::start().await;
        let reply = hop.http("POST /rpc", "short", "", b"{}").await;
        assert_eq!(reply.status, 400);
        let told = hop.world.recorder.failure(&reply.body["error"]);
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.without_app()
    }),
    driver!(ServeBusy, |_world| {
        let hop = Hop::start().await;
        let session = hop.world.on_ground().await;
        let mut idle = Vec::new();
        for _ in 0..64 {
            idle.push(tokio::net::TcpStream::connect(&hop.address).await.expect("it listens"));
        }
        let client = hop.client();
        let (code, told) = client.fails(&["press", "id=save", "--session", "ground"]).await;
        assert_eq!((code, told.error["retriable"].as_bool()), (1, Some(true)));
        let seen = told.and(session.landed(), 1);
        drop(idle);
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ServeNoRoom, |_world| {
        let hop = Hop::start().await;
        let lease = "a-lease-that-is-full";
        assert_eq!(hop.http("POST /lease", lease, "", b"{}").await.status, 200);
        let folder = hop.leases().pop().expect("the lease has a folder");
        // A file of holes: its size is what counts.
        let full = std::fs::File::create(folder.join("full")).expect("it can be made");
        full.set_len(4 << 30).expect("it can be that long");
        let name = format!("PUT /files/in/{}/a.txt", "0".repeat(64));
        let reply = hop.http(&name, lease, "", b"x").await;
        assert_eq!(reply.status, 507);
        let told = hop.world.recorder.failure(&reply.body["error"]);
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.without_app()
    }),
    driver!(ServeHostPath, |_world| {
        let hop = Hop::start().await;
        let session = hop.world.on_ground().await;
        let target = hop.world.folder().join("a.png");
        let told = hop.fails("a-lease-of-mine", "screenshot", json!({"out": target})).await;
        assert!(!target.exists(), "a file of the host was written");
        let seen = told.and(session.landed(), 0);
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ServeFileMissing, |_world| {
        let hop = Hop::start().await;
        let name = format!("lease:/in/{}/app.toml", "0".repeat(64));
        let told = hop.fails("a-lease-of-mine", "open", json!({"app": name})).await;
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.without_app()
    }),
    driver!(ServeSessionOfAnotherLease, |_world| {
        let hop = Hop::start().await;
        let ground = hop.world.ground().display().to_string();
        let (first, second) = (hop.client(), hop.client());
        first.does(&["open", &ground, "--session", "mine"]).await;
        let (code, told) = second.fails(&["press", "id=save", "--session", "mine"]).await;
        assert_eq!(code, 1);
        let seen = told.and(hop.world.session("mine").landed(), 1);
        first.does(&["close", "--session", "mine"]).await;
        second.does(&["open", &ground, "--session", "mine"]).await;
        assert_eq!(hop.end().await, Vec::<String>::new());
        seen
    }),
    driver!(ServeNotOverTheHop, |_world| {
        let hop = Hop::start().await;
        let (code, told) = hop.client().fails(&["daemon", "stop"]).await;
        assert_eq!(code, 1);
        assert!(!hop.world.router.stop.is_cancelled(), "the daemon was stopped");
        assert_eq!(hop.end().await, Vec::<String>::new());
        told.without_app()
    }),
];

/// A press that does not come as far as a daemon.
async fn presses_in_vain(address: &str) -> Seen {
    let client = elsewhere(address, TOKEN);
    let (code, told) = client.fails(&["press", "id=save"]).await;
    assert_eq!(code, 1, "to press again is safe");
    assert!(!client.state().socket().exists(), "a daemon of this machine was started for it");
    told.and(0, 1)
}
