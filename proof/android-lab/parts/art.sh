#!/bin/bash
# Real Android Runtime (ART 11, interpreter) on this Debian 12 machine: Debian's android-libart, a core library from Debian's source of
# Android 10, D8.  usage: art.sh WORK OUT ; result: OUT/art/dalvikvm.sh [-cp X.dex|.jar|.apk] MainClass args... ; OUT/core.jar for javac
# (DOWNLOADS, PARTS in the environment)
set -euo pipefail
mkdir -p "$1" "$2"; W=$(realpath "$1"); OUT=$(realpath "$2"); H=${PARTS:?}; BT=$DOWNLOADS/bundletool-all-1.17.2.jar; cd "$W"
"$H/fetch" d8
L=/usr/lib/x86_64-linux-gnu/android
# 1. sources
rm -rf libcore icu bssl nobj art; mkdir libcore icu bssl nobj art art/framework art/data
tar xf "$DOWNLOADS/android-platform-libcore_10.0.0+r36.orig.tar.gz" -C libcore
dpkg -x "$DOWNLOADS/libicu4j-java_72.1-1_all.deb" icu/x; dpkg -x "$DOWNLOADS/android-libboringssl-dev_13.0.0+r24-2_amd64.deb" bssl
python3 "$H/patch_libcore.py" libcore
# 2. android.icu = icu4j with its package renamed (same length, so a byte replace in the class files is enough)
mkdir icu/cls && (cd icu/cls && unzip -q ../x/usr/share/java/icu4j.jar)
python3 - <<'P'
import os
for d, _, fs in os.walk('icu/cls/com/ibm/icu'):
    for f in fs:
        if f.endswith('.class'):
            p = os.path.join(d, f); b = open(p, 'rb').read().replace(b'com/ibm/icu', b'android/icu').replace(b'com.ibm.icu', b'android.icu')
            q = p.replace('icu/cls/com/ibm/icu', 'icu/out/android/icu'); os.makedirs(os.path.dirname(q), exist_ok=True); open(q, 'wb').write(b)
P
(cd icu/out && zip -q -r ../icu.jar .)
# 3. core library: javac -> d8 -> boot class path jars
rm -rf oj core.jar; mkdir oj
(cd libcore && javac -proc:none -nowarn -XDignore.symbol.file -source 8 -target 8 -bootclasspath ../icu/out -d ../oj @files.txt 2>../javac.log) || { grep -A2 error: javac.log; exit 1; }
(cd oj && zip -q -r ../core.jar .)
dex() { rm -rf d; mkdir d; java -Xmx3g -cp "$BT" com.android.tools.r8.D8 --release --min-api 29 --lib "$2" --output d "$1" 2>&1 | grep -v '^Warning' || true; (cd d && zip -q -0 t.zip classes*.dex && zipalign -f 4 t.zip "$3"); }
dex core.jar icu/icu.jar "$W/art/framework/core-oj.jar"; dex icu/icu.jar core.jar "$W/icu4j-dex.jar"
mkdir -p icu/res/android/icu && (cd icu/cls/com/ibm/icu && find . -type f ! -name '*.class' | cpio -pdm --quiet ../../../../res/android/icu)   # locale data: String.format needs it
(cd icu/res && zip -q -r "$W/icu4j-dex.jar" android) && zipalign -f 4 icu4j-dex.jar art/framework/core-icu4j.jar
# 4. native halves of the core library
I="-I/usr/include/android -I/usr/include/android/nativehelper -I$H/inc -I$W/bssl/usr/include/android -Iluni/src/main/native -Iojluni/src/main/native"
cd libcore
for f in luni/src/main/native/*.cpp $(ls ojluni/src/main/native/*.cpp | grep -v /Register.cpp) ojluni/src/main/native/*.c; do
  b=../nobj/${f%%/*}_$(basename $f).o
  case $f in *.c) C="gcc -std=gnu11";; *) C="g++ -std=gnu++17";; esac
  echo "$C -fPIC -O1 -w -D_GNU_SOURCE -DLINUX -Dstrlcpy=__lab_strlcpy -include $H/inc/compat.h $I -c $f -o $b"
done | xargs -P "$(nproc)" -I{} sh -c '{}'
cd ..
gcc -fPIC -w -I/usr/include/android/nativehelper -c "$H/jvmstub.c" -o nobj/jvmstub.o
g++ -shared -o art/libjavacore.so nobj/luni_*.o -Wl,--no-undefined -L$L -Wl,-rpath,$L -lnativehelper -llog -lbase -licuuc -licui18n -lexpat -lz -lcap $L/libcrypto.so.0
g++ -shared -o art/libopenjdk.so nobj/ojluni_*.o nobj/jvmstub.o nobj/luni_AsynchronousCloseMonitor.cpp.o -Wl,--no-undefined -L$L -Wl,-rpath,$L -lnativehelper -llog -lbase -licuuc -lz -lm
gcc -shared -fPIC -w -o art/libicu_jni.so "$H/icujni.c"
J=$(dirname $(dirname $(readlink -f $(which javac)))); gcc -I$J/include -I$J/include/linux "$H/dalvikvm.c" -o art/dalvikvm -ldl
cat > art/dalvikvm.sh <<'S'
#!/bin/bash
A=$(cd "$(dirname "$0")" && pwd); L=/usr/lib/x86_64-linux-gnu/android
export ANDROID_ROOT=$A ANDROID_DATA=$A/data ANDROID_I18N_ROOT=$A ANDROID_ART_ROOT=$A ANDROID_RUNTIME_ROOT=$A ANDROID_TZDATA_ROOT=$A LD_LIBRARY_PATH=$A:$L
LD_PRELOAD=${LAB_PATHS:+$LAB_PATHS:}/usr/lib/x86_64-linux-gnu/liblz4.so.1:$L/libsigchain.so.0:$L/libbacktrace.so.0:$L/libziparchive.so.0:$L/libnativeloader.so.0:$L/libnativebridge.so.0:$L/libbase.so.0:$L/liblog.so.0:$L/libcutils.so.0 exec "$A/dalvikvm" -Xbootclasspath:$A/framework/core-oj.jar:$A/framework/core-icu4j.jar -Xint -Xverify:all -Xnorelocate "$@"
S
chmod +x art/dalvikvm.sh; rm -rf "$OUT/art"; mv art "$OUT/art"; mv core.jar "$OUT/core.jar"
