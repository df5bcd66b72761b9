//! Cursors as callers send them back. A cursor must open only if the store sealed it for the same project
//! and list. The input either changes such a cursor or is one itself.

use std::sync::{Arc, LazyLock};

use gtm_domain::clock::ManualClock;
use gtm_domain::{Digest, Permissions, Timestamp};
use gtm_store::{KeyRing, ProjectScope, Store, StoreConfig};
use tokio::runtime::Runtime;

pub const TARGET: crate::Target = crate::Target {
    name: "cursor",
    run,
    dictionary: &[b"AQ", b"==", b"%3D", b"_", b"-", b"+", b"/", b"\0"],
};

struct World {
    store: Store,
    scopes: [ProjectScope; 2],
    list: Digest,
    /// A sealed cursor and its key.
    sealed: (String, String),
    _runtime: Runtime,
    _dir: tempfile::TempDir,
}

static WORLD: LazyLock<World> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime starts");
    let dir = tempfile::tempdir().expect("a folder can be made");
    let (store, scopes) = runtime.block_on(open(dir.path()));
    let list = Digest::of(b"jobs");
    let key = "job_0192f0c1-2a3b-7c4d-8e5f-001122334455".to_owned();
    let sealed = (store.seal_cursor(&scopes[0], &list, &key), key);
    World {
        store,
        scopes,
        list,
        sealed,
        _runtime: runtime,
        _dir: dir,
    }
});

async fn open(dir: &std::path::Path) -> (Store, [ProjectScope; 2]) {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_767_225_600_000)));
    let config = StoreConfig::in_data_dir(dir);
    let keys = KeyRing::from_dir(dir).expect("a key ring");
    let store = Store::connect(&config, keys, clock).await.expect("a store");
    let mut scopes = Vec::new();
    for name in ["a", "b"] {
        let operator = store.operator();
        let organization = operator.create_organization(name).await.expect("made").id;
        let project = operator
            .create_project(organization, name)
            .await
            .expect("made")
            .id;
        let full = Permissions::parse("full").expect("a permission");
        let (_, secret) = operator
            .create_key(project, "fuzz", full, None)
            .await
            .expect("made");
        scopes.push(store.authenticate(&secret, None).await.expect("known"));
    }
    let scopes = scopes
        .try_into()
        .unwrap_or_else(|_| unreachable!("two projects were made"));
    (store, scopes)
}

fn run(input: &[u8]) -> String {
    let world = &*WORLD;
    let (sealed, key) = &world.sealed;
    let open = |scope: usize, text: &str| {
        world
            .store
            .open_cursor(&world.scopes[scope], &world.list, text)
    };
    let Ok(text) = std::str::from_utf8(input) else {
        return "not text".to_owned();
    };
    if text != sealed {
        assert_eq!(open(0, text), None, "a text of a stranger opens");
    }
    // The sealed cursor, changed as the input says: any of its bytes, or its length.
    let mut changed = sealed.clone().into_bytes();
    for pair in input.chunks_exact(2) {
        let place = usize::from(pair[0]) % changed.len();
        changed[place] = pair[1];
    }
    let Ok(changed) = String::from_utf8(changed) else {
        return "changed to no text".to_owned();
    };
    let opened = open(0, &changed);
    if &changed == sealed {
        assert_eq!(opened.as_ref(), Some(key));
        assert_eq!(open(1, &changed), None, "another project's cursor opens");
        return "opened".to_owned();
    }
    assert_eq!(opened, None, "a changed cursor opens: {changed}");
    // A cursor that is shorter or longer is a different one.
    assert_eq!(
        open(0, &format!("{sealed}{text}")).is_some(),
        text.is_empty()
    );
    "refused".to_owned()
}
