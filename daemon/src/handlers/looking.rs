//! snapshot, diff, get, is.

use contract::{
    Code, Failure, Target,
    command::{Diff, Get, GetFormat, Is, Predicate, Snapshot, ViewArgs},
    request::{Answer, Render},
};
use screen::{Listing, Resolution, Selector, describe, diff, query, recorded, selector, snapshot as rendering};
use serde_json::{Value, json};

use crate::{
    interaction::{
        identity::{self, End},
        resolve,
    },
    run::Run,
};

/// A new listing of the screen under the given flags.
async fn list(run: &mut Run<'_>, view: &ViewArgs) -> Result<(Listing, std::sync::Arc<screen::Tree>), Failure> {
    let scope = rendering::scope_ref(view)?;
    let tree = run.capture().await?;
    let place = match scope {
        Some(token) => Some(run.session.refs.resolve(token, &tree)?.place),
        None => None,
    };
    let listing = rendering::render(&mut run.session.refs.show(&tree), view, place)?;
    Ok((listing, tree))
}

/// `snapshot`.
///
/// # Errors
/// The capture's; a scope that matches nothing.
pub async fn snapshot(run: &mut Run<'_>, args: &Snapshot) -> Result<Answer, Failure> {
    if args.diff {
        return compare(run, &args.view).await;
    }
    let (listing, tree) = list(run, &args.view).await?;
    let unchanged = match (&run.session.listing, args.force_full || args.view.raw) {
        (Some(before), false) => listing.unchanged_since(before),
        _ => None,
    };
    let answer = match run.render {
        Render::Text => Answer {
            data: json!({"refsGeneration": listing.generation(), "nodeCount": listing.len(), "unchanged": unchanged.is_some()}),
            text: Some(unchanged.unwrap_or_else(|| listing.text().to_owned())),
        },
        Render::Json => {
            let mut data = serde_json::to_value(describe::screen_view(&tree, listing.generation())).unwrap_or_default();
            data["nodes"] = serde_json::to_value(listing.nodes(&tree)).unwrap_or_default();
            if unchanged.is_some() {
                data["unchanged"] = true.into();
            }
            if !listing.warnings().is_empty() {
                data["warnings"] = json!(listing.warnings());
            }
            Answer { data, text: None }
        }
    };
    run.session.listing = Some(listing);
    Ok(answer)
}

/// `diff snapshot`.
///
/// # Errors
/// As `snapshot`.
pub async fn diff(run: &mut Run<'_>, args: &Diff) -> Result<Answer, Failure> {
    compare(run, &args.view).await
}

async fn compare(run: &mut Run<'_>, view: &ViewArgs) -> Result<Answer, Failure> {
    let (listing, _) = list(run, view).await?;
    // Two listings under different flags differ by the flags, not by the screen.
    let before = run.session.listing.take().filter(|before| before.args() == listing.args());
    let first = before.is_none();
    let difference = before.map_or_else(|| diff::first(&listing), |before| diff::diff(&before, &listing));
    let mut data = difference.json(first);
    data["refsGeneration"] = listing.generation().into();
    let text = match first {
        true => format!("Baseline taken: {} nodes. Run it again after a change.", listing.len()),
        false => difference.text(),
    };
    run.session.listing = Some(listing);
    Ok(Answer::new(data, text))
}

/// `get text` and `get attrs`.
///
/// # Errors
/// As every target: absent, ambiguous, expired.
pub async fn get(run: &mut Run<'_>, args: &Get) -> Result<Answer, Failure> {
    let found = resolve::on_capture(run, &args.target).await?;
    identity::as_recorded(run, &*args.target, &found, End::First)?;
    of_element(run, &found, args.format).await
}

/// The text or the attributes of an element that was found.
///
/// # Errors
/// What the device says.
pub async fn of_element(run: &mut Run<'_>, found: &resolve::Found, format: GetFormat) -> Result<Answer, Failure> {
    let node =
        found.tree.get(found.place).ok_or_else(|| Failure::new(Code::Internal, "a place outside its own capture"))?;
    match format {
        GetFormat::Text => {
            let live = match node.key {
                Some(key) => run.session.device.text(&run.context, key).await?,
                None => None,
            };
            // What shows no text of its own, such as a picture or a checkbox, is read as it is listed.
            let live = live.filter(|text| !text.is_empty());
            let text = live.unwrap_or_else(|| query::display_text(&found.tree, found.place));
            Ok(Answer::new(json!({"text": text, "element": describe::describe(node)}), text.clone()))
        }
        GetFormat::Attrs => {
            let generation = run.session.refs.generation();
            let mut data =
                serde_json::to_value(describe::node_view(&found.tree, found.place, None)).unwrap_or_default();
            data["selectorChain"] = selector::selector_chain(&found.tree, found.place).into();
            data["refsGeneration"] = generation.into();
            if let Some(key) = node.key
                && let Some(attributes) = run.session.device.attributes(&run.context, key).await?
            {
                data["attributes"] = attributes;
            }
            let text = serde_json::to_string_pretty(&data).unwrap_or_default();
            Ok(Answer::new(data, text))
        }
    }
}

/// `is`: a question with a yes or no.
///
/// # Errors
/// `PREDICATE_FAILED` with the actual state.
pub async fn is(run: &mut Run<'_>, args: &Is) -> Result<Answer, Failure> {
    let words = &*args.words;
    let (tree, place) = match &words.target {
        Target::Selector { selector: text } => {
            let selector = Selector::parse(text)?;
            let tree = run.capture().await?;
            let place = match selector::resolve(&selector, &tree) {
                Resolution::One(place) => Some(place),
                Resolution::None => None,
                // That something exists, or is absent, is answered by any match; everything else needs the one meant.
                Resolution::Many(places) if matches!(words.predicate, Predicate::Exists | Predicate::Absent) => {
                    // In a script the one that was recorded, wherever it stands among them now.
                    let expected = identity::expected(run, End::First);
                    let recorded = expected.and_then(|expected| {
                        let same = |place: &u32| recorded::differences(expected, &tree, *place).is_empty();
                        places.iter().copied().find(same)
                    });
                    recorded.or(places.first().copied())
                }
                Resolution::Many(places) => {
                    return Err(selector::ambiguous(text, &places, &mut run.session.refs.show(&tree)));
                }
            };
            (tree, place)
        }
        Target::Ref { reference } => {
            let token = resolve::token(reference)?;
            run.session.refs.lookup(token)?;
            let tree = run.capture().await?;
            let place = match run.session.refs.resolve(token, &tree) {
                Ok(aim) => Some(aim.place),
                // An element that has left the screen is exactly what these two ask about.
                Err(failure)
                    if failure.code == Code::RefExpired
                        && matches!(words.predicate, Predicate::Absent | Predicate::Hidden | Predicate::Exists) =>
                {
                    None
                }
                Err(failure) => return Err(failure),
            };
            (tree, place)
        }
        target @ Target::Point { .. } => {
            let found = resolve::on_capture(run, target).await?;
            (found.tree, Some(found.place))
        }
    };
    if let Some(place) = place {
        run.note_found(&words.target, &tree, place);
        identity::at_place(run, &words.target, &tree, place, End::First)?;
    }
    query::check(words.predicate, words.value.as_deref(), &words.target.to_string(), &tree, place).map_err(
        |failure| match (&words.target, place) {
            (Target::Selector { selector }, None) => {
                let near = Selector::parse(selector).map(|selector| selector::near(&selector, &tree));
                with_nearest(failure, near.unwrap_or_default())
            }
            _ => failure,
        },
    )?;
    let word = words.predicate.word();
    Ok(Answer::new(
        json!({"predicate": word, "pass": true, "target": words.target.to_string()}),
        format!("Passed: is {word}"),
    ))
}

/// The failure of a look for something that is not there, with what comes nearest to it, if anything does.
pub fn with_nearest(failure: Failure, near: Vec<String>) -> Failure {
    if near.is_empty() {
        return failure;
    }
    failure.hint(format!("the nearest on the screen: {}", near.join(", "))).detail("near", near)
}

/// The data of a list of candidates: pinned lines.
pub fn pinned_lines(frame: &mut screen::Frame<'_>, places: &[u32]) -> Vec<Value> {
    places
        .iter()
        .filter_map(|place| {
            let reference = frame.pinned(*place);
            let node = frame.tree().get(*place)?;
            let line = format!("{reference} {}", describe::describe(node));
            Some(Value::from(line + &screen::snapshot::line::told_apart(frame, *place)))
        })
        .collect()
}
