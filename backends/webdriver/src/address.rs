//! What counts as an address, and how it is completed.

/// Schemes that a browser opens by itself.
const SCHEMES: &[&str] = &["http://", "https://", "file://", "about:", "data:", "blob:", "chrome://"];

/// The full address meant by what a person wrote; `None` where it is no address.
///
/// A host without a scheme is reached over plain HTTP on this machine and over HTTPS elsewhere: `localhost:3000`,
/// `127.0.0.1/x`, `[::1]:80`, `example.org/path`, `intranet:8080`.
pub fn complete(text: &str) -> Option<String> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    if let Some(scheme) = SCHEMES.iter().find(|scheme| lower.starts_with(**scheme)) {
        let rest = text.get(scheme.len()..).unwrap_or_default();
        return (!rest.is_empty() && !text.contains(char::is_whitespace) || *scheme == "data:")
            .then(|| text.to_owned());
    }
    if text.is_empty() || text.contains(char::is_whitespace) || text.contains("://") {
        return None;
    }
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = split_port(authority)?;
    let local = is_local(host);
    let named = local || port.is_some() || looks_like_a_domain(host);
    named.then(|| format!("{}{text}", if local { "http://" } else { "https://" }))
}

/// `host:port`, `host`, `[v6]:port`; `None` where the port is no number.
fn split_port(authority: &str) -> Option<(&str, Option<u16>)> {
    if authority.starts_with('[') {
        let (host, rest) = authority.split_at(authority.find(']')? + 1);
        return match rest.strip_prefix(':') {
            None => rest.is_empty().then_some((host, None)),
            Some(port) => port.parse().ok().map(|port| (host, Some(port))),
        };
    }
    match authority.split_once(':') {
        None => (!authority.is_empty()).then_some((authority, None)),
        Some((host, port)) => (!host.is_empty()).then_some((host, Some(port.parse().ok()?))),
    }
}

fn is_local(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host.starts_with('[')
        || (host.split('.').count() == 4 && host.split('.').all(|part| part.parse::<u8>().is_ok()))
}

/// Labels with a top level that is no file ending: `app.toml` and `page.html` are files.
fn looks_like_a_domain(host: &str) -> bool {
    const FILE_ENDINGS: &[&str] = &["toml", "json", "html", "htm", "txt", "app", "apk", "ipa", "exe"];
    let labels: Vec<&str> = host.split('.').collect();
    let well_formed = |label: &&str| {
        !label.is_empty()
            && label.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
            && !label.starts_with('-')
    };
    let Some(top) = labels.last() else { return false };
    labels.len() >= 2
        && labels.iter().all(well_formed)
        && top.len() >= 2
        && top.chars().all(char::is_alphabetic)
        && !FILE_ENDINGS.contains(&top.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_and_other_things_are_left_alone() {
        for (text, full) in [
            ("http://a.test/x", Some("http://a.test/x")),
            ("HTTPS://A.test", Some("HTTPS://A.test")),
            ("localhost:3000", Some("http://localhost:3000")),
            ("localhost", Some("http://localhost")),
            ("127.0.0.1:8080/a?b", Some("http://127.0.0.1:8080/a?b")),
            ("[::1]:80/", Some("http://[::1]:80/")),
            ("example.org/path", Some("https://example.org/path")),
            ("intranet:8080", Some("https://intranet:8080")),
            ("about:blank", Some("about:blank")),
            ("data:text/html,<p>a b", Some("data:text/html,<p>a b")),
            ("file:///tmp/x.html", Some("file:///tmp/x.html")),
            ("demo", None),
            ("./app.toml", None),
            ("app.toml", None),
            ("com.example.app", None),
            ("http://", None),
            ("not a url", None),
            ("foo://x", None),
            ("host:port", None),
            ("", None),
        ] {
            assert_eq!(complete(text).as_deref(), full, "{text:?}");
        }
    }
}
