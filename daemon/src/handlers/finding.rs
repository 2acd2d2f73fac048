//! find: part of a text, then an action on what was found.

use contract::{
    Code, Failure, Row, Target,
    command::{AfterArgs, Button, Fill, FillWords, Find, FindAction, GetFormat, WAIT_TIMEOUT_MS},
    request::Answer,
    words::Words,
};
use observe::Verdict;
use screen::{guard::Purpose, query, selector};
use serde_json::{Value, json};

use super::{acting, looking, text, waiting};
use crate::{
    interaction::{
        aim, resolve,
        watch::{Wish, outcome, watch},
    },
    notes::timed,
    run::Run,
};

/// `find`.
///
/// # Errors
/// Absent; ambiguous for everything that needs the one meant, unless `--first` or `--last` chooses.
pub async fn find(run: &mut Run<'_>, args: &Find) -> Result<Answer, Failure> {
    let words = &*args.words;
    if words.action == FindAction::Wait {
        return wait(run, args).await;
    }
    let tree = run.capture().await?;
    let matches = query::find(&tree, words.locator, &words.query);
    match words.action {
        FindAction::Exists => {
            let found = !matches.is_empty();
            return Ok(Answer::new(json!({"found": found, "matches": matches.len()}), format!("Found: {found}")));
        }
        FindAction::List => {
            let lines = looking::pinned_lines(&mut run.session.refs.show(&tree), &matches);
            let head = match lines.len() {
                0 => format!("0 matches; if it comes late: agent-device wait text {:?}", words.query),
                1 => "1 match:".to_owned(),
                several => format!("{several} matches:"),
            };
            let text = std::iter::once(head)
                .chain(lines.iter().filter_map(Value::as_str).map(|line| format!("  {line}")))
                .collect::<Vec<_>>()
                .join("\n");
            return Ok(Answer::new(json!({"matches": lines, "refsGeneration": run.session.refs.generation()}), text));
        }
        _ => {}
    }
    let exact: Vec<u32> = matches.iter().copied().filter(|place| says_just(&tree, *place, &words.query)).collect();
    // Of "Ok" and "Bok choy" the one that says just that is meant.
    let matches = if exact.len() == 1 { exact } else { matches };
    let chosen = match (matches.as_slice(), args.first, args.last) {
        ([], ..) => return Err(absent(words.query.as_str(), &tree)),
        ([one], ..) | ([one, ..], true, _) | ([.., one], _, true) => *one,
        (several, ..) => return Err(selector::ambiguous(&words.query, several, &mut run.session.refs.show(&tree))),
    };
    let found = resolve::Found { tree, place: chosen, changed: None, waited: None };
    let target = Target::Selector { selector: selector::selector_chain(&found.tree, chosen) };
    match words.action {
        FindAction::GetText => looking::of_element(run, &found, GetFormat::Text).await,
        FindAction::GetAttrs => looking::of_element(run, &found, GetFormat::Attrs).await,
        FindAction::Click | FindAction::Focus => {
            let (located, began) = timed(aim::on(run, found, Purpose::Press)).await;
            let located = located?;
            run.note_aim(&target, &located, began);
            let receipt =
                run.perform(backend::Input::Press { aim: located.aim(), button: Button::Primary, hold_ms: 0 }).await?;
            let verb = if words.action == FindAction::Focus { "Focused" } else { "Pressed" };
            acting::finish(run, verb, &target, &located, &receipt, &AfterArgs::default(), None).await
        }
        FindAction::Fill => {
            let reference = run.session.refs.show(&found.tree).reference(chosen).to_string();
            let value = words.value.clone().unwrap_or_default();
            let words = Words(FillWords { target: Target::Ref { reference }, text: value });
            text::fill(run, &Fill { words, delay_ms: None, record_as: None, after: AfterArgs::default() }).await
        }
        FindAction::Type => {
            let (located, began) = timed(aim::on(run, found, Purpose::Fill)).await;
            let located = located?;
            run.note_aim(&target, &located, began);
            text::focus_and_type(run, &target, &located, words.value.as_deref().unwrap_or_default()).await
        }
        FindAction::Exists | FindAction::List | FindAction::Wait => {
            Err(Failure::new(Code::Internal, "answered before"))
        }
    }
}

fn says_just(tree: &screen::Tree, place: u32, query: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    tree.get(place).is_some_and(|node| plain(node.label()) == plain(query))
}

fn absent(query: &str, tree: &screen::Tree) -> Failure {
    let sketch = screen::Selector::parse(&format!("text={}", contract::quote::value(query)));
    let near = sketch.map(|selector| selector::near(&selector, tree)).unwrap_or_default();
    let failure = Failure::refused(
        Row::DaemonRefusalAbsent,
        Code::ElementNotFound,
        format!("nothing on the screen contains {query:?}"),
    )
    .reason("selector_not_found")
    .detail("query", query)
    .detail("near", near.clone());
    if near.is_empty() { failure } else { failure.hint(format!("the nearest on the screen: {}", near.join(", "))) }
}

async fn wait(run: &mut Run<'_>, args: &Find) -> Result<Answer, Failure> {
    let words = &*args.words;
    let what = format!("an element with {:?}", words.query);
    let wish = Wish::new(&what, args.wait_ms.unwrap_or(WAIT_TIMEOUT_MS));
    let seen = watch(run, wish, waiting::capture, |tree| {
        if query::find(&tree, words.locator, &words.query).is_empty() { Verdict::Continue } else { Verdict::Done(tree) }
    })
    .await;
    let got = outcome(run, wish, seen)?;
    let answer = waiting::waited(&got, &what);
    run.session.keep(got.value);
    Ok(answer)
}
