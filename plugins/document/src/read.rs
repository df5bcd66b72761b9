//! Reading the target's site and the reference documents.

use gtm_document_model::cleaned;
use gtm_page_text::language_of_texts;
use gtm_site_facts::identity::identified;
use gtm_site_facts::part::Part;
use gtm_site_research::choice::{self, Kinds};
use gtm_site_research::evidence;
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Call, WEB_FETCH};
use gtm_site_research::identity;
use gtm_site_research::page::Page;
use gtm_site_research::reading::{self, Candidate, Reading, Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::site;
use gtm_writing::page_choice::chooser;
use serde_json::json;
use url::Url;

use crate::material::Target;
use crate::milestones::{self, Teller};
use crate::request::Request;
use crate::settings::Settings;

fn not_configured(what: &str) -> Failure {
    Failure::new(
        FailureKind::Denied,
        "connector_not_configured",
        format!("No connection is bound for web.fetch, so {what} can't be read."),
    )
}

/// Reads the target's site; none without a target.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when its home page cannot be read, `connector_not_configured` when no
/// connection reads pages, `canceled`, or the failure of a quota.
pub fn target(
    teller: Teller<'_>,
    request: &Request,
    settings: &Settings,
) -> Result<Option<Target>, Failure> {
    let Some(domain) = &request.target_domain else {
        return Ok(None);
    };
    let target = target_at(teller, domain, request, settings);
    target.map(Some).map_err(|failure| naming(domain, failure))
}

/// The failure with the domain in its message: a job may be one of many.
fn naming(domain: &str, failure: Failure) -> Failure {
    if failure.kind == FailureKind::Canceled || failure.message.contains(domain) {
        return failure;
    }
    Failure {
        message: format!(
            "The site of {domain} could not be read: {}",
            failure.message
        ),
        ..failure
    }
}

fn target_at(
    teller: Teller<'_>,
    domain: &str,
    request: &Request,
    settings: &Settings,
) -> Result<Target, Failure> {
    let host = teller.host;
    if !host.bound(WEB_FETCH) {
        return Err(not_configured(&format!("the site of {domain}")));
    }
    teller.tell(4, &milestones::OPENING, &[("domain", domain)]);
    let reach = settings.reach(&request.start_urls);
    let addresses = site::start_addresses(domain, &reach.start_urls)?;
    let home = reading::open_home(host, domain, &addresses, &reach, false)?;
    let mut reading = Reading::new(host, &reach, home)?;
    let what = format!("a document for {domain}");
    choice::read(
        &mut reading,
        &Roles,
        &mut chooser(host, &settings.shared.model(), &what),
    )?;
    let names = identity::declared_names(&reading.pages, domain);
    let research = Research {
        company: names.first().cloned(),
        names,
        domain: domain.to_owned(),
        language: identity::site_language(&reading.pages),
        pages: reading.pages,
        misses: reading.misses,
    };
    for miss in research.misses.iter().take(3) {
        host.report(43, &miss.to_string());
    }
    let parts = research.pages.iter().map(part_of).collect();
    let mut site = identified(research, parts, None, None);
    if site.research.company.is_none() {
        site.research.company = site.research.names.first().cloned();
    }
    let evidence = evidence::collect(&site.research);
    if evidence.addressed_to_models > 0 {
        host.note(&format!(
            "blocks left out because they address a model: {}",
            evidence.addressed_to_models
        ));
    }
    let target = Target { site, evidence };
    let pages = target.site.research.pages.len().to_string();
    let places = [("name", target.name()), ("count", pages.as_str())];
    teller.tell(44, &milestones::PAGES_READ, &places);
    Ok(target)
}

fn part_of(visited: &Visited) -> Part {
    match Url::parse(&visited.page.final_url) {
        Ok(url) => Part::of(visited.role, &url, ""),
        Err(_) => Part::Other,
    }
}

/// The roles that a target's pages are read for.
struct Roles;

impl Kinds for Roles {
    type Kind = Role;

    fn wanted(&self) -> &[Role] {
        &Role::WANTED
    }

    fn in_turn(&self) -> &[Role] {
        &[Role::Products, Role::About, Role::Customers]
    }

    fn of_link(&self, candidate: &Candidate) -> Option<(Role, i32)> {
        Some((candidate.role, candidate.score))
    }

    fn of_page(&self, visited: &Visited, _taken_for: Role) -> Role {
        visited.role
    }

    fn most(&self, role: Role) -> usize {
        match role {
            Role::Home | Role::External => 0,
            Role::Careers | Role::Pricing | Role::Imprint => 1,
            Role::News | Role::Customers => 2,
            Role::About | Role::Products => 4,
            Role::Other => usize::MAX,
        }
    }

    fn role(&self, role: Role) -> Role {
        role
    }
}

/// Reads the reference documents, whatever web pages and files they are. One that cannot be read is told, and counted in
/// the second member.
///
/// # Errors
/// `canceled`, or the failure of a quota.
pub fn references(
    teller: Teller<'_>,
    request: &Request,
) -> Result<(Option<Research>, usize), Failure> {
    let host = teller.host;
    if request.references.is_empty() {
        return Ok((None, 0));
    }
    if !host.bound(WEB_FETCH) {
        teller.tell(45, &milestones::REFERENCES_UNREAD, &[]);
        return Ok((None, request.references.len()));
    }
    if host.canceled() {
        return Err(failure::canceled());
    }
    let calls: Vec<Call> = request
        .references
        .iter()
        .map(|url| Call {
            capability: WEB_FETCH,
            // A file that is cut short cannot be read, and pictures make files large: so not the limit of a page.
            input: json!({"url": url, "accept": "document"}),
        })
        .collect();
    let mut answers = host.invoke(&calls).into_iter();
    let mut pages: Vec<Visited> = Vec::new();
    let mut failed = 0;
    for address in &request.references {
        let shown = shown(address);
        let answer = answers.next().unwrap_or_else(|| {
            Err(Failure::new(
                FailureKind::Internal,
                "backend_error",
                "The host did not answer each call.",
            ))
        });
        let answer = answer.and_then(Page::read);
        let hidden = answer.as_ref().map_or(0, |page| page.hidden_texts);
        if hidden > 0 {
            let count = hidden.to_string();
            let places = [("address", shown.as_str()), ("count", count.as_str())];
            teller.tell(45, &milestones::REFERENCE_HIDDEN, &places);
        }
        match answer {
            Ok(page)
                if page
                    .blocks
                    .iter()
                    .any(|block| !block.text.trim().is_empty()) =>
            {
                teller.tell(45, &milestones::REFERENCE_READ, &[("address", &shown)]);
                pages.push(Visited {
                    page,
                    role: Role::Other,
                });
            }
            Ok(_) => {
                failed += 1;
                teller.tell(45, &milestones::REFERENCE_EMPTY, &[("address", &shown)]);
            }
            Err(failure) if failure.kind == FailureKind::Canceled => {
                return Err(failure::canceled());
            }
            Err(failure) if failure.kind == FailureKind::Quota => return Err(failure),
            Err(failure) => {
                failed += 1;
                let places = [("address", shown.as_str()), ("code", failure.code.as_str())];
                teller.tell(45, &milestones::REFERENCE_FAILED, &places);
            }
        }
    }
    if pages.is_empty() {
        return Ok((None, failed));
    }
    let texts: Vec<&str> = pages
        .iter()
        .flat_map(|visited| visited.page.blocks.iter().map(|block| block.text.as_str()))
        .collect();
    let language = language_of_texts(None, texts).unwrap_or_else(|| "und".to_owned());
    let research = Research {
        company: None,
        names: Vec::new(),
        domain: String::new(),
        language,
        pages,
        misses: Vec::new(),
    };
    Ok((Some(research), failed))
}

/// Host and last part of an address, for people.
fn shown(address: &str) -> String {
    let Ok(url) = Url::parse(address) else {
        return "an address that is none".to_owned();
    };
    let host = url.host_str().unwrap_or_default();
    let last = url
        .path_segments()
        .and_then(|mut parts| parts.next_back())
        .unwrap_or_default();
    let text = match last.is_empty() {
        true => host.to_owned(),
        false => format!("{host}/…/{last}"),
    };
    crate::runs::cut(&cleaned(&text), 120)
}
