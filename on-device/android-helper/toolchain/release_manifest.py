#!/usr/bin/env python3
"""release_manifest.py APK VERSION VERSION_CODE INSTALL_ARGS : writes APK.sha256 and the release manifest beside APK."""
import hashlib
import json
import os
import sys

PACKAGE = "com.callstack.agentdevice.snapshothelper"


def main():
    apk, version, code, args = sys.argv[1:]
    name = os.path.basename(apk)
    with open(apk, "rb") as f:
        digest = hashlib.sha256(f.read()).hexdigest()
    with open(apk + ".sha256", "w", encoding="utf-8") as f:
        f.write("%s  %s\n" % (digest, name))
    manifest = {
        "name": "android-snapshot-helper",
        "version": version,
        "releaseTag": "v" + version,
        "assetName": name,
        "apkUrl": None,
        "sha256": digest,
        "checksumName": name + ".sha256",
        "packageName": PACKAGE,
        "versionCode": int(code),
        "instrumentationRunner": PACKAGE + "/.SnapshotInstrumentation",
        "minSdk": 23,
        "targetSdk": 36,
        "outputFormat": "uiautomator-xml",
        "statusProtocol": "android-snapshot-helper-v1",
        "installArgs": args.split(),
        "serviceComponent": PACKAGE + "/.TestInputMethodService",
        "broadcastProtocol": "android-ime-helper-v1",
    }
    with open(apk[: -len(".apk")] + ".manifest.json", "w", encoding="utf-8") as f:
        json.dump(manifest, f, indent=2)
        f.write("\n")


main()
