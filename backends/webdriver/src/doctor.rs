//! Whether what is needed is there, by trying it.

use std::{path::Path, time::Duration};

use backend::{Check, CheckStatus, Device, Provider};
use contract::command::{Browser, Open};
use tokio::process::Command;
use wire::Context;

use crate::{browser, provider::WebProvider};

/// How long a browser may take to start and show a blank page.
const START_LIMIT: Duration = Duration::from_secs(20);
/// How long a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// All checks. Chromium is needed; the others are extras.
pub async fn checks(provider: &WebProvider) -> Vec<Check> {
    let mut checks = Vec::new();
    for browser in browser::ALL {
        let needed = browser == Browser::Chrome;
        match browser::programs(browser) {
            Ok(programs) => {
                checks.push(installed(browser, &programs).await);
                if needed {
                    checks.push(starts(provider).await);
                }
            }
            Err(why) => checks.push(Check {
                name: format!("web: {}", browser::facts(browser).name),
                status: if needed { CheckStatus::Fail } else { CheckStatus::Warn },
                found: why,
                remedy: Some(browser::facts(browser).install.to_owned()),
            }),
        }
    }
    checks.push(display());
    checks
}

async fn installed(browser: Browser, programs: &browser::Programs) -> Check {
    let driver = version(&programs.driver).await;
    // MiniBrowser opens a window instead of saying its version.
    let found = if browser == Browser::Webkit { None } else { version(&programs.browser).await };
    let name = format!("web: {} and its driver", browser::facts(browser).name);
    let says = |version: &Option<String>| version.clone().unwrap_or_else(|| "no version told".to_owned());
    let words =
        format!("{} ({}), {} ({})", programs.driver.display(), says(&driver), programs.browser.display(), says(&found));
    let mismatch = browser == Browser::Chrome
        && match (driver.as_deref().and_then(major), found.as_deref().and_then(major)) {
            (Some(driver), Some(browser)) => driver != browser,
            _ => true,
        };
    if mismatch {
        return Check {
            name,
            status: CheckStatus::Fail,
            found: format!("{words}: their major versions differ or are not told"),
            remedy: Some("apt-get install --only-upgrade chromium chromium-driver".to_owned()),
        };
    }
    Check { name, status: CheckStatus::Pass, found: words, remedy: None }
}

/// The first line that a program prints for `--version`, shortened to name and number.
async fn version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(std::process::Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(VERSION_LIMIT, command.output()).await.ok()?.ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains(|letter: char| letter.is_ascii_digit()))?;
    Some(line.split(" (").next().unwrap_or(line).trim().to_owned())
}

/// The first number of a version line.
fn major(line: &str) -> Option<u32> {
    let number = line.split_ascii_whitespace().find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))?;
    number.split('.').next()?.parse().ok()
}

/// A real session on a blank page.
async fn starts(provider: &WebProvider) -> Check {
    let name = "web: Chromium starts".to_owned();
    let context = Context::with_limit(START_LIMIT);
    let open = Open { app: Some("about:blank".to_owned()), ..Open::default() };
    let began = tokio::time::Instant::now();
    match provider.open(&context, "chrome", &open).await {
        Ok(device) => {
            let took = began.elapsed().as_millis();
            match Device::close(&*device, &context).await {
                Ok(()) => Check { name, status: CheckStatus::Pass, found: format!("in {took} ms"), remedy: None },
                Err(failure) => Check {
                    name,
                    status: CheckStatus::Fail,
                    found: format!("it starts and does not end: {}", failure.message),
                    remedy: Some(browser::facts(Browser::Chrome).install.to_owned()),
                },
            }
        }
        Err(failure) => Check {
            name,
            status: CheckStatus::Fail,
            found: failure.message,
            remedy: Some(failure.hint.unwrap_or_else(|| browser::facts(Browser::Chrome).install.to_owned())),
        },
    }
}

fn display() -> Check {
    let name = "web: display".to_owned();
    if browser::has_display() {
        return Check { name, status: CheckStatus::Pass, found: "there is one".to_owned(), remedy: None };
    }
    let xvfb = browser::find(&["Xvfb"]).is_some();
    Check {
        name,
        status: CheckStatus::Warn,
        found: if xvfb {
            "there is none: --headed does not work; WebKitGTK runs on its own Xvfb".to_owned()
        } else {
            "there is none: --headed and WebKitGTK do not work".to_owned()
        },
        remedy: (!xvfb).then(|| "apt-get install xvfb".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_programs_print() {
        for (line, number) in [
            ("ChromeDriver 156.0.8078.114", Some(156)),
            ("Chromium 156.0.8078.114 built on Debian GNU/Linux 12", Some(156)),
            ("Mozilla Firefox 153.8.0esr", Some(153)),
            ("no number", None),
        ] {
            assert_eq!(major(line), number);
        }
    }
}
