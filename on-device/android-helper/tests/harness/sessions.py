"""The recorded sessions: every request with its answer byte for byte, and every way one ended."""
import ast
import os
import re
import socket
import struct

from harness.lab import RECORDED, Session, b64, free_port, parse, read_all

REQUEST = re.compile(r"^('[^']*') (.*?)-> (b'.*?'|b\".*?\")( \+ body of \d+ bytes.*)?( \([\d.]+ s\))?$")
VARIES = re.compile(r"^(elapsedMs|byteLength)=.*$", re.M)


def recorded(*path):
    with open(os.path.join(RECORDED, *path), encoding="utf-8") as f:
        return f.read()


def headers(intended, name, raw, known=()):
    """The header block without listed extra keys, in the order it came."""
    head, found, _ = raw.partition(b"\n\n")
    lines = head.decode("utf-8").split("\n")
    kept = [l for l in lines if l.split("=")[0] in known or not intended.extra_key(name, l.split("=")[0])]
    return VARIES.sub(r"\1=?", "\n".join(kept)) + ("" if found else " (no end)")


def answer(intended, name, theirs, ours):
    known = [l.split("=")[0] for l in theirs.partition(b"\n\n")[0].decode("utf-8").split("\n")]
    intended.check(name, "answer", headers(intended, name, theirs, known), headers(intended, name, ours, known))


def plan(ms):
    return b64({"protocol": "android-touch-plan-v1", "kind": "swipe", "durationMs": ms,
                "pointers": [{"pointerId": 0, "samples": [{"offsetMs": 0, "x": 1, "y": 1}, {"offsetMs": ms, "x": 2, "y": 2}]}]})


def requests(lab, intended):
    done = 0
    with Session(lab, "login") as s:
        for line in recorded("session", "requests.txt").split("\n"):
            m = REQUEST.match(line)
            if not m or "..." in m.group(1):
                continue
            request, how = ast.literal_eval(m.group(1)), m.group(2)
            theirs = ast.literal_eval(m.group(3))
            name = "session/" + m.group(1)
            ours = s.raw(request.encode("utf-8"), shut="shuts" in how)
            answer(intended, name, theirs, ours)
            if request.startswith("snapshot"):
                h, body = parse(ours)
                intended.check(name, "byteLength", h["byteLength"], str(len(body)))
            done += 1
        for request, theirs in (
            ("gesture gesture-3 " + plan(100), ["injectedEvents=3", "kind=swipe", "ok=true", "requestId=gesture-3"]),
            ("gesture g6 " + plan(100)[:30] + " " + plan(100)[30:], ["injectedEvents=3", "kind=swipe", "ok=true", "requestId=g6"]),
            ("x" * 5000 + " y", ["ok=false", "errorType=java.lang.IllegalArgumentException", "requestId=y", "message=unknown session command"]),
        ):
            got = s.raw(request.encode() + b"\n").decode().split("\n")
            for line in theirs:
                intended.expect("session/" + request[:20], line in got, "%s is not in %s" % (line, got))
    intended.expect("session", done == 23, "%d recorded requests were understood" % done)


def ready(lab, intended):
    with Session(lab, "login") as s:
        code, block = s.ready
        intended.check("session/ready", "code", 2, code)
        theirs = dict(l.split(": ")[1].split("=") for l in recorded("session", "requests.txt").split("\n")[3:14] if "=" in l)
        theirs["sessionPort"] = str(s.port)
        ours = {k: v for k, v in block.items() if k in theirs or not intended.extra_key("session/ready", k)}
        intended.check("session/ready", "record", theirs, ours)


def errors(lab, intended):
    """A capture or injection that fails is answered, and the session lives on."""
    found = re.findall(r"^session, (\S+): '(\w+) e1( e)?(?:\\n)?' -> (b'[^']*'|b\"[^\"]*\") ", recorded("session", "endings.txt"), re.M)
    found += [(s, "snapshot", "", b) for s, b in re.findall(r"^(\S+): snapshot -> (b'[^']*')", recorded("session", "errors.txt"), re.M)]
    intended.expect("session/errors", len(found) == 9, "%d recorded errors were understood" % len(found))
    for scene, action, _, theirs in found:
        name = "session/%s %s" % (scene, action)
        with Session(lab, scene) as s:
            line = action + " e1" + (" " + plan3() if action == "gesture" else "") + "\n"
            answer(intended, name, ast.literal_eval(theirs), s.raw(line.encode()))
            h, _ = s.ask("status s x")
            intended.check(name, "afterwards", "true", h["ok"])
            s.ask("quit q")
            intended.check(name, "end", ("true", 0), (s.end().result.get("sessionEnded"), s.over.code))


def plan3():
    samples = [{"offsetMs": t, "x": 540, "y": 1000 + t} for t in (0, 50, 100)]
    return b64({"kind": "swipe", "durationMs": 100, "pointers": [{"pointerId": 0, "samples": samples}]})


def reset(s):
    """Closes with RST."""
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()


def client_gone(lab, intended):
    """Whatever a client does, the next one is served. (The recorded helper ended its session.)"""
    gone = "process gone"
    with Session(lab, "many-6000") as s:

        def alive(name, theirs):
            try:
                h, _ = s.ask("status probe x")
                ours = "alive" if h["ok"] == "true" else str(h)
            except OSError as e:
                ours = "process gone"
            intended.check("session/" + name, "afterwards", theirs, ours)

        c = s.connect()
        reset(c)
        alive("reset without a byte", gone)
        c = s.connect()
        c.sendall(b"viewp")
        reset(c)
        alive("reset in the middle of the line", gone)
        c = s.connect()
        c.sendall(b"viewp")
        c.close()
        alive("closed in the middle of the line", "alive")
        c = s.connect()
        c.sendall(b"snapshot big\n")
        c.recv(10)
        reset(c)
        alive("reset while a 1 MB snapshot is being sent", gone)
        c = s.connect()
        c.sendall(b"snapshot big2\n")
        c.close()
        alive("closed right after asking for a 1 MB snapshot", gone)
        for n, (how, theirs) in enumerate(((reset, gone), (lambda c: c.close(), "alive"))):
            c = s.connect()
            c.sendall(("gesture g%d %s\n" % (n, plan(400))).encode())
            wait_for(lambda: sum(t["call"] == "inject" for t in s.process.trace()) > 3 * n)
            how(c)
            alive("left in the middle of a gesture, %s" % ("closed" if theirs == "alive" else "reset"), theirs)
            wait_for(lambda: s.ask("status p g%d" % n)[0]["state"] == "completed")
        s.ask("quit q")
        run = s.end()
        intended.check("session/clients gone", "end", "true", run.result.get("sessionEnded"))
        ups = [t["event"]["action"] for t in run.trace if t["call"] == "inject"]
        intended.check("session/clients gone", "events", ["DOWN", "MOVE", "UP"] * 2, ups)


def wait_for(condition, limit=15):
    import time

    until = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def silent(lab, intended):
    """Silent clients keep nobody waiting. (The recorded helper served one connection at a time.)"""
    with Session(lab, "login") as s:
        quiet = [s.connect() for _ in range(5)]
        try:
            h, _ = s.ask("viewport v", limit=5)
            served = h["ok"] == "true"
        except OSError:
            served = False
        intended.check("session/silent", "another client", "nothing for 125 s", "served" if served else "nothing for 125 s")
        # And are themselves told, in the end: nothing waits for ever.
        h, _ = parse(read_all(quiet[0]))
        intended.check("session/silent", "errorType", "java.net.SocketTimeoutException", h["errorType"])
        for c in quiet:
            c.close()


def ends(lab, intended):
    fields = ("ok", "sessionEnded", "errorType", "message")
    last = lambda run: {k: run.result[k] for k in fields if k in run.result}
    ended = {"ok": "true", "sessionEnded": "true"}
    for name, line in (("quit", "quit quit-9"), ("quit without an id", "quit")):
        with Session(lab, "login") as s:
            theirs = "outputFormat=uiautomator-xml\nagentDeviceProtocol=android-snapshot-helper-v1\nok=true\nhelperApiVersion=2\nrequestId=%s\n\n"
            answer(intended, "session/" + name, (theirs % line[5:]).encode(), s.raw(line.encode() + b"\n"))
            intended.check("session/" + name, "final", (ended, 0), (last(s.end(10)), s.over.code))
    with Session(lab, "login") as s:
        with s.connect() as waiting, s.connect() as c:
            c.sendall(b"quit a\n")
            c.close()
            intended.check("session/quit, not waited for", "final", ended, last(s.end(10)))
            try:
                got = waiting.recv(10)
            except ConnectionResetError:
                got = b""
            intended.check("session/quit while another waits", "the other", b"", got)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        run = lab.run("login", ["sessionPort", taken.getsockname()[1]])
        intended.check("session/port in use", "final", ("java.net.BindException", "bind failed: EADDRINUSE (Address already in use)", 1, []),
                       (run.result.get("errorType"), run.result.get("message"), run.code, run.statuses))
    run = lab.run("login", ["sessionPort", 70000])
    intended.check("session/port 70000", "final", ("java.lang.IllegalArgumentException", "Port value out of range: 70000"),
                   (run.result.get("errorType"), run.result.get("message")))
    for port in ("0", "-1", "abc"):
        run = lab.run("simple", ["sessionPort", port])
        intended.check("session/port " + port, "one-shot", ("true", "2"), (run.result.get("ok"), run.result.get("windowCount")))
    run = lab.run("simple", ["sessionPort", free_port(), "mode", "viewport"])
    intended.check("session/mode wins", "one-shot", "viewport", run.result.get("kind"))
    with Session(lab, "simple", ["emitChunks", "true", "outputPath", "out.xml"]) as s:
        intended.check("session/emitChunks", "answer", "true", s.ask("snapshot a")[0]["ok"])
        s.ask("quit q")
        run = s.end()
        intended.check("session/emitChunks", "chunks and file", ([], False), (run.chunks, os.path.exists(os.path.join(run.folder, "out.xml"))))


def connecting(lab, intended):
    """A session whose UiAutomation does not connect answers, whoever asks. (The recorded helper died of a viewport.)"""
    failed = "Timed out waiting for Android UiAutomation to connect"
    with Session(lab, "connect-never", ["timeoutMs", 1000]) as s:
        intended.check("session/never connected", "ready", "false", s.ready[1]["uiAutomationConnected"])
        h, _ = s.ask("snapshot a")
        intended.check("session/never connected", "snapshot", ("java.util.concurrent.TimeoutException", failed), (h["errorType"], h["message"]))
        try:
            h, _ = s.ask("viewport a")
            ours = "%s: %s" % (h["errorType"], h["message"])
        except AssertionError:
            ours = "closed without a byte"
        intended.check("session/never connected", "viewport", "closed without a byte", ours)
        s.ask("quit q")
        intended.check("session/never connected", "end", "true", s.end().result.get("sessionEnded"))


def lost(lab, intended):
    with Session(lab, "disconnected-later", ["timeoutMs", 1000]) as s:
        wait_for(lambda: s.ask("snapshot a")[0]["ok"] == "false")
        h, _ = s.ask("snapshot b")
        intended.check("session/lost", "snapshot", "java.util.concurrent.TimeoutException", h["errorType"])
        s.ask("quit q")
        run = s.end()
        intended.check("session/lost", "final", "crash: UiAutomation not connected!",
                       "sessionEnded=%s" % run.result.get("sessionEnded") if "shortMsg" not in run.result else "crash: UiAutomation not connected!")


def stuck_end(lab, intended):
    """finish() keeps saying "while connecting": ten seconds, as ever, and then the record."""
    with Session(lab, "finish-throws-200") as s:
        s.ask("quit q")
        run = s.end(45)
        intended.check("session/finish keeps throwing", "final", "true", run.result.get("sessionEnded"))
        intended.expect("session/finish keeps throwing", 9.5 < run.seconds < 40, "%s s" % run.seconds)


def long_line(lab, intended):
    samples = [{"offsetMs": t, "x": 540, "y": 1000 + t / 10} for t in range(1501)]
    payload = b64({"kind": "swipe", "durationMs": 1500, "pointers": [{"pointerId": 0, "samples": samples}]})
    with Session(lab, "simple") as s:
        h, _ = s.ask("gesture big " + payload)
        intended.check("session/long line", "injectedEvents", "1502", h.get("injectedEvents"))


def jobs(lab, intended):
    every = (stuck_end, silent, connecting, lost, requests, ready, errors, client_gone, ends, long_line)
    return [(lambda f=f: f(lab, intended), "session/" + f.__name__) for f in every]
