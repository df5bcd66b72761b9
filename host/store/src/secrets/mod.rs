//! Secrets: the installation's key ring, and how credentials and addresses are sealed under it.

mod encoded_key;
mod key_ring;
mod key_ring_file;
mod sealed_address;
mod sealed_field;
mod sealing;

#[cfg(test)]
pub(crate) use key_ring::API_KEY_MACS;
pub use key_ring::KeyRing;
pub(crate) use key_ring::RingCheck;
pub(crate) use sealed_address::{SealedAddress, open_address, seal_address};
pub(crate) use sealed_field::{SealedField, open_field, seal_field};
