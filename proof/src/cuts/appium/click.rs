//! The fake driver's app, and a click on it under one fault: one request of the backend's own line, and one effect that the
//! driver counts.

use std::time::{Duration, Instant};

use bytes::Bytes;
use contract::{Effect, Row};
use cut::{After, At, Ending, Fault, Framing, Proxy, Side, Strike, Told, Trial};
use hyper::Method;
use serde_json::{Value, json};
use tokio::time::timeout;
use webdriver::{line::ROWS, reply::is_unrouted};
use wire::{
    Context, Sent,
    http::{Connection, Kept, Request, Sample},
};

use crate::{appium::Appium, cuts::Share, patience::LIMIT, web::ask, workspace};

/// What the lines of the figures begin with.
pub const NAME: &str = "click";
/// The limit of a click that nothing stalls.
const CLICK: Duration = Duration::from_secs(5);
/// The limit of a click one of whose sides stalls.
const STALLED: Duration = Duration::from_millis(600);
/// A stall that ends between the question for the reply and the click's limit.
const LATE: Duration = Duration::from_millis(540);
/// What an answer may take beyond its limit on a busy machine.
const ALLOWANCE: Duration = Duration::from_secs(1);

/// Whether replies that were lost are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// They are, after the server was shown to keep them.
    On,
    /// They are not.
    Off,
}

impl Keys {
    /// The line of the figures.
    pub const fn name(self) -> &'static str {
        match self {
            Keys::On => "click, replies asked for",
            Keys::Off => "click, nothing asked",
        }
    }
}

/// Which faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// All.
    All,
    /// Those that lose the reply to a request that the server answered.
    LostReplies,
}

/// A fault: what happens to the click, and to the question for its reply.
#[derive(Debug, Clone)]
pub struct Injected {
    click: Fault,
    question: Option<Fault>,
    limit: Duration,
}

/// The app, and the way to it.
pub struct Clicks {
    authority: String,
    proxy: Proxy,
    keys: Keys,
    session: String,
    element: String,
    connection: Connection,
}

impl Clicks {
    /// Opens the app.
    pub async fn on(server: &Appium, keys: Keys) -> Self {
        let app = workspace().join("proof/appium/app.xml");
        let always = json!({
            "platformName": "Fake", "appium:automationName": "Fake", "appium:deviceName": "Fake", "appium:app": app,
            "appium:newCommandTimeout": 0,
        });
        let wanted = json!({"capabilities": {"alwaysMatch": always}});
        let said = ask(&server.authority, "POST", "/session", &wanted.to_string()).await;
        let id = said["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {said}"));
        let session = format!("/session/{id}");
        let by_id = |id: &str| json!({"using": "id", "value": id}).to_string();
        let find = format!("{session}/element");
        let found = ask(&server.authority, "POST", &find, &by_id("b")).await;
        let element = webdriver::reply::element_id(&found["value"]).unwrap_or_else(|| panic!("no button: {found}"));
        let proxy = Proxy::tcp(&server.authority, Framing::Http).await;
        let mut connection = Connection::to(proxy.address().to_owned(), ROWS);
        if keys == Keys::On {
            let bodies = ["b", "other"].map(|id| Bytes::from(by_id(id)));
            let sample = Sample { path: find, bodies, refused: is_unrouted };
            let kept = Kept::shown(&connection, &Context::with_limit(CLICK), &sample).await;
            connection.ask_for_lost_replies(kept.expect("Appium keeps its replies"));
        }
        Self { authority: server.authority.clone(), proxy, keys, session, element, connection }
    }

    /// The faults: every byte of both sides by both ends, or places of them.
    pub async fn faults(&mut self, share: Share, which: Which) -> Vec<Injected> {
        self.proxy.forget();
        assert_eq!(self.click(CLICK).await.1, Told::Done, "a click that nothing is wrong with");
        let exchange = self.proxy.exchanges().pop().expect("a click is one exchange");
        let plain = |click: Fault| Injected { click, question: None, limit: CLICK };
        let mut all = Vec::new();
        for (side, length) in [(Side::Request, exchange.request), (Side::Reply, exchange.reply)] {
            if which == Which::LostReplies && side == Side::Request {
                continue;
            }
            for after in share.places(length, self.keys.name()) {
                let whole = side == Side::Reply && after == length;
                if which == Which::LostReplies && whole {
                    continue;
                }
                for ending in [Ending::Fin, Ending::Reset] {
                    all.push(plain(Fault::cut(side, after, ending)));
                }
            }
            for after in [0, length / 2, length.saturating_sub(1)] {
                let stall = |time| Injected { limit: STALLED, ..plain(Fault::Stall { side, after, time }) };
                all.push(stall(None));
                if which == Which::All {
                    all.push(stall(Some(LATE)));
                }
            }
        }
        if which == Which::All {
            all.push(plain(Fault::Duplicate));
            // The question, too, is cut at places of both sides, or never answered.
            let lost = Fault::cut(Side::Reply, 0, Ending::Fin);
            for side in [Side::Request, Side::Reply] {
                let few = Share::Some { places: 8, seed: share.seed() };
                let cuts =
                    few.places(exchange.reply, NAME).into_iter().map(|after| Fault::cut(side, after, Ending::Reset));
                let stall = Fault::Stall { side, after: 1, time: None };
                all.extend(cuts.chain([stall]).map(|fault| Injected { question: Some(fault), ..plain(lost.clone()) }));
            }
        }
        all
    }

    /// One click under a fault.
    pub async fn under(&mut self, injected: &Injected) -> Trial {
        let before = self.counted().await;
        self.proxy.forget();
        let label = "POST /session/ID/element/ID/click";
        self.proxy.arm(Strike { at: At::label(label, 1), fault: injected.click.clone() });
        if let Some(fault) = &injected.question {
            // The click is the first of that label, the question the second: each strike counts both.
            self.proxy.arm(Strike { at: At::label(label, 2), fault: fault.clone() });
        }
        let (took, told) = self.click(injected.limit).await;
        self.proxy.forget();
        self.proxy.release();
        let landed = self.counted().await - before;
        let again = self.click(CLICK).await.1;
        let after = match (again, self.counted().await - before - landed) {
            (Told::Done, 1) => After::Usable,
            other => After::Stuck(format!("the next click: {other:?}")),
        };
        Trial {
            operation: self.keys.name().to_owned(),
            fault: format!("{:?}, question {:?}", injected.click, injected.question),
            told,
            landed,
            asked: 1,
            after,
            took,
            limit: injected.limit + ALLOWANCE,
        }
    }

    async fn click(&self, limit: Duration) -> (Duration, Told) {
        let request = Request {
            method: Method::POST,
            path: format!("{}/element/{}/click", self.session, self.element),
            body: Bytes::from_static(b"{}"),
            effect: Effect::Mutates,
        };
        let began = Instant::now();
        let context = Context::with_limit(limit);
        let sent = timeout(LIMIT, self.connection.exchange(&context, &request)).await;
        let told = match sent {
            Err(_) => Told::Nothing,
            Ok(Sent::NotSent(proof)) => Told::No(proof.row().id().to_owned()),
            Ok(Sent::Lost(lost)) => Told::Unknown(lost.row().id().to_owned(), 0),
            Ok(Sent::Answered(answered)) => {
                let reply = answered.completed();
                match (reply.status, reply.kept) {
                    (200, false) => Told::Done,
                    (200, true) => Told::Resolved(Row::WebdriverIdempotencyRecovered.id().to_owned()),
                    // What the line makes of any other answer: it is no proof.
                    _ => Told::Unknown(Row::WebdriverErrorUnlisted.id().to_owned(), 0),
                }
            }
        };
        (began.elapsed(), told)
    }

    /// The driver's own count, by a way past the proxy.
    async fn counted(&self) -> u32 {
        let path = format!("{}/element/{}/attribute/clicks", self.session, self.element);
        match ask(&self.authority, "GET", &path, "").await["value"].take() {
            Value::Number(number) => number.as_u64().and_then(|count| u32::try_from(count).ok()).unwrap_or(u32::MAX),
            Value::String(text) => text.parse().unwrap_or(0),
            _ => 0,
        }
    }

    /// Ends the app.
    pub async fn end(self) {
        ask(&self.authority, "DELETE", &self.session, "").await;
    }
}
