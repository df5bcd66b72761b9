"""Uses a client that openapi-python-client generated, as its reader would.

The generated package `gtm_client` is on the path; GTM_BASE, GTM_KEY and GTM_DOMAIN tell which server,
as whom, and a domain that can be researched.
"""

import os
import time
from http import HTTPStatus

import httpx
from gtm_client import AuthenticatedClient
from gtm_client.api.jobs import (
    get_job_v1_jobs_job_id_get as get_job,
    list_job_events_v1_jobs_job_id_events_get as list_job_events,
    list_job_receipts_v1_jobs_job_id_receipts_get as list_job_receipts,
    list_jobs_v1_jobs_get as list_jobs,
)
from gtm_client.api.playbooks import create_playbook_v1_playbooks_post as create_playbook
from gtm_client.models import (
    ErrorEnvelope,
    OtherJobResponse,
    PlaybookInput,
    PlaybookInputSectionsType0Item,
    PublicPlaybookJobResponse,
    PublicPlaybookJobResponseStatus as Status,
    PublicPlaybookResult,
)

BASE = os.environ["GTM_BASE"]
client = AuthenticatedClient(base_url=BASE, token=os.environ["GTM_KEY"], raise_on_unexpected_status=True)
body = PlaybookInput(
    target_company_domain=os.environ["GTM_DOMAIN"],
    sections=[PlaybookInputSectionsType0Item.BUSINESS_SUMMARY, PlaybookInputSectionsType0Item.SALES_ANGLES],
)


def poll(job_id: str) -> PublicPlaybookJobResponse:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        job = get_job.sync(job_id, client=client)
        assert isinstance(job, PublicPlaybookJobResponse), job
        if job.status in (Status.SUCCEEDED, Status.FAILED, Status.CANCELED):
            return job
        time.sleep(0.5)
    raise AssertionError(f"{job_id} did not end")


# A job is created, once for one key.
first = create_playbook.sync_detailed(client=client, body=body, idempotency_key="python-client-1")
assert first.status_code == HTTPStatus.ACCEPTED, first
created = first.parsed
assert isinstance(created, PublicPlaybookJobResponse), created
assert created.status == Status.QUEUED
assert first.headers["location"] == f"/v1/jobs/{created.id}"
again = create_playbook.sync_detailed(client=client, body=body, idempotency_key="python-client-1")
assert again.content == first.content
assert again.headers["idempotency-replayed"] == "true"

# It ends, and its result is typed.
job = poll(created.id)
assert job.status == Status.SUCCEEDED, job
result = job.result
assert isinstance(result, PublicPlaybookResult), result
assert isinstance(result.business_summary, str), result.business_summary
assert result.sources and result.basis
assert job.usage.tokens == job.usage.token_details.total
assert job.input_.target_company_domain == os.environ["GTM_DOMAIN"] and job.input_.tone == "consultative"
assert [section.value for section in result.included_sections] == ["business_summary", "sales_angles"]

# A job of a type that is added later does not break this client: not alone, and not in a list.
later = {**job.to_dict(), "type": "holograms", "input": {"angle": 3}, "result": {"rays": [1]}, "stages": [{"key": "aim"}]}
answers = {
    f"/v1/jobs/{job.id}": later,
    "/v1/jobs": {"jobs": [later, job.to_dict()], "next_cursor": None, "has_more": False},
}
server = httpx.MockTransport(lambda request: httpx.Response(200, json=answers[request.url.path]))
after = AuthenticatedClient(base_url=BASE, token="any", raise_on_unexpected_status=True)
after.set_httpx_client(httpx.Client(base_url=BASE, transport=server))
unknown_type = get_job.sync(job.id, client=after)
assert isinstance(unknown_type, OtherJobResponse), unknown_type
assert unknown_type.type_ == "holograms" and unknown_type.usage.tokens == job.usage.tokens
assert unknown_type.result["rays"] == [1] and unknown_type.to_dict() == later
listed = list_jobs.sync(client=after).jobs
assert [type(each) for each in listed] == [OtherJobResponse, PublicPlaybookJobResponse], listed
events = list_job_events.sync(created.id, client=client, limit=2)
assert len(events.events) == 2 and events.has_more and events.next_cursor
rest = list_job_events.sync(created.id, client=client, cursor=events.next_cursor)
assert [event.sequence for event in rest.events][0] == 3
assert list_job_receipts.sync(created.id, client=client).receipts

# What is refused is a typed error.
refused = create_playbook.sync_detailed(client=client, body=PlaybookInput(target_company=" "))
assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, refused
assert isinstance(refused.parsed, ErrorEnvelope)
assert refused.parsed.error.code == "invalid_request"
assert refused.parsed.error.details.violations[0].pointer == "/target_company"
assert refused.parsed.error.request_id == refused.headers["x-request-id"]

reused = create_playbook.sync(
    client=client, body=PlaybookInput(target_company="Other"), idempotency_key="python-client-1"
)
assert isinstance(reused, ErrorEnvelope) and reused.error.code == "idempotency_key_reused", reused

absent = get_job.sync("job_00000000000000000000000000", client=client)
assert isinstance(absent, ErrorEnvelope) and absent.error.code == "not_found", absent

stranger = AuthenticatedClient(base_url=BASE, token="gtm_k1_not_a_key", raise_on_unexpected_status=True)
unknown = get_job.sync_detailed(created.id, client=stranger)
assert unknown.status_code == HTTPStatus.UNAUTHORIZED, unknown
assert unknown.parsed.error.code == "invalid_api_key"

print(f"python client: {created.id} succeeded with {len(result.sources)} sources; 4 errors were typed")
