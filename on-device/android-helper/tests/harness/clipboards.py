"""The clipboard: written by anyone, read from API 29 on by the chosen input method alone, and the user's keyboard given back."""
import os
import tempfile

from harness.extended import BUTTON, screen
from harness.lab import Session, b64, text_of
from harness.texts import ODD, OURS, THEIRS, ime_calls

SWITCHED = ["ime enable " + OURS, "ime set " + OURS, "ime set " + THEIRS, "ime disable " + OURS]


def ask(s, name, **payload):
    return s.ask("clipboard %s %s" % (name, b64(payload)))[0]


def reads(trace):
    return [x["allowed"] for x in trace if x["call"] == "getPrimaryClip"]


def both_ways(lab, t):
    for api, method in ((34, "ime"), (29, "ime"), (28, "direct"), (23, "direct")):
        name = "clipboard/api %d" % api
        with Session(lab, screen(BUTTON, api=api)) as s:
            t.expect(name, "clipboard" in s.ready[1]["agentDeviceExtensions"].split(","), "the feature is not named")
            h = ask(s, "g0", mode="get")
            t.check(name, "at first", ("true", "clipboard", method, "false", False), (h["ok"], h["kind"], h["method"], h["present"], "textBase64" in h))
            for n, text in enumerate((ODD, "", "x" * 250_000)):
                h = ask(s, "s%d" % n, mode="set", text=text)
                t.check(name, "set", ("true", "clipboard", "direct"), (h["ok"], h["kind"], h["method"]))
                t.check(name, "read back", None if api >= 29 else text, text_of(h, "textBase64") if "textBase64" in h else None)
                h = ask(s, "g%d" % n, mode="get")
                t.check(name, "get", ("true", method, "true"), (h["ok"], h["method"], h["present"]))
                t.expect(name, text_of(h, "textBase64") == text, "another text of %d characters" % len(text))
            s.ask("quit q")
            trace = s.end().trace
            # From 33 on: no preview over the screen, where that can be asked for.
            extras = "{com.android.systemui.SUPPRESS_CLIPBOARD_OVERLAY=true}" if api >= 33 else "null"
            t.check(name, "written", [extras] * 3, [x["extras"] for x in trace if x["call"] == "setPrimaryClip"])
            t.check(name, "switches", SWITCHED * 4 if api >= 29 else [], ime_calls(trace))
            # An empty one is asked for twice: the second time the input method runs for certain.
            t.check(name, "reads", [True] * (5 if api >= 29 else 7), reads(trace))


def once(lab, t):
    """set is journaled, get is not."""
    with Session(lab, screen(BUTTON)) as s:
        before = int(s.ready[1]["acceptedTotal"])
        first, again = ask(s, "c", mode="set", text="one"), ask(s, "c", mode="set", text="one")
        t.check("clipboard/once", "replay", (None, "true", "true"), (first.get("journalReplay"), again.get("journalReplay"), again["ok"]))
        h = s.ask("status s c")[0]
        t.check("clipboard/once", "status", ("completed", "true", str(before + 1)), (h["state"], h["began"], h["acceptedTotal"]))
        s.ask("status s2 late")
        h = ask(s, "late", mode="set", text="two")
        t.check("clipboard/once", "fenced", ("false", "false"), (h["ok"], h["began"]))
        h = ask(s, "read", mode="get")
        t.check("clipboard/once", "get", ("one", str(before + 1)), (text_of(h, "textBase64"), h["acceptedTotal"]))
        t.check("clipboard/once", "status of a get", "absent", s.ask("status s3 read")[0]["state"])
        for name, payload, error, began in (
            ("no text", {"mode": "set"}, "org.json.JSONException", "false"),
            ("too long", {"mode": "set", "text": "x" * 250_001}, "java.lang.IllegalArgumentException", "false"),
            ("unknown mode", {"mode": "swap"}, "java.lang.IllegalArgumentException", None),
            ("no mode", {}, "org.json.JSONException", None),
        ):
            h = ask(s, "r-" + name.replace(" ", ""), **payload)
            t.check("clipboard/" + name, "answer", ("false", error, began), (h["ok"], h["errorType"], h.get("began")))
        h = s.ask("clipboard nothing")[0]
        t.check("clipboard/no payload", "answer", ("false", "java.lang.IllegalArgumentException"), (h["ok"], h["errorType"]))
        s.ask("quit q")
        t.check("clipboard/once", "written", ["one"], [x["text"] for x in s.end().trace if x["call"] == "setPrimaryClip"])


def given_back(lab, t):
    """The keyboard of before is current again on every path."""
    for name, faults, ok, present in (
        ("not a text", {"clipboard": None}, "true", "false"),
        ("never started", {"clipboard": "x", "imeNeverStarts": True}, "true", "true"),
        ("never started, empty", {"imeNeverStarts": True}, "true", "false"),
        ("throws", {"clipboardThrows": "gone"}, "false", None),
        ("switch refused", {"clipboard": "x", "imeSetRefused": True}, "false", None),
    ):
        with Session(lab, screen(BUTTON, faults=faults)) as s:
            h = ask(s, "g", mode="get")
            t.check("clipboard/" + name, "answer", (ok, present), (h["ok"], h.get("present")))
            if name == "throws":
                t.check("clipboard/throws", "error", ("java.lang.RuntimeException", "gone"), (h["errorType"], h["message"]))
            if name == "switch refused":
                t.check("clipboard/switch refused", "error", "java.io.IOException", h["errorType"])
            s.ask("quit q")
            trace = s.end().trace
            t.check("clipboard/" + name, "switches", SWITCHED, ime_calls(trace))
            if name == "switch refused":
                t.check("clipboard/switch refused", "reads", [], reads(trace))
    with Session(lab, screen(BUTTON, faults={"clipboard": "x", "locked": True})) as s:
        h = ask(s, "g", mode="get")
        t.check("clipboard/locked", "answer", ("false", "java.lang.IllegalStateException"), (h["ok"], h["errorType"]))
        s.ask("quit q")
        t.check("clipboard/locked", "switches", [], ime_calls(s.end().trace))
    # Another host has switched, and will switch back.
    with Session(lab, screen(BUTTON, faults={"clipboard": "x", "inputMethod": OURS})) as s:
        h = ask(s, "g", mode="get")
        t.check("clipboard/switched already", "answer", ("true", "x"), (h["ok"], text_of(h, "textBase64")))
        s.ask("quit q")
        t.check("clipboard/switched already", "switches", [], ime_calls(s.end().trace))
    with tempfile.TemporaryDirectory(dir=lab.work) as files:
        pending = os.path.join(files, "previous-input-method")
        with Session(lab, screen(BUTTON, faults={"imeSetDies": 2}), files=files) as s:
            try:
                ask(s, "g", mode="get")
            except (AssertionError, OSError):
                pass  # the process is gone
            s.process.end(10)
        t.check("clipboard/crash", "written down", THEIRS, open(pending, encoding="utf-8").read() if os.path.exists(pending) else None)
        run = lab.run(screen(BUTTON, faults={"inputMethod": OURS}), ["mode", "viewport"], files=files)
        t.check("clipboard/crash", "mended", (["ime set " + THEIRS, "ime disable " + OURS], False), (ime_calls(run.trace), os.path.exists(pending)))


def one_shots(lab, t):
    for api, method in ((34, "ime"), (26, "direct")):
        run = lab.run(screen(BUTTON, faults={"clipboard": ODD}, api=api), ["mode", "clipboard", "payloadBase64", b64({"mode": "get"})])
        t.check("clipboard/one-shot get", "result", ("true", "true", method, ODD, 0),
                (run.result["ok"], run.result["present"], run.result["method"], text_of(run.result, "textBase64"), run.code))
        run = lab.run(screen(BUTTON, api=api), ["mode", "clipboard", "payloadBase64", b64({"mode": "set", "text": ODD})])
        t.check("clipboard/one-shot set", "result", ("true", [ODD]), (run.result["ok"], [x["text"] for x in run.trace if x["call"] == "setPrimaryClip"]))
    for payload, began in (({"mode": "set"}, "false"), ({"mode": "swap"}, None)):
        run = lab.run(screen(BUTTON), ["mode", "clipboard", "payloadBase64", b64(payload)])
        t.check("clipboard/one-shot refused", "result", ("false", began, 1), (run.result["ok"], run.result.get("began"), run.code))


def jobs(lab, t):
    every = (given_back, both_ways, once, one_shots)
    return [(lambda f=f: f(lab, t), "clipboards/" + f.__name__) for f in every]
