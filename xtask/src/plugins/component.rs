//! From a core WebAssembly module to a component, and what a component declares about itself.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};
use wasmparser::{Parser, Payload};
use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::WorldItem;

/// A component, and two facts that its manifest states about it.
#[derive(Debug)]
pub struct Component {
    pub bytes: Vec<u8>,
    /// The plug-in's world, for example `gtm:plugin/connector@0.1.0`.
    pub world: String,
    /// Names of the interfaces and functions that the component imports, sorted.
    pub host_imports: Vec<String>,
}

/// Makes a component of a module that contains its own interface description, as `wit-bindgen` embeds it.
pub fn componentize(module: &[u8]) -> Result<Component> {
    let world = world_of(module)?;
    let bytes = ComponentEncoder::default()
        .validate(true)
        .module(module)
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| anyhow::anyhow!("cannot make a component of the module: {error:#}"))?;
    let host_imports = imports_of(&bytes)?;
    Ok(Component {
        bytes,
        world,
        host_imports,
    })
}

/// The only world with exports among the interface descriptions in the module. Descriptions without exports
/// come from libraries that only call the host.
fn world_of(module: &[u8]) -> Result<String> {
    let mut worlds = BTreeSet::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload.context("the module is broken")? else {
            continue;
        };
        if !section.name().starts_with("component-type") {
            continue;
        }
        let (resolve, id) = wit_parser::decoding::decode_world(section.data())
            .map_err(|error| anyhow::anyhow!("section {} is broken: {error:#}", section.name()))?;
        let world = &resolve.worlds[id];
        if !world.exports.is_empty()
            && let Some(package) = world.package
        {
            worlds.insert(resolve.id_of_name(package, &world.name));
        }
    }
    match worlds.len() {
        1 => worlds.pop_first().context("a set of one is not empty"),
        0 => bail!("the module names no world; does the crate call the SDK's macro?"),
        _ => bail!(
            "the module is written for more than one world: {}",
            worlds.into_iter().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Sorted names of the interfaces and functions that the component imports. Types that a world borrows from
/// an interface do not count: the component cannot call them.
fn imports_of(component: &[u8]) -> Result<Vec<String>> {
    let decoded = wit_component::decode(component)
        .map_err(|error| anyhow::anyhow!("cannot read the component back: {error:#}"))?;
    let DecodedWasm::Component(resolve, world) = decoded else {
        bail!("what was built is an interface package, not a component");
    };
    let mut names: Vec<String> = resolve.worlds[world]
        .imports
        .iter()
        .filter(|(_, item)| !matches!(item, WorldItem::Type { .. }))
        .map(|(key, _)| resolve.name_world_key(key))
        .collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn a_module_without_a_description_is_refused_with_the_likely_cause() {
        let empty_module = b"\0asm\x01\0\0\0";
        let error = componentize(empty_module).unwrap_err();
        assert!(error.to_string().contains("names no world"), "{error}");
    }

    #[test]
    fn bytes_that_are_not_wasm_are_refused() {
        assert!(componentize(b"#!/bin/sh").is_err());
    }
}
