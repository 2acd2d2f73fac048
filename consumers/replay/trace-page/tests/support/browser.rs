//! A Chromium of the test's own, behind the installed chromedriver.

use std::{
    env,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// No request to the driver, and no condition in the page, is waited for longer.
const LIMIT: Duration = Duration::from_secs(120);

/// The browser. It goes with the value.
pub struct Browser {
    driver: Child,
    authority: String,
    session: String,
    _home: tempfile::TempDir,
}

impl Browser {
    /// `None`, with a line that says so, where tests are to run without one.
    pub fn start(width: u32, height: u32, dark: bool) -> Option<Self> {
        if env::var_os("AGENT_DEVICE_TEST_WITHOUT_BROWSER").is_some_and(|value| !value.is_empty() && value != "0") {
            println!("skipped: there is no browser (AGENT_DEVICE_TEST_WITHOUT_BROWSER)");
            return None;
        }
        let home = tempfile::tempdir().unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", home.path())
            .env("TMPDIR", home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed (Debian: chromium-driver)");
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let started = line.contains("started successfully").then_some(line)?;
            started.rsplit("on port ").next()?.trim_end_matches('.').parse::<u16>().ok()
        });
        let port = port.expect("chromedriver says on which port it listens");
        let mut browser = Self { driver, authority: format!("127.0.0.1:{port}"), session: String::new(), _home: home };
        let scheme = if dark { "dark" } else { "light" };
        let opened = browser.send(
            "POST",
            "/session",
            json!({"capabilities": {"alwaysMatch": {
                "browserName": "chrome",
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]},
            }}}),
        );
        browser.session = format!("/session/{}", opened["sessionId"].as_str().unwrap());
        browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}),
        );
        browser.devtools(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
        Some(browser)
    }

    /// Opens a page of this machine, and waits until it shows itself.
    pub fn open(&mut self, page: &Path) {
        self.load(page);
        self.until("return !document.getElementById('app').hidden");
    }

    /// Opens a page of this machine.
    pub fn load(&mut self, page: &Path) {
        let path = format!("{}/url", self.session);
        self.send("POST", &path, json!({"url": format!("file://{}", page.display())}));
    }

    /// What a script in the page returns.
    pub fn run(&mut self, script: &str) -> Value {
        let path = format!("{}/execute/sync", self.session);
        self.send("POST", &path, json!({"script": script, "args": []}))
    }

    /// Waits until a script in the page returns true.
    pub fn until(&mut self, script: &str) {
        let path = format!("{}/execute/async", self.session);
        // The page waits, frame by frame; the driver's own limit for scripts ends it.
        let looking = format!(
            "const done = arguments[arguments.length - 1]; const look = () => {{ {script} }};
             const again = () => look() ? done(true) : requestAnimationFrame(again); again();"
        );
        let limit = format!("{}/timeouts", self.session);
        self.send("POST", &limit, json!({"script": 60_000}));
        self.send("POST", &path, json!({"script": looking, "args": []}));
    }

    /// What a promise of the page comes to.
    pub fn settled(&mut self, promise: &str) -> Value {
        let path = format!("{}/execute/async", self.session);
        let script = format!(
            "const done = arguments[arguments.length - 1]; ({promise}).then(done, (why) => done(String(why)));"
        );
        self.send("POST", &path, json!({"script": script, "args": []}))
    }

    /// Presses keys one after another, as a person would.
    pub fn press(&mut self, keys: &[&str]) {
        let actions: Vec<_> = keys
            .iter()
            .flat_map(|key| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})])
            .collect();
        let path = format!("{}/actions", self.session);
        self.send("POST", &path, json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]}));
    }

    /// Lines that the console got since the last call.
    pub fn console(&mut self) -> Vec<String> {
        self.log("browser").iter().map(|line| line["message"].to_string()).collect()
    }

    /// Addresses that were asked for since the last call, what the page holds itself left out.
    pub fn requests(&mut self) -> Vec<String> {
        let mut asked = Vec::new();
        for line in self.log("performance") {
            let event: Value = serde_json::from_str(line["message"].as_str().unwrap()).unwrap();
            if event["message"]["method"] == "Network.requestWillBeSent" {
                let address = event["message"]["params"]["request"]["url"].as_str().unwrap().to_owned();
                if !address.starts_with("data:") {
                    asked.push(address);
                }
            }
        }
        asked
    }

    fn log(&mut self, kind: &str) -> Vec<Value> {
        let path = format!("{}/se/log", self.session);
        self.send("POST", &path, json!({"type": kind})).as_array().cloned().unwrap_or_default()
    }

    /// One command of the developer tools.
    pub fn devtools(&mut self, command: &str, params: Value) -> Value {
        let path = format!("{}/goog/cdp/execute", self.session);
        self.send("POST", &path, json!({"cmd": command, "params": params}))
    }

    fn send(&mut self, method: &str, path: &str, body: Value) -> Value {
        let mut stream = TcpStream::connect(&self.authority).expect("the driver listens");
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let body = body.to_string();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            self.authority,
            body.len()
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let (mut length, mut line, began) = (0, String::new(), Instant::now());
        loop {
            line.clear();
            reader
                .read_line(&mut line)
                .unwrap_or_else(|why| panic!("{method} {path}: {why} after {:?}", began.elapsed()));
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut content = vec![0; length];
        reader.read_exact(&mut content).unwrap();
        let mut reply: Value = serde_json::from_slice(&content).unwrap();
        let value = reply["value"].take();
        assert!(value["error"].is_null(), "{method} {path}: {}: {}", value["error"], value["message"]);
        value
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            let session = self.session.clone();
            self.send("DELETE", &session, json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
