#!/bin/sh
# Rebuilds dom-accessibility-api.js from the npm package, byte for byte, and checks it against SHA256SUMS.
#
#   ./build.sh           build in a scratch folder and compare
#   ./build.sh --write   replace the files here (after a deliberate change of a version below)
#
# Needs npm and a registry. Everything else that ends up here comes out of the two packages named below.
set -eu

PACKAGE=dom-accessibility-api@0.7.1
PACKAGE_SHA512=sha512-vdnCeZD+3wZ+8h8xXL/ZtBlvvoobOFyPzSiIfO6sGOZDqjFx4aLMAjZhl4rawj5xYz3UwP6Tgvyh0iH4IOCVnQ==
ESBUILD=esbuild@0.28.2

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

printf '{"private":true}\n' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts "$PACKAGE" "$ESBUILD"

got=$(npm ls --json --long dom-accessibility-api 2>/dev/null | sed -n 's/.*"integrity": "\(sha512-[^"]*\)".*/\1/p' | head -n 1)
[ -n "$got" ] || got=$(sed -n '/"node_modules\/dom-accessibility-api"/,/}/s/.*"integrity": "\(sha512-[^"]*\)".*/\1/p' package-lock.json)
if [ "$got" != "$PACKAGE_SHA512" ]; then
  echo "the registry serves another $PACKAGE: $got" >&2
  exit 1
fi

printf 'export { computeAccessibleName, computeAccessibleDescription } from "dom-accessibility-api";\n' > entry.js
node_modules/.bin/esbuild entry.js --bundle --format=iife --global-name=DomAccessibilityApi --target=es2020 --charset=utf8 \
  --legal-comments=inline --banner:js="/* dom-accessibility-api 0.7.1, MIT, see LICENSE. Built by build.sh: do not edit. */" \
  --log-level=warning --outfile=dom-accessibility-api.js
cp node_modules/dom-accessibility-api/LICENSE* LICENSE

if [ "${1:-}" = --write ]; then
  cp dom-accessibility-api.js LICENSE "$here/"
  (cd "$here" && sha256sum dom-accessibility-api.js LICENSE > SHA256SUMS)
fi
cp "$here/SHA256SUMS" .
sha256sum --check --strict SHA256SUMS
