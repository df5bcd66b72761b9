//! Keys of brands: short names that callers may use instead of an id (specification, Playbooks input,
//! `brand_profile_key`).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::website::Website;

/// Longest key in characters.
const MAX_CHARS: usize = 63;
/// The key of a brand whose name has no letter that ASCII can express.
const NAMELESS: &str = "brand";

/// A brand's key, unique in its organization: 1 to 63 of `a-z`, `0-9` and single hyphens within.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BrandKey(String);

/// The text is not a brand key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a brand key is 1 to 63 lower-case letters, digits and single hyphens within")]
pub struct ParseBrandKeyError;

impl BrandKey {
    /// The key that a brand gets if no other brand has it: its name in ASCII, or else the distinctive label
    /// of its host name.
    #[must_use]
    pub fn derived(company_name: Option<&str>, website: Option<&Website>) -> Self {
        let of_name = company_name.map(slug);
        let of_host = || {
            let registrable = website?.domain().registrable();
            let own = registrable.split('.').next().unwrap_or(registrable);
            Some(slug(&idna::domain_to_unicode(own).0))
        };
        let found = of_name.filter(|key| !key.is_empty()).or_else(of_host);
        Self(
            found
                .filter(|key| !key.is_empty())
                .unwrap_or_else(|| NAMELESS.to_owned()),
        )
    }

    /// The key with a number appended, for when the plain one is taken.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        let suffix = format!("-{number}");
        let mut key = self.0.clone();
        key.truncate(MAX_CHARS - suffix.len());
        key.truncate(key.trim_end_matches('-').len());
        key.push_str(&suffix);
        Self(key)
    }

    /// The first free one of this key and its numbered forms from 2 on.
    #[must_use]
    pub fn free_of(&self, taken: impl Fn(&Self) -> bool) -> Self {
        if !taken(self) {
            return self.clone();
        }
        (2..)
            .map(|number| self.numbered(number))
            .find(|key| !taken(key))
            .unwrap_or_else(|| self.clone())
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a text has the form of a key: 1 to 63 of `a-z`, `0-9` and single hyphens within.
pub(crate) fn is_key(text: &str) -> bool {
    let letters = text
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    let hyphens = text.starts_with('-') || text.ends_with('-') || text.contains("--");
    letters && !hyphens && (1..=MAX_CHARS).contains(&text.len())
}

/// Lower-case ASCII, with one hyphen for each run of other characters between letters and digits.
fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in any_ascii::any_ascii(name).chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if c != '\'' && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        if out.len() == MAX_CHARS {
            break;
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

impl fmt::Display for BrandKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for BrandKey {
    type Err = ParseBrandKeyError;

    fn from_str(text: &str) -> Result<Self, ParseBrandKeyError> {
        is_key(text)
            .then(|| Self(text.to_owned()))
            .ok_or(ParseBrandKeyError)
    }
}

impl From<BrandKey> for String {
    fn from(key: BrandKey) -> Self {
        key.0
    }
}

impl TryFrom<String> for BrandKey {
    type Error = ParseBrandKeyError;
    fn try_from(text: String) -> Result<Self, ParseBrandKeyError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn of(name: &str) -> String {
        BrandKey::derived(Some(name), None).to_string()
    }

    #[test]
    fn names_become_keys() {
        for (name, key) in [
            ("Northwind Metering", "northwind-metering"),
            ("  Müller & Söhne GmbH ", "muller-sohne-gmbh"),
            ("Łódź—Straße", "lodz-strasse"),
            ("O'Neill's", "oneills"),
            ("株式会社", "zhushihuishe"),
            ("Яндекс", "yandeks"),
            ("!!!", "brand"),
            ("", "brand"),
        ] {
            assert_eq!(of(name), key, "{name:?}");
        }
        assert_eq!(of(&"ab ".repeat(60)).len(), 62, "no hyphen at the cut");
    }

    #[test]
    fn without_a_name_the_host_s_own_label_counts() {
        for (site, key) in [
            ("https://www.shop.co.uk/", "shop"),
            ("blog.northwind.example", "northwind"),
            ("bücher.example", "bucher"),
        ] {
            let site: Website = site.parse().unwrap();
            assert_eq!(BrandKey::derived(None, Some(&site)).as_str(), key);
            assert_eq!(BrandKey::derived(Some("?"), Some(&site)).as_str(), key);
        }
    }

    #[test]
    fn a_taken_key_gets_a_number() {
        let key: BrandKey = "acme".parse().unwrap();
        let taken = |k: &BrandKey| ["acme", "acme-2", "acme-4"].contains(&k.as_str());
        assert_eq!(key.free_of(taken).as_str(), "acme-3");
        assert_eq!(key.free_of(|_| false), key);
        let long: BrandKey = "a".repeat(63).parse().unwrap();
        assert_eq!(long.numbered(10).as_str().len(), 63);
    }

    proptest! {
        #[test]
        fn every_derived_key_is_a_key(name in "\\PC{0,90}", number in 2u64..1_000_000) {
            let key = BrandKey::derived(Some(&name), None);
            prop_assert_eq!(&key.as_str().parse::<BrandKey>().unwrap(), &key);
            let numbered = key.numbered(number);
            prop_assert_eq!(&numbered.as_str().parse::<BrandKey>().unwrap(), &numbered);
        }
    }
}
