//! An operator's list for one tenant contains nothing of another.

use std::collections::BTreeSet;

use crate::world::World;

on_both_engines!(projects_and_keys_are_listed_by_owner);

async fn projects_and_keys_are_listed_by_owner(world: World) {
    let (one, other) = (world.tenant().await, world.tenant().await);
    let sister = world.tenant_in(one.organization).await;
    let operator = world.store.operator();
    let projects = |organization| {
        let operator = operator.clone();
        async move {
            let listed = operator.list_projects(organization).await.unwrap();
            listed.iter().map(|row| row.id).collect::<BTreeSet<_>>()
        }
    };
    let all = [one.project, other.project, sister.project];
    assert_eq!(projects(None).await, BTreeSet::from(all));
    assert_eq!(
        projects(Some(one.organization)).await,
        BTreeSet::from([one.project, sister.project])
    );
    assert_eq!(
        projects(Some(other.organization)).await,
        BTreeSet::from([other.project])
    );
    let keys = |project| {
        let operator = operator.clone();
        async move {
            let listed = operator.list_keys(project).await.unwrap();
            listed
                .iter()
                .map(|record| record.id)
                .collect::<BTreeSet<_>>()
        }
    };
    assert_eq!(
        keys(None).await,
        BTreeSet::from([one.key, other.key, sister.key])
    );
    assert_eq!(keys(Some(one.project)).await, BTreeSet::from([one.key]));
    assert_eq!(keys(Some(other.project)).await, BTreeSet::from([other.key]));
}
