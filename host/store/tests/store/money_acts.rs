//! Acts on jobs and their money, performed on the store and on `money_model` alike.

use std::time::Duration;

use gtm_domain::job::{CreateJob, Finish, JobError, Product};
use gtm_domain::money::{LimitMetric, LimitOwner, LimitScope, Refusal};
use gtm_domain::{JobStatus, Timestamp, Usage};
use gtm_store::{ProjectScope, Settlement, StoreError};
use proptest::prelude::*;
use serde_json::json;

use crate::money::{job, step, usd};
use crate::money_model::{Call, Model, ModelJob};
use crate::world::{LEASE, World, settlement};

/// An act; they come in any order. Small numbers select among the existing things.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    Create {
        key: usize,
        estimate: i64,
    },
    Claim,
    Start {
        job: usize,
        ceiling: i64,
    },
    Settle {
        job: usize,
        percent: i64,
        in_doubt: bool,
    },
    Crash,
    Finish {
        job: usize,
        how: u8,
    },
    Cancel {
        job: usize,
    },
    Reconcile {
        job: usize,
        cost: i64,
    },
    Budget {
        owner: usize,
        value: Option<i64>,
    },
    Quota {
        owner: usize,
        value: Option<i64>,
    },
    Grant(i64),
    Revoke(i64),
    NextMonth,
}

pub fn act() -> impl Strategy<Value = Act> {
    let estimate = prop_oneof![1 => Just(0i64), 5 => 1i64..1500];
    let budget = proptest::option::weighted(0.8, 0i64..4000);
    let quota = proptest::option::weighted(0.7, 0i64..9);
    prop_oneof![
        6 => (0usize..3, estimate).prop_map(|(key, estimate)| Act::Create { key, estimate }),
        5 => Just(Act::Claim),
        12 => (0usize..8, 0i64..900).prop_map(|(job, ceiling)| Act::Start { job, ceiling }),
        // A provider may charge more than the ceiling.
        9 => (0usize..8, 0i64..250, proptest::bool::weighted(0.2))
            .prop_map(|(job, percent, in_doubt)| Act::Settle { job, percent, in_doubt }),
        1 => Just(Act::Crash),
        4 => (0usize..8, 0u8..5).prop_map(|(job, how)| Act::Finish { job, how }),
        1 => (0usize..8).prop_map(|job| Act::Cancel { job }),
        3 => (0usize..8, 0i64..900).prop_map(|(job, cost)| Act::Reconcile { job, cost }),
        2 => (0usize..6, budget).prop_map(|(owner, value)| Act::Budget { owner, value }),
        1 => (0usize..6, quota).prop_map(|(owner, value)| Act::Quota { owner, value }),
        3 => (1i64..1500).prop_map(Act::Grant),
        2 => (1i64..2000).prop_map(Act::Revoke),
        1 => Just(Act::NextMonth),
    ]
}

/// Situations that the acts must have reached; otherwise the test shows little.
#[derive(Debug, Default)]
pub struct Met {
    created: u32,
    over_quota: u32,
    over_budget: u32,
    no_credit: u32,
    lowered: u32,
    begun: u32,
    beyond: u32,
    held: u32,
    reconciled: u32,
    call_refused: u32,
    over_balance: u32,
}

impl Met {
    pub fn all(&self) -> bool {
        [
            self.created,
            self.over_quota,
            self.over_budget,
            self.no_credit,
            self.lowered,
            self.begun,
            self.beyond,
            self.held,
            self.reconciled,
            self.call_refused,
            self.over_balance,
        ]
        .iter()
        .all(|count| *count > 0)
    }
}

/// Performs an act on the store and on the model, and compares their results.
pub async fn play(world: &World, model: &mut Model, act: Act, met: &mut Met) {
    let operator = world.store.operator();
    match act {
        Act::Create { key, estimate } => create(world, model, key, estimate, met).await,
        Act::Claim => claim(world, model).await,
        Act::Crash => {
            world.clock.advance(LEASE);
            claim(world, model).await;
        }
        Act::Start { job, ceiling } => {
            if let Some(n) = model.running(job) {
                start(world, model, n, ceiling, met).await;
            }
        }
        Act::Settle {
            job,
            percent,
            in_doubt,
        } => {
            if let Some(n) = model.running(job) {
                settle_next(world, model, n, percent, in_doubt).await;
                met.held += u32::from(model.jobs[n].calls.iter().any(|call| call.held > 0));
            }
        }
        Act::Finish { job, how } => {
            if let Some(n) = model.running(job) {
                finish(world, model, n, how, met).await;
            }
        }
        Act::Cancel { job } => {
            if let Some(found) = model.jobs.get_mut(job) {
                let after = operator.cancel_job(found.row.id).await.unwrap();
                if after.job.status == JobStatus::Canceled && found.ended.is_none() {
                    found.ended = Some(world.now().month());
                }
            }
        }
        Act::Reconcile { job, cost } => reconcile(world, model, job, cost, met).await,
        Act::Budget { owner, value } => {
            model.budgets[owner] = value;
            set(
                world,
                model.owners[owner],
                LimitMetric::MonthlyBudget,
                value,
            )
            .await;
        }
        Act::Quota { owner, value } => {
            model.quotas[owner] = value;
            set(world, model.owners[owner], LimitMetric::MonthlyJobs, value).await;
        }
        Act::Grant(amount) => {
            world.grant(model.organization, amount).await;
            model.granted += amount;
        }
        Act::Revoke(amount) => {
            let taken = operator
                .revoke_credit(model.organization, usd(amount), None)
                .await;
            let possible = amount <= model.granted - model.charged();
            assert_eq!(taken.is_ok(), possible, "{taken:?}");
            if possible {
                model.granted -= amount;
            }
        }
        Act::NextMonth => {
            let now = world.now();
            world.clock.advance(now.next_month_start().since(now));
        }
    }
}

async fn set(world: &World, owner: LimitOwner, metric: LimitMetric, value: Option<i64>) {
    let operator = world.store.operator();
    match value {
        Some(value) => drop(operator.set_limit(owner, metric, value).await.unwrap()),
        None => drop(operator.clear_limit(owner, metric).await.unwrap()),
    }
}

async fn create(world: &World, model: &mut Model, key: usize, estimate: i64, met: &mut Met) {
    let scope = model.scopes[key].clone();
    let (now, month) = (world.now(), world.now().month());
    let budgets = model.budgets(&scope, now);
    let room = |(_, owner, limit): &(LimitScope, LimitOwner, i64)| {
        let taken = model.settled(*owner, &month) + model.awaiting(*owner, &month);
        limit - taken - model.set_aside(*owner)
    };
    let least = budgets.iter().map(room).min().unwrap();
    let over_quota = model
        .quotas(&scope)
        .into_iter()
        .any(|(owner, limit)| model.created(owner, &month) >= limit);
    let created = world
        .store
        .create_job(&scope, job(world, estimate), None)
        .await;
    match created {
        Ok(CreateJob::Created(row)) => {
            met.created += 1;
            assert!(!over_quota);
            let wanted = if estimate == 0 {
                0
            } else {
                estimate.min(least).min(model.balance())
            };
            assert_eq!(row.reserved, usd(wanted));
            assert!(wanted > 0 || estimate == 0);
            let cap = if estimate == 0 { 0 } else { 1_000_000 };
            assert_eq!(
                row.cost_cap,
                usd(cap),
                "what could be reserved caps nothing"
            );
            met.lowered += u32::from(wanted < estimate);
            model.jobs.push(ModelJob {
                row: *row,
                lease: None,
                calls: Vec::new(),
                ended: None,
            });
        }
        Err(StoreError::Refused(Refusal::Quota { .. })) => {
            assert!(over_quota);
            met.over_quota += 1;
        }
        Err(StoreError::Refused(Refusal::Budget { .. })) => {
            assert!(!over_quota && estimate > 0 && least <= 0);
            met.over_budget += 1;
        }
        Err(StoreError::Refused(Refusal::Credit { .. })) => {
            assert!(!over_quota && estimate > 0 && least > 0 && model.balance() <= 0);
            met.no_credit += 1;
        }
        other => panic!("{other:?}"),
    }
}

/// Claims all jobs, and retries the calls that a crash left open.
async fn claim(world: &World, model: &mut Model) {
    for claimed in world.claim(3).await {
        let found = model
            .jobs
            .iter_mut()
            .find(|job| job.row.id == claimed.job.id)
            .unwrap();
        found.lease = Some(claimed.lease.clone());
        for (seq, call) in found.calls.iter_mut().enumerate() {
            if call.cost.is_none() {
                match world
                    .store
                    .restart_step(&claimed.lease, u64::try_from(seq).unwrap(), call.begun)
                    .await
                {
                    Ok(begun) => call.begun = begun,
                    Err(StoreError::Refused(_)) => {}
                    Err(other) => panic!("{other:?}"),
                }
            }
        }
    }
}

async fn start(world: &World, model: &mut Model, n: usize, ceiling: i64, met: &mut Met) {
    let running = &model.jobs[n];
    // The engine's own cap comes first.
    let asked = running.exposed() + ceiling;
    if ceiling > 0 && asked > running.row.cost_cap.micros() {
        return;
    }
    let (now, month) = (world.now(), world.now().month());
    let scope = model.scope_of(running);
    let over = model.budgets(&scope, now).iter().any(|(_, owner, limit)| {
        let charged = model.settled(*owner, &month) + model.awaiting(*owner, &month);
        charged + model.exposed(*owner) + ceiling > *limit
    });
    let left = model.granted - model.charged() - model.awaiting_in_all();
    let left = left - model.exposed(model.whole());
    let no_credit = left < ceiling;
    let beyond = running.exposed() + ceiling > running.reserved();
    let seq = u64::try_from(running.calls.len()).unwrap();
    let lease = running.lease.clone().unwrap();
    let begun = world.store.start_step(&lease, step(seq, ceiling)).await;
    match begun {
        Ok(()) => {
            assert!(ceiling == 0 || (!over && !no_credit));
            met.begun += 1;
            met.beyond += u32::from(ceiling > 0 && beyond);
            model.jobs[n].calls.push(Call {
                ceiling,
                begun: 1,
                cost: None,
                held: 0,
                in_doubt: false,
                reconciled: None,
            });
            if ceiling > 0 {
                holds(model, &scope, now);
            }
        }
        Err(StoreError::Refused(Refusal::Budget { .. })) => {
            assert!(ceiling > 0 && over);
            met.call_refused += 1;
        }
        Err(StoreError::Refused(Refusal::Credit { .. })) => {
            assert!(ceiling > 0 && !over && no_credit);
            met.call_refused += 1;
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Checks every limit now in force: what is spent and under way must fit, even if the call just begun costs
/// its maximum, and whatever earlier calls cost beyond their ceilings.
fn holds(model: &Model, scope: &ProjectScope, now: Timestamp) {
    let month = now.month();
    for (of, owner, limit) in model.budgets(scope, now) {
        let (settled, exposed) = (model.settled(owner, &month), model.exposed(owner));
        let awaiting = model.awaiting(owner, &month);
        assert!(
            settled + awaiting + exposed <= limit,
            "{of:?}: {settled} settled, {awaiting} in doubt and {exposed} exposed, but {limit} allowed"
        );
    }
    let (exposed, left) = (
        model.exposed(model.whole()),
        model.granted - model.charged() - model.awaiting_in_all(),
    );
    assert!(exposed <= left, "{exposed} exposed, {left} left");
}

async fn settle_next(world: &World, model: &mut Model, n: usize, percent: i64, in_doubt: bool) {
    let running = &mut model.jobs[n];
    let lease = running.lease.clone().unwrap();
    let open = running.calls.iter().position(|call| call.cost.is_none());
    let Some(seq) = open else { return };
    let ceiling = running.calls[seq].ceiling;
    let cost = ceiling * percent / 100;
    let settled = Settlement {
        reconcile: in_doubt,
        ..settlement(cost)
    };
    world
        .store
        .settle_step(&lease, u64::try_from(seq).unwrap(), settled)
        .await
        .unwrap();
    running.calls[seq].cost = Some(cost);
    running.calls[seq].in_doubt = in_doubt;
    if in_doubt {
        running.calls[seq].held = (ceiling - cost).max(0);
    }
}

/// Settles a call in doubt of an ended job with its actual cost.
async fn reconcile(world: &World, model: &mut Model, job: usize, cost: i64, met: &mut Met) {
    let awaits = |call: &Call| call.in_doubt && call.reconciled.is_none();
    let awaiting: Vec<usize> = (0..model.jobs.len())
        .filter(|n| model.jobs[*n].ended.is_some() && model.jobs[*n].calls.iter().any(awaits))
        .collect();
    let Some(n) = awaiting.get(job % awaiting.len().max(1)) else {
        return;
    };
    let job = &mut model.jobs[*n];
    let step = job.calls.iter().position(awaits).unwrap();
    let id = gtm_domain::money::ProviderCallId {
        job: job.row.id,
        step: u64::try_from(step).unwrap(),
    };
    let operator = world.store.operator();
    operator.reconcile_call(id, usd(cost), None).await.unwrap();
    job.calls[step].reconciled = Some(cost);
    met.reconciled += 1;
}

async fn finish(world: &World, model: &mut Model, n: usize, how: u8, met: &mut Met) {
    while model.jobs[n].calls.iter().any(|call| call.cost.is_none()) {
        settle_next(world, model, n, 100, false).await;
    }
    let ending = &model.jobs[n];
    let cost = ending.spent();
    let affordable = model.granted - model.charged() >= cost;
    let (finish, wanted) = match how {
        0..=2 if cost == 0 || affordable => (
            Finish::Succeeded {
                result: json!({}),
                product: Product::None,
            },
            JobStatus::Succeeded,
        ),
        0..=2 => {
            met.over_balance += 1;
            (
                Finish::Succeeded {
                    result: json!({}),
                    product: Product::None,
                },
                JobStatus::Failed,
            )
        }
        3 => {
            let error = JobError {
                code: "internal_error".to_owned(),
                message: "x".to_owned(),
                details: None,
            };
            (Finish::Failed { error }, JobStatus::Failed)
        }
        _ => (Finish::Canceled, JobStatus::Canceled),
    };
    let lease = ending.lease.clone().unwrap();
    let row = world
        .store
        .finish(&lease, finish, Usage::default())
        .await
        .unwrap();
    assert_eq!((row.status, row.usage.cost), (wanted, usd(cost)));
    model.jobs[n].ended = Some(world.now().month());
}

/// Ends all open jobs, so that the next case claims only its own.
pub async fn end_all(world: &World, model: &mut Model) {
    while model.jobs.iter().any(|job| job.ended.is_none()) {
        world.clock.advance(LEASE + Duration::from_secs(1));
        claim(world, model).await;
        while let Some(n) = model.running(0) {
            finish(world, model, n, 3, &mut Met::default()).await;
        }
    }
}
