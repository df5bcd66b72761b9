//! What an erasure of a person took and what it left, in words.

use gtm_store::Erased;

use crate::failure::Failure;

/// Fails if an erasure left something that may tell of the person, and that no search under way needs.
pub(super) fn is_complete(erased: &Erased) -> Result<(), Failure> {
    let (unread, pending) = (erased.searches_unread, erased.searches_pending);
    if unread > 0 {
        let told = format!(
            "the answers of {unread} ended search(es) could not be read and are still there; the person may be in them"
        );
        return Err(Failure::new(told).hint(
            "look whether the data directory is the right one and its folder `blobs` whole; if the answers are lost for \
             good, repeat this with --unreadable",
        ));
    }
    if pending > 0 {
        let told = format!(
            "the answers of {pending} search(es) that ended meanwhile were not read and are still there; the person may be \
             in them"
        );
        return Err(Failure::new(told).hint(
            "repeat this to have them read; otherwise the next sweep of `gtm serve`, within about an hour, takes them",
        ));
    }
    Ok(())
}

/// What an erasure took, in words.
pub(super) fn erased_text(erased: &Erased) -> String {
    let counted = |count: u64, one: &str, more: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {more}"),
    };
    let candidates = counted(
        erased.candidates,
        "candidate was erased",
        "candidates were erased",
    );
    let answers = counted(
        erased.answers,
        "retained answer of a search",
        "retained answers of searches",
    );
    let mut told = format!("{candidates}, and {answers}");
    if erased.messages > 0 {
        let messages = counted(
            erased.messages,
            "message to the person",
            "messages to the person",
        );
        told = format!("{told}, and the text of {messages}");
    }
    if erased.log_held {
        told.push_str(
            "\na reader of the database keeps its log from being emptied: what was erased stands in it until the next sweep",
        );
    }
    if erased.searches_under_way == 0 {
        return told;
    }
    let under_way = counted(
        erased.searches_under_way,
        "search has not ended: it",
        "searches have not ended: none of them",
    );
    let stores = match erased.searches_under_way {
        1 => "does not store",
        _ => "stores",
    };
    format!(
        "{told}\n{under_way} {stores} the person, and what tells of the person goes when it ends"
    )
}
