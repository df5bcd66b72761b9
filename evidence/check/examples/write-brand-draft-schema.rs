//! Writes the fields into `wit/results/brand-draft.schema.json` as they are declared.

use std::error::Error;
use std::fs;
use std::path::Path;

use gtm_evidence_check::brand::draft_schema;

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(draft_schema::FILE);
    let written = draft_schema::written(&fs::read_to_string(&path)?)?;
    Ok(fs::write(path, written)?)
}
