//! Every setting, declared once: what parses a value, refuses a wrong one and prints `gtm config reference`
//! looks here. The default values are in [`Configuration::default`](super::super::sections::Configuration).

use super::{Kind, Range, Setting, number, setting};

/// The whole numbers from one to another, also in words. DANGER: what exceeds a clock, a file or the memory does not fail
/// where it is read, but in every job.
macro_rules! range {
    ($least:literal, $most:literal) => {
        Range {
            least: $least,
            most: $most,
            words: concat!("a whole number from ", $least, " to ", $most),
        }
    };
}
/// Up to a year.
const SECONDS: Range = range!(1, 31_536_000);
const SECONDS_OR_NONE: Range = range!(0, 31_536_000);
/// Up to an hour.
const MILLISECONDS: Range = range!(1, 3_600_000);
/// Up to a tebibyte.
const BYTES: Range = range!(1, 1_099_511_627_776);
const COUNT: Range = range!(1, 1_000_000);
/// What one process or one database can do at once.
const PARALLEL: Range = range!(1, 1_024);
const INSTANCES: Range = range!(1, 10_000);
const AMOUNT: &str = "an amount of US dollars of at least 0.000001 and below a million";
const SWITCH: &str = "true or false";
const NETWORKS: &str = "a list of networks, or of single addresses";
const ADDRESS: &str = "an IP address and a port";
const WEB_ADDRESS: &str = "an http or https URL without a user name, query or fragment";
const KEYS: &str = "a list of plug-in keys";

/// All settings, in the order in which they are shown.
pub const SETTINGS: &[Setting] = &[
    setting(
        "listen",
        Kind::Text,
        ADDRESS,
        "\"127.0.0.1:8080\"",
        "Where the API listens.",
    )
    .flag("--listen"),
    setting(
        "metrics_listen",
        Kind::Text,
        ADDRESS,
        "\"127.0.0.1:9090\"",
        "Where the operator port listens, with `/metrics`, `/healthz` and `/readyz`. It asks for no key: \
         keep it off public networks.",
    ),
    setting(
        "public_url",
        Kind::Text,
        WEB_ADDRESS,
        "\"https://gtm.example.com\"",
        "Where callers reach the API, if it is behind a proxy.",
    )
    .by_default("the address of `listen`"),
    setting(
        "docs_url",
        Kind::Text,
        WEB_ADDRESS,
        "\"https://docs.example.com/errors\"",
        "What `docs_url` in an API error starts with.",
    )
    .by_default("`/docs/errors` under `public_url`"),
    setting(
        "trusted_proxies",
        Kind::TextList,
        NETWORKS,
        "[\"10.0.0.0/8\"]",
        "Proxies whose `Forwarded` or `X-Forwarded-For` header is believed. Whoever is listed can claim \
         to be any client.",
    ),
    setting(
        "database_url",
        Kind::Text,
        "sqlite:///path or postgres://user@host/database",
        "\"sqlite:///srv/gtm/gtm.db\"",
        "The database. PostgreSQL lets several nodes share the work.",
    )
    .by_default("SQLite, `gtm.db` in the data directory"),
    setting(
        "allow_unrestricted_database_role",
        Kind::Boolean,
        SWITCH,
        "false",
        "Accept a PostgreSQL role that is a superuser or has `BYPASSRLS`. Row-level security does not \
         protect tenants from each other then.",
    ),
    setting(
        "redis_url",
        Kind::Text,
        "redis://host:port/number, or rediss:// for TLS",
        "\"redis://127.0.0.1:6379/0\"",
        "Redis in which all nodes count rate limits together. Without it each node counts for itself.",
    ),
    setting(
        "redis_root_certificates",
        Kind::Path,
        "the path of a PEM file",
        "\"/etc/gtm/redis.pem\"",
        "Root certificates for a `rediss://` server.",
    )
    .by_default("the system's"),
    number(
        "redis_timeout_ms",
        Kind::Milliseconds,
        MILLISECONDS,
        "200",
        "How long a request waits for Redis before `rate_limit_fallback` applies.",
    ),
    setting(
        "rate_limit_fallback",
        Kind::Text,
        "memory, allow or refuse",
        "\"memory\"",
        "What happens to API requests while Redis does not answer: each node counts for itself, all pass, or \
         all are refused.",
    ),
    setting(
        "blob_dir",
        Kind::Path,
        "the path of a folder",
        "\"/srv/gtm/blobs\"",
        "Where fetched pages and other large values are kept. All nodes must share it.",
    )
    .by_default("`blobs` in the data directory"),
    setting(
        "catalog_dirs",
        Kind::PathList,
        "a list of paths of folders",
        "[\"/srv/gtm/catalog\"]",
        "Folders with plug-in packages.",
    )
    .flag("--catalog")
    .by_default("`catalog` in the data directory"),
    setting(
        "document_fonts_dir",
        Kind::Path,
        "the path of a folder",
        "\"/srv/gtm/fonts\"",
        "Folder with `.ttf`, `.otf` and `.ttc` fonts that renderers of documents use besides their own: at most 100, of \
         64 MiB together. They are read when the node starts.",
    )
    .by_default("the renderers' own fonts"),
    setting(
        "trusted_publishers",
        Kind::Tables,
        "tables with id, publisher, keys and public_key, in the file",
        "[[trusted_publishers]]",
        "Whose signatures count, and for which plug-ins. `not_before` and `not_after` bound the time in \
         which a key counts.",
    ),
    setting(
        "allow_unsigned",
        Kind::Boolean,
        SWITCH,
        "false",
        "Load packages without a trusted signature. For development only.",
    )
    .flag("--allow-unsigned"),
    setting(
        "allow_changed_packages",
        Kind::Boolean,
        SWITCH,
        "false",
        "Load a version whose bytes have changed, and versions that may do more than the approved one \
         without your consent. For development only.",
    ),
    setting(
        "blocked_digests",
        Kind::TextList,
        "a list of digests of components, as `gtm plugin list` shows them",
        "[\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"]",
        "Components that never run, whoever signed them.",
    ),
    setting(
        "usage_tiers",
        Kind::Tables,
        "tables with key, name and monthly_cost_cap_usd, in the file",
        "[[usage_tiers]]",
        "What organizations may ask for and spend, lowest tier first. A tier may also have \
         `rate_limit_per_minute`, `from_paid_usd` and `from_age_days`.",
    )
    .by_default("the built-in tiers, which `gtm config check` lists"),
    setting(
        "disabled_capabilities",
        Kind::TextList,
        "a list of product capabilities",
        "[\"brands\"]",
        "Product capabilities that this installation does not offer.",
    ),
    number(
        "shutdown_grace_seconds",
        Kind::Seconds,
        SECONDS_OR_NONE,
        "10",
        "How long requests may go on, and jobs have to be handed back, once the process is asked to stop.",
    ),
    setting(
        "egress.private_hosts",
        Kind::Tables,
        "tables with host, port and connectors, in the file",
        "[[egress.private_hosts]]",
        "Hosts with private addresses that the named connectors may reach. With `open_web = true` any page may \
         lead there.",
    ),
    setting(
        "egress.deny_networks",
        Kind::TextList,
        NETWORKS,
        "[\"203.0.113.0/24\"]",
        "Networks that no plug-in may reach, public or not, whatever else is open.",
    ),
    setting(
        "egress.open_web",
        Kind::TextList,
        KEYS,
        "[\"web-fetch\"]",
        "Connectors that may read any public page.",
    ),
    setting(
        "egress.free_urls",
        Kind::TextList,
        KEYS,
        "[\"playbook\"]",
        "Generation backends that may have pages fetched from addresses they made up. Such an address can \
         carry off what the backend knows.",
    ),
    setting(
        "egress.nat64",
        Kind::Boolean,
        SWITCH,
        "false",
        "Reach IPv4 through `64:ff9b::/96`, in a network that translates it.",
    ),
    setting(
        "egress.extra_root_certificates",
        Kind::PathList,
        "a list of paths of PEM files",
        "[\"/etc/gtm/root.pem\"]",
        "Root certificates that providers' servers may use besides the system's.",
    ),
    number(
        "limits.requests_per_minute",
        Kind::Count,
        COUNT,
        "120",
        "Requests of one API key in 60 seconds, for usage tiers without a limit of their own.",
    ),
    number(
        "limits.body_bytes",
        Kind::Bytes,
        BYTES,
        "1048576",
        "The longest request body.",
    ),
    number(
        "limits.body_seconds",
        Kind::Seconds,
        SECONDS,
        "15",
        "How long a request body may take to arrive. The head has 5 seconds.",
    ),
    number(
        "limits.answer_seconds",
        Kind::Seconds,
        SECONDS,
        "20",
        "How long the host may take to answer once the body has arrived.",
    ),
    number(
        "limits.write_stall_seconds",
        Kind::Seconds,
        SECONDS,
        "10",
        "How long a client may read nothing of an answer.",
    ),
    number(
        "limits.delivery_seconds",
        Kind::Seconds,
        SECONDS,
        "60",
        "How long a client may take to read a whole answer.",
    ),
    number(
        "limits.connections",
        Kind::Count,
        COUNT,
        "4096",
        "Open connections of the API port; fewer if the process may not open that many files.",
    ),
    number(
        "limits.connections_per_address",
        Kind::Count,
        COUNT,
        "64",
        "Open connections of one IPv4 address or one IPv6 /64. `trusted_proxies` have no such limit.",
    ),
    number(
        "limits.failed_authentications_per_minute",
        Kind::Count,
        COUNT,
        "60",
        "Wrong keys from one address in 60 seconds that are looked up. One IPv6 /48 has ten times as many.",
    ),
    number(
        "limits.readiness_checks_per_minute",
        Kind::Count,
        COUNT,
        "240",
        "Requests of `/readyz` from one address in 60 seconds.",
    ),
    number(
        "limits.plugin_memory_bytes",
        Kind::Bytes,
        BYTES,
        "268435456",
        "Memory of one plug-in instance; a renderer of documents may have three times as much.",
    ),
    number(
        "limits.plugin_wall_seconds",
        Kind::Seconds,
        SECONDS,
        "600",
        "How long one connector call may take.",
    ),
    number(
        "limits.plugin_cpu_seconds",
        Kind::Seconds,
        SECONDS,
        "30",
        "CPU time of one plug-in call.",
    ),
    number(
        "limits.plugin_compile_seconds",
        Kind::Seconds,
        SECONDS,
        "1200",
        "How long the compilation of one plug-in may take, which a host does once for each version. On a busy machine a large one needs longer.",
    ),
    number(
        "limits.plugin_output_bytes",
        Kind::Bytes,
        BYTES,
        "8388608",
        "The largest output of one plug-in call; the files of a renderer of documents may be four times as large.",
    ),
    number(
        "limits.plugin_instances",
        Kind::Count,
        INSTANCES,
        "64",
        "Plug-in instances that run at once on this node, at least 2. Generation backends, which wait for connectors, get at most three quarters of them, and renderers of documents, which need most memory, a sixteenth; further calls wait as long as their job has time.",
    ),
    number(
        "limits.plugin_egress_requests",
        Kind::Count,
        COUNT,
        "64",
        "HTTP requests of one connector call, redirects included.",
    ),
    number(
        "limits.plugin_egress_bytes_in",
        Kind::Bytes,
        BYTES,
        "67108864",
        "What one connector call may receive.",
    ),
    number(
        "limits.plugin_egress_bytes_out",
        Kind::Bytes,
        BYTES,
        "16777216",
        "What one connector call may send.",
    ),
    number(
        "engine.workers",
        Kind::Count,
        PARALLEL,
        "4",
        "Jobs that this node runs at once.",
    ),
    number(
        "engine.per_project_running",
        Kind::Count,
        PARALLEL,
        "2",
        "Jobs of one project that run at once, on all nodes together.",
    ),
    number(
        "engine.lease_seconds",
        Kind::Seconds,
        SECONDS,
        "30",
        "How long a job stays with a node that no longer renews its claim, as after a crash, before another \
         node takes it over.",
    ),
    number(
        "engine.job_deadline_seconds",
        Kind::Seconds,
        SECONDS,
        "900",
        "How long a job may take from its first start.",
    ),
    number(
        "engine.call_concurrency",
        Kind::Count,
        PARALLEL,
        "8",
        "Provider calls of one job that run at once.",
    ),
    number(
        "engine.max_calls",
        Kind::Count,
        COUNT,
        "200",
        "Provider calls that one job may make in all.",
    ),
    setting(
        "engine.job_cost_cap_usd",
        Kind::Dollars,
        AMOUNT,
        "5.0",
        "What the provider calls of one job may cost in all.",
    ),
    setting(
        "engine.job_cost_estimate_usd",
        Kind::Dollars,
        AMOUNT,
        "0.25",
        "What a job reserves while neither its binding nor earlier jobs tell what it will cost.",
    ),
    setting(
        "log.format",
        Kind::Text,
        "text or json",
        "\"text\"",
        "How log lines are written: for people, or one JSON object a line.",
    ),
    setting(
        "log.level",
        Kind::Text,
        "error, warn, info, debug, trace or off, also for parts of the program (`part=level`)",
        "\"info,gtm_engine=debug\"",
        "How much is logged.",
    ),
];
