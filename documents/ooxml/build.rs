//! Turns `added_words.toml` and `dates.toml` into constants.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    ["added_words", "dates"]
        .into_iter()
        .try_for_each(gtm_fixed_texts_build::write_texts)
}
