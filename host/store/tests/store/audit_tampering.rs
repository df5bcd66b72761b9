//! The audit log behind the store's back: what the database refuses, and that tampering is noticed even if
//! it first removes the database's guards.

use gtm_domain::audit::AuditHead;
use gtm_domain::{AuditEntryId, Digest};
use gtm_store::AuditFilter;

use crate::world::World;

on_both_engines!(
    the_database_refuses_to_change_the_log,
    tampering_is_found_where_it_was_done,
    a_rewritten_end_is_found_with_an_anchored_head,
    a_chain_that_is_gone_is_missed,
    a_database_of_before_the_log_gets_its_chains_once,
);

async fn the_database_refuses_to_change_the_log(world: World) {
    let tenant = world.unaudited_tenant().await;
    world.create(&tenant.scope).await;
    for sql in [
        "UPDATE audit_log SET actor_id = 'mallory' WHERE seq = 1",
        "DELETE FROM audit_log WHERE seq = 2",
        "DELETE FROM audit_heads",
        "UPDATE audit_heads SET seq = 1",
        "UPDATE audit_heads SET seq = seq, hash = 'x'",
    ] {
        assert!(world.raw(sql).await.is_err(), "{sql}");
    }
}

/// Removes the triggers, as someone with the database's password could, and keeps a copy.
async fn disarm(world: &World) {
    for (trigger, table) in [
        ("audit_log_stays", "audit_log"),
        ("audit_log_remains", "audit_log"),
        ("audit_heads_grow", "audit_heads"),
        ("audit_heads_remain", "audit_heads"),
    ] {
        if !world.is_postgres() {
            world.raw(&format!("DROP TRIGGER {trigger}")).await.unwrap();
        } else if trigger != "audit_log_remains" {
            let sql = format!("DROP TRIGGER {trigger} ON {table}");
            world.raw(&sql).await.unwrap();
        }
    }
    for table in ["audit_log", "audit_heads"] {
        let sql = format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}");
        world.raw(&sql).await.unwrap();
    }
}

async fn restore(world: &World) {
    for table in ["audit_log", "audit_heads"] {
        world.raw(&format!("DELETE FROM {table}")).await.unwrap();
        let sql = format!("INSERT INTO {table} SELECT * FROM kept_{table}");
        world.raw(&sql).await.unwrap();
    }
}

async fn tampering_is_found_where_it_was_done(world: World) {
    let tenant = world.unaudited_tenant().await;
    for _ in 0..3 {
        world.create(&tenant.scope).await;
    }
    let bystander = world.unaudited_tenant().await;
    disarm(&world).await;
    let id = AuditEntryId::from_uuid(gtm_store::uuid_v7(world.now()));
    let other = Digest::of(b"other");
    let later = if world.is_postgres() {
        "at = at + interval '1 millisecond'"
    } else {
        "at = at + 1000"
    };
    let slightly_later = if world.is_postgres() {
        "at = at + interval '1 microsecond'"
    } else {
        "at = at + 1"
    };
    let field = |set: &str| vec![format!("UPDATE audit_log SET {set} WHERE seq = 2 AND _")];
    let mut cases: Vec<(Vec<String>, u64)> = [
        &format!("id = '{id}'"),
        "id = 'no id'",
        later,
        slightly_later,
        "actor_kind = 'system'",
        "actor_id = 'mallory'",
        "action = 'project.archived'",
        "resource_kind = 'job'",
        "resource_id = 'prj_x'",
        "organization_id = NULL",
        "project_id = NULL",
        "request_id = 'x'",
        "ip_hash = 'x'",
        &format!("before_hash = '{other}'"),
        "after_hash = NULL",
        "after_hash = 'no digest'",
        &format!("prev_hash = '{other}'"),
        &format!("hash = '{other}'"),
    ]
    .into_iter()
    .map(|set| (field(set), 2))
    .collect();
    let sql = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    cases.extend([
        (sql(&["DELETE FROM audit_log WHERE seq = 6 AND _"]), 6),
        (sql(&["DELETE FROM audit_log WHERE seq = 1 AND _"]), 1),
        (sql(&["DELETE FROM audit_log WHERE seq = 3 AND _"]), 3),
        (
            sql(&[
                "UPDATE audit_log SET seq = 1000 WHERE seq = 3 AND _",
                "UPDATE audit_log SET seq = 3 WHERE seq = 4 AND _",
                "UPDATE audit_log SET seq = 4 WHERE seq = 1000 AND _",
            ]),
            3,
        ),
        (
            sql(&["UPDATE audit_log SET seq = 7 WHERE seq = 6 AND _"]),
            6,
        ),
        (sql(&["UPDATE audit_heads SET seq = 0 WHERE _"]), 1),
        (sql(&["UPDATE audit_heads SET seq = 5 WHERE _"]), 6),
        (sql(&["UPDATE audit_heads SET hash = 'x' WHERE _"]), 6),
        (sql(&["DELETE FROM audit_heads WHERE _"]), 6),
        (sql(&["DELETE FROM audit_log WHERE _"]), 1),
    ]);
    let chain = tenant.organization.to_string();
    let sound = world.store.verify_audit(&[]).await.unwrap();
    assert!(sound.is_sound(), "{sound:?}");
    for (statements, place) in cases {
        for sql in &statements {
            let sql = sql.replace(" _", &format!(" chain = '{chain}'"));
            assert!(world.raw(&sql).await.unwrap() > 0, "{sql}");
        }
        let report = world.store.verify_audit(&[]).await.unwrap();
        assert_eq!(report.broken_chains, 1, "{statements:?}: {report:?}");
        let breach = &report.breaches[0];
        assert_eq!(
            (breach.chain.as_str(), breach.seq),
            (chain.as_str(), place),
            "{statements:?}: {breach}"
        );
        assert_eq!(
            report.chains, 3,
            "{} and the platform's hold on",
            bystander.organization
        );
        restore(&world).await;
    }
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
}

async fn a_rewritten_end_is_found_with_an_anchored_head(world: World) {
    let tenant = world.unaudited_tenant().await;
    for _ in 0..2 {
        world.create(&tenant.scope).await;
    }
    let anchored = world.store.operator().audit_heads().await.unwrap();
    world.create(&tenant.scope).await;
    let verify = async |anchored: &[AuditHead]| world.store.verify_audit(anchored).await.unwrap();
    assert!(
        verify(&anchored).await.is_sound(),
        "a longer chain is no breach"
    );
    disarm(&world).await;
    // Cut off the last two entries and adjust the head: the chain alone cannot show it.
    let chain = tenant.organization.to_string();
    for sql in [
        format!("DELETE FROM audit_log WHERE seq > 4 AND chain = '{chain}'"),
        format!(
            "UPDATE audit_heads SET seq = 4, hash = (SELECT hash FROM audit_log WHERE seq = 4 \
             AND chain = '{chain}') WHERE chain = '{chain}'"
        ),
    ] {
        assert!(world.raw(&sql).await.unwrap() > 0);
    }
    assert!(verify(&[]).await.is_sound());
    let report = verify(&anchored).await;
    assert_eq!((report.broken_chains, report.breaches[0].seq), (1, 5));
    // Go on from there as if nothing had happened: other entries now take those positions.
    for _ in 0..2 {
        world.create(&tenant.scope).await;
    }
    assert!(verify(&[]).await.is_sound());
    let report = verify(&anchored).await;
    assert_eq!((report.broken_chains, report.breaches[0].seq), (1, 5));
    // Remove everything.
    for table in ["audit_log", "audit_heads"] {
        world.raw(&format!("DELETE FROM {table}")).await.unwrap();
    }
    for anchored in [&[][..], &anchored] {
        let report = verify(anchored).await;
        assert_eq!(
            (report.chains, report.entries, report.broken_chains),
            (2, 0, 2)
        );
        assert!(report.breaches.iter().all(|breach| breach.seq == 1));
    }
}

/// Removes entries and head, so that the only trace of the chain is that its owner exists.
async fn a_chain_that_is_gone_is_missed(mut world: World) {
    let tenant = world.unaudited_tenant().await;
    world.create(&tenant.scope).await;
    world.unaudited_tenant().await;
    assert!(world.store.verify_audit(&[]).await.unwrap().is_sound());
    disarm(&world).await;
    for chain in [tenant.organization.to_string(), "platform".to_owned()] {
        for table in ["audit_log", "audit_heads"] {
            let gone = format!("DELETE FROM {table} WHERE chain = '{chain}'");
            assert!(world.raw(&gone).await.unwrap() > 0);
        }
        // A restart does not repair it.
        world.reopen().await;
        let report = world.store.verify_audit(&[]).await.unwrap();
        assert_eq!((report.chains, report.broken_chains), (3, 1), "{report:?}");
        assert_eq!(
            report.breaches[0].to_string(),
            format!("{chain} #1: the chain is missing")
        );
        // Nor does a head which claims that nothing has happened yet.
        let empty = format!("INSERT INTO audit_heads (chain, seq, hash) VALUES ('{chain}', 0, '')");
        world.raw(&empty).await.unwrap();
        let report = world.store.verify_audit(&[]).await.unwrap();
        assert_eq!(report.broken_chains, 1, "{report:?}");
        restore(&world).await;
    }
}

async fn a_database_of_before_the_log_gets_its_chains_once(mut world: World) {
    let tenant = world.unaudited_tenant().await;
    disarm(&world).await;
    for table in ["audit_log", "audit_heads"] {
        world.raw(&format!("DELETE FROM {table}")).await.unwrap();
    }
    // The state in which the migration leaves such a database.
    let chain = tenant.organization.to_string();
    let to_begin =
        format!("INSERT INTO audit_chains_to_begin (chain) VALUES ('platform'), ('{chain}')");
    world.raw(&to_begin).await.unwrap();
    for _ in 0..2 {
        world.reopen().await;
        let report = world.store.verify_audit(&[]).await.unwrap();
        assert!(report.is_sound(), "{report:?}");
        assert_eq!((report.chains, report.entries), (2, 2));
    }
    let begun = AuditFilter {
        action: Some("audit_chain.begun".to_owned()),
        limit: 10,
        ..AuditFilter::default()
    };
    let operator = world.store.operator();
    let entries = operator.newest_audit_entries(&begun).await.unwrap();
    assert_eq!(entries.len(), 2);
    for entry in entries {
        assert_eq!(entry.resource.id, entry.chain);
        assert_eq!((entry.seq, entry.actor.id.as_str()), (1, "startup"));
    }
}
