//! Writes random components into a folder: `gtm-chance-components FOLDER COUNT SEED`.
//!
//! It alternates between two kinds: whole components from wasm-smith, of any shape and with every proposal
//! that it supports, and evaluators, whose exported functions match the world but may do anything.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use arbitrary::Unstructured;
use wasm_smith::{Component, Config, Module};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// What the core module of an evaluator exports.
const EXPORTS: &str = r#"(module
    (memory (export "memory") 1)
    (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)
    (func (export "evaluate") (param i32 i32) (result i32) unreachable))"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, seed] = arguments.as_slice() else {
        return Err("expected: FOLDER COUNT SEED".into());
    };
    let (folder, count) = (Path::new(folder), count.parse::<usize>()?);
    let mut random = fastrand::Rng::with_seed(seed.parse()?);
    fs::create_dir_all(folder)?;
    let mut made = 0;
    while made < count {
        let mut entropy = vec![0; random.usize(200..6000)];
        random.fill(&mut entropy);
        let component = if made % 2 == 0 {
            evaluator(&entropy, &mut random)
        } else {
            whole(&entropy)
        };
        // Some bytes do not yield a component; then the next ones are tried.
        if let Some(component) = component {
            fs::write(folder.join(format!("{made:05}.wasm")), component)?;
            made += 1;
        }
    }
    Ok(())
}

/// Any component.
fn whole(entropy: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Unstructured::new(entropy);
    let component = Component::new(Config::default(), &mut bytes).ok()?;
    Some(component.to_bytes())
}

/// A component of the world `evaluator` around a random core module. Most use only features that the host
/// accepts, so that they get as far as being called.
fn evaluator(entropy: &[u8], random: &mut fastrand::Rng) -> Option<Vec<u8>> {
    let exports = wat::parse_str(EXPORTS).ok()?;
    let everything = random.u8(0..4) == 0;
    let config = Config {
        exports: Some(exports),
        max_imports: 0,
        min_funcs: 3,
        max_instructions: random.usize(10..2000),
        max_memory32_bytes: if random.bool() { 1 << 20 } else { 1 << 32 },
        max_memories: 1,
        allow_start_export: random.u8(0..4) == 0,
        exceptions_enabled: everything,
        gc_enabled: everything,
        memory64_enabled: false,
        relaxed_simd_enabled: everything,
        tail_call_enabled: everything,
        threads_enabled: false,
        wide_arithmetic_enabled: everything,
        extended_const_enabled: everything,
        compact_imports_enabled: false,
        reference_types_enabled: everything,
        ..Config::default()
    };
    let module = Module::new(config, &mut Unstructured::new(entropy)).ok()?;
    let mut core = module.to_bytes();
    let mut resolve = Resolve::default();
    let (package, _) = resolve
        .push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit"))
        .ok()?;
    let world = resolve.select_world(&[package], Some("evaluator")).ok()?;
    embed_component_metadata(&mut core, &resolve, world, StringEncoding::UTF8, false).ok()?;
    // Not validated here: the host has to find what is wrong with it.
    let mut encoder = ComponentEncoder::default();
    encoder.validate(false);
    encoder.module(&core).ok()?;
    encoder.encode().ok()
}
