//! What SQL tells of a step wherever it is asked: what it may cost, and whether it was left open.

/// The most that the open call of `s`, a step, may cost for all times that it was begun, as
/// [`may_cost`](gtm_domain::step::may_cost) tells it.
pub(super) const MAY_COST: &str = "CASE WHEN s.keyed THEN s.ceiling \
    WHEN s.ceiling > 9223372036854775807 / s.attempts THEN 9223372036854775807 ELSE s.ceiling * s.attempts END";

/// Whether `s`, a step of a job that has ended, was never closed, and may have cost what nothing tells of.
pub(super) const LEFT_OPEN: &str = "s.state = 'started' AND (s.ceiling > 0 OR NOT s.replay_safe) \
    AND NOT EXISTS (SELECT 1 FROM cost_rows c WHERE c.job_id = s.job_id AND c.seq = s.seq)";
