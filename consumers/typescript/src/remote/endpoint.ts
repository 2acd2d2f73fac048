/** Where the device host is, and the token for it. */

import { readFileSync } from "node:fs";
import process from "node:process";

import { refused } from "../errors.js";
import { type Environment, wrong } from "../options.js";
import type { Endpoint } from "./http.js";

/** The address and the token, as given and as the environment says. */
export function endpoint(address: string, token: string | undefined, environment: Environment = process.env): Endpoint {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw wrong(`${JSON.stringify(address)} is no address`, "http://HOST:PORT or https://HOST[:PORT]");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw wrong(`${url.protocol} is no protocol of a device host`, "http: or https:");
  if (url.username || url.password) throw wrong("the address of a device host holds no password", "give the token: the option token, or AGENT_DEVICE_TOKEN");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && environment["AGENT_DEVICE_ALLOW_HTTP"] !== "1") {
    throw wrong(
      `the token would travel to ${url.hostname} for everybody to read`,
      "use https:, a tunnel to this machine, or AGENT_DEVICE_ALLOW_HTTP=1 where something else keeps the line private",
    );
  }
  return { url, token: tokenOf(token, environment) };
}

function tokenOf(given: string | undefined, environment: Environment): string {
  const told = given || environment["AGENT_DEVICE_TOKEN"];
  const file = environment["AGENT_DEVICE_TOKEN_FILE"];
  let token = told ?? "";
  if (!told && file) {
    try {
      token = readFileSync(file, "utf8").replace(/\r?\n$/, "");
    } catch (why) {
      throw refused("INVALID_ARGS", `the token file cannot be read: ${(why as Error).message}`, { row: "client.usage", reason: "file_unreadable", cause: why });
    }
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw wrong(token ? "the token has signs that no header can hold" : "a device host needs a token", "the option token, AGENT_DEVICE_TOKEN or AGENT_DEVICE_TOKEN_FILE");
  }
  return token;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d+){3}$/.test(host);
}
