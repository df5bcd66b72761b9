//! Pointers into JSON documents (RFC 6901).

/// The pointer of a member of what stands at `at`.
#[must_use]
pub fn below(at: &str, member: &str) -> String {
    format!("{at}/{}", member.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_characters_are_escaped() {
        assert_eq!(below("", "a/b~c"), "/a~1b~0c");
        assert_eq!(below("/facts/0", "key"), "/facts/0/key");
    }
}
