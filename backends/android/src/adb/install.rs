//! Packages: streamed to the package manager, or pushed first where the device is too old for that.

use std::{io, path::Path, time::Duration};

use contract::{Code, Effect, Failure, Row};
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
    time::timeout,
};
use wire::{Answered, Context};

use super::{
    phone::{Phone, whole},
    quote,
    socket::Socket,
    sync::push::Attributes,
};

/// How long the verdict is waited for after the package manager stopped reading.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Where a package is put on a device that does not take it as a stream.
const FOLDER: &str = "/data/local/tmp";

/// How much of a verdict a message quotes, characters.
const QUOTED: usize = 400;

/// What the package manager says in the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It did what it was asked.
    Success,
    /// It refused: its code (`INSTALL_FAILED_...`), and the rest of its words.
    Failure {
        /// The code.
        code: String,
        /// What it says of it.
        text: String,
    },
    /// Nothing that can be understood.
    None(String),
}

impl Verdict {
    /// Reads the output of `pm` or `cmd package`.
    pub fn parse(output: &str) -> Self {
        for line in output.lines().map(str::trim) {
            if line == "Success" || line.starts_with("Success:") || line.starts_with("Success ") {
                return Self::Success;
            }
            if let Some(rest) = line.strip_prefix("Failure") {
                let inner = rest.trim().trim_start_matches('[').trim_end_matches(']');
                let (code, text) = inner.split_once(':').unwrap_or((inner, ""));
                let code = code.trim();
                if !code.is_empty()
                    && code.bytes().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-' | b'0'..=b'9'))
                {
                    return Self::Failure { code: code.to_owned(), text: text.trim().to_owned() };
                }
            }
        }
        Self::None(output.trim().chars().take(QUOTED).collect())
    }
}

impl Phone {
    /// Installs a package file. `arguments` are those of `pm install`, `-r` and the like.
    ///
    /// # Errors
    /// The file is no package, there is no way to the device, the package manager refuses it with one of its codes
    /// (nothing was installed then), or it gives no verdict.
    pub async fn install(
        &self,
        context: &Context,
        effect: Effect,
        package: &Path,
        arguments: &[&str],
    ) -> Result<(), Failure> {
        let doing = format!("could not install {} on {}", package.display(), self.serial());
        let (file, size) = opened(package).await.map_err(|why| {
            Failure::refused(Row::AndroidPackageUnreadable, Code::InvalidArgs, format!("{doing}: {why}"))
                .reason("package_unreadable")
        })?;
        if !self.features(context).await?.has("cmd") {
            return self.install_pushed(context, effect, package, arguments, &doing).await;
        }
        let size = size.to_string();
        let line = quote::line(["cmd", "package", "install", "-S", &size].iter().chain(arguments));
        let answered =
            self.serve(context, effect, &format!("exec:{line}"), &doing, |stream| streamed(stream, file)).await?;
        judged(answered.map(|output| String::from_utf8_lossy(&output).into_owned()), &doing)
    }

    /// Pushes the file, has it installed, and removes it again.
    async fn install_pushed(
        &self,
        context: &Context,
        effect: Effect,
        package: &Path,
        arguments: &[&str],
        doing: &str,
    ) -> Result<(), Failure> {
        let name = package.file_name().map_or_else(|| "package.apk".into(), |name| name.to_string_lossy());
        let there = format!("{FOLDER}/{name}");
        self.push_file(context, Effect::Manages, package, &there, Attributes::default()).await?;
        let line = quote::line(["pm", "install"].iter().chain(arguments).chain(&[there.as_str()]));
        let installed = match self.shell(context, effect, &line).await {
            Ok(answered) => judged(answered.map(|output| output.all()), doing),
            Err(failure) => Err(failure),
        };
        let removed = self.shell(context, Effect::Manages, &quote::line(["rm", "-f", &there])).await;
        // What the install came to is what counts; a file that stays behind harms nothing.
        if let Ok(removed) = removed {
            removed.completed();
        }
        installed
    }
}

/// Opens a package and looks whether it is one: an APK is a zip file.
async fn opened(package: &Path) -> io::Result<(File, u64)> {
    let mut file = File::open(package).await?;
    let size = file.metadata().await?.len();
    let mut magic = [0; 4];
    let is_zip = file.read_exact(&mut magic).await.is_ok() && &magic == b"PK\x03\x04";
    if !is_zip {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no package (no zip file)"));
    }
    file.rewind().await?;
    Ok((file, size))
}

async fn streamed(mut stream: Socket, mut file: File) -> io::Result<Vec<u8>> {
    match tokio::io::copy(&mut file, &mut stream).await {
        Ok(_) => {
            stream.flush().await?;
            whole(stream).await
        }
        // A package manager that refuses early stops reading: its verdict is still there.
        Err(why) => match timeout(LAST_WORDS, whole(stream)).await {
            Ok(Ok(output)) if !output.is_empty() => Ok(output),
            _ => Err(why),
        },
    }
}

/// Judges by the verdict.
fn judged(answered: Answered<String>, doing: &str) -> Result<(), Failure> {
    match Verdict::parse(answered.reply()) {
        Verdict::Success => {
            answered.completed();
            Ok(())
        }
        Verdict::Failure { code, text } => {
            let said = if text.is_empty() { code.clone() } else { format!("{code}: {text}") };
            Err(answered
                .refused(Row::AndroidInstallRefused, said)
                .failure(Code::CommandFailed, doing)
                .reason("install_refused")
                .detail("installCode", code.clone())
                .hint(hint(&code)))
        }
        Verdict::None(said) => {
            answered.undecided();
            let said = if said.is_empty() { "the package manager said nothing".to_owned() } else { said };
            Err(Failure::lost(Row::AndroidInstallFailed, Code::CommandFailed, format!("{doing}: {said}"))
                .reason("install_failed"))
        }
    }
}

fn hint(code: &str) -> &'static str {
    match code {
        "INSTALL_FAILED_UPDATE_INCOMPATIBLE" => "another key signed the installed one: uninstall it first",
        "INSTALL_FAILED_VERSION_DOWNGRADE" => "the installed one is newer: uninstall it first, or allow the downgrade",
        "INSTALL_FAILED_INSUFFICIENT_STORAGE" => "free some space on the device",
        "INSTALL_FAILED_ALREADY_EXISTS" => "it is installed: reinstall it",
        "INSTALL_FAILED_NO_MATCHING_ABIS" => "the package has no native code for this device's processor",
        "INSTALL_FAILED_OLDER_SDK" => "the device's Android is older than the package asks for",
        "INSTALL_FAILED_TEST_ONLY" => "it is marked as a test build: allow those with -t",
        "INSTALL_FAILED_USER_RESTRICTED" | "INSTALL_FAILED_ABORTED" => "somebody has to allow it on the device",
        "INSTALL_PARSE_FAILED_NO_CERTIFICATES" => "the package is not signed",
        _ => "the code says why; nothing was installed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(code: &str, text: &str) -> Verdict {
        Verdict::Failure { code: code.into(), text: text.into() }
    }

    #[test]
    fn every_verdict_of_the_package_manager_is_read() {
        let streamed = "Success\n";
        let pushed = "\tpkg: /data/local/tmp/a.apk\r\nSuccess\r\n";
        for output in [streamed, pushed, "Success: created install session [1234]"] {
            assert_eq!(Verdict::parse(output), Verdict::Success, "{output}");
        }
        let text = "Package com.example signatures do not match previously installed version; ignoring!";
        assert_eq!(
            Verdict::parse(&format!("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: {text}]\n")),
            refused("INSTALL_FAILED_UPDATE_INCOMPATIBLE", text)
        );
        assert_eq!(Verdict::parse("Failure [INSTALL_FAILED_OLDER_SDK]"), refused("INSTALL_FAILED_OLDER_SDK", ""));
        // A vendor's number in place of a name.
        assert_eq!(Verdict::parse("Failure [-99: PC install attack]"), refused("-99", "PC install attack"));
        assert_eq!(
            Verdict::parse("Failure [DELETE_FAILED_INTERNAL_ERROR]"),
            refused("DELETE_FAILED_INTERNAL_ERROR", "")
        );
        for output in ["", "Error: java.lang.SecurityException", "Failure", "Failure [not a code]", "Successful"] {
            assert!(matches!(Verdict::parse(output), Verdict::None(_)), "{output}");
        }
    }
}
