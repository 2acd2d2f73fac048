//! The connection to a driver: what is lost, late or unreadable on it. Each request is sent once.

use std::time::Duration;

use super::{
    Driver,
    web_input::{button, presses},
};
use crate::{cut::Cut, seen::Seen, web::reset_on_connect, world::World};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(WebdriverConnectRefused, |world| {
        let mut web = button(world).await;
        web.proxy.close().await;
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(presses(site), 1)).await
    }),
    driver!(WebdriverNotWritten, |world| { reset_on_connect(world).await.without_app() }),
    driver!(WebdriverLookLost, |world| {
        let web = button(world).await;
        // A look may be repeated, and is, once.
        web.proxy.cut(1, "POST", "/execute/sync", Cut::DropReply);
        web.session.does("get text id=b").await;
        web.proxy.cut(1, "POST", "/execute/sync", Cut::DropReply);
        web.proxy.cut(2, "POST", "/execute/sync", Cut::DropReply);
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(presses(site), 1)).await
    }),
    driver!(WebdriverLookFailed, |world| {
        let web = button(world).await;
        // No browser can be made to fail so at will.
        web.proxy.cut(1, "POST", "/execute/sync", Cut::Refuse(500, "unknown error"));
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(presses(site), 1)).await
    }),
    driver!(WebdriverReplyLost, |world| { press_cut(world, Cut::DropReply).await }),
    driver!(WebdriverTimeoutAfterSend, |world| { press_cut(world, Cut::Delay(Duration::from_secs(30))).await }),
    driver!(WebdriverHttp5xxAfterSend, |world| { press_cut(world, Cut::Gateway(502)).await }),
    driver!(WebdriverReplyUnreadable, |world| { press_cut(world, Cut::Garble).await }),
];

/// One press whose reply does not come back as it was: it reached the page once, and is not sent again.
async fn press_cut(world: &World, cut: Cut) -> Seen {
    let web = button(world).await;
    let before = web.proxy.handed_on("POST", "/actions");
    web.proxy.cut(1, "POST", "/actions", cut);
    let told = web.session.fails_at(&web.session.within(2500, "press id=b")).await;
    assert_eq!((web.proxy.struck(), web.proxy.handed_on("POST", "/actions") - before), (1, 1), "sent once");
    let seen = web.ended(|site| told.and(presses(site), 1)).await;
    assert_eq!(seen.truth.landed, 1, "the press is in effect");
    seen
}
