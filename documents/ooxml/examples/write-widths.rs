//! Writes `src/measure/widths.rs` from open fonts:
//! `cargo run -p gtm-ooxml --example write-widths -- FOLDER > documents/ooxml/src/measure/widths.rs`, where the
//! folder has the files named below. They are under the SIL Open Font License; only widths are taken.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use ttf_parser::Face;

#[path = "../src/measure/ranges.rs"]
mod ranges;

/// Name of the table, and fonts of which the wider character counts: what a brand has and what stands in.
const TABLES: [(&str, [&str; 2]); 4] = [
    (
        "SANS",
        ["Inter_400Regular.ttf", "LiberationSans-Regular.ttf"],
    ),
    (
        "SANS_BOLD",
        ["Inter_700Bold.ttf", "LiberationSans-Bold.ttf"],
    ),
    (
        "SERIF",
        ["SourceSerif4_400Regular.ttf", "LiberationSerif-Regular.ttf"],
    ),
    (
        "SERIF_BOLD",
        ["SourceSerif4_700Bold.ttf", "LiberationSerif-Bold.ttf"],
    ),
];

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    println!(
        "//! Widths of characters in thousandths of an em, written by `examples/write-widths.rs`.\n"
    );
    let count: u32 = ranges::RANGES
        .iter()
        .map(|(first, last)| last - first + 1)
        .sum();
    for (name, files) in TABLES {
        let fonts = files.map(|file| std::fs::read(format!("{folder}/{file}")).unwrap());
        let faces = [0, 1].map(|index: usize| Face::parse(&fonts[index], 0).unwrap());
        println!("pub(super) const {name}: [u16; {count}] = [");
        for (first, last) in ranges::RANGES {
            for code in first..=last {
                let character = char::from_u32(code).unwrap();
                let width = |face: &Face<'_>| {
                    let glyph = face.glyph_index(character)?;
                    let units = u32::from(face.units_per_em());
                    Some((u32::from(face.glyph_hor_advance(glyph)?) * 1_000).div_ceil(units))
                };
                let widest = faces.iter().filter_map(width).max().unwrap_or(0);
                println!("{widest},");
            }
        }
        println!("];\n");
    }
}
