//! How long a test waits for what ought to happen by itself. The bound tells "never" from "slowly" and nothing
//! more: how fast the server is belongs in `benches/`, since other load on the machine delays any answer.

use std::time::{Duration, Instant};

/// What has not happened by then never will, however busy the machine is.
pub const FOR_EVER: Duration = Duration::from_secs(180);

/// Waits for an answer and panics if it never comes. Returns it with the time that it took, to be printed.
pub async fn answered<T>(what: &str, asked: impl Future<Output = T>) -> (T, Duration) {
    let began = Instant::now();
    let answer = tokio::time::timeout(FOR_EVER, asked).await;
    let answer = answer.unwrap_or_else(|_| panic!("{what} is not answered"));
    (answer, began.elapsed())
}
