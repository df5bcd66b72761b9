"""What the description says in words, told to schemathesis."""

import os
import re
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


BRAND_MEMBERS = ("brand_profile_id", "brand_profile_key")


def is_brand_name(value):
    return isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]{1,100}", value) is not None


@schemathesis.hook
def before_call(context, case, kwargs):
    """Make true of valid requests what no schema can ask for."""
    # Two brands, one by id and one by key, are the specification's `brand_profile_mismatch`. Only a key
    # that is valid goes: an invalid request stays as invalid as it was.
    if isinstance(case.body, dict) and all(is_brand_name(case.body.get(m)) for m in BRAND_MEMBERS):
        del case.body["brand_profile_key"]
        if isinstance(kwargs.get("json"), dict):
            kwargs["json"].pop("brand_profile_key", None)
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
