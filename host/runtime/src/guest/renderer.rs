//! A renderer's run: the files that it may read and those that it makes.

use std::collections::BTreeMap;

use super::drafts::Drafts;
use crate::renderer_files::Asset;
use crate::sandbox::{GuestCore, GuestState};

/// What the store of a render call holds.
pub struct RendererState {
    pub(crate) core: GuestCore,
    pub(crate) assets: BTreeMap<String, Asset>,
    pub(crate) drafts: Drafts,
}

impl GuestState for RendererState {
    fn core(&mut self) -> &mut GuestCore {
        &mut self.core
    }
}
