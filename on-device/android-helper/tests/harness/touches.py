"""A touch that is let through although the screen has changed, because it still reaches what was meant (`guard-touch`)."""
from harness.extended import BUTTON, ERROR, keys, node, screen
from harness.guards import tap
from harness.lab import Session, b64

COVERED = "TouchGuard$NodeCoveredException"


def control(name, is_="clickable", **more):
    return dict(node("View", text=name, **more), **{"is": is_})


class Presser:
    """Presses with an expectation, and checks the answer."""

    def __init__(self, session, t, where):
        self.session, self.t, self.where = session, t, where
        self.found = {k: n.get("node-key") for k, n in keys(session).items()}
        self.count = self.made = 0

    def _ask(self, name, x, y, expect):
        self.count += 1
        expect = dict({"node": self.found[name], "touch": True}, **expect)
        return self.session.ask("gesture t%d %s" % (self.count, tap(x, y, expect=expect)))[0]

    def reaches(self, case, name, x, y, **expect):
        h = self._ask(name, x, y, expect)
        self.made += h["ok"] == "true"
        self.t.check(self.where + case, "answer", ("true", "checked", "3"), (h["ok"], h.get("guard"), h.get("injectedEvents")))

    def refused(self, case, kind, name, x, y, details=None, **expect):
        h = self._ask(name, x, y, expect)
        self.made += h["ok"] == "true"
        self.t.check(self.where + case, "answer", ("false", ERROR + kind, "false"), (h["ok"], h.get("errorType"), h.get("began")))
        if details:
            self.t.check(self.where + case, "details", details, {k: h.get(k) for k in details})

    def end(self):
        """Nothing was injected by what was refused, and only the snapshot's nodes are still held."""
        self.session.ask("quit q")
        trace = self.session.end().trace
        self.t.check(self.where, "events", 3 * self.made, sum(x["call"] == "inject" for x in trace))
        handles = [x for x in trace if x["call"] == "handles"][0]
        self.t.check(self.where, "handles", len(self.found), handles["obtained"] - handles["recycled"])


def order(lab, t):
    """What is drawn last is on top: by the order that Android tells, before API 24 by the place in the list."""
    row = control("row", bounds=[0, 100, 1000, 200], children=[
        node("FrameLayout", text="box", bounds=[20, 120, 400, 180], children=[node("TextView", text="label", bounds=[20, 120, 400, 180])]),
        None, control("delete", bounds=[800, 110, 990, 190])])
    low = control("low", bounds=[0, 500, 500, 600], drawingOrder=1)
    high = control("high", bounds=[200, 500, 700, 600], drawingOrder=2)
    # Inside something that takes nothing itself, drawn before and after its neighbour.
    panel = node("FrameLayout", text="panel", bounds=[0, 700, 500, 800], children=[control("in the panel", bounds=[0, 700, 100, 800])])
    beside = control("beside", bounds=[0, 700, 500, 800])
    last = node("FrameLayout", text="last", bounds=[0, 900, 500, 1000], children=[control("in the last", bounds=[0, 900, 100, 1000])])
    under = control("under", bounds=[0, 900, 500, 1000])
    # The windows of others are of no concern here, even where they take everything.
    behind = {"type": "application", "id": 3, "layer": -1, "bounds": [0, 0, 1080, 2400], "root": control("other", bounds=[0, 0, 1080, 2400])}
    for api in (34, 24, 23):
        pair = (low, high) if api == 23 else (high, low)
        with Session(lab, screen(row, *pair, panel, beside, under, last, extra=[behind], api=api)) as s:
            p = Presser(s, t, "touch/api %d/" % api)
            for name, at in (("label", (50, 150)), ("row", (600, 150)), ("delete", (900, 150)), ("low", (50, 550)), ("high", (300, 550)),
                             ("beside", (50, 750)), ("in the last", (50, 950)), ("under", (300, 950))):
                p.reaches(name, name, *at)
            for name, at, by in (("row", (900, 150), "delete"), ("low", (300, 550), "high"), ("in the panel", (50, 750), "beside"),
                                 ("panel", (300, 750), "beside"), ("under", (50, 950), "in the last")):
                p.refused(name + " under " + by, COVERED, name, *at, details={"coveredBy": by})
            p.end()


def takers(lab, t):
    """Which views take a touch away from what they lie over."""
    cases = [("clickable", True), ("long-clickable", True), ("checkable", True), ("editable", True), ("focusable", False), ("scrollable", False)]
    views, covers = [], []
    for i, (flag, _) in enumerate(cases):
        views.append(node("TextView", text="under " + flag, bounds=[0, 100 * i, 500, 100 * i + 100]))
        covers.append(control("over " + flag, flag, bounds=[0, 100 * i, 500, 100 * i + 100]))
    covers += [dict(control("disabled", bounds=[0, 600, 500, 700]), **{"not": "enabled"}),
               dict(control("hidden", bounds=[0, 700, 500, 800]), **{"not": "visible"}),
               dict(control("\u00a0 ", bounds=[0, 800, 500, 900]), desc=" described "),
               dict(control(" ", bounds=[0, 900, 500, 1000]), **{"class": "com.example.Scrim"})]
    views += [node("TextView", text="under %d" % i, bounds=[0, 100 * i, 500, 100 * i + 100]) for i in range(6, 10)]
    with Session(lab, screen(*views, *covers)) as s:
        p = Presser(s, t, "takers/")
        for i, (flag, takes) in enumerate(cases):
            if takes:
                p.refused(flag, COVERED, "under " + flag, 50, 100 * i + 50, details={"coveredBy": "over " + flag})
            else:
                p.reaches(flag, "under " + flag, 50, 100 * i + 50)
        p.refused("disabled", COVERED, "under 6", 50, 650, details={"coveredBy": "disabled"})
        p.reaches("hidden", "under 7", 50, 750)
        p.refused("described", COVERED, "under 8", 50, 850, details={"coveredBy": "described"})
        p.refused("neither", COVERED, "under 9", 50, 950, details={"coveredBy": "Scrim"})
        p.end()


def stamps(lab, t):
    """The way down is looked at only after a change, and `touch` spares no other check."""
    under = control("under", bounds=[0, 100, 500, 200])
    over = control("over", bounds=[0, 100, 500, 200])
    clicked = dict(control("clicked", bounds=[0, 300, 500, 400]), actions="click")
    cover = {"type": "system", "layer": 8, "bounds": [0, 500, 1080, 600], "root": node("View", package="com.android.systemui")}
    behind = control("behind", bounds=[0, 450, 500, 700])
    with Session(lab, screen(under, over, clicked, behind, BUTTON, extra=[cover])) as s:
        p = Presser(s, t, "stamps/")
        stamp = int(s.ask("snapshot s")[0]["eventStamp"])
        p.reaches("equal", "under", 50, 150, stamp=stamp)
        p.refused("equal, moved", "TouchGuard$NodeMovedException", "OK", 5, 40, stamp=stamp)
        p.refused("equal, says", "TouchGuard$NodeChangedException", "OK", 50, 40, stamp=stamp, says="Cancel")
        p.refused("none", COVERED, "under", 50, 150)
        p.refused("null", COVERED, "under", 50, 150, stamp=None)
        s.ask("action a " + b64({"node": p.found["clicked"], "action": "click"}))
        p.refused("changed", COVERED, "under", 50, 150, stamp=stamp)
        p.reaches("changed, free", "OK", 50, 40, stamp=stamp, text="OK", says="OK")
        p.refused("changed, no touch", "TouchGuard$ScreenChangedException", "OK", 50, 40, stamp=stamp, touch=False)
        p.refused("changed, moved", "TouchGuard$NodeMovedException", "OK", 5, 40, stamp=stamp)
        p.refused("changed, text", "TouchGuard$NodeChangedException", "OK", 50, 40, stamp=stamp, text="Cancel")
        p.refused("changed, says", "TouchGuard$NodeChangedException", "OK", 50, 40, stamp=stamp, says="Cancel")
        p.refused("changed, window", COVERED, "behind", 50, 550, stamp=stamp, details={"coveredBy": "com.android.systemui"})
        p.refused("not counted", "TouchGuard$ScreenChangedException", "OK", 50, 40, stamp=-1, touch=False)
        with Session(lab, screen(BUTTON)) as other:
            # Another process counts from elsewhere: what one has said is no proof to the next.
            theirs = int(other.ask("snapshot s")[0]["eventStamp"])
            t.expect("stamps/processes", theirs != stamp, "two processes began at the same stamp")
            t.expect("stamps/processes", all(0 <= n < 1 << 53 for n in (stamp, theirs)), "stamps %d, %d" % (stamp, theirs))
            t.expect("stamps/processes", abs(theirs - stamp) > 1 << 20, "stamps %d, %d are neighbours" % (stamp, theirs))
        p.end()


def says(lab, t):
    """A view's own words, as a reader of the XML has them."""
    both = control("\u00a0 both\n", bounds=[0, 100, 500, 200], desc="\u2003also\t")
    odd = control("a\x0bb\ud83dc\U0001f600\ttab", bounds=[0, 200, 500, 300])
    blank = dict(control("\u00a0\n ", bounds=[0, 300, 500, 400]), desc=" ")
    silent = dict(control("x", bounds=[0, 400, 500, 500]), text=None, **{"class": "silent"})
    with Session(lab, screen(both, odd, blank, silent)) as s:
        p = Presser(s, t, "says/")
        names = {name.strip(): name for name in p.found}
        p.reaches("text", names["both"], 50, 150, says="both")
        p.reaches("description", names["both"], 50, 150, says="also")
        p.reaches("with its white space", names["both"], 50, 150, says="\u00a0 both\n")
        p.refused("other", "TouchGuard$NodeChangedException", names["both"], 50, 150, says="bot")
        p.refused("empty", "TouchGuard$NodeChangedException", names["both"], 50, 150, says="")
        p.reaches("null", names["both"], 50, 150, says=None)
        p.reaches("as in the XML", "a\ufffdb\ufffdc\U0001f600\ttab", 50, 250, says="a\ufffdb\ufffdc\U0001f600\ttab")
        p.refused("another face", "TouchGuard$NodeChangedException", "a\ufffdb\ufffdc\U0001f600\ttab", 50, 250, says="a\ufffdb\ufffdc\U0001f601\ttab")
        p.reaches("blank", names[""], 50, 350, says="named by what is in it")
        p.reaches("silent", "silent", 50, 450, says="named by what is in it")
        p.end()


def many(lab, t):
    """Where there is too much at one point nothing is claimed, and depth is no trouble."""
    crowd = node("View", text="crowd %d", bounds=[0, 100, 500, 200], repeat=2100)
    deep = node("FrameLayout", text="deep %d", bounds=[0, 300, 500, 400], nest=400)
    with Session(lab, screen(crowd, deep, BUTTON), ["maxDepth", 500]) as s:
        p = Presser(s, t, "many/")
        p.refused("crowd", COVERED, "crowd 0", 50, 150)
        p.reaches("deep", "deep 399", 50, 350)
        p.reaches("beside them", "OK", 50, 40)
        p.end()


def jobs(lab, t):
    every = (order, takers, stamps, says, many)
    return [(lambda f=f: f(lab, t), "touches/" + f.__name__) for f in every]
