#!/bin/sh
# Makes the two font files beside this script from the Debian package fonts-dejavu-core (2.37-6), and checks them.
#
# Needs: fonts-dejavu-core (apt), fonttools 4.x (pip install fonttools).
# usage: ./subset-fonts.sh [folder with the full fonts]
set -eu
cd "$(dirname "$0")"
from="${1:-/usr/share/fonts/truetype/dejavu}"
# Latin, Greek, Cyrillic, punctuation, currency, arrows, and the few symbols that the widgets draw.
characters="U+0020-007E,U+00A0-017F,U+0192,U+0218-021B,U+02C6-02DC,U+0384-03CE,U+0400-045F,U+0490-0491,\
U+1E9E,U+2010-2027,U+202F-203A,U+20AC,U+20BF,U+2116,U+2122,U+2190-2199,U+21A9-21AA,U+21B5,U+21E7,U+2212,U+2215,\
U+221E,U+2248,U+2260,U+2264-2265,U+2302,U+232B,U+25A0-25A1,U+25B2-25B3,U+25B6,U+25BC,U+25C0,U+25CB,U+25CF,\
U+2605-2606,U+2611-2612,U+2639-263A,U+2665,U+2699,U+2713-2717,U+FFFD"
for face in DejaVuSans DejaVuSans-Bold; do
    pyftsubset "$from/$face.ttf" --output-file="$face.ttf" --unicodes="$characters" \
        --layout-features='' --no-hinting --desubroutinize --drop-tables+=FFTM,GDEF,GPOS,GSUB,kern,DSIG \
        --name-IDs='0,1,2,3,4,5,6,13,14' --no-recalc-timestamp
done
sha256sum -c SHA256SUMS
