//! Authentication: the result for each state of a key and its project.

use std::time::Duration;

use gtm_domain::{ApiKeySecret, Permission, Permissions};
use gtm_store::AuthError;

use crate::world::World;

on_both_engines!(
    a_key_acts_for_its_project,
    an_unknown_key_and_a_wrong_secret_are_invalid,
    a_revoked_key_is_invalid,
    an_expired_key_says_so,
    a_key_of_an_archived_project_says_so,
    a_key_of_an_archived_organization_says_so,
    only_the_right_secret_learns_of_expiry,
    last_use_is_kept_to_a_minute,
);

async fn a_key_acts_for_its_project(world: World) {
    let tenant = world.tenant().await;
    assert_eq!(tenant.scope.project(), tenant.project);
    assert_eq!(tenant.scope.organization(), tenant.organization);
    assert_eq!(tenant.scope.key(), tenant.key);
    assert!(tenant.scope.permissions().allow(Permission::PlaybooksWrite));
    let shown = world
        .store
        .operator()
        .show_key(tenant.key)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(shown.last4, tenant.secret.last4());
    let text = format!("{shown:?}");
    assert!(!text.contains(tenant.secret.secret()));
}

async fn an_unknown_key_and_a_wrong_secret_are_invalid(world: World) {
    let tenant = world.tenant().await;
    let unknown = ApiKeySecret::from_entropy(&[1; 9], &[2; 32]);
    assert!(matches!(
        world.store.authenticate(&unknown, None).await,
        Err(AuthError::Invalid)
    ));
    // The tenant's public id with another secret.
    let text = tenant.secret.reveal();
    let id = text.split('_').nth(2).unwrap();
    let forged = (0..=u8::MAX).find_map(|n| {
        let other = ApiKeySecret::from_entropy(&[1; 9], &[n; 32]).reveal();
        let secret = other.split('_').nth(3).unwrap().to_owned();
        forge(id, &secret)
    });
    assert!(matches!(
        world.store.authenticate(&forged.unwrap(), None).await,
        Err(AuthError::Invalid)
    ));
}

/// Builds a key text with a correct checksum around any id and secret, by trying its last character pairs.
fn forge(id: &str, secret: &str) -> Option<ApiKeySecret> {
    let crc = crc32(format!("gtm_k1_{id}_{secret}").as_bytes());
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut value = u64::from(crc);
    let mut text = Vec::new();
    for _ in 0..6 {
        text.push(digits[usize::try_from(value % 62).unwrap()]);
        value /= 62;
    }
    text.reverse();
    ApiKeySecret::parse(&format!(
        "gtm_k1_{id}_{secret}_{}",
        String::from_utf8(text).unwrap()
    ))
    .ok()
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xEDB8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}

async fn a_revoked_key_is_invalid(world: World) {
    let tenant = world.tenant().await;
    let first = world.store.operator().revoke_key(tenant.key).await.unwrap();
    world.clock.advance(Duration::from_secs(5));
    let again = world.store.operator().revoke_key(tenant.key).await.unwrap();
    assert_eq!(first.revoked_at, again.revoked_at);
    assert!(matches!(
        world.store.authenticate(&tenant.secret, None).await,
        Err(AuthError::Invalid)
    ));
}

async fn an_expired_key_says_so(world: World) {
    let tenant = world.tenant().await;
    let at = world.now().plus(Duration::from_secs(60));
    let full = Permissions::parse("full").unwrap();
    let (_, secret) = world
        .store
        .operator()
        .create_key(tenant.project, "short", full, Some(at))
        .await
        .unwrap();
    assert!(world.store.authenticate(&secret, None).await.is_ok());
    world.clock.set(at);
    assert!(matches!(
        world.store.authenticate(&secret, None).await,
        Err(AuthError::Expired)
    ));
}

async fn a_key_of_an_archived_project_says_so(world: World) {
    let tenant = world.tenant().await;
    world
        .store
        .operator()
        .archive_project(tenant.project)
        .await
        .unwrap();
    assert!(matches!(
        world.store.authenticate(&tenant.secret, None).await,
        Err(AuthError::ProjectArchived { .. })
    ));
    let full = Permissions::parse("full").unwrap();
    assert!(
        world
            .store
            .operator()
            .create_key(tenant.project, "late", full, None)
            .await
            .is_err()
    );
}

async fn a_key_of_an_archived_organization_says_so(world: World) {
    let tenant = world.tenant().await;
    world
        .store
        .operator()
        .archive_organization(tenant.organization)
        .await
        .unwrap();
    assert!(matches!(
        world.store.authenticate(&tenant.secret, None).await,
        Err(AuthError::ProjectArchived { .. })
    ));
    assert!(
        world
            .store
            .operator()
            .create_project(tenant.organization, "late")
            .await
            .is_err()
    );
}

async fn only_the_right_secret_learns_of_expiry(world: World) {
    let tenant = world.tenant().await;
    world
        .store
        .operator()
        .archive_project(tenant.project)
        .await
        .unwrap();
    let text = tenant.secret.reveal();
    let id = text.split('_').nth(2).unwrap();
    let forged = forge(id, &"A".repeat(43)).unwrap();
    assert!(matches!(
        world.store.authenticate(&forged, None).await,
        Err(AuthError::Invalid)
    ));
}

async fn last_use_is_kept_to_a_minute(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    world.clock.advance(Duration::from_secs(90));
    world
        .store
        .authenticate(&tenant.secret, None)
        .await
        .unwrap();
    let flushed = world.now();
    let mut seen = None;
    for _ in 0..3000 {
        seen = world
            .store
            .operator()
            .show_key(tenant.key)
            .await
            .unwrap()
            .unwrap()
            .last_used_at;
        if seen == Some(flushed) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(seen, Some(flushed));
    // A use within the minute is kept in memory and written when the store closes.
    world.clock.advance(Duration::from_secs(10));
    world
        .store
        .authenticate(&tenant.secret, None)
        .await
        .unwrap();
    let last = world.now();
    world.reopen().await;
    let record = world
        .store
        .operator()
        .show_key(tenant.key)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(record.last_used_at, Some(last));
}
