"""A touch that is refused when its target is no longer what the host saw; captures that are better than the recorded ones; ends."""
import time
import xml.etree.ElementTree as ET

from harness.extended import BOX, BUTTON, ERROR, keys, node, screen
from harness.lab import Session, b64

TAP = {"kind": "swipe", "durationMs": 10}


def tap(x, y, **more):
    return b64(dict(TAP, pointers=[{"pointerId": 0, "samples": [{"offsetMs": 0, "x": x, "y": y}, {"offsetMs": 10, "x": x, "y": y}]}], **more))


def guard(lab, t):
    hidden = dict(node("Button", text="hidden", bounds=[0, 300, 100, 400]), **{"not": "visible"})
    overlay = {"type": "accessibility-overlay", "layer": 9, "bounds": [0, 0, 1080, 2400], "root": node("View")}
    cover = {"type": "system", "layer": 8, "bounds": [0, 500, 1080, 600], "root": node("View", package="com.android.systemui")}
    bare = {"type": "system", "layer": 8, "bounds": [0, 700, 1080, 800], "root": None}
    under = node("Button", text="under", bounds=[0, 450, 100, 620])
    below = node("Button", text="below", bounds=[0, 650, 100, 820])
    off = dict(node("Button", text="off", bounds=[200, 300, 300, 400]), **{"not": "enabled"})
    with Session(lab, screen(BUTTON, hidden, BOX, under, below, off, extra=[overlay, cover, bare])) as s:
        found = {k: n.get("node-key") for k, n in keys(s).items()}
        n = [0]

        def press(x, y, **expect):
            n[0] += 1
            return s.ask("gesture g%d %s" % (n[0], tap(x, y, expect=expect)))[0]

        def refused(name, kind, h, **details):
            t.check("guard/" + name, "answer", ("false", ERROR + kind, "false"), (h["ok"], h.get("errorType"), h.get("began")))
            t.check("guard/" + name, "details", details, {k: h.get(k) for k in details})

        h = press(50, 40, node=found["OK"], text="OK", contentDesc=None, **{"class": "android.widget.Button"})
        t.check("guard/kept", "answer", ("true", "checked", "3"), (h["ok"], h.get("guard"), h["injectedEvents"]))
        refused("moved", "TouchGuard$NodeMovedException", press(5, 40, node=found["OK"]), bounds="10,20,110,70")
        refused("edge", "TouchGuard$NodeMovedException", press(110, 40, node=found["OK"]))
        refused("text", "TouchGuard$NodeChangedException", press(50, 40, node=found["OK"], text="Cancel"))
        refused("null text", "TouchGuard$NodeChangedException", press(50, 40, node=found["OK"], text=None))
        refused("class", "TouchGuard$NodeChangedException", press(50, 40, node=found["OK"], **{"class": "x"}))
        refused("gone", "NodeGoneException", press(50, 40, node="7:1"))
        refused("disabled", "TouchGuard$NodeChangedException", press(250, 350, node=found["off"], enabled=True))
        t.check("guard/enabled", "answer", "true", press(50, 40, node=found["OK"], enabled=True)["ok"])
        t.check("guard/disabled as before", "answer", "true", press(250, 350, node=found["off"])["ok"])
        refused("invisible", "NodeGoneException", press(50, 350, node=found["hidden"]))
        refused("covered", "TouchGuard$NodeCoveredException", press(50, 550, node=found["under"]), coveredBy="com.android.systemui")
        refused("covered by a bare window", "TouchGuard$NodeCoveredException", press(50, 750, node=found["below"]), coveredBy="3")
        t.check("guard/beside the cover", "answer", "true", press(50, 610, node=found["under"])["ok"])
        h = s.ask("gesture nokey " + tap(1, 1, expect={}))[0]
        t.check("guard/no node", "answer", ("org.json.JSONException", "false"), (h["errorType"], h["began"]))
        # The stamp of the capture, then something happens.
        stamp = int(s.ask("snapshot s")[0]["eventStamp"])
        t.check("guard/stamp", "answer", "true", press(50, 40, node=found["OK"], stamp=stamp)["ok"])
        s.ask("action a " + b64({"node": found["Keep"], "action": "click"}))
        refused("stamp", "TouchGuard$ScreenChangedException", press(50, 40, node=found["OK"], stamp=stamp), eventStamp=str(stamp + 1))
        t.check("guard/new stamp", "answer", str(stamp + 1), s.ask("snapshot s")[0]["eventStamp"])
        s.ask("quit q")
        t.check("guard", "events", 5 * 3, sum(x["call"] == "inject" for x in s.end().trace))


def repeat(lab, t):
    with Session(lab, screen(BUTTON)) as s:
        h = s.ask("gesture r1 " + tap(50, 40, repeat={"count": 2, "pauseMs": 60}))[0]
        t.check("repeat", "answer", ("true", "6"), (h["ok"], h["injectedEvents"]))
        for name, r in (("none", {"count": 0}), ("many", {"count": 11}), ("pause", {"count": 2, "pauseMs": -1})):
            h = s.ask("gesture bad-%s %s" % (name, tap(50, 40, repeat=r)))[0]
            t.check("repeat/" + name, "answer", ("java.lang.IllegalArgumentException", "false"), (h["errorType"], h["began"]))
        s.ask("quit q")
        events = [x for x in s.end().trace if x["call"] == "inject"]
        t.check("repeat", "events", ["DOWN", "MOVE", "UP"] * 2, [e["event"]["action"] for e in events])
        t.expect("repeat", events[3]["atMs"] - events[2]["atMs"] >= 59, "no pause")


def captures(lab, t):
    """XML is well-formed whatever a view says; a short budget goes to the active window."""
    bad = "".join(chr(c) for c in list(range(32)) + [0x7F, 0xD800, 0xDC00, 0xFFFE, 0xFFFF]) + "\ud83d"
    odd = node("TextView", text=bad, desc=bad, id=bad, hint=bad, paneTitle=bad, roleDescription=bad, error=bad)
    odd["is"] = "heading long-clickable"
    run = lab.run(screen(odd), [])
    got = [n for n in ET.fromstring(run.xml).iter("node")][1]
    expected = "".join("\ufffd" if c < " " and c not in "\t\n\r" else c for c in bad[:33]) + "\U00010000" + "\ufffd" * 3
    for name in ("text", "content-desc", "resource-id", "placeholder", "pane-title", "roleDescription"):
        t.check("xml/" + name, "value", expected, got.get(name))
    t.check("xml/flags", "values", ("true", "true"), (got.get("heading"), got.get("long-clickable")))
    bar = {"type": "system", "layer": 5, "bounds": [0, 0, 1080, 80], "root": node("View", text="bar", children=[node("View", text="clock")])}
    run = lab.run(screen(BUTTON, BOX, extra=[bar]), ["maxNodes", 4])
    nodes = [(n.get("text"), n.get("window-index")) for n in ET.fromstring(run.xml).iter("node")]
    t.check("xml/short budget", "nodes", [("bar", "0"), (None, "1"), ("OK", None), ("Keep", None)], nodes)
    t.check("xml/short budget", "result", ("true", "4", "2"), (run.result["truncated"], run.result["nodeCount"], run.result["windowCount"]))
    lacking = {"type": "system", "layer": 5, "focused": True, "bounds": [0, 0, 1080, 80], "root": None}
    run = lab.run(screen(BUTTON, extra=[lacking]), [])
    t.check("capture/other focused window", "result", ("true", "3"), (run.result["ok"], run.result.get("missingRootWindowTypes")))
    with Session(lab, screen(BUTTON, extra=[lacking])) as s:
        took = [int(s.ask("snapshot s%d" % i)[0]["elapsedMs"]) for i in range(3)]
        t.expect("capture/other focused window", took[0] >= 500 and max(took[1:]) < took[0], "what never has a root is waited for again: %s ms" % took)
    scene = screen(BUTTON)
    scene["windows"][0]["root"] = None
    run = lab.run(scene, [])
    t.check("capture/no application", "result", ("false", ERROR + "AccessibilityCaptureStabilizer$IncompleteCaptureException"),
            (run.result["ok"], run.result["errorType"]))


def client_timeout(lab, t):
    with Session(lab, screen(BUTTON), ["clientTimeoutMs", 2000]) as s:
        idle = s.connect()  # a connection alone is no sign of life
        for _ in range(8):  # longer than the limit, taken together
            time.sleep(0.3)
            t.check("client timeout/asked", "answer", "true", s.ask("viewport v")[0]["ok"])
        began = time.monotonic()
        run = s.end(30)
        idle.close()
        t.check("client timeout", "final", ("true", "true", "client-gone", 0),
                (run.result["ok"], run.result.get("sessionEnded"), run.result.get("reason"), run.code))
        t.expect("client timeout", 1.5 < time.monotonic() - began < 30, "it took %s s" % (time.monotonic() - began))
        t.expect("client timeout", [x for x in run.trace if x["call"] == "finish"][0]["uiAutomationAttached"], "UiAutomation was not released by finish()")
    with Session(lab, screen(BUTTON), ["clientTimeoutMs", 500]) as s:
        h = s.ask("gesture long " + b64({"kind": "swipe", "durationMs": 1200, "pointers": [
            {"pointerId": 0, "samples": [{"offsetMs": 0, "x": 1, "y": 1}, {"offsetMs": 1200, "x": 2, "y": 2}]}]}))[0]
        t.check("client timeout/long command", "answer", "true", h["ok"])
        t.check("client timeout/long command", "final", "client-gone", s.end(10).result.get("reason"))


def manners(lab, t):
    """Other accessibility services are left alone, and every handle is given back."""
    for api, flags in ((34, 1), (24, 1), (23, 0)):
        run = lab.run(screen(BUTTON, BOX, api=api), [])
        t.check("manners/api %d" % api, "getUiAutomation flags", {flags}, {x["flags"] for x in run.trace if x["call"] == "getUiAutomation"})
        h = [x for x in run.trace if x["call"] == "handles"][0]
        t.check("manners/api %d" % api, "handles", h["obtained"], h["recycled"])


def jobs(lab, t):
    every = (guard, repeat, captures, client_timeout, manners)
    return [(lambda f=f: f(lab, t), "guards/" + f.__name__) for f in every]
