"""What the helper can do beyond the recorded one: journal, deadlines, node keys, look, foreground, actions, keys."""
import re
import threading
import time
import xml.etree.ElementTree as ET

from harness.lab import Session, b64, text_of
from harness.sessions import plan, wait_for

ERROR = "com.callstack.agentdevice.snapshothelper."


def node(name, **more):
    return dict({"class": "android.widget." + name, "package": "com.example.app"}, **more)


def screen(*children, faults=None, api=34, extra=()):
    app = {"type": "application", "layer": 0, "id": 7, "active": True, "focused": True, "bounds": [0, 0, 1080, 2400], "title": "Pay ✓",
           "root": node("FrameLayout", children=list(children))}
    scene = {"api": api, "windows": list(extra) + [app]}
    if faults:
        scene["faults"] = faults
    return scene


BUTTON = node("Button", text="OK", bounds=[10, 20, 110, 70])
BUTTON["is"] = "clickable focusable"
BOX = node("CheckBox", text="Keep", bounds=[10, 100, 110, 170])
BOX["is"] = "clickable checkable"


def keys(session):
    """Nodes by their text, of a snapshot with keys."""
    h, body = session.ask("snapshot k;nodeKeys=1")
    assert h["ok"] == "true", h
    tree = ET.fromstring(body)
    return {n.get("text") or n.get("class"): n for n in tree.iter("node")}


def journal(lab, t):
    with Session(lab, screen(BUTTON)) as s:
        before = int(s.ready[1]["acceptedTotal"])
        # The same id from many clients at once, and again later: it runs once.
        answers, line = [], "gesture once;nodeKeys=1 " + plan(1500)
        workers = [threading.Thread(target=lambda: answers.append(s.ask(line)[0])) for _ in range(6)]
        [w.start() for w in workers]
        # Asked while it runs: answered at once, though the device is busy. (After the first event, as asking first would fence it.)
        wait_for(lambda: any(x["call"] == "inject" for x in s.process.trace()))
        h, _ = s.ask("status s1 once", limit=5)
        t.check("journal/running", "state", ("started", "true", "64"), (h["state"], h["began"], h["capacity"]))
        t.expect("journal/running", len(answers) == 0, "the gesture was over before the status was answered")
        [w.join() for w in workers]
        answers.append(s.ask(line)[0])
        replays = [a.get("journalReplay") for a in answers]
        t.check("journal/once", "replays", (1, 6), (replays.count(None), replays.count("true")))
        t.check("journal/once", "answers", {("true", "3")}, {(a["ok"], a["injectedEvents"]) for a in answers})
        h, _ = s.ask("status s2 once;deadlineMs=5")
        t.check("journal/status", "state", ("true", "status", "completed", "true", str(before + 1), s.ready[1]["bootId"]),
                (h["ok"], h["kind"], h["state"], h["began"], h["acceptedTotal"], h["bootId"]))
        reply = dict(l.split("=", 1) for l in text_of({"xBase64": h["reply"]}, "xBase64").strip("\n").split("\n"))
        t.check("journal/status", "reply", ("true", "3", "once;nodeKeys=1", False),
                (reply["ok"], reply["injectedEvents"], reply["requestId"], "journalReplay" in reply))
        # What was reported absent stays absent.
        h, _ = s.ask("status s3 late")
        t.check("journal/absent", "state", ("absent", "false"), (h["state"], h["began"]))
        h, _ = s.ask("gesture late " + plan(10))
        t.check("journal/fenced", "answer", ("false", ERROR + "FencedException", "false"), (h["ok"], h["errorType"], h["began"]))
        t.check("journal/fenced", "state", "fenced", s.ask("status s4 late")[0]["state"])
        # A refused payload is a failure that did not begin, also when asked again.
        for replay in (None, "true"):
            h, _ = s.ask("gesture bad !!!")
            t.check("journal/failed", "answer", ("false", "false", replay), (h["ok"], h["began"], h.get("journalReplay")))
        t.check("journal/failed", "state", ("failed", "false"), (lambda h: (h["state"], h["began"]))(s.ask("status s5 bad")[0]))
        # 64 later commands push the first one out, and the total says so.
        for i in range(64):
            s.ask("key k%d %s" % (i, b64({"keyCode": 0})))
        h, _ = s.ask("status s6 once")
        t.check("journal/full", "state", ("absent", before + 66), (h["state"], int(h["acceptedTotal"])))
        t.check("journal/full", "kept", "failed", s.ask("status s7 k0")[0]["state"])
        t.check("journal/full", "the last one out", "absent", s.ask("status s8 bad")[0]["state"])
        s.ask("quit q")
        ups = sum(x["call"] == "inject" for x in s.end().trace)
        t.check("journal/once", "events", 3, ups)


def deadline(lab, t):
    with Session(lab, screen(BUTTON)) as s:
        busy = threading.Thread(target=s.ask, args=("gesture long " + plan(1500),))
        busy.start()
        wait_for(lambda: any(x["call"] == "inject" for x in s.process.trace()))
        began = time.monotonic()
        h, _ = s.ask("gesture d1;deadlineMs=200 " + plan(10))
        t.check("deadline/passed", "answer", ("false", ERROR + "DeadlinePassedException", "false", "d1;deadlineMs=200"),
                (h["ok"], h["errorType"], h["began"], h["requestId"]))
        t.expect("deadline/passed", time.monotonic() - began < 5, "the drop was not told at once")
        t.check("deadline/passed", "state", ("failed", "false"), (lambda h: (h["state"], h["began"]))(s.ask("status s d1")[0]))
        t.check("deadline/snapshot", "answer", ERROR + "DeadlinePassedException", s.ask("snapshot d2;deadlineMs=0")[0].get("errorType"))
        now = int(s.ask("status s x")[0]["elapsedRealtimeMs"])
        h, _ = s.ask("key d3;deadlineAtMs=%d %s" % (now - 1, b64({"keyCode": 4})))
        t.check("deadline/at", "answer", ("false", ERROR + "DeadlinePassedException"), (h["ok"], h.get("errorType")))
        busy.join()
        h, _ = s.ask("key d4;deadlineMs=5000;unknown=1 %s" % b64({"keyCode": 4}))
        t.check("deadline/kept", "answer", "true", h["ok"])
        s.ask("quit q")
        injected = sum(x["call"] == "inject" for x in s.end().trace)
        t.check("deadline", "events", 3 + 2, injected)


def ending(lab, t):
    """A quit lets the running command end, and what waits for its turn is told that it did not begin."""
    with Session(lab, screen(BUTTON)) as s:
        answers = {}
        ask = lambda name, line: answers.update({name: s.ask(line)[0]})
        workers = [threading.Thread(target=ask, args=("runs", "gesture runs " + plan(1500)))]
        workers[0].start()
        wait_for(lambda: any(x["call"] == "inject" for x in s.process.trace()))
        for name, line in (("waits", "gesture waits " + plan(10)), ("reads", "snapshot reads")):
            workers.append(threading.Thread(target=ask, args=(name, line)))
            workers[-1].start()
        wait_for(lambda: int(s.ask("status p other")[0]["acceptedTotal"]) == 2)
        s.ask("quit q")
        [w.join() for w in workers]
        t.check("ending/running", "answer", ("true", "3"), (answers["runs"]["ok"], answers["runs"].get("injectedEvents")))
        t.check("ending/waiting", "answer", ("false", ERROR + "SessionEndingException", "false"),
                (answers["waits"]["ok"], answers["waits"]["errorType"], answers["waits"]["began"]))
        t.check("ending/reading", "answer", ERROR + "SessionEndingException", answers["reads"].get("errorType"))
        run = s.end()
        t.check("ending", "final", ("true", 3), (run.result.get("sessionEnded"), sum(x["call"] == "inject" for x in run.trace)))


def oldest(lab, t):
    """What Android 6 lacks is left out, not asked for."""
    with Session(lab, screen(BOX, api=23)) as s:
        key = keys(s)["Keep"].get("node-key")
        h, _ = s.ask("look l " + b64({"node": key}))
        t.check("api 23/look", "facts", ("true", "false", None), (h["found"], h["checked"], h.get("hintShowing")))
        h, _ = s.ask("foreground f")
        t.check("api 23/foreground", "facts", ("com.example.app", "7", None), (h["packageName"], h["windowId"], h.get("titleBase64")))
        h, _ = s.ask("gesture g " + b64({"kind": "swipe", "durationMs": 5, "expect": {"node": key}, "pointers": [
            {"pointerId": 0, "samples": [{"offsetMs": o, "x": 20, "y": 120} for o in (0, 5)]}]}))
        t.check("api 23/guard", "answer", ("true", "checked"), (h["ok"], h.get("guard")))
        h, _ = s.ask("action a " + b64({"node": key, "action": "click"}))
        t.check("api 23/action", "performed", "true", h.get("performed"))


def node_keys(lab, t):
    twin = dict(node("View", text="twin", bounds=[0, 0, 1, 1]), hash=77)
    other = dict(node("View", text="other", bounds=[0, 0, 1, 1]), hash=77)
    bar = {"type": "system", "layer": 3, "id": 9, "bounds": [0, 0, 1080, 80], "root": node("FrameLayout", text="bar", package="com.android.systemui")}
    for api in (34, 24):  # below 33 a recycled node must not be used again: the double objects
        with Session(lab, screen(BUTTON, twin, other, extra=[bar], api=api)) as s:
            plain, plain_body = s.ask("snapshot p")
            found = keys(s)
            t.check("keys", "of the button", True, bool(re.fullmatch(r"7:[0-9a-f]+", found["OK"].get("node-key") or "")))
            t.check("keys", "window ids", ("9", "7"), (found["bar"].get("window-id"), found["android.widget.FrameLayout"].get("window-id")))
            t.check("keys", "shared ones", (None, None), (found["twin"].get("node-key"), found["other"].get("node-key")))
            t.check("keys", "stable", found["OK"].get("node-key"), keys(s)["OK"].get("node-key"))
            _, body = s.ask("snapshot k;nodeKeys=1")
            t.check("keys", "the rest of the XML", plain_body, re.sub(rb' (node-key|window-id)="[^"]*"', b"", body))
            t.expect("keys", b"node-key" not in plain_body and b"window-id" not in plain_body, "a plain snapshot has keys")
            look = lambda key: s.ask("look l " + b64({"node": key}))[0]
            h = look(found["OK"].get("node-key"))
            t.check("look", "facts", ("true", "OK", "10,20,110,70", "android.widget.Button", "true", "false", "com.example.app"),
                    (h["found"], text_of(h, "textBase64"), h["bounds"], h["class"], h["enabled"], h["focused"], h["packageName"]))
            t.expect("look", "checked" not in h, "a button has no checked state")
            t.check("look", "shared key", "false", look("7:%x" % 77)["found"])
            t.check("look", "unknown key", "false", look("7:abc")["found"])
            t.check("look", "unknown window", "false", look("99:abc")["found"])
            t.check("look", "no key", "java.lang.IllegalArgumentException", look("nonsense")["errorType"])
            s.ask("quit q")
            handles = [x for x in s.end().trace if x["call"] == "handles"][0]
            # The last keyed snapshot's nodes are kept for the next look.
            t.expect("keys", handles["obtained"] - handles["recycled"] <= 5, "%s" % handles)


def one_shots(lab, t):
    """The same keys without a session, a look by search."""
    with Session(lab, screen(BUTTON, BOX)) as s:
        key = keys(s)["OK"].get("node-key")
    run = lab.run(screen(BUTTON, BOX), ["mode", "look", "payloadBase64", b64({"node": key})])
    t.check("one-shot/look", "result", ("true", "true", "OK", 0, True),
            (run.result["ok"], run.result["found"], text_of(run.result, "textBase64"), run.code, "agentDeviceExtensions" in run.result))
    run = lab.run(screen(BUTTON), ["mode", "global", "payloadBase64", b64({"name": "home"})])
    t.check("one-shot/global", "result", ("true", "true"), (run.result["ok"], run.result["performed"]))
    run = lab.run(screen(BUTTON), ["mode", "action", "payloadBase64", b64({"node": "7:1", "action": "click"})])
    t.check("one-shot/action", "result", ("false", ERROR + "NodeGoneException", "false", 1),
            (run.result["ok"], run.result["errorType"], run.result["began"], run.code))


def actions(lab, t):
    stubborn = dict(node("Button", text="no", bounds=[0, 200, 9, 209]), refuses="click")
    with Session(lab, screen(BUTTON, BOX, stubborn)) as s:
        found = keys(s)
        act = lambda label, action, **more: s.ask("action %s-%s %s" % (label, action, b64(dict({"node": found[label].get("node-key"), "action": action}, **more))))[0]
        h = act("Keep", "click")
        t.check("action/click", "performed", ("true", "true"), (h["ok"], h["performed"]))
        t.check("action/click", "effect", "true", s.ask("look l " + b64({"node": found["Keep"].get("node-key")}))[0]["checked"])
        t.check("action/refused", "performed", ("true", "false"), (lambda h: (h["ok"], h["performed"]))(act("no", "click")))
        for action in ("long-click", "focus", "clear-focus", "select", "scroll-forward", "scroll-backward", "show-on-screen"):
            t.check("action/" + action, "performed", "true", act("OK", action)["performed"])
        t.check("action/set-selection", "performed", "true", act("OK", "set-selection", start=1, end=2)["performed"])
        h = act("OK", "dance")
        t.check("action/unknown", "answer", ("java.lang.IllegalArgumentException", "false"), (h["errorType"], h["began"]))
        h = s.ask("global g1 " + b64({"name": "back"}))[0]
        t.check("global", "performed", "true", h["performed"])
        h = s.ask("global g2 " + b64({"name": "nowhere"}))[0]
        t.check("global/unknown", "answer", ("java.lang.IllegalArgumentException", "false"), (h["errorType"], h["began"]))
        h = s.ask("key k1 " + b64({"keyCode": 67, "metaState": 1, "count": 3}))[0]
        t.check("key", "events", "6", h["injectedEvents"])
        h = s.ask("key k2 " + b64({"keyCode": 67, "count": 0}))[0]
        t.check("key/refused", "answer", ("java.lang.IllegalArgumentException", "false"), (h["errorType"], h["began"]))
        s.ask("quit q")
        trace = s.end().trace
        t.check("global", "calls", [1], [x["action"] for x in trace if x["call"] == "performGlobalAction"])
        t.check("key", "calls", ["KeyEvent{%d,67,1,-1,0}" % a for a in (0, 1)] * 3, [x["event"] for x in trace if x["call"] == "inject"])


def foreground(lab, t):
    keyboard = {"type": "input-method", "layer": 2, "bounds": [0, 1500, 1080, 2400], "root": node("FrameLayout", package="com.example.keyboard")}
    field = dict(node("EditText", text="Ada", bounds=[0, 0, 500, 90]), **{"is": "editable focused focusable"})
    with Session(lab, screen(field, extra=[keyboard])) as s:
        h, _ = s.ask("foreground f")
        t.check("foreground", "facts", ("com.example.app", "7", "Pay ✓", "true", "1500", "900", "true"),
                (h["packageName"], h["windowId"], text_of(h, "titleBase64"), h["keyboard"], h["keyboardY"], h["keyboardHeight"], h["focusedEditable"]))
        t.check("foreground", "focusedNode", keys(s)["Ada"].get("node-key"), h["focusedNode"])
        t.expect("foreground", "systemWindow" not in h, "no system window is focused")
        h, _ = s.ask("key k;foreground=1 " + b64({"keyCode": 4}))
        t.check("foreground/after a key", "facts", ("2", "com.example.app"), (h["injectedEvents"], h["packageName"]))
        h, _ = s.ask("gesture g;foreground=1 " + plan(10))
        t.check("foreground/after a gesture", "facts", ("swipe", "com.example.app"), (h["kind"], h["packageName"]))
        s.ask("quit q")
        s.end()
    dialog = {"type": "system", "layer": 5, "focused": True, "bounds": [90, 900, 990, 1500], "root": node("FrameLayout", package="android")}
    scene = screen(BUTTON, extra=[dialog])
    scene["windows"][1]["focused"] = False
    run = lab.run(scene, ["mode", "foreground"])
    t.check("foreground/dialog", "facts", ("com.example.app", "android", "false"), (run.result["packageName"], run.result["systemWindow"], run.result["keyboard"]))
    t.expect("foreground", not any(x["call"] == "waitForIdle" for x in run.trace), "foreground waits for idle")


def jobs(lab, t):
    every = (journal, deadline, ending, oldest, node_keys, one_shots, actions, foreground)
    return [(lambda f=f: f(lab, t), "extended/" + f.__name__) for f in every]
