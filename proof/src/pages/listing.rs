//! Which pages there are, where they come from, which differences are known.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

/// Where an archive comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// `npm pack`. A version is never replaced.
    Npm,
    /// `pip download`. A version is never replaced.
    Pypi,
    /// `apt-get download`. The archive drops a version when it has a newer one.
    Deb,
}

/// An archive.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// What pages call it.
    pub id: String,
    /// Who gives it away.
    pub source: Source,
    /// Its name there.
    pub package: String,
    /// Its version there.
    pub version: String,
    /// What the file is called.
    pub file: String,
    /// Hash of the file, hexadecimal.
    pub sha256: String,
}

/// A page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Page {
    /// Its name in tables and among the differences.
    pub id: String,
    /// Id of the archive that holds it.
    pub archive: String,
    /// Its path in there.
    pub file: String,
    /// Ids of further archives that it loads from.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Paths that it asks for, and where that is found now.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
    /// How many interactive nodes it has at least: what is not listed cannot differ.
    pub nodes: usize,
    /// Part of every run; the others on demand.
    #[serde(default)]
    pub ci: bool,
    /// What is on it.
    pub note: String,
}

/// `pages.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pages {
    archive: Vec<Archive>,
    page: Vec<Page>,
}

/// A site of the tours.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// What tests call it.
    pub id: String,
    /// Ids of the archives that it consists of.
    pub archives: Vec<String>,
    /// Paths that its pages ask for, and where that is found.
    #[serde(default)]
    pub aliases: BTreeMap<String, String>,
}

/// `tours.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tours {
    archive: Vec<Archive>,
    site: Vec<Site>,
}

/// A known difference.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// On which page.
    pub page: String,
    /// Tag and first class of the element.
    pub element: String,
    /// `role`, `name`, `role and name`.
    pub what: String,
    /// What we say.
    pub ours: String,
    /// What the browser says.
    pub browser: String,
    /// On how many elements.
    pub count: usize,
    /// Why.
    pub reason: String,
}

/// `differences.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Differences {
    /// The browser that they were seen with.
    pub browser: String,
    /// The list.
    #[serde(default)]
    pub difference: Vec<Known>,
}

/// The folder that holds both lists and the library.
pub fn folder() -> PathBuf {
    crate::workspace().join("proof/pages")
}

fn read<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    let path = folder().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    toml::from_str(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Every page with the archives that it consists of, its own first.
///
/// # Panics
/// Where the list is not well-formed or names an archive that it does not have.
pub fn pages() -> Vec<(Page, Vec<Archive>)> {
    let Pages { archive: archives, page: pages } = read("pages.toml");
    let find = |page: &Page, id: &String| {
        let found = archives.iter().find(|archive| archive.id == *id);
        found.unwrap_or_else(|| panic!("page {}: no archive {id}", page.id)).clone()
    };
    pages
        .into_iter()
        .map(|page| {
            let parts = std::iter::once(&page.archive).chain(&page.needs).map(|id| find(&page, id)).collect();
            (page, parts)
        })
        .collect()
}

/// A site of the tours with its archives.
///
/// # Panics
/// Where there is none of that id, or the lists are not well-formed.
pub fn site(id: &str) -> (Site, Vec<Archive>) {
    let Pages { archive: mut archives, .. } = read("pages.toml");
    let Tours { archive: more, site: sites } = read("tours.toml");
    archives.extend(more);
    let site = sites.into_iter().find(|site| site.id == id).unwrap_or_else(|| panic!("no site {id}"));
    let find = |id: &String| {
        let found = archives.iter().find(|archive| archive.id == *id);
        found.unwrap_or_else(|| panic!("no archive {id}")).clone()
    };
    let parts = site.archives.iter().map(find).collect();
    (site, parts)
}

/// What is known to differ.
///
/// # Panics
/// Where the list is not well-formed.
pub fn differences() -> Differences {
    read("differences.toml")
}
