//! A token: what a server wants to be told, kept in a file that is its owner's alone.

use std::{
    fmt,
    fs::File,
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
};

use contract::{Code, Failure, Row, hop::TOKEN_LEAST};

/// Holds the token.
pub const TOKEN_VARIABLE: &str = "AGENT_DEVICE_TOKEN";
/// Names a file with it.
pub const TOKEN_FILE_VARIABLE: &str = "AGENT_DEVICE_TOKEN_FILE";

/// A file of a token is not longer, bytes.
const FILE_MOST: u64 = 4096;

/// Whose token a file is to hold: what to do where it does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That of a server which is to start here: one can be made.
    Own,
    /// That of a server elsewhere: a new one would not be its.
    Theirs,
}

impl Whose {
    /// How a file comes by its token.
    fn got(self, shown: &str) -> String {
        match self {
            Whose::Own => format!("make one: (umask 077; head -c 32 /dev/urandom | base64 | tr -d '\\n' > {shown})"),
            Whose::Theirs => format!(
                "copy the one that serve was started with: scp DEVICE-HOST:agent-device.token {shown} && chmod 600 {shown}"
            ),
        }
    }
}

/// A token; never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// That of the environment.
    ///
    /// # Errors
    /// There is none, or it can be none.
    pub fn of_environment() -> Result<Self, Failure> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        if let Some(token) = variable(TOKEN_VARIABLE) {
            let hint = format!("set {TOKEN_VARIABLE} to the whole token that serve was started with");
            return Self::of(token.trim()).ok_or_else(|| short(TOKEN_VARIABLE).hint(hint));
        }
        let Some(file) = variable(TOKEN_FILE_VARIABLE) else {
            let message = "the server wants a token, and none is set";
            return Err(Failure::refused(Row::ClientUsage, Code::InvalidArgs, message).reason("usage").hint(format!(
                "set {TOKEN_FILE_VARIABLE} to a file with the token that serve was started with, or {TOKEN_VARIABLE}"
            )));
        };
        Self::read(Path::new(&file), Whose::Theirs)
    }

    /// Reads a file, which has to be its owner's alone.
    ///
    /// # Errors
    /// It cannot be read, others can read it, it is too short.
    pub fn read(path: &Path, whose: Whose) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        let refuse = |why: String, reason: &str| {
            Failure::refused(Row::ClientUsage, Code::InvalidArgs, format!("{shown}: {why}")).reason(reason)
        };
        let unreadable = |why: io::Error| {
            let refused = refuse(why.to_string(), "token_unreadable");
            match why.kind() {
                io::ErrorKind::NotFound => refused.hint(whose.got(&shown)),
                _ => refused.hint("name a file that this user can read, with the token in it"),
            }
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let found = file.metadata().map_err(unreadable)?;
        if found.is_dir() {
            return Err(unreadable(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if found.mode() & 0o077 != 0 || found.uid() != rustix::process::geteuid().as_raw() {
            return Err(refuse("others than you can read the token".to_owned(), "token_not_private")
                .hint(format!("make it private: chmod 600 {shown}; if others have seen it, make a new one")));
        }
        let mut text = String::new();
        file.by_ref().take(FILE_MOST).read_to_string(&mut text).map_err(unreadable)?;
        Self::of(text.trim()).ok_or_else(|| short(&shown).hint(whose.got(&shown)))
    }

    /// The token itself, if it can be one.
    pub fn of(text: &str) -> Option<Self> {
        let plain = text.len() >= TOKEN_LEAST && text.bytes().all(|byte| byte.is_ascii_graphic());
        plain.then(|| Self(text.to_owned()))
    }

    /// The text, for whoever sends or compares it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

fn short(where_: &str) -> Failure {
    let message = format!("{where_}: a token has at least {TOKEN_LEAST} characters, none of them a space");
    Failure::refused(Row::ClientUsage, Code::InvalidArgs, message).reason("token_too_short")
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    const GOOD: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn a_file_that_others_can_read_holds_no_token() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        let reason =
            || Secret::read(&file, Whose::Own).err().and_then(|failure| failure.reason_str().map(str::to_owned));
        assert_eq!(reason().as_deref(), Some("token_unreadable"));
        fs::write(&file, format!("{GOOD}\n")).unwrap();
        for (mode, wanted) in [(0o644, Some("token_not_private")), (0o640, Some("token_not_private")), (0o600, None)] {
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(reason().as_deref(), wanted, "{mode:o}");
        }
        assert_eq!(Secret::read(&file, Whose::Own).unwrap().expose(), GOOD);
        for short in ["", "x", &GOOD[1..], "0123456789abcdef 0123456789abcdef"] {
            fs::write(&file, short).unwrap();
            assert_eq!(reason().as_deref(), Some("token_too_short"), "{short:?}");
        }
    }

    #[test]
    fn whoever_only_has_to_bring_a_token_is_not_told_to_make_one() {
        let folder = tempfile::tempdir().unwrap();
        let hint = |path: &Path, whose| Secret::read(path, whose).err().and_then(|failure| failure.hint).unwrap();
        let file = folder.path().join("token");
        let told = |whose, word: &str| assert!(hint(&file, whose).starts_with(word), "{}", hint(&file, whose));
        told(Whose::Own, "make one");
        told(Whose::Theirs, "copy the one");
        fs::write(&file, "short").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        told(Whose::Own, "make one");
        told(Whose::Theirs, "copy the one");
        // A folder is not made private: nobody could enter it any more.
        assert!(hint(folder.path(), Whose::Own).starts_with("name a file"), "{}", hint(folder.path(), Whose::Own));
    }
}
