//! The screen as a tree, frames of other origins included.

pub mod decode;

use std::collections::HashMap;

use contract::{Code, Failure, Rect, Size};
use screen::{Cover, Extra, Node, NodeKey, Role, States, Tree, TreeBuilder};
use serde_json::json;
use wire::Context;

use self::decode::{Captured, Placement, RawNode};
use crate::{
    agent::Said,
    page::{Document, Hop, Page, scope_of},
    reply::Heard,
};

/// Frames of other origins that one capture enters; each costs a few round trips.
const MAX_FRAMES: usize = 24;
/// Frames in frames that it follows.
const MAX_DEPTH: usize = 6;
/// Time that the page's script takes at most, ms; the rest of a huge page is reported as missing.
const SCRIPT_BUDGET_MS: u64 = 4000;

/// The number of the page itself, which is no element.
pub const PAGE_ITSELF: u64 = 0;

/// A document's capture, with those of the frames in it by the frame element's id.
#[derive(Debug)]
struct Taken {
    heard: Heard,
    inner: HashMap<u64, Taken>,
}

/// Captures the window that commands go to.
///
/// # Errors
/// What the driver says. A page without content is a tree of its root.
pub async fn capture(page: &mut Page, context: &Context, max_nodes: u32) -> Result<Tree, Failure> {
    page.top(context).await?;
    let mut warnings = Vec::new();
    let mut frames_left = MAX_FRAMES;
    let mut budget = max_nodes;
    let mut documents = HashMap::new();
    let taken = take(page, context, &mut budget, &mut frames_left, Vec::new(), &mut documents, &mut warnings).await;
    let back = page.top(context).await;
    let taken = taken?;
    back?;
    let mut builder = None;
    graft(&taken, None, Placement::TOP, None, &mut builder, max_nodes)?;
    let mut tree = builder.map(TreeBuilder::finish).unwrap_or_default();
    if tree.truncated {
        tree.warnings.push(format!("the page is larger than the capture: the first {} nodes are shown", tree.len()));
    }
    tree.warnings.append(&mut warnings);
    page.documents = documents;
    Ok(tree)
}

/// Captures the current document and the frames of other origins in it.
fn take<'a>(
    page: &'a mut Page,
    context: &'a Context,
    budget: &'a mut u32,
    frames_left: &'a mut usize,
    hops: Vec<Hop>,
    documents: &'a mut HashMap<u64, Document>,
    warnings: &'a mut Vec<String>,
) -> std::pin::Pin<Box<dyn Future<Output = Result<Taken, Failure>> + Send + 'a>> {
    Box::pin(async move {
        let args = json!({"maxNodes": (*budget).max(1), "budgetMs": SCRIPT_BUDGET_MS});
        let heard = page.call_here(context, "capture", args).await?;
        let (token, frames, nodes) = {
            let captured = read(&heard)?;
            let corners: HashMap<u64, [f64; 4]> =
                captured.nodes.iter().filter(|node| node.is_frame()).map(|node| (node.id, node.rect)).collect();
            let frames: Vec<_> = captured
                .frames
                .iter()
                .filter(|frame| frame.3 > 1.0 && frame.4 > 1.0)
                .filter_map(|frame| corners.get(&frame.0).map(|corner| (*frame, *corner)))
                .collect();
            (captured.doc.0.into_owned(), frames, u32::try_from(captured.nodes.len()).unwrap_or(u32::MAX))
        };
        *budget = budget.saturating_sub(nodes);
        documents.insert(scope_of(&token), Document { token: token.clone(), hops: hops.clone() });
        let mut inner = HashMap::new();
        for (frame, corner) in frames {
            if *frames_left == 0 || hops.len() >= MAX_DEPTH || *budget == 0 {
                warnings
                    .push("more frames of other origins than a capture enters: some are shown without content".into());
                break;
            }
            *frames_left -= 1;
            let entered = page.enter_one_from(context, &hops, &token, frame.0).await?;
            let levels = entered.unwrap_or(0);
            let taken = if entered.is_some() {
                let mut to = hops.clone();
                to.push(Hop {
                    parent: token.clone(),
                    id: frame.0,
                    inset: (frame.1 - corner[0], frame.2 - corner[1]),
                    scale: (frame.5, frame.6),
                    levels,
                });
                take(page, context, budget, frames_left, to, documents, warnings).await
            } else {
                Err(Failure::new(Code::CaptureFailed, "the frame is gone"))
            };
            match taken {
                Ok(taken) => {
                    inner.insert(frame.0, taken);
                    page.leave(context, levels, &hops).await?;
                }
                // A frame may go away, or be loading, at any time: the rest of the screen counts. What stops every
                // look shows again in the next line.
                Err(failure) => {
                    if !page.enter(context, &hops).await? {
                        return Err(failure);
                    }
                    warnings.push(
                        "a frame of another origin went away or could not be read: it is shown without content".into(),
                    );
                }
            }
        }
        Ok(Taken { heard, inner })
    })
}

/// The tree in one answer of the page agent, without frames of other origins: for the fuzz targets.
///
/// # Errors
/// What is no answer of the agent's.
#[doc(hidden)]
pub fn tree_of(said: String, max_nodes: u32) -> Result<Tree, Failure> {
    let taken = Taken { heard: Heard::Text(said), inner: HashMap::new() };
    let mut builder = None;
    graft(&taken, None, Placement::TOP, None, &mut builder, max_nodes)?;
    Ok(builder.map(TreeBuilder::finish).unwrap_or_default())
}

fn read(heard: &Heard) -> Result<Captured<'_>, Failure> {
    let (said,): (Said<Captured<'_>>,) = heard.read()?;
    match said {
        Said::Ok(captured) => Ok(captured),
        Said::Error(refusal) => {
            Err(Failure::new(Code::CaptureFailed, format!("the page could not be read: {}", refusal.message)))
        }
    }
}

/// A tree with the page itself as its root: what scrolls with it is hidden above and below it.
fn rooted(captured: &Captured<'_>, scope: u64) -> TreeBuilder {
    let viewport = Size { width: captured.viewport[0], height: captured.viewport[1] };
    let mut tree = TreeBuilder::new(viewport);
    tree.tree_mut().title = Some(captured.title.0.clone().into_owned());
    tree.tree_mut().app = Some(captured.url.0.clone().into_owned());
    let mut root = Node::new(Role::of("webview"), captured.title.0.as_ref(), viewport.bounds());
    root.key = Some(NodeKey { scope, id: PAGE_ITSELF });
    root.states = States::RENDERED | States::VISIBLE;
    let [x, y, max_x, max_y] = captured.scroll;
    if max_x > 0.0 || max_y > 0.0 {
        root.states |= States::SCROLLABLE;
        // Right-to-left pages count from 0 down.
        let left = if x < 0.0 { max_x + x } else { x };
        root.extra = Some(Box::new(Extra { hidden: Some([y, max_y - y, left, max_x - left]), ..Extra::default() }));
    }
    tree.push(None, root);
    tree
}

/// Appends a document's nodes, and below each frame element those of the document inside.
fn graft(
    taken: &Taken,
    below: Option<u32>,
    place: Placement,
    seen_through: Option<Rect>,
    builder: &mut Option<TreeBuilder>,
    max_nodes: u32,
) -> Result<(), Failure> {
    let captured = read(&taken.heard)?;
    let scope = scope_of(&captured.doc.0);
    let below = below.or(Some(0));
    let tree = builder.get_or_insert_with(|| rooted(&captured, scope));
    tree.tree_mut().truncated |= captured.truncated;
    let mut places: Vec<Option<u32>> = Vec::with_capacity(captured.nodes.len());
    let mut covers: Vec<(u32, u64)> = Vec::new();
    let mut numbered: Vec<(u64, u32)> = Vec::with_capacity(captured.nodes.len());
    for raw in captured.nodes {
        let Some(tree) = builder.as_mut() else { break };
        if tree.len() >= max_nodes as usize {
            tree.tree_mut().truncated = true;
            break;
        }
        let RawNode { id, parent, cover, .. } = raw;
        let parent = usize::try_from(parent).ok().and_then(|at| places.get(at).copied().flatten()).or(below);
        let mut node = raw.into_node(scope, place);
        if let Some(window) = seen_through
            && node.rect.intersect(window).is_empty()
        {
            node.states.remove(States::VISIBLE | States::HITTABLE | States::HIT_TESTED);
        }
        let rect = node.rect;
        let at = tree.push(parent, node);
        places.push(Some(at));
        numbered.push((id, at));
        if cover != 0 {
            covers.push((at, cover));
        }
        if let Some(inner) = taken.inner.get(&id)
            && let Some(frame) = captured.frames.iter().find(|frame| frame.0 == id)
        {
            let inside = place.inside(*frame);
            let content = Rect::new(inside.x, inside.y, frame.3 * place.scale_x, frame.4 * place.scale_y);
            let window =
                seen_through.unwrap_or_else(|| tree.tree_mut().viewport.bounds()).intersect(content).intersect(rect);
            graft(inner, Some(at), inside, Some(window), builder, max_nodes)?;
        }
    }
    if covers.is_empty() {
        return Ok(());
    }
    let by_number: HashMap<u64, u32> = numbered.into_iter().collect();
    let Some(tree) = builder.as_mut() else { return Ok(()) };
    for (at, cover) in covers {
        if let (Some(by), Some(node)) = (by_number.get(&cover), tree.node_mut(at)) {
            node.cover = Some(Cover::Node(*by));
        }
    }
    Ok(())
}
