// Uses the types that openapi-typescript generated, as their reader would, with openapi-fetch.
// GTM_BASE, GTM_KEY and GTM_DOMAIN tell which server, as whom, and a domain that can be researched.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import createClient from "openapi-fetch";

import type { components, paths } from "./schema.js";

type AnyJob = components["schemas"]["JobResponse"];
type Job = components["schemas"]["PublicPlaybookJobResponse"];
type Input = components["schemas"]["PlaybookInput"];

function required(name: string): string {
  const value = process.env[name];
  assert(value, `${name} is not set`);
  return value;
}

const baseUrl = required("GTM_BASE");
const clientOf = (key: string) =>
  createClient<paths, "application/json">({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const client = clientOf(required("GTM_KEY"));

// Types are added, so `type` is open and a program says which ones it knows.
const isPlaybook = (job: AnyJob): job is Job => job.type === "playbooks";

async function poll(id: string): Promise<Job> {
  for (let reads = 0; reads < 180; reads += 1) {
    const { data, error } = await client.GET("/v1/jobs/{job_id}", { params: { path: { job_id: id } } });
    assert(data, JSON.stringify(error));
    assert(isPlaybook(data), data.type);
    if (data.status !== "queued" && data.status !== "running") return data;
    await sleep(500);
  }
  throw new Error(`${id} did not end`);
}

const body: Input = {
  target_company_domain: required("GTM_DOMAIN"),
  tone: "direct",
  sections: ["business_summary", "sales_angles"],
};
// @ts-expect-error A tone that the API does not know is told before anything is sent.
const misspelt: Input = { target_company: "Acme", tone: "loud" };

// A job is created, once for one key.
const create = (input: Input) =>
  client.POST("/v1/playbooks", {
    params: { header: { "Idempotency-Key": "typescript-client-1" } },
    body: input,
  });
const first = await create(body);
assert.equal(first.response.status, 202);
assert(first.data);
assert.equal(first.data.status, "queued");
assert.equal(first.response.headers.get("location"), `/v1/jobs/${first.data.id}`);
const again = await create(body);
assert.deepEqual(again.data, first.data);
assert.equal(again.response.headers.get("idempotency-replayed"), "true");

// It ends, and its result is typed.
const job = await poll(first.data.id);
assert.equal(job.status, "succeeded", JSON.stringify(job.error));
assert(job.result);
const angles: string[] = job.result.sales_angles;
// Without a model a site may support none.
assert(Array.isArray(angles));
assert(job.result.sources.every((source) => source.content_digest.startsWith("sha256:")));
const domain: string | null = job.input.target_company_domain;
assert.equal(domain, body.target_company_domain);
const sections: NonNullable<Input["sections"]> = job.result.included_sections;
assert.deepEqual(sections, body.sections);

// A job of a type that is added later does not break this client.
const later = { ...job, type: "holograms", input: { angle: 3 }, result: { rays: [1] } };
const after = createClient<paths, "application/json">({ baseUrl, fetch: async () => Response.json(later) });
const unknownType = await after.GET("/v1/jobs/{job_id}", { params: { path: { job_id: job.id } } });
assert(unknownType.data && !isPlaybook(unknownType.data));
assert.equal(unknownType.data.type, "holograms");
assert.equal(unknownType.data.usage.tokens, job.usage.tokens);

const events = await client.GET("/v1/jobs/{job_id}/events", {
  params: { path: { job_id: job.id }, query: { limit: 100 } },
});
assert.equal(events.data?.events.at(-1)?.type, "job.succeeded");

// What is refused is a typed error.
const refused = await client.POST("/v1/playbooks", { body: misspelt });
assert.equal(refused.response.status, 422);
assert.equal(refused.error?.error.code, "invalid_request");
assert.equal(refused.error.error.details?.violations?.[0]?.pointer, "/tone");
const reused = await create({ target_company: "Other" });
assert.equal(reused.error?.error.code, "idempotency_key_reused");
const unknown = await clientOf("gtm_k1_not_a_key").GET("/v1/jobs/{job_id}", {
  params: { path: { job_id: job.id } },
});
assert.equal(unknown.response.status, 401);
assert.equal(unknown.error?.error.code, "invalid_api_key");

console.log(`typescript client: ${job.id} succeeded with ${angles.length} sales angles; 3 errors were typed`);
