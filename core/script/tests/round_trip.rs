//! What is written reads back as the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use contract::Command;
use proptest::prelude::*;
use script::{
    Ancestor, Evidence, Repair, Script, TargetEvidence, Variables, Verification, Writer, digest, line_of, line_with,
    parse, print, rewrite,
};

fn read(text: &str) -> Script {
    parse(text, "x.ad").unwrap_or_else(|errors| panic!("{text}\n{}", errors[0]))
}

/// Texts with everything that has a meaning somewhere.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("${X}".to_owned()),
        Just("\\${".to_owned()),
        Just("\\".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just(" ".to_owned()),
        Just("-".to_owned()),
        Just("#".to_owned()),
        Just("\n".to_owned()),
        Just("\u{1b}\u{202e}".to_owned()),
        "[a-z=]{1,6}",
        "\\PC{1,4}",
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn evidence() -> impl Strategy<Value = Option<Evidence>> {
    let target =
        (prop::option::of(text()), text(), prop::collection::vec(text(), 0..12), prop::option::of(any::<u32>()));
    prop::option::of(target.prop_map(|(id, role, ancestry, sibling)| {
        Evidence::target(TargetEvidence {
            id,
            role,
            ancestry: ancestry.into_iter().map(|role| Ancestor { role, label: None }).collect(),
            sibling,
            verification: Verification::Ambiguous,
            ..TargetEvidence::default()
        })
    }))
}

/// Commands with any text in them.
fn command() -> impl Strategy<Value = Command> {
    (text(), 0..7_u8).prop_filter_map("not every text can stand everywhere", |(text, which)| {
        let selector = format!("label={}", contract::quote::value(&text));
        let words: Vec<&str> = match which {
            0 => vec!["type", "--", &text],
            1 => vec!["fill", "--", "id=name", &text],
            2 => vec!["press", "--count", "2", "--", &selector],
            3 => vec!["wait", "--", "text", &text],
            4 => vec!["open", "--relaunch", "--", &text],
            5 => vec!["clipboard", "--", "write", &text],
            _ => vec!["is", "--", "text", &selector, &text],
        };
        Command::from_words(&words).ok()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_command_is_written_as_a_line_that_is_the_same_command(command in command()) {
        let line = line_of(&command).expect("it can stand in a script");
        prop_assert!(!line.contains('\n') && line.chars().all(contract::plain::is_shown), "{line:?}");
        let script = read(&format!("{line}\n"));
        prop_assert_eq!(script.commands(&Variables::new()).unwrap(), vec![command]);
    }

    #[test]
    fn a_script_is_printed_as_a_text_that_is_the_same_script(
        steps in prop::collection::vec((command(), evidence()), 1..5),
        env in prop::collection::btree_map("[B-Z][A-Z0-9_]{0,5}", text(), 0..3),
        device in text(),
    ) {
        let mut writer = Writer::new().note("agent-device:target-v1 is not meant\nhere").context("platform", "web").context("device", &device);
        for (name, value) in &env {
            writer = writer.env(name, value);
        }
        for (command, evidence) in steps {
            writer.push(line_of(&command).unwrap(), evidence);
        }
        let written = writer.checked("x.ad").unwrap_or_else(|errors| panic!("{}\n{}", writer.text(), errors[0]));
        let script = read(&written);
        prop_assert_eq!(script.env.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(), env);
        prop_assert_eq!(&script.context.others[0].1, &device);
        let printed = print(&script);
        prop_assert!(read(&printed) == script, "{}\n---\n{}", written, printed);
        prop_assert_eq!(print(&read(&printed)), printed);
    }

    #[test]
    fn no_text_makes_the_reader_fail(text in "\\PC{0,80}", line in text()) {
        for text in [&text, &line, &format!("# agent-device:target-v1 {line}\npress {line}\n"), &format!("env A={line}\ncontext x={text}\n{line}")] {
            match parse(text, "x.ad") {
                Ok(script) => {
                    let _export = script::export(&script);
                    let _commands = script.commands(&Variables::new());
                }
                Err(errors) => prop_assert!(errors.iter().all(|error| error.to_string().contains("x.ad:"))),
            }
        }
    }
}

#[test]
fn a_secret_is_a_variable_that_gives_back_the_text() {
    let command = Command::from_words(&["fill", "--", "id=password", "- \"it's ${X}\" \\"]).unwrap();
    let line = line_with(&command, "PASSWORD").unwrap();
    assert_eq!(line, "fill id=password ${PASSWORD}");
    let secret = Variables::new().given([("PASSWORD".to_owned(), "- \"it's ${X}\" \\".to_owned())]);
    assert_eq!(read(&line).commands(&secret).unwrap(), [command]);
}

#[test]
fn a_repair_changes_its_line_and_nothing_else() {
    let text = "# my test\r\nenv A=1\n\nopen demo\n# agent-device:target-v1 {\"role\":\"button\"}\n  press label=Old --count 2\n# end\nback";
    let script = read(text);
    let step = &script.steps[1];
    let with = step.replaced(&Variables::new(), "label=Old", "label=\"New one\"").unwrap();
    assert_eq!(with, "press 'label=\"New one\"' --count 2");
    assert_eq!(step.replaced(&Variables::new(), "label=Other", "x"), None);
    let evidence = Evidence::target(TargetEvidence { role: "link".into(), ..TargetEvidence::default() });
    let repaired = rewrite(
        text,
        &script,
        &[
            Repair { line: step.line(), with, evidence: Some(evidence) },
            Repair { line: 8, with: "home".into(), evidence: None },
        ],
    );
    assert_eq!(
        repaired,
        "# my test\r\nenv A=1\n\nopen demo\n# agent-device:target-v1 {\"role\":\"link\",\"verification\":\"none\"}\n  \
         press 'label=\"New one\"' --count 2\n# end\nhome\n"
    );
    assert_eq!(read(&repaired).steps.len(), 3);
}

#[test]
fn the_digest_is_of_the_steps_and_their_lines() {
    let one = digest(&read("env A=1\nopen demo\npress id=a\n"));
    assert_eq!(one.len(), 64);
    assert!(one.chars().all(|letter| letter.is_ascii_hexdigit()));
    assert_eq!(
        digest(&read("env A=1\nopen demo # x\n".replace(" # x", "").as_str())),
        digest(&read("env A=1\nopen demo\n"))
    );
    for other in [
        "env A=2\nopen demo\npress id=a\n",
        "env A=1\nopen demo\n\npress id=a\n",
        "env A=1\nopen demo\npress id=b\n",
        "env A=1\nopen demo press\nback\n",
    ] {
        assert_ne!(digest(&read(other.replace(" press", "").as_str())), one, "{other}");
    }
    // Comments in the place of blank lines and evidence do not count.
    assert_eq!(
        digest(&read("env A=1\nopen demo\n# x\npress id=a\n")),
        digest(&read("env A=1\nopen demo\n\npress id=a\n"))
    );
}
