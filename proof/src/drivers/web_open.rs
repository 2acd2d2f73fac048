//! Opening a browser and going to an address.

use std::{os::unix::fs::PermissionsExt, path::Path};

use contract::{Request, Row, view::Platform};

use super::Driver;
use crate::{browser_driver::chromedriver, program::Program, seen::Told, site::Site, web::Web};

/// See the module.
pub const DRIVERS: &[Driver] = &[
    driver!(WebdriverDriverMissing, |_world| {
        let told = with_programs(|_folder| ()).await;
        assert!(told.hint().contains("install"), "says what to install: {:#}", told.error);
        told.without_app()
    }),
    driver!(WebdriverDriverNotReady, |_world| {
        let told = with_programs(|folder| {
            program(&folder.join("chromedriver"), "echo out of order >&2; exit 3");
            program(&folder.join("chromium"), "exit 0");
        })
        .await;
        assert!(told.error.to_string().contains("out of order"), "shows the driver's log: {:#}", told.error);
        told.without_app()
    }),
    driver!(WebdriverBrowserNotStarted, |_world| {
        let told = with_programs(|folder| {
            std::os::unix::fs::symlink(chromedriver(), folder.join("chromedriver")).expect("a link");
            program(&folder.join("chromium"), "exit 1");
        })
        .await;
        told.without_app()
    }),
    driver!(WebdriverNavigateBadUrl, |world| {
        let session = world.session("web");
        let open = Request { platform: Some(Platform::Web), ..session.request("open 'http://a b/'") };
        session.fails_at(&open).await.without_app()
    }),
    driver!(WebdriverNavigateFailed, |world| {
        let session = world.session("web");
        let told = session.fails(&format!("open {}", nobody_listens().await)).await;
        assert!(told.message().contains("nothing listens there"), "{:#}", told.error);
        session.fails("snapshot").await.under(Row::DaemonAdmissionSessionNotFound);
        told.without_app()
    }),
    driver!(WebdriverNavigateTimeout, |world| {
        let mut web = Web::open(world, "<p>here").await;
        // The driver's own limit, made short once the browser is up.
        web.ask("POST", "/timeouts", r#"{"pageLoad":700}"#).await;
        let told = web.session.fails(&format!("open {}/slow", web.site.url)).await;
        let seen = web.ended(|site| told.and(site.hits("page /slow"), 1).in_vain()).await;
        assert_eq!(seen.truth.landed, 1, "the page was asked for");
        seen
    }),
    driver!(WebdriverBackNowhere, |world| {
        let site = Site::with("<p>here").await;
        let session = world.session("web");
        session.does(&format!("open {}", site.url)).await;
        let before = site.hits("page /");
        let told = session.fails("back").await;
        told.and(site.hits("page /") - before, 1)
    }),
    driver!(WebdriverTabCrashed, |world| {
        let site = Site::with("<p>here").await;
        let session = world.session("web");
        session.does(&format!("open {}", site.url)).await;
        session.fails("open chrome://crash").await.without_app()
    }),
];

/// An address where nobody listens.
async fn nobody_listens() -> String {
    let taken = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    format!("http://{}/", taken.local_addr().expect("an address"))
}

/// `open` through the real program where only the programs of one folder can be found.
async fn with_programs(put: impl FnOnce(&Path)) -> Told {
    let mut program = Program::new();
    let folder = program.folder().join("programs");
    std::fs::create_dir(&folder).expect("a folder");
    put(&folder);
    program.environment.push(("PATH".into(), folder.display().to_string()));
    let (code, told) = program.fails(&["open", "http://127.0.0.1:1/"]).await;
    assert_eq!((code, told.code.as_str()), (1, "TOOL_MISSING"), "{:#}", told.error);
    program.end().await;
    told
}

/// A program made of shell words.
fn program(path: &Path, does: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{does}\n")).expect("a file");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
}
