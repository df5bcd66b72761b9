//! Typed identifiers: `<prefix>_<26 characters of Crockford base32>` over a UUIDv7 (annex A0).
//! Opaque to callers; sorted by creation time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The text is not an identifier of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an id of the form {prefix}_<26 characters>")]
pub struct ParseIdError {
    pub prefix: &'static str,
}

fn encode(uuid: Uuid) -> String {
    let mut value = uuid.as_u128();
    let mut out = [b'0'; 26];
    for slot in out.iter_mut().rev() {
        *slot = ALPHABET[(value & 31) as usize];
        value >>= 5;
    }
    out.iter().map(|b| char::from(*b)).collect()
}

fn decode(text: &str) -> Option<Uuid> {
    let bytes = text.as_bytes();
    // 26 characters hold 130 bits, so the first character may only be 0 to 7.
    if bytes.len() != 26 || !(b'0'..=b'7').contains(&bytes[0]) {
        return None;
    }
    let mut value: u128 = 0;
    for b in bytes {
        let digit = ALPHABET.iter().position(|a| a == b)? as u128;
        value = (value << 5) | digit;
    }
    Some(Uuid::from_u128(value))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub struct $name(Uuid);

        impl $name {
            /// The prefix before the underscore.
            pub const PREFIX: &'static str = $prefix;
            /// Wraps a UUID; new ids use version 7.
            #[must_use]
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}_{}", $prefix, encode(self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
        impl FromStr for $name {
            type Err = ParseIdError;
            fn from_str(text: &str) -> Result<Self, ParseIdError> {
                text.strip_prefix(concat!($prefix, "_"))
                    .and_then(decode)
                    .map(Self)
                    .ok_or(ParseIdError { prefix: $prefix })
            }
        }
        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }
        impl TryFrom<String> for $name {
            type Error = ParseIdError;
            fn try_from(text: String) -> Result<Self, ParseIdError> {
                text.parse()
            }
        }
    )*};
}

ids! {
    /// An organization: the tenant. It owns brands, bindings and credit.
    OrganizationId = "org";
    /// A project of an organization. It owns keys, jobs, connections and usage.
    ProjectId = "prj";
    /// An API key's record.
    KeyRecordId = "key";
    JobId = "job";
    /// A configured connection to a provider.
    ConnectionId = "conn";
    /// A binding of a capability to a backend or a connection.
    BindingId = "bnd";
    /// A receipt of one exchange through the egress gate.
    ReceiptId = "rcp";
    /// A job event.
    EventId = "evt";
    /// A request to our API.
    RequestId = "req";
    /// A brand profile.
    BrandId = "brd";
    OfferId = "offr";
    DocumentTemplateId = "tmpl";
    /// A company dossier specification.
    DossierSpecificationId = "dsp";
    /// A file made by a job.
    FileId = "file";
    MessageTemplateRevisionId = "mtr";
    /// A prospect: a candidate of a prospecting job.
    ProspectId = "prs";
    /// A retained evidence record of a prospect.
    EvidenceId = "evd";
    LedgerTransactionId = "ltx";
    /// An entry of the audit log.
    AuditEntryId = "aud";
    /// A worker process that leases jobs.
    WorkerId = "wrk";
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_survives_its_text(value: u128) {
            let id = JobId::from_uuid(Uuid::from_u128(value));
            prop_assert_eq!(id.to_string().parse::<JobId>().unwrap(), id);
            prop_assert_eq!(id.to_string().len(), 30);
        }

        #[test]
        fn order_of_texts_is_order_of_values(a: u128, b: u128) {
            let (x, y) = (JobId::from_uuid(Uuid::from_u128(a)), JobId::from_uuid(Uuid::from_u128(b)));
            prop_assert_eq!(a.cmp(&b), x.to_string().cmp(&y.to_string()));
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = text.parse::<JobId>();
        }
    }

    #[test]
    fn a_foreign_prefix_is_refused() {
        let id = ProjectId::from_uuid(Uuid::from_u128(7)).to_string();
        assert!(id.parse::<JobId>().is_err());
        assert!(
            "job_8zzzzzzzzzzzzzzzzzzzzzzzzz".parse::<JobId>().is_err(),
            "131 bits do not fit"
        );
    }
}
