//! New ids: time-ordered, so that rows created together are stored together and ids sort by creation time.

use gtm_domain::Timestamp;
use uuid::{Builder, Uuid};

/// A new UUIDv7: milliseconds of `now` and 74 random bits.
///
/// # Panics
/// If the operating system has no random numbers; nothing could be created safely then.
#[must_use]
pub fn uuid_v7(now: Timestamp) -> Uuid {
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    Builder::from_unix_timestamp_millis(millis, &random_bytes()).into_uuid()
}

/// A lower bound for ids of this millisecond: every [`uuid_v7`] of an earlier millisecond is smaller, and
/// none of this or a later one is.
pub(crate) fn first_uuid_at(millis: i64) -> Uuid {
    let millis = u64::try_from(millis).unwrap_or(0).min((1 << 48) - 1);
    Uuid::from_u128(u128::from(millis) << 80)
}

/// Bytes from the operating system's random number generator.
#[expect(
    clippy::expect_used,
    reason = "invariant: the operating system gives random numbers"
)]
pub(crate) fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    aws_lc_rs::rand::fill(&mut bytes)
        .expect("invariant: the operating system gives random numbers");
    bytes
}
