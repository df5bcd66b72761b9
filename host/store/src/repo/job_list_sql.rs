//! The text of the query that lists jobs, newest first. It contains only the requested conditions, so that
//! the planner of either engine can choose the index that covers them all. This module depends on nothing,
//! so that a test can explain exactly this text.

/// A condition of the list of jobs. Each takes one parameter, numbered in the order given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    Project,
    Type,
    Status,
    /// With this reference of the caller.
    ExternalRef,
    /// After this job in the list, that is, created before it.
    Before,
    /// With this id or a later one.
    From,
    /// Not expired at this time.
    Alive,
}

impl Condition {
    const fn comparison(self) -> &'static str {
        match self {
            Self::Project => "project_id =",
            Self::Type => "type =",
            Self::Status => "status =",
            Self::ExternalRef => "external_ref =",
            Self::Before => "id <",
            Self::From => "id >=",
            Self::Alive => "expires_at >",
        }
    }
}

/// The query; its last parameter is the number of rows. Ids are time-ordered, so `id` is both the order of
/// creation and the cursor.
pub(crate) fn text(conditions: &[Condition]) -> String {
    let mut sql = "SELECT * FROM jobs".to_owned();
    let mut word = "WHERE";
    for (number, condition) in (1..).zip(conditions) {
        sql.push_str(&format!(" {word} {} ${number}", condition.comparison()));
        word = "AND";
    }
    sql.push_str(&format!(
        " ORDER BY id DESC LIMIT ${}",
        conditions.len() + 1
    ));
    sql
}
