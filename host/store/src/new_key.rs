//! An API key on its way into the database: its record, and what authenticates it.

use gtm_domain::key_record::KeyRecord;

pub(crate) struct NewKey {
    pub(crate) record: KeyRecord,
    pub(crate) pepper_id: String,
    pub(crate) mac: Vec<u8>,
}
