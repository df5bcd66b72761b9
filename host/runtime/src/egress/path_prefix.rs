//! Path prefixes, compared by segment: `/v1/user` matches `/v1/user` and `/v1/user/7`, never
//! `/v1/user-admin`. The gate, the manifest rules and the comparison of two versions must agree on this, or
//! an operator consents to other paths than the gate opens.

/// Whether a path has a prefix. Slashes at either end of the prefix do not matter.
pub(crate) fn has_prefix(path: &str, prefix: &str) -> bool {
    let segments = path.strip_prefix('/').unwrap_or_default().split('/');
    begins_with(segments, prefix)
}

/// Whether every path that has the prefix `inner` has the prefix `outer` too.
pub(crate) fn is_within(inner: &str, outer: &str) -> bool {
    begins_with(segments_of(inner), outer)
}

fn begins_with<'p>(mut segments: impl Iterator<Item = &'p str>, prefix: &str) -> bool {
    segments_of(prefix).all(|wanted| segments.next() == Some(wanted))
}

/// The segments that a prefix requires; `/`, which every path has, requires none.
fn segments_of(prefix: &str) -> impl Iterator<Item = &str> {
    let named = prefix.trim_matches('/');
    named.split('/').filter(move |_| !named.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_lies_within_another_by_segment() {
        for (inner, outer, wanted) in [
            ("/v1/user", "/v1/user", true),
            ("/v1/user/", "/v1/user", true),
            ("/v1/user", "/v1/user/", true),
            ("/v1/user/7", "/v1/user", true),
            ("/v1/user-admin", "/v1/user", false),
            ("/v1/users", "/v1/user/", false),
            ("/v1", "/v1/user", false),
            ("/v1//user", "/v1/user", false),
            ("/anything", "/", true),
            ("/", "/anything", false),
            ("/", "/", true),
        ] {
            assert_eq!(is_within(inner, outer), wanted, "{inner} in {outer}");
        }
    }
}
