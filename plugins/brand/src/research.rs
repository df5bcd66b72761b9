//! Research on a brand: pages of its site, their styles, its logos, and what other sources say.

use std::collections::{BTreeMap, BTreeSet};

use gtm_page_text::{bare_host, is_same_site};
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{COMPANY_ENRICH, Call, Host, WEB_FETCH, WEB_SEARCH, invoke_one};
use gtm_site_research::identity;
use gtm_site_research::organization::{own_address, site_label};
use gtm_site_research::page::Page;
use gtm_site_research::reading::{self, Miss, Reach, Reading, Research, Visited};
use gtm_site_research::roles::Role;
use gtm_site_research::site;
use serde_json::json;
use url::Url;

use crate::company_data::CompanyData;
use crate::facts;
use crate::organization;
use crate::plan::{self, Part};
use crate::request::Request;
use crate::settings::Settings;
use crate::site::Site;
use crate::styled;
use crate::visual;

/// Most pages whose styles and markup are read.
const STYLED_PAGES: usize = 3;

/// The home page, and the pages found from it.
pub struct Plan<'a> {
    reading: Reading<'a>,
    domain: String,
    pages: Vec<plan::Page>,
}

/// Opens the home page and finds the site's other pages.
///
/// # Errors
/// `source_fetch_failed` or `source_not_allowed` when the home page can't be read or redirects to another
/// site, `insufficient_evidence` when no site is found, `connector_not_configured` when no connector for
/// pages is bound, `canceled`.
pub fn plan<'a>(
    host: &'a dyn Host,
    request: &Request,
    reach: &'a Reach,
) -> Result<Plan<'a>, Failure> {
    if !host.bound(WEB_FETCH) {
        return Err(Failure::new(
            FailureKind::Denied,
            "connector_not_configured",
            "No connection is bound for web.fetch, so the brand's site can't be read.",
        ));
    }
    let (domain, addresses) = addresses(host, request, reach)?;
    host.report(6, &format!("Opening {domain}"));
    let home = reading::open_home(host, &domain, &addresses, reach, true)?;
    same_brand(&domain, &addresses, &home)?;
    let mut reading = Reading::new(host, reach, home)?;
    let mut pages = plan::linked(&reading, 0);
    let found = plan::parts(&pages);
    if reach.max_pages > 1 && Part::WANTED.iter().any(|part| !found.contains(part)) {
        // Navigation is more reliable than a site map, so a part found in both keeps its score.
        let mapped = reading.links_of_site_map().into_iter().map(plan::page_of);
        pages.extend(mapped.filter(|page| !found.contains(&page.part)));
    }
    let parts = plan::parts(&pages);
    host.report(
        15,
        &format!(
            "Read the home page; it leads to {} kinds of pages",
            parts.len()
        ),
    );
    Ok(Plan {
        reading,
        domain,
        pages,
    })
}

/// The brand's domain, and the addresses to try first.
fn addresses(
    host: &dyn Host,
    request: &Request,
    reach: &Reach,
) -> Result<(String, Vec<Url>), Failure> {
    let Some(website) = &request.website else {
        let name = request.company_name.as_deref().unwrap_or_default();
        let domain = site::find_domain(host, name, "website_url")?;
        let addresses = site::start_addresses(&domain, &reach.start_urls)?;
        return Ok((domain, addresses));
    };
    let shown = website.host_str().unwrap_or_default();
    let domain = bare_host(shown).to_lowercase();
    if reach.start_urls.contains_key(&domain) {
        let addresses = site::start_addresses(&domain, &reach.start_urls)?;
        return Ok((domain, addresses));
    }
    let mut addresses = vec![website.clone()];
    // If the address has a port or is an IP address, the caller means exactly that address: try no others.
    if website.port().is_none() && website.domain().is_some() {
        for other in site::start_addresses(&domain, &reach.start_urls)? {
            if !addresses.contains(&other) {
                addresses.push(other);
            }
        }
    }
    Ok((domain, addresses))
}

/// A redirect may leave the brand's site, and what another site says is not the brand's own word: refuse it.
fn same_brand(domain: &str, addresses: &[Url], home: &Page) -> Result<(), Failure> {
    let led_to = Url::parse(&home.final_url).ok();
    let stays = led_to
        .as_ref()
        .is_some_and(|url| addresses.iter().any(|begun| is_same_site(begun, url)));
    if stays {
        return Ok(());
    }
    let shown = led_to
        .as_ref()
        .and_then(|url| url.host_str().map(str::to_owned))
        .unwrap_or_else(|| "an address that is none".to_owned());
    Err(Failure::new(
        FailureKind::Denied,
        "source_not_allowed",
        format!(
            "The site of {domain} leads to {shown}, which is another site. Give that address as website_url if it is the brand's."
        ),
    ))
}

/// Reads the planned pages and the logos, and asks other sources.
///
/// # Errors
/// `canceled`, or the failure of a quota.
pub fn fetch(
    host: &dyn Host,
    request: &Request,
    settings: &Settings,
    plan: Plan<'_>,
) -> Result<Site, Failure> {
    let Plan {
        mut reading,
        domain,
        mut pages,
    } = plan;
    let mut part_of: BTreeMap<String, Part> = BTreeMap::new();
    // The wanted parts exclude the home page, so no second one is read. The rest of the budget serves the
    // pages that these link to.
    let left = reading.pages_left();
    let first = plan::one_each(&reading, &pages, &BTreeSet::new(), left);
    note_parts(&mut part_of, &first);
    let mut styled_left = STYLED_PAGES.saturating_sub(1);
    let wanted = first
        .iter()
        .map(|page| {
            let signals = matches!(page.part, Part::About | Part::Product) && styled_left > 0;
            styled_left -= usize::from(signals);
            plan::wanted(page, signals)
        })
        .collect();
    reading.fetch(wanted)?;
    host.report(
        30,
        &format!("Read {} pages of {domain}", reading.pages.len()),
    );

    for index in 1..reading.pages.len() {
        let linked = plan::linked(&reading, index);
        pages.extend(linked);
    }
    let have = |reading: &Reading<'_>, part_of: &BTreeMap<String, Part>| -> BTreeSet<Part> {
        reading
            .pages
            .iter()
            .map(|visited| part_in(part_of, visited))
            .collect()
    };
    let known = have(&reading, &part_of);
    let missing = plan::one_each(&reading, &pages, &known, reading.pages_left());
    let more = reading.pages_left().saturating_sub(missing.len());
    let further: Vec<plan::Page> = plan::further(&reading, &pages, more)
        .into_iter()
        .filter(|page| missing.iter().all(|other| other.url != page.url))
        .collect();
    let second: Vec<plan::Page> = missing.into_iter().chain(further).collect();
    note_parts(&mut part_of, &second);
    if !second.is_empty() {
        reading.fetch(
            second
                .iter()
                .map(|page| plan::wanted(page, false))
                .collect(),
        )?;
        host.report(
            38,
            &format!("Read {} pages of {domain}", reading.pages.len()),
        );
    }
    let read = have(&reading, &part_of);
    let unread: BTreeSet<Part> = pages
        .iter()
        .filter(|page| !read.contains(&page.part) && !reading.has_seen(&page.url))
        .map(|page| page.part)
        .collect();
    let blocked = blocked(&reading.misses, &part_of, &read);

    let mut names = identity::declared_names(&reading.pages, &domain);
    let company = request
        .company_name
        .clone()
        .or_else(|| names.first().cloned());
    names.extend(request.company_name.clone());
    let label = own_address(&domain).as_ref().and_then(site_label);
    let about = company.as_deref().or(label.as_deref());
    if let Some(about) = about
        && host.bound(WEB_SEARCH)
        && settings.max_search_pages > 0
    {
        reading.read_about(format!("\"{about}\" company"), "what others write")?;
        host.report(42, "Searched for what others write");
    }
    let mut company_data = None;
    if host.bound(COMPANY_ENRICH) {
        company_data = enrich(host, &domain, company.as_deref())?;
        host.report(44, "Asked for company data");
    }
    let home = reading.home().clone();
    let language = identity::site_language(&reading.pages);
    let (mut pages, misses) = (reading.pages, reading.misses);
    if let Some(data) = &mut company_data {
        data.page = pages.len();
        pages.push(data.as_page());
    }
    let parts = pages
        .iter()
        .map(|visited| part_in(&part_of, visited))
        .collect();
    let styled = styled::read(&pages);
    let organizations = organization::about_this_site(&pages, &styled, &home, &domain, &names);
    names.extend(organization::names(&organizations));
    names.dedup();
    let mut site = Site {
        research: Research {
            company,
            names,
            domain,
            language,
            pages,
            misses,
        },
        parts,
        organizations,
        styled,
        logos: Vec::new(),
        company_data,
        blocked,
        unread,
        assets: Vec::new(),
    };
    // The name that the site uses for itself is also a name under which its texts mention the company.
    if let Some(name) =
        facts::name(request, &site).and_then(|claim| claim.value.as_str().map(str::to_owned))
    {
        let registered = facts::registered_names(&site, &name);
        for name in std::iter::once(name).chain(registered) {
            if !site.research.names.contains(&name) {
                site.research.names.push(name);
            }
        }
    }
    visual::fetch_logos(host, settings, &home, &mut site)?;
    host.report(50, &format!("Read {} logos", site.logos.len()));
    Ok(site)
}

fn note_parts(part_of: &mut BTreeMap<String, Part>, pages: &[plan::Page]) {
    for page in pages {
        part_of.insert(page.url.to_string(), page.part);
    }
}

fn part_in(part_of: &BTreeMap<String, Part>, visited: &Visited) -> Part {
    match visited.role {
        Role::Home => Part::Home,
        Role::External => Part::External,
        _ => part_of
            .get(&visited.page.url)
            .copied()
            .unwrap_or(Part::Other),
    }
}

/// Parts whose only pages are denied by the site's robots.txt or by a host policy.
fn blocked(
    misses: &[Miss],
    part_of: &BTreeMap<String, Part>,
    read: &BTreeSet<Part>,
) -> BTreeSet<Part> {
    misses
        .iter()
        .filter_map(|miss| match miss {
            Miss::Page {
                url,
                kind: FailureKind::Denied,
                ..
            } => part_of.get(url).copied(),
            _ => None,
        })
        .filter(|part| !read.contains(part))
        .collect()
}

/// What a data provider says about the company. Only cancellation and an exhausted quota fail the job; any
/// other failure just means less evidence.
fn enrich(
    host: &dyn Host,
    domain: &str,
    company: Option<&str>,
) -> Result<Option<CompanyData>, Failure> {
    if host.canceled() {
        return Err(failure::canceled());
    }
    let mut input = json!({"domain": domain});
    if let (Some(name), Some(object)) = (company, input.as_object_mut()) {
        object.insert("name".to_owned(), json!(name));
    }
    let call = Call {
        capability: COMPANY_ENRICH,
        input,
    };
    match invoke_one(host, call).and_then(CompanyData::read) {
        Ok(data) => Ok(data.filter(|data| data.is_about(domain))),
        Err(failure) if failure.kind == FailureKind::Canceled => Err(failure::canceled()),
        Err(failure) if failure.kind == FailureKind::Quota => Err(failure),
        Err(failure) => {
            host.note(&format!("no company data: {}", failure.code));
            Ok(None)
        }
    }
}
