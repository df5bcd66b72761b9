//! Secrets: the key ring and the sealing of credentials.
mod key_ring;
pub use key_ring::KeyRing;
