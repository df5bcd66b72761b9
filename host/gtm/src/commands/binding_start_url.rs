//! `gtm binding start-url …`.

use std::collections::BTreeSet;

use clap::Subcommand;
use gtm_domain::BindingId;
use gtm_domain::binding::Binding;
use gtm_domain::domain_name::DomainName;
use gtm_domain::start_url::{StartUrl, StartUrls};
use gtm_store::StartUrlChange;
use serde_json::json;

use super::import_file::ImportFile;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, table};

/// As many start URLs as a binding may have, each as long as it may be, fit.
const MAX_BYTES: u64 = 8 << 20;

/// Commands on the start URLs of a binding.
#[derive(Debug, Subcommand)]
pub enum BindingStartUrl {
    /// Start research of a domain at a URL, replacing the one that it had
    ///
    /// Danger: what that page says counts as the company's own words in every result of this binding.
    #[command(
        after_help = "Example:\n  gtm binding start-url add BND acme.example https://staging.acme.example/"
    )]
    Add {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
        /// The domain that is researched
        #[arg(value_name = "DOMAIN")]
        domain: String,
        /// URL of the page to start at, http or https
        #[arg(value_name = "URL")]
        url: String,
    },
    /// Start research of a domain at https://DOMAIN/ again
    #[command(after_help = "Example:\n  gtm binding start-url remove BND acme.example")]
    Remove {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
        /// The domain that is researched
        #[arg(value_name = "DOMAIN")]
        domain: DomainName,
    },
    /// List the start URLs of a binding, by domain
    #[command(after_help = "Example:\n  gtm binding start-url list BND")]
    List {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
    },
    /// Add many start URLs from a file, all or none
    ///
    /// Each line is DOMAIN,URL; empty lines and those that begin with # are skipped.
    #[command(after_help = "Example:\n  gtm binding start-url import BND sites.csv --replace")]
    Import {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
        /// The file, or `-` for standard input; each line is DOMAIN,URL
        #[arg(value_name = "FILE")]
        file: ImportFile,
        /// Remove start URLs that are not in the file
        #[arg(long)]
        replace: bool,
    },
}

/// Runs a command.
///
/// # Errors
/// If a domain or URL is invalid, the file cannot be read, or the store refuses.
pub async fn run(
    command: BindingStartUrl,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        BindingStartUrl::Add { id, domain, url } => {
            let new = StartUrl::new(&domain, &url).map_err(|e| Failure::new(e.to_string()))?;
            let (domain, url) = (new.domain().clone(), new.url().to_owned());
            let held = change(installation, id, StartUrlChange::Add(vec![new])).await?;
            output.print(
                &json!({ "id": id, "domain": domain, "url": url, "start_url_count": held.len() }),
                || format!("research of {domain} begins at {url}"),
            )
        }
        BindingStartUrl::Remove { id, domain } => {
            existing(installation, id).await?;
            let before = operator.binding_start_urls(id).await?;
            if !before.iter().any(|(known, _)| known == domain.as_str()) {
                return Err(Failure::new(format!(
                    "binding {id} has no start URL of {domain}"
                )));
            }
            let held = change(installation, id, StartUrlChange::Remove(domain.clone())).await?;
            output.print(
                &json!({ "id": id, "domain": domain, "removed": true, "start_url_count": held.len() }),
                || format!("research of {domain} begins at https://{domain}/"),
            )
        }
        BindingStartUrl::List { id } => {
            existing(installation, id).await?;
            let held = operator.binding_start_urls(id).await?;
            output.print(&json!({ "id": id, "start_urls": held }), || {
                let row = |(domain, url): (&str, &str)| vec![domain.to_owned(), url.to_owned()];
                table(
                    &["DOMAIN", "URL"],
                    &held.iter().map(row).collect::<Vec<_>>(),
                )
            })
        }
        BindingStartUrl::Import { id, file, replace } => {
            let urls = read_lines(&file.read_text(MAX_BYTES)?)?;
            let read = urls.len();
            let urls = if replace {
                StartUrlChange::Replace(urls)
            } else {
                StartUrlChange::Add(urls)
            };
            let held = change(installation, id, urls).await?.len();
            output.print(
                &json!({ "id": id, "imported": read, "start_url_count": held }),
                || format!("{read} start URLs were read; the binding has {held}"),
            )
        }
    }
}

/// Parses the value of the option `--start-url`.
///
/// # Errors
/// If the text is not `DOMAIN=URL` with a public domain and an http or https address.
pub fn parse_pair(text: &str) -> Result<StartUrl, String> {
    let (domain, url) = text.split_once('=').ok_or("expected DOMAIN=URL")?;
    StartUrl::new(domain, url).map_err(|cause| cause.to_string())
}

/// Changes the start URLs of a binding.
///
/// # Errors
/// If there is no such binding, or the store refuses.
pub async fn change(
    installation: &Installation,
    id: BindingId,
    change: StartUrlChange,
) -> Result<StartUrls, Failure> {
    existing(installation, id).await?;
    Ok(installation
        .operator()
        .change_start_urls(id, change)
        .await?)
}

async fn existing(installation: &Installation, id: BindingId) -> Result<Binding, Failure> {
    let found = installation.operator().show_binding(id).await?;
    found.ok_or_else(|| Failure::absent("binding", id))
}

/// Parses the lines of an import. Every error names its line.
fn read_lines(text: &str) -> Result<Vec<StartUrl>, Failure> {
    let (mut urls, mut domains) = (Vec::new(), BTreeSet::new());
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let fault = |why: &str| Failure::new(format!("line {number}: {why}"));
        let (domain, url) = line
            .split_once(',')
            .ok_or_else(|| fault("expected DOMAIN,URL"))?;
        let new = StartUrl::new(domain, url).map_err(|cause| fault(&cause.to_string()))?;
        if !domains.insert(new.domain().clone()) {
            return Err(fault(&format!("{} is listed twice", new.domain())));
        }
        urls.push(new);
    }
    Ok(urls)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let read = read_lines(
            "\u{feff}# ours\r\n\r\nAcme.example , http://127.0.0.1:80/x,y \r\nb.example,https://b/\n",
        );
        let read: Vec<(String, String)> = read
            .unwrap()
            .iter()
            .map(|new| (new.domain().to_string(), new.url().to_owned()))
            .collect();
        let wanted = [
            ("acme.example", "http://127.0.0.1/x,y"),
            ("b.example", "https://b/"),
        ];
        assert_eq!(read, wanted.map(|(a, b)| (a.to_owned(), b.to_owned())));
        for (text, line) in [
            ("a.example,https://a/\nb.example", "line 2: expected"),
            ("a.example,ftp://a/", "line 1: the start URL must be"),
            ("co.uk,https://a/", "line 1: this is a public suffix"),
            (
                "a.example,https://a/\n\nA.example,https://b/",
                "line 3: a.example is listed twice",
            ),
        ] {
            let failure = read_lines(text).unwrap_err();
            assert!(format!("{failure:?}").contains(line), "{failure:?}");
        }
    }
}
