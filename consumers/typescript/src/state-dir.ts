/** Where the daemon keeps its state, and where it listens. The same rules as the program's. */

import { chmod, lstat, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import process from "node:process";

import type { Environment } from "./options.js";

/** The longest path a Unix socket can have on every platform, bytes. */
const SOCKET_PATH_LIMIT = 103;

/** The given folder, else that of the environment, else the platform's. */
export function stateDir(given: string | undefined, environment: Environment = process.env): string {
  const variable = (name: string) => environment[name] || undefined;
  const chosen = given || variable("AGENT_DEVICE_STATE_DIR");
  if (chosen !== undefined) return path.resolve(chosen);
  const xdg = variable("XDG_STATE_HOME");
  if (xdg !== undefined && path.isAbsolute(xdg)) return path.join(xdg, "agent-device");
  const home = variable("HOME") ?? homedir();
  const under = process.platform === "darwin" ? "Library/Application Support" : ".local/state";
  return path.resolve(home, under, "agent-device");
}

/** The socket of a state folder. One whose path is too long for a socket has it in the system's folder for temporary files. */
export function socketPath(folder: string): string {
  const here = path.join(folder, "daemon.sock");
  if (Buffer.byteLength(here) <= SOCKET_PATH_LIMIT) return here;
  const user = process.geteuid?.() ?? 0;
  return path.join(`/tmp/agent-device-${user}`, `${fnv(Buffer.from(folder)).toString(16).padStart(16, "0")}.sock`);
}

/**
 * Makes sure that nobody else can have put a socket into a folder: what is typed would go to them.
 *
 * Says what is wrong with it; throws what the system says where it cannot be looked at.
 */
export async function strangers(folder: string): Promise<string | undefined> {
  const me = process.geteuid?.();
  const [itself, behind] = await Promise.all([lstat(folder), stat(folder)]);
  if (itself.uid !== me) return `${folder} belongs to another user`;
  if (behind.uid !== me) return `${folder} leads to a folder of another user`;
  if (!behind.isDirectory()) return `${folder} is no folder`;
  if ((behind.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return undefined;
}

/** The name that the daemon gives to the session of a workspace. */
export function sessionOf(workspace: string): string {
  const last = workspace.split("/").findLast((part) => part !== "") ?? "root";
  return `${last}-${BigInt.asUintN(32, fnv(Buffer.from(workspace))).toString(16).padStart(8, "0")}`;
}

/** FNV-1a, 64 bits. */
function fnv(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}
