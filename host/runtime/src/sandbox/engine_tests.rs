#![allow(clippy::unwrap_used, clippy::panic)]

use wasmparser::{Validator, WasmFeatures};
use wasmtime::component::Component;

use super::*;

/// The name of a proposal; a core module or (if the text begins with `(component`) a component that uses
/// it; and a phrase of the refusal.
const SWITCHED_OFF: &[(&str, &str, &str)] = &[
    (
        "structs",
        "(type $s (struct (field i32))) (func (drop (struct.new_default $s)))",
        "gc",
    ),
    (
        "arrays",
        "(type $a (array i32)) (func (drop (array.new_default $a (i32.const 1))))",
        "gc",
    ),
    (
        "small integers as references",
        "(func (result i32) (i31.get_s (ref.i31 (i32.const 1))))",
        "gc support",
    ),
    (
        "function types with subtypes",
        "(type $f (sub (func))) (table 1 funcref)
         (func (call_indirect (type $f) (i32.const 0)))",
        "gc",
    ),
    (
        "a test for a function type",
        "(type $f (func)) (func (param funcref) (result i32) (ref.test (ref null $f) (local.get 0)))",
        "gc support",
    ),
    (
        "a cast to a function type",
        "(type $f (func)) (func (param funcref) (drop (ref.cast (ref null $f) (local.get 0))))",
        "gc support",
    ),
    (
        "references of the host",
        "(func (param externref))",
        "gc types",
    ),
    (
        "typed function references",
        "(type $f (func)) (func (param (ref null $f)) (call_ref $f (local.get 0)))",
        "function references",
    ),
    ("exceptions", "(tag $t) (func (throw $t))", "exceptions"),
    (
        "exceptions that are caught",
        "(func (try_table (catch_all 0)))",
        "exceptions",
    ),
    ("shared memory", "(memory 1 1 shared)", "shared"),
    (
        "atomic instructions",
        "(memory 1) (func (drop (i32.atomic.load (i32.const 0))))",
        "threads",
    ),
    (
        "waiting",
        "(memory 1) (func (drop (memory.atomic.wait32 (i32.const 0) (i32.const 0) (i64.const -1))))",
        "threads",
    ),
    ("two memories", "(memory 1) (memory 1)", "memor"),
    ("memories of 64 bits", "(memory i64 1)", "memory64"),
    ("tables of 64 bits", "(table i64 1 funcref)", "memory64"),
    ("tail calls", "(func $f (return_call $f))", "tail call"),
    (
        "computed constants",
        "(global i32 (i32.add (i32.const 1) (i32.const 2)))",
        "constant",
    ),
    (
        "stack switching",
        "(type $f (func)) (type $c (cont $f))
         (func $g) (elem declare func $g) (func (drop (cont.new $c (ref.func $g))))",
        "stack switching",
    ),
    (
        "pages of another size",
        "(memory 1 (pagesize 1))",
        "page size",
    ),
    (
        "wide arithmetic",
        "(func (param i64 i64) (result i64 i64) (i64.mul_wide_u (local.get 0) (local.get 1)))",
        "wide arithmetic",
    ),
    (
        "relaxed vectors",
        "(func (param v128) (result v128) (i8x16.relaxed_swizzle (local.get 0) (local.get 0)))",
        "relaxed",
    ),
    (
        "asynchronous functions of components",
        "(component (import \"f\" (func $f async)))",
        "async",
    ),
    (
        "streams",
        "(component (type $s (stream u8)) (core func (canon stream.new $s)))",
        "stream",
    ),
];

fn component(text: &str) -> Vec<u8> {
    let whole = if text.starts_with("(component") {
        text.to_owned()
    } else {
        format!("(component (core module {text}))")
    };
    wat::parse_str(&whole).unwrap_or_else(|error| panic!("{whole}: {error}"))
}

fn engine() -> Engine {
    let limits = HostLimits {
        pool_size: 1,
        ..HostLimits::default()
    };
    Engine::new(&config(&limits)).unwrap()
}

#[test]
fn proposals_that_are_switched_off_are_refused_by_name() {
    let engine = engine();
    let mut unnamed = Vec::new();
    for (what, text, words) in SWITCHED_OFF {
        let bytes = component(text);
        Validator::new_with_features(WasmFeatures::all())
            .validate_all(&bytes)
            .unwrap_or_else(|error| panic!("{what} would be valid: {error}"));
        let refusal = match Component::new(&engine, &bytes) {
            Ok(_) => panic!("{what} compiled"),
            Err(error) => format!("{error:#}"),
        };
        if !refusal.contains(words) {
            unnamed.push(format!("{what}: {refusal}"));
        }
    }
    assert!(unnamed.is_empty(), "{unnamed:#?}");
}

/// Guards against an engine that refuses everything.
#[test]
fn what_ordinary_toolchains_emit_is_taken() {
    let engine = engine();
    for text in [
        "(memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 8)))",
        "(type $f (func)) (table 1 funcref) (func (call_indirect (type $f) (i32.const 0)))",
        "(func (param i32) (result i32 i32) (local.get 0) (local.get 0))",
        "(func (param f32) (result i32) (i32.trunc_sat_f32_s (local.get 0)))",
        "(func (param v128) (result v128) (i8x16.swizzle (local.get 0) (local.get 0)))",
        "(global (mut i32) (i32.const 0)) (export \"g\" (global 0))",
    ] {
        Component::new(&engine, component(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}
