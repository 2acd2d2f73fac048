"""Compares with the recordings. Every difference is either listed in intended.toml, with its reason, or a failure; and a
listed one that did not come about is a failure too."""
import fnmatch
import os
import threading
import tomllib


class Intended:
    def __init__(self, path):
        with open(path, "rb") as f:
            data = tomllib.load(f)
        self.folder = os.path.dirname(path)
        self.keys = {k["key"]: k for k in data["extra_key"]}
        self.attributes = {a["name"]: a for a in data["extra_attribute"]}
        self.differences = data["difference"]
        for d in list(self.keys.values()) + list(self.attributes.values()) + self.differences:
            assert d["reason"].strip(), d
        self.used = set()
        self.failures = []
        self.raw = []
        self.checks = 0
        self.lock = threading.Lock()

    def extra_key(self, case, key):
        """True when a key of ours that the recording lacks is a listed one."""
        entry = self.keys.get(key)
        if entry is None or not any(fnmatch.fnmatch(case, p) for p in entry["cases"]):
            return False
        with self.lock:
            self.used.add(("key", key))
        return True

    def saw_attribute(self, name):
        with self.lock:
            self.used.add(("attribute", name))

    def check(self, case, field, recorded, ours):
        with self.lock:
            self.checks += 1
            if recorded == ours:
                return
            for i, d in enumerate(self.differences):
                if d["field"] == field and case in d["cases"] and self._is(d, ours):
                    self.used.add((i, case))
                    return
            self.raw.append((case, field, recorded, ours))
            self.failures.append("%s: %s\n    recorded %s\n    ours     %s" % (case, field, cut(recorded), cut(ours)))

    def _is(self, d, ours):
        if "ours_file" in d:
            with open(os.path.join(self.folder, d["ours_file"]), encoding="utf-8") as f:
                return f.read() == ours
        return d["ours"] == ours

    def fail(self, case, what):
        with self.lock:
            self.failures.append("%s: %s" % (case, what))

    def expect(self, case, condition, what):
        with self.lock:
            self.checks += 1
        if not condition:
            self.fail(case, what)

    def finish(self):
        for i, d in enumerate(self.differences):
            for case in d["cases"]:
                if (i, case) not in self.used:
                    self.fail(case, "the listed difference in %s did not come about: %s" % (d["field"], d["reason"]))
        for kind, names in (("key", self.keys), ("attribute", self.attributes)):
            for name in names:
                if (kind, name) not in self.used:
                    self.fail(name, "the listed extra %s did not come about" % kind)
        return self.failures


def cut(s, limit=700):
    s = str(s)
    return s if len(s) <= limit else s[: limit // 2] + " ... " + s[-limit // 2 :]
