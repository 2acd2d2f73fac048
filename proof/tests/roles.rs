//! Roles and names against the browser's own, on pages that nobody of this project wrote.
//!
//! `AGENT_DEVICE_TEST_ALL_PAGES=1`: all of `proof/pages/pages.toml`, not only those of every run.
//! `AGENT_DEVICE_TEST_OFFLINE=1`: only archives that were fetched before.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use backend::{Device, Input, Provider};
use contract::command::{Browser, Open};
use proof::{
    browser_driver::BrowserDriver,
    pages::{
        archive::{self, Cache, Missing},
        connection::Connection,
        listing::{self, Page},
        reading::{Reader, Reading},
        server::Server,
        verdict,
    },
};
use tokio::{sync::Semaphore, task::JoinSet};
use webdriver::{WebProvider, launch::VIEWPORT};
use wire::Context;

/// Clients of registries that run at a time.
const CLIENTS: usize = 4;

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The pages of this run in the order of the list, each with the folder that is its site.
async fn sites() -> (Vec<(Page, PathBuf)>, Vec<String>) {
    let cache = Arc::new(Cache::from_environment());
    let wanted = listing::pages().into_iter().filter(|(page, _)| page.ci || is_set("AGENT_DEVICE_TEST_ALL_PAGES"));
    let wanted: Vec<_> = wanted.collect();
    let mut files: Vec<_> = wanted.iter().flat_map(|(_, archives)| archives).cloned().collect();
    files.sort_by(|one, other| one.id.cmp(&other.id));
    files.dedup();
    let (clients, mut fetching) = (Arc::new(Semaphore::new(CLIENTS)), JoinSet::new());
    for archive in files {
        let (cache, clients) = (cache.clone(), clients.clone());
        fetching.spawn(async move {
            let _turn = clients.acquire().await;
            (archive.id.clone(), cache.file(&archive).await.err())
        });
    }
    let fetched = fetching.join_all().await;
    let missing = |id: &str| fetched.iter().find(|(one, _)| one == id).and_then(|(_, why)| why.clone());
    let (mut sites, mut left_out) = (Vec::new(), Vec::new());
    for (page, archives) in wanted {
        let found = match archives.iter().find_map(|archive| missing(&archive.id)) {
            Some(why) => Err(why),
            None => cache.unpacked(&archives).await,
        };
        match found {
            Ok(folder) => sites.push((page, folder)),
            Err(Missing::LeftOut(why)) => left_out.push(format!("left out: {}: {why}", page.id)),
            Err(Missing::Broken(why)) => panic!("{}: {why}", page.id),
        }
    }
    (sites, left_out)
}

/// A browser behind a driver of this test's own, with the viewport that a browser of the backend has.
async fn open(driver: &BrowserDriver, state: PathBuf) -> Arc<dyn Device> {
    let open = Open { browser: Some(Browser::Chrome), driver_url: Some(driver.url()), ..Open::default() };
    let context = Context::with_limit(Duration::from_secs(60));
    let device =
        WebProvider::new(state).open(&context, &Browser::Chrome.to_string(), &open).await.expect("the browser opens");
    let (width, height) = VIEWPORT;
    device.perform(&context, Input::Viewport { width, height }).await.expect("the viewport can be set");
    device
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roles_and_names_on_web_pages_of_others_are_the_browsers_own() {
    if is_set("AGENT_DEVICE_TEST_WITHOUT_BROWSER") {
        println!("skipped: there is no browser (AGENT_DEVICE_TEST_WITHOUT_BROWSER)");
        return;
    }
    let (sites, left_out) = sites().await;
    println!("{}", left_out.join("\n"));
    if is_set("AGENT_DEVICE_TEST_OFFLINE") && sites.len() < verdict::MIN_PAGES {
        println!("skipped: {} pages are in the cache, {} are needed", sites.len(), verdict::MIN_PAGES);
        return;
    }
    let state = tempfile::tempdir().unwrap();
    let mut driver = BrowserDriver::start().await;
    let device = open(&driver, state.path().to_owned()).await;
    let mut connection = Connection::joining(&driver.authority).await;
    connection.only_from("127.0.0.1").await;
    let mut readings: Vec<Reading> = Vec::new();
    let mut wrong: Vec<String> = Vec::new();
    for (page, folder) in sites {
        let server = Server::of(&folder, page.aliases.clone()).await;
        let mut reader = Reader { device: &*device, connection: &mut connection };
        match reader.read(&page, format!("{}/{}", server.url, page.file)).await {
            Ok(reading) => readings.push(reading),
            Err(why) => wrong.push(why),
        }
    }
    let version = connection.version.clone();
    device.close(&Context::with_limit(Duration::from_secs(30))).await.expect("the browser closes");
    driver.kill().await;
    let known = listing::differences();
    println!("Chromium {version} (the list of differences: {})\n{}", known.browser, verdict::table(&readings));
    wrong.extend(verdict::objections(&readings, &known));
    assert!(
        wrong.is_empty(),
        "with Chromium {version}; differences were listed with {}:\n{}",
        known.browser,
        wrong.join("\n")
    );
}

#[test]
fn the_library_is_the_build_that_its_hashes_name() {
    let folder = listing::folder().join("vendor");
    let sums = std::fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    let named: Vec<_> = sums.lines().map(|line| line.split_once("  ").unwrap()).collect();
    assert!(named.iter().any(|(_, file)| *file == "dom-accessibility-api.js"));
    for (sum, file) in named {
        assert_eq!(archive::hash(&folder.join(file)).unwrap(), sum, "{file}");
    }
}
