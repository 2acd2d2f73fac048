//! What an APK says of itself, read with `aapt`.

use std::path::Path;

use tokio::process::Command;

/// What is in an APK's manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Package name.
    pub package: String,
    /// Version code.
    pub version_code: i64,
    /// Version name.
    pub version_name: String,
    /// `android:testOnly`.
    pub test_only: bool,
    /// Lowest Android version.
    pub min_sdk: u32,
    /// Instrumentations: class and target package.
    pub instrumentations: Vec<(String, String)>,
    /// Input method services, as components.
    pub keyboards: Vec<String>,
    /// A hash of the signer's certificate, where it is a v1 signature's.
    pub signer: Option<String>,
}

/// Reads it. `None` for a file that is no APK.
pub async fn read(file: &Path) -> Option<Manifest> {
    let output =
        Command::new("aapt").args(["dump", "xmltree"]).arg(file).arg("AndroidManifest.xml").output().await.ok()?;
    let mut manifest = parse(&String::from_utf8_lossy(&output.stdout));
    if !output.status.success() || manifest.package.is_empty() {
        return None;
    }
    manifest.signer = signer(file).await;
    Some(manifest)
}

/// The tree that `aapt dump xmltree` prints.
fn parse(tree: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let (mut element, mut name, mut target, mut service) = (String::new(), String::new(), String::new(), String::new());
    let full = |package: &str, class: &str| {
        if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() }
    };
    for line in tree.lines().map(str::trim).chain(["E: end"]) {
        if let Some(next) = line.strip_prefix("E: ") {
            if element == "instrumentation" {
                let target = if target.is_empty() { manifest.package.clone() } else { std::mem::take(&mut target) };
                manifest.instrumentations.push((full(&manifest.package, &name), target));
            }
            next.split(' ').next().unwrap_or_default().clone_into(&mut element);
            name.clear();
            continue;
        }
        let Some(attribute) = line.strip_prefix("A: ") else { continue };
        let key = attribute.split(['(', '=']).next().unwrap_or_default();
        let text = attribute.split('"').nth(1).unwrap_or_default();
        let number = || {
            let hex = attribute.rsplit("0x").next().unwrap_or_default();
            i64::from_str_radix(hex, 16).unwrap_or_default()
        };
        match (element.as_str(), key.trim_start_matches("android:")) {
            ("manifest", "package") => text.clone_into(&mut manifest.package),
            ("manifest", "versionCode") => manifest.version_code = number(),
            ("manifest", "versionName") => text.clone_into(&mut manifest.version_name),
            ("uses-sdk", "minSdkVersion") => manifest.min_sdk = u32::try_from(number()).unwrap_or_default(),
            ("application", "testOnly") => manifest.test_only = number() != 0,
            ("instrumentation", "targetPackage") => text.clone_into(&mut target),
            (_, "name") => {
                text.clone_into(&mut name);
                if element == "service" {
                    text.clone_into(&mut service);
                }
                if element == "action" && text == "android.view.InputMethod" {
                    manifest.keyboards.push(format!("{}/{service}", manifest.package));
                }
            }
            _ => {}
        }
    }
    manifest
}

/// A hash of the certificates in the v1 signature; `None` where there is none or no tool to read it.
async fn signer(file: &Path) -> Option<String> {
    let script = "unzip -p \"$1\" 'META-INF/*.RSA' 'META-INF/*.EC' 'META-INF/*.DSA' 2>/dev/null | \
                  openssl pkcs7 -inform DER -print_certs 2>/dev/null | sha256sum";
    let output = Command::new("/bin/sh").args(["-c", script, "signer"]).arg(file).output().await.ok()?;
    let hash = String::from_utf8_lossy(&output.stdout).split(' ').next().unwrap_or_default().to_owned();
    // The hash of nothing.
    (!hash.is_empty() && !hash.starts_with("e3b0c44298fc1c14")).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read() {
        let tree = "N: android=http://schemas.android.com/apk/res/android\n  E: manifest (line=2)\n    \
            A: android:versionCode(0x0101021b)=(type 0x10)0x520d\n    A: android:versionName(0x0101021c)=\"0.21.5\" (Raw: \"0.21.5\")\n    \
            A: package=\"com.example.helper\" (Raw: \"com.example.helper\")\n    E: uses-sdk (line=4)\n      \
            A: android:minSdkVersion(0x0101020c)=(type 0x10)0x17\n    E: application (line=6)\n      \
            A: android:testOnly(0x01010272)=(type 0x12)0xffffffff\n      E: service (line=7)\n        \
            A: android:name(0x01010003)=\".Keys\" (Raw: \".Keys\")\n        E: intent-filter (line=8)\n          E: action (line=9)\n            \
            A: android:name(0x01010003)=\"android.view.InputMethod\" (Raw: \"android.view.InputMethod\")\n    E: instrumentation (line=10)\n      \
            A: android:name(0x01010003)=\".Run\" (Raw: \".Run\")\n      \
            A: android:targetPackage(0x01010021)=\"com.example.helper\" (Raw: \"com.example.helper\")";
        let read = parse(tree);
        assert_eq!(
            (read.package.as_str(), read.version_code, read.version_name.as_str()),
            ("com.example.helper", 21_005, "0.21.5")
        );
        assert!(read.test_only);
        assert_eq!(read.instrumentations, [("com.example.helper.Run".to_owned(), "com.example.helper".to_owned())]);
        assert_eq!(read.keyboards, ["com.example.helper/.Keys"]);
        assert_eq!(read.min_sdk, 23);
    }
}
