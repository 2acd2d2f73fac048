/**
 * What only the caller's side knows: its folder and its files. The daemon lives elsewhere, so paths go out absolute, and what
 * stands in a file is read here. The same rules as the program's (consumers/caller).
 */

import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import { isObject, refused } from "./errors.js";
import { wrong } from "./options.js";

/** Extensions of files that a browser opens. */
const PAGES = ["html", "htm", "xhtml", "svg", "pdf", "txt", "md", "json", "xml", "png", "jpg", "jpeg", "gif", "webp"];

type Args = Record<string, unknown>;

/** The arguments of a command as they are sent. Relative paths lie in `folder`. */
export async function resolvePaths(command: string, args: Args, folder: string): Promise<Args> {
  const whole = (value: unknown) => path.resolve(folder, String(value));
  switch (command) {
    case "open": {
      const sent = { ...args };
      const driver = process.env["AGENT_DEVICE_WEBDRIVER_URL"];
      if (driver && sent["driverUrl"] === undefined) sent["driverUrl"] = driver;
      if (typeof sent["app"] === "string") sent["app"] = await opened(sent["app"], folder);
      if (typeof sent["saveScript"] === "string") sent["saveScript"] = await script(sent["saveScript"], folder, sent["force"] === true);
      if (typeof sent["capabilities"] === "string") sent["capabilities"] = await capabilities(sent["capabilities"], folder);
      return sent;
    }
    case "upload":
      return Array.isArray(args["files"]) ? { ...args, files: args["files"].map(whole) } : args;
    case "install":
    case "reinstall":
    case "push":
      return typeof args["path"] === "string" ? { ...args, path: whole(args["path"]) } : args;
    case "pull": {
      const name = String(args["from"] ?? "").split("/").findLast((part) => part !== "") ?? "pulled";
      const given = whole(args["path"] ?? name);
      return { ...args, path: await writable((await isFolder(given)) ? path.join(given, name) : given) };
    }
    case "record":
      if (args["action"] !== "start") return args;
      return { ...args, path: await writable(whole(args["path"] ?? `film-${Date.now()}.mp4`)) };
    case "screenshot": {
      const { path: second, out, ...rest } = args;
      return { ...rest, out: await writable(whole(out ?? second ?? `screenshot-${Date.now()}.png`)) };
    }
    case "session":
      if (args["action"] !== "save-script" || typeof args["path"] !== "string") return args;
      return { ...args, path: await script(args["path"], folder, args["force"] === true) };
    case "batch":
      if (!Array.isArray(args["steps"])) return args;
      return { ...args, steps: await Promise.all(args["steps"].map((step: unknown) => resolveStep(step, folder))) };
    default:
      return args;
  }
}

/** A step that is a line is read by the daemon, which takes whole paths only. */
async function resolveStep(step: unknown, folder: string): Promise<unknown> {
  if (!isObject(step) || typeof step["command"] !== "string") return step;
  return { ...step, args: await resolvePaths(step["command"], isObject(step["args"]) ? step["args"] : {}, folder) };
}

/** An app as it is sent: files with their whole path, pages on disk as addresses. */
async function opened(app: string, folder: string): Promise<string> {
  const file = path.resolve(folder, app);
  const extension = path.extname(file).slice(1).toLowerCase();
  const isPage = PAGES.includes(extension);
  if (app.includes("://") || (!(await isFile(file)) && extension !== "toml")) {
    // Written as a path, so no address is meant: example.org/a.html may be one.
    if (isPage && !app.includes("://") && /^[./]/.test(app)) {
      throw refused("INVALID_ARGS", `there is no file ${app}`, {
        row: "client.usage",
        reason: "file_unreadable",
        hint: "name a file that exists, or an address: http://...",
      });
    }
    return app;
  }
  return isPage ? pathToFileURL(file).href : file;
}

/** Where a recorded script goes: a file, or a folder in which the daemon names it after the session. */
async function script(given: string, folder: string, force: boolean): Promise<string> {
  const file = path.resolve(folder, given || ".");
  // A file that is there is the daemon's to refuse, under its own name for it.
  if (!(await isFolder(file)) && (force || !(await isFile(file)))) await writable(file);
  return file;
}

async function capabilities(given: string, folder: string): Promise<unknown> {
  const file = given.startsWith("@") ? given.slice(1) : undefined;
  const text = file === undefined ? given : await readFile(path.resolve(folder, file), "utf8").catch((why: Error) => {
    throw refused("INVALID_ARGS", `${file}: ${why.message}`, { row: "client.usage", reason: "file_unreadable", cause: why });
  });
  try {
    return JSON.parse(text);
  } catch (why) {
    throw wrong(`${file ?? "capabilities"}: this is no JSON: ${(why as Error).message}`);
  }
}

/** Refuses a file that could not be written in the end, before the request is made. */
export async function writable(file: string): Promise<string> {
  const refuse = (why: string) =>
    refused("STORAGE_FAILED", `${file}: ${why}`, {
      row: "client.output-unwritable",
      reason: "file_unwritable",
      hint: "name a file in a folder that exists and can be written",
    });
  if (await isFolder(file)) throw refuse("is a folder");
  const folder = path.dirname(file);
  const facts = await stat(folder).catch((why: Error) => {
    throw refuse(`its folder: ${why.message}`);
  });
  if (!facts.isDirectory()) throw refuse("its parent is no folder");
  await access(folder, constants.W_OK).catch(() => {
    throw refuse("its folder cannot be written");
  });
  return file;
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then((facts) => facts.isFile(), () => false);
}

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then((facts) => facts.isDirectory(), () => false);
}
