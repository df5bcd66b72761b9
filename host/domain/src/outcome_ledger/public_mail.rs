//! Domains under which anybody can get a mailbox. A ledger entry for one of them would silence everybody who has a
//! mailbox there, so it is refused. The list and its source are in `public_mail_domains.txt`.

use std::collections::HashSet;
use std::sync::LazyLock;

static LISTED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("public_mail_domains.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
});

/// Whether a domain, in lower-case ASCII, or one above it is listed.
#[must_use]
pub fn is_public_mail_domain(domain: &str) -> bool {
    let mut rest = Some(domain);
    while let Some(name) = rest {
        if LISTED.contains(name) {
            return true;
        }
        rest = name.split_once('.').map(|(_, above)| above);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailboxes_for_everybody_are_known_and_companies_are_none() {
        for domain in [
            "gmail.com",
            "mail.gmail.com",
            "gmx.de",
            "t-online.de",
            "orange.fr",
            "proton.me",
            "mailbox.org",
            "yahoo.co.uk",
        ] {
            assert!(is_public_mail_domain(domain), "{domain}");
        }
        for domain in [
            "acme.example",
            "sap.com",
            "bbc.co.uk",
            "com",
            "notgmail.com",
            "",
        ] {
            assert!(!is_public_mail_domain(domain), "{domain}");
        }
    }

    #[test]
    fn every_line_is_a_domain_in_its_normal_form() {
        assert!(LISTED.len() > 10_000, "{}", LISTED.len());
        for line in LISTED.iter() {
            let name = line.trim_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
            let is_name = name.chars().all(|c| {
                c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == '-' || c == '_'
            });
            assert!(is_name && line.contains('.'), "{line}");
        }
    }
}
