//! The real parts: adbd, the Android Runtime, the framework double. Built once by `parts/build`, outside the repository.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// Where the parts are.
#[derive(Debug, Clone)]
pub struct Parts {
    folder: PathBuf,
}

/// Why there is no lab on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// Debian packages are not installed; the text says which and how to get them. A test may be left out with it.
    Packages(String),
    /// The build failed; the end of its log.
    Build(String),
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Missing::Packages(text) | Missing::Build(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Missing {}

impl Parts {
    /// Parts that are somewhere already.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The program adbd.
    pub fn adbd(&self) -> PathBuf {
        self.folder.join("adbd")
    }

    /// Starts the Android Runtime: `dalvikvm.sh -cp FILES CLASS ARGS...`.
    pub fn dalvikvm(&self) -> PathBuf {
        self.folder.join("art/dalvikvm.sh")
    }

    /// The `android.*` classes.
    pub fn framework(&self) -> PathBuf {
        self.folder.join("framework.jar")
    }

    /// The same without the hidden three-argument `injectInputEvent`.
    pub fn framework_public_inject(&self) -> PathBuf {
        self.folder.join("framework-public-inject.jar")
    }

    /// The library that gives adbd and its shells a file system of their own.
    pub fn paths_library(&self) -> PathBuf {
        self.folder.join("paths.so")
    }
}

/// The parts, built now if they are not there yet (a minute or two, once; others wait meanwhile).
///
/// # Errors
/// Packages are missing, or the build failed.
pub fn parts() -> Result<Parts, Missing> {
    static PARTS: OnceLock<Result<Parts, Missing>> = OnceLock::new();
    PARTS.get_or_init(build).clone()
}

fn build() -> Result<Parts, Missing> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("parts/build");
    let output = Command::new(&script)
        .output()
        .map_err(|cause| Missing::Build(format!("{} cannot be started: {cause}", script.display())))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.code() {
        Some(0) => Ok(Parts::at(text(&output.stdout))),
        Some(3) => Err(Missing::Packages(text(&output.stderr))),
        _ => Err(Missing::Build(text(&output.stderr))),
    }
}
