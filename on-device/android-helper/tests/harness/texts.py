"""Text entry, by accessibility and by the helper's own input method, and the user's keyboard given back."""
import os
import tempfile

from harness.extended import ERROR, keys, node, screen
from harness.lab import Session, b64, text_of

OURS = "com.callstack.agentdevice.snapshothelper/.TestInputMethodService"
THEIRS = "com.example.keyboard/.Keyboard"
ODD = "Zażółć 😀 \u0000\u200d🏳️‍🌈\nline \\\"' & < é"


def field(text="", **more):
    n = dict(node("EditText", text=text, hint="Name", bounds=[0, 0, 500, 90], selection=[len(text), len(text)]), **more)
    n["is"] = " ".join(["editable focusable", more.get("is", "focused")] + ([] if text else ["showing-hint"]))
    return n


def enter(s, name, **payload):
    return s.ask("text %s %s" % (name, b64(payload)))[0]


def by_accessibility(lab, t):
    with Session(lab, screen(field())) as s:
        h = enter(s, "t1", mode="set", text=ODD)
        t.check("text/set", "answer", ("true", "true", "set-text", "true", "false"), (h["ok"], h["performed"], h["method"], h["editable"], h["password"]))
        t.check("text/set", "text", ODD, text_of(h, "textBase64"))
        h = enter(s, "t2", mode="append", text="!")
        t.check("text/append", "text", (ODD + "!", "set-text"), (text_of(h, "textBase64"), h["method"]))
        h = enter(s, "t3", mode="clear")
        t.check("text/clear", "text", ("", "true"), (text_of(h, "textBase64"), h["performed"]))
        h = enter(s, "t4", mode="append", text="x")
        t.check("text/append to a hint", "text", "x", text_of(h, "textBase64"))
        for name, payload, error in (
            ("no text", {"mode": "set"}, "org.json.JSONException"),
            ("unknown mode", {"mode": "type", "text": "x"}, "java.lang.IllegalArgumentException"),
            ("unknown via", {"mode": "set", "text": "x", "via": "post"}, "java.lang.IllegalArgumentException"),
            ("gone node", {"mode": "set", "text": "x", "node": "7:1"}, ERROR + "NodeGoneException"),
        ):
            h = enter(s, "r-" + name.replace(" ", ""), **payload)
            t.check("text/" + name, "answer", ("false", error, "false"), (h["ok"], h["errorType"], h["began"]))
        s.ask("quit q")
        shells = [x for x in s.end().trace if x["call"] == "shell"]
        t.check("text", "shell commands", [], shells)
    with Session(lab, screen(dict(field("one two"), selection=[4, 7]))) as s:
        h = enter(s, "t1", mode="append", text="2")
        t.check("text/append at the selection", "text", "one 2", text_of(h, "textBase64"))
        h = s.ask("look l " + b64({"node": keys(s)["one 2"].get("node-key")}))[0]
        t.check("text/append at the selection", "cursor", ("5", "5"), (h["selectionStart"], h["selectionEnd"]))
    other = field("elsewhere", **{"is": ""})
    with Session(lab, screen(field("here"), other)) as s:
        h = enter(s, "t1", mode="set", text="there", node=keys(s)["elsewhere"].get("node-key"))
        t.check("text/node", "texts", ("there", True), (text_of(h, "textBase64"), "here" in keys(s)))
    with Session(lab, screen(node("TextView", text="label", bounds=[0, 0, 9, 9]))) as s:
        t.check("text/no focus", "answer", (ERROR + "NoFocusException", "false"), (lambda h: (h["errorType"], h["began"]))(enter(s, "t1", mode="set", text="x")))
        h = enter(s, "t2", mode="set", text="x", node=keys(s)["label"].get("node-key"))
        t.check("text/not editable", "answer", ("java.lang.IllegalArgumentException", "false"), (h["errorType"], h["began"]))


def ime_calls(trace):
    return [x["command"] for x in trace if x["call"] == "shell" and x["command"].startswith("ime")]


def by_input_method(lab, t):
    switched = ["ime enable " + OURS, "ime set " + OURS, "ime set " + THEIRS, "ime disable " + OURS]
    for name, what, mode, before, text, after in (
        ("refused", {"refuses": "set_text"}, "set", "old", ODD, ODD),
        ("ignored", {"ignores": "set_text"}, "set", "old", "new", "new"),
        ("appended", {"refuses": "set_text"}, "append", "old", " and new", "old and new"),
        ("cleared", {"refuses": "set_text"}, "clear", "old", "", ""),
        ("no select all", {"refuses": "set_text select_all"}, "set", "old", "new", "new"),
    ):
        with Session(lab, screen(field(before, **what))) as s:
            h = enter(s, "t", mode=mode, text=text)
            t.check("ime/" + name, "answer", ("true", "true", "ime", after), (h["ok"], h.get("performed"), h.get("method"), text_of(h, "textBase64")))
            h = enter(s, "t-set-text", mode=mode, text="x" + text, via="set-text")
            t.check("ime/" + name, "via set-text", ("true", "false", "set-text"), (h["ok"], h["performed"], h["method"]))
            s.ask("quit q")
            trace = s.end().trace
            t.check("ime/" + name, "switches", switched, ime_calls(trace))
            shells = [x["command"] for x in trace if x["call"] == "shell"]
            setting = "secure agent_device_ime_helper_previous_ime"
            written = ["settings get secure default_input_method", "settings put %s %s" % (setting, THEIRS), "settings get " + setting]
            t.check("ime/" + name, "written down first", written, shells[:3])
            t.check("ime/" + name, "then switched", switched[0], shells[3])
            t.check("ime/" + name, "taken back last", "settings delete " + setting, shells[-1])
    # A password cannot be read, so nothing can be put behind it by replacing it.
    with Session(lab, screen(field("secret", **{"is": "focused password"}))) as s:
        h = enter(s, "t", mode="append", text="x")
        t.check("ime/password", "answer", ("true", "ime", "true", "7"), (h["performed"], h["method"], h["password"], str(len(text_of(h, "textBase64")))))
        h = enter(s, "t2", mode="append", text="x", via="set-text")
        t.check("ime/password", "via set-text", ("false", "false"), (h["ok"], h["began"]))
        h = enter(s, "t3", mode="set", text="abcd")
        t.check("ime/password", "set", ("true", "set-text", "4"), (h["performed"], h["method"], str(len(text_of(h, "textBase64")))))


def given_back(lab, t):
    """The keyboard of before is current again on every path, also when the run dies in between."""
    for name, what, faults in (("refused commit", {"refuses": "set_text commit"}, {}), ("never started", {"refuses": "set_text"}, {"imeNeverStarts": True})):
        with Session(lab, screen(field("old", **what), faults=faults)) as s:
            h = enter(s, "t", mode="set", text="new")
            t.check("ime/" + name, "answer", ("true", "false", "ime", "old"), (h["ok"], h["performed"], h["method"], text_of(h, "textBase64")))
            s.ask("quit q")
            t.check("ime/" + name, "last switches", ["ime set " + THEIRS, "ime disable " + OURS], ime_calls(s.end().trace)[-2:])
    with tempfile.TemporaryDirectory(dir=lab.work) as files:
        pending = os.path.join(files, "previous-input-method")
        with Session(lab, screen(field("old", refuses="set_text"), faults={"imeSetDies": 2}), files=files) as s:
            try:
                enter(s, "t", mode="set", text="new")
            except (AssertionError, OSError):
                pass  # the process is gone
            s.process.end(10)
        t.check("ime/crash", "written down", THEIRS, open(pending, encoding="utf-8").read() if os.path.exists(pending) else None)
        # The next run, whatever it is for, mends it first.
        run = lab.run(screen(field("old"), faults={"inputMethod": OURS}), ["mode", "viewport"], files=files)
        t.check("ime/crash", "mended", ["ime set " + THEIRS, "ime disable " + OURS], ime_calls(run.trace))
        t.check("ime/crash", "result", ("true", False), (run.result["ok"], os.path.exists(pending)))
        run = lab.run(screen(field("old")), ["mode", "viewport"], files=files)
        t.check("ime/crash", "the run after", [], [x for x in run.trace if x["call"] == "shell"])


def broadcasts(lab, t):
    """Protocol android-ime-helper-v1: what a host sends while the input method is the current one."""
    action = "com.callstack.agentdevice.imehelper.ACTION_"
    for name, sent, code, data in (
        ("text", {"action": action + "INPUT_TEXT_B64", "protocol": "android-ime-helper-v1", "text": "xIXwn5iA"}, -1, "ok"),
        ("plain", {"action": action + "INPUT_TEXT", "text": "ab"}, -1, "ok"),
        ("clear", {"action": action + "CLEAR_TEXT"}, -1, "ok"),
        ("not base64", {"action": action + "INPUT_TEXT_B64", "text": "A"}, 0, "The text is not base64"),
        ("no text", {"action": action + "INPUT_TEXT"}, 0, "Missing text"),
        ("protocol", {"action": action + "CLEAR_TEXT", "protocol": "v2"}, 0, "Unsupported protocol: v2"),
    ):
        for api in (34, 23):
            with Session(lab, screen(field("old", refuses="set_text"), faults={"broadcast": sent}, api=api)) as s:
                h = enter(s, "t", mode="append", text="|")
                after = {"text": "oldą😀|", "plain": "oldab|", "clear": "|"}.get(name, "old|")
                t.check("broadcast/" + name, "text", after, text_of(h, "textBase64"))
                s.ask("quit q")
                trace = s.end().trace
                got = [(x["resultCode"], x["resultData"]) for x in trace if x["call"] == "broadcast"]
                t.check("broadcast/" + name, "result", [(code, data)], got)
                guards = {x["permission"] for x in trace if x["call"] == "registerReceiver"}
                t.check("broadcast/" + name, "permission", {"android.permission.WRITE_SECURE_SETTINGS"}, guards)


def jobs(lab, t):
    every = (given_back, by_accessibility, by_input_method, broadcasts)
    return [(lambda f=f: f(lab, t), "texts/" + f.__name__) for f in every]
