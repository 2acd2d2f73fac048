/** The examples' own daemon: in a folder of theirs, stopped with all its sessions when they are done. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), "ade-"));
  process.env["AGENT_DEVICE_STATE_DIR"] = folder;
  return () => {
    execFileSync(process.env["AGENT_DEVICE_BINARY"] ?? "agent-device", ["daemon", "stop"], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  };
}
