//! The emulator program.

use std::{
    env,
    fs::File,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use contract::{Code, Failure, Row};
use tokio::{
    process::{Child, Command},
    time::timeout,
};
use wire::Context;

/// How long the program may take to list its devices.
const LISTS_WITHIN: Duration = Duration::from_secs(10);
/// How much of its last words a message quotes, bytes.
const QUOTED: u64 = 2_000;

/// Where the program is: in the SDK that `ANDROID_HOME` or `ANDROID_SDK_ROOT` names, or on the PATH. The one in the SDK
/// comes first: a link to it from elsewhere does not find its parts.
pub fn find() -> Option<PathBuf> {
    let in_sdk = ["ANDROID_HOME", "ANDROID_SDK_ROOT"]
        .into_iter()
        .filter_map(env::var_os)
        .filter(|sdk| !sdk.is_empty())
        .map(|sdk| Path::new(&sdk).join("emulator"));
    let on_path = env::var_os("PATH").into_iter().flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    in_sdk.chain(on_path).map(|folder| folder.join("emulator")).find(|program| program.is_file())
}

/// The failure where there is none.
pub fn missing() -> Failure {
    Failure::refused(
        Row::AndroidEmulatorNotStarted,
        Code::ToolMissing,
        "there is no emulator program in ANDROID_HOME, ANDROID_SDK_ROOT or PATH",
    )
    .reason("emulator_missing")
    .hint("install it: sdkmanager emulator; then set ANDROID_HOME to the SDK's folder")
}

/// The virtual devices that it knows.
///
/// # Errors
/// `android.emulator-not-started` where the program does not answer.
pub async fn list(context: &Context, program: &Path) -> Result<Vec<String>, Failure> {
    context.check()?;
    let failed = |why: &str| {
        Failure::refused(
            Row::AndroidEmulatorNotStarted,
            Code::CommandFailed,
            format!("{} -list-avds: {why}", program.display()),
        )
        .reason("emulator_unusable")
    };
    let mut command = Command::new(program);
    command.arg("-list-avds").stdin(Stdio::null()).kill_on_drop(true);
    let output = timeout(LISTS_WITHIN.min(context.left()), command.output())
        .await
        .map_err(|_| failed("no end within the limit"))?
        .map_err(|why| failed(&why.to_string()))?;
    if !output.status.success() {
        return Err(failed(&format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim())));
    }
    Ok(names(&String::from_utf8_lossy(&output.stdout)))
}

/// The names among what it prints: newer emulators put notes of theirs between them (`INFO    | Storing crashdata ...`).
fn names(output: &str) -> Vec<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '(' | ')');
    output
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && line.chars().all(plain))
        .map(str::to_owned)
        .collect()
}

/// An emulator that was started here. It outlives this value and this process, unless it is ended.
#[derive(Debug)]
pub struct Started {
    child: Child,
    said: File,
}

impl Started {
    /// Starts a virtual device with its console at `port`.
    ///
    /// # Errors
    /// The program cannot be run.
    pub fn new(program: &Path, name: &str, port: u16, headless: bool) -> io::Result<Self> {
        // A file without a name, not a pipe: the emulator goes on writing when nobody reads any more.
        let said = tempfile::tempfile()?;
        let mut command = Command::new(program);
        command.args(["-avd", name, "-port", &port.to_string()]);
        if headless {
            command.args(["-no-window", "-no-audio"]);
        }
        command.stdin(Stdio::null()).stdout(said.try_clone()?).stderr(said.try_clone()?);
        // A group of its own: a signal to the daemon's terminal is not meant for it.
        command.process_group(0);
        Ok(Self { child: command.spawn()?, said })
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Ends it.
    pub async fn end(mut self) {
        // An error says that it has ended already.
        let _gone = self.child.kill().await;
    }

    /// The last lines that it wrote.
    pub fn last_words(&self) -> String {
        let size = self.said.metadata().map_or(0, |of| of.len());
        let mut bytes = vec![0; usize::try_from(size.min(QUOTED)).unwrap_or_default()];
        if self.said.read_exact_at(&mut bytes, size.saturating_sub(QUOTED)).is_err() {
            return String::new();
        }
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_the_program_are_no_devices() {
        let output = "INFO    | Storing crashdata in: /tmp/android-unknown/emu-crash-34.1.19.db, detection is enabled for process: 123\nPixel_8_API_34\n\nsmall.phone-2\nWARNING | cannot add library /x\n";
        assert_eq!(names(output), ["Pixel_8_API_34", "small.phone-2"]);
    }

    #[tokio::test]
    async fn what_a_program_said_before_it_ended_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("emulator");
        std::fs::write(&script, "#!/bin/sh\necho \"$@\"\necho 'PANIC: Missing emulator engine' >&2\nexit 3\n").unwrap();
        let mut permissions = std::fs::metadata(&script).unwrap().permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        std::fs::set_permissions(&script, permissions).unwrap();
        let mut started = Started::new(&script, "Pixel_8", 5600, true).unwrap();
        let status = started.child.wait().await.unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(
            started.last_words(),
            "-avd Pixel_8 -port 5600 -no-window -no-audio\nPANIC: Missing emulator engine"
        );
    }
}
