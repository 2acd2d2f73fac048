//! A page's script, recorded by using the page, and run again on the page as it is after somebody changed it: renamed, moved,
//! delayed, covered, removed. What a newcomer is told has to name the cause.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test: what it does not expect has to fail it")]

use std::{fs, path::PathBuf};

use proof::{program::Program, site::Site, world::GROUND};
use serde_json::Value;

const SHOP: &str = include_str!("../assets/shop.html");

struct Shop {
    program: Program,
    site: Site,
    script: PathBuf,
}

impl Shop {
    /// Records a person who orders tea.
    async fn recorded() -> Self {
        let site = Site::with(SHOP).await;
        let program = Program::new();
        let script = program.folder().join("order.ad");
        let open = format!("--save-script={}", script.display());
        program.does(&["open", &site.url, "--platform", "web", &open]).await;
        program.does(&["fill", "id=name", "Ada"]).await;
        program.does(&["fill", "id=code", "open sesame", "--record-as", "CODE"]).await;
        let shown = program.does(&["snapshot", "-i"]).await;
        let button = shown["nodes"].as_array().unwrap().iter().find(|node| node["label"] == "Order").unwrap();
        let reference = format!("@{}", button["ref"].as_str().unwrap());
        program.does(&["press", &reference]).await;
        program.does(&["wait", "text", "Thank you, Ada"]).await;
        program.does(&["close"]).await;
        assert_eq!(site.hits("order"), 1);
        Self { program, site, script }
    }

    /// Runs it on the page as it is now; what is told, and how often the order was sent.
    async fn now(&self, broken: &str) -> (i32, Value, u32) {
        let text = fs::read_to_string(&self.script).unwrap();
        let path = format!("/?break={broken}");
        self.site.add(&path, SHOP);
        let url = format!("{}{path}", self.site.url);
        let script = self.program.folder().join(format!("{broken}.ad"));
        let changed = text.replace(&format!("\"{}\"", self.site.url), &format!("\"{url}\""));
        let changed = if changed == text { text.replace(&self.site.url, &url) } else { changed };
        assert_ne!(changed, text, "the address stands in the script: {text}");
        fs::write(&script, changed).unwrap();
        let before = self.site.hits("order");
        let ended = self
            .program
            .run(&["replay", script.to_str().unwrap(), "-e", "CODE=open sesame", "--trace", "--json"])
            .await;
        let envelope: Value = serde_json::from_str(&ended.out).unwrap_or_else(|why| panic!("{why}: {ended:?}"));
        if ended.code != 0 {
            // A session that a failed run leaves is for looking at.
            self.program.does(&["close"]).await;
        }
        (ended.code, envelope, self.site.hits("order") - before)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_says_what_became_of_its_page() {
    if std::env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some() {
        return;
    }
    let shop = Shop::recorded().await;
    let text = fs::read_to_string(&shop.script).unwrap();
    assert!(!text.contains("sesame") && text.contains("${CODE}"), "{text}");
    assert!(!text.contains("@e"), "a ref means nothing in another run: {text}");

    // As it was, and what does not matter.
    for (broken, waits) in [("none", false), ("moved", false), ("reworded", false), ("delayed", true)] {
        let (code, told, orders) = shop.now(broken).await;
        assert_eq!((code, orders), (0, 1), "{broken}: {told:#}");
        assert_eq!(told["data"]["waited"].as_array().is_some_and(|steps| !steps.is_empty()), waits, "{told:#}");
    }

    for (broken, kind, cause) in [
        ("renamed", "selector-miss", "ELEMENT_NOT_FOUND"),
        ("removed", "selector-miss", "ELEMENT_NOT_FOUND"),
        ("covered", "unreachable", "ELEMENT_COVERED"),
        // Its id belongs to something else now: what the selector finds is not what was recorded.
        ("swapped", "identity-mismatch", "ELEMENT_NOT_FOUND"),
    ] {
        let (code, told, orders) = shop.now(broken).await;
        let error = &told["error"];
        let divergence = &error["details"]["divergence"];
        assert_eq!(orders, 0, "{broken}");
        assert_eq!((code, error["code"].as_str()), (3, Some("REPLAY_DIVERGENCE")), "earlier steps acted: {told:#}");
        assert_eq!((divergence["kind"].as_str(), divergence["cause"]["code"].as_str()), (Some(kind), Some(cause)));
        assert_eq!(divergence["step"]["dispatched"], "no", "the press itself was not sent: {divergence:#}");
        assert_eq!(divergence["resume"]["from"], divergence["step"]["index"]);
        assert!(divergence["step"]["text"].as_str().unwrap().starts_with("press"), "{divergence:#}");
        match broken {
            "renamed" => {
                let likely = &divergence["suggestions"][0];
                assert_eq!(likely["label"], "Order now", "{divergence:#}");
            }
            "swapped" => {
                let cause = &divergence["cause"]["details"];
                assert_eq!(
                    (&cause["expected"]["label"], &cause["found"]["role"]),
                    (&"Order".into(), &"checkbox".into())
                );
                assert_eq!(cause["dispatchRow"], "daemon.refusal.identity-mismatch", "{divergence:#}");
                assert_eq!(divergence["suggestions"][0]["id"], "send-now", "the one that is meant: {divergence:#}");
            }
            "removed" => {
                assert!(divergence["screen"]["refs"].as_array().unwrap().len() >= 3, "{divergence:#}");
                let hint = error["hint"].as_str().unwrap();
                assert!(hint.starts_with("it was [button] \"Order\" when it was recorded, and"), "{hint}");
            }
            _ => assert!(error["message"].as_str().unwrap().contains("We use cookies"), "{error:#}"),
        }
        let page = fs::read_to_string(told["error"]["details"]["trace"].as_str().unwrap()).unwrap();
        assert!(page.contains("REPLAY_DIVERGENCE") || page.contains(cause), "the page shows the failure");
        assert!(!page.contains("sesame"), "what was typed as a code is nowhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repaired_press_whose_reply_is_lost_may_have_landed() {
    let program = Program::new();
    let fault = "[[fault]]\non = \"press\"\nkind = \"restart-after-effect\"\n";
    fs::write(program.folder().join("ground.toml"), format!("{GROUND}\n{fault}")).unwrap();
    program.does(&["open", "ground.toml"]).await;
    let evidence = r#"# agent-device:target-v1 {"role":"button","label":"Save","verification":"unique"}"#;
    fs::write(program.folder().join("save.ad"), format!("{evidence}\npress id=gone\n")).unwrap();
    let (code, told) = program.fails(&["replay", "save.ad", "--save-script"]).await;
    assert_eq!((code, told.dispatched.as_str()), (3, "unknown"), "{:#}", told.error);
    let divergence = &told.error["details"]["divergence"];
    assert_eq!(divergence["step"]["dispatched"], "unknown", "the press under the new name was sent: {divergence:#}");
    assert_eq!(divergence["kind"], "action-failure", "{divergence:#}");
}
