//! Runs to make pages of: real files in a real folder, with pictures that a browser decodes.

use std::{fs, io::Write as _, path::Path};

use contract::{
    Point, Rect, Size,
    trace::{Aimed, Entry, Exchange, FILE, Header, Network, Screen, Timing, VERSION},
};
use flate2::{Compression, Crc, write::ZlibEncoder};
use flow::{AskRecord, Attempt, Outcome, Place, Status, StepRecord};
use serde_json::{Value, json};

/// When every run begins.
pub const BEGAN: u64 = 1_750_000_000_000;

/// A picture of one colour in 8 bits per channel, `noise` bytes of which cannot be packed.
pub fn png(width: u32, height: u32, colour: [u8; 3], noise: usize) -> Vec<u8> {
    let mut rows = Vec::new();
    let mut seed = u32::from_be_bytes([0, colour[0], colour[1], colour[2]]) | 1;
    for row in 0..height {
        rows.push(0);
        for column in 0..width {
            let at = (row * width + column) as usize;
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let pixel = if at * 3 < noise { seed.to_be_bytes()[..3].to_vec() } else { colour.to_vec() };
            rows.extend(pixel);
        }
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&rows).unwrap();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    for (name, content) in [(b"IHDR", header), (b"IDAT", packed.finish().unwrap()), (b"IEND", Vec::new())] {
        let mut sum = Crc::new();
        sum.update(name);
        sum.update(&content);
        out.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        out.extend(name);
        out.extend(&content);
        out.extend(sum.sum().to_be_bytes());
    }
    out
}

/// Nodes of a screen with a button per label, 390 x 780.
pub fn tree(labels: &[&str]) -> Value {
    let mut nodes = vec![json!({
        "index": 0, "role": "application", "label": "Shop", "rect": {"x": 0, "y": 0, "width": 390, "height": 780},
        "depth": 0, "enabled": true, "visibleToUser": true,
    })];
    for (at, label) in labels.iter().enumerate() {
        nodes.push(json!({
            "index": at + 1, "ref": format!("e{}", at + 1), "role": "button", "label": label, "identifier": format!("id-{at}"),
            "rect": {"x": 16, "y": 20 + at * 60, "width": 358, "height": 44}, "depth": 1, "parentIndex": 0,
            "enabled": true, "visibleToUser": true, "interactive": true,
        }));
    }
    Value::from(nodes)
}

/// A screen whose files are written.
pub fn screen(folder: &Path, name: &str, at_ms: u64, picture: &[u8], tree: &Value) -> Screen {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    fs::write(folder.join(format!("{name}.json")), tree.to_string()).unwrap();
    Screen {
        at_ms: BEGAN + at_ms,
        picture: Some(format!("{name}.png")),
        tree: Some(format!("{name}.json")),
        viewport: Some(Size { width: 390.0, height: 780.0 }),
        title: Some("Shop".into()),
    }
}

/// A command that worked.
pub fn entry(number: u32, line: &str, at_ms: u64) -> Entry {
    Entry {
        number,
        request_id: format!("request-{number}"),
        command: line.split(' ').next().unwrap_or_default().into(),
        line: line.into(),
        at_ms: BEGAN + at_ms,
        duration_ms: 40,
        ok: true,
        message: format!("Did {line}"),
        timing: Timing { resolve_ms: 5, send_ms: 15, settle_ms: 20, ..Timing::default() },
        ..Entry::default()
    }
}

/// Requests of a step, one of which may have failed. Their addresses say what is theirs.
pub fn network(own: &str, failed: bool) -> Network {
    let asked = |url: String, kind: &str, status: Option<u16>, start_ms: i64| Exchange {
        url,
        kind: kind.into(),
        status,
        failed: status.map(|status| status >= 400),
        start_ms,
        duration_ms: 12,
        bytes: Some(4_321),
    };
    let mut requests = vec![
        asked("http://shop.test/api/basket".into(), "fetch", Some(200), 3),
        asked(format!("http://shop.test/pictures/of/a/lamp/{}.png?for={own}", "x".repeat(60)), "img", None, -20),
        Exchange { bytes: Some(0), ..asked("http://shop.test/style.css".into(), "link", Some(200), 8) },
    ];
    if failed {
        requests.push(asked("http://shop.test/api/pay".into(), "fetch", Some(500), 20));
        requests.push(Exchange {
            failed: Some(true),
            bytes: None,
            ..asked("http://shop.test/api/again".into(), "xmlhttprequest", None, 33)
        });
    }
    let notes = if failed { vec!["some may be missing".into()] } else { Vec::new() };
    Network { requests, left_out: if failed { 7 } else { 0 }, notes }
}

/// Writes the trace.
pub fn write(folder: &Path, entries: &[Entry]) {
    fs::create_dir_all(folder).unwrap();
    let header = Header {
        version: VERSION,
        agent_device: "0.1.0".into(),
        session: "sample".into(),
        platform: "stage".into(),
        device: "stage".into(),
        app: "shop".into(),
        started_at_ms: BEGAN,
    };
    let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap());
    let lines: Vec<_> = std::iter::once(serde_json::to_string(&header).unwrap()).chain(lines).collect();
    fs::write(folder.join(FILE), lines.join("\n") + "\n").unwrap();
}

/// A failure as `--json` shows it.
pub fn absent(label: &str) -> Value {
    json!({
        "code": "ELEMENT_NOT_FOUND", "message": format!("nothing on the screen matches label={label}"),
        "hint": "look at the screen: agent-device snapshot -i", "retriable": false,
        "details": {
            "dispatched": "no", "dispatchRow": "daemon.readiness.expired", "near": ["@e2 [button] \"Store\""],
            "readiness": {"polls": 11, "waitedMs": 2004, "end": "expired"},
        },
    })
}

/// What a script says when the step of [`failing`] fails.
pub fn diverged(label: &str) -> Value {
    let cause = absent(label);
    json!({
        "code": "REPLAY_DIVERGENCE", "message": format!("step 5 of 6 (shop.ad:7): nothing on the screen matches label={label}"),
        "hint": "perhaps [button] \"Store\" is meant: id=store\nnothing of this step reached the device; go on from it: --from 5 --plan-digest 00ff",
        "details": {
            "dispatched": "unknown", "dispatchedSteps": 3, "near": ["@e2 [button] \"Store\""],
            "divergence": {
                "kind": "selector-miss", "step": {"index": 5, "dispatched": "no"}, "cause": cause,
                "screen": {"state": "read", "refs": [{"ref": "e1", "role": "button", "label": "Basket"}]},
                "suggestions": [{"selector": "id=store", "role": "button", "label": "Store", "basis": "role-and-label"}],
                "resume": {"allowed": true, "from": 5},
            },
        },
    })
}

/// A flow of a group with two parts, an optional step, a failing step that presses `label`, and one that was not tried. Buttons
/// of every screen have the `labels`.
pub fn failing(folder: &Path, labels: &[&str], label: &str) -> Attempt {
    let shades = [[235, 240, 245], [225, 245, 235], [250, 235, 220]];
    let mut entries = Vec::new();
    for number in 1..=4_u32 {
        let at = u64::from(number) * 500;
        let before = usize::try_from(number - 1).unwrap() % 3;
        let after = if number == 4 { before } else { (before + 1) % 3 };
        let seen = |which: &str, shade: usize, at| {
            screen(folder, &format!("{number}-{which}"), at, &png(390, 780, shades[shade], 0), &tree(labels))
        };
        let mut one = entry(number, &format!("press label=\"{label}\""), at);
        one.before = Some(seen("before", before, at));
        one.after = Some(seen("after", after, at + 40));
        one.target = Some(Aimed {
            node: Some(2),
            rect: Some(Rect::new(16.0, 80.0, 358.0, 44.0)),
            point: Some(Point { x: 195.0, y: 102.0 }),
            path: Vec::new(),
        });
        one.log = vec![format!("a line of the log: {label}")];
        one.network = Some(network(label, number > 2));
        entries.push(one);
    }
    if let Some(last) = entries.last_mut() {
        last.ok = false;
        last.failure = Some(absent(label));
        last.target = None;
        last.duration_ms = 2010;
        let polls = (0..11).map(|look| json!({"startedMs": look * 200, "durationMs": 1, "outcome": "observed"}));
        last.timing = Timing { resolve_ms: 3, wait_ms: 2004, polls: polls.collect(), ..Timing::default() };
    }
    write(folder, &entries);
    let step = |number: u32, parent: Option<u32>, status: Status, request: Option<u32>| StepRecord {
        number,
        parent,
        place: Place { file: "shop.ad".into(), line: number + 2 },
        text: format!("press label=\"{label}\""),
        status,
        started_ms: u64::from(number) * 400,
        duration_ms: 50,
        asks: request.into_iter().map(|request| ask(request, status, label)).collect(),
        failure: (status == Status::Failed || status == Status::Warned).then(|| absent(label)),
        notes: vec![format!("a note: {label}")],
    };
    let steps = vec![
        step(1, None, Status::Passed, None),
        step(2, Some(1), Status::Passed, Some(1)),
        step(3, Some(1), Status::Passed, Some(2)),
        step(4, None, Status::Warned, Some(3)),
        step(5, None, Status::Failed, Some(4)),
        step(6, None, Status::Skipped, None),
    ];
    Attempt {
        number: 1,
        outcome: Outcome::Failed,
        started_at_ms: BEGAN,
        duration_ms: 4200,
        session: "sample".into(),
        device: Some("stage".into()),
        failure: Some(diverged(label)),
        steps,
        artifacts: Vec::new(),
        trace: None,
    }
}

fn ask(request: u32, status: Status, label: &str) -> AskRecord {
    AskRecord {
        request_id: format!("request-{request}"),
        command: "press".into(),
        started_ms: u64::from(request) * 500,
        duration_ms: 40,
        waited: None,
        failure: (status == Status::Failed).then(|| absent(label)),
    }
}
