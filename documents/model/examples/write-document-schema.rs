//! Writes the schema into `wit/results/document.schema.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

use gtm_document_model::schema;

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(schema::FILE);
    Ok(fs::write(path, schema::written()?)?)
}
