"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

What goes over the wire, as types. Names are those of the wire. For type checkers and editors: the client itself does not
load this module when it runs.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


DevicesArgs: TypeAlias = dict[str, Any]
"""List the devices that can be opened"""


Platform: TypeAlias = Literal["stage", "web", "android"]
"""Where a device lives. The name after `--platform`.

stage: The embedded simulated device: an app in one TOML file.
web: A browser, through W3C WebDriver.
android: An Android phone or emulator, through adb.
"""


class Holder(TypedDict):
    """Who holds a device."""

    session: str
    """The session's name."""

    sinceMs: int
    """When it was opened: ms since 1970-01-01 UTC."""

    workspace: NotRequired[str]
    """The folder it was opened from."""


class DeviceView(TypedDict):
    """A device that can be opened."""

    id: str
    """The word after `--device`."""

    name: str
    """For people."""

    platform: Platform
    """Where it lives."""

    kind: str
    """`simulated`, `desktop`, `emulator`, `device`."""

    available: bool
    """Whether it can be opened now."""

    claimedBy: NotRequired[Holder]
    """Who holds it."""

    unavailableReason: NotRequired[str]
    """Why it cannot."""


class Devices(TypedDict):
    """What `devices` answers."""

    devices: list[DeviceView]
    """Every device that is there."""


CapabilitiesArgs: TypeAlias = dict[str, Any]
"""Show what a device can do, and what it cannot and why"""


Capability: TypeAlias = Literal[
    "snapshot",
    "screenshot",
    "tap",
    "touch",
    "mouse-buttons",
    "hover",
    "long-press",
    "swipe",
    "type",
    "fill",
    "scroll",
    "scroll-into-view",
    "back",
    "home",
    "viewport",
    "alert",
    "upload",
    "downloads",
    "windows",
    "gesture",
    "app-switcher",
    "orientation",
    "keyboard",
    "clipboard",
    "settings",
    "appstate",
    "logs",
    "perf",
    "record",
]
"""One thing a device may or may not be able to do.

snapshot: Reading the screen as a tree.
screenshot: Pictures of the screen.
tap: Pressing at a point.
touch: Real touch contacts (not a mouse).
mouse-buttons: Other buttons of a mouse.
hover: Moving a pointer without pressing.
long-press: Keeping a contact down.
swipe: Dragging a contact.
type: Typing into whatever has the focus.
fill: Replacing the content of a field.
scroll: Scrolling a container.
scroll-into-view: Bringing an element into view by itself.
back: The system's or the browser's way back.
home: The home screen, or the first page.
viewport: Changing the size of the viewport.
alert: Native or JavaScript dialogs.
upload: Choosing files for a file field.
downloads: Files that the page or app saved.
windows: More than one tab or window.
gesture: Movements of one or two contacts.
app-switcher: Showing the apps that were used last.
orientation: Turning the screen.
keyboard: Asking for the on-screen keyboard and hiding it.
clipboard: Reading and writing the clipboard.
settings: Changing the device's settings and the app's permissions.
appstate: Which app is in front.
logs: What the app writes to the device's log.
perf: Frames and memory.
record: Films of the screen.
"""


class Missing(TypedDict):
    """Something a backend cannot do."""

    capability: Capability
    """What."""

    reason: str
    """Why, for people."""


class DeviceCapabilities(TypedDict):
    """What one device can do."""

    device: str
    """The device's id."""

    platform: Platform
    """Where it lives."""

    can: list[Capability]
    """What works."""

    cannot: list[Missing]
    """What does not, and why."""


class CapabilitiesOf(TypedDict):
    """What `capabilities` answers."""

    devices: list[DeviceCapabilities]
    """One per device."""


DoctorArgs: TypeAlias = dict[str, Any]
"""Check this machine: browsers, drivers, folders; the exit code says whether all is well"""


CheckStatus: TypeAlias = Literal["pass", "warn", "fail"]
"""How a check stands.

pass: Works.
warn: Works, or is not needed; something could be better.
fail: Does not work.
"""


class Check(TypedDict):
    """One check of `doctor`."""

    name: str
    """What was checked."""

    status: CheckStatus
    """How it stands."""

    found: str
    """What was found."""

    remedy: NotRequired[str]
    """What to do about it, where something is wrong."""


class Healthy(TypedDict):
    """What `doctor` answers: no check failed. Where one does, that is the failure `TOOL_MISSING`."""

    ok: bool
    """Always true."""

    checks: list[Check]
    """Every check."""


Browser: TypeAlias = Literal["chrome", "firefox", "webkit"]
"""A browser.

chrome: Chromium or Chrome, through chromedriver.
firefox: Firefox, through geckodriver.
webkit: WebKitGTK's MiniBrowser, through WebKitWebDriver.
"""


Wanted: TypeAlias = dict[str, Any]
"""Capabilities that a caller wants of a new session, beside those that are always asked for."""


MobileSize: TypeAlias = str
"""The screen of an emulated phone, written `390x844@3`."""


class OpenArgs(TypedDict):
    """Open an app or a web address, in this session"""

    app: NotRequired[str | None]
    """A web address (http://...), a stage app (demo, ./app.toml), or nothing for the demo app"""

    browser: NotRequired[Browser | None]
    """Which browser [default: chrome]"""

    capabilities: NotRequired[Wanted | None]
    """Capabilities for the WebDriver server, added to our own: a JSON object, or @FILE with one in it"""

    driverUrl: NotRequired[str | None]
    """Use this WebDriver server instead of starting one"""

    force: NotRequired[bool]
    """Let the script replace a file that is there"""

    headed: NotRequired[bool]
    """Show the browser's window"""

    loadTimeoutMs: NotRequired[int | None]
    """How long a page may take to load, ms [default: 30000]"""

    mobile: NotRequired[MobileSize | None]
    """Emulate a phone: width x height in CSS px, @ pixel ratio"""

    relaunch: NotRequired[bool]
    """Start it anew even if it is open"""

    saveScript: NotRequired[str | None]
    """Record the steps of this session as a script; `close` writes it [default: NAME-TIME.ad in the current
    folder]
    """


class Opened(TypedDict):
    """What `open` answers."""

    session: str
    """The session's name."""

    app: str
    """What is open now."""

    device: str
    """The device's id."""

    platform: Platform
    """Where it lives."""

    capabilities: list[Capability]
    """What the device can do."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    message: NotRequired[str]
    """What was done in a session that was open already, one sentence for people."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    script: NotRequired[str]
    """The script that the session's steps are recorded for."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class CloseArgs(TypedDict):
    """Close the app or browser and end the session"""

    all: NotRequired[bool]
    """End every session of this daemon"""


class Closed(TypedDict):
    """A session was closed."""

    session: str
    """The session's name."""

    closed: bool
    """Always true."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    script: NotRequired[str]
    """The file."""

    scriptSteps: NotRequired[int]
    """Steps in it."""

    scriptVariables: NotRequired[list[str]]
    """Variables that must be given when it is replayed."""

    warnings: NotRequired[list[str]]
    """What its reader should know."""


class ClosedAll(TypedDict):
    """Every session was closed."""

    closed: list[str]
    """Their names."""


Close: TypeAlias = Closed | ClosedAll
"""What `close` answers."""


class SnapshotArgs(TypedDict):
    """Show the screen as text: what is there, and the refs to act on"""

    depth: NotRequired[int | None]
    """Only so many levels"""

    diff: NotRequired[bool]
    """Show what changed since the last snapshot instead"""

    forceFull: NotRequired[bool]
    """Print the whole snapshot even if nothing changed"""

    interactiveOnly: NotRequired[bool]
    """Only what takes input, as a flat list"""

    raw: NotRequired[bool]
    """Everything the backend reported, one JSON node a line"""

    scope: NotRequired[str | None]
    """Only the part below a text or @ref"""


class DiffSummary(TypedDict):
    """How much is different between two screens, in lines."""

    additions: int
    """New."""

    removals: int
    """Gone."""

    unchanged: int
    """As before."""


DiffKind: TypeAlias = Literal["added", "removed", "unchanged"]
"""What became of a line.

added: New.
removed: Gone.
unchanged: As before.
"""


class DiffLine(TypedDict):
    """One line of a difference."""

    kind: DiffKind
    """What became of it."""

    text: str
    """The line, as `snapshot` shows it."""

    ref: NotRequired[str]
    """The element's ref, without the `@`."""


class Difference(TypedDict):
    """What is different from the last snapshot with the same arguments."""

    mode: str
    """What was compared: `snapshot`."""

    baselineInitialized: bool
    """There was nothing to compare with: this screen is what the next one is compared with."""

    summary: DiffSummary
    """How much."""

    lines: list[DiffLine]
    """Every line of both screens."""

    refsGeneration: int
    """The generation that pinned refs name."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class Size(TypedDict):
    """Width and height, px."""

    width: float
    """Width, px."""

    height: float
    """Height, px."""


class Rect(TypedDict):
    """A rectangle, px."""

    x: float
    """Left edge, px."""

    y: float
    """Top edge, px."""

    width: float
    """Width, px."""

    height: float
    """Height, px."""


Checked: TypeAlias = Literal["checked", "unchecked", "mixed"]
"""State of a check box, switch or toggle button.

checked: On.
unchecked: Off.
mixed: Partly on.
"""


class NodeView(TypedDict):
    """One node of a snapshot in JSON. Facts that the backend did not report are left out."""

    index: int
    """Place in the listing, from 0."""

    role: str
    """Normalised role, equal on every platform: button, link, text-field ..."""

    rect: Rect
    """In viewport coordinates."""

    depth: int
    """Depth in the listing, from 0."""

    enabled: bool
    """Takes input."""

    visibleToUser: bool
    """Part of it can be seen in the viewport."""

    checked: NotRequired[Checked]
    """For what can be checked."""

    coveredBy: NotRequired[str]
    """What covers it, if something does."""

    description: NotRequired[str]
    """The accessible description."""

    editable: NotRequired[bool]
    """Takes text."""

    expanded: NotRequired[bool]
    """For what can be expanded."""

    focused: NotRequired[bool]
    """Has the input focus."""

    hiddenAbove: NotRequired[float]
    """Content hidden above, px, for scroll containers."""

    hiddenBelow: NotRequired[float]
    """Content hidden below, px, for scroll containers."""

    hittable: NotRequired[bool]
    """A press at its point reaches it; absent where nobody tested."""

    href: NotRequired[str]
    """Where a link leads."""

    identifier: NotRequired[str]
    """Test id, resource id or element id."""

    interactive: NotRequired[bool]
    """Takes a press, text or a choice."""

    label: NotRequired[str]
    """The accessible name."""

    level: NotRequired[int]
    """Heading level."""

    moreAbove: NotRequired[bool]
    """There is more above, and nobody can say how much."""

    moreBelow: NotRequired[bool]
    """There is more below, and nobody can say how much."""

    parentIndex: NotRequired[int]
    """`index` of the parent."""

    password: NotRequired[bool]
    """Hides what is typed."""

    placeholder: NotRequired[str]
    """Hint shown while the field is empty."""

    ref: NotRequired[str]
    """`e5`, without the `@`."""

    scrollable: NotRequired[bool]
    """Its content can be scrolled."""

    selected: NotRequired[bool]
    """Chosen in a list, tab bar ..."""

    type: NotRequired[str]
    """The platform's own name for it, where it differs."""

    value: NotRequired[str]
    """The current value of a field, slider ..."""


class Screen(TypedDict):
    """The screen."""

    viewport: Size
    """The box that the rects are in."""

    refsGeneration: int
    """The generation that pinned refs of this snapshot name."""

    totalNodes: int
    """Nodes that the capture holds."""

    nodes: list[NodeView]
    """Its nodes, in the order of the page; a parent stands before its children."""

    app: NotRequired[str]
    """The page's address, or the app's id."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    title: NotRequired[str]
    """Title of the page or screen."""

    truncated: NotRequired[bool]
    """Part of the screen is missing from the capture."""

    unchanged: NotRequired[bool]
    """Nothing is different from the last snapshot with the same arguments."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


Snapshot: TypeAlias = Difference | Screen
"""What `snapshot` answers; with `diff` a `Difference`."""


DiffDiffKind: TypeAlias = Literal["snapshot"]
"""What a diff compares.

snapshot: Two snapshots.
"""


class DiffArgs(TypedDict):
    """Show what changed since the last snapshot or diff"""

    kind: DiffDiffKind
    """What to compare"""

    depth: NotRequired[int | None]
    """Only so many levels"""

    interactiveOnly: NotRequired[bool]
    """Only what takes input, as a flat list"""

    raw: NotRequired[bool]
    """Everything the backend reported, one JSON node a line"""

    scope: NotRequired[str | None]
    """Only the part below a text or @ref"""


class DiffDifference(TypedDict):
    """What is different from the last snapshot with the same arguments."""

    mode: str
    """What was compared: `snapshot`."""

    baselineInitialized: bool
    """There was nothing to compare with: this screen is what the next one is compared with."""

    summary: DiffSummary
    """How much."""

    lines: list[DiffLine]
    """Every line of both screens."""

    refsGeneration: int
    """The generation that pinned refs name."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class ScreenshotArgs(TypedDict):
    """Save a PNG of the screen"""

    fullscreen: NotRequired[bool]
    """The whole page, not only what is in view"""

    out: NotRequired[str | None]
    """Where to save it"""

    overlayRefs: NotRequired[bool]
    """Draw the refs of what takes input over the picture"""

    path: NotRequired[str | None]
    """Where to save it [default: a new file in the current folder]"""


class Pictured(TypedDict):
    """What `screenshot` answers."""

    path: str
    """The PNG file."""

    width: int
    """Width, pixels of the picture."""

    height: int
    """Height, pixels of the picture."""

    scale: float
    """Pixels of the picture to one px of the viewport."""

    bytes: int
    """Size of the file, bytes."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    refs: NotRequired[int]
    """How many refs are drawn on it, with `overlayRefs`."""

    refsGeneration: NotRequired[int]
    """The generation of those refs."""


class TargetRef(TypedDict):
    """`@e5`, or pinned to what was shown then: `@e5~s3`."""

    kind: Literal["ref"]

    ref: str
    """The ref, with or without its `@`."""


class TargetSelector(TypedDict):
    """`label="Save" role=button`, see `help selectors`."""

    kind: Literal["selector"]

    selector: str
    """The selector's text."""


class TargetPoint(TypedDict):
    """A point in the viewport, px from its top left corner."""

    kind: Literal["point"]

    x: float
    """Rightwards, px."""

    y: float
    """Downwards, px."""


Target: TypeAlias = TargetRef | TargetSelector | TargetPoint
"""A ref as printed by `snapshot`, a selector, or a point."""


Button: TypeAlias = Literal["primary", "secondary", "middle"]
"""A button of a mouse.

primary: Usually the left one.
secondary: Usually the right one: the context menu.
middle: The wheel.
"""


class PressArgs(TypedDict):
    """Press an element or a point"""

    target: Target
    """What to press"""

    button: NotRequired[Button | None]
    """Which button of a mouse"""

    count: NotRequired[int | None]
    """How many presses, one after another [1..=200]"""

    doubleTap: NotRequired[bool]
    """Two presses so close that they count as a double press"""

    holdMs: NotRequired[int | None]
    """How long the contact stays down, ms"""

    intervalMs: NotRequired[int | None]
    """Pause between two presses of a series, ms"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""

    verify: NotRequired[bool]
    """Say whether the screen changed, with evidence"""


TargetKind: TypeAlias = Literal["ref", "selector", "point"]
"""What a target was.

ref: A ref.
selector: A selector.
point: A point.
"""


class Evidence(TypedDict):
    """Whether the screen changed after an input."""

    digestBefore: str
    """Stands for what was on the screen before."""

    changedFromBefore: NotRequired[bool]
    """It is another screen than before."""

    digest: NotRequired[str]
    """Stands for what is there now. This and what follows is absent where the screen could not be read."""

    foregroundApp: NotRequired[str]
    """The page's address, or the app's id."""

    interactiveNodeCount: NotRequired[int]
    """Those that take input."""

    nodeCount: NotRequired[int]
    """Nodes on the screen now."""


class LabelChanged(TypedDict):
    """The two names of an element."""

    was: str
    """When it was shown."""

    now: str
    """Now."""


class Awaited(TypedDict):
    """The looks made while waiting for a target."""

    polls: int
    """How many."""

    waitedMs: int
    """How long it took, ms."""


class SettledDiff(TypedDict):
    """What is different after an input."""

    summary: DiffSummary
    """How much."""

    lines: list[str]
    """Lines that begin with `- ` or `+ `; new ones with a pinned ref."""

    truncated: bool
    """There are more than are shown."""


class Settled(TypedDict):
    """How the screen came to rest after an input."""

    settled: bool
    """It came to rest within the limit."""

    waitedMs: int
    """How long that took, ms."""

    captures: int
    """Looks made."""

    quietMs: int
    """How long it had to stay the same, ms."""

    timeoutMs: int
    """The limit, ms."""

    dialog: NotRequired[str]
    """What a dialog says that opened instead."""

    diff: NotRequired[SettledDiff]
    """What is different from before the input. Absent where the screen could not be read."""

    hint: NotRequired[str]
    """What to do next."""

    refsGeneration: NotRequired[int]
    """The generation that the pinned refs of `diff` name."""


class Pressed(TypedDict):
    """What a press, a hover or a focus answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class LongpressArgs(TypedDict):
    """Press an element or a point and keep it down"""

    target: Target
    """What to press"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""

    durationMs: NotRequired[int | None]
    """How long, ms [default: 800]"""


class HoverArgs(TypedDict):
    """Move the pointer over an element or a point"""

    target: Target
    """What to point at"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class FocusArgs(TypedDict):
    """Give an element the input focus"""

    target: Target
    """What to focus"""


class FillArgs(TypedDict):
    """Replace the content of a field; fails unless the field then holds the text"""

    target: Target
    """The field"""

    text: str
    """The text; an empty one clears the field"""

    delayMs: NotRequired[int | None]
    """Pause after each character, ms"""

    recordAs: NotRequired[str | None]
    """The variable that stands for the text in the recorded script, for a text that is nobody's to read"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""

    verify: NotRequired[bool]
    """Say whether the screen changed, with evidence"""


class Filled(TypedDict):
    """What `fill` answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    characters: int
    """How many characters were filled in."""

    verified: bool
    """The field was read back and holds the text. `false`: it cannot be read."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class TypeArgs(TypedDict):
    """Type text into whatever has the input focus"""

    text: str
    """The text"""

    delayMs: NotRequired[int | None]
    """Pause after each character, ms"""

    recordAs: NotRequired[str | None]
    """The variable that stands for the text in the recorded script, for a text that is nobody's to read"""


class Typed(TypedDict):
    """What `type` answers."""

    characters: int
    """How many characters were typed."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


ScrollDirection: TypeAlias = Literal["up", "down", "left", "right", "top", "bottom"]
"""Where to scroll. `down` shows what is further down.

up: A step up.
down: A step down.
left: A step left.
right: A step right.
top: To the very top.
bottom: To the very bottom.
"""


ScrollArgs = TypedDict(
    "ScrollArgs",
    {
        # Where to: up, down, left, right by a step, or all the way to the top or bottom
        "direction": "ScrollDirection",
        # Size of a step as a share of the container, 0.05 to 1 [default: 0.6]
        "amount": "NotRequired[float | None]",
        # Scroll the container of this element: @ref or selector
        "in": "NotRequired[str | None]",
        # Size of a step in px, instead of a share
        "pixels": "NotRequired[float | None]",
        # Wait until the screen is quiet, then show what changed
        "settle": "NotRequired[bool]",
        # How long nothing may change, ms [default: 500]
        "settleQuietMs": "NotRequired[int | None]",
        # How long to wait for that at most, ms [default: 10000]
        "settleTimeoutMs": "NotRequired[int | None]",
        # Scroll on until this selector is in view, at most 40 steps
        "until": "NotRequired[str | None]",
    },
)
"""Scroll the page or the container under the middle of the screen"""


class Scrolled(TypedDict):
    """What `scroll` answers."""

    direction: ScrollDirection
    """Which way."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    more: NotRequired[bool]
    """There is more in that direction, where the device tells it."""

    movedX: NotRequired[float]
    """By how much, px rightwards, where the device tells it."""

    movedY: NotRequired[float]
    """By how much, px downwards, where the device tells it. 0 and 0: it was at the end already."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


SwipePattern: TypeAlias = Literal["one-way", "ping-pong"]
"""Direction of the swipes of a series.

one-way: All the same way.
ping-pong: There and back.
"""


class SwipeArgs(TypedDict):
    """Drag a contact from one point to another"""

    x1: float
    """Start, px from the left"""

    y1: float
    """Start, px from the top"""

    x2: float
    """End, px from the left"""

    y2: float
    """End, px from the top"""

    count: NotRequired[int | None]
    """How many swipes [1..=200]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms [default: 100]"""

    pattern: NotRequired[SwipePattern | None]
    """Whether every second swipe goes back"""

    pauseMs: NotRequired[int | None]
    """Pause between two swipes, ms"""


class Swiped(TypedDict):
    """What `swipe` answers."""

    count: int
    """How often."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class GestureArgsPan(TypedDict):
    """Contacts move by a distance and stop before they lift."""

    kind: Literal["pan"]

    origin: Target
    """Where the contact comes down"""

    dx: float
    """Rightwards, px"""

    dy: float
    """Downwards, px"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


GestureDirection: TypeAlias = Literal["up", "down", "left", "right"]
"""Which way a contact moves.

up: Upwards.
down: Downwards.
left: Leftwards.
right: Rightwards.
"""


class GestureArgsFling(TypedDict):
    """A contact moves fast and lifts while it moves."""

    kind: Literal["fling"]

    direction: GestureDirection
    """Which way the contact moves"""

    distance: NotRequired[float | None]
    """How far, px [default: 180]"""

    origin: NotRequired[Target | None]
    """Where the contact comes down"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class GestureArgsPinch(TypedDict):
    """Two contacts move apart or together."""

    kind: Literal["pinch"]

    scale: float
    """More than 1 spreads (zooms in), less than 1 pinches (zooms out)"""

    origin: NotRequired[Target | None]
    """The middle between the contacts"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class GestureArgsRotate(TypedDict):
    """Two contacts turn around each other."""

    kind: Literal["rotate"]

    degrees: float
    """Clockwise, degrees"""

    origin: NotRequired[Target | None]
    """The middle between the contacts"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class GestureArgsTransform(TypedDict):
    """Two contacts move, spread and turn at once."""

    kind: Literal["transform"]

    origin: Target
    """The middle between the contacts"""

    dx: float
    """Rightwards, px"""

    dy: float
    """Downwards, px"""

    scale: float
    """More than 1 spreads, less than 1 pinches"""

    degrees: float
    """Clockwise, degrees"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class GestureArgsDrag(TypedDict):
    """One thing is picked up by a long press and let go over another."""

    kind: Literal["drag"]

    source: Target
    """What to pick up"""

    destination: Target
    """Where to let go"""

    dropHoldMs: NotRequired[int | None]
    """How long a drag rests on its destination before it lets go, ms [default: 0]"""

    durationMs: NotRequired[int | None]
    """How long the movement takes, ms"""

    holdMs: NotRequired[int | None]
    """How long a drag rests on its source, ms [default: 800]"""

    pointerCount: NotRequired[int | None]
    """Contacts of a pan, 1 or 2 [default: 1]"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


GestureArgs: TypeAlias = (
    GestureArgsPan
    | GestureArgsFling
    | GestureArgsPinch
    | GestureArgsRotate
    | GestureArgsTransform
    | GestureArgsDrag
)
"""Pan, fling, pinch, rotate, transform or drag"""


class Point(TypedDict):
    """A point, from the top left corner of the viewport."""

    x: float
    """Rightwards, px."""

    y: float
    """Downwards, px."""


Gestured = TypedDict(
    "Gestured",
    {
        # How many contacts.
        "contacts": "int",
        # How long it took, ms.
        "durationMs": "int",
        # Where the first contact began.
        "from": "Point",
        # Where it ended.
        "to": "Point",
        # What was done, one sentence for people.
        "message": "str",
        # The events that the app was seen to get, in order.
        "events": "NotRequired[list[str]]",
        # Whether the screen changed, with `verify`.
        "evidence": "NotRequired[Evidence]",
        # What happened on the device meanwhile.
        "notices": "NotRequired[list[str]]",
        # A dialog or window that it opened.
        "opened": "NotRequired[str]",
        # The variable that stands in the recorded script for what was typed into a field that hides it.
        "recordedAs": "NotRequired[str]",
        # The row of the golden table where the reply was lost and the device's own journal says that it was done,
        # once.
        "resolvedRow": "NotRequired[str]",
        # How the screen came to rest, with `settle`.
        "settle": "NotRequired[Settled]",
        # What the caller should know.
        "warnings": "NotRequired[list[str]]",
    },
)
"""What `gesture` answers."""


GetFormat: TypeAlias = Literal["text", "attrs"]
"""What `get` reads.

text: The element's text, nothing else.
attrs: Everything known of the element, as JSON.
"""


class GetArgs(TypedDict):
    """Read the text or the attributes of an element"""

    format: GetFormat
    """What to read"""

    target: Target
    """Of what"""


class Text(TypedDict):
    """The text of an element."""

    text: str
    """Its text."""

    element: str
    """Which it is: `[button] "Save"`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class Attributes(TypedDict):
    """Everything known of an element."""

    index: int
    """Place in the listing, from 0."""

    role: str
    """Normalised role, equal on every platform: button, link, text-field ..."""

    rect: Rect
    """In viewport coordinates."""

    depth: int
    """Depth in the listing, from 0."""

    enabled: bool
    """Takes input."""

    visibleToUser: bool
    """Part of it can be seen in the viewport."""

    selectorChain: str
    """A selector that finds it again."""

    refsGeneration: int
    """The generation that pinned refs name."""

    attributes: NotRequired[dict[str, Any]]
    """What else the device tells of it; its names are the platform's own."""

    checked: NotRequired[Checked]
    """For what can be checked."""

    coveredBy: NotRequired[str]
    """What covers it, if something does."""

    description: NotRequired[str]
    """The accessible description."""

    editable: NotRequired[bool]
    """Takes text."""

    expanded: NotRequired[bool]
    """For what can be expanded."""

    focused: NotRequired[bool]
    """Has the input focus."""

    hiddenAbove: NotRequired[float]
    """Content hidden above, px, for scroll containers."""

    hiddenBelow: NotRequired[float]
    """Content hidden below, px, for scroll containers."""

    hittable: NotRequired[bool]
    """A press at its point reaches it; absent where nobody tested."""

    href: NotRequired[str]
    """Where a link leads."""

    identifier: NotRequired[str]
    """Test id, resource id or element id."""

    interactive: NotRequired[bool]
    """Takes a press, text or a choice."""

    label: NotRequired[str]
    """The accessible name."""

    level: NotRequired[int]
    """Heading level."""

    moreAbove: NotRequired[bool]
    """There is more above, and nobody can say how much."""

    moreBelow: NotRequired[bool]
    """There is more below, and nobody can say how much."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    parentIndex: NotRequired[int]
    """`index` of the parent."""

    password: NotRequired[bool]
    """Hides what is typed."""

    placeholder: NotRequired[str]
    """Hint shown while the field is empty."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    ref: NotRequired[str]
    """`e5`, without the `@`."""

    scrollable: NotRequired[bool]
    """Its content can be scrolled."""

    selected: NotRequired[bool]
    """Chosen in a list, tab bar ..."""

    type: NotRequired[str]
    """The platform's own name for it, where it differs."""

    value: NotRequired[str]
    """The current value of a field, slider ..."""


Read: TypeAlias = Text | Attributes
"""What `get` answers: `text` or `attrs`."""


Predicate: TypeAlias = Literal[
    "visible",
    "hidden",
    "exists",
    "absent",
    "editable",
    "selected",
    "focused",
    "enabled",
    "disabled",
    "checked",
    "text",
]
"""What can be checked.

visible: Part of it can be seen.
hidden: It exists and cannot be seen, or does not exist.
exists: It is on the screen's tree.
absent: It is not.
editable: It takes text.
selected: It is selected.
focused: It has the focus.
enabled: It takes input.
disabled: It takes no input.
checked: It is checked.
text: Its text equals the value.
"""


class IsArgs(TypedDict):
    """Check something about an element; fails with exit code 1 where it does not hold"""

    predicate: Predicate
    """What to check"""

    target: Target
    """Of what: @ref or selector"""

    value: NotRequired[str | None]
    """The expected text, for `text`"""


Holds = TypedDict(
    "Holds",
    {
        # What was checked.
        "predicate": "Predicate",
        # Always true.
        "pass": "bool",
        # Of what, as it was given.
        "target": "str",
        # What happened on the device meanwhile.
        "notices": "NotRequired[list[str]]",
        # The variable that stands in the recorded script for what was typed into a field that hides it.
        "recordedAs": "NotRequired[str]",
    },
)
"""What `is` answers: it holds. Where it does not, that is the failure `PREDICATE_FAILED`."""


FindAction: TypeAlias = Literal["click", "focus", "exists", "list", "getText", "getAttrs", "wait", "fill", "type"]
"""What `find` does with what it found.

click: Press it.
focus: Give it the focus.
exists: Say whether it is there.
list: List all matches.
getText: Print its text.
getAttrs: Print its attributes.
wait: Wait until it is there.
fill: Fill it.
type: Focus it and type.
"""


Locator: TypeAlias = Literal["any", "text", "label", "value", "role", "id", "selector"]
"""How `find` looks: for part of a text in a field of a node, or for what a selector means.

any: All of them.
text: The text shown.
label: The accessible name.
value: The value.
role: The role.
id: The identifier.
selector: What is looked for is a selector, as `press` takes it.
"""


class FindArgs(TypedDict):
    """Find an element by part of its text or by a selector, and click, read or list it"""

    query: str
    """The text to look for: part of it is enough, letter case does not matter. Or a selector"""

    first: NotRequired[bool]
    """Take the first of several matches"""

    last: NotRequired[bool]
    """Take the last of several matches"""

    waitMs: NotRequired[int | None]
    """How long the action `wait` waits, ms [default: 10000]"""

    action: NotRequired[FindAction]
    """What to do [default: click]"""

    locator: NotRequired[Locator | None]
    """Which field to look in, or selector [default: selector for what reads as one, such as role=button; any for
    other texts]
    """

    value: NotRequired[str | None]
    """The text, for fill and type"""


class FoundAny(TypedDict):
    """Whether something is there."""

    found: bool
    """It is."""

    matches: int
    """How many match."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class FoundList(TypedDict):
    """Everything that matches."""

    matches: list[str]
    """Pinned ref and element: `@e5~s3 [button] "Save"`."""

    refsGeneration: int
    """The generation that the refs name."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class FindFilled(TypedDict):
    """What `fill` answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    characters: int
    """How many characters were filled in."""

    verified: bool
    """The field was read back and holds the text. `false`: it cannot be read."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class FindPressed(TypedDict):
    """What a press, a hover or a focus answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class Waited(TypedDict):
    """What `wait` answers: it came. Where it does not, that is the failure `WAIT_TIMEOUT`."""

    waitedMs: int
    """How long it took, ms."""

    captures: NotRequired[int]
    """Looks made; absent where only time was waited for."""

    kind: NotRequired[str]
    """`duration`, where only time was waited for."""

    nodeCount: NotRequired[int]
    """Nodes of the quiet screen, for `stable`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


Found: TypeAlias = FoundAny | FoundList | FindFilled | FindPressed | Text | Attributes | Waited
"""What `find` answers, by its action."""


class WaitArgsDuration(TypedDict):
    """For a time."""

    kind: Literal["duration"]

    durationMs: int
    """How long, ms"""


class WaitArgsText(TypedDict):
    """Until a text is on the screen."""

    kind: Literal["text"]

    text: str
    """The text, or part of it"""

    timeoutMs: NotRequired[int | None]
    """How long at most, ms [default: 10000]"""


class WaitArgsRef(TypedDict):
    """Until a ref's element is visible."""

    kind: Literal["ref"]

    ref: str
    """The ref"""

    timeoutMs: NotRequired[int | None]
    """How long at most, ms [default: 10000]"""


class WaitArgsSelector(TypedDict):
    """Until a selector matches something visible."""

    kind: Literal["selector"]

    selector: str
    """The selector"""

    timeoutMs: NotRequired[int | None]
    """How long at most, ms [default: 10000]"""


class WaitArgsAbsent(TypedDict):
    """Until a selector matches nothing."""

    kind: Literal["absent"]

    selector: str
    """The selector"""

    timeoutMs: NotRequired[int | None]
    """How long at most, ms [default: 10000]"""


class WaitArgsStable(TypedDict):
    """Until nothing changes any more."""

    kind: Literal["stable"]

    quietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    timeoutMs: NotRequired[int | None]
    """How long at most, ms [default: 10000]"""


WaitArgs: TypeAlias = (
    WaitArgsDuration
    | WaitArgsText
    | WaitArgsRef
    | WaitArgsSelector
    | WaitArgsAbsent
    | WaitArgsStable
)
"""Wait for a time, a text, an element, its absence, or a quiet screen"""


class WaitWaited(TypedDict):
    """What `wait` answers: it came. Where it does not, that is the failure `WAIT_TIMEOUT`."""

    waitedMs: int
    """How long it took, ms."""

    captures: NotRequired[int]
    """Looks made; absent where only time was waited for."""

    kind: NotRequired[str]
    """`duration`, where only time was waited for."""

    nodeCount: NotRequired[int]
    """Nodes of the quiet screen, for `stable`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class BackArgs(TypedDict):
    """Go back: the browser's history, or the app's back button"""

    settle: NotRequired[bool]
    """Wait until the screen is quiet, then show what changed"""

    settleQuietMs: NotRequired[int | None]
    """How long nothing may change, ms [default: 500]"""

    settleTimeoutMs: NotRequired[int | None]
    """How long to wait for that at most, ms [default: 10000]"""


class Acted(TypedDict):
    """What every input answers."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


HomeArgs: TypeAlias = dict[str, Any]
"""Go home: the first address of the session, or the app's first screen"""


AppSwitcherArgs: TypeAlias = dict[str, Any]
"""Show the apps that were used last"""


Turn: TypeAlias = Literal["portrait", "portrait-upside-down", "landscape-left", "landscape-right"]
"""How the screen stands.

portrait: Upright.
portrait-upside-down: On its head.
landscape-left: Turned a quarter to the left: the top of the phone points left.
landscape-right: Turned a quarter to the right.
"""


class OrientationArgs(TypedDict):
    """Turn the screen"""

    orientation: Turn
    """Which way"""


class Turned(TypedDict):
    """What `orientation` answers."""

    orientation: Turn
    """How the screen was asked to stand."""

    confirmed: bool
    """The device was seen to stand so."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class ViewportArgs(TypedDict):
    """Change the size of the viewport"""

    width: int
    """Width, CSS px"""

    height: int
    """Height, CSS px"""


class Resized(TypedDict):
    """What `viewport` answers."""

    width: int
    """Width that was asked for, px."""

    height: int
    """Height that was asked for, px."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


AlertAction: TypeAlias = Literal["get", "accept", "dismiss", "wait"]
"""What to do with a dialog.

get: Read it.
accept: Press its confirming button.
dismiss: Press its cancelling button.
wait: Wait for one.
"""


class AlertArgs(TypedDict):
    """Read or answer the dialog that blocks the page or app"""

    action: AlertAction
    """What to do with it"""

    text: NotRequired[str | None]
    """Text to enter into a prompt before it is accepted"""

    waitMs: NotRequired[int | None]
    """How long `wait` waits for a dialog, ms [default: 10000]"""


class Alerted(TypedDict):
    """What `alert` answers. No dialog: the failure `ALERT_NOT_FOUND`."""

    kind: str
    """`alert`, `confirm`, `prompt`, `beforeunload`, or the platform's kind."""

    text: str
    """What it says."""

    action: NotRequired[str]
    """`accepted` or `dismissed`."""

    buttons: NotRequired[list[str]]
    """Labels of its buttons, where they are known."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    message: NotRequired[str]
    """What was done, one sentence for people."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    waitedMs: NotRequired[int]
    """How long `wait` took, ms."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


KeyboardAction: TypeAlias = Literal["status", "dismiss", "enter"]
"""What to do with the keyboard.

status: Say whether it is shown, and for which kind of text.
dismiss: Hide it.
enter: Press enter.
"""


class KeyboardArgs(TypedDict):
    """Say whether the on-screen keyboard is shown, hide it, or press its enter key"""

    action: KeyboardAction
    """What to do"""


class KeyboardHidden(TypedDict):
    """A keyboard that was hidden."""

    visible: bool
    """It is shown: false."""

    wasVisible: bool
    """It was shown before."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class KeyboardHiddenAlready(TypedDict):
    """A keyboard that was not there."""

    visible: bool
    """It is shown."""

    wasVisible: bool
    """It was shown before: false."""

    inputMethod: NotRequired[str]
    """Whose it is."""

    inputType: NotRequired[str]
    """What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    rect: NotRequired[Rect]
    """Where, px."""


class KeyboardActed(TypedDict):
    """What every input answers."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class KeyboardStatus(TypedDict):
    """How the keyboard stands."""

    visible: bool
    """It is shown."""

    inputMethod: NotRequired[str]
    """Whose it is."""

    inputType: NotRequired[str]
    """What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    rect: NotRequired[Rect]
    """Where, px."""


Keyboard: TypeAlias = KeyboardHidden | KeyboardHiddenAlready | KeyboardActed | KeyboardStatus
"""What `keyboard` answers, by its action."""


class ClipboardArgsRead(TypedDict):
    """What is on it."""

    action: Literal["read"]


class ClipboardArgsWrite(TypedDict):
    """Puts a text on it."""

    action: Literal["write"]

    text: str
    """The text"""


ClipboardArgs: TypeAlias = ClipboardArgsRead | ClipboardArgsWrite
"""Read the device's clipboard, or put a text on it"""


class ClipboardActed(TypedDict):
    """What every input answers."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class ClipboardText(TypedDict):
    """What is on the clipboard."""

    text: str
    """The text."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


Clipboard: TypeAlias = ClipboardActed | ClipboardText
"""What `clipboard` answers: `read` or `write`."""


class SettingsArgsWifi(TypedDict):
    """Wireless network."""

    setting: Literal["wifi"]

    on: bool
    """On or off"""


class SettingsArgsAirplane(TypedDict):
    """All radios off."""

    setting: Literal["airplane"]

    on: bool
    """On or off"""


class SettingsArgsLocation(TypedDict):
    """Location services."""

    setting: Literal["location"]

    on: bool
    """On or off"""


class SettingsArgsLocationSet(TypedDict):
    """Where the device believes to be."""

    setting: Literal["location-set"]

    latitude: float
    """Latitude, degrees north"""

    longitude: float
    """Longitude, degrees east"""


class SettingsArgsAnimations(TypedDict):
    """The system's animations."""

    setting: Literal["animations"]

    on: bool
    """On or off"""


Appearance: TypeAlias = Literal["light", "dark", "toggle"]
"""How the system's surfaces are drawn.

light: Dark on light.
dark: Light on dark.
toggle: The other one.
"""


class SettingsArgsAppearance(TypedDict):
    """Light or dark."""

    setting: Literal["appearance"]

    appearance: Appearance
    """Which"""


Grant: TypeAlias = Literal["grant", "deny", "reset"]
"""What becomes of a permission.

grant: Given.
deny: Refused.
reset: The app has to ask again.
"""


class SettingsArgsPermission(TypedDict):
    """What the app is allowed to do."""

    setting: Literal["permission"]

    grant: Grant
    """Give, refuse, or ask again"""

    permission: str
    """`camera`, `location`, ..., or the platform's own name of one"""


class SettingsArgsClearAppState(TypedDict):
    """Everything that the app has stored is removed."""

    setting: Literal["clear-app-state"]

    app: NotRequired[str | None]
    """The app; the session's own where nothing is said"""


SettingsArgs: TypeAlias = (
    SettingsArgsWifi
    | SettingsArgsAirplane
    | SettingsArgsLocation
    | SettingsArgsLocationSet
    | SettingsArgsAnimations
    | SettingsArgsAppearance
    | SettingsArgsPermission
    | SettingsArgsClearAppState
)
"""Change a setting of the device, or what the app is allowed to do"""


class SettingChangedWifi(TypedDict):
    """Wireless network."""

    setting: Literal["wifi"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedAirplane(TypedDict):
    """All radios off."""

    setting: Literal["airplane"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedLocation(TypedDict):
    """Location services."""

    setting: Literal["location"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedLocationSet(TypedDict):
    """Where the device believes to be."""

    setting: Literal["location-set"]

    latitude: float
    """Latitude, degrees north"""

    longitude: float
    """Longitude, degrees east"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedAnimations(TypedDict):
    """The system's animations."""

    setting: Literal["animations"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedAppearance(TypedDict):
    """Light or dark."""

    setting: Literal["appearance"]

    appearance: Appearance
    """Which"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedPermission(TypedDict):
    """What the app is allowed to do."""

    setting: Literal["permission"]

    grant: Grant
    """Give, refuse, or ask again"""

    permission: str
    """`camera`, `location`, ..., or the platform's own name of one"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class SettingChangedClearAppState(TypedDict):
    """Everything that the app has stored is removed."""

    setting: Literal["clear-app-state"]

    message: str
    """What was done, one sentence for people."""

    app: NotRequired[str]
    """The app; the session's own where nothing is said"""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


SettingChanged: TypeAlias = (
    SettingChangedWifi
    | SettingChangedAirplane
    | SettingChangedLocation
    | SettingChangedLocationSet
    | SettingChangedAnimations
    | SettingChangedAppearance
    | SettingChangedPermission
    | SettingChangedClearAppState
)
"""What `settings` answers."""


AppstateArgs: TypeAlias = dict[str, Any]
"""Say which app is in front"""


class InFront(TypedDict):
    """What `appstate` answers."""

    app: str
    """Its id."""

    above: NotRequired[list[str]]
    """The windows that lie over it and take input: a system dialog, a permission question."""

    activity: NotRequired[str]
    """The part of it that is shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class LogsArgsShow(TypedDict):
    """The newest lines of the app."""

    action: Literal["show"]

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


class LogsArgsStart(TypedDict):
    """Keeps everything from here on in the session's file."""

    action: Literal["start"]

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


class LogsArgsStop(TypedDict):
    """Ends that."""

    action: Literal["stop"]

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


class LogsArgsPath(TypedDict):
    """The file's place."""

    action: Literal["path"]

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


class LogsArgsClear(TypedDict):
    """Empties the file."""

    action: Literal["clear"]

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


class LogsArgsMark(TypedDict):
    """Writes a line of one's own into the file, to find a place again."""

    action: Literal["mark"]

    message: NotRequired[str]
    """The line"""

    lines: NotRequired[int | None]
    """Lines to show, the newest [default: 200]"""


LogsArgs: TypeAlias = LogsArgsShow | LogsArgsStart | LogsArgsStop | LogsArgsPath | LogsArgsClear | LogsArgsMark
"""Show or keep what the app writes to the device's log"""


class LogLines(TypedDict):
    """The newest lines."""

    lines: list[str]
    """Oldest first."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class LogFile(TypedDict):
    """The file that the log is kept in."""

    path: str
    """Where."""

    active: NotRequired[bool]
    """The log is being kept: after `start` and `stop`."""

    exists: NotRequired[bool]
    """The file is there: for `path`."""

    mark: NotRequired[str]
    """What was written: for `mark`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    wasActive: NotRequired[bool]
    """It was being kept: after `stop`."""


Logs: TypeAlias = LogLines | LogFile
"""What `logs` answers, by its action."""


PerfArea: TypeAlias = Literal["frames", "memory"]
"""What to measure.

frames: Frames drawn since the app was opened, and how many came late.
memory: Memory of the app's processes.
"""


class PerfArgs(TypedDict):
    """Measure the app: how smoothly it draws, how much memory it takes"""

    area: PerfArea
    """What to measure"""

    reset: NotRequired[bool]
    """Start counting anew afterwards"""


class FramesOf(TypedDict):
    """How an app of a device draws."""

    app: str
    """The app."""

    reset: bool
    """The counters began anew afterwards."""

    pid: int
    """Its process."""

    totalFrames: int
    """Frames drawn since the counters began."""

    jankyFrames: int
    """Those that came late."""

    jankyPercent: float
    """Their share, percent."""

    fpsFrames: int
    """From how many frames that is."""

    fps: NotRequired[float]
    """Frames per second while something moved, of the newest ones (up to 120 per window). Nothing where nothing
    moved.
    """

    highInputLatency: NotRequired[int]
    """Frames whose input waited long."""

    missedVsync: NotRequired[int]
    """Frames that missed a vertical sync."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    p50Ms: NotRequired[int]
    """Half of all frames took at most this long, ms. Not told before Android 7."""

    p90Ms: NotRequired[int]
    """90 % of them, ms."""

    p95Ms: NotRequired[int]
    """95 %, ms."""

    p99Ms: NotRequired[int]
    """99 %, ms."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    slowDrawCommands: NotRequired[int]
    """Frames held up by drawing commands."""

    slowUiThread: NotRequired[int]
    """Frames held up by the app's own thread."""


class ProcessMemory(TypedDict):
    """One process."""

    pid: int
    """Its number."""

    name: str
    """Its name."""

    pssKb: int
    """Its share of `totalPssKb`."""


class MemoryArea(TypedDict):
    """One area."""

    name: str
    """`Native Heap`, `Dalvik Heap`, `.dex mmap`, ..."""

    pssKb: int
    """Memory in use, KiB."""


class MemoryOf(TypedDict):
    """What an app takes."""

    app: str
    """The app."""

    processes: list[ProcessMemory]
    """Its processes."""

    totalPssKb: int
    """Memory in use, what is shared counted by its share."""

    topConsumers: list[MemoryArea]
    """The areas that take the most of it."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    totalRssKb: NotRequired[int]
    """Memory in use, what is shared counted whole. Told since Android 11."""


Measured: TypeAlias = FramesOf | MemoryOf
"""What `perf` answers: `frames` or `memory`."""


FilmQuality: TypeAlias = Literal["medium", "high"]
"""How good a film is.

medium: 8 Mbit/s.
high: 20 Mbit/s.
"""


class RecordArgsStart(TypedDict):
    """Begin."""

    action: Literal["start"]

    path: NotRequired[str | None]
    """The file for the film; the command line names one where nothing is said"""

    quality: NotRequired[FilmQuality | None]
    """How good the film is [default: medium]"""


class RecordArgsStop(TypedDict):
    """End, and fetch the film."""

    action: Literal["stop"]

    quality: NotRequired[FilmQuality | None]
    """How good the film is [default: medium]"""


RecordArgs: TypeAlias = RecordArgsStart | RecordArgsStop
"""Film the screen"""


class FilmStarted(TypedDict):
    """A film that was begun."""

    path: str
    """The file that it will be."""

    recording: bool
    """Always true."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class Film(TypedDict):
    """A film."""

    paths: list[str]
    """Its files in order: a device may end a file at its own limit and begin another."""

    format: str
    """`mp4`."""

    durationMs: int
    """How long it was filmed, ms."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


Filmed: TypeAlias = FilmStarted | Film
"""What `record` answers: `start` or `stop`."""


class UploadArgs(TypedDict):
    """Choose files for a file field"""

    target: Target
    """The file field"""

    files: list[str]
    """The files, absolute paths"""


class Uploaded(TypedDict):
    """What `upload` answers."""

    files: list[str]
    """The files, by their paths."""

    element: str
    """The field: `[file-field] "Photo"`."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class DownloadsArgs(TypedDict):
    """List what the page saved, and where it is"""

    waitMs: NotRequired[int | None]
    """Wait until at least one file is complete, ms at most"""


class Download(TypedDict):
    """A file that the app saved."""

    path: str
    """Where it is."""

    bytes: int
    """Bytes so far."""

    complete: bool
    """Nothing more is coming."""


class Downloaded(TypedDict):
    """What `downloads` answers."""

    downloads: list[Download]
    """What the app saved in this session."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class WindowsArgs(TypedDict):
    """List the session's tabs and windows, switch to one or close one"""

    close: NotRequired[int | None]
    """Close this one (its number in the list)"""

    switch: NotRequired[int | None]
    """Make this one the active one (its number in the list)"""


class Window(TypedDict):
    """A tab or window."""

    id: str
    """The backend's id of it."""

    title: str
    """Title."""

    address: str
    """Address."""

    active: bool
    """The one that commands go to."""


class Windows(TypedDict):
    """What `windows` answers: how they stand afterwards."""

    windows: list[Window]
    """Numbered from 1 in this order."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class AppsArgs(TypedDict):
    """List the apps on a device"""

    all: NotRequired[bool]
    """Those of the system too"""


class App(TypedDict):
    """An app on a device."""

    id: str
    """What `open` takes."""

    system: bool
    """It came with the system."""

    name: NotRequired[str]
    """Its name for people, where the device tells it."""

    version: NotRequired[str]
    """Its version, where the device tells it."""


class Apps(TypedDict):
    """What `apps` answers."""

    device: str
    """The device's id."""

    apps: list[App]
    """By name."""


class InstallArgs(TypedDict):
    """Install an app, or a newer version of it; what it has stored stays"""

    path: str
    """The package: an .apk file"""

    downgrade: NotRequired[bool]
    """Allow an older version than the one that is installed"""

    grantAll: NotRequired[bool]
    """Grant every permission that it asks for"""


class InstalledOn(TypedDict):
    """What `install` and `reinstall` answer."""

    device: str
    """The device's id."""

    app: NotRequired[str]
    """The app's id, where it could be told."""

    warnings: NotRequired[list[str]]
    """For the caller."""


class ReinstallArgs(TypedDict):
    """Remove an app with all that it has stored, and install it"""

    app: str
    """The app's id: com.example.app"""

    path: str
    """The package: an .apk file"""

    grantAll: NotRequired[bool]
    """Grant every permission that it asks for"""


class PushArgs(TypedDict):
    """Copy a file onto the device"""

    path: str
    """The file here"""

    to: str
    """Where to, on the device; a folder takes the file's name"""


class Pushed(TypedDict):
    """What `push` answers."""

    device: str
    """The device's id."""

    to: str
    """The file on the device."""

    bytes: int
    """Its size, bytes."""


PullArgs = TypedDict(
    "PullArgs",
    {
        # The file on the device
        "from": "str",
        # Where to, here [default: its name in this folder]
        "path": "NotRequired[str | None]",
    },
)
"""Copy a file from the device"""


class Pulled(TypedDict):
    """What `pull` answers."""

    device: str
    """The device's id."""

    path: str
    """The file here."""

    bytes: int
    """Its size, bytes."""


class BootArgs(TypedDict):
    """Start an emulator and wait until it is ready"""

    headless: NotRequired[bool]
    """Without a window"""


class Booted(TypedDict):
    """What `boot` answers."""

    device: str
    """The id under which it can be opened."""

    booted: bool
    """Always true."""


ShutdownArgs: TypeAlias = dict[str, Any]
"""Shut an emulator down"""


class ShutDown(TypedDict):
    """What `shutdown` answers."""

    device: str
    """The device's id."""

    shutdown: bool
    """Always true."""


class PairArgs(TypedDict):
    """Pair with a phone over Wi-Fi: by a QR code shown here, or by the address and the code that the phone shows"""

    address: NotRequired[str | None]
    """The address that the phone shows: HOST:PORT"""

    code: NotRequired[str | None]
    """The six digits that the phone shows"""

    list: NotRequired[bool]
    """List the phones that offer themselves on this network"""

    password: NotRequired[str | None]
    """The password in the QR code; the command line makes one up"""

    service: NotRequired[str | None]
    """The name in the QR code; the command line makes one up"""


class Paired(TypedDict):
    """A device that was paired with."""

    paired: bool
    """Always true."""

    connected: bool
    """It can be opened now."""

    address: str
    """Its address, `HOST:PORT`."""

    message: str
    """What was done, for people."""

    device: NotRequired[str]
    """Its id, where it is connected."""


class PairingOffer(TypedDict):
    """A device on the network that offers itself."""

    name: str
    """Its name."""

    type: str
    """The kind of service, as it is announced."""

    address: str
    """`HOST:PORT`."""

    offers: str
    """`pairing`, `connection` or `connection without encryption`."""


class PairingOffers(TypedDict):
    """Devices on the network that offer themselves."""

    services: list[PairingOffer]
    """One per service."""

    message: str
    """The same for people."""


Pairing: TypeAlias = Paired | PairingOffers
"""What `pair` answers."""


class StepCall(TypedDict):
    """A command with its arguments as JSON."""

    command: str
    """The command's name"""

    args: NotRequired[Any]
    """Its arguments"""


Step: TypeAlias = str | StepCall
"""One step: a command line, or a command with its arguments as JSON."""


Steps: TypeAlias = list[Step]
"""The steps of a batch."""


class BatchArgs(TypedDict):
    """Run several commands in one request, and stop at the first that fails"""

    steps: NotRequired[Steps | None]
    """The steps as JSON: [{"command":"press","args":{...}}, ...] or ["press @e5", ...]"""


class BatchDevices(TypedDict):
    """What `devices` answers."""

    devices: list[DeviceView]
    """Every device that is there."""


class BatchedStepDevices(TypedDict):
    """BatchedStepDevices."""

    command: Literal["devices"]

    data: BatchDevices

    step: int
    """Which, from 1."""


class BatchCapabilitiesOf(TypedDict):
    """What `capabilities` answers."""

    devices: list[DeviceCapabilities]
    """One per device."""


class BatchedStepCapabilities(TypedDict):
    """BatchedStepCapabilities."""

    command: Literal["capabilities"]

    data: BatchCapabilitiesOf

    step: int
    """Which, from 1."""


class BatchHealthy(TypedDict):
    """What `doctor` answers: no check failed. Where one does, that is the failure `TOOL_MISSING`."""

    ok: bool
    """Always true."""

    checks: list[Check]
    """Every check."""


class BatchedStepDoctor(TypedDict):
    """BatchedStepDoctor."""

    command: Literal["doctor"]

    data: BatchHealthy

    step: int
    """Which, from 1."""


class BatchOpened(TypedDict):
    """What `open` answers."""

    session: str
    """The session's name."""

    app: str
    """What is open now."""

    device: str
    """The device's id."""

    platform: Platform
    """Where it lives."""

    capabilities: list[Capability]
    """What the device can do."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    message: NotRequired[str]
    """What was done in a session that was open already, one sentence for people."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    script: NotRequired[str]
    """The script that the session's steps are recorded for."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepOpen(TypedDict):
    """BatchedStepOpen."""

    command: Literal["open"]

    data: BatchOpened

    step: int
    """Which, from 1."""


BatchClose: TypeAlias = Closed | ClosedAll
"""What `close` answers."""


class BatchedStepClose(TypedDict):
    """BatchedStepClose."""

    command: Literal["close"]

    data: BatchClose

    step: int
    """Which, from 1."""


BatchSnapshot: TypeAlias = Difference | Screen
"""What `snapshot` answers; with `diff` a `Difference`."""


class BatchedStepSnapshot(TypedDict):
    """BatchedStepSnapshot."""

    command: Literal["snapshot"]

    data: BatchSnapshot

    step: int
    """Which, from 1."""


class BatchedStepDiff(TypedDict):
    """BatchedStepDiff."""

    command: Literal["diff"]

    data: Difference

    step: int
    """Which, from 1."""


class BatchPictured(TypedDict):
    """What `screenshot` answers."""

    path: str
    """The PNG file."""

    width: int
    """Width, pixels of the picture."""

    height: int
    """Height, pixels of the picture."""

    scale: float
    """Pixels of the picture to one px of the viewport."""

    bytes: int
    """Size of the file, bytes."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    refs: NotRequired[int]
    """How many refs are drawn on it, with `overlayRefs`."""

    refsGeneration: NotRequired[int]
    """The generation of those refs."""


class BatchedStepScreenshot(TypedDict):
    """BatchedStepScreenshot."""

    command: Literal["screenshot"]

    data: BatchPictured

    step: int
    """Which, from 1."""


class BatchPressed(TypedDict):
    """What a press, a hover or a focus answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepPress(TypedDict):
    """BatchedStepPress."""

    command: Literal["press"]

    data: BatchPressed

    step: int
    """Which, from 1."""


class BatchedStepLongpress(TypedDict):
    """BatchedStepLongpress."""

    command: Literal["longpress"]

    data: BatchPressed

    step: int
    """Which, from 1."""


class BatchedStepHover(TypedDict):
    """BatchedStepHover."""

    command: Literal["hover"]

    data: BatchPressed

    step: int
    """Which, from 1."""


class BatchedStepFocus(TypedDict):
    """BatchedStepFocus."""

    command: Literal["focus"]

    data: BatchPressed

    step: int
    """Which, from 1."""


class BatchFilled(TypedDict):
    """What `fill` answers."""

    x: float
    """Where it landed, px from the left edge of the viewport."""

    y: float
    """Where it landed, px from the top edge of the viewport."""

    targetKind: TargetKind
    """How the target was given."""

    message: str
    """What was done, one sentence for people."""

    characters: int
    """How many characters were filled in."""

    verified: bool
    """The field was read back and holds the text. `false`: it cannot be read."""

    element: NotRequired[str]
    """The element: `[button] "Save"`. Absent for a bare point."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    labelChanged: NotRequired[LabelChanged]
    """The element of a plain ref is called something else than when it was shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    readiness: NotRequired[Awaited]
    """How long the target was waited for, where more than one look was needed."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    selectorChain: NotRequired[str]
    """A selector that finds the element again."""

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepFill(TypedDict):
    """BatchedStepFill."""

    command: Literal["fill"]

    data: BatchFilled

    step: int
    """Which, from 1."""


class BatchTyped(TypedDict):
    """What `type` answers."""

    characters: int
    """How many characters were typed."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepType(TypedDict):
    """BatchedStepType."""

    command: Literal["type"]

    data: BatchTyped

    step: int
    """Which, from 1."""


class BatchScrolled(TypedDict):
    """What `scroll` answers."""

    direction: ScrollDirection
    """Which way."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    more: NotRequired[bool]
    """There is more in that direction, where the device tells it."""

    movedX: NotRequired[float]
    """By how much, px rightwards, where the device tells it."""

    movedY: NotRequired[float]
    """By how much, px downwards, where the device tells it. 0 and 0: it was at the end already."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepScroll(TypedDict):
    """BatchedStepScroll."""

    command: Literal["scroll"]

    data: BatchScrolled

    step: int
    """Which, from 1."""


class BatchSwiped(TypedDict):
    """What `swipe` answers."""

    count: int
    """How often."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepSwipe(TypedDict):
    """BatchedStepSwipe."""

    command: Literal["swipe"]

    data: BatchSwiped

    step: int
    """Which, from 1."""


BatchGestured = TypedDict(
    "BatchGestured",
    {
        # How many contacts.
        "contacts": "int",
        # How long it took, ms.
        "durationMs": "int",
        # Where the first contact began.
        "from": "Point",
        # Where it ended.
        "to": "Point",
        # What was done, one sentence for people.
        "message": "str",
        # The events that the app was seen to get, in order.
        "events": "NotRequired[list[str]]",
        # Whether the screen changed, with `verify`.
        "evidence": "NotRequired[Evidence]",
        # What happened on the device meanwhile.
        "notices": "NotRequired[list[str]]",
        # A dialog or window that it opened.
        "opened": "NotRequired[str]",
        # The variable that stands in the recorded script for what was typed into a field that hides it.
        "recordedAs": "NotRequired[str]",
        # The row of the golden table where the reply was lost and the device's own journal says that it was done,
        # once.
        "resolvedRow": "NotRequired[str]",
        # How the screen came to rest, with `settle`.
        "settle": "NotRequired[Settled]",
        # What the caller should know.
        "warnings": "NotRequired[list[str]]",
    },
)
"""What `gesture` answers."""


class BatchedStepGesture(TypedDict):
    """BatchedStepGesture."""

    command: Literal["gesture"]

    data: BatchGestured

    step: int
    """Which, from 1."""


BatchRead: TypeAlias = Text | Attributes
"""What `get` answers: `text` or `attrs`."""


class BatchedStepGet(TypedDict):
    """BatchedStepGet."""

    command: Literal["get"]

    data: BatchRead

    step: int
    """Which, from 1."""


BatchHolds = TypedDict(
    "BatchHolds",
    {
        # What was checked.
        "predicate": "Predicate",
        # Always true.
        "pass": "bool",
        # Of what, as it was given.
        "target": "str",
        # What happened on the device meanwhile.
        "notices": "NotRequired[list[str]]",
        # The variable that stands in the recorded script for what was typed into a field that hides it.
        "recordedAs": "NotRequired[str]",
    },
)
"""What `is` answers: it holds. Where it does not, that is the failure `PREDICATE_FAILED`."""


class BatchedStepIs(TypedDict):
    """BatchedStepIs."""

    command: Literal["is"]

    data: BatchHolds

    step: int
    """Which, from 1."""


BatchFound: TypeAlias = FoundAny | FoundList | BatchFilled | BatchPressed | Text | Attributes | Waited
"""What `find` answers, by its action."""


class BatchedStepFind(TypedDict):
    """BatchedStepFind."""

    command: Literal["find"]

    data: BatchFound

    step: int
    """Which, from 1."""


class BatchedStepWait(TypedDict):
    """BatchedStepWait."""

    command: Literal["wait"]

    data: Waited

    step: int
    """Which, from 1."""


class BatchActed(TypedDict):
    """What every input answers."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepBack(TypedDict):
    """BatchedStepBack."""

    command: Literal["back"]

    data: BatchActed

    step: int
    """Which, from 1."""


class BatchedStepHome(TypedDict):
    """BatchedStepHome."""

    command: Literal["home"]

    data: BatchActed

    step: int
    """Which, from 1."""


class BatchedStepAppSwitcher(TypedDict):
    """BatchedStepAppSwitcher."""

    command: Literal["app-switcher"]

    data: BatchActed

    step: int
    """Which, from 1."""


class BatchTurned(TypedDict):
    """What `orientation` answers."""

    orientation: Turn
    """How the screen was asked to stand."""

    confirmed: bool
    """The device was seen to stand so."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepOrientation(TypedDict):
    """BatchedStepOrientation."""

    command: Literal["orientation"]

    data: BatchTurned

    step: int
    """Which, from 1."""


class BatchResized(TypedDict):
    """What `viewport` answers."""

    width: int
    """Width that was asked for, px."""

    height: int
    """Height that was asked for, px."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepViewport(TypedDict):
    """BatchedStepViewport."""

    command: Literal["viewport"]

    data: BatchResized

    step: int
    """Which, from 1."""


class BatchAlerted(TypedDict):
    """What `alert` answers. No dialog: the failure `ALERT_NOT_FOUND`."""

    kind: str
    """`alert`, `confirm`, `prompt`, `beforeunload`, or the platform's kind."""

    text: str
    """What it says."""

    action: NotRequired[str]
    """`accepted` or `dismissed`."""

    buttons: NotRequired[list[str]]
    """Labels of its buttons, where they are known."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    message: NotRequired[str]
    """What was done, one sentence for people."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    waitedMs: NotRequired[int]
    """How long `wait` took, ms."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepAlert(TypedDict):
    """BatchedStepAlert."""

    command: Literal["alert"]

    data: BatchAlerted

    step: int
    """Which, from 1."""


BatchKeyboard: TypeAlias = KeyboardHidden | KeyboardHiddenAlready | BatchActed | KeyboardStatus
"""What `keyboard` answers, by its action."""


class BatchedStepKeyboard(TypedDict):
    """BatchedStepKeyboard."""

    command: Literal["keyboard"]

    data: BatchKeyboard

    step: int
    """Which, from 1."""


BatchClipboard: TypeAlias = BatchActed | ClipboardText
"""What `clipboard` answers: `read` or `write`."""


class BatchedStepClipboard(TypedDict):
    """BatchedStepClipboard."""

    command: Literal["clipboard"]

    data: BatchClipboard

    step: int
    """Which, from 1."""


class BatchSettingChangedWifi(TypedDict):
    """Wireless network."""

    setting: Literal["wifi"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedAirplane(TypedDict):
    """All radios off."""

    setting: Literal["airplane"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedLocation(TypedDict):
    """Location services."""

    setting: Literal["location"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedLocationSet(TypedDict):
    """Where the device believes to be."""

    setting: Literal["location-set"]

    latitude: float
    """Latitude, degrees north"""

    longitude: float
    """Longitude, degrees east"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedAnimations(TypedDict):
    """The system's animations."""

    setting: Literal["animations"]

    on: bool
    """On or off"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedAppearance(TypedDict):
    """Light or dark."""

    setting: Literal["appearance"]

    appearance: Appearance
    """Which"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedPermission(TypedDict):
    """What the app is allowed to do."""

    setting: Literal["permission"]

    grant: Grant
    """Give, refuse, or ask again"""

    permission: str
    """`camera`, `location`, ..., or the platform's own name of one"""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchSettingChangedClearAppState(TypedDict):
    """Everything that the app has stored is removed."""

    setting: Literal["clear-app-state"]

    message: str
    """What was done, one sentence for people."""

    app: NotRequired[str]
    """The app; the session's own where nothing is said"""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


BatchSettingChanged: TypeAlias = (
    BatchSettingChangedWifi
    | BatchSettingChangedAirplane
    | BatchSettingChangedLocation
    | BatchSettingChangedLocationSet
    | BatchSettingChangedAnimations
    | BatchSettingChangedAppearance
    | BatchSettingChangedPermission
    | BatchSettingChangedClearAppState
)
"""What `settings` answers."""


class BatchedStepSettings(TypedDict):
    """BatchedStepSettings."""

    command: Literal["settings"]

    data: BatchSettingChanged

    step: int
    """Which, from 1."""


class BatchInFront(TypedDict):
    """What `appstate` answers."""

    app: str
    """Its id."""

    above: NotRequired[list[str]]
    """The windows that lie over it and take input: a system dialog, a permission question."""

    activity: NotRequired[str]
    """The part of it that is shown."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class BatchedStepAppstate(TypedDict):
    """BatchedStepAppstate."""

    command: Literal["appstate"]

    data: BatchInFront

    step: int
    """Which, from 1."""


BatchLogs: TypeAlias = LogLines | LogFile
"""What `logs` answers, by its action."""


class BatchedStepLogs(TypedDict):
    """BatchedStepLogs."""

    command: Literal["logs"]

    data: BatchLogs

    step: int
    """Which, from 1."""


BatchMeasured: TypeAlias = FramesOf | MemoryOf
"""What `perf` answers: `frames` or `memory`."""


class BatchedStepPerf(TypedDict):
    """BatchedStepPerf."""

    command: Literal["perf"]

    data: BatchMeasured

    step: int
    """Which, from 1."""


BatchFilmed: TypeAlias = FilmStarted | Film
"""What `record` answers: `start` or `stop`."""


class BatchedStepRecord(TypedDict):
    """BatchedStepRecord."""

    command: Literal["record"]

    data: BatchFilmed

    step: int
    """Which, from 1."""


class BatchUploaded(TypedDict):
    """What `upload` answers."""

    files: list[str]
    """The files, by their paths."""

    element: str
    """The field: `[file-field] "Photo"`."""

    message: str
    """What was done, one sentence for people."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    evidence: NotRequired[Evidence]
    """Whether the screen changed, with `verify`."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    settle: NotRequired[Settled]
    """How the screen came to rest, with `settle`."""

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepUpload(TypedDict):
    """BatchedStepUpload."""

    command: Literal["upload"]

    data: BatchUploaded

    step: int
    """Which, from 1."""


class BatchDownloaded(TypedDict):
    """What `downloads` answers."""

    downloads: list[Download]
    """What the app saved in this session."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class BatchedStepDownloads(TypedDict):
    """BatchedStepDownloads."""

    command: Literal["downloads"]

    data: BatchDownloaded

    step: int
    """Which, from 1."""


class BatchWindows(TypedDict):
    """What `windows` answers: how they stand afterwards."""

    windows: list[Window]
    """Numbered from 1 in this order."""

    events: NotRequired[list[str]]
    """The events that the app was seen to get, in order."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    opened: NotRequired[str]
    """A dialog or window that it opened."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    resolvedRow: NotRequired[str]
    """The row of the golden table where the reply was lost and the device's own journal says that it was done,
    once.
    """

    warnings: NotRequired[list[str]]
    """What the caller should know."""


class BatchedStepWindows(TypedDict):
    """BatchedStepWindows."""

    command: Literal["windows"]

    data: BatchWindows

    step: int
    """Which, from 1."""


class BatchApps(TypedDict):
    """What `apps` answers."""

    device: str
    """The device's id."""

    apps: list[App]
    """By name."""


class BatchedStepApps(TypedDict):
    """BatchedStepApps."""

    command: Literal["apps"]

    data: BatchApps

    step: int
    """Which, from 1."""


class BatchInstalledOn(TypedDict):
    """What `install` and `reinstall` answer."""

    device: str
    """The device's id."""

    app: NotRequired[str]
    """The app's id, where it could be told."""

    warnings: NotRequired[list[str]]
    """For the caller."""


class BatchedStepInstall(TypedDict):
    """BatchedStepInstall."""

    command: Literal["install"]

    data: BatchInstalledOn

    step: int
    """Which, from 1."""


class BatchedStepReinstall(TypedDict):
    """BatchedStepReinstall."""

    command: Literal["reinstall"]

    data: BatchInstalledOn

    step: int
    """Which, from 1."""


class BatchPushed(TypedDict):
    """What `push` answers."""

    device: str
    """The device's id."""

    to: str
    """The file on the device."""

    bytes: int
    """Its size, bytes."""


class BatchedStepPush(TypedDict):
    """BatchedStepPush."""

    command: Literal["push"]

    data: BatchPushed

    step: int
    """Which, from 1."""


class BatchPulled(TypedDict):
    """What `pull` answers."""

    device: str
    """The device's id."""

    path: str
    """The file here."""

    bytes: int
    """Its size, bytes."""


class BatchedStepPull(TypedDict):
    """BatchedStepPull."""

    command: Literal["pull"]

    data: BatchPulled

    step: int
    """Which, from 1."""


class BatchBooted(TypedDict):
    """What `boot` answers."""

    device: str
    """The id under which it can be opened."""

    booted: bool
    """Always true."""


class BatchedStepBoot(TypedDict):
    """BatchedStepBoot."""

    command: Literal["boot"]

    data: BatchBooted

    step: int
    """Which, from 1."""


class BatchShutDown(TypedDict):
    """What `shutdown` answers."""

    device: str
    """The device's id."""

    shutdown: bool
    """Always true."""


class BatchedStepShutdown(TypedDict):
    """BatchedStepShutdown."""

    command: Literal["shutdown"]

    data: BatchShutDown

    step: int
    """Which, from 1."""


PollOutcome: TypeAlias = Literal["observed", "rode-out", "stalled"]
"""How a look went.

observed: The screen was seen.
rode-out: The look failed and was ridden out.
stalled: The look did not come back before the budget ran out.
"""


class Poll(TypedDict):
    """One look, for the timeline and for `details.polls`."""

    startedMs: int
    """Start, ms after the call."""

    durationMs: int
    """Duration, ms."""

    outcome: PollOutcome
    """How it went."""


class Event(TypedDict):
    """What happened in a session: one command."""

    version: int
    """Version of the format."""

    number: int
    """Counts up in a session, over rotations: the cursor of `events`."""

    atMs: int
    """ms since 1970-01-01 UTC."""

    requestId: str
    """The request."""

    command: str
    """The command, without what was typed."""

    ok: bool
    """Whether it worked."""

    durationMs: int
    """How long it took, ms."""

    sends: int
    """Mutating sends that returned."""

    message: str
    """The failure's message, or what was done."""

    code: NotRequired[str]
    """The failure's code, and its row."""

    dispatched: NotRequired[str]
    """`no` or `unknown`, for failures."""

    polls: NotRequired[list[Poll]]
    """Every look of every wait."""


class Events(TypedDict):
    """What `events` answers."""

    events: list[Event]
    """Oldest first."""

    cursor: int | None
    """The number of the last one: what to give as `cursor` to go on from here."""


class BatchedStepEvents(TypedDict):
    """BatchedStepEvents."""

    command: Literal["events"]

    data: Events

    step: int
    """Which, from 1."""


BatchedStep: TypeAlias = (
    BatchedStepDevices
    | BatchedStepCapabilities
    | BatchedStepDoctor
    | BatchedStepOpen
    | BatchedStepClose
    | BatchedStepSnapshot
    | BatchedStepDiff
    | BatchedStepScreenshot
    | BatchedStepPress
    | BatchedStepLongpress
    | BatchedStepHover
    | BatchedStepFocus
    | BatchedStepFill
    | BatchedStepType
    | BatchedStepScroll
    | BatchedStepSwipe
    | BatchedStepGesture
    | BatchedStepGet
    | BatchedStepIs
    | BatchedStepFind
    | BatchedStepWait
    | BatchedStepBack
    | BatchedStepHome
    | BatchedStepAppSwitcher
    | BatchedStepOrientation
    | BatchedStepViewport
    | BatchedStepAlert
    | BatchedStepKeyboard
    | BatchedStepClipboard
    | BatchedStepSettings
    | BatchedStepAppstate
    | BatchedStepLogs
    | BatchedStepPerf
    | BatchedStepRecord
    | BatchedStepUpload
    | BatchedStepDownloads
    | BatchedStepWindows
    | BatchedStepApps
    | BatchedStepInstall
    | BatchedStepReinstall
    | BatchedStepPush
    | BatchedStepPull
    | BatchedStepBoot
    | BatchedStepShutdown
    | BatchedStepEvents
)
"""One step of a batch."""


class Batched(TypedDict):
    """What `batch` answers: every step worked. Where one does not, that is its failure, with what the steps before
    answered
    in `details.results`.
    """

    steps: list[BatchedStep]
    """One per step."""

    completed: int
    """How many there were."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


class EventsArgs(TypedDict):
    """Show the session's timeline"""

    cursor: NotRequired[int | None]
    """Go on after this event number (from the last answer)"""

    limit: NotRequired[int | None]
    """How many events at most [default: 50]"""


class EventsEvents(TypedDict):
    """What `events` answers."""

    events: list[Event]
    """Oldest first."""

    cursor: int | None
    """The number of the last one: what to give as `cursor` to go on from here."""


TraceAction: TypeAlias = Literal["start", "stop"]
"""What to do with a trace.

start: Begin one: of what is open, or of what the next open opens.
stop: End it and say where it is.
"""


class TraceArgs(TypedDict):
    """Keep what every command of this session does: pictures and trees before and after, times, failures"""

    action: TraceAction
    """What to do"""

    keep: NotRequired[bool]
    """Leave the folder of the trace where it is, also when the session is closed"""

    out: NotRequired[str | None]
    """The page to make of it, for stop [default: trace-TIME.html in the current folder]"""


class Traced(TypedDict):
    """What `trace` answers."""

    folder: str
    """Where the trace is written."""

    tracing: bool
    """It goes on."""

    bytes: NotRequired[int]
    """Its size, bytes."""

    entries: NotRequired[int]
    """Commands in it: after `stop`, as all that follows."""

    full: NotRequired[bool]
    """It was full before the end: what came then is not in it, or has no pictures."""

    kept: NotRequired[bool]
    """The folder stays when the session is closed."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""


SessionAction: TypeAlias = Literal["list", "state-dir", "save-script"]
"""What `session` shows or does.

list: The open sessions.
state-dir: The folder where state is kept.
save-script: Write the steps recorded so far, and end the recording.
"""


class SessionArgs(TypedDict):
    """List sessions, say where state is kept, or write the recorded steps as a script"""

    action: SessionAction
    """What to show or do"""

    force: NotRequired[bool]
    """Let the script replace a file that is there"""

    path: NotRequired[str | None]
    """Where the script goes, for save-script [default: what `open --save-script` said]"""


class SessionView(TypedDict):
    """An open session."""

    name: str
    """Name: the word after `--session`."""

    platform: Platform
    """Where the device lives."""

    device: str
    """The device's id."""

    app: str
    """What is open."""

    openedMs: int
    """When: ms since 1970-01-01 UTC."""

    usedMs: int
    """Last used: ms since 1970-01-01 UTC."""

    busy: bool
    """A command is running or waiting."""

    workspace: NotRequired[str]
    """The folder it was opened from."""


class SessionList(TypedDict):
    """The open sessions."""

    sessions: list[SessionView]
    """By name."""


class StateDir(TypedDict):
    """The folder where state is kept."""

    stateDir: str
    """The folder."""


class Saved(TypedDict):
    """A script that was written."""

    session: str
    """The session."""

    notices: NotRequired[list[str]]
    """What happened on the device meanwhile."""

    recordedAs: NotRequired[str]
    """The variable that stands in the recorded script for what was typed into a field that hides it."""

    script: NotRequired[str]
    """The file."""

    scriptSteps: NotRequired[int]
    """Steps in it."""

    scriptVariables: NotRequired[list[str]]
    """Variables that must be given when it is replayed."""

    warnings: NotRequired[list[str]]
    """What its reader should know."""


Session: TypeAlias = SessionList | StateDir | Saved
"""What `session` answers, by its action."""


DaemonAction: TypeAlias = Literal["start", "stop", "status"]
"""What to do with the daemon.

start: Make sure that one runs, and say what it is.
stop: Close every session and end.
status: Say what it is, where it listens and since when it runs.
"""


class DaemonArgs(TypedDict):
    """Start the daemon, ask what it is, or stop it, closing every session"""

    action: DaemonAction
    """What to do"""


class Running(TypedDict):
    """A daemon that runs."""

    running: bool
    """Always true."""

    version: str
    """Its version: what a client says in `hello`."""

    pid: int
    """Process id."""

    instance: str
    """Identity of this process: another one cannot answer for what this one was asked."""

    startedMs: int
    """Since when: ms since 1970-01-01 UTC."""

    stateDir: str
    """Where it keeps its state."""

    socket: str
    """The Unix socket where it listens."""

    sessions: int
    """Open sessions."""


class Stopped(TypedDict):
    """A daemon that ends."""

    stopped: bool
    """Always true."""

    sessions: int
    """Sessions that were closed."""


Daemon: TypeAlias = Running | Stopped
"""What `daemon` answers, by its action. The command line says `{"running": false}` where none runs."""


class Welcome(TypedDict):
    """What the daemon says back."""

    version: str
    """Exact version."""

    build: str
    """Identity of the build."""

    instance: str
    """Identity of this daemon process: another one cannot answer for what this one was asked."""

    pid: int
    """Process id."""

    sessions: int
    """Open sessions: a daemon that has some is never replaced."""

    accepted: bool
    """Whether requests will be taken."""


Code: TypeAlias = Literal[
    "INVALID_ARGS",
    "DEVICE_NOT_FOUND",
    "DEVICE_IN_USE",
    "TOOL_MISSING",
    "OPEN_FAILED",
    "UNSUPPORTED_OPERATION",
    "SESSION_NOT_FOUND",
    "SESSION_LOST",
    "AMBIGUOUS_MATCH",
    "ELEMENT_NOT_FOUND",
    "REF_EXPIRED",
    "ELEMENT_OFFSCREEN",
    "ELEMENT_COVERED",
    "ELEMENT_DISABLED",
    "ELEMENT_NOT_EDITABLE",
    "OUTSIDE_VIEWPORT",
    "TEXT_MISMATCH",
    "WAIT_TIMEOUT",
    "PREDICATE_FAILED",
    "CAPTURE_FAILED",
    "ALERT_NOT_FOUND",
    "ALERT_OPEN",
    "TIMEOUT",
    "CANCELLED",
    "VERSION_MISMATCH",
    "DAEMON_UNAVAILABLE",
    "STORAGE_FAILED",
    "UNAUTHORIZED",
    "REPLAY_DIVERGENCE",
    "COMMAND_FAILED",
    "INTERNAL",
]
"""What kind of failure."""


Dispatched: TypeAlias = Literal["no", "unknown"]
"""The answer to "is a resend safe?". There is no `yes`: no backend can prove execution on its failure path.

no: Nothing of the request reached the device, or the command only reads: it may be sent again.
unknown: It may have landed: look first.
"""


class FailureDetails(TypedDict):
    """Facts for programs: `reason`, candidates, both strings of a mismatch, the polls of a wait."""

    dispatched: Dispatched

    dispatchRow: NotRequired[str]
    """The row of the golden table under which it was classified."""

    dispatchedSteps: NotRequired[int]
    """How many sends of this request returned before it failed; only where there are some."""

    reason: NotRequired[str]
    """A finer word than the code, snake_case."""


class Failure(TypedDict):
    """What went wrong, and whether it reached the device."""

    code: Code
    """What kind of failure."""

    message: str
    """What happened and what was being done, one or two sentences."""

    retriable: bool
    """Whether the same request may succeed later without anybody changing anything."""

    details: FailureDetails
    """Facts for programs: `reason`, candidates, both strings of a mismatch, the polls of a wait."""

    hint: NotRequired[str]
    """What to do next."""
