//! A text that stands percent-encoded in another: in an address, in a form's body, in a log line that quotes one.

/// Encodings within each other that are looked through: a query that holds an address that has a query.
const DEPTH: usize = 3;

/// One byte as it is meant, and where it stands.
#[derive(Debug, Clone, Copy)]
struct Unit {
    byte: u8,
    from: usize,
    to: usize,
}

/// `text` with `with` in the place of each `wanted` that is written with percent signs, or with a plus for a space; `None`
/// where there is none.
pub fn replaced(text: &str, wanted: &str, with: &str) -> Option<String> {
    if wanted.is_empty() || !text.contains(['%', '+']) {
        return None;
    }
    // A form sends lines with both ends.
    let lines = wanted.contains('\n').then(|| wanted.replace("\r\n", "\n").replace('\n', "\r\n"));
    let mut out: Option<String> = None;
    for wanted in std::iter::once(wanted).chain(lines.as_deref()) {
        for depth in 1..=DEPTH {
            let now = out.as_deref().unwrap_or(text);
            let units = (0..depth).fold(raw(now), |units, _| decoded(&units));
            out = without(now, &units, wanted.as_bytes(), with).or(out);
        }
    }
    out
}

fn raw(text: &str) -> Vec<Unit> {
    text.bytes().enumerate().map(|(at, byte)| Unit { byte, from: at, to: at + 1 }).collect()
}

fn decoded(units: &[Unit]) -> Vec<Unit> {
    let mut out = Vec::with_capacity(units.len());
    let mut rest = units;
    while let Some((first, after)) = rest.split_first() {
        let digit = |unit: &Unit| char::from(unit.byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let pair = (first.byte == b'%').then(|| after.first().zip(after.get(1))).flatten();
        match pair.and_then(|(high, low)| Some((digit(high)?, digit(low)?, low.to))) {
            Some((high, low, to)) => {
                out.push(Unit { byte: high * 16 + low, from: first.from, to });
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                out.push(*first);
                rest = after;
            }
        }
    }
    out
}

fn without(text: &str, units: &[Unit], wanted: &[u8], with: &str) -> Option<String> {
    let same = |(unit, byte): (&Unit, &u8)| unit.byte == *byte || (unit.byte == b'+' && *byte == b' ');
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(window) = units.get(at..at + wanted.len()) {
        let ends = window.first().zip(window.last()).filter(|_| window.iter().zip(wanted).all(same));
        match ends.and_then(|(first, last)| Some((text.get(kept..first.from)?, last.to))) {
            Some((before, to)) => {
                out.push_str(before);
                out.push_str(with);
                kept = to;
                at += wanted.len();
            }
            None => at += 1,
        }
    }
    let rest = text.get(kept..).filter(|_| kept > 0)?;
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_however_an_address_writes_it() {
        let secret = "p\u{e4}ss w/rd+1%";
        for written in [
            "p%C3%A4ss%20w%2Frd%2B1%25",
            "p%c3%a4ss+w%2frd%2b1%25",
            "p\u{e4}ss%20w/rd+1%25",
            "%70%C3%A4%73%73%20%77%2F%72%64%2B%31%25",
            "p%25C3%25A4ss%2520w%252Frd%252B1%2525",
            "p%2525C3%2525A4ss%252520w%25252Frd%25252B1%252525",
        ] {
            let text = format!("http://a/b?x={written}&y=%20&z={written}#e");
            assert_eq!(
                replaced(&text, secret, "${P}").as_deref(),
                Some("http://a/b?x=${P}&y=%20&z=${P}#e"),
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_not_there_and_what_is_half_there_stays() {
        for text in ["", "%", "a%2", "http://a/?q=hunter%2", "http://a/?q=hunte%72", "plain hunter2", "100 % + 2"] {
            assert_eq!(replaced(text, "hunter2", "x"), None, "{text}");
        }
        assert_eq!(replaced("a%20b", "", "x"), None);
    }

    #[test]
    fn the_ends_of_lines_of_a_form_are_those_of_the_text() {
        let written = "q=one%0D%0Atwo";
        assert_eq!(replaced(written, "one\ntwo", "x").as_deref(), Some("q=x"));
        assert_eq!(replaced("q=one%0Atwo", "one\ntwo", "x").as_deref(), Some("q=x"));
    }

    #[test]
    fn what_stands_around_it_is_cut_between_letters() {
        assert_eq!(replaced("\u{fc}%68unter2\u{fc}", "hunter2", "x").as_deref(), Some("\u{fc}x\u{fc}"));
        assert_eq!(replaced("%C3hunter2%BC+", "hunter2", "x").as_deref(), Some("%C3x%BC+"));
    }
}
