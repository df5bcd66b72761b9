//! Turns `spelled_addresses.toml` and `names_of_people.toml` into constants.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    gtm_fixed_texts_build::write_lists("names_of_people")?;
    gtm_fixed_texts_build::write_lists("spelled_addresses")
}
