"""Every recorded touch plan: each injected event, and each refused payload with its exact message."""
import base64
import json
import os
import re

from harness import recordings
from harness.lab import RECORDED, Session

EVENT = re.compile(r" *(\d+) (\S+) +t=(-?\d+) +at=\d+ +late=-?\d+ +(\S+) +sync=(\w+) +anim=(\w+) +-> (\w+) +(.*)")
COMMON = {"source": "0x1002", "deviceId": 0, "flags": 0, "edgeFlags": 0, "metaState": 0, "buttonState": 0, "precision": [1.0, 1.0]}


def recorded_events(case):
    out = []
    for line in case.lines:
        m = EVENT.match(line)
        if m:
            n, action, t, form, sync, anim, returned, pointers = m.groups()
            out.append(event(n, action, t, form, sync, anim, returned, pointers))
    return out


def event(n, action, t, form, sync, anim, returned, pointers):
    # A CANCEL carries the time of the failure, whatever that is.
    return "%s %s t=%s %s sync=%s anim=%s -> %s %s" % (n, action, "?" if action == "CANCEL" else t, form, sync, anim, returned, pointers)


def our_events(intended, name, trace):
    out = []
    for t in trace:
        if t["call"] != "inject":
            continue
        e = t["event"]
        common = {k: v for k, v in e.items() if k not in ("action", "offsetMs", "pointers")}
        intended.check(name, "event fields", COMMON, common)
        for p in e["pointers"]:
            intended.check(name, "pointer", (1, 1.0, 1.0), (p["tool"], p["pressure"], p["size"]))
        pointers = " ".join("#%d(%s,%s)" % (p["id"], p["x"], p["y"]) for p in e["pointers"])
        low = lambda b: str(b).lower()
        out.append(event(t["n"], e["action"], e["offsetMs"], t["form"], low(t["sync"]), low(t["waitForAnimations"]), low(t["returned"]), pointers))
    return out


def played(lab, intended, case):
    name = "gesture/" + case.name
    payload = base64.b64encode(case.line("payload: ").encode()).decode()
    framework = "framework-public-inject.jar" if "without the 3-argument" in case.head else "framework.jar"
    run = lab.run(case.scene, ["mode", "gesture", "payloadBase64", payload], framework=framework)
    ours = recordings.canonical(intended, name, run.result, run.code, case.result)
    theirs = recordings.canonical(intended, name, case.result, case.code, case.result)
    intended.check(name, "result", theirs, ours)
    recordings.expect_base(intended, name, run.result, case.result, [])
    recorded, got = recorded_events(case), our_events(intended, name, run.trace)
    intended.check(name, "events", "\n".join(recorded), "\n".join(number(e) for e in got))
    timing(intended, name, run.trace)


def number(e):
    """Floats as Python writes them: 1.0E9 is the framework's spelling."""
    return re.sub(r"-?[\d.]+E\d+", lambda m: repr(float(m.group(0))), e)


def timing(intended, name, trace):
    """An event is never injected before its time."""
    for t in trace:
        if t["call"] == "inject" and t["event"]["action"] != "CANCEL":
            intended.expect(name, t["lateMs"] >= 0, "event %s was injected %s ms early" % (t["n"], -t["lateMs"]))


# Two payloads are cut short in the recording, at their titles' expense: the rest of them.
REST = {
    "transform with three pointers": '0, "x": 1, "y": 1}, {"offsetMs": 100, "x": 2, "y": 2}]}]}',
    "transform: offsets differ": '": 100, "x": 3, "y": 3}]}]}',
}


def refused_cases():
    with open(os.path.join(RECORDED, "gesture", "refused.txt"), encoding="utf-8") as f:
        for block in f.read().strip("\n").split("\n\n")[1:]:
            title, payload, outcome = block.strip("\n").split("\n")
            payload, outcome = payload.strip(), outcome.strip()[3:]
            if payload.endswith("..."):
                payload = payload[:-3] + REST[title]
            if payload.startswith("'"):
                raw = payload[1:-1].encode().decode("unicode_escape")
            else:
                raw = base64.b64encode(payload.encode()).decode()
            yield title, raw, outcome


def outcome_of(fields, ok):
    if ok:
        return "ACCEPTED, code 0, injectedEvents=%s" % fields.get("injectedEvents")
    return '%s: %s' % (fields.get("errorType"), json.dumps(fields.get("message"), ensure_ascii=False))


def refused(lab, intended):
    accepted = 0
    with Session(lab, "simple") as s:
        for i, (title, raw, outcome) in enumerate(refused_cases()):
            name = "refused/" + title
            if "\n" in raw:
                run = lab.run("simple", ["mode", "gesture", "payloadBase64", raw])
                fields, ok = run.result, run.code == 0
            else:
                fields, _ = s.ask("gesture refused-%d %s" % (i, raw))
                ok = fields["ok"] == "true"
            intended.check(name, "outcome", outcome, outcome_of(fields, ok))
            if ok and "\n" not in raw:
                accepted += int(fields["injectedEvents"])
            if not ok:
                intended.extra_key(name, "began")
                intended.check(name, "began", "false", fields.get("began"))
        s.ask("quit q")
        injected = [t for t in s.end().trace if t["call"] == "inject"]
        intended.check("refused", "events", accepted, len(injected))


def one_shot_refusals(lab, intended):
    """The same answers without a session."""
    for title in ("protocol v2", "x \"NaN\"", "payload blank", "not JSON"):
        raw, outcome = next((r, o) for t, r, o in refused_cases() if t == title)
        run = lab.run("simple", ["mode", "gesture", "payloadBase64", raw])
        intended.check("refused/" + title, "one-shot", outcome, outcome_of(run.result, run.code == 0))


def jobs(lab, intended):
    out = [(lambda c=c: played(lab, intended, c), "gesture/" + c.name) for c in recordings.cases("gesture", "events.txt")]
    return out + [(lambda: refused(lab, intended), "refused"), (lambda: one_shot_refusals(lab, intended), "refused one-shot")]
