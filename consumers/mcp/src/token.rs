//! The secret that a client over HTTP has to know.

use std::{
    fs::File,
    io::{Read, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::Path,
};

use sha2::{Digest, Sha256};

/// The shortest that is taken, bytes: 128 bits in hexadecimal.
const SHORTEST: usize = 32;
/// The longest, bytes.
const LONGEST: u64 = 4096;

/// What a bearer has to show.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(...)")
    }
}

impl Token {
    /// The token in a file; a file that is not there is made, with a fresh one, for its owner only.
    ///
    /// # Errors
    /// What is wrong with the file, for people.
    pub fn read(file: &Path) -> Result<Self, String> {
        let told = |why: String| format!("{}: {why}", file.display());
        let opened = match File::open(file) {
            Ok(opened) => opened,
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Self::made(file).map_err(told),
            Err(why) => return Err(told(why.to_string())),
        };
        let mode = opened.metadata().map_err(|why| told(why.to_string()))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(told(format!("others may read it (mode {:o}): chmod 600 it", mode & 0o777)));
        }
        let mut text = String::new();
        opened.take(LONGEST).read_to_string(&mut text).map_err(|why| told(why.to_string()))?;
        let text = text.trim();
        match text.len() < SHORTEST {
            true => Err(told(format!("a token has at least {SHORTEST} letters: openssl rand -hex 32"))),
            false => Ok(Self::of(text)),
        }
    }

    fn made(file: &Path) -> Result<Self, String> {
        let mut random = [0; 32];
        getrandom::fill(&mut random).map_err(|why| why.to_string())?;
        let text: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut made =
            File::options().write(true).create_new(true).mode(0o600).open(file).map_err(|why| why.to_string())?;
        made.write_all(format!("{text}\n").as_bytes()).map_err(|why| why.to_string())?;
        Ok(Self::of(&text))
    }

    fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Whether an `Authorization` header shows it. Digests are compared, all of their bytes: how long it takes says
    /// nothing of the token.
    pub fn shown_by(&self, header: Option<&str>) -> bool {
        let Some((scheme, shown)) = header.and_then(|header| header.split_once(' ')) else { return false };
        let differs = Self::of(shown.trim()).0.iter().zip(&self.0).fold(0, |sum, (a, b)| sum | (a ^ b));
        scheme.eq_ignore_ascii_case("bearer") && differs == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_where_there_is_none_and_only_its_owner_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        let token = Token::read(&file).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&file).unwrap();
        let again = Token::read(&file).unwrap();
        for token in [&token, &again] {
            assert!(token.shown_by(Some(&format!("Bearer {}", text.trim()))));
            assert!(token.shown_by(Some(&format!("bearer  {}", text.trim()))));
            for wrong in [None, Some(""), Some("Bearer"), Some("Bearer x"), Some(text.trim())] {
                assert!(!token.shown_by(wrong), "{wrong:?}");
            }
        }
        assert!(!format!("{token:?}").contains(text.trim()));
    }

    #[test]
    fn a_token_that_others_may_read_or_that_is_short_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "x".repeat(40)).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        assert!(Token::read(&file).unwrap_err().contains("chmod 600"));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(Token::read(&file).is_ok());
        std::fs::write(&file, "short\n").unwrap();
        assert!(Token::read(&file).unwrap_err().contains("at least 32"));
        assert!(Token::read(&folder.path().join("no/token")).is_err());
    }
}
