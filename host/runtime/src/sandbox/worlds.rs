//! One linker per world: a world provides exactly what its linker holds.

use wasmtime::Engine;
use wasmtime::component::{Component, HasData, HasSelf, Linker};

use super::bindings::connector::ConnectorPre;
use super::bindings::document_renderer::DocumentRendererPre;
use super::bindings::evaluator::EvaluatorPre;
use super::bindings::generation_backend::GenerationBackendPre;
use super::bindings::interfaces;
use super::state::{GuestCore, GuestState};
use crate::guest::backend::BackendState;
use crate::guest::connector::ConnectorState;
use crate::guest::evaluator::EvaluatorState;
use crate::guest::renderer::RendererState;
use crate::manifest::PluginKind;

/// A component linked to its world; only instantiation remains.
pub enum Prepared {
    Connector(ConnectorPre<ConnectorState>),
    GenerationBackend(GenerationBackendPre<BackendState>),
    DocumentRenderer(DocumentRendererPre<RendererState>),
    Evaluator(EvaluatorPre<EvaluatorState>),
}

pub struct Linkers {
    connector: Linker<ConnectorState>,
    backend: Linker<BackendState>,
    renderer: Linker<RendererState>,
    evaluator: Linker<EvaluatorState>,
}

/// Tells bindgen that an interface works on the shared part of a state.
struct Core;

impl HasData for Core {
    type Data<'a> = &'a mut GuestCore;
}

fn shared<T: GuestState>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    interfaces::log::add_to_linker::<T, Core>(linker, T::core)?;
    interfaces::context::add_to_linker::<T, Core>(linker, T::core)
}

impl Linkers {
    /// Links the worlds.
    ///
    /// # Errors
    /// If wasmtime refuses, which would be a bug in this program.
    pub fn new(engine: &Engine) -> wasmtime::Result<Self> {
        let mut connector = Linker::new(engine);
        shared(&mut connector)?;
        interfaces::deadline::add_to_linker::<ConnectorState, HasSelf<ConnectorState>>(
            &mut connector,
            |state| state,
        )?;
        interfaces::http::add_to_linker::<ConnectorState, HasSelf<ConnectorState>>(
            &mut connector,
            |state| state,
        )?;

        let mut backend = Linker::new(engine);
        shared(&mut backend)?;
        interfaces::capabilities::add_to_linker::<BackendState, HasSelf<BackendState>>(
            &mut backend,
            |state| state,
        )?;
        interfaces::progress::add_to_linker::<BackendState, HasSelf<BackendState>>(
            &mut backend,
            |state| state,
        )?;

        let mut renderer = Linker::new(engine);
        shared(&mut renderer)?;
        interfaces::assets::add_to_linker::<RendererState, HasSelf<RendererState>>(
            &mut renderer,
            |state| state,
        )?;
        interfaces::artifacts::add_to_linker::<RendererState, HasSelf<RendererState>>(
            &mut renderer,
            |state| state,
        )?;

        Ok(Self {
            connector,
            backend,
            renderer,
            evaluator: Linker::new(engine),
        })
    }

    /// Links a component to the world of its kind.
    ///
    /// # Errors
    /// If imports or exports do not match.
    pub fn prepare(&self, kind: PluginKind, component: &Component) -> wasmtime::Result<Prepared> {
        Ok(match kind {
            PluginKind::Connector => Prepared::Connector(ConnectorPre::new(
                self.connector.instantiate_pre(component)?,
            )?),
            PluginKind::GenerationBackend => Prepared::GenerationBackend(
                GenerationBackendPre::new(self.backend.instantiate_pre(component)?)?,
            ),
            PluginKind::DocumentRenderer => Prepared::DocumentRenderer(DocumentRendererPre::new(
                self.renderer.instantiate_pre(component)?,
            )?),
            PluginKind::Evaluator => Prepared::Evaluator(EvaluatorPre::new(
                self.evaluator.instantiate_pre(component)?,
            )?),
        })
    }
}
