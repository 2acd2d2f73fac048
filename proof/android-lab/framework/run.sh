#!/bin/bash
# run.sh APK CLASS SCENE TRACE [KEY VALUE]... : what `am instrument -w -e KEY VALUE ... pkg/CLASS` prints, the APK's dex running on ART.
# The windows come from a scene file instead of a device. FRAMEWORK: another jar name, e.g. framework-public-inject.jar
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab=${LAB:-$("$here/../parts/build")} || exit
apk=$1 class=$2; shift 2
LAB_SCENE=$1 LAB_TRACE=$2; shift 2; export LAB_SCENE LAB_TRACE
exec "$lab/art/dalvikvm.sh" -cp "$lab/${FRAMEWORK:-framework.jar}:$apk" fake.Am "$class" "$@" 2>/dev/null
