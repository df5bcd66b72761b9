//! E-mail addresses in the one form in which they are compared.
//!
//! DANGER: two spellings of one address that were not brought to the same form would let a message through to
//! somebody who objected. Keep the form as it is: HMACs of it are stored for ever.

use std::fmt;
use std::str::FromStr;

use email_address::{EmailAddress, Options};
use unicode_normalization::UnicodeNormalization;

use super::subject_fault::SubjectFault;
use crate::domain_name::DomainName;
use crate::message::characters::is_default_ignorable;

/// Longest address in bytes (RFC 5321, section 4.5.3.1.3, without the angle brackets).
pub const MAX_ADDRESS_BYTES: usize = 254;

/// An e-mail address in its normal form: the domain as lower-case A-labels, the local part in lower case. Tags such
/// as `+news` stay: whether they lead to the same mailbox is the provider's own rule. But whoever objected under the bare
/// address is not written to under a tag, see [`Self::without_tag`]. Its `Debug` form is masked.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MailAddress {
    local: String,
    domain: DomainName,
}

impl MailAddress {
    /// The part behind the `@`.
    #[must_use]
    pub const fn domain(&self) -> &DomainName {
        &self.domain
    }

    /// The whole address. DANGER: only for whoever is to write to it; everything else shows [`Self::masked`].
    #[must_use]
    pub fn in_clear(&self) -> String {
        format!("{}@{}", self.local, self.domain.as_str())
    }

    /// The address without its tag (RFC 5233), if it has one: of `sam+news@acme.example` it is `sam@acme.example`.
    #[must_use]
    pub fn without_tag(&self) -> Option<Self> {
        let (local, _) = self.local.split_once('+')?;
        let is_plain = !local.is_empty() && !local.starts_with('"');
        is_plain.then(|| Self {
            local: local.to_owned(),
            domain: self.domain.clone(),
        })
    }

    /// First character and domain, such as `s***@acme.example`.
    #[must_use]
    pub fn masked(&self) -> String {
        let first = self.local.chars().find(|c| *c != '"').unwrap_or('*');
        format!("{first}***@{}", self.domain.as_str())
    }
}

impl fmt::Debug for MailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl FromStr for MailAddress {
    type Err = SubjectFault;

    fn from_str(text: &str) -> Result<Self, SubjectFault> {
        let text = text.trim();
        // Lengths first: IDNA takes long over long labels.
        if text.len() > MAX_ADDRESS_BYTES {
            return Err(SubjectFault::AddressTooLong);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(SubjectFault::Address)?;
        let domain: DomainName = domain.parse().map_err(SubjectFault::AddressDomain)?;
        let options = Options::default()
            .with_required_tld()
            .without_display_text()
            .without_domain_literal();
        let parse = |local: &str| {
            let whole = format!("{local}@{}", domain.as_str());
            EmailAddress::parse_with_options(&whole, options)
        };
        let mut local: String = local.nfc().collect::<String>().to_lowercase();
        // Lower case of a composed character may be decomposed.
        local = local.nfc().collect();
        // DANGER: letters of another width, and such as show nothing, would make another address that nobody has.
        if local.chars().any(is_default_ignorable) || !local.nfkc().eq(local.chars()) {
            return Err(SubjectFault::Address);
        }
        parse(&local).map_err(|_| SubjectFault::Address)?;
        // Quotes that nothing needs are another spelling of the same address.
        if let Some(bare) = unquoted(&local)
            && parse(&bare).is_ok()
        {
            local = bare;
        }
        if local.len() + 1 + domain.as_str().len() > MAX_ADDRESS_BYTES {
            return Err(SubjectFault::AddressTooLong);
        }
        Ok(Self { local, domain })
    }
}

/// What stands between the quotes of a quoted local part, without its escapes.
fn unquoted(local: &str) -> Option<String> {
    let inner = local.strip_prefix('"')?.strip_suffix('"')?;
    let mut bare = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        bare.push(match character {
            '\\' => characters.next()?,
            other => other,
        });
    }
    Some(bare)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::domain_name::DomainNameError;

    fn address(text: &str) -> MailAddress {
        text.parse().unwrap()
    }

    #[test]
    fn spellings_of_one_address_are_one() {
        for (text, want) in [
            ("sam@acme.example", "sam@acme.example"),
            (" Sam@ACME.Example ", "sam@acme.example"),
            ("sam@acme.example.", "sam@acme.example"),
            ("\"sam\"@acme.example", "sam@acme.example"),
            ("\"s\\am\"@acme.example", "sam@acme.example"),
            ("sam+news@acme.example", "sam+news@acme.example"),
            ("sam@bücher.example", "sam@xn--bcher-kva.example"),
            ("SAM@XN--BCHER-KVA.example", "sam@xn--bcher-kva.example"),
            ("jo\u{308}rg@acme.example", "j\u{f6}rg@acme.example"),
            ("\"a b\"@acme.example", "\"a b\"@acme.example"),
        ] {
            assert_eq!(address(text).in_clear(), want, "{text}");
        }
    }

    #[test]
    fn a_tag_can_be_left_out() {
        for (text, want) in [
            ("sam+news@acme.example", Some("sam@acme.example")),
            ("Sam+a+b@acme.example", Some("sam@acme.example")),
            ("sam+@acme.example", Some("sam@acme.example")),
            ("sam@acme.example", None),
            ("+sam@acme.example", None),
            ("\"a +b\"@acme.example", None),
        ] {
            let bare = address(text).without_tag();
            let bare = bare.map(|bare| bare.in_clear());
            assert_eq!(bare.as_deref(), want, "{text}");
        }
    }

    #[test]
    fn what_is_no_address_is_told_why() {
        use SubjectFault as F;
        for (text, want) in [
            ("", F::Address),
            ("sam", F::Address),
            (
                "Sam <sam@acme.example>",
                F::AddressDomain(DomainNameError::Invalid),
            ),
            ("a b@acme.example", F::Address),
            ("@acme.example", F::Address),
            ("ｓａｍ@acme.example", F::Address),
            ("sam\u{3164}@acme.example", F::Address),
            ("a..b@acme.example", F::Address),
            (
                "sam@localhost",
                F::AddressDomain(DomainNameError::SingleLabel),
            ),
            (
                "sam@[127.0.0.1]",
                F::AddressDomain(DomainNameError::IpAddress),
            ),
            ("sam@co.uk", F::AddressDomain(DomainNameError::PublicSuffix)),
        ] {
            assert_eq!(text.parse::<MailAddress>(), Err(want), "{text}");
        }
        let long = format!("{}@acme.example", "a".repeat(250));
        assert_eq!(long.parse::<MailAddress>(), Err(F::AddressTooLong));
    }

    #[test]
    fn a_masked_address_shows_one_character() {
        assert_eq!(address("sam@acme.example").masked(), "s***@acme.example");
        assert_eq!(address("s@acme.example").masked(), "s***@acme.example");
        assert_eq!(
            address("\"a b\"@acme.example").masked(),
            "a***@acme.example"
        );
        assert_eq!(
            format!("{:?}", address("sam@acme.example")),
            "s***@acme.example"
        );
    }

    proptest! {
        #[test]
        fn the_normal_form_is_stable(text in "\\PC{0,40}@[A-Za-z0-9äß.-]{1,30}\\.(example|co\\.uk)") {
            if let Ok(address) = text.parse::<MailAddress>() {
                let again: MailAddress = address.in_clear().parse().unwrap();
                prop_assert_eq!(&again, &address);
                prop_assert!(address.in_clear().len() <= MAX_ADDRESS_BYTES);
            }
        }

        #[test]
        fn case_does_not_matter(text in "[a-zA-Z0-9+._-]{1,20}@[A-Za-z0-9]{1,20}\\.example") {
            let address = text.parse::<MailAddress>();
            prop_assert_eq!(text.to_uppercase().parse::<MailAddress>(), address.clone());
            prop_assert_eq!(text.to_lowercase().parse::<MailAddress>(), address);
        }
    }
}
