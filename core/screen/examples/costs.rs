use std::time::Instant;
use contract::{Rect, Size, command::ViewArgs};
use screen::*;
fn tree(n: u32, keyed: bool) -> Tree {
    let mut b = TreeBuilder::new(Size { width: 1280.0, height: 1e6 });
    let push = |b: &mut TreeBuilder, p: Option<u32>, role: &'static str, name: String, st: States| {
        let i = b.len() as u64;
        let mut node = Node::new(Role::of(role), name, Rect::new((i % 7) as f64 * 150.0, (i / 7) as f64 * 20.0, 140.0, 18.0));
        node.states = States::RENDERED | States::VISIBLE | st;
        if keyed { node.key = Some(NodeKey { scope: 1, id: i }); }
        if i % 5 == 0 { node.identifier = Some(format!("id-{i}").into()); }
        b.push(p, node)
    };
    let root = push(&mut b, None, "webview", "Page".into(), States::empty());
    let mut i = 0;
    while b.len() < n as usize {
        let row = push(&mut b, Some(root), "listitem", String::new(), States::empty());
        let g = push(&mut b, Some(row), "generic", String::new(), States::empty());
        push(&mut b, Some(g), "text", format!("Row number {i} with some text"), States::empty());
        let btn = push(&mut b, Some(g), "button", "Delete".into(), States::INTERACTIVE);
        push(&mut b, Some(btn), "text", "Delete".into(), States::empty());
        i += 1;
    }
    b.finish()
}
fn time<T>(what: &str, mut f: impl FnMut() -> T) {
    let mut best = vec![];
    for _ in 0..15 { let t = Instant::now(); std::hint::black_box(f()); best.push(t.elapsed()); }
    best.sort();
    println!("  {what}: median {:?}", best[7]);
}
fn main() {
    for n in [5_000, 50_000] { for keyed in [true, false] {
        println!("{n} nodes keyed={keyed}");
        time("build", || tree(n, keyed));
        let t = tree(n, keyed);
        for (w, args) in [("full", ViewArgs::default()), ("-i", ViewArgs { interactive_only: true, ..Default::default() }), ("raw", ViewArgs { raw: true, ..Default::default() })] {
            time(&format!("render {w} (new book)"), || { let mut b = RefBook::new(); snapshot::render(&mut b.show(&t), &args, None).unwrap().len() });
            let mut b = RefBook::new();
            time(&format!("render {w} (same book)"), || { snapshot::render(&mut b.show(&t), &args, None).unwrap().len() });
        }
        let mut b = RefBook::new();
        let l = snapshot::render(&mut b.show(&t), &ViewArgs::default(), None).unwrap();
        let l2 = snapshot::render(&mut b.show(&t), &ViewArgs::default(), None).unwrap();
        time("diff equal", || diff::diff(&l, &l2).additions);
        time("json nodes", || l.nodes(&t).len());
        let s = Selector::parse("label=\"Row number 77 with some text\"").unwrap();
        time("resolve one", || selector::resolve(&s, &t));
        let s = Selector::parse("role=button label=Delete").unwrap();
        time("resolve many", || selector::resolve(&s, &t));
        let s = Selector::parse("id=nope || label=Nope || text=\"Nothing there\"").unwrap();
        time("resolve miss", || selector::resolve(&s, &t));
        let s = Selector::parse("label=\"Row numbr 77 with sme text\"").unwrap();
        time("absent", || selector::absent(&s, &t));
        let tok = contract::target::RefToken { number: 1000, generation: None };
        time("resolve ref", || b.resolve(tok, &t).is_ok());
        time("selector_chain", || selector::selector_chain(&t, n - 10));
        time("find", || query::find(&t, contract::command::Locator::Any, "row number").len());
        time("text miss", || query::text_on_screen(&t, "not on here"));
        time("digest", || digest::digest(&t));
        time("same", || digest::same_screen(&t, &t));
        time("survival", || digest::survival(&t, &t));
        let mut v = t.clone();
        time("visibility", || visibility::mark(&mut v));
        time("occlusion", || { let mut v = t.clone(); occlusion::mark(&mut v) });
        time("aim", || guard::aim(&t, 0, Purpose::Press).is_ok());
    } }
}
