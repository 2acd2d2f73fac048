//! Every limit ends a script, and the engine works on afterwards.

#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use std::time::{Duration, Instant};

use javascript::{Engine, Kind, Limits};
use serde_json::json;

const TIME: Duration = Duration::from_millis(300);
/// The limit, what the engine needs to notice it, and a machine that is busy with other things.
const LATEST: Duration = Duration::from_secs(8);

fn engine() -> Engine {
    // Starting may be slow on a busy machine; only scripts are hurried.
    let mut engine = Engine::new(Limits { memory_bytes: 32 << 20, ..Limits::default() }, None).unwrap();
    engine.limit_time(TIME);
    engine
}

/// Evaluates, in time; the engine must be of use afterwards.
fn ends(code: &str) -> Kind {
    let mut engine = engine();
    let began = Instant::now();
    let failed = engine.eval(code, "a.js", 1).unwrap_err();
    assert!(began.elapsed() < LATEST, "{code} took {:?}", began.elapsed());
    engine.limit_time(Duration::from_secs(30));
    assert_eq!(engine.eval("1 + 1", "b.js", 1).as_ref(), Ok(&json!(2)), "after {code}: {failed}");
    let thrown = engine.eval("throw new Error('mine')", "b.js", 1).unwrap_err();
    assert_eq!((thrown.kind, thrown.message.as_str()), (Kind::Thrown, "mine"), "after {code}");
    failed.kind
}

#[test]
fn what_never_ends_is_ended() {
    for code in [
        "while (true) {}",
        "for (;;) { try { while (true) {} } catch { } finally { while (true) {} } }",
        "({get a() { while (true) {} }})",
        "({toJSON() { while (true) {} }})",
        "const e = new Error('x'); Object.defineProperty(e, 'message', {get() { while (true) {} }}); throw e",
        "throw new Proxy({}, {get() { while (true) {} }, getPrototypeOf() { while (true) {} }})",
        "/^(a+)+$/.test('a'.repeat(40) + '!')",
        "/(x+x+)+y/.exec('x'.repeat(60))",
        "[].indexOf.call({length: Number.MAX_SAFE_INTEGER}, 1)",
        "[].forEach.call({length: Number.MAX_SAFE_INTEGER}, () => {})",
        "[3, 1, 2].sort(() => { while (true) {} })",
        "(function again() { Promise.resolve().then(again) })()",
        "(async () => { for (;;) await null })()",
        "function* f() { for (;;) yield 1 } for (const x of f()) {}",
        "Array.from({[Symbol.iterator]: () => ({next: () => ({done: false, value: undefined})})}).x ?? (() => { for (;;); })()",
        "let s = 0n; for (;;) s = s * 31n % 1000003n",
        "'use strict'; eval('while (true) {}')",
        "new Function('while (true) {}')()",
    ] {
        let kind = ends(code);
        assert!(matches!(kind, Kind::TimedOut | Kind::OutOfMemory), "{code}: {kind:?}");
    }
}

#[test]
fn the_time_over_says_where() {
    let in_its_body = engine().eval("const f = () => {\n  while (true) {\n    Math.random()\n  }\n};\nf()", "a.js", 5);
    assert_eq!(in_its_body.unwrap_err().line, 7);
    let failed = engine().eval("const f = () => {\n  while (true) {}\n};\nf()", "a.js", 5).unwrap_err();
    assert_eq!((failed.kind, failed.line), (Kind::TimedOut, 8), "{failed}");
    assert_eq!(failed.message, "the script did not end within 300 ms");
}

#[test]
fn what_wants_all_memory_gets_no_more_than_its_share() {
    for code in [
        "const all = []; for (;;) all.push(new Array(1e5).fill(0))",
        "new ArrayBuffer(1e9)",
        "new Uint8Array(2e9)",
        "'x'.repeat(1e9)",
        "let s = 'x'; for (;;) s += s",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, {i})",
        "let big = 2n ** 30n; for (;;) big = big * big",
    ] {
        let kind = ends(code);
        // Some are refused by the language first: an invalid length.
        assert!(matches!(kind, Kind::OutOfMemory | Kind::TimedOut | Kind::Thrown), "{code}: {kind:?}");
    }
    assert_eq!(ends("'x'.repeat(1e8)"), Kind::OutOfMemory);
}

#[test]
fn memory_that_a_script_kept_stays_counted() {
    let mut engine = engine();
    engine.limit_time(Duration::from_secs(30));
    let keep = "output.kept = (output.kept ?? []); output.kept.push(new Uint8Array(1e6))";
    let failed = (0..64).find_map(|_| engine.eval(keep, "a.js", 1).err()).unwrap();
    assert_eq!(failed.kind, Kind::OutOfMemory, "{failed}");
    engine.eval("output.kept = undefined; 0", "a.js", 1).unwrap();
    engine.eval(keep, "a.js", 1).unwrap();
}

#[test]
fn what_calls_itself_without_end_is_ended() {
    for code in [
        "(function f() { return f() + 1 })()",
        "const a = {toString() { return `${this}` }}; `${a}`",
        "const p = new Proxy({}, {get(t, k, r) { return r[k] }}); p.x",
        "class A { get b() { return this.b } }; new A().b",
    ] {
        assert_eq!(ends(code), Kind::TooDeep, "{code}");
    }
    let deep = "(".repeat(200_000);
    assert!(matches!(ends(&deep), Kind::TooDeep | Kind::Syntax));
    let deep = format!("JSON.parse({:?})", "[".repeat(200_000));
    assert!(matches!(ends(&deep), Kind::TooDeep | Kind::Thrown));
    let deep = format!("new RegExp({:?})", "(".repeat(200_000));
    assert!(matches!(ends(&deep), Kind::TooDeep | Kind::Thrown));
}

#[test]
fn a_text_with_many_expressions_has_one_limit_for_all() {
    let mut engine = engine();
    engine
        .eval("globalThis.spin = () => { const until = Date.now() + 100; while (Date.now() < until) {} }", "a.js", 1)
        .unwrap();
    let began = Instant::now();
    let failed = engine.interpolate(&"${spin()}".repeat(1000)).unwrap_err();
    assert_eq!(failed.kind, Kind::TimedOut);
    assert!(began.elapsed() < LATEST);
}

#[test]
fn no_time_is_no_run() {
    let mut engine = engine();
    engine.limit_time(Duration::ZERO);
    assert_eq!(engine.eval("output.ran = true", "a.js", 1).unwrap_err().kind, Kind::TimedOut);
    engine.limit_time(Duration::from_secs(30));
    assert_eq!(engine.get("output").unwrap(), json!({}));
}

#[test]
fn an_engine_without_room_does_not_start() {
    let failed = Engine::new(Limits { memory_bytes: 10_000, ..Limits::default() }, None).err().unwrap();
    assert_eq!(failed.kind, Kind::OutOfMemory, "{failed}");
}

#[test]
fn a_host_that_does_not_come_back_is_given_up() {
    use std::sync::mpsc::channel;
    let (release, held) = channel::<()>();
    let hangs = move |_: &javascript::HttpRequest, _: Duration| {
        let _released = held.recv();
        Err("released".to_owned())
    };
    let mut engine = Engine::new(Limits::default(), Some(Box::new(hangs))).unwrap();
    engine.limit_time(TIME);
    let began = Instant::now();
    assert_eq!(engine.eval("http.get('http://a/')", "a.js", 1).unwrap_err().kind, Kind::TimedOut);
    assert!(began.elapsed() < LATEST);
    let after = engine.eval("1", "b.js", 3).unwrap_err();
    assert_eq!((after.kind, after.file.as_str(), after.line), (Kind::TimedOut, "b.js", 3));
    assert!(after.message.contains("earlier failure"), "{after}");
    drop(release);
}

#[test]
fn a_built_in_function_that_runs_on_is_given_up() {
    let mut engine = engine();
    let began = Instant::now();
    let code = "'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')";
    assert_eq!(engine.eval(code, "a.js", 1).unwrap_err().kind, Kind::TimedOut);
    assert!(began.elapsed() < LATEST, "{:?}", began.elapsed());
    assert!(engine.eval("1", "a.js", 1).unwrap_err().message.contains("earlier failure"));
}
