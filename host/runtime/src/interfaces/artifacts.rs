//! `artifacts`: files that a renderer makes.

use wasmtime::component::Resource;

use super::failure::to_guest;
use crate::guest::drafts::ArtifactWriter;
use crate::guest::renderer::RendererState;
use crate::sandbox::bindings::interfaces::artifacts::{Host, HostWriter};
use crate::sandbox::bindings::interfaces::types;

impl Host for RendererState {
    fn create(
        &mut self,
        filename: String,
        media_type: String,
    ) -> wasmtime::Result<Result<Resource<ArtifactWriter>, types::Failure>> {
        Ok(self
            .drafts
            .create(filename, media_type)
            .map(Resource::new_own)
            .map_err(to_guest))
    }
}

impl HostWriter for RendererState {
    fn write(
        &mut self,
        writer: Resource<ArtifactWriter>,
        bytes: Vec<u8>,
    ) -> wasmtime::Result<Result<(), types::Failure>> {
        Ok(self.drafts.write(writer.rep(), &bytes).map_err(to_guest))
    }
    fn finish(
        &mut self,
        writer: Resource<ArtifactWriter>,
    ) -> wasmtime::Result<Result<(), types::Failure>> {
        Ok(self.drafts.close(writer.rep()).map_err(to_guest))
    }
    fn drop(&mut self, writer: Resource<ArtifactWriter>) -> wasmtime::Result<()> {
        // A file that was never finished is discarded.
        self.drafts.discard(writer.rep());
        Ok(())
    }
}
