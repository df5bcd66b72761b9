//! Shows what is read of a file: `cargo run -p gtm-file-text --example show FILE`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers"
)]

fn main() -> std::io::Result<()> {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name)?;
        let start = std::time::Instant::now();
        match gtm_file_text::read(None, &bytes) {
            None => println!("{name}: no document"),
            Some(Err(refusal)) => println!("{name}: {} in {:?}", refusal.code(), start.elapsed()),
            Some(Ok(file)) => {
                let took = start.elapsed();
                let facts = (file.kind, &file.title, &file.language, file.pages, file.cut);
                println!("{name}: {facts:?} in {took:?}");
                for passage in file.passages {
                    let block = passage.block;
                    let kind = block.kind.as_str();
                    println!(
                        "{:?} {:?} {kind} {:?}: {}",
                        passage.page, block.region, block.level, block.text
                    );
                }
            }
        }
    }
    Ok(())
}
