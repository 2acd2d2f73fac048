#!/bin/bash
# build.sh BASE D8_JAR OUT : OUT/framework.jar, and OUT/framework-public-inject.jar without the hidden injectInputEvent.
# Compiled against the core library of Android 10 itself (BASE/core.jar), so the double can only use Java that Android has, and an
# android.* class that is missing is a compile error here instead of a surprise at run time.
set -euo pipefail
core=$(realpath "$1")/core.jar d8=$(realpath "$2") out=$(realpath -m "$3"); cd "$(dirname "$0")"; mkdir -p "$out"
w=$(mktemp -d); trap 'rm -rf "$w"' EXIT
one() { # SOURCES JAR
  mkdir "$w/$2"
  javac -nowarn -Xlint:-options -Werror -source 8 -target 8 -bootclasspath "$core" -encoding UTF-8 -d "$w/$2" $(find "$1/fake" "$1/android" -name '*.java')
  java -cp "$d8" com.android.tools.r8.D8 --release --min-api 26 --lib "$core" --output "$out/$2" $(find "$w/$2" -name '*.class')
}
one . framework.jar
cp -r fake android "$w"
sed -i '/HIDDEN-BEGIN/,/HIDDEN-END/d' "$w/android/app/UiAutomation.java"
one "$w" framework-public-inject.jar
