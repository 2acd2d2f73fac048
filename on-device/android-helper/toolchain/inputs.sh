#!/usr/bin/env bash
# inputs.sh : fetches what a build without an Android SDK needs into the cache, checks it, and prints two paths:
# the jar that holds D8, and the android.jar made from AOSP's public API signatures.
# AGENT_DEVICE_CACHE names the cache; the default is agent-device below the user's cache folder.
set -euo pipefail
cd "$(dirname "$0")"
root=${AGENT_DEVICE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/agent-device}
cache=$root/android-toolchain
mkdir -p "$cache" "$root/downloads"
exec 9>"$cache/.lock"; flock 9 # two builds at once fetch once

# The newest D8 that comes with an ordinary package client: inside Google's bundletool, which a wheel carries.
bundletool=$root/downloads/bundletool-all-1.17.2.jar # the Android lab uses it, too
bundletool_sha=2d4ad908faea64047c1cc9cb747e6aa667c6ab192e09607bd16b67246a8cd6ae
# AOSP's signature file of API 29, from the Debian source package android-platform-frameworks-base.
api=$cache/api-29.txt
api_sha=542d4115065177ec3872f4de3757d1d5607411c918ce433e0024713fd8009aee
source=android-platform-frameworks-base
source_version=1:10.0.0+r36-10

same() { [ -f "$1" ] && echo "$2  $1" | sha256sum -c --quiet >/dev/null 2>&1; }
work=$(mktemp -d "$cache/fetch.XXXXXX"); trap 'rm -rf "$work"' EXIT

if ! same "$bundletool" "$bundletool_sha"; then
  echo "fetching D8 (bundletool 1.17.2)" >&2
  python3 -m pip download -q --no-deps -d "$work" mobsf==4.4.0 >&2
  python3 - "$work" <<'PY'
import glob, sys, zipfile
w = sys.argv[1]
with zipfile.ZipFile(glob.glob(w + "/mobsf-4.4.0-*.whl")[0]) as z, open(w + "/jar", "wb") as out:
    out.write(z.read("mobsf/StaticAnalyzer/tools/bundletool-all-1.17.2.jar"))
PY
  same "$work/jar" "$bundletool_sha" || { echo "bundletool-all-1.17.2.jar is not the file that was expected" >&2; exit 1; }
  mv "$work/jar" "$bundletool"
fi

if ! same "$api" "$api_sha"; then
  echo "fetching the API signatures ($source $source_version)" >&2
  # Source packages through a configuration of our own: the machine's is copied with deb-src added, and left as it is.
  mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial"
  for f in /etc/apt/sources.list.d/*.sources; do
    [ -f "$f" ] && sed -E 's/^Types:.*/Types: deb deb-src/' "$f" > "$work/parts/$(basename "$f")"
  done
  for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$f" ] && sed -nE 's/^deb(-src)? (.*)$/deb \2\ndeb-src \2/p' "$f" > "$work/parts/$(basename "$f" .list).list"
  done
  printf '%s\n' 'Dir::Etc::sourcelist "/dev/null";' "Dir::Etc::sourceparts \"$work/parts\";" \
    "Dir::State::lists \"$work/lists\";" "Dir::Cache \"$work/cache\";" 'APT::Sandbox::User "";' > "$work/apt.conf"
  export APT_CONFIG=$work/apt.conf
  apt-get update -q >&2
  (cd "$work" && apt-get source -q --download-only "$source=$source_version" >&2)
  unset APT_CONFIG
  tar xJf "$work/$source"_10.0.0+r36.orig.tar.xz -C "$work" --wildcards '*api/current.txt'
  found=
  for f in $(find "$work" -path '*api/current.txt'); do same "$f" "$api_sha" && found=$f; done
  [ -n "$found" ] || { echo "api/current.txt is not the file that was expected" >&2; exit 1; }
  mv "$found" "$api"
fi

# With java.* too, so that javac refuses what Android's own library lacks.
key=$(cat gen_android_stubs.py api-extra.txt lambda-stubs.txt | sha256sum | cut -c1-16)
jar=$cache/android-29-$key.jar
if [ ! -f "$jar" ]; then
  WITH_JAVA=1 python3 gen_android_stubs.py "$work/android.jar" "$api" api-extra.txt lambda-stubs.txt >&2
  mv "$work/android.jar" "$jar"
fi
printf '%s\n%s\n' "$bundletool" "$jar"
