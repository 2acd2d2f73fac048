"""Reads the recordings, and brings a run of ours into their form."""
import os
import re
import shlex

from harness.lab import RECORDED

BASE = {"agentDeviceProtocol": "android-snapshot-helper-v1", "helperApiVersion": "2", "outputFormat": "uiautomator-xml"}
OPTIONS = {"waitForIdleTimeoutMs": "500", "waitForIdleQuietMs": "100", "timeoutMs": "8000", "maxDepth": "128", "maxNodes": "5000"}
FIELD = re.compile(r", (?=[A-Za-z]+=|code -?\d+$)")


class Case:
    """One block of an all.txt."""

    def __init__(self, block):
        head, *lines = block.strip("\n").split("\n")
        self.head = head
        name, _, how = head.partition(" (scene ")
        how = how.split(", ")[0]
        self.name, self.lines = name, lines
        words = shlex.split(how.rstrip(")")) if how else [name]
        self.scene, self.args = words[0], []
        for i in range(1, len(words), 3):
            assert words[i] == "-e", head
            self.args += words[i + 1 : i + 3]
        self.result, self.code = result(self.line("result: "))

    def line(self, prefix):
        for l in self.lines:
            if l.startswith(prefix):
                return l[len(prefix) :]
        return None

    def chunk_bytes(self):
        """The length of the XML; None without any."""
        text = self.line("chunks: ")
        if text == "none":
            return None
        m = re.match(r"(\d+) of 2048 and one of (\d+) bytes", text)
        if m:
            return int(m.group(1)) * 2048 + int(m.group(2))
        return sum(int(n) for n in re.findall(r"\d+", text))


def cases(*path):
    with open(os.path.join(RECORDED, *path), encoding="utf-8") as f:
        return [Case(b) for b in f.read().split("\n## ")[1:]]


def result(text):
    fields = FIELD.split(text)
    assert fields[-1].startswith("code "), text
    return dict(f.split("=", 1) for f in fields[:-1]), int(fields[-1][5:])


def canonical(intended, case, fields, code, recorded):
    """A result as one line, without what is the same everywhere, and without listed extra keys."""
    out = []
    for k in sorted(fields):
        if k in BASE or (k in OPTIONS and k not in recorded):
            continue
        if k not in recorded and intended.extra_key(case, k):
            continue
        out.append("%s=%s" % (k, "?" if k == "elapsedMs" else fields[k]))
    return ", ".join(out + ["code %d" % code])


def expect_base(intended, case, fields, recorded, args):
    """Every final record names the protocol and the five options."""
    recorded = list(recorded) + args[::2]
    for k, v in BASE.items():
        intended.check(case, k, v, fields.get(k))
    for k, v in OPTIONS.items():
        if k not in recorded:
            intended.check(case, k, v, fields.get(k))


def strip(intended, xml):
    """XML without the attributes that the recorded helper did not write."""
    text = xml.decode("utf-8", "replace")
    for name in intended.attributes:
        text, n = re.subn(r' %s="[^"]*"' % re.escape(name), "", text)
        if n:
            intended.saw_attribute(name)
    return text


def calls(text):
    """The recorded framework calls as facts that do not depend on timing."""
    text = re.sub(r"@[\d.]+", "", text)
    looks = sum(int(n or 1) for n in re.findall(r"\(getWindows[^)]*\)x(\d+)", text))
    plain = re.sub(r"\([^)]*getWindows[^)]*\)x\d+", "", text)
    looks += len(re.findall(r"getWindows=", plain))
    return {
        "idle": re.findall(r"waitForIdle\((\d+),(\d+)\)=(idle|TimeoutException)", text),
        "clearCache": "clearCache" in text,
        "looks": looks,
    }


def calls_of(trace):
    idle = [(str(t["quiet"]), str(t["timeout"]), "idle" if t["idle"] else "TimeoutException") for t in trace if t["call"] == "waitForIdle"]
    return {
        "idle": idle,
        "clearCache": any(t["call"] == "clearCache" for t in trace),
        "looks": sum(t["call"] == "getWindows" for t in trace),
    }
