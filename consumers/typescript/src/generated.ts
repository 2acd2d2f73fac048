// Written by generate/generate.mjs from contracts/schemas/commands.json. Change the contract, not this file.

/** The version of the program that these types describe; the daemon must be of the same. */
export const VERSION = "0.1.0";

/** The closed list of error codes. */
export type ErrorCode =
  /** The request itself is wrong: unknown command or flag, malformed selector, impossible combination. */
  | "INVALID_ARGS"
  /** No such device on any backend. */
  | "DEVICE_NOT_FOUND"
  /** Another session holds the device. */
  | "DEVICE_IN_USE"
  /** A program that is needed is not installed or does not start. */
  | "TOOL_MISSING"
  /** The app or page could not be opened. */
  | "OPEN_FAILED"
  /** The backend cannot do this operation. */
  | "UNSUPPORTED_OPERATION"
  /** No session of that name, or nothing opened in it yet. */
  | "SESSION_NOT_FOUND"
  /** The session's app or browser is gone. */
  | "SESSION_LOST"
  /** Several elements match where one is meant. */
  | "AMBIGUOUS_MATCH"
  /** Nothing on the screen matches. */
  | "ELEMENT_NOT_FOUND"
  /** A ref whose element has left the screen since it was shown. */
  | "REF_EXPIRED"
  /** The target lies outside the viewport and could not be brought into it. */
  | "ELEMENT_OFFSCREEN"
  /** Something lies over the target. */
  | "ELEMENT_COVERED"
  /** The target is disabled. */
  | "ELEMENT_DISABLED"
  /** The target takes no text. */
  | "ELEMENT_NOT_EDITABLE"
  /** A point outside the viewport, or a gesture that leaves it. */
  | "OUTSIDE_VIEWPORT"
  /** The field holds something else than what was filled in. */
  | "TEXT_MISMATCH"
  /** A wait ended without what it waited for. */
  | "WAIT_TIMEOUT"
  /** A predicate asked for with `is` does not hold. */
  | "PREDICATE_FAILED"
  /** The screen could not be read, or came back without content. */
  | "CAPTURE_FAILED"
  /** No dialog is open where one was to be answered. */
  | "ALERT_NOT_FOUND"
  /** A dialog blocks the page. */
  | "ALERT_OPEN"
  /** The operation's own time limit passed. */
  | "TIMEOUT"
  /** The caller went away or asked to stop. */
  | "CANCELLED"
  /** Client and daemon are of different builds. */
  | "VERSION_MISMATCH"
  /** The daemon could not be started or reached. */
  | "DAEMON_UNAVAILABLE"
  /** The state directory or an output file could not be read or written. */
  | "STORAGE_FAILED"
  /** The peer process does not let this user in. */
  | "UNAUTHORIZED"
  /** A step of a script or flow did not do what it did when it was written. */
  | "REPLAY_DIVERGENCE"
  /** An operation failed in a way that has no code of its own. */
  | "COMMAND_FAILED"
  /** A fault of agent-device itself. */
  | "INTERNAL";

/** A request of a consumer to the daemon. */
export interface Request {
  /** Its arguments, an object. */
  args?: unknown | undefined;
  /** The command's name, not looked at yet: a wrong one still gets a typed answer. */
  command: string;
  /** Which device, if the caller said so. */
  device?: string | undefined;
  /**
   * What the command's targets were when it was recorded, in the order of its arguments: a target that is something else
   * now is not acted on. Set by replay.
   */
  expect?: Expected[] | undefined;
  /** Which platform, if the caller said so. */
  platform?: Platform | undefined;
  /** How long a press may wait while its target is absent, ms; set by replay and the client libraries only. */
  readinessTimeoutMs?: number | undefined;
  /** Whether the answer should bring the text for people. */
  render?: Render | undefined;
  /** Chosen by the client, unique. Asking again with the same id answers with the retained result. */
  requestId: string;
  /** The session's name; where absent, the one implied by `workspace`. */
  session?: string | undefined;
  /** The whole request's limit, ms. */
  timeoutMs?: number | undefined;
  /** The caller's worktree or folder: names the implied session. */
  workspace?: string | undefined;
}

/** What a target was. What is left out is not judged. How it is judged: `screen::recorded`. */
export interface Expected {
  /** Its selector meant several then, so what it lay in is part of what it was. */
  ambiguous?: boolean | undefined;
  /** Its identifier. */
  id?: string | undefined;
  /** Its accessible name. */
  label?: string | undefined;
  /** Its role. */
  role?: string | undefined;
  /** Names of what it lay in, the nearest first; what had no name is left out. */
  within?: string[] | undefined;
}

/** Where a device lives. The name after `--platform`. */
export type Platform =
  /** The embedded simulated device: an app in one TOML file. */
  | "stage"
  /** A browser, through W3C WebDriver. */
  | "web"
  /** An Android phone or emulator, through adb. */
  | "android";

/** What the answer holds. */
export type Render =
  /** Data for programs. */
  | "json"
  /** `text` for people; bulky data is left out. */
  | "text";

/** What a command answers. */
export interface Answer {
  /** For programs; an object. */
  data: unknown;
  /** For people, if asked for. */
  text?: string;
}

/** What went wrong, and whether it reached the device. */
export interface Failure {
  /** What kind of failure. */
  code: Code;
  /** Facts for programs: `reason`, candidates, both strings of a mismatch, the polls of a wait. */
  details: {
    /** The row of the golden table under which it was classified. */
    dispatchRow?: string;
    dispatched: Dispatched;
    /** How many sends of this request returned before it failed; only where there are some. */
    dispatchedSteps?: number;
    /** A finer word than the code, snake_case. */
    reason?: string;
  };
  /** What to do next. */
  hint?: string;
  /** What happened and what was being done, one or two sentences. */
  message: string;
  /** Whether the same request may succeed later without anybody changing anything. */
  retriable: boolean;
}

/** What kind of failure. */
export type Code = "INVALID_ARGS" | "DEVICE_NOT_FOUND" | "DEVICE_IN_USE" | "TOOL_MISSING" | "OPEN_FAILED" | "UNSUPPORTED_OPERATION" | "SESSION_NOT_FOUND" | "SESSION_LOST" | "AMBIGUOUS_MATCH" | "ELEMENT_NOT_FOUND" | "REF_EXPIRED" | "ELEMENT_OFFSCREEN" | "ELEMENT_COVERED" | "ELEMENT_DISABLED" | "ELEMENT_NOT_EDITABLE" | "OUTSIDE_VIEWPORT" | "TEXT_MISMATCH" | "WAIT_TIMEOUT" | "PREDICATE_FAILED" | "CAPTURE_FAILED" | "ALERT_NOT_FOUND" | "ALERT_OPEN" | "TIMEOUT" | "CANCELLED" | "VERSION_MISMATCH" | "DAEMON_UNAVAILABLE" | "STORAGE_FAILED" | "UNAUTHORIZED" | "REPLAY_DIVERGENCE" | "COMMAND_FAILED" | "INTERNAL";

/** The answer to "is a resend safe?". There is no `yes`: no backend can prove execution on its failure path. */
export type Dispatched =
  /** Nothing of the request reached the device, or the command only reads: it may be sent again. */
  | "no"
  /** It may have landed: look first. */
  | "unknown";

/** What the daemon says back. */
export interface Welcome {
  /** Whether requests will be taken. */
  accepted: boolean;
  /** Identity of the build. */
  build: string;
  /** Identity of this daemon process: another one cannot answer for what this one was asked. */
  instance: string;
  /** Process id. */
  pid: number;
  /** Open sessions: a daemon that has some is never replaced. */
  sessions: number;
  /** Exact version. */
  version: string;
}

/** What `devices` takes. List the devices that can be opened. */
export type DevicesArgs = Record<string, never>;

/** What `devices` answers. */
export interface DevicesResult {
  /** Every device that is there. */
  devices: DeviceView[];
}

/** A device that can be opened. */
export interface DeviceView {
  /** Whether it can be opened now. */
  available: boolean;
  /** Who holds it. */
  claimedBy?: Holder;
  /** The word after `--device`. */
  id: string;
  /** `simulated`, `desktop`, `emulator`, `device`. */
  kind: string;
  /** For people. */
  name: string;
  /** Where it lives. */
  platform: Platform;
  /** Why it cannot. */
  unavailableReason?: string;
}

/** Who holds a device. */
export interface Holder {
  /** The session's name. */
  session: string;
  /** When it was opened: ms since 1970-01-01 UTC. */
  sinceMs: number;
  /** The folder it was opened from. */
  workspace?: string;
}

/** What `capabilities` takes. Show what a device can do, and what it cannot and why. */
export type CapabilitiesArgs = Record<string, never>;

/** What `capabilities` answers. */
export interface CapabilitiesResult {
  /** One per device. */
  devices: DeviceCapabilities[];
}

/** What one device can do. */
export interface DeviceCapabilities {
  /** What works. */
  can: Capability[];
  /** What does not, and why. */
  cannot: Missing[];
  /** The device's id. */
  device: string;
  /** Where it lives. */
  platform: Platform;
}

/** One thing a device may or may not be able to do. */
export type Capability =
  /** Reading the screen as a tree. */
  | "snapshot"
  /** Pictures of the screen. */
  | "screenshot"
  /** Pressing at a point. */
  | "tap"
  /** Real touch contacts (not a mouse). */
  | "touch"
  /** Other buttons of a mouse. */
  | "mouse-buttons"
  /** Moving a pointer without pressing. */
  | "hover"
  /** Keeping a contact down. */
  | "long-press"
  /** Dragging a contact. */
  | "swipe"
  /** Typing into whatever has the focus. */
  | "type"
  /** Replacing the content of a field. */
  | "fill"
  /** Scrolling a container. */
  | "scroll"
  /** Bringing an element into view by itself. */
  | "scroll-into-view"
  /** The system's or the browser's way back. */
  | "back"
  /** The home screen, or the first page. */
  | "home"
  /** Changing the size of the viewport. */
  | "viewport"
  /** Native or JavaScript dialogs. */
  | "alert"
  /** Choosing files for a file field. */
  | "upload"
  /** Files that the page or app saved. */
  | "downloads"
  /** More than one tab or window. */
  | "windows"
  /** Movements of one or two contacts. */
  | "gesture"
  /** Showing the apps that were used last. */
  | "app-switcher"
  /** Turning the screen. */
  | "orientation"
  /** Asking for the on-screen keyboard and hiding it. */
  | "keyboard"
  /** Reading and writing the clipboard. */
  | "clipboard"
  /** Changing the device's settings and the app's permissions. */
  | "settings"
  /** Which app is in front. */
  | "appstate"
  /** What the app writes to the device's log. */
  | "logs"
  /** Frames and memory. */
  | "perf"
  /** Films of the screen. */
  | "record";

/** Something a backend cannot do. */
export interface Missing {
  /** What. */
  capability: Capability;
  /** Why, for people. */
  reason: string;
}

/** What `doctor` takes. Check this machine: browsers, drivers, folders; the exit code says whether all is well. */
export type DoctorArgs = Record<string, never>;

/** What `doctor` answers. */
export interface DoctorResult {
  /** Every check. */
  checks: Check[];
  /** Always true. */
  ok: boolean;
}

/** One check of `doctor`. */
export interface Check {
  /** What was found. */
  found: string;
  /** What was checked. */
  name: string;
  /** What to do about it, where something is wrong. */
  remedy?: string;
  /** How it stands. */
  status: CheckStatus;
}

/** How a check stands. */
export type CheckStatus =
  /** Works. */
  | "pass"
  /** Works, or is not needed; something could be better. */
  | "warn"
  /** Does not work. */
  | "fail";

/** What `open` takes. Open an app or a web address, in this session. */
export interface OpenArgs {
  /** A web address (http://...), a stage app (demo, ./app.toml), or nothing for the demo app */
  app?: string | undefined;
  /** Which browser [default: chrome] */
  browser?: Browser | undefined;
  /** Capabilities for the WebDriver server, added to our own: a JSON object, or @FILE with one in it */
  capabilities?: Wanted | undefined;
  /** Use this WebDriver server instead of starting one */
  driverUrl?: string | undefined;
  /** Let the script replace a file that is there */
  force?: boolean | undefined;
  /** Show the browser's window */
  headed?: boolean | undefined;
  /** How long a page may take to load, ms [default: 30000] */
  loadTimeoutMs?: number | undefined;
  /** Emulate a phone: width x height in CSS px, @ pixel ratio */
  mobile?: MobileSize | undefined;
  /** Start it anew even if it is open */
  relaunch?: boolean | undefined;
  /** Record the steps of this session as a script; `close` writes it [default: NAME-TIME.ad in the current folder] */
  saveScript?: string | undefined;
}

/** A browser. */
export type Browser =
  /** Chromium or Chrome, through chromedriver. */
  | "chrome"
  /** Firefox, through geckodriver. */
  | "firefox"
  /** WebKitGTK's MiniBrowser, through WebKitWebDriver. */
  | "webkit";

/** Capabilities that a caller wants of a new session, beside those that are always asked for. */
export type Wanted = Record<string, unknown>;

/** The screen of an emulated phone, written `390x844@3`. */
export type MobileSize = string;

/** What `open` answers. */
export interface OpenResult {
  /** What is open now. */
  app: string;
  /** What the device can do. */
  capabilities: Capability[];
  /** The device's id. */
  device: string;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** What was done in a session that was open already, one sentence for people. */
  message?: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** Where it lives. */
  platform: Platform;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** The script that the session's steps are recorded for. */
  script?: string;
  /** The session's name. */
  session: string;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `close` takes. Close the app or browser and end the session. */
export interface CloseArgs {
  /** End every session of this daemon */
  all?: boolean | undefined;
}

/** What `close` answers. */
export type CloseResult = Closed | ClosedAll;

/** A session was closed. */
export interface Closed {
  /** Always true. */
  closed: boolean;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The file. */
  script?: string;
  /** Steps in it. */
  scriptSteps?: number;
  /** Variables that must be given when it is replayed. */
  scriptVariables?: string[];
  /** The session's name. */
  session: string;
  /** What its reader should know. */
  warnings?: string[];
}

/** Every session was closed. */
export interface ClosedAll {
  /** Their names. */
  closed: string[];
}

/** What `snapshot` takes. Show the screen as text: what is there, and the refs to act on. */
export interface SnapshotArgs {
  /** Only so many levels */
  depth?: number | undefined;
  /** Show what changed since the last snapshot instead */
  diff?: boolean | undefined;
  /** Print the whole snapshot even if nothing changed */
  forceFull?: boolean | undefined;
  /** Only what takes input, as a flat list */
  interactiveOnly?: boolean | undefined;
  /** Everything the backend reported, one JSON node a line */
  raw?: boolean | undefined;
  /** Only the part below a text or @ref */
  scope?: string | undefined;
}

/** What `snapshot` answers. */
export type SnapshotResult = Difference | Screen;

/** What is different from the last snapshot with the same arguments. */
export interface Difference {
  /** There was nothing to compare with: this screen is what the next one is compared with. */
  baselineInitialized: boolean;
  /** Every line of both screens. */
  lines: DiffLine[];
  /** What was compared: `snapshot`. */
  mode: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The generation that pinned refs name. */
  refsGeneration: number;
  /** How much. */
  summary: DiffSummary;
}

/** One line of a difference. */
export interface DiffLine {
  /** What became of it. */
  kind: DiffKind;
  /** The element's ref, without the `@`. */
  ref?: string;
  /** The line, as `snapshot` shows it. */
  text: string;
}

/** What became of a line. */
export type DiffKind =
  /** New. */
  | "added"
  /** Gone. */
  | "removed"
  /** As before. */
  | "unchanged";

/** How much is different between two screens, in lines. */
export interface DiffSummary {
  /** New. */
  additions: number;
  /** Gone. */
  removals: number;
  /** As before. */
  unchanged: number;
}

/** The screen. */
export interface Screen {
  /** The page's address, or the app's id. */
  app?: string;
  /** Its nodes, in the order of the page; a parent stands before its children. */
  nodes: NodeView[];
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The generation that pinned refs of this snapshot name. */
  refsGeneration: number;
  /** Title of the page or screen. */
  title?: string;
  /** Nodes that the capture holds. */
  totalNodes: number;
  /** Part of the screen is missing from the capture. */
  truncated?: boolean;
  /** Nothing is different from the last snapshot with the same arguments. */
  unchanged?: boolean;
  /** The box that the rects are in. */
  viewport: Size;
  /** What the caller should know. */
  warnings?: string[];
}

/** One node of a snapshot in JSON. Facts that the backend did not report are left out. */
export interface NodeView {
  /** For what can be checked. */
  checked?: Checked;
  /** What covers it, if something does. */
  coveredBy?: string;
  /** Depth in the listing, from 0. */
  depth: number;
  /** The accessible description. */
  description?: string;
  /** Takes text. */
  editable?: boolean;
  /** Takes input. */
  enabled: boolean;
  /** For what can be expanded. */
  expanded?: boolean;
  /** Has the input focus. */
  focused?: boolean;
  /** Content hidden above, px, for scroll containers. */
  hiddenAbove?: number;
  /** Content hidden below, px, for scroll containers. */
  hiddenBelow?: number;
  /** A press at its point reaches it; absent where nobody tested. */
  hittable?: boolean;
  /** Where a link leads. */
  href?: string;
  /** Test id, resource id or element id. */
  identifier?: string;
  /** Place in the listing, from 0. */
  index: number;
  /** Takes a press, text or a choice. */
  interactive?: boolean;
  /** The accessible name. */
  label?: string;
  /** Heading level. */
  level?: number;
  /** There is more above, and nobody can say how much. */
  moreAbove?: boolean;
  /** There is more below, and nobody can say how much. */
  moreBelow?: boolean;
  /** `index` of the parent. */
  parentIndex?: number;
  /** Hides what is typed. */
  password?: boolean;
  /** Hint shown while the field is empty. */
  placeholder?: string;
  /** In viewport coordinates. */
  rect: Rect;
  /** `e5`, without the `@`. */
  ref?: string;
  /** Normalised role, equal on every platform: button, link, text-field ... */
  role: string;
  /** Its content can be scrolled. */
  scrollable?: boolean;
  /** Chosen in a list, tab bar ... */
  selected?: boolean;
  /** The platform's own name for it, where it differs. */
  type?: string;
  /** The current value of a field, slider ... */
  value?: string;
  /** Part of it can be seen in the viewport. */
  visibleToUser: boolean;
}

/** State of a check box, switch or toggle button. */
export type Checked =
  /** On. */
  | "checked"
  /** Off. */
  | "unchecked"
  /** Partly on. */
  | "mixed";

/** A rectangle, px. */
export interface Rect {
  /** Height, px. */
  height: number;
  /** Width, px. */
  width: number;
  /** Left edge, px. */
  x: number;
  /** Top edge, px. */
  y: number;
}

/** Width and height, px. */
export interface Size {
  /** Height, px. */
  height: number;
  /** Width, px. */
  width: number;
}

/** What `diff` takes. Show what changed since the last snapshot or diff. */
export interface DiffArgs {
  /** Only so many levels */
  depth?: number | undefined;
  /** Only what takes input, as a flat list */
  interactiveOnly?: boolean | undefined;
  /** What to compare */
  kind: DiffDiffKind;
  /** Everything the backend reported, one JSON node a line */
  raw?: boolean | undefined;
  /** Only the part below a text or @ref */
  scope?: string | undefined;
}

/** What a diff compares. */
export type DiffDiffKind =
  /** Two snapshots. */
  | "snapshot";

/** What `diff` answers. */
export interface DiffResult {
  /** There was nothing to compare with: this screen is what the next one is compared with. */
  baselineInitialized: boolean;
  /** Every line of both screens. */
  lines: DiffLine[];
  /** What was compared: `snapshot`. */
  mode: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The generation that pinned refs name. */
  refsGeneration: number;
  /** How much. */
  summary: DiffSummary;
}

/** What `screenshot` takes. Save a PNG of the screen. */
export interface ScreenshotArgs {
  /** The whole page, not only what is in view */
  fullscreen?: boolean | undefined;
  /** Where to save it */
  out?: string | undefined;
  /** Draw the refs of what takes input over the picture */
  overlayRefs?: boolean | undefined;
  /** Where to save it [default: a new file in the current folder] */
  path?: string | undefined;
}

/** What `screenshot` answers. */
export interface ScreenshotResult {
  /** Size of the file, bytes. */
  bytes: number;
  /** Height, pixels of the picture. */
  height: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The PNG file. */
  path: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** How many refs are drawn on it, with `overlayRefs`. */
  refs?: number;
  /** The generation of those refs. */
  refsGeneration?: number;
  /** Pixels of the picture to one px of the viewport. */
  scale: number;
  /** Width, pixels of the picture. */
  width: number;
}

/** What `press` takes. Press an element or a point. */
export interface PressArgs {
  /** Which button of a mouse */
  button?: Button | undefined;
  /** How many presses, one after another [1..=200] */
  count?: number | undefined;
  /** Two presses so close that they count as a double press */
  doubleTap?: boolean | undefined;
  /** How long the contact stays down, ms */
  holdMs?: number | undefined;
  /** Pause between two presses of a series, ms */
  intervalMs?: number | undefined;
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
  /** What to press */
  target: Target;
  /** Say whether the screen changed, with evidence */
  verify?: boolean | undefined;
}

/** A button of a mouse. */
export type Button =
  /** Usually the left one. */
  | "primary"
  /** Usually the right one: the context menu. */
  | "secondary"
  /** The wheel. */
  | "middle";

/** A ref as printed by `snapshot`, a selector, or a point. */
export type Target =
  /** `@e5`, or pinned to what was shown then: `@e5~s3`. */
  | {
    kind: "ref";
    /** The ref, with or without its `@`. */
    ref: string;
  }
  /** `label="Save" role=button`, see `help selectors`. */
  | {
    kind: "selector";
    /** The selector's text. */
    selector: string;
  }
  /** A point in the viewport, px from its top left corner. */
  | {
    kind: "point";
    /** Rightwards, px. */
    x: number;
    /** Downwards, px. */
    y: number;
  };

/** What `press` answers. */
export interface PressResult {
  /** The element: `[button] "Save"`. Absent for a bare point. */
  element?: string;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** The element of a plain ref is called something else than when it was shown. */
  labelChanged?: LabelChanged;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** How long the target was waited for, where more than one look was needed. */
  readiness?: Awaited;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** A selector that finds the element again. */
  selectorChain?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** How the target was given. */
  targetKind: TargetKind;
  /** What the caller should know. */
  warnings?: string[];
  /** Where it landed, px from the left edge of the viewport. */
  x: number;
  /** Where it landed, px from the top edge of the viewport. */
  y: number;
}

/** Whether the screen changed after an input. */
export interface Evidence {
  /** It is another screen than before. */
  changedFromBefore?: boolean;
  /** Stands for what is there now. This and what follows is absent where the screen could not be read. */
  digest?: string;
  /** Stands for what was on the screen before. */
  digestBefore: string;
  /** The page's address, or the app's id. */
  foregroundApp?: string;
  /** Those that take input. */
  interactiveNodeCount?: number;
  /** Nodes on the screen now. */
  nodeCount?: number;
}

/** The two names of an element. */
export interface LabelChanged {
  /** Now. */
  now: string;
  /** When it was shown. */
  was: string;
}

/** The looks made while waiting for a target. */
export interface Awaited {
  /** How many. */
  polls: number;
  /** How long it took, ms. */
  waitedMs: number;
}

/** How the screen came to rest after an input. */
export interface Settled {
  /** Looks made. */
  captures: number;
  /** What a dialog says that opened instead. */
  dialog?: string;
  /** What is different from before the input. Absent where the screen could not be read. */
  diff?: SettledDiff;
  /** What to do next. */
  hint?: string;
  /** How long it had to stay the same, ms. */
  quietMs: number;
  /** The generation that the pinned refs of `diff` name. */
  refsGeneration?: number;
  /** It came to rest within the limit. */
  settled: boolean;
  /** The limit, ms. */
  timeoutMs: number;
  /** How long that took, ms. */
  waitedMs: number;
}

/** What is different after an input. */
export interface SettledDiff {
  /** Lines that begin with `- ` or `+ `; new ones with a pinned ref. */
  lines: string[];
  /** How much. */
  summary: DiffSummary;
  /** There are more than are shown. */
  truncated: boolean;
}

/** What a target was. */
export type TargetKind =
  /** A ref. */
  | "ref"
  /** A selector. */
  | "selector"
  /** A point. */
  | "point";

/** What `longpress` takes. Press an element or a point and keep it down. */
export type LongpressArgs = LongpressWords & {
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
};

/** What to press, and for how long. */
export interface LongpressWords {
  /** How long, ms [default: 800] */
  durationMs?: number | undefined;
  /** What to press */
  target: Target;
}

/** What `longpress` answers. */
export type LongpressResult = PressResult;

/** What `hover` takes. Move the pointer over an element or a point. */
export interface HoverArgs {
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
  /** What to point at */
  target: Target;
}

/** What `hover` answers. */
export type HoverResult = PressResult;

/** What `focus` takes. Give an element the input focus. */
export interface FocusArgs {
  /** What to focus */
  target: Target;
}

/** What `focus` answers. */
export type FocusResult = PressResult;

/** What `fill` takes. Replace the content of a field; fails unless the field then holds the text. */
export type FillArgs = FillWords & {
  /** Pause after each character, ms */
  delayMs?: number | undefined;
  /** The variable that stands for the text in the recorded script, for a text that is nobody's to read */
  recordAs?: string | undefined;
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
  /** Say whether the screen changed, with evidence */
  verify?: boolean | undefined;
};

/** The field and the text. */
export interface FillWords {
  /** The field */
  target: Target;
  /** The text; an empty one clears the field */
  text: string;
}

/** What `fill` answers. */
export interface FillResult {
  /** How many characters were filled in. */
  characters: number;
  /** The element: `[button] "Save"`. Absent for a bare point. */
  element?: string;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** The element of a plain ref is called something else than when it was shown. */
  labelChanged?: LabelChanged;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** How long the target was waited for, where more than one look was needed. */
  readiness?: Awaited;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** A selector that finds the element again. */
  selectorChain?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** How the target was given. */
  targetKind: TargetKind;
  /** The field was read back and holds the text. `false`: it cannot be read. */
  verified: boolean;
  /** What the caller should know. */
  warnings?: string[];
  /** Where it landed, px from the left edge of the viewport. */
  x: number;
  /** Where it landed, px from the top edge of the viewport. */
  y: number;
}

/** What `type` takes. Type text into whatever has the input focus. */
export interface TypeArgs {
  /** Pause after each character, ms */
  delayMs?: number | undefined;
  /** The variable that stands for the text in the recorded script, for a text that is nobody's to read */
  recordAs?: string | undefined;
  /** The text */
  text: string;
}

/** What `type` answers. */
export interface TypeResult {
  /** How many characters were typed. */
  characters: number;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `scroll` takes. Scroll the page or the container under the middle of the screen. */
export interface ScrollArgs {
  /** Size of a step as a share of the container, 0.05 to 1 [default: 0.6] */
  amount?: number | undefined;
  /** Where to: up, down, left, right by a step, or all the way to the top or bottom */
  direction: ScrollDirection;
  /** Scroll the container of this element: @ref or selector */
  in?: string | undefined;
  /** Size of a step in px, instead of a share */
  pixels?: number | undefined;
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
  /** Scroll on until this selector is in view, at most 40 steps */
  until?: string | undefined;
}

/** Where to scroll. `down` shows what is further down. */
export type ScrollDirection =
  /** A step up. */
  | "up"
  /** A step down. */
  | "down"
  /** A step left. */
  | "left"
  /** A step right. */
  | "right"
  /** To the very top. */
  | "top"
  /** To the very bottom. */
  | "bottom";

/** What `scroll` answers. */
export interface ScrollResult {
  /** Which way. */
  direction: ScrollDirection;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** There is more in that direction, where the device tells it. */
  more?: boolean;
  /** By how much, px rightwards, where the device tells it. */
  movedX?: number;
  /** By how much, px downwards, where the device tells it. 0 and 0: it was at the end already. */
  movedY?: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `swipe` takes. Drag a contact from one point to another. */
export interface SwipeArgs {
  /** How many swipes [1..=200] */
  count?: number | undefined;
  /** How long the movement takes, ms [default: 100] */
  durationMs?: number | undefined;
  /** Whether every second swipe goes back */
  pattern?: SwipePattern | undefined;
  /** Pause between two swipes, ms */
  pauseMs?: number | undefined;
  /** Start, px from the left */
  x1: number;
  /** End, px from the left */
  x2: number;
  /** Start, px from the top */
  y1: number;
  /** End, px from the top */
  y2: number;
}

/** Direction of the swipes of a series. */
export type SwipePattern =
  /** All the same way. */
  | "one-way"
  /** There and back. */
  | "ping-pong";

/** What `swipe` answers. */
export interface SwipeResult {
  /** How often. */
  count: number;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `gesture` takes. Pan, fling, pinch, rotate, transform or drag. */
export type GestureArgs = GestureWords & {
  /** How long a drag rests on its destination before it lets go, ms [default: 0] */
  dropHoldMs?: number | undefined;
  /** How long the movement takes, ms */
  durationMs?: number | undefined;
  /** How long a drag rests on its source, ms [default: 800] */
  holdMs?: number | undefined;
  /** Contacts of a pan, 1 or 2 [default: 1] */
  pointerCount?: number | undefined;
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
};

/** Which movement. `origin` is where it starts or turns: the middle of the screen where nothing is said. */
export type GestureWords =
  /** Contacts move by a distance and stop before they lift. */
  | {
    /** Rightwards, px */
    dx: number;
    /** Downwards, px */
    dy: number;
    kind: "pan";
    /** Where the contact comes down */
    origin: Target;
  }
  /** A contact moves fast and lifts while it moves. */
  | {
    /** Which way the contact moves */
    direction: GestureDirection;
    /** How far, px [default: 180] */
    distance?: number | undefined;
    kind: "fling";
    /** Where the contact comes down */
    origin?: Target | undefined;
  }
  /** Two contacts move apart or together. */
  | {
    kind: "pinch";
    /** The middle between the contacts */
    origin?: Target | undefined;
    /** More than 1 spreads (zooms in), less than 1 pinches (zooms out) */
    scale: number;
  }
  /** Two contacts turn around each other. */
  | {
    /** Clockwise, degrees */
    degrees: number;
    kind: "rotate";
    /** The middle between the contacts */
    origin?: Target | undefined;
  }
  /** Two contacts move, spread and turn at once. */
  | {
    /** Clockwise, degrees */
    degrees: number;
    /** Rightwards, px */
    dx: number;
    /** Downwards, px */
    dy: number;
    kind: "transform";
    /** The middle between the contacts */
    origin: Target;
    /** More than 1 spreads, less than 1 pinches */
    scale: number;
  }
  /** One thing is picked up by a long press and let go over another. */
  | {
    /** Where to let go */
    destination: Target;
    kind: "drag";
    /** What to pick up */
    source: Target;
  };

/** Which way a contact moves. */
export type GestureDirection =
  /** Upwards. */
  | "up"
  /** Downwards. */
  | "down"
  /** Leftwards. */
  | "left"
  /** Rightwards. */
  | "right";

/** What `gesture` answers. */
export interface GestureResult {
  /** How many contacts. */
  contacts: number;
  /** How long it took, ms. */
  durationMs: number;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** Where the first contact began. */
  from: Point;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** Where it ended. */
  to: Point;
  /** What the caller should know. */
  warnings?: string[];
}

/** A point, from the top left corner of the viewport. */
export interface Point {
  /** Rightwards, px. */
  x: number;
  /** Downwards, px. */
  y: number;
}

/** What `get` takes. Read the text or the attributes of an element. */
export interface GetArgs {
  /** What to read */
  format: GetFormat;
  /** Of what */
  target: Target;
}

/** What `get` reads. */
export type GetFormat =
  /** The element's text, nothing else. */
  | "text"
  /** Everything known of the element, as JSON. */
  | "attrs";

/** What `get` answers. */
export type GetResult = Text | Attributes;

/** The text of an element. */
export interface Text {
  /** Which it is: `[button] "Save"`. */
  element: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** Its text. */
  text: string;
}

/** Everything known of an element. */
export interface Attributes {
  /** What else the device tells of it; its names are the platform's own. */
  attributes?: Record<string, unknown>;
  /** For what can be checked. */
  checked?: Checked;
  /** What covers it, if something does. */
  coveredBy?: string;
  /** Depth in the listing, from 0. */
  depth: number;
  /** The accessible description. */
  description?: string;
  /** Takes text. */
  editable?: boolean;
  /** Takes input. */
  enabled: boolean;
  /** For what can be expanded. */
  expanded?: boolean;
  /** Has the input focus. */
  focused?: boolean;
  /** Content hidden above, px, for scroll containers. */
  hiddenAbove?: number;
  /** Content hidden below, px, for scroll containers. */
  hiddenBelow?: number;
  /** A press at its point reaches it; absent where nobody tested. */
  hittable?: boolean;
  /** Where a link leads. */
  href?: string;
  /** Test id, resource id or element id. */
  identifier?: string;
  /** Place in the listing, from 0. */
  index: number;
  /** Takes a press, text or a choice. */
  interactive?: boolean;
  /** The accessible name. */
  label?: string;
  /** Heading level. */
  level?: number;
  /** There is more above, and nobody can say how much. */
  moreAbove?: boolean;
  /** There is more below, and nobody can say how much. */
  moreBelow?: boolean;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** `index` of the parent. */
  parentIndex?: number;
  /** Hides what is typed. */
  password?: boolean;
  /** Hint shown while the field is empty. */
  placeholder?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** In viewport coordinates. */
  rect: Rect;
  /** `e5`, without the `@`. */
  ref?: string;
  /** The generation that pinned refs name. */
  refsGeneration: number;
  /** Normalised role, equal on every platform: button, link, text-field ... */
  role: string;
  /** Its content can be scrolled. */
  scrollable?: boolean;
  /** Chosen in a list, tab bar ... */
  selected?: boolean;
  /** A selector that finds it again. */
  selectorChain: string;
  /** The platform's own name for it, where it differs. */
  type?: string;
  /** The current value of a field, slider ... */
  value?: string;
  /** Part of it can be seen in the viewport. */
  visibleToUser: boolean;
}

/** What `is` takes. Check something about an element; fails with exit code 1 where it does not hold. */
export type IsArgs = IsWords;

/** The question. */
export interface IsWords {
  /** What to check */
  predicate: Predicate;
  /** Of what: @ref or selector */
  target: Target;
  /** The expected text, for `text` */
  value?: string | undefined;
}

/** What can be checked. */
export type Predicate =
  /** Part of it can be seen. */
  | "visible"
  /** It exists and cannot be seen, or does not exist. */
  | "hidden"
  /** It is on the screen's tree. */
  | "exists"
  /** It is not. */
  | "absent"
  /** It takes text. */
  | "editable"
  /** It is selected. */
  | "selected"
  /** It has the focus. */
  | "focused"
  /** It takes input. */
  | "enabled"
  /** It takes no input. */
  | "disabled"
  /** It is checked. */
  | "checked"
  /** Its text equals the value. */
  | "text";

/** What `is` answers. */
export interface IsResult {
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** Always true. */
  pass: boolean;
  /** What was checked. */
  predicate: Predicate;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** Of what, as it was given. */
  target: string;
}

/** What `find` takes. Find an element by part of its text or by a selector, and click, read or list it. */
export type FindArgs = FindWords & {
  /** Take the first of several matches */
  first?: boolean | undefined;
  /** Take the last of several matches */
  last?: boolean | undefined;
  /** How long the action `wait` waits, ms [default: 10000] */
  waitMs?: number | undefined;
};

/** Where to look, for what, and what to do with it. */
export interface FindWords {
  /** What to do [default: click] */
  action?: FindAction | undefined;
  /** Which field to look in, or selector [default: selector for what reads as one, such as role=button; any for other texts] */
  locator?: Locator | undefined;
  /** The text to look for: part of it is enough, letter case does not matter. Or a selector */
  query: string;
  /** The text, for fill and type */
  value?: string | undefined;
}

/** What `find` does with what it found. */
export type FindAction =
  /** Press it. */
  | "click"
  /** Give it the focus. */
  | "focus"
  /** Say whether it is there. */
  | "exists"
  /** List all matches. */
  | "list"
  /** Print its text. */
  | "getText"
  /** Print its attributes. */
  | "getAttrs"
  /** Wait until it is there. */
  | "wait"
  /** Fill it. */
  | "fill"
  /** Focus it and type. */
  | "type";

/** How `find` looks: for part of a text in a field of a node, or for what a selector means. */
export type Locator =
  /** All of them. */
  | "any"
  /** The text shown. */
  | "text"
  /** The accessible name. */
  | "label"
  /** The value. */
  | "value"
  /** The role. */
  | "role"
  /** The identifier. */
  | "id"
  /** What is looked for is a selector, as `press` takes it. */
  | "selector";

/** What `find` answers. */
export type FindResult = FoundAny | FoundList | FillResult | PressResult | Text | Attributes | Waited;

/** Whether something is there. */
export interface FoundAny {
  /** It is. */
  found: boolean;
  /** How many match. */
  matches: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
}

/** Everything that matches. */
export interface FoundList {
  /** Pinned ref and element: `@e5~s3 [button] "Save"`. */
  matches: string[];
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The generation that the refs name. */
  refsGeneration: number;
}

/** What `wait` answers: it came. Where it does not, that is the failure `WAIT_TIMEOUT`. */
export interface Waited {
  /** Looks made; absent where only time was waited for. */
  captures?: number;
  /** `duration`, where only time was waited for. */
  kind?: string;
  /** Nodes of the quiet screen, for `stable`. */
  nodeCount?: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** How long it took, ms. */
  waitedMs: number;
}

/** What `wait` takes. Wait for a time, a text, an element, its absence, or a quiet screen. */
export type WaitArgs = WaitFor;

/** What to wait for. */
export type WaitFor =
  /** For a time. */
  | {
    /** How long, ms */
    durationMs: number;
    kind: "duration";
  }
  /** Until a text is on the screen. */
  | {
    kind: "text";
    /** The text, or part of it */
    text: string;
    /** How long at most, ms [default: 10000] */
    timeoutMs?: number | undefined;
  }
  /** Until a ref's element is visible. */
  | {
    kind: "ref";
    /** The ref */
    ref: string;
    /** How long at most, ms [default: 10000] */
    timeoutMs?: number | undefined;
  }
  /** Until a selector matches something visible. */
  | {
    kind: "selector";
    /** The selector */
    selector: string;
    /** How long at most, ms [default: 10000] */
    timeoutMs?: number | undefined;
  }
  /** Until a selector matches nothing. */
  | {
    kind: "absent";
    /** The selector */
    selector: string;
    /** How long at most, ms [default: 10000] */
    timeoutMs?: number | undefined;
  }
  /** Until nothing changes any more. */
  | {
    kind: "stable";
    /** How long nothing may change, ms [default: 500] */
    quietMs?: number | undefined;
    /** How long at most, ms [default: 10000] */
    timeoutMs?: number | undefined;
  };

/** What `wait` answers. */
export interface WaitResult {
  /** Looks made; absent where only time was waited for. */
  captures?: number;
  /** `duration`, where only time was waited for. */
  kind?: string;
  /** Nodes of the quiet screen, for `stable`. */
  nodeCount?: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** How long it took, ms. */
  waitedMs: number;
}

/** What `back` takes. Go back: the browser's history, or the app's back button. */
export interface BackArgs {
  /** Wait until the screen is quiet, then show what changed */
  settle?: boolean | undefined;
  /** How long nothing may change, ms [default: 500] */
  settleQuietMs?: number | undefined;
  /** How long to wait for that at most, ms [default: 10000] */
  settleTimeoutMs?: number | undefined;
}

/** What `back` answers. */
export interface BackResult {
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `home` takes. Go home: the first address of the session, or the app's first screen. */
export type HomeArgs = Record<string, never>;

/** What `home` answers. */
export type HomeResult = BackResult;

/** What `app-switcher` takes. Show the apps that were used last. */
export type AppSwitcherArgs = Record<string, never>;

/** What `app-switcher` answers. */
export type AppSwitcherResult = BackResult;

/** What `orientation` takes. Turn the screen. */
export interface OrientationArgs {
  /** Which way */
  orientation: Turn;
}

/** How the screen stands. */
export type Turn =
  /** Upright. */
  | "portrait"
  /** On its head. */
  | "portrait-upside-down"
  /** Turned a quarter to the left: the top of the phone points left. */
  | "landscape-left"
  /** Turned a quarter to the right. */
  | "landscape-right";

/** What `orientation` answers. */
export interface OrientationResult {
  /** The device was seen to stand so. */
  confirmed: boolean;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** How the screen was asked to stand. */
  orientation: Turn;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `viewport` takes. Change the size of the viewport. */
export interface ViewportArgs {
  /** Height, CSS px */
  height: number;
  /** Width, CSS px */
  width: number;
}

/** What `viewport` answers. */
export interface ViewportResult {
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** Height that was asked for, px. */
  height: number;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
  /** Width that was asked for, px. */
  width: number;
}

/** What `alert` takes. Read or answer the dialog that blocks the page or app. */
export interface AlertArgs {
  /** What to do with it */
  action: AlertAction;
  /** Text to enter into a prompt before it is accepted */
  text?: string | undefined;
  /** How long `wait` waits for a dialog, ms [default: 10000] */
  waitMs?: number | undefined;
}

/** What to do with a dialog. */
export type AlertAction =
  /** Read it. */
  | "get"
  /** Press its confirming button. */
  | "accept"
  /** Press its cancelling button. */
  | "dismiss"
  /** Wait for one. */
  | "wait";

/** What `alert` answers. */
export interface AlertResult {
  /** `accepted` or `dismissed`. */
  action?: string;
  /** Labels of its buttons, where they are known. */
  buttons?: string[];
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** `alert`, `confirm`, `prompt`, `beforeunload`, or the platform's kind. */
  kind: string;
  /** What was done, one sentence for people. */
  message?: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** What it says. */
  text: string;
  /** How long `wait` took, ms. */
  waitedMs?: number;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `keyboard` takes. Say whether the on-screen keyboard is shown, hide it, or press its enter key. */
export interface KeyboardArgs {
  /** What to do */
  action: KeyboardAction;
}

/** What to do with the keyboard. */
export type KeyboardAction =
  /** Say whether it is shown, and for which kind of text. */
  | "status"
  /** Hide it. */
  | "dismiss"
  /** Press enter. */
  | "enter";

/** What `keyboard` answers. */
export type KeyboardResult = KeyboardHidden | KeyboardHiddenAlready | BackResult | KeyboardStatus;

/** A keyboard that was hidden. */
export interface KeyboardHidden {
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** It is shown: false. */
  visible: boolean;
  /** What the caller should know. */
  warnings?: string[];
  /** It was shown before. */
  wasVisible: boolean;
}

/** A keyboard that was not there. */
export interface KeyboardHiddenAlready {
  /** Whose it is. */
  inputMethod?: string;
  /** What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`. */
  inputType?: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** Where, px. */
  rect?: Rect;
  /** It is shown. */
  visible: boolean;
  /** It was shown before: false. */
  wasVisible: boolean;
}

/** How the keyboard stands. */
export interface KeyboardStatus {
  /** Whose it is. */
  inputMethod?: string;
  /** What it is for: `text`, `number`, `email`, `phone`, `password`, `datetime`. */
  inputType?: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** Where, px. */
  rect?: Rect;
  /** It is shown. */
  visible: boolean;
}

/** What `clipboard` takes. Read the device's clipboard, or put a text on it. */
export type ClipboardArgs = ClipboardWords;

/** Read or write. */
export type ClipboardWords =
  /** What is on it. */
  | {
    action: "read";
  }
  /** Puts a text on it. */
  | {
    action: "write";
    /** The text */
    text: string;
  };

/** What `clipboard` answers. */
export type ClipboardResult = BackResult | ClipboardText;

/** What is on the clipboard. */
export interface ClipboardText {
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The text. */
  text: string;
}

/** What `settings` takes. Change a setting of the device, or what the app is allowed to do. */
export type SettingsArgs = Setting;

/** One setting with what it is to be. */
export type Setting =
  /** Wireless network. */
  | {
    /** On or off */
    on: boolean;
    setting: "wifi";
  }
  /** All radios off. */
  | {
    /** On or off */
    on: boolean;
    setting: "airplane";
  }
  /** Location services. */
  | {
    /** On or off */
    on: boolean;
    setting: "location";
  }
  /** Where the device believes to be. */
  | {
    /** Latitude, degrees north */
    latitude: number;
    /** Longitude, degrees east */
    longitude: number;
    setting: "location-set";
  }
  /** The system's animations. */
  | {
    /** On or off */
    on: boolean;
    setting: "animations";
  }
  /** Light or dark. */
  | {
    /** Which */
    appearance: Appearance;
    setting: "appearance";
  }
  /** What the app is allowed to do. */
  | {
    /** Give, refuse, or ask again */
    grant: Grant;
    /** `camera`, `location`, ..., or the platform's own name of one */
    permission: string;
    setting: "permission";
  }
  /** Everything that the app has stored is removed. */
  | {
    /** The app; the session's own where nothing is said */
    app?: string | undefined;
    setting: "clear-app-state";
  };

/** How the system's surfaces are drawn. */
export type Appearance =
  /** Dark on light. */
  | "light"
  /** Light on dark. */
  | "dark"
  /** The other one. */
  | "toggle";

/** What becomes of a permission. */
export type Grant =
  /** Given. */
  | "grant"
  /** Refused. */
  | "deny"
  /** The app has to ask again. */
  | "reset";

/** What `settings` answers. */
export type SettingsResult = (
  /** Wireless network. */
  | {
    /** On or off */
    on: boolean;
    setting: "wifi";
  }
  /** All radios off. */
  | {
    /** On or off */
    on: boolean;
    setting: "airplane";
  }
  /** Location services. */
  | {
    /** On or off */
    on: boolean;
    setting: "location";
  }
  /** Where the device believes to be. */
  | {
    /** Latitude, degrees north */
    latitude: number;
    /** Longitude, degrees east */
    longitude: number;
    setting: "location-set";
  }
  /** The system's animations. */
  | {
    /** On or off */
    on: boolean;
    setting: "animations";
  }
  /** Light or dark. */
  | {
    /** Which */
    appearance: Appearance;
    setting: "appearance";
  }
  /** What the app is allowed to do. */
  | {
    /** Give, refuse, or ask again */
    grant: Grant;
    /** `camera`, `location`, ..., or the platform's own name of one */
    permission: string;
    setting: "permission";
  }
  /** Everything that the app has stored is removed. */
  | {
    /** The app; the session's own where nothing is said */
    app?: string;
    setting: "clear-app-state";
  }) & {
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
};

/** What `appstate` takes. Say which app is in front. */
export type AppstateArgs = Record<string, never>;

/** What `appstate` answers. */
export interface AppstateResult {
  /** The windows that lie over it and take input: a system dialog, a permission question. */
  above?: string[];
  /** The part of it that is shown. */
  activity?: string;
  /** Its id. */
  app: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
}

/** What `logs` takes. Show or keep what the app writes to the device's log. */
export type LogsArgs = LogsWords & {
  /** Lines to show, the newest [default: 200] */
  lines?: number | undefined;
};

/** What to do with the log. */
export type LogsWords =
  /** The newest lines of the app. */
  | {
    action: "show";
  }
  /** Keeps everything from here on in the session's file. */
  | {
    action: "start";
  }
  /** Ends that. */
  | {
    action: "stop";
  }
  /** The file's place. */
  | {
    action: "path";
  }
  /** Empties the file. */
  | {
    action: "clear";
  }
  /** Writes a line of one's own into the file, to find a place again. */
  | {
    action: "mark";
    /** The line */
    message?: string | undefined;
  };

/** What `logs` answers. */
export type LogsResult = LogLines | LogFile;

/** The newest lines. */
export interface LogLines {
  /** Oldest first. */
  lines: string[];
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
}

/** The file that the log is kept in. */
export interface LogFile {
  /** The log is being kept: after `start` and `stop`. */
  active?: boolean;
  /** The file is there: for `path`. */
  exists?: boolean;
  /** What was written: for `mark`. */
  mark?: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** Where. */
  path: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** It was being kept: after `stop`. */
  wasActive?: boolean;
}

/** What `perf` takes. Measure the app: how smoothly it draws, how much memory it takes. */
export interface PerfArgs {
  /** What to measure */
  area: PerfArea;
  /** Start counting anew afterwards */
  reset?: boolean | undefined;
}

/** What to measure. */
export type PerfArea =
  /** Frames drawn since the app was opened, and how many came late. */
  | "frames"
  /** Memory of the app's processes. */
  | "memory";

/** What `perf` answers. */
export type PerfResult = FramesOf | MemoryOf;

/** How an app of a device draws. */
export interface FramesOf {
  /** The app. */
  app: string;
  /** Frames per second while something moved, of the newest ones (up to 120 per window). Nothing where nothing moved. */
  fps?: number;
  /** From how many frames that is. */
  fpsFrames: number;
  /** Frames whose input waited long. */
  highInputLatency?: number;
  /** Those that came late. */
  jankyFrames: number;
  /** Their share, percent. */
  jankyPercent: number;
  /** Frames that missed a vertical sync. */
  missedVsync?: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** Half of all frames took at most this long, ms. Not told before Android 7. */
  p50Ms?: number;
  /** 90 % of them, ms. */
  p90Ms?: number;
  /** 95 %, ms. */
  p95Ms?: number;
  /** 99 %, ms. */
  p99Ms?: number;
  /** Its process. */
  pid: number;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The counters began anew afterwards. */
  reset: boolean;
  /** Frames held up by drawing commands. */
  slowDrawCommands?: number;
  /** Frames held up by the app's own thread. */
  slowUiThread?: number;
  /** Frames drawn since the counters began. */
  totalFrames: number;
}

/** What an app takes. */
export interface MemoryOf {
  /** The app. */
  app: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** Its processes. */
  processes: ProcessMemory[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The areas that take the most of it. */
  topConsumers: MemoryArea[];
  /** Memory in use, what is shared counted by its share. */
  totalPssKb: number;
  /** Memory in use, what is shared counted whole. Told since Android 11. */
  totalRssKb?: number;
}

/** One process. */
export interface ProcessMemory {
  /** Its name. */
  name: string;
  /** Its number. */
  pid: number;
  /** Its share of `totalPssKb`. */
  pssKb: number;
}

/** One area. */
export interface MemoryArea {
  /** `Native Heap`, `Dalvik Heap`, `.dex mmap`, ... */
  name: string;
  /** Memory in use, KiB. */
  pssKb: number;
}

/** What `record` takes. Film the screen. */
export type RecordArgs = RecordWords & {
  /** How good the film is [default: medium] */
  quality?: FilmQuality | undefined;
};

/** Begin or end a film. */
export type RecordWords =
  /** Begin. */
  | {
    action: "start";
    /** The file for the film; the command line names one where nothing is said */
    path?: string | undefined;
  }
  /** End, and fetch the film. */
  | {
    action: "stop";
  };

/** How good a film is. */
export type FilmQuality =
  /** 8 Mbit/s. */
  | "medium"
  /** 20 Mbit/s. */
  | "high";

/** What `record` answers. */
export type RecordResult = FilmStarted | Film;

/** A film that was begun. */
export interface FilmStarted {
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The file that it will be. */
  path: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** Always true. */
  recording: boolean;
}

/** A film. */
export interface Film {
  /** How long it was filmed, ms. */
  durationMs: number;
  /** `mp4`. */
  format: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** Its files in order: a device may end a file at its own limit and begin another. */
  paths: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
}

/** What `upload` takes. Choose files for a file field. */
export type UploadArgs = UploadWords;

/** The field and the files. */
export interface UploadWords {
  /** The files, absolute paths */
  files: string[];
  /** The file field */
  target: Target;
}

/** What `upload` answers. */
export interface UploadResult {
  /** The field: `[file-field] "Photo"`. */
  element: string;
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** Whether the screen changed, with `verify`. */
  evidence?: Evidence;
  /** The files, by their paths. */
  files: string[];
  /** What was done, one sentence for people. */
  message: string;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** How the screen came to rest, with `settle`. */
  settle?: Settled;
  /** What the caller should know. */
  warnings?: string[];
}

/** What `downloads` takes. List what the page saved, and where it is. */
export interface DownloadsArgs {
  /** Wait until at least one file is complete, ms at most */
  waitMs?: number | undefined;
}

/** What `downloads` answers. */
export interface DownloadsResult {
  /** What the app saved in this session. */
  downloads: Download[];
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
}

/** A file that the app saved. */
export interface Download {
  /** Bytes so far. */
  bytes: number;
  /** Nothing more is coming. */
  complete: boolean;
  /** Where it is. */
  path: string;
}

/** What `windows` takes. List the session's tabs and windows, switch to one or close one. */
export interface WindowsArgs {
  /** Close this one (its number in the list) */
  close?: number | undefined;
  /** Make this one the active one (its number in the list) */
  switch?: number | undefined;
}

/** What `windows` answers. */
export interface WindowsResult {
  /** The events that the app was seen to get, in order. */
  events?: string[];
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** A dialog or window that it opened. */
  opened?: string;
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The row of the golden table where the reply was lost and the device's own journal says that it was done, once. */
  resolvedRow?: string;
  /** What the caller should know. */
  warnings?: string[];
  /** Numbered from 1 in this order. */
  windows: Window[];
}

/** A tab or window. */
export interface Window {
  /** The one that commands go to. */
  active: boolean;
  /** Address. */
  address: string;
  /** The backend's id of it. */
  id: string;
  /** Title. */
  title: string;
}

/** What `apps` takes. List the apps on a device. */
export interface AppsArgs {
  /** Those of the system too */
  all?: boolean | undefined;
}

/** What `apps` answers. */
export interface AppsResult {
  /** By name. */
  apps: App[];
  /** The device's id. */
  device: string;
}

/** An app on a device. */
export interface App {
  /** What `open` takes. */
  id: string;
  /** Its name for people, where the device tells it. */
  name?: string;
  /** It came with the system. */
  system: boolean;
  /** Its version, where the device tells it. */
  version?: string;
}

/** What `install` takes. Install an app, or a newer version of it; what it has stored stays. */
export interface InstallArgs {
  /** Allow an older version than the one that is installed */
  downgrade?: boolean | undefined;
  /** Grant every permission that it asks for */
  grantAll?: boolean | undefined;
  /** The package: an .apk file */
  path: string;
}

/** What `install` answers. */
export interface InstallResult {
  /** The app's id, where it could be told. */
  app?: string;
  /** The device's id. */
  device: string;
  /** For the caller. */
  warnings?: string[];
}

/** What `reinstall` takes. Remove an app with all that it has stored, and install it. */
export interface ReinstallArgs {
  /** The app's id: com.example.app */
  app: string;
  /** Grant every permission that it asks for */
  grantAll?: boolean | undefined;
  /** The package: an .apk file */
  path: string;
}

/** What `reinstall` answers. */
export type ReinstallResult = InstallResult;

/** What `push` takes. Copy a file onto the device. */
export interface PushArgs {
  /** The file here */
  path: string;
  /** Where to, on the device; a folder takes the file's name */
  to: string;
}

/** What `push` answers. */
export interface PushResult {
  /** Its size, bytes. */
  bytes: number;
  /** The device's id. */
  device: string;
  /** The file on the device. */
  to: string;
}

/** What `pull` takes. Copy a file from the device. */
export interface PullArgs {
  /** The file on the device */
  from: string;
  /** Where to, here [default: its name in this folder] */
  path?: string | undefined;
}

/** What `pull` answers. */
export interface PullResult {
  /** Its size, bytes. */
  bytes: number;
  /** The device's id. */
  device: string;
  /** The file here. */
  path: string;
}

/** What `boot` takes. Start an emulator and wait until it is ready. */
export interface BootArgs {
  /** Without a window */
  headless?: boolean | undefined;
}

/** What `boot` answers. */
export interface BootResult {
  /** Always true. */
  booted: boolean;
  /** The id under which it can be opened. */
  device: string;
}

/** What `shutdown` takes. Shut an emulator down. */
export type ShutdownArgs = Record<string, never>;

/** What `shutdown` answers. */
export interface ShutdownResult {
  /** The device's id. */
  device: string;
  /** Always true. */
  shutdown: boolean;
}

/** What `pair` takes. Pair with a phone over Wi-Fi: by a QR code shown here, or by the address and the code that the phone shows. */
export interface PairArgs {
  /** The address that the phone shows: HOST:PORT */
  address?: string | undefined;
  /** The six digits that the phone shows */
  code?: string | undefined;
  /** List the phones that offer themselves on this network */
  list?: boolean | undefined;
  /** The password in the QR code; the command line makes one up */
  password?: string | undefined;
  /** The name in the QR code; the command line makes one up */
  service?: string | undefined;
}

/** What `pair` answers. */
export type PairResult = Paired | PairingOffers;

/** A device that was paired with. */
export interface Paired {
  /** Its address, `HOST:PORT`. */
  address: string;
  /** It can be opened now. */
  connected: boolean;
  /** Its id, where it is connected. */
  device?: string;
  /** What was done, for people. */
  message: string;
  /** Always true. */
  paired: boolean;
}

/** Devices on the network that offer themselves. */
export interface PairingOffers {
  /** The same for people. */
  message: string;
  /** One per service. */
  services: PairingOffer[];
}

/** A device on the network that offers itself. */
export interface PairingOffer {
  /** `HOST:PORT`. */
  address: string;
  /** Its name. */
  name: string;
  /** `pairing`, `connection` or `connection without encryption`. */
  offers: string;
  /** The kind of service, as it is announced. */
  type: string;
}

/** What `batch` takes. Run several commands in one request, and stop at the first that fails. */
export interface BatchArgs {
  /** The steps as JSON: [{"command":"press","args":{...}}, ...] or ["press @e5", ...] */
  steps?: Steps | undefined;
}

/** The steps of a batch. */
export type Steps = Step[];

/** One step: a command line, or a command with its arguments as JSON. */
export type Step =
  /** As on the command line: `press @e5 --settle`. */
  | string
  | StepCall;

/** A command with its arguments as JSON. */
export interface StepCall {
  /** Its arguments */
  args?: unknown | undefined;
  /** The command's name */
  command: string;
}

/** What `batch` answers. */
export interface BatchResult {
  /** How many there were. */
  completed: number;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** One per step. */
  steps: BatchedStep[];
}

/** One step of a batch. */
export type BatchedStep = {
    command: "devices";
    data: DevicesResult;
  } | {
    command: "capabilities";
    data: CapabilitiesResult;
  } | {
    command: "doctor";
    data: DoctorResult;
  } | {
    command: "open";
    data: OpenResult;
  } | {
    command: "close";
    data: CloseResult;
  } | {
    command: "snapshot";
    data: SnapshotResult;
  } | {
    command: "diff";
    data: DiffResult;
  } | {
    command: "screenshot";
    data: ScreenshotResult;
  } | {
    command: "press";
    data: PressResult;
  } | {
    command: "longpress";
    data: PressResult;
  } | {
    command: "hover";
    data: PressResult;
  } | {
    command: "focus";
    data: PressResult;
  } | {
    command: "fill";
    data: FillResult;
  } | {
    command: "type";
    data: TypeResult;
  } | {
    command: "scroll";
    data: ScrollResult;
  } | {
    command: "swipe";
    data: SwipeResult;
  } | {
    command: "gesture";
    data: GestureResult;
  } | {
    command: "get";
    data: GetResult;
  } | {
    command: "is";
    data: IsResult;
  } | {
    command: "find";
    data: FindResult;
  } | {
    command: "wait";
    data: WaitResult;
  } | {
    command: "back";
    data: BackResult;
  } | {
    command: "home";
    data: BackResult;
  } | {
    command: "app-switcher";
    data: BackResult;
  } | {
    command: "orientation";
    data: OrientationResult;
  } | {
    command: "viewport";
    data: ViewportResult;
  } | {
    command: "alert";
    data: AlertResult;
  } | {
    command: "keyboard";
    data: KeyboardResult;
  } | {
    command: "clipboard";
    data: ClipboardResult;
  } | {
    command: "settings";
    data: SettingsResult;
  } | {
    command: "appstate";
    data: AppstateResult;
  } | {
    command: "logs";
    data: LogsResult;
  } | {
    command: "perf";
    data: PerfResult;
  } | {
    command: "record";
    data: RecordResult;
  } | {
    command: "upload";
    data: UploadResult;
  } | {
    command: "downloads";
    data: DownloadsResult;
  } | {
    command: "windows";
    data: WindowsResult;
  } | {
    command: "apps";
    data: AppsResult;
  } | {
    command: "install";
    data: InstallResult;
  } | {
    command: "reinstall";
    data: InstallResult;
  } | {
    command: "push";
    data: PushResult;
  } | {
    command: "pull";
    data: PullResult;
  } | {
    command: "boot";
    data: BootResult;
  } | {
    command: "shutdown";
    data: ShutdownResult;
  } | {
    command: "events";
    data: Events;
  } & {
  /** Which, from 1. */
  step: number;
};

/** What `events` answers. */
export interface Events {
  /** The number of the last one: what to give as `cursor` to go on from here. */
  cursor: number | null;
  /** Oldest first. */
  events: Event[];
}

/** What happened in a session: one command. */
export interface Event {
  /** ms since 1970-01-01 UTC. */
  atMs: number;
  /** The failure's code, and its row. */
  code?: string;
  /** The command, without what was typed. */
  command: string;
  /** `no` or `unknown`, for failures. */
  dispatched?: string;
  /** How long it took, ms. */
  durationMs: number;
  /** The failure's message, or what was done. */
  message: string;
  /** Counts up in a session, over rotations: the cursor of `events`. */
  number: number;
  /** Whether it worked. */
  ok: boolean;
  /** Every look of every wait. */
  polls?: Poll[];
  /** The request. */
  requestId: string;
  /** Mutating sends that returned. */
  sends: number;
  /** Version of the format. */
  version: number;
}

/** One look, for the timeline and for `details.polls`. */
export interface Poll {
  /** Duration, ms. */
  durationMs: number;
  /** How it went. */
  outcome: PollOutcome;
  /** Start, ms after the call. */
  startedMs: number;
}

/** How a look went. */
export type PollOutcome =
  /** The screen was seen. */
  | "observed"
  /** The look failed and was ridden out. */
  | "rode-out"
  /** The look did not come back before the budget ran out. */
  | "stalled";

/** What `events` takes. Show the session's timeline. */
export interface EventsArgs {
  /** Go on after this event number (from the last answer) */
  cursor?: number | undefined;
  /** How many events at most [default: 50] */
  limit?: number | undefined;
}

/** What `events` answers. */
export interface EventsResult {
  /** The number of the last one: what to give as `cursor` to go on from here. */
  cursor: number | null;
  /** Oldest first. */
  events: Event[];
}

/** What `trace` takes. Keep what every command of this session does: pictures and trees before and after, times, failures. */
export interface TraceArgs {
  /** What to do */
  action: TraceAction;
  /** Leave the folder of the trace where it is, also when the session is closed */
  keep?: boolean | undefined;
  /** The page to make of it, for stop [default: trace-TIME.html in the current folder] */
  out?: string | undefined;
}

/** What to do with a trace. */
export type TraceAction =
  /** Begin one: of what is open, or of what the next open opens. */
  | "start"
  /** End it and say where it is. */
  | "stop";

/** What `trace` answers. */
export interface TraceResult {
  /** Its size, bytes. */
  bytes?: number;
  /** Commands in it: after `stop`, as all that follows. */
  entries?: number;
  /** Where the trace is written. */
  folder: string;
  /** It was full before the end: what came then is not in it, or has no pictures. */
  full?: boolean;
  /** The folder stays when the session is closed. */
  kept?: boolean;
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** It goes on. */
  tracing: boolean;
}

/** What `session` takes. List sessions, say where state is kept, or write the recorded steps as a script. */
export interface SessionArgs {
  /** What to show or do */
  action: SessionAction;
  /** Let the script replace a file that is there */
  force?: boolean | undefined;
  /** Where the script goes, for save-script [default: what `open --save-script` said] */
  path?: string | undefined;
}

/** What `session` shows or does. */
export type SessionAction =
  /** The open sessions. */
  | "list"
  /** The folder where state is kept. */
  | "state-dir"
  /** Write the steps recorded so far, and end the recording. */
  | "save-script";

/** What `session` answers. */
export type SessionResult = SessionList | StateDir | Saved;

/** The open sessions. */
export interface SessionList {
  /** By name. */
  sessions: SessionView[];
}

/** An open session. */
export interface SessionView {
  /** What is open. */
  app: string;
  /** A command is running or waiting. */
  busy: boolean;
  /** The device's id. */
  device: string;
  /** Name: the word after `--session`. */
  name: string;
  /** When: ms since 1970-01-01 UTC. */
  openedMs: number;
  /** Where the device lives. */
  platform: Platform;
  /** Last used: ms since 1970-01-01 UTC. */
  usedMs: number;
  /** The folder it was opened from. */
  workspace?: string;
}

/** The folder where state is kept. */
export interface StateDir {
  /** The folder. */
  stateDir: string;
}

/** A script that was written. */
export interface Saved {
  /** What happened on the device meanwhile. */
  notices?: string[];
  /** The variable that stands in the recorded script for what was typed into a field that hides it. */
  recordedAs?: string;
  /** The file. */
  script?: string;
  /** Steps in it. */
  scriptSteps?: number;
  /** Variables that must be given when it is replayed. */
  scriptVariables?: string[];
  /** The session. */
  session: string;
  /** What its reader should know. */
  warnings?: string[];
}

/** What `daemon` takes. Start the daemon, ask what it is, or stop it, closing every session. */
export interface DaemonArgs {
  /** What to do */
  action: DaemonAction;
}

/** What to do with the daemon. */
export type DaemonAction =
  /** Make sure that one runs, and say what it is. */
  | "start"
  /** Close every session and end. */
  | "stop"
  /** Say what it is, where it listens and since when it runs. */
  | "status";

/** What `daemon` answers. */
export type DaemonResult = Running | Stopped;

/** A daemon that runs. */
export interface Running {
  /** Identity of this process: another one cannot answer for what this one was asked. */
  instance: string;
  /** Process id. */
  pid: number;
  /** Always true. */
  running: boolean;
  /** Open sessions. */
  sessions: number;
  /** The Unix socket where it listens. */
  socket: string;
  /** Since when: ms since 1970-01-01 UTC. */
  startedMs: number;
  /** Where it keeps its state. */
  stateDir: string;
  /** Its version: what a client says in `hello`. */
  version: string;
}

/** A daemon that ends. */
export interface Stopped {
  /** Sessions that were closed. */
  sessions: number;
  /** Always true. */
  stopped: boolean;
}

/** A suite's record, and what follows from it. */
export interface SuiteReport {
  /** `agent-device` that ran it. */
  agentDevice: string;
  /** Where the files are, absolute. */
  artifactsDir?: string | null;
  /** How long it took, ms. */
  durationMs: number;
  /** What the program exits with: 0 passed, 1 failed, 2 invalid, 3 incomplete. */
  exitCode: number;
  /** In the order of the command line. */
  flows: FlowRecord[];
  /** Chosen by the runner: names the folder of artifacts. */
  runId: string;
  /** ms since 1970-01-01 UTC. */
  startedAtMs: number;
  /** How many flows ended how. */
  totals: Totals;
  /** Of this schema: 1. */
  version: number;
}

/** One flow of a suite. */
export interface FlowRecord {
  /** All of them, the hidden ones too: none is. */
  attempts: Attempt[];
  /** The file as a person would name it. */
  file: string;
  /** Its name: what the flow says, else the file's. */
  name: string;
  /** How it ended. */
  outcome: Outcome;
  /** Why it was not run or could not be read. */
  reason?: string | null;
  /** Where it ran, in a suite of several shards. */
  shard?: Shard | null;
  /** Its tags. */
  tags?: string[];
}

/** One try of a flow, from a fresh session on. */
export interface Attempt {
  /** Files that it left, absolute: trace, pictures, log, film. */
  artifacts?: string[];
  /** The device it ran on. */
  device?: string | null;
  /** How long it took, ms. */
  durationMs: number;
  /** Why it failed, as `--json` shows failures. */
  failure?: unknown;
  /** From 1 on. */
  number: number;
  /** How it ended. */
  outcome: Outcome;
  /** Its session. */
  session: string;
  /** ms since 1970-01-01 UTC. */
  startedAtMs: number;
  /** Its steps. */
  steps: StepRecord[];
  /** The page that shows it, absolute. */
  trace?: string | null;
}

/** How an attempt or a flow ended. */
export type Outcome =
  /** Every step passed, at the first attempt. */
  | "passed"
  /** Every step passed, but not at the first attempt. Of a flow only. */
  | "flaky"
  /** A step failed. */
  | "failed"
  /** The device, the browser or the daemon failed, not the app: nothing is said of the app. */
  | "infrastructure"
  /** It could not be read; nothing ran. */
  | "invalid"
  /** It was stopped by the caller, or not begun: `--fail-fast`, Ctrl-C. */
  | "notRun";

/** One step. */
export interface StepRecord {
  /** The requests that it made itself. */
  asks?: AskRecord[];
  /** How long it took, ms. */
  durationMs: number;
  /** Why it failed or was let pass, as `--json` shows failures. */
  failure?: unknown;
  /** The file as a person would name it: relative to the caller's folder where it lies below it. */
  file: string;
  /** From 1 on. */
  line: number;
  /** What else is to be said. */
  notes?: string[];
  /** From 1 on, in the order in which they began. */
  number: number;
  /** The step that it is part of. */
  parent?: number | null;
  /** ms since the attempt began. */
  startedMs: number;
  /** How it ended. */
  status: Status;
  /** As a person reads it, without secrets. */
  text: string;
}

/** One request that a step made. */
export interface AskRecord {
  /** The command's name. */
  command: string;
  /** How long it took, ms. */
  durationMs: number;
  /** The failure, as `--json` shows failures: code, message, hint, details with `dispatched`. */
  failure?: unknown;
  /** The request's id: the daemon's timeline and trace know it. */
  requestId: string;
  /** ms since the attempt began. */
  startedMs: number;
  /** Looks until the target was there, where it had to be waited for, and the wait, ms. */
  waited?: number[] | null;
}

/** How a step ended. */
export type Status =
  /** It did what it says. */
  | "passed"
  /** It did not, and the flow ends. */
  | "failed"
  /** It did not, and the flow goes on: it was optional. */
  | "warned"
  /** It was not tried: its condition did not hold, or an earlier step failed. */
  | "skipped";

/** Which shard. */
export interface Shard {
  /** How many there are. */
  count: number;
  /** From 1 on. */
  index: number;
}

/** How many flows ended how. */
export interface Totals {
  /** A step failed. */
  failed: number;
  /** At a later attempt. */
  flaky: number;
  /** All of them. */
  flows: number;
  /** Device, browser or daemon failed. */
  infrastructure: number;
  /** Could not be read. */
  invalid: number;
  /** Stopped, or not begun. */
  notRun: number;
  /** At the first attempt. */
  passed: number;
}

/** Every command with what it takes and what it answers. */
export interface Commands {
  /** List the devices that can be opened. */
  "devices": { args: DevicesArgs; result: DevicesResult };
  /** Show what a device can do, and what it cannot and why. */
  "capabilities": { args: CapabilitiesArgs; result: CapabilitiesResult };
  /** Check this machine: browsers, drivers, folders; the exit code says whether all is well. */
  "doctor": { args: DoctorArgs; result: DoctorResult };
  /** Open an app or a web address, in this session. */
  "open": { args: OpenArgs; result: OpenResult };
  /** Close the app or browser and end the session. */
  "close": { args: CloseArgs; result: CloseResult };
  /** Show the screen as text: what is there, and the refs to act on. */
  "snapshot": { args: SnapshotArgs; result: SnapshotResult };
  /** Show what changed since the last snapshot or diff. */
  "diff": { args: DiffArgs; result: DiffResult };
  /** Save a PNG of the screen. */
  "screenshot": { args: ScreenshotArgs; result: ScreenshotResult };
  /** Press an element or a point. */
  "press": { args: PressArgs; result: PressResult };
  /** Press an element or a point and keep it down. */
  "longpress": { args: LongpressArgs; result: LongpressResult };
  /** Move the pointer over an element or a point. */
  "hover": { args: HoverArgs; result: HoverResult };
  /** Give an element the input focus. */
  "focus": { args: FocusArgs; result: FocusResult };
  /** Replace the content of a field; fails unless the field then holds the text. */
  "fill": { args: FillArgs; result: FillResult };
  /** Type text into whatever has the input focus. */
  "type": { args: TypeArgs; result: TypeResult };
  /** Scroll the page or the container under the middle of the screen. */
  "scroll": { args: ScrollArgs; result: ScrollResult };
  /** Drag a contact from one point to another. */
  "swipe": { args: SwipeArgs; result: SwipeResult };
  /** Pan, fling, pinch, rotate, transform or drag. */
  "gesture": { args: GestureArgs; result: GestureResult };
  /** Read the text or the attributes of an element. */
  "get": { args: GetArgs; result: GetResult };
  /** Check something about an element; fails with exit code 1 where it does not hold. */
  "is": { args: IsArgs; result: IsResult };
  /** Find an element by part of its text or by a selector, and click, read or list it. */
  "find": { args: FindArgs; result: FindResult };
  /** Wait for a time, a text, an element, its absence, or a quiet screen. */
  "wait": { args: WaitArgs; result: WaitResult };
  /** Go back: the browser's history, or the app's back button. */
  "back": { args: BackArgs; result: BackResult };
  /** Go home: the first address of the session, or the app's first screen. */
  "home": { args: HomeArgs; result: HomeResult };
  /** Show the apps that were used last. */
  "app-switcher": { args: AppSwitcherArgs; result: AppSwitcherResult };
  /** Turn the screen. */
  "orientation": { args: OrientationArgs; result: OrientationResult };
  /** Change the size of the viewport. */
  "viewport": { args: ViewportArgs; result: ViewportResult };
  /** Read or answer the dialog that blocks the page or app. */
  "alert": { args: AlertArgs; result: AlertResult };
  /** Say whether the on-screen keyboard is shown, hide it, or press its enter key. */
  "keyboard": { args: KeyboardArgs; result: KeyboardResult };
  /** Read the device's clipboard, or put a text on it. */
  "clipboard": { args: ClipboardArgs; result: ClipboardResult };
  /** Change a setting of the device, or what the app is allowed to do. */
  "settings": { args: SettingsArgs; result: SettingsResult };
  /** Say which app is in front. */
  "appstate": { args: AppstateArgs; result: AppstateResult };
  /** Show or keep what the app writes to the device's log. */
  "logs": { args: LogsArgs; result: LogsResult };
  /** Measure the app: how smoothly it draws, how much memory it takes. */
  "perf": { args: PerfArgs; result: PerfResult };
  /** Film the screen. */
  "record": { args: RecordArgs; result: RecordResult };
  /** Choose files for a file field. */
  "upload": { args: UploadArgs; result: UploadResult };
  /** List what the page saved, and where it is. */
  "downloads": { args: DownloadsArgs; result: DownloadsResult };
  /** List the session's tabs and windows, switch to one or close one. */
  "windows": { args: WindowsArgs; result: WindowsResult };
  /** List the apps on a device. */
  "apps": { args: AppsArgs; result: AppsResult };
  /** Install an app, or a newer version of it; what it has stored stays. */
  "install": { args: InstallArgs; result: InstallResult };
  /** Remove an app with all that it has stored, and install it. */
  "reinstall": { args: ReinstallArgs; result: ReinstallResult };
  /** Copy a file onto the device. */
  "push": { args: PushArgs; result: PushResult };
  /** Copy a file from the device. */
  "pull": { args: PullArgs; result: PullResult };
  /** Start an emulator and wait until it is ready. */
  "boot": { args: BootArgs; result: BootResult };
  /** Shut an emulator down. */
  "shutdown": { args: ShutdownArgs; result: ShutdownResult };
  /** Pair with a phone over Wi-Fi: by a QR code shown here, or by the address and the code that the phone shows. */
  "pair": { args: PairArgs; result: PairResult };
  /** Run several commands in one request, and stop at the first that fails. */
  "batch": { args: BatchArgs; result: BatchResult };
  /** Show the session's timeline. */
  "events": { args: EventsArgs; result: EventsResult };
  /** Keep what every command of this session does: pictures and trees before and after, times, failures. */
  "trace": { args: TraceArgs; result: TraceResult };
  /** List sessions, say where state is kept, or write the recorded steps as a script. */
  "session": { args: SessionArgs; result: SessionResult };
  /** Start the daemon, ask what it is, or stop it, closing every session. */
  "daemon": { args: DaemonArgs; result: DaemonResult };
}

/** The name of a command. */
export type CommandName = keyof Commands;

/** What a command does where an argument has one of these values, or where every step in it does the same. */
export interface EffectRule {
  /** The argument; one that is left out counts as `null`. */
  readonly argument: string;
  /** The values. */
  readonly is?: readonly unknown[];
  /** Instead of values: it is a list of steps, at least one, and each of them has the effect. */
  readonly everyStep?: boolean;
  readonly effect: CommandFacts["effect"];
}

/** What is true of a command apart from its arguments. */
export interface CommandFacts {
  /** Other names it answers to. */
  readonly aliases: readonly string[];
  /** What it does to the app at most: looks only, may act, or speaks of the daemon and the host. */
  readonly effect: "observes" | "mutates" | "manages";
  /** Where that depends on an argument: the first rule that fits. */
  readonly effects: readonly EffectRule[];
  /** Whether it may wait for its target when the request carries `readinessTimeoutMs`. */
  readonly readiness: boolean;
  /** What it needs of a session. */
  readonly session: "none" | "opens" | "open";
  /** How long it may take when nothing is said, ms; the waits that it is asked to make come on top. */
  readonly timeoutMs: number;
  /** Whether it may stand in a batch. */
  readonly batchable: boolean;
}

/** The facts of every command. */
export const COMMANDS: { readonly [Name in CommandName]: CommandFacts } = {
  "devices": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":30000,"batchable":true},
  "capabilities": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":30000,"batchable":true},
  "doctor": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":60000,"batchable":true},
  "open": {"aliases":["launch","goto"],"effect":"mutates","effects":[],"readiness":false,"session":"opens","timeoutMs":90000,"batchable":true},
  "close": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "snapshot": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "diff": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "screenshot": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "press": {"aliases":["click","tap"],"effect":"mutates","effects":[],"readiness":true,"session":"open","timeoutMs":30000,"batchable":true},
  "longpress": {"aliases":["long-press"],"effect":"mutates","effects":[],"readiness":true,"session":"open","timeoutMs":60000,"batchable":true},
  "hover": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "focus": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "fill": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "type": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "scroll": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "swipe": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":90000,"batchable":true},
  "gesture": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "get": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "is": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "find": {"aliases":[],"effect":"mutates","effects":[{"argument":"action","effect":"mutates","is":["click","focus","fill","type"]},{"argument":"action","effect":"observes","is":["exists","list","getText","getAttrs","wait"]}],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "wait": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "back": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "home": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "app-switcher": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "orientation": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "viewport": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "alert": {"aliases":[],"effect":"mutates","effects":[{"argument":"action","effect":"observes","is":["get","wait"]},{"argument":"action","effect":"mutates","is":["accept","dismiss"]}],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "keyboard": {"aliases":[],"effect":"mutates","effects":[{"argument":"action","effect":"observes","is":["status"]},{"argument":"action","effect":"mutates","is":["dismiss","enter"]}],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "clipboard": {"aliases":[],"effect":"mutates","effects":[{"argument":"action","effect":"observes","is":["read"]},{"argument":"action","effect":"mutates","is":["write"]}],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "settings": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "appstate": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "logs": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "perf": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "record": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":60000,"batchable":true},
  "upload": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "downloads": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "windows": {"aliases":[],"effect":"mutates","effects":[{"argument":"close","effect":"observes","is":[null]}],"readiness":false,"session":"open","timeoutMs":30000,"batchable":true},
  "apps": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":30000,"batchable":true},
  "install": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"none","timeoutMs":180000,"batchable":true},
  "reinstall": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"none","timeoutMs":180000,"batchable":true},
  "push": {"aliases":[],"effect":"mutates","effects":[],"readiness":false,"session":"none","timeoutMs":180000,"batchable":true},
  "pull": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":180000,"batchable":true},
  "boot": {"aliases":[],"effect":"manages","effects":[],"readiness":false,"session":"none","timeoutMs":240000,"batchable":true},
  "shutdown": {"aliases":[],"effect":"manages","effects":[],"readiness":false,"session":"none","timeoutMs":60000,"batchable":true},
  "pair": {"aliases":[],"effect":"manages","effects":[],"readiness":false,"session":"none","timeoutMs":120000,"batchable":false},
  "batch": {"aliases":[],"effect":"mutates","effects":[{"argument":"steps","effect":"observes","everyStep":true}],"readiness":false,"session":"open","timeoutMs":600000,"batchable":false},
  "events": {"aliases":[],"effect":"observes","effects":[],"readiness":false,"session":"none","timeoutMs":30000,"batchable":true},
  "trace": {"aliases":[],"effect":"manages","effects":[],"readiness":false,"session":"open","timeoutMs":30000,"batchable":false},
  "session": {"aliases":[],"effect":"manages","effects":[{"argument":"action","effect":"observes","is":["list","state-dir"]},{"argument":"action","effect":"manages","is":["save-script"]}],"readiness":false,"session":"none","timeoutMs":30000,"batchable":false},
  "daemon": {"aliases":[],"effect":"manages","effects":[],"readiness":false,"session":"none","timeoutMs":30000,"batchable":false},
};
