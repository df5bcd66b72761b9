//! The company sites in `tests/sites`: serves them on loopback, and reads what is true of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::fake_site::{Endless, FakeSite, Page, collect};
use crate::gtm_process::workspace;

/// File extensions of texts that may contain the site's own domain.
const TEXT: [&str; 8] = [
    "html",
    "css",
    "js",
    "json",
    "svg",
    "txt",
    "xml",
    "webmanifest",
];

/// One site and its golden file.
pub struct CompanySite {
    pub name: String,
    /// For example `ledgerline.example`.
    pub domain: String,
    /// Content of `expected.json`.
    pub expected: Value,
    /// Whether the site was held out: nobody wrote the program with it in view.
    pub held_out: bool,
    settings: Value,
    folder: PathBuf,
}

/// All sites, sorted by name.
pub fn all() -> Vec<CompanySite> {
    let folder = workspace().join("tests/sites");
    let mut sites: Vec<CompanySite> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("site.json").is_file())
        .map(|path| CompanySite::read(&path))
        .collect();
    sites.sort_by(|a, b| a.name.cmp(&b.name));
    sites
}

/// The site with this name.
pub fn named(name: &str) -> CompanySite {
    CompanySite::read(&workspace().join("tests/sites").join(name))
}

fn json(path: &Path) -> Value {
    let text = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {value}"))
}

impl CompanySite {
    fn read(folder: &Path) -> Self {
        let settings = json(&folder.join("site.json"));
        Self {
            name: folder.file_name().unwrap().to_str().unwrap().to_owned(),
            domain: text(&settings, "domain").to_owned(),
            expected: json(&folder.join("expected.json")),
            held_out: settings["held_out"] == true,
            settings,
            folder: folder.to_owned(),
        }
    }

    /// The site's own origin as its files name it; the server replaces it with its own address.
    pub fn origin(&self) -> String {
        format!("https://{}", self.domain)
    }

    /// The bytes of a file below `site/`, as stored.
    pub fn bytes(&self, page: &str) -> Vec<u8> {
        let path = self.folder.join("site").join(page.trim_start_matches('/'));
        std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Every text file, by path.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        gather(&self.folder.join("site"), "/", &mut texts);
        texts
    }

    pub async fn serve(&self) -> FakeSite {
        let site = FakeSite::serve(|address| {
            let mut pages = BTreeMap::new();
            collect(&self.folder.join("site"), "/", &mut pages);
            self.apply_headers(&mut pages);
            for (path, page) in &mut pages {
                if is_text(path, page) {
                    self.at_home(page, &format!("http://{address}"));
                }
            }
            self.apply_insertions(&mut pages);
            pages
        })
        .await;
        for (path, to) in self.settings["redirects"].as_object().into_iter().flatten() {
            let status = u16::try_from(to["status"].as_u64().unwrap()).unwrap();
            let location = ("location", text(to, "to").to_owned());
            site.set(path, Page::Status(status, vec![location], Vec::new()));
        }
        for endless in self.settings["endless"].as_array().into_iter().flatten() {
            site.add_endless(Endless {
                prefix: text(endless, "prefix").to_owned(),
                title: text(endless, "title").to_owned(),
                text: text(endless, "text").to_owned(),
                next: text(endless, "next").to_owned(),
            });
        }
        site
    }

    /// Replaces the site's own origin in a page with the server's address.
    fn at_home(&self, page: &mut Page, address: &str) {
        let (Page::Ok(_, body) | Page::Status(_, _, body)) = page else {
            return;
        };
        let text = String::from_utf8(std::mem::take(body)).unwrap();
        *body = text.replace(&self.origin(), address).into_bytes();
    }

    fn apply_headers(&self, pages: &mut BTreeMap<String, Page>) {
        for (path, headers) in self.settings["headers"].as_object().into_iter().flatten() {
            let Some(Page::Ok(media_type, body)) = pages.remove(path) else {
                panic!("{}: no file {path}", self.name);
            };
            let mut sent = BTreeMap::from([("content-type".to_owned(), media_type.to_owned())]);
            for (name, value) in headers.as_object().unwrap() {
                sent.insert(name.clone(), value.as_str().unwrap().to_owned());
            }
            // The leak is small and lasts only as long as the test.
            let sent = sent
                .into_iter()
                .map(|(name, value)| (&*name.leak(), value))
                .collect();
            pages.insert(path.clone(), Page::Status(200, sent, body));
        }
    }

    fn apply_insertions(&self, pages: &mut BTreeMap<String, Page>) {
        for insertion in self.settings["insertions"].as_array().into_iter().flatten() {
            let path = text(insertion, "page");
            let marker = text(insertion, "marker");
            let repeat = text(insertion, "repeat");
            let bytes = usize::try_from(insertion["bytes"].as_u64().unwrap()).unwrap();
            let bulk = repeat.repeat(bytes.div_ceil(repeat.len()));
            // The page answers with and without its extension.
            for path in [path, path.trim_end_matches(".html")] {
                if let Some(Page::Ok(_, body)) = pages.get_mut(path) {
                    let page = String::from_utf8(std::mem::take(body)).unwrap();
                    assert!(
                        page.contains(marker),
                        "{}: no {marker} in {path}",
                        self.name
                    );
                    *body = page.replace(marker, &bulk).into_bytes();
                }
            }
        }
    }
}

fn is_text(path: &str, page: &Page) -> bool {
    let ending = path.rsplit('/').next().unwrap().rsplit_once('.');
    match (ending, page) {
        (Some((_, ending)), _) => TEXT.contains(&ending),
        // A page addressed without its extension, or a folder's index.
        (None, Page::Ok(media_type, _)) => media_type.starts_with("text/html"),
        (None, _) => false,
    }
}

fn gather(folder: &Path, prefix: &str, texts: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            gather(&entry.path(), &format!("{path}/"), texts);
        } else if TEXT.contains(&name.rsplit('.').next().unwrap()) {
            texts.insert(path, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}
