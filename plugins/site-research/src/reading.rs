//! Reads a company's site in waves: the home page, the best page of each role, then deeper ones.
//!
//! All pages of a wave are requested at once; the host fetches them concurrently.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use gtm_page_text::{UNDETERMINED, is_same_site, language_of_texts};
use percent_encoding::percent_decode_str;
use serde_json::json;
use url::Url;

use crate::address::{comparable, is_other_language};
use crate::failure::{self, Failure, FailureKind};
use crate::host::{Call, Host, WEB_FETCH, invoke_one};
use crate::page::Page;
use crate::page_role;
use crate::roles::{self, Role};

mod lost;
mod searches;
mod site_maps;
pub mod unread;
mod versions;

pub use searches::Search;

use self::versions::Versions;

/// Of a budget, the part that may be asked for once more in place of pages that were none: dead links, doubles.
const AGAIN: usize = 3;

/// How far reading goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// Maximum number of pages of the company's own site, including the home page.
    pub max_pages: usize,
    /// Maximum number of pages of other sites, when a search is bound.
    pub max_search_pages: usize,
    /// Maximum bytes of one page; the connector cuts a longer one.
    pub max_page_bytes: u64,
    /// Where research of a domain begins, for sites that are not at `https://<domain>/`.
    pub start_urls: BTreeMap<String, String>,
    /// `Accept-Language` for page requests, to override the site's own choice.
    pub accept_language: Option<String>,
}

/// A page that was read.
#[derive(Debug, Clone)]
pub struct Visited {
    pub page: Page,
    pub role: Role,
}

impl Visited {
    /// Whether the page is on the company's own site.
    pub fn first_party(&self) -> bool {
        self.role != Role::External
    }
}

/// Something that could not be read; its `Display` is a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    Page {
        url: String,
        role: Role,
        kind: FailureKind,
        code: String,
    },
    Search {
        /// What was searched for.
        subject: &'static str,
        code: String,
    },
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page { role, code, .. } => {
                write!(f, "The {} page could not be read ({code}).", role.title())
            }
            Self::Search { subject, code } => {
                write!(f, "The search for {subject} failed ({code}).")
            }
        }
    }
}

/// The result of research.
#[derive(Debug, Clone)]
pub struct Research {
    /// Name of the company, as given or as its site says.
    pub company: Option<String>,
    /// Names by which the site refers to the company, including the given one.
    pub names: Vec<String>,
    /// The company's domain.
    pub domain: String,
    /// Language of the site, a BCP 47 tag or `und`.
    pub language: String,
    /// The home page first.
    pub pages: Vec<Visited>,
    /// What could not be read.
    pub misses: Vec<Miss>,
}

/// Reads the home page at the first of the addresses that answers.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when none can be read, `canceled`, or the failure of a
/// quota or a missing connection.
pub fn open_home(
    host: &dyn Host,
    domain: &str,
    addresses: &[Url],
    reach: &Reach,
    signals: bool,
) -> Result<Page, Failure> {
    let mut last: Option<Failure> = None;
    for url in addresses {
        if host.canceled() {
            return Err(failure::canceled());
        }
        match invoke_one(host, fetch_call(url, reach, signals)).and_then(Page::read) {
            Ok(page) => return Ok(page),
            Err(failure) => {
                host.note(&format!(
                    "home page of {domain} not read at {}: {}",
                    url.scheme(),
                    failure.code
                ));
                if !another_address_may_help(&failure) {
                    return Err(of_home(domain, failure));
                }
                // The first failure says most: later addresses are guesses.
                last.get_or_insert(failure);
            }
        }
    }
    Err(of_home(
        domain,
        last.unwrap_or_else(|| {
            Failure::new(
                FailureKind::Internal,
                "backend_error",
                "No address was tried.",
            )
        }),
    ))
}

/// Another address only helps if the site could not be reached, not if it answered.
fn another_address_may_help(failure: &Failure) -> bool {
    match failure.kind {
        FailureKind::NotFound | FailureKind::Timeout | FailureKind::Internal => true,
        FailureKind::Upstream => {
            !failure.code.starts_with("http_5") && failure.code != "connector_invalid_response"
        }
        _ => false,
    }
}

fn of_home(domain: &str, failure: Failure) -> Failure {
    let (kind, code) = match failure.kind {
        FailureKind::Canceled => return failure::canceled(),
        FailureKind::Quota => return failure,
        FailureKind::Denied if failure.code == "connector_not_configured" => return failure,
        // Nobody forbade the page: the site did not answer, not even with its robots.txt.
        FailureKind::Denied if failure.code == "robots_unreachable" => {
            (FailureKind::Upstream, "source_fetch_failed")
        }
        FailureKind::Denied => (FailureKind::Denied, "source_not_allowed"),
        FailureKind::CredentialMissing => (
            FailureKind::CredentialMissing,
            "connector_credentials_rejected",
        ),
        kind => (kind, "source_fetch_failed"),
    };
    Failure {
        kind,
        code: code.to_owned(),
        message: format!(
            "The site of {domain} could not be read: {} ({})",
            failure.message, failure.code
        ),
        retry_after_ms: failure.retry_after_ms,
        detail: failure::with_call(&failure, WEB_FETCH),
    }
}

/// The call that reads a page; with `signals`, also what its markup and stylesheets show.
pub fn fetch_call(url: &Url, reach: &Reach, signals: bool) -> Call {
    let mut input = json!({"url": url.as_str(), "max_bytes": reach.max_page_bytes});
    if let Some(object) = input.as_object_mut() {
        if let Some(language) = &reach.accept_language {
            object.insert("accept_language".to_owned(), json!(language));
        }
        if signals {
            object.insert("signals".to_owned(), json!(true));
        }
    }
    Call {
        capability: WEB_FETCH,
        input,
    }
}

/// A page that a link points to.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub url: Url,
    pub text: String,
    /// Whether the link is in a navigation.
    pub navigation: bool,
    /// The role it probably has.
    pub role: Role,
    /// Confidence in the role; higher is surer.
    pub score: i32,
}

impl Candidate {
    /// How many folders the page is in.
    pub fn depth(&self) -> usize {
        let segments = self.url.path_segments().into_iter().flatten();
        segments.filter(|segment| !segment.is_empty()).count()
    }

    /// The path as people read it.
    pub fn path(&self) -> String {
        let path = percent_decode_str(self.url.path()).decode_utf8_lossy();
        match self.url.query() {
            Some(query) => format!("{path}?{query}"),
            None => path.into_owned(),
        }
    }
}

/// A page to read.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub url: Url,
    pub role: Role,
    /// Whether markup and stylesheets are wanted too.
    pub signals: bool,
}

/// A site that is being read.
pub struct Reading<'a> {
    host: &'a dyn Host,
    reach: &'a Reach,
    home: Url,
    /// Pages read so far, the home page first.
    pub pages: Vec<Visited>,
    /// What could not be read so far.
    pub misses: Vec<Miss>,
    /// Addresses requested or answered, in comparable form.
    seen: BTreeSet<String>,
    /// Texts read, so that one page at two addresses counts once.
    texts: BTreeSet<String>,
    /// How many pages of the company's site were requested.
    tried: usize,
    /// How many of them were none: dead links, and what another address had shown already.
    lost: usize,
    /// The site's main language, and its versions in others.
    language: String,
    versions: Versions,
}

impl<'a> Reading<'a> {
    /// Begins with the home page.
    ///
    /// # Errors
    /// `connector_invalid_response` when the page's address is invalid.
    pub fn new(host: &'a dyn Host, reach: &'a Reach, home: Page) -> Result<Self, Failure> {
        let address = Url::parse(&home.final_url).map_err(|error| {
            Failure::new(
                FailureKind::Upstream,
                "connector_invalid_response",
                format!("The page reader answered with an invalid address: {error}."),
            )
        })?;
        let seen = [home.url.as_str(), home.final_url.as_str()]
            .iter()
            .filter_map(|text| Url::parse(text).ok())
            .map(|url| comparable(&url))
            .collect();
        let texts = BTreeSet::from([home.text()]);
        let blocks = home.blocks.iter().map(|block| block.text.as_str());
        let language = language_of_texts(home.language.as_deref(), blocks)
            .unwrap_or_else(|| UNDETERMINED.to_owned());
        Ok(Self {
            versions: Versions::of(&address, &home, &language),
            language,
            lost: 0,
            host,
            reach,
            home: address,
            pages: vec![Visited {
                page: home,
                role: Role::Home,
            }],
            misses: Vec::new(),
            seen,
            texts,
            tried: 1,
        })
    }

    /// Address of the home page, after redirects.
    pub fn home(&self) -> &Url {
        &self.home
    }

    /// How many pages of the site may still be requested. Some of those that were none count for nothing.
    pub fn pages_left(&self) -> usize {
        let again = self.lost.min(self.reach.max_pages / AGAIN);
        self.reach.max_pages.saturating_sub(self.tried - again)
    }

    /// Whether the address was requested or answered.
    pub fn has_seen(&self, url: &Url) -> bool {
        self.seen.contains(&comparable(url))
    }

    /// Pages of the site that the pages read so far link to. What several of them link to is navigation, whatever
    /// its markup says.
    pub fn candidates(&self) -> Vec<Candidate> {
        let mut pages_with: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (index, visited) in self.pages.iter().enumerate() {
            for link in &visited.page.links {
                pages_with.entry(&link.url).or_default().insert(index);
            }
        }
        let is_everywhere = |url: &str| {
            let pages = pages_with.get(url).map_or(0, BTreeSet::len);
            pages >= 2 && pages * 2 > self.pages.len()
        };
        let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
        self.pages
            .iter()
            .filter(|visited| visited.first_party())
            .flat_map(|visited| &visited.page.links)
            .filter(|link| known.insert((&link.url, &link.text)))
            .filter_map(|link| {
                let navigation = link.navigation || is_everywhere(&link.url);
                self.candidate(&link.url, &link.text, navigation)
            })
            .collect()
    }

    /// Says how many pages were read.
    pub fn report_progress(&self) {
        let read = self.pages.len();
        let percent = 15 + 27 * read.min(self.reach.max_pages) / self.reach.max_pages.max(1);
        self.host.report(
            u8::try_from(percent).unwrap_or(42),
            &format!(
                "Read {read} pages of {}",
                self.home.host_str().unwrap_or_default()
            ),
        );
    }

    /// The address, if it is on the site and not in another language than the home page.
    pub fn own_address(&self, address: &str) -> Option<Url> {
        Url::parse(address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .filter(|url| {
                is_same_site(&self.home, url)
                    && !is_other_language(&self.home, url, &self.language)
                    && !self.versions.have(url)
            })
    }

    fn candidate(&self, address: &str, text: &str, navigation: bool) -> Option<Candidate> {
        let url = self.own_address(address)?;
        let (role, score) = roles::of_link(&url, text, navigation)?;
        Some(Candidate {
            url,
            text: text.to_owned(),
            navigation,
            role,
            score,
        })
    }

    /// Reads the pages, all at once. A page that fails becomes a miss.
    ///
    /// # Errors
    /// `canceled`, or the failure of a quota.
    pub fn fetch(&mut self, picked: Vec<Wanted>) -> Result<(), Failure> {
        if picked.is_empty() {
            return Ok(());
        }
        if self.host.canceled() {
            return Err(failure::canceled());
        }
        let calls: Vec<Call> = picked
            .iter()
            .map(|wanted| fetch_call(&wanted.url, self.reach, wanted.signals))
            .collect();
        let answers = self.host.invoke(&calls);
        for (Wanted { url, role, .. }, answer) in picked.into_iter().zip(answers) {
            if role != Role::External {
                self.tried += 1;
            }
            self.seen.insert(comparable(&url));
            match answer.and_then(Page::read) {
                Ok(page) => {
                    let is_new = self.keep(page, role);
                    self.lost += usize::from(!is_new && role != Role::External);
                }
                Err(failure) if failure.kind == FailureKind::Canceled => {
                    return Err(failure::canceled());
                }
                Err(failure) if failure.kind == FailureKind::Quota => return Err(failure),
                Err(failure) => {
                    let is_dead = failure.kind == FailureKind::NotFound;
                    self.lost += usize::from(is_dead && role != Role::External);
                    self.host
                        .note(&format!("{} page not read: {}", role.title(), failure.code));
                    self.misses.push(Miss::Page {
                        url: url.to_string(),
                        role,
                        kind: failure.kind,
                        code: failure.code,
                    });
                }
            }
        }
        Ok(())
    }

    /// Keeps a page, unless it is none of the site's or known; whether it was kept.
    fn keep(&mut self, page: Page, role: Role) -> bool {
        let address = Url::parse(&page.final_url).ok();
        // A page that redirects away from the site is no longer the company's.
        if role != Role::External
            && !address
                .as_ref()
                .is_some_and(|url| is_same_site(&self.home, url))
        {
            return false;
        }
        if let Some(url) = &address {
            let comparable = comparable(url);
            let is_home = self
                .pages
                .first()
                .is_some_and(|home| home.page.final_url == page.final_url);
            let known = self
                .pages
                .iter()
                .any(|visited| visited.page.final_url == page.final_url);
            self.seen.insert(comparable);
            if is_home || known {
                return false;
            }
        }
        if role != Role::External && lost::says_there_is_no_page(&page) {
            return false;
        }
        // What a link did not say the page itself may.
        let role = match role {
            Role::Other => page_role::of_page(&page).unwrap_or(role),
            told => told,
        };
        let is_new = self.texts.insert(page.text());
        if is_new {
            self.pages.push(Visited { page, role });
        }
        is_new
    }
}
