#!/usr/bin/env python3
"""pack.py BASE.apk OUT.apk NAME=FILE ... : the entries of BASE and the named files, sorted, stored, with one fixed date.

Nothing is compressed, so that the bytes depend on no compressor's version; Android wants resources.arsc stored anyway.
"""
import sys
import zipfile

DATE = (1980, 1, 1, 0, 0, 0)


def main():
    base, out, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    with zipfile.ZipFile(base) as z:
        entries = {n: z.read(n) for n in z.namelist()}
    for spec in files:
        name, path = spec.split("=", 1)
        with open(path, "rb") as f:
            entries[name] = f.read()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for name in sorted(entries):
            info = zipfile.ZipInfo(name, DATE)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            z.writestr(info, entries[name])


main()
