//! A package file, read on this side: what it is called, before it is installed.
//!
//! | module | answers |
//! | --- | --- |
//! | [`zip`] | one file out of a zip archive |
//! | [`manifest`] | the package's name in Android's binary XML |

pub mod manifest;
pub mod zip;

use std::{fs::File, io, path::Path};

use contract::{Code, Failure, Row};

/// The package's id.
///
/// # Errors
/// `android.package-unreadable` for what is missing, no APK, or a bundle of several.
pub fn id(path: &Path) -> Result<String, Failure> {
    let unreadable = |why: &str| {
        Failure::refused(Row::AndroidPackageUnreadable, Code::InvalidArgs, format!("{}: {why}", path.display()))
            .reason("package_unreadable")
            .hint("give the path of an .apk file")
    };
    let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    if matches!(extension.as_str(), "aab" | "apks" | "xapk" | "apkm") {
        return Err(unreadable("a bundle, which a device does not take as it is")
            .hint("make one APK of it: bundletool build-apks --mode=universal, then install universal.apk"));
    }
    let mut file = File::open(path).map_err(|why| unreadable(&why.to_string()))?;
    let manifest = zip::entry(&mut file, "AndroidManifest.xml").map_err(|why| match why.kind() {
        io::ErrorKind::NotFound => unreadable("a zip archive without a manifest, so no app"),
        _ => unreadable(&format!("no package ({why})")),
    })?;
    manifest::package(&manifest).ok_or_else(|| unreadable("its manifest cannot be read"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_package_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, said) in [
            ("none.apk", None, "No such file"),
            ("text.apk", Some("hello"), "no package"),
            ("app.aab", Some("PK"), "a bundle"),
            ("empty.apk", Some("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), "without a manifest"),
        ] {
            let path = folder.path().join(name);
            if let Some(content) = content {
                std::fs::write(&path, content).unwrap();
            }
            let failure = id(&path).unwrap_err();
            assert!(failure.message.contains(said), "{name}: {}", failure.message);
            assert_eq!(failure.claim().unwrap().row, Row::AndroidPackageUnreadable);
        }
    }
}
