"""The 102 recorded one-shot snapshots and the 34 viewports."""
import os
import xml.etree.ElementTree

from harness import recordings
from harness.lab import RECORDED


def snapshot(lab, intended, case):
    name = "snapshot/" + case.name
    run = lab.run(case.scene, case.args)
    # This scene loses the connection 50 ms after its start: a machine too busy to have connected by then shows another one.
    for _ in range(5 if case.name == "disconnected-midway" else 0):
        if any(t["call"] == "waitForIdle" for t in run.trace):
            break
        run = lab.run(case.scene, case.args)
    ours = recordings.canonical(intended, name, run.result, run.code, case.result)
    theirs = recordings.canonical(intended, name, case.result, case.code, case.result)
    intended.check(name, "result", theirs, ours)
    if "shortMsg" not in run.result:
        recordings.expect_base(intended, name, run.result, case.result, case.args)
    chunks(intended, name, run)
    text = recordings.strip(intended, run.xml)
    intended.check(name, "bytes", str(case.chunk_bytes()), str(len(text.encode("utf-8")) if run.chunks else None))
    verbatim = os.path.join(RECORDED, "snapshot", case.name + ".xml")
    if os.path.exists(verbatim):
        with open(verbatim, "rb") as f:
            intended.check(name, "xml", f.read().decode("utf-8", "replace"), text)
    if run.chunks:
        well_formed(intended, name, run.xml)
    calls(intended, name, case, run)
    if case.name in ("finish-throws-other", "finish-notconnected", "connect-fails", "connect-fails-illegal-state"):
        intended.expect(name, run.seconds < 6, "finish() was repeated for %s s, though nothing was connecting" % run.seconds)
    written = case.line("file written: ")
    if written:
        path = os.path.join(run.folder, "out.xml")
        intended.check(name, "file", "no" not in written, os.path.exists(path))
        if os.path.exists(path) and run.chunks:
            with open(path, "rb") as f:
                intended.expect(name, f.read() == run.xml, "the file is not what the chunks are")


def chunks(intended, name, run):
    n = len(run.chunks)
    for i, (code, block) in enumerate(run.statuses):
        intended.check(name, "chunk", ("1", str(i), str(n)), (str(code), block.get("chunkIndex"), block.get("chunkCount")))
        recordings_base = {k: block.get(k) for k in recordings.BASE}
        intended.check(name, "chunk base", recordings.BASE, recordings_base)
    for i, c in enumerate(run.chunks):
        intended.expect(name, len(c) == 2048 or (i == n - 1 and 0 < len(c) < 2048), "chunk %d has %d bytes" % (i, len(c)))


def well_formed(intended, name, xml_bytes):
    try:
        xml.etree.ElementTree.fromstring(xml_bytes)
    except xml.etree.ElementTree.ParseError as e:
        intended.fail(name, "not well-formed: %s" % e)


def calls(intended, name, case, run):
    text = case.line("calls@ms: ")
    if not text:
        return
    theirs, ours = recordings.calls(text), recordings.calls_of(run.trace)
    intended.check(name, "idle waits", theirs["idle"], ours["idle"])
    if theirs["looks"]:
        intended.check(name, "clearCache", theirs["clearCache"], ours["clearCache"])
    # Looks are 50 ms apart for 500 ms: a busy machine may miss some of eleven, but never the waiting itself.
    near = theirs["looks"] == ours["looks"] or (theirs["looks"] > 3 and 2 <= ours["looks"] <= 11)
    intended.check(name, "looks", theirs["looks"], theirs["looks"] if near else ours["looks"])


def viewport(lab, intended, case):
    name = "viewport/" + case.name
    run = lab.run(case.scene, ["mode", "viewport"] + case.args)
    ours = recordings.canonical(intended, name, run.result, run.code, case.result)
    theirs = recordings.canonical(intended, name, case.result, case.code, case.result)
    intended.check(name, "result", theirs, ours)
    recordings.expect_base(intended, name, run.result, case.result, case.args)
    text = case.line("calls@ms: ")
    intended.check(name, "idle waits", recordings.calls(text)["idle"], recordings.calls_of(run.trace)["idle"])


def jobs(lab, intended):
    out = [(lambda c=c: snapshot(lab, intended, c), "snapshot/" + c.name) for c in recordings.cases("snapshot", "all.txt")]
    return out + [(lambda c=c: viewport(lab, intended, c), "viewport/" + c.name) for c in recordings.cases("viewport", "all.txt")]
