//! SQL about a step that several repositories share: what it may cost, and whether it was left open.

/// The most that all attempts of `s`, an open step, may cost; the SQL form of
/// [`may_cost`](gtm_domain::step::may_cost).
pub(super) const MAY_COST: &str = "CASE WHEN s.keyed THEN s.ceiling \
    WHEN s.ceiling > 9223372036854775807 / s.attempts THEN 9223372036854775807 ELSE s.ceiling * s.attempts END";

/// Whether `s`, a step of an ended job, was never closed and may have a cost that nothing accounts for.
pub(super) const LEFT_OPEN: &str = "s.state = 'started' AND (s.ceiling > 0 OR NOT s.replay_safe) \
    AND NOT EXISTS (SELECT 1 FROM cost_rows c WHERE c.job_id = s.job_id AND c.seq = s.seq)";
