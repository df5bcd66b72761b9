//! What a search for people asks for: the normalized input of its job.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::domain_name::DomainName;
use crate::prospecting::import::shows_an_address;

/// The value of `operation` in the input of such a job.
pub const SEARCH: &str = "search";
/// Most entries of each list, as in the contract of `people.search`.
const MAX_ROLES: usize = 10;
const MAX_DOMAINS: usize = 20;
const MAX_COUNTRIES: usize = 10;
/// Longest role; as in the placeholder that it fills (annex A4.1).
const ROLE_CHARS: usize = 120;
/// Most people of a search.
pub const MAX_LIMIT: u16 = 100;
/// Longest expiry: when the job itself goes.
pub const MAX_DAYS: u16 = 30;

/// A country by its code, with the name that providers know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchCountry {
    /// ISO 3166-1 alpha-2.
    pub code: String,
    /// In English.
    pub name: String,
}

/// What is searched for. Of each list one entry must fit; an empty list asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchInput {
    /// Always [`SEARCH`].
    pub operation: String,
    pub roles: Vec<String>,
    pub company_domains: Vec<String>,
    pub countries: Vec<SearchCountry>,
    /// Most people.
    pub limit: u16,
    /// Days until the candidates expire; `None` for as long as their job.
    pub expires_in_days: Option<u16>,
}

impl SearchInput {
    /// A search, each entry trimmed and once.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence without a full stop.
    pub fn new(
        roles: &[String],
        company_domains: &[DomainName],
        countries: &[SearchCountry],
        limit: u16,
        expires_in_days: Option<u16>,
    ) -> Result<Self, String> {
        let mut input = Self {
            operation: SEARCH.to_owned(),
            roles: Vec::new(),
            company_domains: Vec::new(),
            countries: Vec::new(),
            limit,
            expires_in_days,
        };
        for role in roles.iter().map(|role| role.trim()) {
            let chars = role.chars().count();
            if chars == 0 || chars > ROLE_CHARS || role.chars().any(char::is_control) {
                return Err(format!(
                    "a role has 1 to {ROLE_CHARS} characters on one line"
                ));
            }
            // The job shows what it looks for to whoever may read it.
            if shows_an_address(role) {
                return Err("a role must not show an e-mail address".to_owned());
            }
            push_once(&mut input.roles, role.to_owned());
        }
        for domain in company_domains {
            push_once(&mut input.company_domains, domain.as_str().to_owned());
        }
        for country in countries {
            push_once(&mut input.countries, country.clone());
        }
        if input.roles.is_empty() && input.company_domains.is_empty() {
            return Err(
                "a search needs a role or a company: anybody at all would be found otherwise"
                    .to_owned(),
            );
        }
        for (what, has, most) in [
            ("roles", input.roles.len(), MAX_ROLES),
            ("company domains", input.company_domains.len(), MAX_DOMAINS),
            ("countries", input.countries.len(), MAX_COUNTRIES),
        ] {
            if has > most {
                return Err(format!("a search has at most {most} {what}, not {has}"));
            }
        }
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(format!("a search finds 1 to {MAX_LIMIT} people"));
        }
        if expires_in_days.is_some_and(|days| !(1..=MAX_DAYS).contains(&days)) {
            return Err(format!("candidates expire in 1 to {MAX_DAYS} days"));
        }
        Ok(input)
    }

    /// The input of the call of `people.search`. Whoever has no address cannot become a candidate, and is paid for
    /// all the same, so only people with one are asked for.
    #[must_use]
    pub fn call(&self) -> Value {
        let mut call = json!({ "limit": self.limit, "require_email": true });
        for (name, list, is_empty) in [
            ("roles", json!(self.roles), self.roles.is_empty()),
            (
                "company_domains",
                json!(self.company_domains),
                self.company_domains.is_empty(),
            ),
            (
                "countries",
                json!(self.countries),
                self.countries.is_empty(),
            ),
        ] {
            if !is_empty {
                call[name] = list;
            }
        }
        call
    }
}

fn push_once<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    if !list.contains(&entry) {
        list.push(entry);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn gb() -> SearchCountry {
        SearchCountry {
            code: "GB".into(),
            name: "United Kingdom".into(),
        }
    }

    #[test]
    fn a_search_is_normalized_and_asks_only_for_what_it_says() {
        let acme: DomainName = "Acme.example".parse().unwrap();
        let roles = [
            " Head of operations ".to_owned(),
            "Head of operations".to_owned(),
        ];
        let domains = [acme.clone(), acme];
        let input = SearchInput::new(&roles, &domains, &[gb(), gb()], 25, None).unwrap();
        assert_eq!(
            input.call(),
            json!({
                "roles": ["Head of operations"],
                "company_domains": ["acme.example"],
                "countries": [{"code": "GB", "name": "United Kingdom"}],
                "limit": 25,
                "require_email": true,
            })
        );
        let bare = SearchInput::new(&[], &domains, &[], 1, Some(7)).unwrap();
        assert_eq!(
            bare.call(),
            json!({"company_domains": ["acme.example"], "limit": 1, "require_email": true})
        );
    }

    #[test]
    fn what_would_find_anybody_or_too_much_is_refused() {
        let role = |text: &str| vec![text.to_owned()];
        let new =
            |roles: &[String], limit, days| SearchInput::new(roles, &[], &[gb()], limit, days);
        assert!(new(&[], 5, None).unwrap_err().contains("anybody at all"));
        for bad in ["", " ", "a\nb", &"x".repeat(121)] {
            assert!(new(&role(bad), 5, None).is_err(), "{bad:?}");
        }
        for limit in [0, 101] {
            assert!(new(&role("cfo"), limit, None).is_err());
        }
        for days in [0, 31] {
            assert!(new(&role("cfo"), 5, Some(days)).is_err());
        }
        let many: Vec<String> = (0..11).map(|n| format!("role {n}")).collect();
        assert!(
            new(&many, 5, None)
                .unwrap_err()
                .contains("at most 10 roles")
        );
    }
}
