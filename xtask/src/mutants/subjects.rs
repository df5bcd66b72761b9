//! A table of the rules to break and of the tests that should notice.

/// Which kind of rule of a subject to break, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// Comparisons, conjunctions, negations, truth values: each inverted.
    Logic,
    /// `project_id = $n` and `organization_id = $n` in SQL: still bound and typed, but without effect.
    Scopes,
}

/// Tests that should notice: those of a test program whose names contain one of the filters, or all of them
/// if there is no filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tests {
    /// The target's name in cargo: a library, or a file or folder of `tests/`.
    pub program: &'static str,
    pub filters: &'static [&'static str],
}

/// Rules of one place that keep tenants or hosts apart.
pub struct Subject {
    pub name: &'static str,
    /// Files, or folders with files.
    pub places: &'static [&'static str],
    /// Functions whose rules are broken; the whole file if empty.
    pub functions: &'static [&'static str],
    pub rules: Rules,
    /// Quickest first: a mutant that one of them notices is not tried with the others.
    pub tests: &'static [Tests],
}

/// Leaves out the tests of searching answers for secrets: they take longest and do not test these rules.
const EGRESS: &[Tests] = &[Tests {
    program: "gtm_runtime",
    filters: &["egress::tests::", "egress::target::", "egress::resolve::"],
}];

const SERVER: &[Tests] = &[
    Tests {
        program: "gtm_api",
        filters: &[
            "server::",
            "failed_authentications::",
            "authorization::",
            "lookup_turns::",
        ],
    },
    Tests {
        program: "routes",
        filters: &[
            "connections::",
            "slow_peers::",
            "authorization::",
            "rate_limit::",
            "playbooks::",
        ],
    },
];

pub const SUBJECTS: &[Subject] = &[
    Subject {
        name: "scopes",
        places: &["host/store/src/repo"],
        functions: &[],
        rules: Rules::Scopes,
        // The store's tests run on SQLite only: on PostgreSQL, row-level security would hide what a broken
        // query lets through.
        tests: &[
            Tests {
                program: "store",
                filters: &["sqlite"],
            },
            Tests {
                program: "routes",
                filters: &[],
            },
        ],
    },
    Subject {
        name: "permit",
        places: &["host/runtime/src/egress/permit.rs"],
        functions: &["opened_to", "permit", "judge"],
        rules: Rules::Logic,
        tests: EGRESS,
    },
    Subject {
        name: "credentials",
        places: &["host/runtime/src/egress/inject.rs"],
        functions: &["may_go_to"],
        rules: Rules::Logic,
        tests: EGRESS,
    },
    Subject {
        name: "redirects",
        places: &["host/runtime/src/egress/attempt.rs"],
        functions: &["redirected", "redirect_of"],
        rules: Rules::Logic,
        tests: EGRESS,
    },
    Subject {
        name: "courses",
        places: &["host/runtime/src/egress/course.rs"],
        functions: &["permitted", "perform"],
        rules: Rules::Logic,
        // Only the lane has servers at public addresses, which must never redirect to private ones.
        tests: &[
            EGRESS[0],
            Tests {
                program: "dns_lane",
                filters: &[],
            },
        ],
    },
    Subject {
        name: "known-packages",
        places: &["host/runtime/src/catalog/admission.rs"],
        functions: &["judge", "whose", "record_of", "as_recorded", "by_consent"],
        rules: Rules::Logic,
        tests: &[Tests {
            program: "plugins",
            filters: &["packages", "trust"],
        }],
    },
    Subject {
        name: "consent",
        places: &[
            "host/runtime/src/manifest/difference.rs",
            "host/runtime/src/manifest/difference/access.rs",
            "host/runtime/src/manifest/difference/operations.rs",
            "host/runtime/src/manifest/difference/settings.rs",
            "host/runtime/src/egress/path_prefix.rs",
        ],
        functions: &[],
        rules: Rules::Logic,
        tests: &[Tests {
            program: "gtm_runtime",
            filters: &["manifest::", "egress::tests::widening"],
        }],
    },
    Subject {
        name: "callers",
        places: &["host/api/src/authorization.rs"],
        functions: &["from_request_parts", "caller", "identify", "bearer"],
        rules: Rules::Logic,
        tests: SERVER,
    },
    Subject {
        name: "lookups",
        places: &["host/api/src/authorization/lookup.rs"],
        functions: &["begin", "judged_known"],
        rules: Rules::Logic,
        tests: SERVER,
    },
    Subject {
        name: "lookup-turns",
        places: &["host/api/src/lookup_turns.rs"],
        functions: &["turn", "appear"],
        rules: Rules::Logic,
        tests: SERVER,
    },
    Subject {
        name: "repeated-keys",
        places: &["host/api/src/failed_authentications.rs"],
        functions: &["judge", "accepted", "refused", "count", "repeated", "note"],
        rules: Rules::Logic,
        tests: SERVER,
    },
    Subject {
        name: "room",
        places: &["host/api/src/server/room.rs"],
        functions: &["enter", "make_room_within", "make_room", "precedence"],
        rules: Rules::Logic,
        tests: SERVER,
    },
];
