//! Compares sums of usage with a recount of the single rows: while acts happen in any order, and when a
//! database from before the sums is opened.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use gtm_domain::job::{Finish, JobError};
use gtm_domain::usage::UsageSum;
use gtm_domain::{JobType, KeyRecordId, MicroUsd, Month, Timestamp, TokenUsage, Usage};
use gtm_store::{Lease, ProjectScope, Settlement, StoreError};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;

use crate::usage::{consumed, month, step_of, succeeded};
use crate::world::{LEASE, Tenant, World, settlement};

on_both_engines!(
    sums_equal_a_recount,
    an_older_database_is_counted_when_it_is_opened,
);

const DAY: Duration = Duration::from_secs(86_400);

/// An act; acts come in any order and at any time.
#[derive(Debug, Clone, Copy)]
enum Act {
    Create {
        key: bool,
        brand: bool,
    },
    Claim,
    Call {
        cost: u16,
        tokens: u16,
        connector: u8,
    },
    Succeed {
        tokens: u16,
    },
    Fail,
    CancelNewest,
    /// Days, forward or back.
    Jump(i8),
    LoseLeases,
    Sweep,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any::<(bool, bool)>().prop_map(|(key, brand)| Act::Create { key, brand }),
        4 => Just(Act::Claim),
        4 => (any::<u16>(), any::<u16>(), 0u8..4)
            .prop_map(|(cost, tokens, connector)| Act::Call { cost, tokens, connector }),
        3 => any::<u16>().prop_map(|tokens| Act::Succeed { tokens }),
        2 => Just(Act::Fail),
        1 => Just(Act::CancelNewest),
        2 => (-40i8..50).prop_map(Act::Jump),
        1 => Just(Act::LoseLeases),
        1 => Just(Act::Sweep),
    ]
}

async fn sums_equal_a_recount(world: World) {
    let tenant = world.tenant().await;
    let sibling = world.tenant_in(tenant.organization).await;
    let second = world.another_key(&tenant).await;
    // Room to set the clock back without reaching times before the tenants existed.
    world.clock.advance(DAY * 400);
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), 30);
    for _ in 0..8 {
        let acts = acts.new_tree(&mut runner).unwrap().current();
        play(&world, [&tenant.scope, &second, &sibling.scope], &acts).await;
        agrees(&world, &[&tenant, &sibling]).await;
    }
}

async fn play(world: &World, scopes: [&ProjectScope; 3], acts: &[Act]) {
    let mut leases: Vec<(Lease, u64)> = Vec::new();
    let mut newest = None;
    let allowed = |result: Result<(), StoreError>| match result {
        Ok(()) | Err(StoreError::LeaseLost | StoreError::Conflict(_)) => {}
        Err(other) => panic!("{other:?}"),
    };
    for (n, act) in acts.iter().enumerate() {
        let index = n % leases.len().max(1);
        let held = leases.get(index).cloned();
        match (*act, held) {
            (Act::Create { key, brand }, _) => {
                let scope = if n % 5 == 0 {
                    scopes[2]
                } else {
                    scopes[usize::from(key)]
                };
                let job_type = if brand {
                    JobType::Brands
                } else {
                    JobType::Playbooks
                };
                newest = Some(world.create_of(scope, job_type).await.id);
            }
            (Act::Claim, _) => {
                for claimed in world.claim(2).await {
                    let next = world.store.load_steps(&claimed.lease).await.unwrap().len() as u64;
                    leases.push((claimed.lease, next));
                }
            }
            (
                Act::Call {
                    cost,
                    tokens,
                    connector,
                },
                Some((lease, seq)),
            ) => {
                let key =
                    [None, Some("web-fetch"), Some("model"), Some("crm")][usize::from(connector)];
                let usage = Usage {
                    cost: MicroUsd::from_micros(i64::from(cost)),
                    ..consumed(u64::from(tokens))
                };
                allowed(world.store.start_step(&lease, step_of(seq, key)).await);
                let settlement = Settlement {
                    usage,
                    ..settlement(0)
                };
                allowed(world.store.settle_step(&lease, seq, settlement).await);
                leases[index].1 += 1;
            }
            (Act::Succeed { tokens }, Some((lease, _))) => {
                let usage = consumed(u64::from(tokens));
                allowed(
                    world
                        .store
                        .finish(&lease, succeeded(), usage)
                        .await
                        .map(drop),
                );
            }
            (Act::Fail, Some((lease, _))) => {
                let error = JobError {
                    code: "internal_error".to_owned(),
                    message: "x".to_owned(),
                    details: None,
                };
                let finish = Finish::Failed { error };
                allowed(
                    world
                        .store
                        .finish(&lease, finish, consumed(0))
                        .await
                        .map(drop),
                );
            }
            (Act::CancelNewest, _) => {
                if let Some(id) = newest {
                    world.store.operator().cancel_job(id).await.unwrap();
                }
            }
            (Act::Jump(days), _) => {
                let span = DAY * u32::from(days.unsigned_abs());
                let now = world.now();
                let to = if days < 0 {
                    now.minus(span)
                } else {
                    now.plus(span)
                };
                world.clock.set(to);
            }
            (Act::LoseLeases, _) => world.clock.advance(LEASE),
            (Act::Sweep, _) => drop(world.store.sweep().await.unwrap()),
            (_, None) => {}
        }
    }
}

type Sums = BTreeMap<(String, String, String, KeyRecordId), UsageSum>;

/// Compares every month of these projects with a recount of the single rows.
pub async fn agrees(world: &World, tenants: &[&Tenant]) {
    let recount = Recount::of(world).await;
    let now = Month::of(world.now());
    let mut months: BTreeSet<String> = recount.sums.keys().map(|key| key.1.clone()).collect();
    months.insert(now.to_string());
    for tenant in tenants {
        let project = tenant.project.to_string();
        for text in &months {
            let usage = world.usage(&tenant.scope, month(text)).await;
            let mut expected = UsageSum::default();
            let (mut by_type, mut by_key) = (BTreeMap::new(), BTreeMap::new());
            let rows = recount
                .sums
                .iter()
                .filter(|(key, _)| key.0 == project && key.1 == *text);
            for ((_, _, job_type, key), sum) in rows {
                expected = expected.plus(sum);
                let of_type = by_type.entry(JobType::parse(job_type).unwrap());
                let of_type: &mut UsageSum = of_type.or_default();
                *of_type = of_type.plus(sum);
                let of_key: &mut UsageSum = by_key.entry(*key).or_default();
                *of_key = of_key.plus(sum);
            }
            assert_eq!(usage.totals, expected, "{project} {text}");
            assert_eq!(usage.by_type, by_type, "{project} {text}");
            assert_eq!(usage.by_key, by_key, "{project} {text}");
            let calls = recount.calls.get(&(project.clone(), text.clone()));
            assert_eq!(
                usage.by_connector,
                calls.cloned().unwrap_or_default(),
                "{project} {text}"
            );
            let cost: MicroUsd = usage.by_connector.values().map(|u| u.cost).sum();
            assert_eq!(cost, usage.totals.consumed.cost, "{project} {text}");
            let open = recount
                .open
                .iter()
                .filter(|(of, created)| *of == project && (month(text) == now || created == text));
            assert_eq!(usage.active, open.count() as u64, "{project} {text}");
        }
    }
}

/// A recount of the single rows, by project and month.
struct Recount {
    /// By project, month, type and key.
    sums: Sums,
    calls: BTreeMap<(String, String), BTreeMap<Option<String>, Usage>>,
    /// Project and month of creation of each job that has not ended.
    open: Vec<(String, String)>,
}

impl Recount {
    async fn of(world: &World) -> Self {
        let micros = |column: &str| {
            if world.is_postgres() {
                format!("CAST(CAST(EXTRACT(EPOCH FROM {column}) * 1000000 AS BIGINT) AS TEXT)")
            } else {
                format!("CAST({column} AS TEXT)")
            }
        };
        let list = |columns: &[&str]| {
            let texts = columns.iter().map(|c| format!("CAST({c} AS TEXT)"));
            texts.collect::<Vec<_>>().join(" || '|' || ")
        };
        let mut recount = Self {
            sums: Sums::new(),
            calls: BTreeMap::new(),
            open: Vec::new(),
        };
        let jobs = format!(
            "SELECT {} || '|' || {} || '|' || status FROM jobs",
            list(&["project_id", "type", "key_id"]),
            micros("created_at")
        );
        for row in world.texts(&jobs).await {
            let row: Vec<&str> = row.split('|').collect();
            let created = month_of(row[3]);
            recount.sum(row[0], &created, row[1], row[2]).jobs.created += 1;
            if matches!(row[4], "queued" | "running") {
                recount.open.push((row[0].to_owned(), created));
            }
        }
        let counted = [
            "input_tokens",
            "cached_input_tokens",
            "cache_write_tokens",
            "output_tokens",
            "reasoning_tokens",
            "connector_requests",
            "connector_bytes",
            "cost",
        ];
        let ended = format!(
            "SELECT {} || '|' || {} || '|' || {} FROM usage_rows",
            list(&[
                "project_id",
                "type",
                "key_id",
                "status",
                "backend_requests",
                "backend_runtime_ms"
            ]),
            micros("at"),
            list(&counted)
        );
        for row in world.texts(&ended).await {
            let row: Vec<&str> = row.split('|').collect();
            let usage = Usage {
                backend_requests: row[4].parse().unwrap(),
                backend_runtime_ms: row[5].parse().unwrap(),
                ..usage_of(&row[7..])
            };
            let sum = recount.sum(row[0], &month_of(row[6]), row[1], row[2]);
            match row[3] {
                "succeeded" => sum.jobs.succeeded += 1,
                "failed" => sum.jobs.failed += 1,
                _ => sum.jobs.canceled += 1,
            }
            sum.consumed = sum.consumed.plus(&usage);
        }
        let qualified: Vec<String> = counted.iter().map(|c| format!("c.{c}")).collect();
        let qualified: Vec<&str> = qualified.iter().map(String::as_str).collect();
        let calls = format!(
            "SELECT c.project_id || '|' || {} || '|' || {} || '|' || COALESCE(c.connector, '') \
             FROM cost_rows c JOIN usage_rows u ON u.job_id = c.job_id",
            micros("u.at"),
            list(&qualified)
        );
        for row in world.texts(&calls).await {
            let row: Vec<&str> = row.splitn(11, '|').collect();
            let connector = serde_json::from_str::<Value>(row[10]).ok();
            let key = connector.map(|c| c["key"].as_str().unwrap().to_owned());
            let month = (row[0].to_owned(), month_of(row[1]));
            let sum = recount
                .calls
                .entry(month)
                .or_default()
                .entry(key)
                .or_default();
            *sum = sum.plus(&usage_of(&row[2..10]));
        }
        recount
    }

    fn sum(&mut self, project: &str, month: &str, job_type: &str, key: &str) -> &mut UsageSum {
        let key = (
            project.to_owned(),
            month.to_owned(),
            job_type.to_owned(),
            key.parse().unwrap(),
        );
        self.sums.entry(key).or_default()
    }
}

fn usage_of(numbers: &[&str]) -> Usage {
    let n: Vec<u64> = numbers.iter().map(|text| text.parse().unwrap()).collect();
    Usage {
        tokens: TokenUsage {
            input: n[0],
            cached_input: n[1],
            cache_write: n[2],
            output: n[3],
            reasoning: n[4],
        },
        connector_requests: n[5],
        connector_bytes: n[6],
        cost: MicroUsd::from_micros(i64::try_from(n[7]).unwrap()),
        ..Usage::default()
    }
}

/// The month of an instant given as text.
fn month_of(micros: &str) -> String {
    let at = Timestamp::from_micros(micros.parse().unwrap());
    at.to_string()[..7].to_owned()
}

async fn an_older_database_is_counted_when_it_is_opened(world: World) {
    let mut world = world;
    let tenant = world.tenant().await;
    let mut runner = TestRunner::deterministic();
    let acts = proptest::collection::vec(act(), 60);
    let acts = acts.new_tree(&mut runner).unwrap().current();
    world.clock.advance(DAY * 400);
    play(&world, [&tenant.scope; 3], &acts).await;
    let scope = tenant.scope.clone();
    let spoken = world.usage(&scope, Month::of(world.now())).await;
    // The state in which the previous release would have left it.
    world.store.close().await;
    for sql in [
        "DROP TABLE usage_months",
        "DROP TABLE usage_connector_months",
        "DELETE FROM _sqlx_migrations WHERE version = 4",
    ] {
        world.raw(sql).await.unwrap();
    }
    world.store = world.another_node().await;
    assert_eq!(world.usage(&scope, Month::of(world.now())).await, spoken);
    agrees(&world, &[&tenant]).await;
}
