//! Research on a brand: pages of its site, their styles, its logos, and what other sources say.

use std::collections::{BTreeMap, BTreeSet};

use gtm_page_text::{bare_host, is_same_site};
use gtm_site_facts::identity::identified;
use gtm_site_research::choice::{self, Kinds};
use gtm_site_research::failure::{Failure, FailureKind};
use gtm_site_research::host::{Host, WEB_FETCH, WEB_SEARCH};
use gtm_site_research::identity;
use gtm_site_research::organization::{own_address, site_label};
use gtm_site_research::page::Page;
use gtm_site_research::reading::{self, Miss, Reach, Reading, Research, Search, Visited, unread};
use gtm_site_research::roles::Role;
use gtm_site_research::site;
use gtm_writing::page_choice::chooser;
use url::Url;

use crate::company_data::CompanyData;
use crate::plan::{Part, Parts};
use crate::request::Request;
use crate::settings::Settings;
use crate::site::Site;
use crate::visual;

/// The home page, from which the others are found.
pub struct Plan<'a> {
    reading: Reading<'a>,
    domain: String,
}

/// Opens the home page.
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
    let reading = Reading::new(host, reach, home)?;
    host.report(15, "Read the home page");
    Ok(Plan { reading, domain })
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
    } = plan;
    let about = request.company_name.as_deref().unwrap_or(&domain);
    let what = format!("a brand guideline of {about}");
    let outcome = choice::read(
        &mut reading,
        &Parts,
        &mut chooser(host, &settings.shared.model(), &what),
    )?;
    let part_of: BTreeMap<String, Part> = outcome
        .asked
        .into_iter()
        .map(|(url, part)| (url.to_string(), part))
        .collect();
    let read: BTreeSet<Part> = reading
        .pages
        .iter()
        .map(|visited| part_in(&part_of, visited))
        .collect();
    let unread: BTreeSet<Part> = outcome.unread.difference(&read).copied().collect();
    let blocked = blocked(&reading.misses, &part_of, &read);
    if let Some(told) = unread::told(&reading.pages, &reading.misses) {
        host.report(40, &told);
    }

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
        let search = Search::about(about, "company", WEB_SEARCH, "what others write");
        reading.read_about(&[search])?;
        host.report(42, "Searched for what others write");
    }
    let home = reading.home().clone();
    let language = identity::site_language(&reading.pages);
    let (mut pages, misses) = (reading.pages, reading.misses);
    let company_data = CompanyData::ask(host, &domain, company.as_deref(), &mut pages)?;
    if company_data.is_some() {
        host.report(44, "Read company data");
    }
    let parts = pages
        .iter()
        .map(|visited| part_in(&part_of, visited))
        .collect();
    let research = Research {
        company,
        names,
        domain,
        language,
        pages,
        misses,
    };
    let given = request.company_name.as_deref();
    let mut site = identified(research, parts, company_data, given);
    site.blocked = blocked;
    site.unread = unread;
    visual::fetch_logos(host, settings, &home, &mut site)?;
    host.report(50, &format!("Read {} logos", site.logos.len()));
    Ok(site)
}

fn part_in(part_of: &BTreeMap<String, Part>, visited: &Visited) -> Part {
    match visited.role {
        Role::Home => Part::Home,
        Role::External => Part::External,
        _ => {
            let taken_for = part_of.get(&visited.page.url).copied();
            Parts.of_page(visited, taken_for.unwrap_or(Part::Other))
        }
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
