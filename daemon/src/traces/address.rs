//! An address as a trace shows it: without user and password, without secrets, not too long.

use std::borrow::Cow;

use crate::secrets::Secrets;

/// Longest address, characters.
const LONGEST: usize = 2_000;

/// A request's address.
pub fn shown(url: &str, secrets: &Secrets) -> String {
    // What is in it is the content, not the address.
    let url = match url.split_once(',') {
        Some((head, _)) if url.starts_with("data:") => format!("{head},\u{2026}"),
        _ => without_user(url).into_owned(),
    };
    let mut url = url;
    secrets.hide(&mut url);
    if url.chars().count() > LONGEST {
        url = url.chars().take(LONGEST).chain(['\u{2026}']).collect();
    }
    url
}

/// A text whose addresses have no user and no password: what stands between `://` and an `@` before the host ends.
pub fn without_user(text: &str) -> Cow<'_, str> {
    const SCHEME_END: &str = "://";
    let mut out: Option<String> = None;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(SCHEME_END) {
        let end = after.find(|letter: char| {
            letter.is_whitespace() || matches!(letter, '/' | '\\' | '?' | '#' | '"' | '\'' | '<' | '>')
        });
        let authority = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
        let user = authority.rfind('@').map_or(0, |at| at + 1);
        if user > 0 || out.is_some() {
            let done = text.len() - rest.len();
            let out = out.get_or_insert_with(|| text.get(..done).unwrap_or_default().to_owned());
            out.push_str(before);
            out.push_str(SCHEME_END);
        }
        rest = after.get(user..).unwrap_or_default();
    }
    match out {
        Some(mut out) => {
            out.push_str(rest);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_named_in_an_address() {
        for (text, without) in [
            ("http://ann:pw@host/a@b", "http://host/a@b"),
            ("http://host/?to=a@b", "http://host/?to=a@b"),
            ("https://a%40b:c@d@[::1]:8080/x", "https://[::1]:8080/x"),
            ("Opened http://u:p@one/ then ws://v@two", "Opened http://one/ then ws://two"),
            ("http://one/ and mail ann@host, then http://u@two/", "http://one/ and mail ann@host, then http://two/"),
            ("blob:http://u@h/1", "blob:http://h/1"),
            ("http://host", "http://host"),
            ("http:// u@h", "http:// u@h"),
            ("", ""),
        ] {
            assert_eq!(without_user(text), without, "{text}");
        }
    }

    #[test]
    fn secrets_go_before_the_address_is_cut() {
        let mut secrets = Secrets::default();
        secrets.remember("TOKEN", "abc/def-ghi");
        let long = format!("http://u:p@h/{}?t=abc%2Fdef-ghi&{}", "x".repeat(1_960), "y".repeat(900));
        let told = shown(&long, &secrets);
        assert!(told.starts_with("http://h/xxx") && told.contains("?t=${TOKEN}&yy"), "{told}");
        assert_eq!((told.chars().count(), told.ends_with('\u{2026}')), (LONGEST + 1, true));
    }

    #[test]
    fn an_address_that_is_its_content_tells_its_kind_only() {
        assert_eq!(shown("data:image/png;base64,AAAA", &Secrets::default()), "data:image/png;base64,\u{2026}");
    }
}
