//! find: part of a text or a selector, then an action on what was found.

use std::borrow::Cow;

use contract::{
    Code, Failure, Row, Target,
    command::{AfterArgs, Button, Fill, FillWords, Find, FindAction, FindWords, GetFormat, Locator, WAIT_TIMEOUT_MS},
    request::Answer,
    words::Words,
};
use screen::{Selector, Tree, guard::Purpose, query, selector};
use serde_json::{Value, json};

use super::{acting, looking, text, waiting};
use crate::{
    interaction::{
        aim,
        identity::{self, End},
        resolve,
    },
    notes::timed,
    run::Run,
};

/// What is looked for.
#[derive(Debug)]
pub enum Sought<'a> {
    /// Part of a text.
    Text(Locator, &'a str),
    /// What a selector means.
    Selector(Selector),
}

impl<'a> Sought<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// A selector that cannot be read.
    pub fn of(words: &'a FindWords) -> Result<Self, Failure> {
        Ok(match words.how() {
            Locator::Selector => Sought::Selector(Selector::parse(&words.query)?),
            locator => Sought::Text(locator, &words.query),
        })
    }

    /// All matches, each thing once; for text actions the only field among several, where there is one.
    pub fn matches(&self, action: FindAction, tree: &Tree) -> Vec<u32> {
        match self {
            Sought::Text(locator, query) => {
                let matches = query::find(tree, *locator, query);
                let exact: Vec<u32> = matches.iter().copied().filter(|place| says_just(tree, *place, query)).collect();
                // Of "Ok" and "Bok choy" the one that says just that is meant.
                if action.means_one() && exact.len() == 1 { exact } else { matches }
            }
            Sought::Selector(selector) if matches!(action, FindAction::Fill | FindAction::Type) => {
                query::find_for_text(tree, selector)
            }
            Sought::Selector(selector) => query::find_selected(tree, selector),
        }
    }

    /// What may have been meant where nothing matches.
    fn near(&self, tree: &Tree) -> Vec<String> {
        match self {
            Sought::Text(_, query) => selector::near_text(query, tree),
            Sought::Selector(selector) => selector::near(selector, tree),
        }
    }

    /// As it stands in messages.
    fn shown(&self) -> Cow<'a, str> {
        match self {
            Sought::Text(_, query) => Cow::Borrowed(query),
            Sought::Selector(selector) => Cow::Owned(selector.to_string()),
        }
    }

    fn absent(&self, words: &FindWords, tree: &Tree) -> Failure {
        match self {
            Sought::Text(_, query) => absent(query, tree),
            Sought::Selector(selector) => {
                let failure = selector::absent(selector, tree);
                // What is near is the better advice.
                if words.locator.is_some() || !selector::near(selector, tree).is_empty() {
                    return failure;
                }
                let query = contract::quote::value(&words.query);
                failure.hint(format!(
                    "it was read as a selector; if it is a text to look for: agent-device find any {query}"
                ))
            }
        }
    }
}

/// `find`.
///
/// # Errors
/// Absent; ambiguous for everything that needs the one meant, unless `--first` or `--last` chooses.
pub async fn find(run: &mut Run<'_>, args: &Find) -> Result<Answer, Failure> {
    let words = &*args.words;
    let sought = Sought::of(words)?;
    if words.action == FindAction::Wait {
        return wait(run, args, &sought).await;
    }
    let tree = run.capture().await?;
    let matches = sought.matches(words.action, &tree);
    match words.action {
        FindAction::Exists => {
            let found = !matches.is_empty();
            return Ok(Answer::new(json!({"found": found, "matches": matches.len()}), format!("Found: {found}")));
        }
        FindAction::List => return Ok(listed(run, &sought, &tree, &matches)),
        _ => {}
    }
    let chosen = match (matches.as_slice(), args.first, args.last) {
        ([], ..) => return Err(sought.absent(words, &tree)),
        ([one], ..) | ([one, ..], true, _) | ([.., one], _, true) => *one,
        (several, ..) => return Err(selector::ambiguous(&sought.shown(), several, &mut run.session.refs.show(&tree))),
    };
    let found = resolve::Found { tree, place: chosen, changed: None, waited: None };
    identity::as_recorded(run, &format_args!("find {}", sought.shown()), &found, End::First)?;
    on(run, words, found).await
}

/// Does what was asked with the one element that was found.
async fn on(run: &mut Run<'_>, words: &FindWords, found: resolve::Found) -> Result<Answer, Failure> {
    let target = Target::Selector { selector: selector::selector_chain(&found.tree, found.place) };
    let purpose = match words.action {
        FindAction::GetText => return looking::of_element(run, &found, GetFormat::Text).await,
        FindAction::GetAttrs => return looking::of_element(run, &found, GetFormat::Attrs).await,
        FindAction::Fill | FindAction::Type => Purpose::Fill,
        _ => Purpose::Press,
    };
    let (located, began) = timed(aim::on(run, found, purpose)).await;
    let located = located?;
    run.note_aim(&target, &located, began);
    let value = words.value.clone().unwrap_or_default();
    match words.action {
        FindAction::Fill => {
            let words = Words(FillWords { target: target.clone(), text: value });
            let fill = Fill { words, delay_ms: None, record_as: None, after: AfterArgs::default() };
            text::fill_at(run, &target, located, &fill).await
        }
        FindAction::Type => text::focus_and_type(run, &target, &located, &value).await,
        action => {
            let press = backend::Input::Press { aim: located.aim(), button: Button::Primary, hold_ms: 0 };
            let receipt = run.perform(press).await?;
            let verb = if action == FindAction::Focus { "Focused" } else { "Pressed" };
            acting::finish(run, verb, &target, &located, &receipt, &AfterArgs::default(), None).await
        }
    }
}

fn listed(run: &mut Run<'_>, sought: &Sought<'_>, tree: &Tree, matches: &[u32]) -> Answer {
    let lines = looking::pinned_lines(&mut run.session.refs.show(tree), matches);
    let head = match (lines.len(), sought) {
        (0, Sought::Text(_, query)) => format!("0 matches; if it comes late: agent-device wait text {query:?}"),
        (0, Sought::Selector(selector)) => {
            let selector = selector.to_string();
            format!("0 matches; if it comes late: agent-device wait {}", contract::quote::value(&selector))
        }
        (1, _) => "1 match:".to_owned(),
        (several, _) => format!("{several} matches:"),
    };
    let text = std::iter::once(head)
        .chain(lines.iter().filter_map(Value::as_str).map(|line| format!("  {line}")))
        .collect::<Vec<_>>()
        .join("\n");
    Answer::new(json!({"matches": lines, "refsGeneration": run.session.refs.generation()}), text)
}

fn says_just(tree: &Tree, place: u32, query: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    tree.get(place).is_some_and(|node| plain(node.label()) == plain(query))
}

fn absent(query: &str, tree: &Tree) -> Failure {
    let near = selector::near_text(query, tree);
    let failure = Failure::refused(
        Row::DaemonRefusalAbsent,
        Code::ElementNotFound,
        format!("nothing on the screen contains {query:?}"),
    )
    .reason("selector_not_found")
    .detail("query", query);
    // `lable="Save"` is looked for as a text, since there is no such key; nobody means the text.
    if let Some(suggestion) =
        Selector::parse(query).err().filter(|_| query.contains("=\"")).and_then(|error| error.suggestion())
    {
        let hint = "it was looked for as a text; if a selector is meant, did you mean";
        return looking::with_nearest(failure, near).hint(format!("{hint} {suggestion}?"));
    }
    looking::with_nearest(failure, near)
}

async fn wait(run: &mut Run<'_>, args: &Find, sought: &Sought<'_>) -> Result<Answer, Failure> {
    let what = match sought {
        Sought::Text(_, query) => format!("an element with {query:?}"),
        Sought::Selector(selector) => selector.to_string(),
    };
    let limit = args.wait_ms.unwrap_or(WAIT_TIMEOUT_MS);
    let there = |tree: &Tree| !sought.matches(FindAction::Wait, tree).is_empty();
    waiting::until(run, limit, &what, there, |tree| sought.near(tree)).await
}
