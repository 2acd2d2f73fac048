#!/usr/bin/env bash
# Fetches the tools that `bench compare` measures against into a folder outside the repository:
#   proof/bench/peers.sh DIR
# then: AGENT_DEVICE_BENCH_PEERS=DIR cargo run --release -p bench -- compare
#
# It takes npm 9 or later, and Debian's chromium (the peers drive the same browser as we do; nothing is downloaded for it).
set -euo pipefail

NODE=24.21.0            # web automation of agent-device wants node 24; the package holds the real binary
AGENT_DEVICE=0.21.5
AGENT_BROWSER=0.27.1    # the version that agent-device 0.21.5 asks for

[ $# -eq 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
command -v npm >/dev/null || { echo "missing: npm" >&2; exit 1; }
mkdir -p "$1"
dir="$(cd "$1" && pwd)"
repository="$(cd "$(dirname "$0")/../.." && pwd)"
case "$dir/" in "$repository"/*) echo "choose a folder outside the repository" >&2; exit 2 ;; esac

fetch() { # folder, package, version: kept if it is there already
  local at="$1" package="$2" version="$3" have
  have="$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$at/node_modules/$package/package.json" 2>/dev/null || true)"
  if [ "$have" != "$version" ]; then
    mkdir -p "$at"
    npm install --prefix "$at" --no-audit --no-fund --no-save --loglevel=error "$package@$version" >&2
  fi
}

fetch "$dir/node" node "$NODE"
fetch "$dir/agent-device" agent-device "$AGENT_DEVICE"
# Where agent-device itself would put it (`agent-device web setup`, which then wants to download a browser).
tool="$dir/home/.agent-device/tools/agent-browser/$AGENT_BROWSER"
fetch "$tool/package" agent-browser "$AGENT_BROWSER"

node="$dir/node/node_modules/node/bin/node"
native="$tool/package/node_modules/agent-browser/bin/agent-browser-linux-$(uname -m | sed 's/x86_64/x64/; s/aarch64/arm64/')"
chmod +x "$native"
printf '{"package":"agent-browser","version":"%s","node":"v%s","installedAt":"%s"}\n' \
  "$AGENT_BROWSER" "$NODE" "$(date -u +%Y-%m-%dT%H:%M:%S.000Z)" > "$tool/manifest.json"
# Fixed names for the bench.
ln -sfn "$node" "$dir/node.bin"
ln -sfn "$dir/agent-device/node_modules/agent-device/bin/agent-device.mjs" "$dir/agent-device.mjs"
ln -sfn "$native" "$dir/agent-browser.bin"

check() { # what, expected, found
  [ "$2" = "$3" ] || { echo "$1: expected $2, found ${3:-nothing}" >&2; exit 1; }
  echo "$1 $3"
}
check node "v$NODE" "$("$dir/node.bin" --version)"
check agent-device "$AGENT_DEVICE" \
  "$(HOME="$dir/home" AGENT_DEVICE_NO_UPDATE_NOTIFIER=1 "$dir/node.bin" "$dir/agent-device/node_modules/agent-device/bin/agent-device.mjs" --version)"
check agent-browser "agent-browser $AGENT_BROWSER" "$("$dir/agent-browser.bin" --version)"
echo "ready: export AGENT_DEVICE_BENCH_PEERS=$dir"
