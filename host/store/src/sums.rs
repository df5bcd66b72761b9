//! Tests that sums and additions in SQL are correct at the limits of 64 bits, on both engines: exact
//! wherever the result fits, and saturated where it does not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};

use crate::usage_plans::private_postgres;

const CASES: usize = 300;

/// Any integer, often one near a limit: of 64 bits, of 32 bits, or zero.
fn integer() -> impl Strategy<Value = i64> {
    let near = |edge: i64| (0i64..5).prop_map(move |by| edge.saturating_add(by - 2));
    prop_oneof![
        3 => near(i64::MAX),
        3 => near(-i64::MAX),
        2 => near(i64::MAX / 2),
        2 => near(1 << 32),
        1 => near(-(1 << 32)),
        2 => near(0),
        2 => any::<i64>(),
    ]
}

fn literal(value: i64) -> String {
    format!("CAST('{value}' AS BIGINT)")
}

/// A sum, saturated to 64 bits.
fn held(sum: i128, least: i64) -> i64 {
    i64::try_from(sum.clamp(i128::from(least), i128::from(i64::MAX))).unwrap()
}

/// Statements with their expected results.
fn questions(sum_of: fn(&str) -> String, added: fn(&str, &str) -> String) -> Vec<(String, i64)> {
    let mut runner = TestRunner::deterministic();
    let some = proptest::collection::vec(integer(), 0..12);
    let mut questions = Vec::new();
    for _ in 0..CASES {
        let values = some.new_tree(&mut runner).unwrap().current();
        let sum: i128 = values.iter().map(|value| i128::from(*value)).sum();
        let mut rows = vec![format!("({}, 0)", literal(7))];
        rows.extend(
            values
                .iter()
                .map(|value| format!("({}, 1)", literal(*value))),
        );
        // The first row is filtered out, so that the sum may have no rows at all.
        let sql = format!(
            "WITH t (x, n) AS (VALUES {}) SELECT {} FROM t WHERE n > 0",
            rows.join(", "),
            sum_of("x")
        );
        questions.push((sql, held(sum, i64::MIN)));
        let [a, b] = [integer(), integer()].map(|i| i.new_tree(&mut runner).unwrap().current());
        let sql = format!(
            "WITH t (a, b) AS (VALUES ({}, {})) SELECT {} FROM t",
            literal(a),
            literal(b),
            added("a", "b")
        );
        let least = if b == 0 { i64::MIN } else { -i64::MAX };
        questions.push((sql, held(i128::from(a) + i128::from(b), least)));
    }
    questions
}

#[tokio::test]
async fn sqlite_adds_up_to_the_edge() {
    use crate::sqlite::{repo::added, sum_of};

    let mut c = SqliteConnection::connect("sqlite::memory:").await.unwrap();
    for (sql, wanted) in questions(sum_of, added) {
        let sum: i64 = sqlx::query_scalar(AssertSqlSafe(sql.clone()))
            .fetch_one(&mut c)
            .await
            .unwrap_or_else(|error| panic!("{error}: {sql}"));
        assert_eq!(sum, wanted, "{sql}");
    }
    let plain = sqlx::query_scalar::<_, i64>(
        "WITH t (x) AS (VALUES (9223372036854775807), (1)) SELECT SUM(x) FROM t",
    );
    plain
        .fetch_one(&mut c)
        .await
        .expect_err("the engine's own sum fails there");
}

#[tokio::test]
async fn postgres_adds_up_to_the_edge() {
    use crate::postgres::{repo::added, sum_of};

    let Some(database) = private_postgres::database("sums::postgres_adds_up_to_the_edge") else {
        return;
    };
    let mut c = PgConnection::connect(database.url()).await.unwrap();
    for (sql, wanted) in questions(sum_of, added) {
        let sum: i64 = sqlx::query_scalar(AssertSqlSafe(sql.clone()))
            .fetch_one(&mut c)
            .await
            .unwrap_or_else(|error| panic!("{error}: {sql}"));
        assert_eq!(sum, wanted, "{sql}");
    }
}
