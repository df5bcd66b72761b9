//! A model of money as a list of jobs: it recounts everything that the store keeps sums of.

use gtm_domain::job::Job;
use gtm_domain::money::{LimitOwner, LimitScope};
use gtm_domain::{OrganizationId, TierTable, Timestamp, UsageTier};
use gtm_store::{Lease, ProjectScope};

use crate::money::usd;

#[derive(Debug)]
pub struct Call {
    pub ceiling: i64,
    /// How many times it has begun; without a key, the provider may charge each time.
    pub begun: u32,
    pub cost: Option<i64>,
    /// Held in addition to the cost until it is reconciled, since its provider may charge that too.
    pub held: i64,
    pub in_doubt: bool,
    /// The cost that an operator stated.
    pub reconciled: Option<i64>,
}

impl Call {
    /// What counts as charged once the job has ended.
    fn charged(&self) -> i64 {
        self.reconciled.or(self.cost).unwrap_or(0)
    }
}

pub struct ModelJob {
    pub row: Job,
    pub lease: Option<Lease>,
    pub calls: Vec<Call>,
    /// Month in which it ended.
    pub ended: Option<String>,
}

impl ModelJob {
    pub fn spent(&self) -> i64 {
        self.calls.iter().filter_map(|call| call.cost).sum()
    }
    pub fn charged(&self) -> i64 {
        self.calls.iter().map(Call::charged).sum()
    }
    /// What its calls may still be charged.
    pub fn held(&self) -> i64 {
        let open = self.calls.iter().filter(|call| call.reconciled.is_none());
        open.map(|call| call.held).sum()
    }
    pub fn under_way(&self) -> i64 {
        let open = self.calls.iter().filter(|call| call.cost.is_none());
        open.map(|call| call.ceiling * i64::from(call.begun)).sum()
    }
    pub fn reserved(&self) -> i64 {
        self.row.reserved.micros()
    }
    /// What its calls count against every limit.
    pub fn exposed(&self) -> i64 {
        self.spent() + self.held() + self.under_way()
    }
    pub fn is_of(&self, owner: LimitOwner) -> bool {
        match owner {
            LimitOwner::Key(id) => self.row.key == id,
            LimitOwner::Project(id) => self.row.project == id,
            LimitOwner::Organization(id) => self.row.organization == id,
        }
    }
}

pub struct Model {
    pub organization: OrganizationId,
    pub founded: Timestamp,
    pub tiers: TierTable,
    pub scopes: Vec<ProjectScope>,
    pub owners: Vec<LimitOwner>,
    pub budgets: Vec<Option<i64>>,
    pub quotas: Vec<Option<i64>>,
    pub granted: i64,
    pub jobs: Vec<ModelJob>,
}

impl Model {
    pub fn of(&self, owner: LimitOwner) -> impl Iterator<Item = &ModelJob> {
        self.jobs.iter().filter(move |job| job.is_of(owner))
    }
    pub fn settled(&self, owner: LimitOwner, month: &str) -> i64 {
        let ended = self
            .of(owner)
            .filter(|job| job.ended.as_deref() == Some(month));
        ended.map(ModelJob::charged).sum()
    }
    /// What calls of jobs that ended in a month may still be charged.
    pub fn awaiting(&self, owner: LimitOwner, month: &str) -> i64 {
        let ended = self
            .of(owner)
            .filter(|job| job.ended.as_deref() == Some(month));
        ended.map(ModelJob::held).sum()
    }
    /// The same over all months.
    pub fn awaiting_in_all(&self) -> i64 {
        let ended = self.jobs.iter().filter(|job| job.ended.is_some());
        ended.map(ModelJob::held).sum()
    }
    pub fn open(&self, owner: LimitOwner) -> impl Iterator<Item = &ModelJob> {
        self.of(owner).filter(|job| job.ended.is_none())
    }
    pub fn exposed(&self, owner: LimitOwner) -> i64 {
        self.open(owner).map(ModelJob::exposed).sum()
    }
    /// For each job, its reservation or what its calls have taken, whichever is more.
    pub fn set_aside(&self, owner: LimitOwner) -> i64 {
        let of_job = |job: &ModelJob| job.reserved().max(job.exposed());
        self.open(owner).map(of_job).sum()
    }
    pub fn created(&self, owner: LimitOwner, month: &str) -> i64 {
        let created = self
            .of(owner)
            .filter(|job| job.row.created_at.month() == month);
        i64::try_from(created.count()).unwrap()
    }
    pub fn charged(&self) -> i64 {
        let ended = self.jobs.iter().filter(|job| job.ended.is_some());
        ended.map(ModelJob::charged).sum()
    }
    pub fn whole(&self) -> LimitOwner {
        LimitOwner::Organization(self.organization)
    }
    pub fn balance(&self) -> i64 {
        let left = self.granted - self.charged() - self.set_aside(self.whole());
        left - self.awaiting_in_all()
    }
    pub fn tier(&self, now: Timestamp) -> &UsageTier {
        self.tiers
            .of(None, usd(self.charged()), now.since(self.founded))
    }
    /// The budgets in force for a key, each with its scope and owner.
    pub fn budgets(
        &self,
        scope: &ProjectScope,
        now: Timestamp,
    ) -> Vec<(LimitScope, LimitOwner, i64)> {
        let set = |n: usize| {
            let owner = self.owners[n];
            let value = self.budgets[n]?;
            self.concerns(owner, scope)
                .then_some((owner.scope(), owner, value))
        };
        let mut all: Vec<_> = (0..self.owners.len()).filter_map(set).collect();
        let cap = self.tier(now).monthly_cost_cap.micros();
        all.push((LimitScope::UsageTier, self.whole(), cap));
        all
    }
    pub fn quotas(&self, scope: &ProjectScope) -> Vec<(LimitOwner, i64)> {
        let set = |n: usize| {
            let owner = self.owners[n];
            let value = self.quotas[n]?;
            self.concerns(owner, scope).then_some((owner, value))
        };
        (0..self.owners.len()).filter_map(set).collect()
    }
    pub fn concerns(&self, owner: LimitOwner, scope: &ProjectScope) -> bool {
        match owner {
            LimitOwner::Key(id) => scope.key() == id,
            LimitOwner::Project(id) => scope.project() == id,
            LimitOwner::Organization(_) => true,
        }
    }
    pub fn scope_of(&self, job: &ModelJob) -> ProjectScope {
        let own = |scope: &&ProjectScope| scope.key() == job.row.key;
        self.scopes.iter().find(own).unwrap().clone()
    }
    /// The running job of ours that a small number selects.
    pub fn running(&self, number: usize) -> Option<usize> {
        let running: Vec<usize> = (0..self.jobs.len())
            .filter(|n| self.jobs[*n].ended.is_none() && self.jobs[*n].lease.is_some())
            .collect();
        (!running.is_empty()).then(|| running[number % running.len()])
    }
}
