//! On a log and on a terminal.

use flow::Outcome;

use super::*;
use crate::samples;

const TERMINAL: Screen = Screen::Terminal { columns: 40, rows: 10 };

/// What a terminal shows after these bytes: lines, upwards, and what is below the cursor taken away. No line may
/// be wider than the terminal, unless it is one that stays.
fn shown(bytes: &[u8]) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut at = 0;
    let text = std::str::from_utf8(bytes).unwrap();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\n' => {
                at += 1;
                if at == lines.len() {
                    lines.push(String::new());
                }
            }
            '\r' => {}
            '\u{1b}' => {
                assert_eq!(letters.next(), Some('['));
                let sequence: String = letters.by_ref().take_while(|letter| letter.is_ascii_digit()).collect();
                // The letter that ended the number was taken: `A` after one, `J` without.
                if sequence.is_empty() {
                    lines.truncate(at);
                    lines.push(String::new());
                } else {
                    at -= sequence.parse::<usize>().unwrap();
                }
            }
            letter => lines[at].push(letter),
        }
    }
    assert_eq!(lines.pop().as_deref(), Some(""), "the cursor stands at the beginning of a line");
    lines
}

fn run(screen: Screen) -> (Progress<Vec<u8>>, Instant) {
    let now = Instant::now();
    let mut progress = Progress::new(Vec::new(), screen, 2, 7);
    let suite = samples::everything();
    progress.begins(1, "login", 1, now);
    progress.begins(2, "pay & go", 1, now);
    progress.step(1, "press label=\"Save\"", now + Duration::from_millis(100));
    progress.ends(1, &suite.flows[0], now + Duration::from_secs(1));
    let mut once = suite.flows[3].clone();
    once.attempts.truncate(1);
    progress.tried(&once, now + Duration::from_secs(2));
    progress.begins(2, "pay & go", 2, now + Duration::from_secs(2));
    progress.step(2, "tapOn \"a very long name that has no room\"", now + Duration::from_secs(4));
    (progress, now + Duration::from_secs(5))
}

#[test]
fn a_log_gets_plain_lines_and_no_escapes() {
    let (mut progress, now) = run(Screen::Lines);
    let suite = samples::everything();
    progress.tick(now);
    progress.ends(2, &suite.flows[3], now);
    progress.ends(1, &suite.flows[2], now);
    progress.ends(1, &suite.flows[6], now);
    progress.finish();
    assert_eq!(
        String::from_utf8(progress.out).unwrap(),
        r#"passed login (900 ms), shard 1 of 2 [1/7]
retry pay & go attempt 1 FAILED: ELEMENT_COVERED: "Pay" is covered by [dialog] "Cookies <b>"
FAILED pay & go (1.8 s), 2 attempts [2/7]: ELEMENT_COVERED: "Pay" is covered by [dialog] "Cookies <b>"
FLAKY wavers (1.8 s), 2 attempts [3/7]
not run later [4/7]: stopped by --fail-fast
"#
    );
}

#[test]
fn a_terminal_keeps_one_line_per_running_shard_below_what_ended() {
    let (mut progress, now) = run(TERMINAL);
    let suite = samples::everything();
    assert_eq!(
        shown(&progress.out),
        [
            "passed login (900 ms), shard 1 of 2 [1/7]",
            "retry pay & go attempt 1 FAILED: ELEMENT_COVERED: \"Pay\" is covered by [dialog] \"Cookies <b>\"",
            "[2] pay & go attempt 2 2 s step 1: tapO",
            "1 of 7: 1 passed",
        ]
    );
    progress.begins(1, "wavers", 1, now);
    assert_eq!(shown(&progress.out)[2..4], ["[1] wavers 0 s", "[2] pay & go attempt 2 3 s step 1: tapO"]);
    progress.ends(2, &suite.flows[3], now);
    progress.ends(1, &suite.flows[2], now);
    progress.finish();
    let left = shown(&progress.out);
    assert_eq!(left.len(), 4, "{left:#?}");
    assert!(left[3].starts_with("FLAKY wavers"));
}

#[test]
fn a_low_terminal_shows_the_last_shards_and_the_counts() {
    let now = Instant::now();
    let mut progress = Progress::new(Vec::new(), Screen::Terminal { columns: 40, rows: 4 }, 9, 9);
    for shard in 1..=9 {
        progress.begins(shard, "flow", 1, now);
    }
    assert_eq!(shown(&progress.out), ["[8] flow 0 s", "[9] flow 0 s", "0 of 9"]);
}

#[test]
fn drawing_is_not_done_for_every_step() {
    let now = Instant::now();
    let mut progress = Progress::new(Vec::new(), TERMINAL, 1, 1);
    progress.begins(1, "flow", 1, now);
    let before = progress.out.len();
    for step in 0..50 {
        progress.step(1, "step", now + Duration::from_millis(step));
    }
    assert_eq!(progress.out.len(), before);
    progress.step(1, "step", now + Duration::from_millis(100));
    assert_eq!(shown(&progress.out), ["flow 0 s step 51: step", "0 of 1"]);
}

#[test]
fn what_an_app_wrote_does_not_act_on_the_terminal() {
    let now = Instant::now();
    for screen in [TERMINAL, Screen::Lines] {
        let mut progress = Progress::new(Vec::new(), screen, 1, 1);
        progress.begins(1, "a\nb\u{1b}[2J", 1, now);
        progress.step(1, "\u{1b}]0;t\u{7}", now + Duration::from_secs(1));
        let mut flow = samples::flow("a\nb\u{1b}[2J", "a.ad", Outcome::Failed, Vec::new());
        flow.reason = Some("\u{1b}[31mred\r\n".to_owned());
        progress.ends(1, &flow, now + Duration::from_secs(2));
        progress.finish();
        let told = String::from_utf8(progress.out).unwrap();
        assert!(!told.contains("[2J\n") && !told.contains("\u{1b}[31") && !told.contains('\u{7}'), "{told:?}");
        assert!(told.contains("FAILED a\\nb\\u{1b}[2J [1/1]: \\u{1b}[31mred\\r\\n\n"), "{told:?}");
    }
}

#[test]
fn wide_letters_count_twice() {
    assert_eq!(fitting("日本語", 5), "日本");
    assert_eq!(fitting("e\u{301}a", 2), "e\u{301}a");
    assert_eq!(fitting("abc", 0), "");
}
