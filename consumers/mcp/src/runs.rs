//! A snapshot's list in fewer bytes: of neighbours with the same role the role is said once.
//!
//! ```text
//! @e1 [button] "One"          4 [button]:
//! @e2 [button] "Two"          @e1 "One"
//! @e3 [button] "Three"   ->   @e2 "Two"
//! @e4 [button] "Four"         @e3 "Three"
//!                             @e4 "Four"
//! ```
//!
//! Only what is told by its ref, role and name alone: a value, a state or a depth stays on a whole line. Refs stay the
//! first word of their lines.

/// Fewer neighbours are left as they are: the heading would cost what it saves.
const FEWEST: usize = 4;

/// One that is told by its ref, role and name alone.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Plain<'a> {
    reference: &'a str,
    role: &'a str,
    name: &'a str,
}

impl<'a> Plain<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (reference, rest) = line.split_once(" [")?;
        let (role, name) = rest.split_once("] ")?;
        let inner = name.strip_prefix('"')?.strip_suffix('"')?;
        let is_plain = reference.starts_with("@e") && !reference.contains(' ') && !inner.contains('"');
        is_plain.then_some(Self { reference, role, name })
    }
}

/// The same list with runs of neighbours under one heading each.
pub fn gathered(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::with_capacity(text.len());
    let mut rest = lines.as_slice();
    while let Some((line, after)) = rest.split_first() {
        let Some(first) = Plain::read(line) else {
            out.push_str(line);
            out.push('\n');
            rest = after;
            continue;
        };
        let run: Vec<Plain<'_>> =
            rest.iter().map_while(|line| Plain::read(line)).take_while(|one| one.role == first.role).collect();
        let (whole, after) = rest.split_at(run.len().max(1));
        if run.len() >= FEWEST {
            out.push_str(&format!("{} [{}]:\n", run.len(), first.role));
            for one in &run {
                out.push_str(&format!("{} {}\n", one.reference, one.name));
            }
        } else {
            for line in whole {
                out.push_str(line);
                out.push('\n');
            }
        }
        rest = after;
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_role_are_gathered_and_nothing_is_lost() {
        let text = "Page: Bench\n@e1 [link] \"Home\"\n@e2 [button] \"A\"\n@e3 [button] \"B\"\n@e4 [button] \"C, D\"\n@e5 [button] \"]: [x]\"\n\
            @e6 [button] \"E\" [disabled]\n@e7 [text-field] \"F\" = \"\"\n@e8 [button] \"G\"\n  @e9 [button] \"H\"\n3 more below";
        let gathered = gathered(text);
        assert_eq!(
            gathered,
            "Page: Bench\n@e1 [link] \"Home\"\n4 [button]:\n@e2 \"A\"\n@e3 \"B\"\n@e4 \"C, D\"\n@e5 \"]: [x]\"\n\
             @e6 [button] \"E\" [disabled]\n@e7 [text-field] \"F\" = \"\"\n@e8 [button] \"G\"\n  @e9 [button] \"H\"\n3 more below"
        );
    }

    #[test]
    fn few_neighbours_stay_as_they_are() {
        for text in [
            "",
            "Page: x",
            "@e1 [button] \"A\"\n@e2 [button] \"B\"\n@e3 [button] \"C\"",
            "@e1 [button] \"A \\\"quoted\\\"\"",
        ] {
            assert_eq!(gathered(text), text);
        }
    }

    #[test]
    fn a_page_of_buttons_takes_three_fifths() {
        let page: String = (1..=490).map(|n| format!("@e{n} [button] \"B{n}\"\n")).collect();
        assert!(gathered(&page).len() * 100 <= page.len() * 60, "{} of {}", gathered(&page).len(), page.len());
    }
}
