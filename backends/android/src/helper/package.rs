//! The helper packages that are part of this program, and what their manifests say.

use contract::{Code, Failure, Row};
use serde::Deserialize;

/// Manifest and package of everything that was embedded.
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/packages.rs"));

/// Flags of `adb install` that a manifest may ask for. Anything else (a grant of every permission to another user, a
/// path) is not for a manifest to decide.
const ALLOWED_FLAGS: [&str; 4] = ["-r", "-t", "-d", "-g"];

/// What a manifest says of a package. Providers of devices read the same file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// `android-snapshot-helper`.
    pub name: String,
    /// Version name.
    pub version: String,
    /// File name of the package.
    pub asset_name: String,
    /// Where a provider gets it; `None` for what is embedded.
    #[serde(default)]
    pub apk_url: Option<String>,
    /// SHA-256 of the package, 64 hex digits.
    pub sha256: String,
    /// Package name.
    pub package_name: String,
    /// Version code: a lower one on the device is outdated.
    pub version_code: u64,
    /// `package/.Class`, as `am instrument` takes it.
    pub instrumentation_runner: String,
    /// Lowest API level.
    pub min_sdk: u32,
    /// API level it is made for.
    pub target_sdk: u32,
    /// Format of captures.
    pub output_format: String,
    /// Name of the protocol.
    pub status_protocol: String,
    /// `install` and flags.
    #[serde(default = "default_install_args")]
    pub install_args: Vec<String>,
}

fn default_install_args() -> Vec<String> {
    ["install", "-r", "-t"].map(str::to_owned).to_vec()
}

/// Why a manifest cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(pub String);

impl Manifest {
    /// Reads a manifest and holds it to what this host can do.
    ///
    /// # Errors
    /// Not JSON, another protocol, or arguments for the installer outside the list that is allowed.
    pub fn parse(text: &str) -> Result<Self, Unusable> {
        let manifest: Manifest = serde_json::from_str(text).map_err(|why| Unusable(why.to_string()))?;
        if manifest.status_protocol != super::fields::PROTOCOL {
            return Err(Unusable(format!("it speaks another protocol: {}", manifest.status_protocol)));
        }
        if manifest.sha256.len() != 64 || !manifest.sha256.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(Unusable("its sha256 is none".to_owned()));
        }
        manifest.install_flags()?;
        Ok(manifest)
    }

    /// The flags for `adb install`.
    ///
    /// # Errors
    /// Arguments that do not begin with `install`, or a flag outside the list that is allowed.
    pub fn install_flags(&self) -> Result<Vec<&str>, Unusable> {
        let Some(("install", flags)) = self.install_args.split_first().map(|(first, rest)| (first.as_str(), rest))
        else {
            return Err(Unusable("its installArgs do not begin with install".to_owned()));
        };
        match flags.iter().find(|flag| !ALLOWED_FLAGS.contains(&flag.as_str())) {
            Some(flag) => Err(Unusable(format!("its installArgs hold {flag:?}, which is not allowed"))),
            None => Ok(flags.iter().map(String::as_str).collect()),
        }
    }

    /// A package that only installs as one for tests, which some vendors' installers refuse.
    pub fn is_test_only(&self) -> bool {
        self.install_args.iter().any(|flag| flag == "-t")
    }
}

/// A package ready to be installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// What it is.
    pub manifest: Manifest,
    /// Its bytes.
    pub bytes: &'static [u8],
}

/// The packages of this program: the one to install, and the one without the test flag for installers that refuse it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packages {
    /// The one that is installed.
    pub main: Package,
    /// The same without the test flag.
    pub plain: Option<Package>,
}

impl Packages {
    /// The packages that are part of this program.
    ///
    /// # Errors
    /// `helper.install-refused`: none is embedded, or its manifest is of no use.
    pub fn embedded() -> Result<Self, Failure> {
        Self::of(EMBEDDED).map_err(|Unusable(why)| {
            Failure::refused(
                Row::HelperInstallRefused,
                Code::ToolMissing,
                format!("this build has no usable helper: {why}"),
            )
            .reason("helper_not_embedded")
            .hint("build the helper first (on-device/android-helper/build), then this program")
        })
    }

    fn of(embedded: &[(&str, &'static [u8])]) -> Result<Self, Unusable> {
        let mut all = Vec::new();
        for (manifest, bytes) in embedded {
            all.push(Package { manifest: Manifest::parse(manifest)?, bytes });
        }
        let plain = all.iter().position(|package| !package.manifest.is_test_only()).map(|place| all.remove(place));
        match (all.pop(), plain) {
            (Some(main), plain) => Ok(Self { main, plain }),
            (None, Some(main)) => Ok(Self { main, plain: None }),
            (None, None) => Err(Unusable("no package was there when it was built".to_owned())),
        }
    }

    /// All of them, the preferred one first.
    pub fn all(&self) -> impl Iterator<Item = &Package> {
        std::iter::once(&self.main).chain(&self.plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = r#"{"name":"android-snapshot-helper","version":"0.21.5","releaseTag":"v0.21.5",
        "assetName":"agent-device-android-snapshot-helper-0.21.5.apk","apkUrl":null,
        "sha256":"e77b65f5e77b65f5e77b65f5e77b65f5e77b65f5e77b65f5e77b65f5e77b65f5","checksumName":"x.apk.sha256",
        "packageName":"com.callstack.agentdevice.snapshothelper","versionCode":21005,
        "instrumentationRunner":"com.callstack.agentdevice.snapshothelper/.SnapshotInstrumentation",
        "minSdk":23,"targetSdk":36,"outputFormat":"uiautomator-xml","statusProtocol":"android-snapshot-helper-v1"}"#;

    fn with_args(args: &str) -> Result<Manifest, Unusable> {
        Manifest::parse(&SHIPPED.replacen("\"minSdk\"", &format!("\"installArgs\":{args},\"minSdk\""), 1))
    }

    #[test]
    fn a_published_manifest_is_read() {
        let manifest = Manifest::parse(SHIPPED).unwrap();
        assert_eq!((manifest.version_code, manifest.apk_url.as_deref()), (21_005, None));
        assert_eq!(manifest.install_flags().unwrap(), ["-r", "-t"]);
    }

    #[test]
    fn only_listed_flags_reach_the_installer() {
        assert_eq!(with_args(r#"["install","-r"]"#).unwrap().install_flags().unwrap(), ["-r"]);
        assert_eq!(with_args(r#"["install","-d","-g","-t","-r"]"#).unwrap().install_flags().unwrap().len(), 4);
        for args in [
            r#"["-r"]"#,
            "[]",
            r#"["uninstall"]"#,
            r#"["install","--user"]"#,
            r#"["install","-r","/x.apk"]"#,
            r#"["install","-rt"]"#,
            r#"["install",""]"#,
        ] {
            assert!(with_args(args).is_err(), "{args}");
        }
    }

    #[test]
    fn another_protocol_or_a_sum_that_is_none_is_of_no_use() {
        assert!(Manifest::parse(&SHIPPED.replace("helper-v1", "helper-v2")).is_err());
        assert!(Manifest::parse(&SHIPPED.replacen("e77b65f5", "zzzzzzzz", 1)).is_err());
        assert!(Manifest::parse("{}").is_err());
    }

    #[test]
    fn the_test_package_is_preferred_and_the_plain_one_is_kept_for_refusals() {
        let plain = SHIPPED.replacen("\"minSdk\"", r#""installArgs":["install","-r"],"minSdk""#, 1);
        let both = Packages::of(&[(&plain, b"plain"), (SHIPPED, b"test")]).unwrap();
        assert_eq!((both.main.bytes, both.plain.unwrap().bytes), (b"test".as_slice(), b"plain".as_slice()));
        let one = Packages::of(&[(&plain, b"plain")]).unwrap();
        assert_eq!((one.main.bytes, one.plain), (b"plain".as_slice(), None));
        assert!(Packages::of(&[]).is_err());
    }

    #[test]
    fn what_is_embedded_is_what_its_manifest_says() {
        for (manifest, bytes) in EMBEDDED {
            let manifest = Manifest::parse(manifest).unwrap();
            assert!(bytes.starts_with(b"PK"), "{} is no package", manifest.asset_name);
            assert_eq!(sha256(bytes), manifest.sha256, "{}", manifest.asset_name);
        }
    }

    /// By the system's own program: nothing else here needs the sum.
    fn sha256(bytes: &[u8]) -> String {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        let said = std::process::Command::new("sha256sum").arg(file.path()).output().unwrap();
        String::from_utf8(said.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
    }
}
