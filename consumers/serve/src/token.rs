//! Who may speak: whoever has the token.

use std::hint::black_box;

use daemon::remote::secret::Secret;
use sha2::{Digest, Sha256};

/// The token's hash: all that is kept of it, and what is compared.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// What is asked for from now on.
    pub fn new(secret: &Secret) -> Self {
        Self(Sha256::digest(secret.expose()).into())
    }

    /// Whether a request brings it. Hashes are compared, and all of their bytes: the time says nothing of what was guessed
    /// right.
    pub fn is_brought_by(&self, authorization: Option<&str>) -> bool {
        let brought = authorization
            .and_then(|header| header.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .unwrap_or_default();
        let brought: [u8; 32] = Sha256::digest(brought).into();
        let differences = self.0.iter().zip(brought).fold(0, |all, (mine, theirs)| black_box(all | (mine ^ theirs)));
        black_box(differences) == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn only_the_whole_token_opens() {
        let token = Token::new(&Secret::of(GOOD).unwrap());
        assert!(token.is_brought_by(Some(&format!("Bearer {GOOD}"))));
        assert!(token.is_brought_by(Some(&format!("bearer {GOOD}"))));
        for other in [
            None,
            Some(String::new()),
            Some("Bearer".into()),
            Some("Bearer ".into()),
            Some(GOOD.into()),
            Some(format!("Basic {GOOD}")),
            Some(format!("Bearer {}", &GOOD[1..])),
            Some(format!("Bearer {GOOD}0")),
            Some(format!("Bearer {}", GOOD.to_uppercase())),
        ] {
            assert!(!token.is_brought_by(other.as_deref()), "{other:?}");
        }
    }
}
