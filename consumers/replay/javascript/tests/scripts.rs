//! What scripts can do, and how they fail.

#![allow(clippy::unwrap_used, reason = "a test: what it does not expect has to fail it")]

use javascript::{Engine, Kind, Limits, ScriptFailure};
use serde_json::{Value, json};

fn engine() -> Engine {
    Engine::new(Limits::default(), None).unwrap()
}

fn eval(code: &str) -> Result<Value, ScriptFailure> {
    engine().eval(code, "flow.js", 1)
}

#[test]
fn the_value_is_that_of_the_last_expression() {
    for (code, value) in [
        ("1 + 1", json!(2)),
        ("const a = 'ä'; a + '😀'", json!("ä😀")),
        ("({b: [1, null, true]})", json!({"b": [1, null, true]})),
        ("if (true) { 'in' } else { 'out' }", json!("in")),
        ("", json!(null)),
        ("undefined", json!(null)),
        ("(function () {})", json!(null)),
        ("12345678901234567890n", json!("12345678901234567890")),
        ("'\\ud800'", json!("\u{fffd}")),
        ("new Date(0).toISOString()", json!("1970-01-01T00:00:00.000Z")),
        ("[3, 1].toSorted().at(0)", json!(1)),
        ("'a1b22'.replace(/\\d+/g, (n) => n * 2)", json!("a2b44")),
    ] {
        assert_eq!(eval(code).unwrap(), value, "{code}");
    }
}

#[test]
fn promises_are_waited_for() {
    assert_eq!(eval("(async () => { await null; return 7 })()").unwrap(), json!(7));
    let mut engine = engine();
    engine.eval("Promise.resolve(1).then((n) => { output.later = n })", "a.js", 1).unwrap();
    assert_eq!(engine.get("output").unwrap(), json!({"later": 1}));
    let failed = engine.eval("(async () => {\n  throw new Error('late')\n})()", "a.js", 1).unwrap_err();
    assert_eq!((failed.kind, failed.message.as_str(), failed.line), (Kind::Thrown, "late", 2));
    let never = engine.eval("new Promise(() => {})", "a.js", 1).unwrap_err();
    assert_eq!(never.message, "the script waits for a promise that nothing fulfils");
}

#[test]
fn output_stays_and_variables_do_not() {
    let mut engine = engine();
    engine.eval("const secret = 1; var other = 2; function third() {}; output.user = {id: secret}", "a.js", 1).unwrap();
    let seen = "[typeof secret, typeof other, typeof third].join()";
    assert_eq!(engine.eval(seen, "b.js", 1).unwrap(), json!("undefined,undefined,undefined"));
    assert_eq!(engine.eval("const secret = output.user.id + 1; secret", "b.js", 1).unwrap(), json!(2));
    assert_eq!(engine.interpolate("user ${output.user.id}").unwrap(), "user 1");
}

#[test]
fn variables_of_the_flow_are_seen_changed_and_taken_away() {
    let mut engine = engine();
    engine.set("NAME", json!("Ada \u{2028} \"quoted\"")).unwrap();
    engine.set("maestro", json!({"platform": "web"})).unwrap();
    assert_eq!(engine.eval("NAME", "a.js", 1).unwrap(), json!("Ada \u{2028} \"quoted\""));
    assert_eq!(engine.interpolate("${maestro.platform}!").unwrap(), "web!");
    engine.set("NAME", json!(3)).unwrap();
    assert_eq!(engine.get("NAME").unwrap(), json!(3));
    engine.remove("NAME").unwrap();
    assert_eq!(engine.get("NAME").unwrap(), json!(null));
    assert_eq!(engine.eval("NAME", "a.js", 1).unwrap_err().message, "ReferenceError: NAME is not defined");
    assert_eq!(engine.set("undefined", json!(1)).unwrap_err().kind, Kind::Thrown);
}

#[test]
fn a_script_that_breaks_the_language_breaks_it_for_itself() {
    let mut engine = engine();
    engine.eval("JSON.stringify = JSON.parse = () => { throw 1 }; String = null; output.a = 1", "a.js", 1).unwrap();
    assert_eq!(engine.get("output").unwrap(), json!({"a": 1}));
    assert_eq!(engine.interpolate("${output.a + 1}").unwrap(), "2");
    engine.set("b", json!([1])).unwrap();
    assert_eq!(engine.eval("b", "a.js", 1).unwrap(), json!([1]));
}

#[test]
fn texts_are_filled_in() {
    let mut engine = engine();
    engine.set("a", json!({"b": [1, 2]})).unwrap();
    for (text, filled) in [
        ("plain", "plain"),
        ("${a.b[1]} of ${a.b.length}", "2 of 2"),
        (r"\${a} ${'}'}", "${a} }"),
        ("${`<${a.b.map((n) => `${n}}`)}>`}", "<1},2}>"),
        ("${{x: 1}.x}", "1"),
        ("${}${ }", ""),
        ("${null} ${undefined} ${true} ${0.1} ${1e21}", "null undefined true 0.1 1e+21"),
        ("${a // the rest\n.b}", "1,2"),
    ] {
        assert_eq!(engine.interpolate(text).unwrap(), filled, "{text}");
    }
}

#[test]
fn conditions_hold_or_not() {
    let mut engine = engine();
    engine.set("on", json!(true)).unwrap();
    for falsy in ["", " ", "false", "${!on}", "0", "0.0", "${0}", "${null}", "${undefined}", "${0 / 0}", "${''}"] {
        assert!(!engine.truthy(falsy).unwrap(), "{falsy:?}");
    }
    for truthy in ["true", "${on}", "1", "-1", "no", "${[1]}", "${on && 'x'}"] {
        assert!(engine.truthy(truthy).unwrap(), "{truthy:?}");
    }
}

#[test]
fn json_and_console_are_there() {
    let mut engine = engine();
    assert_eq!(engine.eval("json('{\"a\": [1]}').a[0]", "a.js", 1).unwrap(), json!(1));
    let failed = engine.eval("\n json('nope')", "a.js", 1).unwrap_err();
    assert!(failed.message.starts_with("SyntaxError: json: this is not JSON: "), "{failed}");
    assert_eq!((failed.kind, failed.line), (Kind::Thrown, 2));
    engine.eval("console.log('a', 1, {b: null}, undefined); console.error([2n])", "a.js", 1).unwrap();
    assert_eq!(engine.console(), ["a 1 {\"b\":null} undefined", "[\"2\"]"]);
    assert!(engine.console().is_empty());
    engine.eval("for (let n = 0; n < 1500; n++) console.log(n); console.log('x'.repeat(1e6))", "a.js", 1).unwrap();
    let lines = engine.console();
    assert_eq!((lines.len(), lines[1000].as_str()), (1001, "... and 501 more lines"));
}

#[test]
fn failures_say_what_and_where() {
    let mut wrong = Vec::new();
    for (code, kind, message, line, column) in [
        ("let a = 1;\nlet b = ;", Kind::Syntax, "SyntaxError: ", 11, 9),
        ("throw new Error('no user')", Kind::Thrown, "no user", 10, 11),
        ("\n\n  missing.field", Kind::Thrown, "ReferenceError: missing is not defined", 12, 3),
        ("const f = (o) => o.x.y;\n[1].forEach(f)", Kind::Thrown, "TypeError: ", 10, 18),
        // The engine keeps no place within such a function: its caller is told.
        ("const f = () => null.x;\n\n[1].forEach(f)", Kind::Thrown, "TypeError: ", 12, 13),
        ("throw 'a text'", Kind::Thrown, "a text", 10, 1),
        ("throw {code: 7}", Kind::Thrown, "{\"code\":7}", 10, 1),
        ("throw undefined", Kind::Thrown, "undefined", 10, 1),
        ("eval('1 +')", Kind::Syntax, "SyntaxError: ", 10, 4),
        ("const a = {}; a.a = a; a", Kind::Thrown, "TypeError: ", 10, 1),
        ("({get a() { throw new Error('getter') }})", Kind::Thrown, "getter", 10, 23),
        (
            "const e = new Error; Object.defineProperty(e, 'stack', {get() { throw 1 }}); throw e",
            Kind::Thrown,
            "the script threw something that cannot be shown",
            10,
            1,
        ),
    ] {
        let failed = engine().eval(code, "steps/flow.js", 10).unwrap_err();
        let expected =
            ScriptFailure { kind, message: failed.message.clone(), file: "steps/flow.js".to_owned(), line, column };
        if failed != expected || !failed.message.starts_with(message) {
            wrong.push((code, failed));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_failing_expression_is_found_in_its_text() {
    let mut engine = engine();
    engine.at("flow.yaml", 8, 12);
    let failed = engine.interpolate("a ${1} ${missing}").unwrap_err();
    assert_eq!(failed.to_string(), "flow.yaml:8:21: ReferenceError: missing is not defined");
    let object = engine.interpolate("${{a: missing}.a}").unwrap_err();
    assert_eq!((object.line, object.column), (8, 18), "{object}");
    let open = engine.interpolate("first\nand ${open").unwrap_err();
    assert_eq!((open.kind, open.line, open.column), (Kind::Syntax, 9, 5));
    let bad = engine.truthy("${a b}").unwrap_err();
    assert_eq!((bad.kind, bad.line), (Kind::Syntax, 8));
}

#[test]
fn there_is_nothing_to_reach_the_machine_with() {
    let mut engine = engine();
    let names = "['require', 'process', 'std', 'os', 'Deno', 'setTimeout', 'fetch', 'load', 'print', 'scriptArgs', 'Worker', \
                 'XMLHttpRequest', 'WebSocket'].filter((name) => name in globalThis)";
    assert_eq!(engine.eval(names, "a.js", 1).unwrap(), json!([]));
    for module in ["fs", "std", "os", "/etc/passwd", "./a.js", "file:///etc/passwd", "data:text/javascript,1"] {
        let failed = engine.eval(&format!("import({module:?})"), "a.js", 1).unwrap_err();
        assert!(failed.message.contains("could not load module"), "{failed}");
    }
    assert_eq!(engine.eval("import fs from 'fs'", "a.js", 1).unwrap_err().kind, Kind::Syntax);
    for call in [
        "http.get('http://localhost/')",
        "http.post('http://localhost/', {multipartForm: {f: {filePath: '/etc/passwd'}}})",
    ] {
        assert_eq!(engine.eval(call, "a.js", 1).unwrap_err().kind, Kind::Forbidden, "{call}");
    }
    assert_eq!(
        engine.eval("try { http.get('http://localhost/') } catch (e) { e.message }", "a.js", 1).unwrap(),
        json!("http: scripts may not use the network here")
    );
    let blocked = engine.eval("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", "a.js", 1).unwrap_err();
    assert_eq!(blocked.kind, Kind::Thrown);
}

#[test]
fn a_value_deeper_than_json_can_be_read_is_a_failure() {
    let failed = eval("let a = []; for (let i = 0; i < 1000; i++) a = [a]; a").unwrap_err();
    assert!(failed.message.contains("JSON"), "{failed}");
}
