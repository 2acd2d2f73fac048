//! The page in a real Chromium.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a test")]

mod support;

use std::path::PathBuf;

use serde_json::json;
use support::{axe, browser::Browser, sample};
use trace_page::{Page, Run, Trace};

const LABELS: [&str; 3] = ["Basket", "Store", "Account"];
const DOWN: &str = "\u{e015}";
const ESCAPE: &str = "\u{e00c}";

/// A page of a failing run, in a folder of its own.
fn failing(label: &str, labels: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let attempt = sample::failing(&folder.path().join("trace"), labels, label);
    let trace = Trace::read(&folder.path().join("trace")).unwrap();
    let mut page = Page::new("Buy a lamp");
    page.file = "flows/shop.ad".into();
    page.facts.push(("tag".into(), "smoke".into()));
    page.runs.push(Run::of_attempt(&attempt, Some(trace)));
    let path = folder.path().join("page.html");
    page.write(&path).unwrap();
    // The page needs nothing that lies beside it.
    std::fs::remove_dir_all(folder.path().join("trace")).unwrap();
    (folder, path)
}

const CHOSEN: &str = "return document.querySelector('#steps [aria-selected=true] .number').textContent";

#[test]
fn a_failing_run_opens_at_its_failure_and_tells_it_in_words() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let (_folder, page) = failing("Save", &LABELS);
    browser.open(&page);
    browser.until("return document.querySelectorAll('.leaf').length === 4");
    assert_eq!(browser.run(CHOSEN), "5");
    let told = browser.run("return document.querySelector('.failure').innerText");
    let told = told.as_str().unwrap();
    for words in [
        "Nothing on the screen matches label=Save.",
        "shop.ad:7",
        "looked at 11 times in 2.0 s; the target never appeared",
        "dispatched: no",
        "It is safe to try this step again",
        "Perhaps [button] \"Store\" is meant: id=store",
        "go on from it: --from 5 --plan-digest 00ff",
        "id=store [button] “Store” (role and label)",
        "[button] \"Store\"",
    ] {
        assert!(told.contains(words), "{words:?} in:\n{told}");
    }
    assert!(!told.contains("dispatched: unknown"), "of the step, not of the run: {told}");
    // Its pictures are equal: one is shown, and it is decoded.
    browser.until("return [...document.querySelectorAll('.shot img')].filter((one) => one.complete && one.naturalWidth === 390).length === 1");
    assert_eq!(browser.run("return document.querySelectorAll('.bar .look').length"), 11);
    assert_eq!(browser.console(), Vec::<String>::new());
    assert_eq!(browser.requests(), [format!("file://{}", page.display())]);
}

#[test]
fn every_key_does_what_the_list_of_keys_says() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let (_folder, page) = failing("Save", &LABELS);
    browser.open(&page);
    for (keys, chosen) in
        [(["k"], "4"), (["j"], "5"), ([DOWN], "6"), (["p"], "5"), (["p"], "4"), (["\u{e011}"], "1"), (["n"], "4")]
    {
        browser.press(&keys);
        assert_eq!(browser.run(CHOSEN), chosen, "after {keys:?}");
    }
    browser.press(&["\u{e011}", "j"]);
    // The second step has two pictures, its target on the first, and the target marked in the tree.
    browser.until("return document.querySelectorAll('.shot img').length === 2");
    browser.until("return document.querySelector('.leaf.target')?.innerText.includes('Store')");
    let marks = browser
        .run("return [...document.querySelectorAll('.shot')].map((one) => one.querySelectorAll('.mark').length)");
    assert_eq!(marks, json!([2, 0]));
    browser.press(&["4"]);
    assert_eq!(browser.run("return document.querySelectorAll('.slide').length"), 1);
    browser.press(&["1", "\u{e011}", "\u{e012}"]);
    assert_eq!(browser.run("return [...document.querySelectorAll('.step')].filter((one) => !one.hidden).length"), 4);
    browser.press(&["\u{e014}", "f"]);
    let failed = "return [...document.querySelectorAll('.step')].filter((one) => !one.hidden).map((one) => one.querySelector('.number').textContent).join()";
    assert_eq!(browser.run(failed), "4,5");
    browser.press(&["f", "/", "s", "h", "o", "p", ".", "a", "d", ":", "8"]);
    assert_eq!(browser.run(failed), "6");
    browser.press(&[ESCAPE, "t", "a", "c", "c"]);
    assert_eq!(browser.run("return document.querySelectorAll('.leaf').length"), 1);
    browser.press(&[ESCAPE, "d"]);
    assert_eq!(browser.run("return document.documentElement.dataset.theme"), "dark");
    browser.press(&["?"]);
    assert_eq!(browser.run("return document.getElementById('keys').open"), true);
    browser.press(&[ESCAPE]);
    assert_eq!(browser.run("return document.getElementById('keys').open"), false);
    assert_eq!(browser.console(), Vec::<String>::new());
}

#[test]
fn a_node_in_the_tree_and_its_place_on_the_picture_show_each_other() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let (_folder, page) = failing("Save", &LABELS);
    browser.open(&page);
    browser.until("return document.querySelectorAll('.leaf').length === 4");
    browser
        .run("document.querySelectorAll('.leaf')[3].dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))");
    let outlined = browser.run("return document.querySelector('.mark-hover').getAttribute('y')");
    assert_eq!(outlined, "140");
    let over = "const box = document.querySelector('.shot').getBoundingClientRect();
        const at = {bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height * 42 / 780};
        document.querySelector('.shot').dispatchEvent(new PointerEvent('pointermove', at));
        document.querySelector('.shot').dispatchEvent(new MouseEvent('click', at));";
    browser.run(over);
    assert_eq!(browser.run("return document.querySelector('.leaf.pointed .label').textContent"), "Basket");
    let node = browser.run("return document.getElementById('node').innerText");
    assert!(node.as_str().unwrap().contains("358 × 44 at (16, 20)"), "{node}");
}

#[test]
fn what_an_app_says_is_shown_and_never_run() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let hostile = [
        "</script><script>window.hacked = 1</script>",
        "<!--<script>",
        "</script attribute",
        "<!--<script attribute",
        "<img src=x onerror='window.hacked = 2'>",
        "\"'`${window.hacked = 3}\u{2028}\u{2029}\u{0}\u{202e}",
        "]]>&lt;b&gt;",
        "__proto__",
    ];
    let label = hostile.join(" ");
    let (_folder, page) = failing(&label, &hostile);
    browser.open(&page);
    browser.until("return document.querySelectorAll('.leaf').length === 9");
    assert!(browser.run("return window.hacked").is_null());
    let shown =
        browser.run("return [...document.querySelectorAll('.leaf .label')].slice(1).map((one) => one.textContent)");
    assert_eq!(shown, json!(hostile));
    assert_eq!(browser.run("return document.querySelectorAll('#app script, #app img[src=x]').length"), 0);
    let heading = browser.run("return document.querySelector('.step-head h2').textContent");
    assert_eq!(heading, format!("press label=\"{label}\""));
    assert_eq!(browser.console(), Vec::<String>::new());
    assert_eq!(browser.requests().len(), 1);
}

#[test]
fn no_other_script_runs_in_the_page() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let (_folder, page) = failing("Save", &LABELS);
    let text = std::fs::read_to_string(&page).unwrap();
    let added =
        "<script>window.hacked = 1</script><img src=\"http://127.0.0.1:9/x\"><body onload=\"window.hacked = 2\">";
    std::fs::write(&page, text.replace("<body>", added)).unwrap();
    browser.open(&page);
    assert!(browser.run("return window.hacked").is_null());
    let said = browser.console().join("\n");
    assert!(said.contains("Content Security Policy"), "{said}");
    assert!(!said.contains("ERR_CONNECTION"), "{said}");
    // A script that was changed does not run either.
    std::fs::write(&page, text.replacen("\"use strict\";", "\"use strict\"; window.hacked = 3;", 1)).unwrap();
    browser.load(&page);
    assert!(browser.run("return window.hacked").is_null());
    assert_eq!(browser.run("return document.getElementById('app').hidden"), true);
}

#[test]
fn axe_finds_nothing_in_light_and_dark_wide_and_narrow() {
    let Some(script) = axe::script() else { return };
    for (width, height, dark) in
        [(1440, 900, false), (1440, 900, true), (900, 700, false), (375, 812, false), (375, 812, true)]
    {
        let Some(mut browser) = Browser::start(width, height, dark) else { return };
        let (_folder, page) = failing("Save", &LABELS);
        browser.open(&page);
        browser.run(&script);
        for (what, act) in [
            ("the failure", "document.querySelectorAll('details').forEach((one) => { one.open = true; })"),
            ("the list", "document.querySelector('.tabs [data-tab=steps]').click()"),
            ("a step with two pictures", "document.querySelectorAll('.step')[1].click()"),
            (
                "the tree",
                "document.querySelector('.tabs [data-tab=tree]').click(); document.querySelectorAll('.leaf')[2].click()",
            ),
            ("the keys", "document.getElementById('keys-open').click()"),
        ] {
            browser.until("return document.querySelectorAll('.leaf').length === 4");
            browser.run(act);
            let found = browser.settled(
                "axe.run(document, {resultTypes: ['violations']}).then((all) => all.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.target + ' ' + node.failureSummary)))",
            );
            assert_eq!(found, json!([]), "{what}, {width} px, dark: {dark}");
        }
        let fits = browser.run("return document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(fits, true, "{width} px");
    }
}

#[test]
fn a_thousand_steps_are_listed_and_only_a_few_pictures_are_decoded() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("trace");
    let labels: Vec<String> = (0..100).map(|number| format!("Row {number}")).collect();
    let entries: Vec<_> = (1..=1000_u32)
        .map(|number| {
            let at = u64::from(number) * 100;
            let mut names: Vec<&str> = labels.iter().map(String::as_str).collect();
            let own = format!("Only in step {number}");
            names.push(&own);
            let [_, red, green, blue] = (number * 37).to_be_bytes();
            let picture = sample::png(117, 234, [red, green, blue], 3000);
            let mut entry = sample::entry(number, &format!("press label=\"Row {number}\""), at);
            entry.after = Some(sample::screen(&inside, &number.to_string(), at, &picture, &sample::tree(&names)));
            entry
        })
        .collect();
    sample::write(&inside, &entries);
    let mut page = Page::new("A long run");
    page.runs.push(Run::of_trace(Trace::read(&inside).unwrap()));
    let path = folder.path().join("page.html");
    let began = std::time::Instant::now();
    page.write(&path).unwrap();
    let (made, bytes) = (began.elapsed(), std::fs::metadata(&path).unwrap().len());
    browser.open(&path);
    browser.until("return document.readyState === 'complete' && document.querySelectorAll('.leaf').length === 102");
    let paint = browser.run("return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime)");
    assert_eq!(browser.run("return document.querySelectorAll('.step').length"), 1000);
    let pictures = browser.run("return document.images.length").as_u64().unwrap();
    assert!(pictures < 60, "{pictures}");
    let walked = browser.settled(
        "(async () => { const began = performance.now(); for (let at = 0; at < 200; at++) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'j', bubbles: true}));
            await new Promise(requestAnimationFrame);
        } return Math.round((performance.now() - began) / 200); })()",
    );
    assert_eq!(browser.run(CHOSEN), "201");
    browser.until("return document.getElementById('tree').textContent.includes('Only in step 201')");
    browser.press(&["\u{e010}"]);
    browser.until("return document.getElementById('tree').textContent.includes('Only in step 1000')");
    assert_eq!(browser.console(), Vec::<String>::new());
    println!(
        "1000 steps: made in {made:?}, {bytes} bytes; first paint after {paint} ms, {walked} ms per step walked, {pictures} pictures decoded"
    );
}

#[test]
fn attempts_are_chosen_and_addresses_lead_to_a_step() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new("Twice");
    for number in 1..=2 {
        let inside = folder.path().join(number.to_string());
        let mut attempt = sample::failing(&inside, &LABELS, if number == 1 { "First" } else { "Second" });
        attempt.number = number;
        page.runs.push(Run::of_attempt(&attempt, Some(Trace::read(&inside).unwrap())));
    }
    let path = folder.path().join("page.html");
    page.write(&path).unwrap();
    browser.open(&path);
    let heading = "return document.querySelector('.step-head h2').textContent";
    assert_eq!(browser.run(heading), "press label=\"Second\"");
    browser.run("document.querySelector('#attempts button').click()");
    assert_eq!(browser.run(heading), "press label=\"First\"");
    browser.run("location.hash = '#2.3'");
    browser.until("return document.querySelector('#steps [aria-selected=true] .number').textContent === '3'");
    assert_eq!(browser.run(heading), "press label=\"Second\"");
    browser.run("document.getElementById('strip').focus()");
    browser.press(&["\u{e014}", "\u{e014}"]);
    assert_eq!(browser.run("return document.getElementById('strip').getAttribute('aria-valuenow')"), "5");
    browser.until("return location.hash === '#2.5'");
}

#[test]
fn a_step_without_a_picture_shows_what_was_seen_around_it_and_says_so() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut entries: Vec<_> =
        (1..=3).map(|number| sample::entry(number, "press @e1", u64::from(number) * 100)).collect();
    let picture = sample::png(39, 78, [200, 220, 240], 0);
    entries[1].after = Some(sample::screen(folder.path(), "only", 240, &picture, &sample::tree(&LABELS)));
    sample::write(folder.path(), &entries);
    let mut page = Page::new("Few pictures");
    page.runs.push(Run::of_trace(Trace::read(folder.path()).unwrap()));
    let path = folder.path().join("page.html");
    page.write(&path).unwrap();
    browser.open(&path);
    for (key, said) in [("\u{e011}", "seen next, in step 2"), ("j", ""), ("j", "seen last, in step 2")] {
        browser.press(&[key]);
        let screens = browser.run("return document.querySelector('.screens').innerText");
        let screens = screens.as_str().unwrap();
        assert!(
            screens.contains(said) && said.is_empty() != screens.contains("No picture was taken here"),
            "{screens}"
        );
        assert_eq!(browser.run("return document.querySelectorAll('.shot img').length"), 1);
    }
}

#[test]
fn what_the_network_was_asked_stands_with_its_step_and_what_failed_stands_out() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let (_folder, page) = failing("Save", &LABELS);
    browser.open(&page);
    browser.until("return document.querySelectorAll('.requests tbody tr').length === 5");
    let told = browser.run("return document.querySelector('.network').innerText");
    let told = told.as_str().unwrap();
    for words in ["12 requests, 2 failed, 7 not listed", "no answer", "500", "cache", "4.3 kB", "Some may be missing."]
    {
        assert!(told.contains(words), "{words:?} in:\n{told}");
    }
    let failed = "return [...document.querySelectorAll('.requests tr.failed .address')].map((one) => one.title)";
    assert_eq!(browser.run(failed), json!(["http://shop.test/api/pay", "http://shop.test/api/again"]));
    let fits = "return document.documentElement.scrollHeight <= innerHeight";
    assert_eq!(browser.run(fits), true, "the page itself does not scroll");
    // The list counts them, and finds the step by what it asked for.
    let counts = "return [...document.querySelectorAll('.step .asked')].map((one) => one.title)";
    let (few, more) = ("3 requests", "12 requests, 2 failed");
    assert_eq!(browser.run(counts), json!([few, few, more, more]));
    browser.press(&["/", "a", "p", "i", "/", "p", "a", "y"]);
    let found = "return [...document.querySelectorAll('.step')].filter((one) => !one.hidden).map((one) => one.querySelector('.number').textContent).join()";
    assert_eq!(browser.run(found), "4,5");
    browser.press(&[ESCAPE]);
    // One stop for the tab key; the arrows walk, and the whole address shows.
    browser.run("document.querySelector('.requests .address').focus()");
    let shown = "return document.activeElement.innerText";
    assert_eq!(browser.run(shown), "http://shop.test/api/basket");
    let long = browser.run("return document.querySelectorAll('.requests .address .short')[1].textContent");
    assert!(long.as_str().unwrap().contains('\u{2026}') && long.as_str().unwrap().ends_with("?for=Save"), "{long}");
    browser.press(&[DOWN]);
    let whole = format!("http://shop.test/pictures/of/a/lamp/{}.png?for=Save", "x".repeat(60));
    assert_eq!(browser.run(shown), whole);
    assert_eq!(browser.run("return document.querySelectorAll('.requests .address[tabindex=\"0\"]').length"), 1);
    assert_eq!(browser.run(CHOSEN), "5", "the arrows stay in the table");
    let began = browser.run("return document.querySelectorAll('.requests .when')[1].title");
    assert_eq!(began, "began 20 ms before the command");
    assert_eq!(browser.console(), Vec::<String>::new());
    assert_eq!(browser.requests().len(), 1);
}

#[test]
fn a_device_that_does_not_tell_of_its_network_is_said_to_be_one() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let folder = tempfile::tempdir().unwrap();
    let picture = sample::png(39, 78, [200, 220, 240], 0);
    let mut entries = vec![sample::entry(1, "press @e1", 100), sample::entry(2, "press @e1", 200)];
    for entry in &mut entries {
        entry.after = Some(sample::screen(folder.path(), "only", 240, &picture, &sample::tree(&LABELS)));
    }
    let told =
        "return [...document.querySelectorAll('.network')].map((one) => one.innerText.replace(/\\s+/g, ' ')).join()";
    for (network, said) in [
        (None, "Network This device does not tell what its apps ask of the network."),
        (Some(contract::trace::Network::default()), "Network Nothing was loaded"),
    ] {
        entries[0].network = network;
        sample::write(folder.path(), &entries);
        let mut page = Page::new("Quiet");
        page.runs.push(Run::of_trace(Trace::read(folder.path()).unwrap()));
        let path = folder.path().join("page.html");
        page.write(&path).unwrap();
        browser.load(&path);
        assert_eq!(browser.run(told), said);
        assert_eq!(browser.run("return document.querySelectorAll('.asked').length"), 0);
    }
    browser.press(&["j"]);
    assert_eq!(browser.run(told), "", "a command that nobody looked at the network after");
}

#[test]
fn what_is_missing_is_said_and_drawn_from_the_tree() {
    let Some(mut browser) = Browser::start(1440, 900, false) else { return };
    let folder = tempfile::tempdir().unwrap();
    let attempt = sample::failing(&folder.path().join("trace"), &LABELS, "Save");
    let mut page = Page::new("Small");
    page.picture_bytes = 0;
    page.runs.push(Run::of_attempt(&attempt, Some(Trace::read(&folder.path().join("trace")).unwrap())));
    let path = folder.path().join("page.html");
    page.write(&path).unwrap();
    browser.open(&path);
    browser.until("return document.querySelectorAll('.sketch text').length === 3");
    let said = browser.run("return document.getElementById('problems').innerText");
    assert!(said.as_str().unwrap().starts_with("3 of 3 pictures left out"), "{said}");
    // A page without anything is a page, too.
    Page::new("Nothing").write(&path).unwrap();
    browser.open(&path);
    assert_eq!(browser.run("return document.getElementById('detail').innerText"), "This run has no steps.");
    assert_eq!(browser.console(), Vec::<String>::new());
}
