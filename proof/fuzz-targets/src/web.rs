//! Bytes of a driver, and of a page that talks in its agent's place.

use std::time::Duration;

use contract::{Effect, Row};
use webdriver::{
    capture,
    line::ROWS,
    reply::{self, Returned},
    routes::Route,
};
use wire::{Channel, Context, Sent, channel::Rows, http::Reply};

use crate::shown::is_a_sound_screen;

/// A reply to a request: the first two bytes say which and with what status, the rest is the body.
pub fn webdriver_reply(data: &[u8]) {
    let Some(([which, status], body)) = data.split_first_chunk::<2>().map(|(head, body)| (*head, body)) else { return };
    let Some(route) = Route::ALL.get(usize::from(which) % Route::ALL.len()).copied() else { return };
    let status = [200, 400, 404, 405, 500, 502, 204, 302].get(usize::from(status % 8)).copied().unwrap_or(200);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let context = Context::with_limit(Duration::from_secs(60));
    let rows = Rows {
        not_written: ROWS.not_written,
        lost: ROWS.lost,
        timeout: ROWS.timeout,
        look_lost: ROWS.look_lost,
        unreadable: Row::WebdriverReplyUnreadable,
    };
    let answered = runtime.block_on(async {
        let (ours, _theirs) = tokio::io::duplex(64);
        let channel = Channel::connect(&context, ROWS.connect_refused, async { Ok(ours) }).await.expect("a channel");
        let reply = Reply { status, body: body.to_vec().into(), kept: false };
        channel.operate(&context, Effect::Mutates, rows, b"x", |_| async { Ok(reply) }).await
    });
    let Sent::Answered(answered) = answered else { panic!("an answer that is there is not handed on") };
    match reply::value::<Returned>(route, answered) {
        Ok((returned, answered)) => {
            answered.completed();
            let heard = match returned {
                Returned::Null => return,
                Returned::Text(text) => reply::Heard::Text(text),
                Returned::List(list) => reply::Heard::List(list),
            };
            let _element = (heard.element(), heard.frames());
        }
        Err(failure) => {
            // A reply that nobody can read never says that nothing ran.
            let claim = failure.claim().expect("every failure of a driver is claimed under a row");
            let refused = claim.dispatched == contract::Dispatched::No;
            assert!(!refused || status >= 400, "a refusal with status {status}: {failure}");
        }
    }
}

/// What the page agent, or a page in its place, answers when it is asked for the screen.
pub fn page_capture(data: &[u8]) {
    let Ok(said) = std::str::from_utf8(data) else { return };
    if let Ok(tree) = capture::tree_of(said.to_owned(), 500) {
        is_a_sound_screen(&tree, 500);
    }
}
