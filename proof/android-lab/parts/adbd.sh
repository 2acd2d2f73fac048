#!/bin/bash
# Real adbd 29.0.6 for this Linux machine, from Debian's source package, and the library that gives it and its shells a file system and
# a loopback of their own.  usage: adbd.sh WORK OUT   (DOWNLOADS, PARTS in the environment)
set -euo pipefail
mkdir -p "$1" "$2"; W=$(realpath "$1"); OUT=$(realpath "$2"); cd "$W"; L=/usr/lib/x86_64-linux-gnu/android
mkdir bssl src deb o; dpkg -x "$DOWNLOADS"/android-libboringssl-dev_13.0.0+r24-2_amd64.deb bssl
tar xzf "$DOWNLOADS/android-platform-tools_29.0.6.orig.tar.gz" -C src --strip-components=1 --wildcards '*/system/core/*' '*/frameworks/native/libs/adbd_auth/*'
tar xJf "$DOWNLOADS/android-platform-tools_29.0.6-28.debian.tar.xz" -C deb
cd src; for p in $(grep -E '^system/|^cve/' ../deb/debian/patches/series); do patch -p1 -s -f < ../deb/debian/patches/$p >/dev/null 2>&1 || true; done
cd system/core
sed -i 's#define THREAD_ANNOTATION_ATTRIBUTE__(x) .*#define THREAD_ANNOTATION_ATTRIBUTE__(x)#' base/include/android-base/thread_annotations.h
# No abb service, no APEX, no remount here: a feature that is advertised is used.
sed -i '/const FeatureSet& supported_features/,/^}/{/kFeatureAbb,/d;/kFeatureAbbExec,/d;/kFeatureApex,/d;/kFeatureRemountShell/d}' adb/transport.cpp
mkdir -p inc; echo '#define PLATFORM_TOOLS_VERSION "29.0.6"' > inc/platform_tools_version.h
cat > inc/shim.h <<'S'
#pragma once
#define PLATFORM_TOOLS_VERSION "29.0.6"
#ifdef __cplusplus
#include <atomic>
#include <optional>
#include <cstdint>
static inline void fs_config(const char*, int, const char*, unsigned*, unsigned*, unsigned*, uint64_t*) {}
#endif
S
INC="-Iinc -Iadb -Iadb/daemon/include -Iadb/adbconnection/include -Ibase/include -Iinclude -Ilibcutils/include -Iliblog/include -Ilibasyncio/include -Ilibcrypto_utils/include -Idiagnose_usb/include -I../../frameworks/native/libs/adbd_auth/include -I$W/bssl/usr/include/android -I/usr/include/android"
F="-O1 -w -fPIC -include inc/shim.h -D_GNU_SOURCE -DADB_HOST=0 -DALLOW_ADBD_ROOT=0 -DALLOW_ADBD_DISABLE_VERITY=0 -DALLOW_ADBD_NO_AUTH=1 $INC"
n=0; for f in adb/{adb,adb_io,adb_listeners,adb_trace,adb_unique_fd,adb_utils,services,sockets,socket_spec,transport,transport_fd,transport_local,transport_usb,types,sysdeps_unix,shell_service_protocol}.cpp adb/fdevent/{fdevent,fdevent_poll,fdevent_epoll}.cpp adb/sysdeps/errno.cpp adb/sysdeps/posix/network.cpp adb/daemon/{auth,jdwp_service,usb_dummy,file_sync_service,services,shell_service,main}.cpp adb/adbconnection/adbconnection_server.cpp libasyncio/AsyncIO.cpp diagnose_usb/diagnose_usb.cpp ../../frameworks/native/libs/adbd_auth/adbd_auth.cpp; do
  n=$((n+1)); echo "g++ -std=gnu++2a $F -c $f -o $W/o/$n.o"; done | xargs -P "$(nproc)" -I{} sh -c '{}'
gcc $F -c libcrypto_utils/android_pubkey.c -o "$W/o/pubkey.o"
g++ -o "$OUT/adbd" "$W"/o/*.o -L$L -Wl,-rpath,$L -lbase -lcutils -llog $L/libcrypto.so.0 -lresolv -lutil -lpthread
