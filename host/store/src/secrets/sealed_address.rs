//! Sealed addresses of candidates: each is sealed under its own random key, which is sealed under the project's key,
//! derived from a master key. Project and candidate are authenticated, so that an address opens only in its own place.

use gtm_domain::outcome_ledger::MailAddress;
use gtm_domain::{ProjectId, ProspectId};
use zeroize::Zeroizing;

use super::KeyRing;
use super::sealing::{open, seal};
use crate::error::StoreError;

/// A sealed address with everything that it is bound to.
#[derive(Debug, Clone)]
pub(crate) struct SealedAddress {
    pub(crate) project: ProjectId,
    pub(crate) prospect: ProspectId,
    pub(crate) master_key_id: String,
    pub(crate) sealed: Vec<u8>,
}

fn aad(project: ProjectId, prospect: ProspectId) -> Vec<u8> {
    // Ids are of fixed length, so that two different pairs never encode to the same bytes.
    format!("gtm prospect address v1 {project} {prospect}").into_bytes()
}

fn wrapping_info(project: ProjectId) -> Vec<u8> {
    format!("prospects {project}").into_bytes()
}

/// Seals an address under the ring's current master key.
pub(crate) fn seal_address(
    ring: &KeyRing,
    project: ProjectId,
    prospect: ProspectId,
    address: &MailAddress,
) -> Result<SealedAddress, StoreError> {
    let master_key_id = ring.current_master()?.to_owned();
    let wrapping = ring.derived_master(&master_key_id, &wrapping_info(project))?;
    let clear = Zeroizing::new(address.in_clear());
    Ok(SealedAddress {
        project,
        prospect,
        sealed: seal(&wrapping, &aad(project, prospect), clear.as_bytes())?,
        master_key_id,
    })
}

pub(crate) fn open_address(
    ring: &KeyRing,
    sealed: &SealedAddress,
) -> Result<MailAddress, StoreError> {
    let unreadable = || {
        StoreError::Corrupt(format!(
            "the sealed address of candidate {}",
            sealed.prospect
        ))
    };
    let info = wrapping_info(sealed.project);
    let wrapping = ring
        .derived_master(&sealed.master_key_id, &info)
        .map_err(|_| unreadable())?;
    let aad = aad(sealed.project, sealed.prospect);
    let clear = open(&wrapping, &aad, &sealed.sealed).map_err(|_| unreadable())?;
    let text = std::str::from_utf8(&clear).map_err(|_| unreadable())?;
    text.parse().map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn ring() -> KeyRing {
        KeyRing::from_base64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None).unwrap()
    }

    fn sealed() -> SealedAddress {
        let project = ProjectId::from_uuid(Uuid::from_u128(1));
        let prospect = ProspectId::from_uuid(Uuid::from_u128(2));
        let address = "sam@acme.example".parse().unwrap();
        seal_address(&ring(), project, prospect, &address).unwrap()
    }

    #[test]
    fn it_opens_only_where_it_was_put() {
        let address = sealed();
        let opened = open_address(&ring(), &address).unwrap();
        assert_eq!(opened.in_clear(), "sam@acme.example");
        let elsewhere = [
            SealedAddress {
                project: ProjectId::from_uuid(Uuid::from_u128(9)),
                ..address.clone()
            },
            SealedAddress {
                prospect: ProspectId::from_uuid(Uuid::from_u128(9)),
                ..address.clone()
            },
            SealedAddress {
                master_key_id: "master-gone".to_owned(),
                ..address
            },
        ];
        for other in elsewhere {
            assert!(open_address(&ring(), &other).is_err(), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn no_changed_byte_and_no_bytes_open(at: prop::sample::Index, bit in 0u8..8, bytes: Vec<u8>) {
            let mut address = sealed();
            let at = at.index(address.sealed.len());
            address.sealed[at] ^= 1 << bit;
            prop_assert!(open_address(&ring(), &address).is_err());
            address.sealed = bytes;
            prop_assert!(open_address(&ring(), &address).is_err());
        }
    }
}
