"""What the description says in words, told to schemathesis."""

import os
import time

import schemathesis
from hypothesis import strategies as st

# A connector that the server has loaded: its key and the version of its manifest.
CONNECTOR = os.environ["GTM_CONNECTOR"].split("@")

# "At least two labels, under a public suffix, no IP address": no keyword of JSON Schema can say it.
label = st.from_regex(r"[a-z0-9]([a-z0-9]{0,20}[a-z0-9])?", fullmatch=True)
international = st.sampled_from(["bücher", "münchen", "例え", "παράδειγμα"])
suffix = st.sampled_from(["example", "com", "co.uk", "org", "de"])
domain = st.builds(
    lambda labels, end: ".".join([*labels, end]),
    st.lists(label | international, min_size=1, max_size=3),
    suffix,
)
schemathesis.openapi.format("idn-hostname", domain)
website = st.builds(
    lambda scheme, host, path: scheme + host + path,
    st.sampled_from(["", "https://", "http://"]),
    domain,
    st.sampled_from(["", "/", "/de/", "/about?lang=en"]),
)
schemathesis.openapi.format("website", website)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Make true of valid requests what no schema can ask for."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # Usage is of a month that has begun.
    this_month = time.strftime("%Y-%m", time.gmtime())
    if isinstance(case.query, dict) and case.query.get("month", "") > this_month:
        case.query["month"] = this_month
    # A plan names a connector of the catalog, and money has six decimals at most.
    if isinstance(case.body, dict) and "connector_revision" in case.body:
        key, version = CONNECTOR
        case.body["connector_revision"] = {"connector_key": key, "manifest_version": version}
        budgets = case.body["collection_budgets"]
        budgets["max_cost_usd"] = max(round(budgets["max_cost_usd"], 6), 0.000001)
