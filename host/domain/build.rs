//! Turns `spelled_addresses.toml` into constants.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    gtm_fixed_texts_build::write_lists("spelled_addresses")
}
