//! A server that keeps its replies: Appium, with a real browser behind it.

use super::{Driver, web_input::BUTTON};
use crate::{
    appium::Appium,
    cut::{Cut, CutProxy},
    seen::Told,
    site::Site,
};

/// See the module.
pub const DRIVERS: &[Driver] = &[driver!(WebdriverIdempotencyRecovered, |world| {
    let site = Site::with(BUTTON).await;
    let mut appium = Appium::start().await;
    let proxy = CutProxy::before(&appium.authority).await;
    let session = world.session("web");
    let options = appium.for_browser();
    session.does(&format!("open {} --driver-url {} --capabilities '{options}'", site.url, proxy.url)).await;
    let before = proxy.handed_on("POST", "/actions");
    proxy.cut(1, "POST", "/actions", Cut::DropReply);
    let answer = session.does("press id=b").await;
    // The press, and the question for its reply.
    assert_eq!((proxy.struck(), proxy.handed_on("POST", "/actions") - before), (1, 2));
    session.does("close").await;
    appium.kill().await;
    Told::resolved(&answer).and(site.hits("press"), 1)
})];
