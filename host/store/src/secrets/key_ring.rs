//! The master keys and peppers of an installation.
use std::path::Path;
use crate::error::StoreError;

/// Master keys and peppers, the current one of each first.
#[derive(Clone)]
pub struct KeyRing {}

impl KeyRing {
    /// Read `<dir>/master.key`; make it (0600, atomically) if it is absent.
    pub fn from_dir(dir: &Path) -> Result<Self, StoreError> { let _ = dir; todo!() }
    /// From base64 text of 32-byte keys, the current one first, separated by commas. Without
    /// peppers, they are derived from the master keys.
    pub fn from_base64(masters: &str, peppers: Option<&str>) -> Result<Self, StoreError> { let _ = (masters, peppers); todo!() }
}
