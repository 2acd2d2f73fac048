"""Runs the helper's dex on the Android Runtime: one-shot runs and sessions."""
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RECORDED = os.path.join(ROOT, "tests", "recorded")
RUNNER = "com.callstack.agentdevice.snapshothelper.SnapshotInstrumentation"
PREFIX = re.compile(r"INSTRUMENTATION_(STATUS|RESULT): ([A-Za-z0-9]+)=(.*)")
CODE = re.compile(r"INSTRUMENTATION_(STATUS_CODE|CODE): (-?\d+)")


class Lab:
    def __init__(self, folder, apk):
        self.folder, self.apk = folder, apk
        self.work = tempfile.mkdtemp(prefix="helper-test-")

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def scene(self, scene):
        """A recorded scene's name, or a scene as a dict."""
        if isinstance(scene, str):
            return os.path.join(RECORDED, "scenes", scene + ".json")
        fd, path = tempfile.mkstemp(dir=self.work, suffix=".json")
        with os.fdopen(fd, "w", encoding="utf-8") as f:
            json.dump(scene, f)
        return path

    def start(self, scene, args, framework="framework.jar", files=None):
        folder = tempfile.mkdtemp(dir=self.work)
        files = files or os.path.join(folder, "files")
        os.makedirs(files, exist_ok=True)
        trace = os.path.join(folder, "trace")
        env = dict(os.environ, LAB_SCENE=self.scene(scene), LAB_TRACE=trace, LAB_FILES=files)
        line = [os.path.join(self.folder, "art", "dalvikvm.sh"), "-cp", os.path.join(self.folder, framework) + ":" + self.apk,
                "fake.Am", RUNNER] + [str(a) for a in args]
        process = subprocess.Popen(line, env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return Process(process, trace, folder)

    def run(self, scene, args, limit=60, **more):
        p = self.start(scene, args, **more)
        return p.end(limit)


class Process:
    def __init__(self, process, trace, folder):
        self.process, self.trace_file, self.folder = process, trace, folder
        self.started = time.monotonic()

    def end(self, limit=60):
        try:
            out, _ = self.process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError("the helper did not end within %s s" % limit)
        return Run(out, self.trace(), time.monotonic() - self.started, self.folder)

    def trace(self):
        try:
            with open(self.trace_file, encoding="utf-8") as f:
                return [json.loads(line) for line in f if line.endswith("}\n")]
        except FileNotFoundError:
            return []

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Run:
    """What `am instrument -w` printed."""

    def __init__(self, out, trace, seconds, folder):
        self.out, self.trace, self.seconds, self.folder = out, trace, seconds, folder
        self.statuses, self.result, self.code = [], {}, None
        block = {}
        for line in out.decode("utf-8").split("\n"):
            m, c = PREFIX.match(line), CODE.match(line)
            if m:
                block[m.group(2)] = m.group(3)
            elif c and c.group(1) == "STATUS_CODE":
                self.statuses.append((int(c.group(2)), block))
                block = {}
            elif c:
                self.result, self.code, block = block, int(c.group(2)), {}
        self.chunks = [base64.b64decode(b["payloadBase64"]) for c, b in self.statuses if c == 1]
        self.xml = b"".join(self.chunks)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Session:
    """A running session. `with` ends it whatever happens."""

    def __init__(self, lab, scene, args=(), **more):
        self.port = free_port()
        self.process = lab.start(scene, list(args) + ["sessionPort", self.port], **more)
        self.ready = self._ready()
        self.over = None

    def _ready(self):
        block = b""
        out = self.process.process.stdout
        while True:
            line = out.readline()
            if not line:
                break
            block += line
            if line.startswith(b"INSTRUMENTATION_STATUS_CODE") or line.startswith(b"INSTRUMENTATION_CODE"):
                break
        run = Run(block, [], 0, None)
        if not run.statuses:
            self.process.kill()
            raise AssertionError("no ready record: %r" % block)
        return run.statuses[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()

    def connect(self, limit=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout=limit)

    def raw(self, request, limit=30, shut=False):
        with self.connect(limit) as s:
            s.sendall(request)
            if shut:
                s.shutdown(socket.SHUT_WR)
            return read_all(s)

    def ask(self, line, limit=30):
        """The headers as a dict, and the body."""
        return parse(self.raw(line.encode("utf-8") + b"\n", limit))

    def end(self, limit=30):
        self.over = self.process.end(limit)
        return self.over


def read_all(s):
    data = b""
    while True:
        part = s.recv(65536)
        if not part:
            return data
        data += part


def parse(raw):
    head, found, body = raw.partition(b"\n\n")
    assert found, "no empty line in %r" % raw
    return dict(l.split("=", 1) for l in head.decode("utf-8").split("\n")), body


def b64(value):
    return base64.b64encode((value if isinstance(value, str) else json.dumps(value)).encode("utf-8")).decode()


def text_of(headers, key):
    return base64.b64decode(headers[key]).decode("utf-8")
