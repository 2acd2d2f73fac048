//! Exported flows are YAML: a parser that is not ours reads the texts that went in.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test: what it does not expect has to fail it"
)]

use contract::Command;
use granit_parser::{Event, Parser};
use proptest::prelude::*;
use script::{export, line_of, parse};

/// Every scalar of a flow, in order, and how many documents there are.
fn scalars(yaml: &str) -> (Vec<String>, usize) {
    let (mut found, mut documents) = (Vec::new(), 0);
    for event in Parser::new_from_str(yaml) {
        match event.unwrap_or_else(|why| panic!("{why}\n{yaml}")).0 {
            Event::Scalar(text, ..) => found.push(text.into_owned()),
            Event::DocumentStart(..) => documents += 1,
            _ => {}
        }
    }
    (found, documents)
}

fn flow_of(words: &[&str]) -> String {
    let command = Command::from_words(words).unwrap_or_else(|why| panic!("{words:?}: {}", why.failure));
    let line = line_of(&command).unwrap_or_else(|| panic!("{words:?} cannot stand in a script"));
    let text = format!("open com.example.app\n{line}\n");
    export(&parse(&text, "x.ad").unwrap_or_else(|errors| panic!("{text}\n{}", errors[0]))).yaml
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_of_a_step_is_the_text_of_the_flow(text in "(\\PC|[\"'\\\\#:&*!{}\\[\\]$\n\t\u{1b}\u{85}\u{2028}]){0,20}") {
        let yaml = flow_of(&["type", "--", &text]);
        let (found, documents) = scalars(&yaml);
        prop_assert_eq!(documents, 2);
        prop_assert_eq!(found.last().unwrap(), &text.replace("${", "\\${"));
    }

    #[test]
    fn a_label_of_a_selector_is_an_expression_that_means_it_alone(label in "[a-zA-Z.+*?()|^$\\[\\]\\\\\"'# ]{1,12}") {
        prop_assume!(!label.trim().is_empty());
        let selector = format!("label={}", contract::quote::value(&label));
        let yaml = flow_of(&["press", "--", &selector]);
        let pattern = scalars(&yaml).0.last().unwrap().clone();
        // Read back by our own matcher of expressions, which takes them whole as flows do.
        let pattern = screen::selector::Pattern::new(&pattern.replace("\\${", "${")).unwrap();
        prop_assert!(pattern.matches(&label), "{pattern:?} does not match {label:?}");
        let longer = format!("{label}ß");
        prop_assert!(!pattern.matches(&longer), "{pattern:?} matches {longer:?}");
    }
}

#[test]
fn a_whole_flow_is_two_documents() {
    let text = "env NAME=\"Ada: \\\"L\\\"\"\nopen http://a.test/?a=b&c\nfill label=Name ${NAME}\nswipe 1 2 3 4 --count 2\nwait 100\n";
    let yaml = export(&parse(text, "x.ad").unwrap()).yaml;
    let (found, documents) = scalars(&yaml);
    assert_eq!(documents, 2, "{yaml}");
    assert_eq!(found[..5], ["url", "http://a.test/?a=b&c", "env", "NAME", "${NAME || \"Ada: \\\"L\\\"\"}"]);
    let empty = export(&parse("wait 100\n", "x.ad").unwrap()).yaml;
    assert_eq!(scalars(&empty), (vec!["appId".into(), "${APP_ID}".into()], 2), "{empty}");
}
