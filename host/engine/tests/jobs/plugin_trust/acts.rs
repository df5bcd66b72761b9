//! Acts of publishers and operators, in any order.

use proptest::prelude::*;

/// An act. `plugin` is an index into [`super::PLUGINS`].
#[derive(Debug, Clone)]
pub(super) enum Act {
    /// A publisher puts a package into the catalog, replacing the one of that version if there is one:
    /// other bytes, wider limits, another signature.
    Add {
        plugin: usize,
        version: u8,
        publisher: usize,
        wide: u8,
        component: u8,
        twin: bool,
    },
    Remove {
        plugin: usize,
        version: u8,
    },
    Restart,
    /// The operator's acts.
    Approve {
        plugin: usize,
        version: u8,
    },
    Transfer {
        plugin: usize,
        publisher: usize,
    },
    Connect,
    MoveConnections,
    Bind,
    /// Acts that change no pinned version.
    RenameConnections,
    CreateJob,
}

pub(super) fn acts() -> impl Strategy<Value = Vec<Act>> {
    let add = (0..2_usize, 0..4_u8, 0..8_usize, 0..3_u8, 0..2_u8, 0..8_u8).prop_map(
        |(plugin, version, publisher, wide, component, twin)| Act::Add {
            plugin,
            version,
            // Mostly the first publisher, so that there is an owner to attack.
            publisher: publisher.saturating_sub(5),
            wide,
            component,
            twin: twin == 0,
        },
    );
    let act = prop_oneof![
        8 => add,
        2 => (0..2_usize, 0..4_u8).prop_map(|(plugin, version)| Act::Remove { plugin, version }),
        8 => Just(Act::Restart),
        2 => (0..2_usize, 0..4_u8).prop_map(|(plugin, version)| Act::Approve { plugin, version }),
        1 => (0..2_usize, 0..2_usize).prop_map(|(plugin, publisher)| Act::Transfer { plugin, publisher }),
        3 => Just(Act::Connect),
        1 => Just(Act::MoveConnections),
        3 => Just(Act::Bind),
        1 => Just(Act::RenameConnections),
        3 => Just(Act::CreateJob),
    ];
    proptest::collection::vec(act, 8..28)
}
