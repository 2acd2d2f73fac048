//! Inputs to a page. Where the page must change at a certain moment, it is changed through the driver itself, right
//! before the request in question is handed on.

use contract::Row;

use super::Driver;
use crate::{cut::Cut, patience::until, site::Site, web::Web};

/// A button that tells the site when it was pressed.
pub const BUTTON: &str = "<button id=b style='width:200px;height:60px' onclick=\"hit('press')\">Press</button>";
/// A field that tells the site what happens to it.
const FIELD: &str = "<input id=f aria-label=Name autofocus oninput=\"hit('input')\">";

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(WebdriverAlertOpen, |world| {
        let mut web = Web::open(world, BUTTON).await;
        web.browser("setTimeout(() => alert('in the way'))").await;
        let told = web.session.fails("press id=b").await;
        assert!(told.error.to_string().contains("in the way"), "{:#}", told.error);
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(DaemonRefusalAlertAbsent, |world| {
        let web = Web::open(world, BUTTON).await;
        let told = web.session.fails("alert accept").await;
        web.ended(|_| told.and(0, 1)).await
    }),
    driver!(WebdriverActionsInvalid, |world| {
        let mut web = Web::open(world, BUTTON).await;
        // A source of input belongs to the kind of pointer that it was first used for.
        let touch = r#"{"actions":[{"type":"pointer","id":"p-mouse","parameters":{"pointerType":"touch"},
            "actions":[{"type":"pointerMove","duration":0,"x":1,"y":1}]}]}"#;
        web.ask("POST", "/actions", touch).await;
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(WebdriverActionsOutOfBounds, |world| {
        let mut web = Web::open(world, "<div style='height:400px' onpointerdown=\"hit('down')\">Pad</div>").await;
        web.session.does("snapshot").await;
        // The window shrinks behind the back of whoever took its size.
        web.ask("POST", "/window/rect", r#"{"width":500,"height":400}"#).await;
        let told = web.session.fails("swipe 100 100 1100 100").await;
        web.ended(|site| told.and(site.hits("down"), 1).in_vain()).await
    }),
    driver!(WebdriverKeysNotInteractable, |world| {
        let mut web = Web::open(world, BUTTON).await;
        web.browser("setTimeout(() => alert('no field here'))").await;
        let told = web.session.fails("alert accept --text hello").await;
        web.ended(|_| told.and(0, 1)).await
    }),
    driver!(WebdriverKeysStaleElement, |world| {
        let web = Web::open(world, FIELD).await;
        web.session.does("focus id=f").await;
        web.proxy.cut(1, "POST", "/value", Cut::First("document.getElementById('f').remove()"));
        let told = web.session.fails("type hello").await;
        web.ended(|site| told.and(site.hits("input"), 5)).await
    }),
    driver!(WebdriverKeysInvalid, |world| {
        let web = Web::open(world, "<input type=file id=f aria-label=File onchange=\"hit('chosen')\">").await;
        let file = world.ground();
        let told = web.session.fails(&format!("upload id=f {0} {0}", file.display())).await;
        web.ended(|site| told.and(site.hits("chosen"), 1)).await
    }),
    driver!(WebdriverFillRefusedByField, |world| {
        let web = Web::open(
            world,
            "<select id=s aria-label=Size onchange=\"hit('chosen')\"><option>Small<option>Large</select>",
        )
        .await;
        let told = web.session.fails("fill id=s Medium").await;
        assert!(told.error.to_string().contains("Large"), "names what there is: {:#}", told.error);
        web.ended(|site| told.and(site.hits("chosen"), 1)).await
    }),
    driver!(WebdriverInputInterrupted, |world| {
        let web = Web::open(
            world,
            "<input id=f aria-label=Name onfocus=\"this.onfocus = null; hit('focus'); alert('sure?')\">",
        )
        .await;
        let told = web.session.fails("fill id=f hello").await;
        assert!(told.error.to_string().contains("sure?"), "names the dialog: {:#}", told.error);
        web.ended(|site| told.and(site.hits("focus"), 1).in_vain()).await
    }),
    driver!(WebdriverPressIntercepted, |world| {
        let web = Web::open(world, BUTTON).await;
        web.proxy.cut(
            1,
            "POST",
            "/actions",
            Cut::First("const d=document.createElement('dialog');d.style='position:fixed;inset:0;width:100%;height:100%;opacity:.5';d.textContent='Over';document.body.append(d);d.show()"),
        );
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(DaemonRefusalTargetGone, |world| {
        let web = Web::open(world, BUTTON).await;
        before_it_is_aimed_at(&web, "document.getElementById('b').remove()").await;
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(DaemonRefusalTargetChanged, |world| {
        let web = Web::open(world, BUTTON).await;
        before_it_is_aimed_at(&web, "document.getElementById('b').textContent = 'Something else'").await;
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(WebdriverPressTargetChanged, |world| {
        let web = Web::open(world, BUTTON).await;
        web.proxy.cut(1, "POST", "/actions", Cut::First("document.getElementById('b').textContent = 'Delete'"));
        let told = web.session.fails("press id=b").await;
        assert!(told.message().contains("Delete"), "names what it is now: {:#}", told.error);
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(WebdriverWindowGone, |world| {
        let mut web = Web::open(world, "<button id=o onclick=\"window.open('/other')\">Open</button>").await;
        web.session.does("press id=o").await;
        web.close_window().await;
        let told = web.session.fails("type hello").await;
        web.ended(|_| told.and(0, 5)).await
    }),
    driver!(WebdriverWindowWithoutPage, |world| {
        // The browser shows no such address in a window of its own: the window never gets a page.
        let web = Web::open(world, "<a href='data:text/html,Nothing' target=_blank>Open</a>").await;
        web.session.does("press role=link").await;
        let told = web.session.fails("windows --switch 2").await;
        let listed = web.session.does("windows").await;
        assert_eq!(listed["windows"][0]["active"], true, "commands still go to the first: {listed}");
        web.ended(|_| told.and(0, 1)).await
    }),
    driver!(WebdriverLastWindow, |world| {
        let web = Web::open(world, BUTTON).await;
        let told = web.session.fails("windows --close 1").await;
        let pressed = web.session.run("press id=b").await.is_ok();
        assert!(pressed, "the window is still there");
        web.ended(|_| told.and(0, 1)).await
    }),
    driver!(WebdriverErrorUnlisted, |world| {
        let web = Web::open(world, BUTTON).await;
        // No browser can be made to answer so at will.
        web.proxy.cut(1, "POST", "/actions", Cut::Refuse(500, "unknown error"));
        let told = web.session.fails("press id=b").await;
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(WebdriverSessionGone, |world| {
        let web = Web::open(world, BUTTON).await;
        web.driver.kill_browser();
        let told = web.session.fails("press id=b").await;
        // Nothing that is waited for comes any more.
        for wait in ["wait text Never 60000", "find Never wait --wait-ms 60000"] {
            assert_eq!(web.session.fails(wait).await.code, "SESSION_LOST", "{wait}");
        }
        web.ended(|site| told.and(site.hits("press"), 1)).await
    }),
    driver!(WebdriverSessionLostInInput, |world| {
        let web = Web::open(
            world,
            "<button id=b style='width:200px;height:60px' onpointerdown=\"hit('press')\">Press</button>",
        )
        .await;
        let told = {
            let pressed = web.session.fails("longpress id=b 4000");
            let killed = async {
                until("the contact is down", || web.site.hits("press") == 1).await;
                web.driver.kill_browser();
            };
            tokio::join!(pressed, killed).0
        };
        web.ended(|site| told.under(Row::WebdriverSessionLostInInput).and(site.hits("press"), 1)).await
    }),
];

/// Has the page run `script` between the capture that finds a target and the look that aims at it.
async fn before_it_is_aimed_at(web: &Web<'_>, script: &'static str) {
    web.session.does("snapshot").await;
    let looks = web.proxy.handed_on("POST", "/execute/sync");
    web.session.does("get text id=b").await;
    let capture = web.proxy.handed_on("POST", "/execute/sync") - looks;
    web.proxy.cut(u32::try_from(capture).expect("a few looks"), "POST", "/execute/sync", Cut::First(script));
}

/// The page that most drivers of this folder press on.
pub async fn button(world: &crate::world::World) -> Web<'_> {
    Web::open(world, BUTTON).await
}

/// What the site saw of [`button`].
pub fn presses(site: &Site) -> u32 {
    site.hits("press")
}
