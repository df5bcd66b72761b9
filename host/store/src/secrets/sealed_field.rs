//! Sealed credentials: each is sealed under its own random key, which is sealed under the project's key,
//! derived from a master key. Project, connection, field and version are authenticated, so that a sealed
//! value opens only in its own place.

use gtm_domain::{ConnectionId, ProjectId};
use secrecy::{ExposeSecret, SecretString};

use super::KeyRing;
use super::sealing::{open, seal};
use crate::error::StoreError;

/// A sealed credential with everything that it is bound to.
#[derive(Debug, Clone)]
pub(crate) struct SealedField {
    pub(crate) project: ProjectId,
    pub(crate) connection: ConnectionId,
    pub(crate) field: String,
    pub(crate) version: i64,
    pub(crate) master_key_id: String,
    pub(crate) sealed: Vec<u8>,
}

impl SealedField {
    fn aad(&self) -> Vec<u8> {
        let mut aad = b"gtm credential v1".to_vec();
        for part in [
            &self.project.to_string(),
            &self.connection.to_string(),
            &self.field,
            &self.version.to_string(),
        ] {
            // Length prefixes keep two different tuples from encoding to the same bytes.
            aad.extend_from_slice(&(part.len() as u64).to_be_bytes());
            aad.extend_from_slice(part.as_bytes());
        }
        aad
    }
    fn wrapping_info(&self) -> Vec<u8> {
        format!("credentials {}", self.project).into_bytes()
    }
}

/// Seals a credential under the ring's current master key.
pub(crate) fn seal_field(
    ring: &KeyRing,
    project: ProjectId,
    connection: ConnectionId,
    field: &str,
    version: i64,
    value: &SecretString,
) -> Result<SealedField, StoreError> {
    let master_key_id = ring.current_master()?.to_owned();
    let mut sealed = SealedField {
        project,
        connection,
        field: field.to_owned(),
        version,
        master_key_id,
        sealed: Vec::new(),
    };
    let wrapping = ring.derived_master(&sealed.master_key_id, &sealed.wrapping_info())?;
    sealed.sealed = seal(&wrapping, &sealed.aad(), value.expose_secret().as_bytes())?;
    Ok(sealed)
}

pub(crate) fn open_field(ring: &KeyRing, sealed: &SealedField) -> Result<SecretString, StoreError> {
    let unreadable = || StoreError::Unreadable {
        connection: sealed.connection.to_string(),
        field: sealed.field.clone(),
    };
    let wrapping = ring
        .derived_master(&sealed.master_key_id, &sealed.wrapping_info())
        .map_err(|_| unreadable())?;
    let value = open(&wrapping, &sealed.aad(), &sealed.sealed).map_err(|_| unreadable())?;
    let text = std::str::from_utf8(&value).map_err(|_| unreadable())?;
    Ok(SecretString::from(text))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;
    use uuid::Uuid;

    fn ring() -> KeyRing {
        KeyRing::from_base64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", None).unwrap()
    }
    fn sealed(value: &str) -> SealedField {
        let (project, connection) = (
            ProjectId::from_uuid(Uuid::from_u128(1)),
            ConnectionId::from_uuid(Uuid::from_u128(2)),
        );
        seal_field(
            &ring(),
            project,
            connection,
            "api_key",
            1,
            &SecretString::from(value),
        )
        .unwrap()
    }

    proptest! {
        #[test]
        fn a_value_survives_and_no_changed_byte_does(value in ".{0,60}", at: prop::sample::Index, bit in 0u8..8) {
            let mut field = sealed(&value);
            let opened = open_field(&ring(), &field).unwrap();
            prop_assert_eq!(opened.expose_secret(), value.as_str());
            let at = at.index(field.sealed.len());
            field.sealed[at] ^= 1 << bit;
            prop_assert!(open_field(&ring(), &field).is_err());
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let mut field = sealed("x");
            field.sealed = bytes;
            prop_assert!(open_field(&ring(), &field).is_err());
        }
    }

    #[test]
    fn it_opens_only_where_it_was_put() {
        let field = sealed("secret");
        let elsewhere = [
            SealedField {
                project: ProjectId::from_uuid(Uuid::from_u128(9)),
                ..field.clone()
            },
            SealedField {
                connection: ConnectionId::from_uuid(Uuid::from_u128(9)),
                ..field.clone()
            },
            SealedField {
                field: "other".to_owned(),
                ..field.clone()
            },
            SealedField {
                version: 2,
                ..field.clone()
            },
            SealedField {
                master_key_id: "master-gone".to_owned(),
                ..field
            },
        ];
        for other in elsewhere {
            assert!(
                matches!(
                    open_field(&ring(), &other),
                    Err(StoreError::Unreadable { .. })
                ),
                "{other:?}"
            );
        }
    }
}
