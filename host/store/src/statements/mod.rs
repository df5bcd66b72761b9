//! Tests that both engines can prepare every statement of the store on the schema that the migrations
//! create. The statements are read from the source, so that none is missed: `reading` finds the places,
//! `evaluation` the texts. No other crate has statements, since `cargo xtask layers` forbids sqlx there.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use std::sync::Arc;

use gtm_domain::clock::ManualClock;
use gtm_domain::{JobStatus, Timestamp};
use sqlx::{
    AssertSqlSafe, Connection, Either, Executor as _, PgConnection, SqlSafeStr as _, SqlStr,
    SqliteConnection, Statement as _,
};

use crate::usage_plans::private_postgres;
use crate::{KeyRing, Store, StoreConfig};

mod evaluation;
mod format_pieces;
mod reading;
mod source;

use evaluation::{Builder, Evaluator, RuntimeValues};
use reading::{Statements, read};
use source::Source;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// The file with the engine's own constants.
    const fn module(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite/mod.rs",
            Self::Postgres => "postgres/mod.rs",
        }
    }

    /// Whether this engine executes the statements of a file.
    fn runs(self, file: &str) -> bool {
        match self {
            Self::Sqlite => !file.starts_with("postgres/"),
            // On PostgreSQL, sqlx's own migrator begins the transactions of migrations.
            Self::Postgres => !file.starts_with("sqlite/") && file != "migrations.rs",
        }
    }
}

/// Values that only the running store knows.
fn given(file: &'static str, expression: &'static str, values: &[&str]) -> RuntimeValues {
    RuntimeValues {
        at: (file, expression),
        made_in: None,
        values: values.iter().map(|&value| value.to_owned()).collect(),
    }
}

/// The functions that the store builds statements with, and the values that only the running store knows,
/// for the engine of this module.
macro_rules! of_engine {
    ($engine:ident) => {{
        use crate::$engine::repo::job_list_sql::{self, Condition};
        use crate::$engine::{month_of, repo, sum_of};
        let builders = vec![
            Builder {
                name: "sum_of",
                call: |given| sum_of(&given[0]),
            },
            Builder {
                name: "month_of",
                call: |given| month_of(&given[0]),
            },
            Builder {
                name: "added",
                call: |given| repo::added(&given[0], &given[1]),
            },
            Builder {
                name: "sums",
                call: |given| repo::usage::sums(&given[0], &given[1]),
            },
            Builder {
                name: "reconciled",
                call: |_| repo::ledger_rules::reconciled(),
            },
        ];
        let conditions = [
            Condition::Project,
            Condition::Type,
            Condition::Status,
            Condition::ExternalRef,
            Condition::Before,
            Condition::From,
            Condition::Alive,
        ];
        // A new condition does not compile here until it is added to the list above.
        for condition in conditions {
            match condition {
                Condition::Project
                | Condition::Type
                | Condition::Status
                | Condition::ExternalRef
                | Condition::Before
                | Condition::From
                | Condition::Alive => {}
            }
        }
        let lists = subsets(&conditions);
        let rules = repo::ledger_rules::all().into_iter();
        let rows = vec![
            RuntimeValues {
                at: ("repo/jobs.rs", "job_list_sql::text(&conditions)"),
                made_in: Some("repo/job_list_sql.rs"),
                values: lists.iter().map(|list| job_list_sql::text(list)).collect(),
            },
            RuntimeValues {
                at: ("repo/ledger.rs", "rule.places"),
                made_in: Some("repo/ledger_rules.rs"),
                values: rules.map(|rule| rule.places).collect(),
            },
        ];
        (builders, rows)
    }};
}

/// Every subset, in order.
fn subsets<T: Copy>(all: &[T]) -> Vec<Vec<T>> {
    all.iter().fold(vec![Vec::new()], |mut chosen, &one| {
        let with = chosen.iter().map(|some| [some.as_slice(), &[one]].concat());
        let with: Vec<_> = with.collect();
        chosen.extend(with);
        chosen
    })
}

fn statements(engine: Engine) -> Statements {
    let sources = source::of_the_store();
    let (builders, mut rows) = match engine {
        Engine::Sqlite => of_engine!(sqlite),
        Engine::Postgres => of_engine!(postgres),
    };
    let open = [JobStatus::Queued.as_str(), JobStatus::Running.as_str()];
    rows.extend([
        given("repo/backlog.rs", "status.as_str()", &open),
        given(
            "repo/ledger.rs",
            "rows.join(\", \")",
            &["($1, $2, $3, $4)", "($1, $2, $3, $4), ($1, $2, $5, $6)"],
        ),
        given(
            "repo/outcome_ledger.rs",
            "places.join(\", \")",
            &["$3", "$3, $4"],
        ),
        given(
            "repo/outcome_ledger.rs",
            "marks.join(\", \")",
            &["$1", "$1, $2"],
        ),
        given("postgres/mod.rs", "access", &["*"]),
        given("postgres/mod.rs", "wait.as_millis()", &["1"]),
        given("postgres/mod.rs", "WAIT_FOR_ROWS.as_millis()", &["1"]),
        given("postgres/mod.rs", "bounds.statement.as_millis()", &["1"]),
        given("postgres/mod.rs", "bounds.abandoned.as_millis()", &["1"]),
    ]);
    read(&Evaluator::new(&sources, engine, rows, builders))
}

/// Creates the schema, then prepares all statements.
async fn all_are_prepared<C: Connection>(
    engine: Engine,
    config: &StoreConfig,
    dir: &std::path::Path,
    prepare: impl AsyncFn(&mut C, &str) -> Result<(), sqlx::Error>,
) {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_800_000_000_000)));
    let store = Store::connect(config, KeyRing::from_dir(dir).unwrap(), clock).await;
    store.unwrap().close().await;
    let mut connection = C::connect(&config.database_url).await.unwrap();
    let Statements { at, mut faults } = statements(engine);
    let (places, mut prepared) = (at.len(), 0);
    for (place, texts) in at {
        // The text that begins a transaction on PostgreSQL consists of two statements.
        for text in texts.iter().flat_map(|text| text.split("; ")) {
            if let Err(error) = prepare(&mut connection, text).await {
                faults.push(format!("{place}: {error}: {text}"));
            }
            prepared += 1;
        }
    }
    println!("{engine:?}: {prepared} statements of {places} places");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn sql(text: &str) -> SqlStr {
    AssertSqlSafe(text.to_owned()).into_sql_str()
}

#[tokio::test]
async fn sqlite_prepares_every_statement() {
    let dir = tempfile::tempdir().unwrap();
    let config = StoreConfig::in_data_dir(dir.path());
    let prepare = async |connection: &mut SqliteConnection, text: &str| {
        connection.prepare(sql(text)).await.map(drop)
    };
    all_are_prepared(Engine::Sqlite, &config, dir.path(), prepare).await;
}

/// PostgreSQL cannot infer the type of a parameter whose first use is a null check; at run time the store's
/// values bring their types. Here the type is inferred from the rest of the statement.
async fn prepare_with_types(connection: &mut PgConnection, text: &str) -> Result<(), sqlx::Error> {
    let untyped = (1..10).fold(text.to_owned(), |text, number| {
        text.replace(&format!("${number} IS NULL"), "TRUE")
    });
    let told = connection.prepare(sql(&untyped)).await?;
    let types = match told.parameters() {
        Some(Either::Left(types)) => types.to_vec(),
        _ => Vec::new(),
    };
    let typed = connection.prepare_with(sql(text), &types).await;
    typed.map(drop)
}

#[tokio::test]
async fn postgres_prepares_every_statement() {
    let Some(database) = private_postgres::database("postgres_prepares_every_statement") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let mut config = StoreConfig::in_data_dir(dir.path());
    config.database_url = database.url().to_owned();
    all_are_prepared(Engine::Postgres, &config, dir.path(), prepare_with_types).await;
}

/// Reads a repository with this text.
fn of(text: &str) -> Statements {
    let sources = [Source::parse("repo/some.rs", text)];
    read(&Evaluator::new(&sources, Engine::Sqlite, vec![], vec![]))
}

#[test]
fn every_way_through_a_function_is_read() {
    let found = of(r#"
        const END: &str = " LIMIT 1";
        fn list(c: &mut Conn, one: bool) {
            let of = |what: &str| format!("SELECT {what}");
            let text = if one { of("1") } else { of("2") };
            for (table, _) in [("a", c.now()), ("b", c.now())] {
                ask(c, AssertSqlSafe(format!("{text} FROM {table}{END}")));
            }
        }
        fn ask(c: &mut Conn, sql: AssertSqlSafe<String>) {
            sqlx::query(sql).execute(c);
        }
    "#);
    assert_eq!(found.faults, Vec::<String>::new());
    let texts: Vec<String> = found.at.into_values().flatten().collect();
    assert_eq!(
        texts,
        [
            "SELECT 1 FROM a LIMIT 1",
            "SELECT 1 FROM b LIMIT 1",
            "SELECT 2 FROM a LIMIT 1",
            "SELECT 2 FROM b LIMIT 1"
        ]
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    for (text, fault) in [
        (
            "fn f() { let sql = made(); sqlx::query(sql); }",
            "what may `made()` be?",
        ),
        (
            r#"fn f() { let mut sql = "SELECT 1".to_owned(); sql.push_str("x"); sqlx::query(AssertSqlSafe(sql)); }"#,
            "what may `sql` be?",
        ),
        (
            r#"fn f() { select! { _ = sqlx::query("SELECT 1") => {} } }"#,
            "sqlx is called where it is not seen",
        ),
        (
            "fn f() { let b = QueryBuilder::new(start()); }",
            "sqlx is called where it is not seen",
        ),
        (
            r#"fn f(c: &mut Conn) { let sql = made("SELECT 1"); c.execute(sql); }"#,
            "this reaches no statement: SELECT 1",
        ),
        (
            r#"pub(super) fn f(sql: &str) { sqlx::query(sql); } fn g() { f("SELECT 1") }"#,
            "others may pass statements to `f`",
        ),
        (
            "fn f(sql: &str) { sqlx::query(sql); }",
            "no caller passes a statement",
        ),
        (
            r#"fn f(sql: &str) { sqlx::query(sql); } fn g() { f("SELECT 1"); each(f) }"#,
            "what may `f` be?",
        ),
    ] {
        let faults = of(text).faults.join("\n");
        assert!(faults.contains(fault), "{text}\n{faults}");
    }
}

#[test]
fn a_row_that_stands_for_nothing_is_told() {
    let sources = [Source::parse("repo/some.rs", "fn f() {}")];
    let rows = vec![given("repo/some.rs", "made()", &["SELECT 1"])];
    let faults = read(&Evaluator::new(&sources, Engine::Sqlite, rows, vec![])).faults;
    assert_eq!(
        faults,
        ["repo/some.rs: `made()` is given, but no statement has it"]
    );
}
