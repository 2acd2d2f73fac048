"""Written by `generate` from contracts/schemas/commands.json: do not change it by hand.

One method for each command, for the blocking client. An argument that is left out is not sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from ._arguments import Form, Target, as_target, filled

if TYPE_CHECKING:
    from .generated import (
        Acted,
        AlertAction,
        Alerted,
        Appearance,
        Apps,
        Attributes,
        Booted,
        Browser,
        Button,
        CapabilitiesOf,
        Clipboard,
        ClipboardText,
        Close,
        Closed,
        ClosedAll,
        Daemon,
        DaemonAction,
        Devices,
        DiffDifference,
        Difference,
        DiffKind,
        Downloaded,
        Filled,
        Film,
        Filmed,
        FilmQuality,
        FilmStarted,
        FindAction,
        Found,
        FoundAny,
        FoundList,
        FramesOf,
        Gestured,
        GestureDirection,
        GetFormat,
        Grant,
        Healthy,
        Holds,
        InFront,
        InstalledOn,
        Keyboard,
        KeyboardAction,
        Locator,
        LogFile,
        LogLines,
        Logs,
        Measured,
        MemoryOf,
        MobileSize,
        Opened,
        Pairing,
        PerfArea,
        Pictured,
        Predicate,
        Pressed,
        Pulled,
        Pushed,
        Read,
        Resized,
        Running,
        Saved,
        Screen,
        ScrollDirection,
        Scrolled,
        Session,
        SessionAction,
        SessionList,
        SettingChanged,
        ShutDown,
        Snapshot,
        StateDir,
        Stopped,
        Swiped,
        SwipePattern,
        Text,
        Turn,
        Turned,
        Typed,
        Uploaded,
        Waited,
        WaitWaited,
        Wanted,
        Windows,
    )


class Commands:
    """Every command as a method."""

    def _call(
        self, command: str, args: Mapping[str, Any], *, readiness_timeout_ms: int | None = None
    ) -> dict[str, Any]:
        raise NotImplementedError

    def devices(self) -> Devices:
        """List the devices that can be opened."""
        args: dict[str, Any] = {}
        return cast("Devices", self._call("devices", args))

    def capabilities(self) -> CapabilitiesOf:
        """Show what a device can do, and what it cannot and why."""
        args: dict[str, Any] = {}
        return cast("CapabilitiesOf", self._call("capabilities", args))

    def doctor(self) -> Healthy:
        """Check this machine: browsers, drivers, folders; the exit code says whether all is well."""
        args: dict[str, Any] = {}
        return cast("Healthy", self._call("doctor", args))

    def open(
        self,
        app: str | None = None,
        *,
        browser: Browser | None = None,
        capabilities: Wanted | None = None,
        driver_url: str | None = None,
        force: bool = False,
        headed: bool = False,
        load_timeout_ms: int | None = None,
        mobile: MobileSize | None = None,
        relaunch: bool = False,
        save_script: str | None = None,
    ) -> Opened:
        """Open an app or a web address, in this session.

        Args:
            app: A web address (http://...), a stage app (demo, ./app.toml), or nothing for the demo app
            browser: Which browser [default: chrome]
            capabilities: Capabilities for the WebDriver server, added to our own: a JSON object, or @FILE with
                one in it
            driver_url: Use this WebDriver server instead of starting one
            force: Let the script replace a file that is there
            headed: Show the browser's window
            load_timeout_ms: How long a page may take to load, ms [default: 30000]
            mobile: Emulate a phone: width x height in CSS px, @ pixel ratio
            relaunch: Start it anew even if it is open
            save_script: Record the steps of this session as a script; `close` writes it [default: NAME-TIME.ad in
                the current folder]
        """
        args: dict[str, Any] = {
            "app": app,
            "browser": browser,
            "capabilities": capabilities,
            "driverUrl": driver_url,
            "force": force,
            "headed": headed,
            "loadTimeoutMs": load_timeout_ms,
            "mobile": mobile,
            "relaunch": relaunch,
            "saveScript": save_script,
        }
        return cast("Opened", self._call("open", args))

    launch = open

    goto = open

    @overload
    def close(self, *, all: Literal[False] = False) -> Closed:
        """Close the app or browser and end the session.

        Args:
            all: End every session of this daemon
        """

    @overload
    def close(self, *, all: Literal[True]) -> ClosedAll:
        """Close the app or browser and end the session.

        Args:
            all: End every session of this daemon
        """

    def close(self, *, all: bool = False) -> Close:
        """Close the app or browser and end the session.

        Args:
            all: End every session of this daemon
        """
        args: dict[str, Any] = {
            "all": all,
        }
        return cast("Close", self._call("close", args))

    @overload
    def snapshot(
        self,
        *,
        depth: int | None = None,
        diff: Literal[False] = False,
        force_full: bool = False,
        interactive_only: bool = False,
        raw: bool = False,
        scope: str | None = None,
    ) -> Screen:
        """Show the screen as text: what is there, and the refs to act on.

        Args:
            depth: Only so many levels
            diff: Show what changed since the last snapshot instead
            force_full: Print the whole snapshot even if nothing changed
            interactive_only: Only what takes input, as a flat list
            raw: Everything the backend reported, one JSON node a line
            scope: Only the part below a text or @ref
        """

    @overload
    def snapshot(
        self,
        *,
        depth: int | None = None,
        diff: Literal[True],
        force_full: bool = False,
        interactive_only: bool = False,
        raw: bool = False,
        scope: str | None = None,
    ) -> Difference:
        """Show the screen as text: what is there, and the refs to act on.

        Args:
            depth: Only so many levels
            diff: Show what changed since the last snapshot instead
            force_full: Print the whole snapshot even if nothing changed
            interactive_only: Only what takes input, as a flat list
            raw: Everything the backend reported, one JSON node a line
            scope: Only the part below a text or @ref
        """

    def snapshot(
        self,
        *,
        depth: int | None = None,
        diff: bool = False,
        force_full: bool = False,
        interactive_only: bool = False,
        raw: bool = False,
        scope: str | None = None,
    ) -> Snapshot:
        """Show the screen as text: what is there, and the refs to act on.

        Args:
            depth: Only so many levels
            diff: Show what changed since the last snapshot instead
            force_full: Print the whole snapshot even if nothing changed
            interactive_only: Only what takes input, as a flat list
            raw: Everything the backend reported, one JSON node a line
            scope: Only the part below a text or @ref
        """
        args: dict[str, Any] = {
            "depth": depth,
            "diff": diff,
            "forceFull": force_full,
            "interactiveOnly": interactive_only,
            "raw": raw,
            "scope": scope,
        }
        return cast("Snapshot", self._call("snapshot", args))

    def diff(
        self,
        kind: DiffKind,
        *,
        depth: int | None = None,
        interactive_only: bool = False,
        raw: bool = False,
        scope: str | None = None,
    ) -> DiffDifference:
        """Show what changed since the last snapshot or diff.

        Args:
            kind: What to compare
            depth: Only so many levels
            interactive_only: Only what takes input, as a flat list
            raw: Everything the backend reported, one JSON node a line
            scope: Only the part below a text or @ref
        """
        args: dict[str, Any] = {
            "kind": kind,
            "depth": depth,
            "interactiveOnly": interactive_only,
            "raw": raw,
            "scope": scope,
        }
        return cast("DiffDifference", self._call("diff", args))

    def screenshot(
        self,
        path: str | None = None,
        *,
        fullscreen: bool = False,
        out: str | None = None,
        overlay_refs: bool = False,
    ) -> Pictured:
        """Save a PNG of the screen.

        Args:
            path: Where to save it [default: a new file in the current folder]
            fullscreen: The whole page, not only what is in view
            out: Where to save it
            overlay_refs: Draw the refs of what takes input over the picture
        """
        args: dict[str, Any] = {
            "path": path,
            "fullscreen": fullscreen,
            "out": out,
            "overlayRefs": overlay_refs,
        }
        return cast("Pictured", self._call("screenshot", args))

    def press(
        self,
        target: Target,
        *,
        button: Button | None = None,
        count: int | None = None,
        double_tap: bool = False,
        hold_ms: int | None = None,
        interval_ms: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
        verify: bool = False,
        readiness_timeout_ms: int | None = None,
    ) -> Pressed:
        """Press an element or a point.

        Args:
            target: What to press
            button: Which button of a mouse
            count: How many presses, one after another [1..=200]
            double_tap: Two presses so close that they count as a double press
            hold_ms: How long the contact stays down, ms
            interval_ms: Pause between two presses of a series, ms
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
            verify: Say whether the screen changed, with evidence
        """
        args: dict[str, Any] = {
            "target": as_target(target),
            "button": button,
            "count": count,
            "doubleTap": double_tap,
            "holdMs": hold_ms,
            "intervalMs": interval_ms,
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
            "verify": verify,
        }
        return cast("Pressed", self._call("press", args, readiness_timeout_ms=readiness_timeout_ms))

    click = press

    tap = press

    def longpress(
        self,
        target: Target,
        *,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
        duration_ms: int | None = None,
        readiness_timeout_ms: int | None = None,
    ) -> Pressed:
        """Press an element or a point and keep it down.

        Args:
            target: What to press
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
            duration_ms: How long, ms [default: 800]
        """
        args: dict[str, Any] = {
            "target": as_target(target),
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
            "durationMs": duration_ms,
        }
        return cast("Pressed", self._call("longpress", args, readiness_timeout_ms=readiness_timeout_ms))

    long_press = longpress

    def hover(
        self,
        target: Target,
        *,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Pressed:
        """Move the pointer over an element or a point.

        Args:
            target: What to point at
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """
        args: dict[str, Any] = {
            "target": as_target(target),
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
        }
        return cast("Pressed", self._call("hover", args))

    def focus(self, target: Target) -> Pressed:
        """Give an element the input focus.

        Args:
            target: What to focus
        """
        args: dict[str, Any] = {
            "target": as_target(target),
        }
        return cast("Pressed", self._call("focus", args))

    def fill(
        self,
        target: Target,
        text: str,
        *,
        delay_ms: int | None = None,
        record_as: str | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
        verify: bool = False,
    ) -> Filled:
        """Replace the content of a field; fails unless the field then holds the text.

        Args:
            target: The field
            text: The text; an empty one clears the field
            delay_ms: Pause after each character, ms
            record_as: The variable that stands for the text in the recorded script, for a text that is nobody's
                to read
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
            verify: Say whether the screen changed, with evidence
        """
        args: dict[str, Any] = {
            "target": as_target(target),
            "text": text,
            "delayMs": delay_ms,
            "recordAs": record_as,
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
            "verify": verify,
        }
        return cast("Filled", self._call("fill", args))

    def type(self, text: str, *, delay_ms: int | None = None, record_as: str | None = None) -> Typed:
        """Type text into whatever has the input focus.

        Args:
            text: The text
            delay_ms: Pause after each character, ms
            record_as: The variable that stands for the text in the recorded script, for a text that is nobody's
                to read
        """
        args: dict[str, Any] = {
            "text": text,
            "delayMs": delay_ms,
            "recordAs": record_as,
        }
        return cast("Typed", self._call("type", args))

    def scroll(
        self,
        direction: ScrollDirection,
        *,
        amount: float | None = None,
        in_: str | None = None,
        pixels: float | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
        until: str | None = None,
    ) -> Scrolled:
        """Scroll the page or the container under the middle of the screen.

        Args:
            direction: Where to: up, down, left, right by a step, or all the way to the top or bottom
            amount: Size of a step as a share of the container, 0.05 to 1 [default: 0.6]
            in_: Scroll the container of this element: @ref or selector
            pixels: Size of a step in px, instead of a share
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
            until: Scroll on until this selector is in view, at most 40 steps
        """
        args: dict[str, Any] = {
            "direction": direction,
            "amount": amount,
            "in": in_,
            "pixels": pixels,
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
            "until": until,
        }
        return cast("Scrolled", self._call("scroll", args))

    def swipe(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        count: int | None = None,
        duration_ms: int | None = None,
        pattern: SwipePattern | None = None,
        pause_ms: int | None = None,
    ) -> Swiped:
        """Drag a contact from one point to another.

        Args:
            x1: Start, px from the left
            y1: Start, px from the top
            x2: End, px from the left
            y2: End, px from the top
            count: How many swipes [1..=200]
            duration_ms: How long the movement takes, ms [default: 100]
            pattern: Whether every second swipe goes back
            pause_ms: Pause between two swipes, ms
        """
        args: dict[str, Any] = {
            "x1": x1,
            "y1": y1,
            "x2": x2,
            "y2": y2,
            "count": count,
            "durationMs": duration_ms,
            "pattern": pattern,
            "pauseMs": pause_ms,
        }
        return cast("Swiped", self._call("swipe", args))

    @overload
    def gesture(
        self,
        kind: Literal["pan"],
        origin: Target,
        dx: float,
        dy: float,
        *,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """Contacts move by a distance and stop before they lift.

        Args:
            origin: Where the contact comes down
            dx: Rightwards, px
            dy: Downwards, px
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    @overload
    def gesture(
        self,
        kind: Literal["fling"],
        direction: GestureDirection,
        *,
        distance: float | None = None,
        origin: Target | None = None,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """A contact moves fast and lifts while it moves.

        Args:
            direction: Which way the contact moves
            distance: How far, px [default: 180]
            origin: Where the contact comes down
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    @overload
    def gesture(
        self,
        kind: Literal["pinch"],
        scale: float,
        *,
        origin: Target | None = None,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """Two contacts move apart or together.

        Args:
            scale: More than 1 spreads (zooms in), less than 1 pinches (zooms out)
            origin: The middle between the contacts
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    @overload
    def gesture(
        self,
        kind: Literal["rotate"],
        degrees: float,
        *,
        origin: Target | None = None,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """Two contacts turn around each other.

        Args:
            degrees: Clockwise, degrees
            origin: The middle between the contacts
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    @overload
    def gesture(
        self,
        kind: Literal["transform"],
        origin: Target,
        dx: float,
        dy: float,
        scale: float,
        degrees: float,
        *,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """Two contacts move, spread and turn at once.

        Args:
            origin: The middle between the contacts
            dx: Rightwards, px
            dy: Downwards, px
            scale: More than 1 spreads, less than 1 pinches
            degrees: Clockwise, degrees
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    @overload
    def gesture(
        self,
        kind: Literal["drag"],
        source: Target,
        destination: Target,
        *,
        drop_hold_ms: int | None = None,
        duration_ms: int | None = None,
        hold_ms: int | None = None,
        pointer_count: int | None = None,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Gestured:
        """One thing is picked up by a long press and let go over another.

        Args:
            source: What to pick up
            destination: Where to let go
            drop_hold_ms: How long a drag rests on its destination before it lets go, ms [default: 0]
            duration_ms: How long the movement takes, ms
            hold_ms: How long a drag rests on its source, ms [default: 800]
            pointer_count: Contacts of a pan, 1 or 2 [default: 1]
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """

    def gesture(self, *values: Any, **named: Any) -> Gestured:
        """Pan, fling, pinch, rotate, transform or drag."""
        forms = {
            "pan": Form(
                "kind origin dx dy",
                "drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
            "fling": Form(
                "kind direction",
                "distance origin drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
            "pinch": Form(
                "kind scale",
                "origin drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
            "rotate": Form(
                "kind degrees",
                "origin drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
            "transform": Form(
                "kind origin dx dy scale degrees",
                "drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
            "drag": Form(
                "kind source destination",
                "drop_hold_ms duration_ms hold_ms pointer_count settle settle_quiet_ms settle_timeout_ms",
            ),
        }
        args = filled("gesture", "kind", forms, values, named, targets=("destination", "origin", "source"))
        return cast("Gestured", self._call("gesture", args))

    @overload
    def get(self, format: Literal["text"], target: Target) -> Text:
        """Read the text or the attributes of an element.

        Args:
            format: What to read
            target: Of what
        """

    @overload
    def get(self, format: Literal["attrs"], target: Target) -> Attributes:
        """Read the text or the attributes of an element.

        Args:
            format: What to read
            target: Of what
        """

    def get(self, format: GetFormat, target: Target) -> Read:
        """Read the text or the attributes of an element.

        Args:
            format: What to read
            target: Of what
        """
        args: dict[str, Any] = {
            "format": format,
            "target": as_target(target),
        }
        return cast("Read", self._call("get", args))

    def is_(self, predicate: Predicate, target: Target, value: str | None = None) -> Holds:
        """Check something about an element; fails with exit code 1 where it does not hold.

        Args:
            predicate: What to check
            target: Of what: @ref or selector
            value: The expected text, for `text`
        """
        args: dict[str, Any] = {
            "predicate": predicate,
            "target": as_target(target),
            "value": value,
        }
        return cast("Holds", self._call("is", args))

    @overload
    def find(
        self,
        query: str,
        action: Literal["click", "focus", "type"] | None = None,
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Pressed:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["fill"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Filled:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["exists"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> FoundAny:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["list"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> FoundList:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["getText"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Text:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["getAttrs"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Attributes:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    @overload
    def find(
        self,
        query: str,
        action: Literal["wait"],
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Waited:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """

    def find(
        self,
        query: str,
        action: FindAction | None = None,
        value: str | None = None,
        *,
        first: bool = False,
        last: bool = False,
        wait_ms: int | None = None,
        locator: Locator | None = None,
    ) -> Found:
        """Find an element by part of its text or by a selector, and click, read or list it.

        Args:
            query: The text to look for: part of it is enough, letter case does not matter. Or a selector
            action: What to do [default: click]
            value: The text, for fill and type
            first: Take the first of several matches
            last: Take the last of several matches
            wait_ms: How long the action `wait` waits, ms [default: 10000]
            locator: Which field to look in, or selector [default: selector for what reads as one, such as
                role=button; any for other texts]
        """
        args: dict[str, Any] = {
            "query": query,
            "action": action,
            "value": value,
            "first": first,
            "last": last,
            "waitMs": wait_ms,
            "locator": locator,
        }
        return cast("Found", self._call("find", args))

    @overload
    def wait(self, kind: Literal["duration"], duration_ms: int) -> WaitWaited:
        """For a time.

        Args:
            duration_ms: How long, ms
        """

    @overload
    def wait(self, kind: Literal["text"], text: str, *, timeout_ms: int | None = None) -> WaitWaited:
        """Until a text is on the screen.

        Args:
            text: The text, or part of it
            timeout_ms: How long at most, ms [default: 10000]
        """

    @overload
    def wait(self, kind: Literal["ref"], ref: str, *, timeout_ms: int | None = None) -> WaitWaited:
        """Until a ref's element is visible.

        Args:
            ref: The ref
            timeout_ms: How long at most, ms [default: 10000]
        """

    @overload
    def wait(self, kind: Literal["selector"], selector: str, *, timeout_ms: int | None = None) -> WaitWaited:
        """Until a selector matches something visible.

        Args:
            selector: The selector
            timeout_ms: How long at most, ms [default: 10000]
        """

    @overload
    def wait(self, kind: Literal["absent"], selector: str, *, timeout_ms: int | None = None) -> WaitWaited:
        """Until a selector matches nothing.

        Args:
            selector: The selector
            timeout_ms: How long at most, ms [default: 10000]
        """

    @overload
    def wait(
        self,
        kind: Literal["stable"],
        *,
        quiet_ms: int | None = None,
        timeout_ms: int | None = None,
    ) -> WaitWaited:
        """Until nothing changes any more.

        Args:
            quiet_ms: How long nothing may change, ms [default: 500]
            timeout_ms: How long at most, ms [default: 10000]
        """

    def wait(self, *values: Any, **named: Any) -> WaitWaited:
        """Wait for a time, a text, an element, its absence, or a quiet screen."""
        forms = {
            "duration": Form("kind duration_ms", ""),
            "text": Form("kind text", "timeout_ms"),
            "ref": Form("kind ref", "timeout_ms"),
            "selector": Form("kind selector", "timeout_ms"),
            "absent": Form("kind selector", "timeout_ms"),
            "stable": Form("kind", "quiet_ms timeout_ms"),
        }
        args = filled("wait", "kind", forms, values, named, targets=())
        return cast("WaitWaited", self._call("wait", args))

    def back(
        self,
        *,
        settle: bool = False,
        settle_quiet_ms: int | None = None,
        settle_timeout_ms: int | None = None,
    ) -> Acted:
        """Go back: the browser's history, or the app's back button.

        Args:
            settle: Wait until the screen is quiet, then show what changed
            settle_quiet_ms: How long nothing may change, ms [default: 500]
            settle_timeout_ms: How long to wait for that at most, ms [default: 10000]
        """
        args: dict[str, Any] = {
            "settle": settle,
            "settleQuietMs": settle_quiet_ms,
            "settleTimeoutMs": settle_timeout_ms,
        }
        return cast("Acted", self._call("back", args))

    def home(self) -> Acted:
        """Go home: the first address of the session, or the app's first screen."""
        args: dict[str, Any] = {}
        return cast("Acted", self._call("home", args))

    def app_switcher(self) -> Acted:
        """Show the apps that were used last."""
        args: dict[str, Any] = {}
        return cast("Acted", self._call("app-switcher", args))

    def orientation(self, orientation: Turn) -> Turned:
        """Turn the screen.

        Args:
            orientation: Which way
        """
        args: dict[str, Any] = {
            "orientation": orientation,
        }
        return cast("Turned", self._call("orientation", args))

    def viewport(self, width: int, height: int) -> Resized:
        """Change the size of the viewport.

        Args:
            width: Width, CSS px
            height: Height, CSS px
        """
        args: dict[str, Any] = {
            "width": width,
            "height": height,
        }
        return cast("Resized", self._call("viewport", args))

    def alert(self, action: AlertAction, text: str | None = None, *, wait_ms: int | None = None) -> Alerted:
        """Read or answer the dialog that blocks the page or app.

        Args:
            action: What to do with it
            text: Text to enter into a prompt before it is accepted
            wait_ms: How long `wait` waits for a dialog, ms [default: 10000]
        """
        args: dict[str, Any] = {
            "action": action,
            "text": text,
            "waitMs": wait_ms,
        }
        return cast("Alerted", self._call("alert", args))

    def keyboard(self, action: KeyboardAction) -> Keyboard:
        """Say whether the on-screen keyboard is shown, hide it, or press its enter key.

        Args:
            action: What to do
        """
        args: dict[str, Any] = {
            "action": action,
        }
        return cast("Keyboard", self._call("keyboard", args))

    @overload
    def clipboard(self, action: Literal["read"]) -> ClipboardText:
        """What is on it."""

    @overload
    def clipboard(self, action: Literal["write"], text: str) -> Acted:
        """Puts a text on it.

        Args:
            text: The text
        """

    def clipboard(self, *values: Any, **named: Any) -> Clipboard:
        """Read the device's clipboard, or put a text on it."""
        forms = {
            "read": Form("action", ""),
            "write": Form("action text", ""),
        }
        args = filled("clipboard", "action", forms, values, named, targets=())
        return cast("Clipboard", self._call("clipboard", args))

    @overload
    def settings(self, setting: Literal["wifi"], on: bool) -> SettingChanged:
        """Wireless network.

        Args:
            on: On or off
        """

    @overload
    def settings(self, setting: Literal["airplane"], on: bool) -> SettingChanged:
        """All radios off.

        Args:
            on: On or off
        """

    @overload
    def settings(self, setting: Literal["location"], on: bool) -> SettingChanged:
        """Location services.

        Args:
            on: On or off
        """

    @overload
    def settings(self, setting: Literal["location-set"], latitude: float, longitude: float) -> SettingChanged:
        """Where the device believes to be.

        Args:
            latitude: Latitude, degrees north
            longitude: Longitude, degrees east
        """

    @overload
    def settings(self, setting: Literal["animations"], on: bool) -> SettingChanged:
        """The system's animations.

        Args:
            on: On or off
        """

    @overload
    def settings(self, setting: Literal["appearance"], appearance: Appearance) -> SettingChanged:
        """Light or dark.

        Args:
            appearance: Which
        """

    @overload
    def settings(self, setting: Literal["permission"], grant: Grant, permission: str) -> SettingChanged:
        """What the app is allowed to do.

        Args:
            grant: Give, refuse, or ask again
            permission: `camera`, `location`, ..., or the platform's own name of one
        """

    @overload
    def settings(self, setting: Literal["clear-app-state"], *, app: str | None = None) -> SettingChanged:
        """Everything that the app has stored is removed.

        Args:
            app: The app; the session's own where nothing is said
        """

    def settings(self, *values: Any, **named: Any) -> SettingChanged:
        """Change a setting of the device, or what the app is allowed to do."""
        forms = {
            "wifi": Form("setting on", ""),
            "airplane": Form("setting on", ""),
            "location": Form("setting on", ""),
            "location-set": Form("setting latitude longitude", ""),
            "animations": Form("setting on", ""),
            "appearance": Form("setting appearance", ""),
            "permission": Form("setting grant permission", ""),
            "clear-app-state": Form("setting", "app"),
        }
        args = filled("settings", "setting", forms, values, named, targets=())
        return cast("SettingChanged", self._call("settings", args))

    def appstate(self) -> InFront:
        """Say which app is in front."""
        args: dict[str, Any] = {}
        return cast("InFront", self._call("appstate", args))

    @overload
    def logs(self, action: Literal["show"], *, lines: int | None = None) -> LogLines:
        """The newest lines of the app.

        Args:
            lines: Lines to show, the newest [default: 200]
        """

    @overload
    def logs(self, action: Literal["start"], *, lines: int | None = None) -> LogFile:
        """Keeps everything from here on in the session's file.

        Args:
            lines: Lines to show, the newest [default: 200]
        """

    @overload
    def logs(self, action: Literal["stop"], *, lines: int | None = None) -> LogFile:
        """Ends that.

        Args:
            lines: Lines to show, the newest [default: 200]
        """

    @overload
    def logs(self, action: Literal["path"], *, lines: int | None = None) -> LogFile:
        """The file's place.

        Args:
            lines: Lines to show, the newest [default: 200]
        """

    @overload
    def logs(self, action: Literal["clear"], *, lines: int | None = None) -> LogFile:
        """Empties the file.

        Args:
            lines: Lines to show, the newest [default: 200]
        """

    @overload
    def logs(self, action: Literal["mark"], message: str | None = None, *, lines: int | None = None) -> LogFile:
        """Writes a line of one's own into the file, to find a place again.

        Args:
            message: The line
            lines: Lines to show, the newest [default: 200]
        """

    def logs(self, *values: Any, **named: Any) -> Logs:
        """Show or keep what the app writes to the device's log."""
        forms = {
            "show": Form("action", "lines"),
            "start": Form("action", "lines"),
            "stop": Form("action", "lines"),
            "path": Form("action", "lines"),
            "clear": Form("action", "lines"),
            "mark": Form("action message", "lines"),
        }
        args = filled("logs", "action", forms, values, named, targets=())
        return cast("Logs", self._call("logs", args))

    @overload
    def perf(self, area: Literal["frames"], *, reset: bool = False) -> FramesOf:
        """Measure the app: how smoothly it draws, how much memory it takes.

        Args:
            area: What to measure
            reset: Start counting anew afterwards
        """

    @overload
    def perf(self, area: Literal["memory"], *, reset: bool = False) -> MemoryOf:
        """Measure the app: how smoothly it draws, how much memory it takes.

        Args:
            area: What to measure
            reset: Start counting anew afterwards
        """

    def perf(self, area: PerfArea, *, reset: bool = False) -> Measured:
        """Measure the app: how smoothly it draws, how much memory it takes.

        Args:
            area: What to measure
            reset: Start counting anew afterwards
        """
        args: dict[str, Any] = {
            "area": area,
            "reset": reset,
        }
        return cast("Measured", self._call("perf", args))

    @overload
    def record(
        self,
        action: Literal["start"],
        path: str | None = None,
        *,
        quality: FilmQuality | None = None,
    ) -> FilmStarted:
        """Begin.

        Args:
            path: The file for the film; the command line names one where nothing is said
            quality: How good the film is [default: medium]
        """

    @overload
    def record(self, action: Literal["stop"], *, quality: FilmQuality | None = None) -> Film:
        """End, and fetch the film.

        Args:
            quality: How good the film is [default: medium]
        """

    def record(self, *values: Any, **named: Any) -> Filmed:
        """Film the screen."""
        forms = {
            "start": Form("action path", "quality"),
            "stop": Form("action", "quality"),
        }
        args = filled("record", "action", forms, values, named, targets=())
        return cast("Filmed", self._call("record", args))

    def upload(self, target: Target, files: list[str]) -> Uploaded:
        """Choose files for a file field.

        Args:
            target: The file field
            files: The files, absolute paths
        """
        args: dict[str, Any] = {
            "target": as_target(target),
            "files": files,
        }
        return cast("Uploaded", self._call("upload", args))

    def downloads(self, *, wait_ms: int | None = None) -> Downloaded:
        """List what the page saved, and where it is.

        Args:
            wait_ms: Wait until at least one file is complete, ms at most
        """
        args: dict[str, Any] = {
            "waitMs": wait_ms,
        }
        return cast("Downloaded", self._call("downloads", args))

    def windows(self, *, close: int | None = None, switch: int | None = None) -> Windows:
        """List the session's tabs and windows, switch to one or close one.

        Args:
            close: Close this one (its number in the list)
            switch: Make this one the active one (its number in the list)
        """
        args: dict[str, Any] = {
            "close": close,
            "switch": switch,
        }
        return cast("Windows", self._call("windows", args))

    def apps(self, *, all: bool = False) -> Apps:
        """List the apps on a device.

        Args:
            all: Those of the system too
        """
        args: dict[str, Any] = {
            "all": all,
        }
        return cast("Apps", self._call("apps", args))

    def install(self, path: str, *, downgrade: bool = False, grant_all: bool = False) -> InstalledOn:
        """Install an app, or a newer version of it; what it has stored stays.

        Args:
            path: The package: an .apk file
            downgrade: Allow an older version than the one that is installed
            grant_all: Grant every permission that it asks for
        """
        args: dict[str, Any] = {
            "path": path,
            "downgrade": downgrade,
            "grantAll": grant_all,
        }
        return cast("InstalledOn", self._call("install", args))

    def reinstall(self, app: str, path: str, *, grant_all: bool = False) -> InstalledOn:
        """Remove an app with all that it has stored, and install it.

        Args:
            app: The app's id: com.example.app
            path: The package: an .apk file
            grant_all: Grant every permission that it asks for
        """
        args: dict[str, Any] = {
            "app": app,
            "path": path,
            "grantAll": grant_all,
        }
        return cast("InstalledOn", self._call("reinstall", args))

    def push(self, path: str, to: str) -> Pushed:
        """Copy a file onto the device.

        Args:
            path: The file here
            to: Where to, on the device; a folder takes the file's name
        """
        args: dict[str, Any] = {
            "path": path,
            "to": to,
        }
        return cast("Pushed", self._call("push", args))

    def pull(self, from_: str, path: str | None = None) -> Pulled:
        """Copy a file from the device.

        Args:
            from_: The file on the device
            path: Where to, here [default: its name in this folder]
        """
        args: dict[str, Any] = {
            "from": from_,
            "path": path,
        }
        return cast("Pulled", self._call("pull", args))

    def boot(self, *, headless: bool = False) -> Booted:
        """Start an emulator and wait until it is ready.

        Args:
            headless: Without a window
        """
        args: dict[str, Any] = {
            "headless": headless,
        }
        return cast("Booted", self._call("boot", args))

    def shutdown(self) -> ShutDown:
        """Shut an emulator down."""
        args: dict[str, Any] = {}
        return cast("ShutDown", self._call("shutdown", args))

    def pair(
        self,
        *,
        address: str | None = None,
        code: str | None = None,
        list: bool = False,
        password: str | None = None,
        service: str | None = None,
    ) -> Pairing:
        """Pair with a phone over Wi-Fi: by a QR code shown here, or by the address and the code that the phone
        shows.

        Args:
            address: The address that the phone shows: HOST:PORT
            code: The six digits that the phone shows
            list: List the phones that offer themselves on this network
            password: The password in the QR code; the command line makes one up
            service: The name in the QR code; the command line makes one up
        """
        args: dict[str, Any] = {
            "address": address,
            "code": code,
            "list": list,
            "password": password,
            "service": service,
        }
        return cast("Pairing", self._call("pair", args))

    @overload
    def session(self, action: Literal["list"], path: str | None = None, *, force: bool = False) -> SessionList:
        """List sessions, say where state is kept, or write the recorded steps as a script.

        Args:
            action: What to show or do
            path: Where the script goes, for save-script [default: what `open --save-script` said]
            force: Let the script replace a file that is there
        """

    @overload
    def session(self, action: Literal["state-dir"], path: str | None = None, *, force: bool = False) -> StateDir:
        """List sessions, say where state is kept, or write the recorded steps as a script.

        Args:
            action: What to show or do
            path: Where the script goes, for save-script [default: what `open --save-script` said]
            force: Let the script replace a file that is there
        """

    @overload
    def session(self, action: Literal["save-script"], path: str | None = None, *, force: bool = False) -> Saved:
        """List sessions, say where state is kept, or write the recorded steps as a script.

        Args:
            action: What to show or do
            path: Where the script goes, for save-script [default: what `open --save-script` said]
            force: Let the script replace a file that is there
        """

    def session(self, action: SessionAction, path: str | None = None, *, force: bool = False) -> Session:
        """List sessions, say where state is kept, or write the recorded steps as a script.

        Args:
            action: What to show or do
            path: Where the script goes, for save-script [default: what `open --save-script` said]
            force: Let the script replace a file that is there
        """
        args: dict[str, Any] = {
            "action": action,
            "path": path,
            "force": force,
        }
        return cast("Session", self._call("session", args))

    @overload
    def daemon(self, action: Literal["start", "status"]) -> Running:
        """Start the daemon, ask what it is, or stop it, closing every session.

        Args:
            action: What to do
        """

    @overload
    def daemon(self, action: Literal["stop"]) -> Stopped:
        """Start the daemon, ask what it is, or stop it, closing every session.

        Args:
            action: What to do
        """

    def daemon(self, action: DaemonAction) -> Daemon:
        """Start the daemon, ask what it is, or stop it, closing every session.

        Args:
            action: What to do
        """
        args: dict[str, Any] = {
            "action": action,
        }
        return cast("Daemon", self._call("daemon", args))
