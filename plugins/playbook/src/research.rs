//! Reading of the target's site in waves: the home page, the best page of each role, then deeper ones.
//!
//! Within a wave all pages are asked for at once; the host runs them concurrently.

use std::collections::BTreeSet;

use serde_json::json;
use url::Url;

use crate::failure::{self, Failure, FailureKind};
use crate::host::{Call, Host, WEB_FETCH, WEB_SEARCH, invoke_one};
use crate::identity;
use crate::page::Page;
use crate::request::{Request, Section};
use crate::roles::{self, Role};
use crate::settings::Settings;
use crate::site;

/// A page that was read.
#[derive(Debug, Clone)]
pub struct Visited {
    /// The page.
    pub page: Page,
    /// Its part.
    pub role: Role,
}

impl Visited {
    /// Whether the page is on the target's own site.
    pub fn first_party(&self) -> bool {
        self.role != Role::External
    }
}

/// What research brought.
#[derive(Debug, Clone)]
pub struct Research {
    /// Name of the company, as given or as its site says.
    pub company: Option<String>,
    /// Names under which the site speaks of the company, the given one included.
    pub names: Vec<String>,
    /// The target's domain.
    pub domain: String,
    /// Language of the site, a BCP 47 tag or `und`.
    pub language: String,
    /// The pages, home first.
    pub pages: Vec<Visited>,
    /// Pages that couldn't be read, one sentence each.
    pub misses: Vec<String>,
}

/// Read the target's site, and if a search is bound a few pages of others about it.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when the home page can't be read,
/// `connector_not_configured` when nothing reads pages, `canceled`.
pub fn run(host: &dyn Host, request: &Request, settings: &Settings) -> Result<Research, Failure> {
    if !host.bound(WEB_FETCH) {
        return Err(Failure::new(
            FailureKind::Denied,
            "connector_not_configured",
            "No connection is bound for web.fetch, so the target's site can't be read.",
        ));
    }
    let domain = site::target_domain(host, request)?;
    host.report(6, &format!("Opening {domain}"));
    let home = open_home(host, &domain, settings)?;
    let mut reading = Reading::new(host, settings, home)?;
    host.report(15, "Read the home page");

    let roles = wanted_roles(request);
    let budget = settings.max_pages.saturating_sub(1);
    let mut links = reading.links_of(0);
    if links.is_empty() && budget > 0 {
        links = reading.links_of_site_map();
    }
    let reserve = if budget > roles.len() {
        (budget - roles.len()).min(3)
    } else {
        0
    };
    let first = reading.pick(&links, &roles, budget - reserve, true);
    reading.fetch(first)?;
    host.report(
        35,
        &format!("Read {} pages of {domain}", reading.pages.len()),
    );

    let left = settings.max_pages.saturating_sub(reading.tried);
    if left > 0 {
        let mut deeper = links;
        for index in 1..reading.pages.len() {
            deeper.extend(reading.links_of(index));
        }
        let second = reading.pick(&deeper, &roles, left, false);
        if !second.is_empty() {
            reading.fetch(second)?;
            host.report(
                42,
                &format!("Read {} pages of {domain}", reading.pages.len()),
            );
        }
    }
    let mut names = identity::declared_names(&reading.pages);
    let company = request
        .target_company
        .clone()
        .or_else(|| names.first().cloned());
    names.extend(request.target_company.clone());
    if host.bound(WEB_SEARCH) && settings.max_search_pages > 0 {
        reading.read_about(company.as_deref().unwrap_or(&domain))?;
        host.report(48, "Searched for what others write");
    }
    let language = identity::site_language(&reading.pages);
    Ok(Research {
        company,
        names,
        domain,
        language,
        pages: reading.pages,
        misses: reading.misses,
    })
}

/// Roles whose pages can feed a section that is asked for, the best first.
fn wanted_roles(request: &Request) -> Vec<Role> {
    let any = |sections: &[Section]| sections.iter().any(|&section| request.wants(section));
    Role::WANTED
        .into_iter()
        .filter(|role| match role {
            Role::Pricing => any(&[
                Section::CompanyProfile,
                Section::SalesAngles,
                Section::CompetitivePosition,
                Section::Objections,
            ]),
            Role::Imprint => any(&[Section::CompanyProfile]),
            Role::Careers => any(&[
                Section::BuyingSignals,
                Section::BuyingCommittee,
                Section::SalesAngles,
                Section::Priorities,
                Section::PainPoints,
                Section::CompanyProfile,
            ]),
            _ => true,
        })
        .collect()
}

fn open_home(host: &dyn Host, domain: &str, settings: &Settings) -> Result<Page, Failure> {
    let mut last: Option<Failure> = None;
    for url in site::start_addresses(domain, settings)? {
        if host.canceled() {
            return Err(failure::canceled());
        }
        match invoke_one(host, fetch_call(&url, settings)).and_then(Page::read) {
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
                // The first failure tells most: later addresses are guesses.
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

/// Another spelling of the address only helps where the way to the site failed, not where it answered.
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
        // Nobody forbade anything: the site did not answer, not even for its robots.txt.
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
        detail: failure.detail,
    }
}

fn fetch_call(url: &Url, settings: &Settings) -> Call {
    let mut input = json!({"url": url.as_str(), "max_bytes": settings.max_page_bytes});
    if let (Some(language), Some(object)) = (&settings.accept_language, input.as_object_mut()) {
        object.insert("accept_language".to_owned(), json!(language));
    }
    Call {
        capability: WEB_FETCH,
        input,
    }
}

struct Candidate {
    url: Url,
    role: Role,
    score: i32,
}

struct Reading<'a> {
    host: &'a dyn Host,
    settings: &'a Settings,
    home: Url,
    pages: Vec<Visited>,
    misses: Vec<String>,
    /// Addresses asked for or answered, in comparable form.
    seen: BTreeSet<String>,
    /// Texts read, so that one page under two addresses counts once.
    texts: BTreeSet<String>,
    /// Pages of the target's site that were asked for.
    tried: usize,
}

impl<'a> Reading<'a> {
    fn new(host: &'a dyn Host, settings: &'a Settings, home: Page) -> Result<Self, Failure> {
        let address = Url::parse(&home.final_url).map_err(|error| {
            Failure::new(
                FailureKind::Upstream,
                "connector_invalid_response",
                format!("The page reader answered with an address that is none: {error}."),
            )
        })?;
        let seen = [home.url.as_str(), home.final_url.as_str()]
            .iter()
            .filter_map(|text| Url::parse(text).ok())
            .map(|url| roles::comparable(&url))
            .collect();
        let texts = BTreeSet::from([home.text()]);
        Ok(Self {
            host,
            settings,
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

    fn links_of(&self, index: usize) -> Vec<Candidate> {
        let Some(visited) = self.pages.get(index) else {
            return Vec::new();
        };
        visited
            .page
            .links
            .iter()
            .filter_map(|link| self.candidate(&link.url, &link.text, link.navigation))
            .collect()
    }

    fn candidate(&self, address: &str, text: &str, navigation: bool) -> Option<Candidate> {
        let url = Url::parse(address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))?;
        if !roles::same_site(&self.home, &url) || identity::is_other_language(&self.home, &url) {
            return None;
        }
        let (role, score) = roles::of_link(&url, text, navigation)?;
        Some(Candidate { url, role, score })
    }

    /// Where the home page has no links that a reader without scripts can see, the site map may know some.
    fn links_of_site_map(&mut self) -> Vec<Candidate> {
        let Ok(map) = self.home.join("/sitemap.xml") else {
            return Vec::new();
        };
        let answer = invoke_one(self.host, fetch_call(&map, self.settings)).and_then(Page::read);
        let Ok(page) = answer else { return Vec::new() };
        page.blocks
            .iter()
            .filter_map(|block| self.candidate(block.text.trim(), "", false))
            .collect()
    }

    /// The best pages not yet asked for: one of each role in order, then (unless `one_each`) more.
    fn pick(
        &self,
        candidates: &[Candidate],
        roles: &[Role],
        most: usize,
        one_each: bool,
    ) -> Vec<(Url, Role)> {
        let mut order: Vec<&Candidate> = candidates.iter().collect();
        // Stable: of equal ones the first on the page wins.
        order.sort_by_key(|candidate| -candidate.score);
        let mut taken = BTreeSet::new();
        let mut picked = Vec::new();
        let rounds = if one_each { 1 } else { 3 };
        for round in 0..rounds {
            for &role in roles {
                let known = self.pages.iter().any(|visited| visited.role == role);
                // In the later wave missing roles come first, then those that tell more with each page.
                let skip = match (one_each, round) {
                    (true, _) => false,
                    (false, 0) => known,
                    _ => !matches!(
                        role,
                        Role::News | Role::Products | Role::Customers | Role::Careers
                    ),
                };
                if skip || picked.len() >= most {
                    continue;
                }
                let best = order.iter().find(|candidate| {
                    let address = roles::comparable(&candidate.url);
                    candidate.role == role
                        && !self.seen.contains(&address)
                        && !taken.contains(&address)
                });
                if let Some(candidate) = best {
                    taken.insert(roles::comparable(&candidate.url));
                    picked.push((candidate.url.clone(), role));
                }
            }
        }
        picked
    }

    fn fetch(&mut self, picked: Vec<(Url, Role)>) -> Result<(), Failure> {
        if picked.is_empty() {
            return Ok(());
        }
        if self.host.canceled() {
            return Err(failure::canceled());
        }
        let calls: Vec<Call> = picked
            .iter()
            .map(|(url, _)| fetch_call(url, self.settings))
            .collect();
        let answers = self.host.invoke(&calls);
        for ((url, role), answer) in picked.into_iter().zip(answers) {
            if role != Role::External {
                self.tried += 1;
            }
            self.seen.insert(roles::comparable(&url));
            match answer.and_then(Page::read) {
                Ok(page) => self.keep(page, role),
                Err(failure) if failure.kind == FailureKind::Canceled => {
                    return Err(failure::canceled());
                }
                Err(failure) if failure.kind == FailureKind::Quota => return Err(failure),
                Err(failure) => {
                    self.host
                        .note(&format!("{} page not read: {}", role.title(), failure.code));
                    self.misses.push(format!(
                        "The {} page could not be read ({}).",
                        role.title(),
                        failure.code
                    ));
                }
            }
        }
        Ok(())
    }

    fn keep(&mut self, page: Page, role: Role) {
        let address = Url::parse(&page.final_url).ok();
        // A redirect that leaves the site leaves the company.
        if role != Role::External
            && !address
                .as_ref()
                .is_some_and(|url| roles::same_site(&self.home, url))
        {
            return;
        }
        if let Some(url) = &address {
            let comparable = roles::comparable(url);
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
                return;
            }
        }
        if self.texts.insert(page.text()) {
            self.pages.push(Visited { page, role });
        }
    }

    /// Read what others write about the company. That a search fails only means less to read.
    fn read_about(&mut self, company: &str) -> Result<(), Failure> {
        if self.host.canceled() {
            return Err(failure::canceled());
        }
        let call = Call {
            capability: WEB_SEARCH,
            input: json!({"query": format!("\"{company}\" news"), "max_results": 10}),
        };
        let urls = match invoke_one(self.host, call) {
            Ok(answer) => site::result_urls(&answer),
            Err(failure) if failure.kind == FailureKind::Canceled => {
                return Err(failure::canceled());
            }
            Err(failure) => {
                self.host.note(&format!("search failed: {}", failure.code));
                self.misses
                    .push(format!("The search for news failed ({}).", failure.code));
                return Ok(());
            }
        };
        let picked: Vec<(Url, Role)> = urls
            .into_iter()
            .filter(|url| !roles::same_site(&self.home, url) && !site::is_directory(url))
            .filter(|url| !self.seen.contains(&roles::comparable(url)))
            .take(self.settings.max_search_pages)
            .map(|url| (url, Role::External))
            .collect();
        self.fetch(picked)
    }
}
