//! What the page asked of the network, by its Resource Timing.

use std::time::Duration;

use backend::{Fetched, Traffic};
use contract::Failure;
use screen::NodeKey;
use serde::Deserialize;
use serde_json::json;
use wire::Context;

use crate::{
    agent::{Ask, Said, call},
    capture::PAGE_ITSELF,
    page::Page,
    reply::Heard,
};

/// Requests that one answer lists at most.
const MOST: u32 = 200;
/// Frames of other origins that are asked at most; each costs a few round trips.
const MAX_FRAMES: usize = 8;

/// What the agent says, see `page/README.md`.
#[derive(Debug, Deserialize)]
struct Told {
    requests: Vec<Request>,
    more: u32,
    full: bool,
    lost: u32,
    unread: u32,
}

/// Address, kind, status, failed, ms since it began, ms it took, bytes, whether the address was cut. -1 is not known.
#[derive(Debug, Deserialize)]
struct Request(String, String, i32, i8, f64, f64, f64, bool);

/// What the page has been answered since this was asked last, at most `since` ago, in the frames of the last capture too.
///
/// # Errors
/// What the driver says of the page itself. A frame that cannot be asked is noted.
pub async fn read(page: &mut Page, context: &Context, since: Duration) -> Result<Traffic, Failure> {
    let args = json!({"sinceMs": since.as_secs_f64() * 1000.0, "most": MOST});
    page.top(context).await?;
    let heard = page.call_here(context, "network", args.clone()).await?;
    let mut traffic = Traffic::default();
    if !take(&heard, &mut traffic) {
        traffic.notes.push("the page does not tell what it asked of the network".to_owned());
    }
    let inside = inside(page);
    if inside.len() > MAX_FRAMES {
        let unasked = inside.len() - MAX_FRAMES;
        traffic.notes.push(format!("what {unasked} frames of other origins asked for is not in it"));
    }
    for scope in inside.into_iter().take(MAX_FRAMES) {
        let key = NodeKey { scope, id: PAGE_ITSELF };
        // A frame may go away, or go elsewhere, at any time.
        if let Ok(Some(heard)) = page.call_on(context, key, "network", args.clone()).await {
            take(&heard, &mut traffic);
        }
    }
    page.top(context).await?;
    // A frame's document is told by the frame itself, which knows more of it than the page around it.
    let documents: Vec<String> =
        traffic.requests.iter().filter(|one| one.kind == "navigation").map(|one| one.url.clone()).collect();
    traffic.requests.retain(|one| one.kind != "iframe" || !documents.contains(&one.url));
    Ok(traffic)
}

/// Tells the page that nobody asks any more.
///
/// # Errors
/// What the driver says.
pub async fn end(page: &mut Page, context: &Context) -> Result<(), Failure> {
    page.top(context).await?;
    let calls = serde_json::Value::Array(vec![call("networkEnd", json!({}))]);
    let ended = page.line.ask_present(context, Ask::Calls, &["".into(), calls]).await;
    for scope in inside(page).into_iter().take(MAX_FRAMES) {
        let _gone = page.call_on(context, NodeKey { scope, id: PAGE_ITSELF }, "networkEnd", json!({})).await;
    }
    page.top(context).await?;
    ended.map(|_| ())
}

/// The documents of frames of other origins, of the last capture.
fn inside(page: &Page) -> Vec<u64> {
    page.documents.iter().filter(|(_, document)| !document.hops.is_empty()).map(|(scope, _)| *scope).collect()
}

fn take(heard: &Heard, traffic: &mut Traffic) -> bool {
    let Ok((Said::Ok(told),)) = heard.read::<(Said<Told>,)>() else { return false };
    traffic.left_out = traffic.left_out.saturating_add(told.more).saturating_add(told.lost);
    if told.full {
        traffic.notes.push(
            "the browser keeps the first 250 requests of a page until it is asked for the first time: some may be missing"
                .to_owned(),
        );
    }
    if told.unread > 0 {
        traffic.notes.push(format!("{} of the page's windows do not tell what they asked for", told.unread));
    }
    traffic.requests.extend(told.requests.into_iter().map(fetched));
    true
}

fn fetched(Request(url, kind, status, failed, ago, took, bytes, cut): Request) -> Fetched {
    let ms = |ms: f64| Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default();
    Fetched {
        url: if cut { without_query(&url) } else { url },
        kind,
        status: u16::try_from(status).ok(),
        failed: match failed {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
        ago: ms(ago),
        took: ms(took),
        bytes: whole(bytes),
    }
}

/// What is cut may end in the middle of something that nobody is to read: then nothing of it is shown.
fn without_query(url: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    format!("{}\u{2026}", url.get(..end).unwrap_or_default())
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "negative is not known; sizes are whole")]
fn whole(bytes: f64) -> Option<u64> {
    (bytes >= 0.0).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(json: &str) -> (bool, Traffic) {
        let mut traffic = Traffic::default();
        let understood = take(&Heard::Text(format!("[{json}]")), &mut traffic);
        (understood, traffic)
    }

    #[test]
    fn what_the_browser_does_not_tell_is_not_made_up() {
        let (understood, traffic) = told(
            r#"{"ok":{"requests":[["http://a/x","img",-1,-1,12.5,3,-1,false],["http://a/y","fetch",404,1,2,1,0,false]],"more":2,"full":true,"lost":3,"unread":1}}"#,
        );
        assert!(understood);
        let [image, fetch] = &traffic.requests[..] else { panic!("{traffic:?}") };
        assert_eq!((image.status, image.failed, image.bytes), (None, None, None));
        assert_eq!((image.ago, image.took), (Duration::from_micros(12_500), Duration::from_millis(3)));
        assert_eq!((fetch.status, fetch.failed, fetch.bytes), (Some(404), Some(true), Some(0)));
        assert_eq!((traffic.left_out, traffic.notes.len()), (5, 2));
    }

    #[test]
    fn an_address_that_was_cut_ends_before_its_query() {
        assert_eq!(without_query("http://a/b?token=abc"), "http://a/b\u{2026}");
        let (_, traffic) = told(
            r#"{"ok":{"requests":[["http://a/b?c=d","fetch",200,0,1,1,5,true]],"more":0,"full":false,"lost":0,"unread":0}}"#,
        );
        assert_eq!(traffic.requests[0].url, "http://a/b\u{2026}");
    }

    #[test]
    fn an_answer_of_another_shape_is_nothing_told() {
        for odd in [r#"{"error":{"kind":"script","message":"x"}}"#, r#"{"ok":7}"#, r#"{"ok":{"requests":[[]]}}"#] {
            assert_eq!(told(odd), (false, Traffic::default()), "{odd}");
        }
    }
}
