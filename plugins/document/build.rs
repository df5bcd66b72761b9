//! Turns `labels.toml` and `milestones.toml` into constants.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    ["labels", "milestones"]
        .into_iter()
        .try_for_each(gtm_fixed_texts_build::write_texts)
}
