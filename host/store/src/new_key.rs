//! A new API key for the database: its record, and the data that authenticates it.

use gtm_domain::key_record::KeyRecord;

pub(crate) struct NewKey {
    pub(crate) record: KeyRecord,
    pub(crate) pepper_id: String,
    pub(crate) mac: Vec<u8>,
}
