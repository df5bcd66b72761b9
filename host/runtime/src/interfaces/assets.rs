//! `assets`: read-only inputs of a renderer.

use crate::guest::renderer::RendererState;
use crate::sandbox::bindings::interfaces::assets::Host;

impl Host for RendererState {
    fn names(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.assets.keys().cloned().collect())
    }
    fn read(&mut self, name: String) -> wasmtime::Result<Option<(String, Vec<u8>)>> {
        Ok(self
            .assets
            .get(&name)
            .map(|asset| (asset.media_type.clone(), asset.bytes.to_vec())))
    }
}
