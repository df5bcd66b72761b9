//! Turns `names_of_people.toml`, `spelled_addresses.toml` and `spelled_hosts.toml` into constants.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    gtm_fixed_texts_build::write_lists("names_of_people")?;
    gtm_fixed_texts_build::write_lists("spelled_addresses")?;
    gtm_fixed_texts_build::write_lists("spelled_hosts")
}
