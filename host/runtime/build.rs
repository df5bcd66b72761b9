//! Embeds the capability contracts of `wit/capabilities` as a table, so that adding a contract means adding
//! its two files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/capabilities");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = file.strip_suffix(".input.schema.json") {
            names.push(name.to_owned());
        }
    }
    names.sort();

    let mut table = String::from("pub(super) const CONTRACTS: &[(&str, &str, &str)] = &[\n");
    for name in names {
        let input = folder
            .join(format!("{name}.input.schema.json"))
            .canonicalize()?;
        let output = folder
            .join(format!("{name}.output.schema.json"))
            .canonicalize()?;
        println!("cargo::rerun-if-changed={}", input.display());
        println!("cargo::rerun-if-changed={}", output.display());
        writeln!(
            table,
            "    ({name:?}, include_str!({input:?}), include_str!({output:?})),"
        )
        .map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    let out = env::var_os("OUT_DIR")
        .map(PathBuf::from)
        .ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(out.join("capability_contracts.rs"), table)
}
