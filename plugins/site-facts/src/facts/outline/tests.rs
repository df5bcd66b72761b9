//! List items with a name of their own.
use super::*;

#[test]
fn list_items_may_have_a_name() {
    assert_eq!(
        named("Honesty: we say what we know."),
        ("Honesty", Some("we say what we know."))
    );
    assert_eq!(
        named("Repair before replacement"),
        ("Repair before replacement", None)
    );
    assert_eq!(
        named("We answer every call within a minute: always."),
        ("We answer every call within a minute: always.", None)
    );
}
