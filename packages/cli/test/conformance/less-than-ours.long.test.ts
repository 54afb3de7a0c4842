/** The tagging cases against services that do less than ours does by default. */

import { cases, runCases, type Case, type CaseResult } from '@packhouse/conformance';
import { expect, it } from 'vitest';
import { inMemory } from './support/memory.ts';
import { makeTenants } from './support/tenants.ts';

interface Envelope {
  result: unknown;
  readonly success: boolean;
  errors: { readonly code: number; readonly message: string }[];
  messages: unknown[];
}

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ result: null, success: false, errors: [{ code, message }], messages: [] }, { status });

/** Types of zones whose existing resources the service knows (TAG-054). */
const known = ['dns_record', 'worker_route'];

/** Answers requests that this service handles itself: it has no repos to tag, and knows the resources of a zone. */
async function ownAnswer(request: Request): Promise<Response | undefined> {
  if (request.method !== 'PUT' && request.method !== 'DELETE') return undefined;
  const text = await request.text();
  if (/"resource_type":"repository"/.test(text)) return refusal(400, 1006, 'Invalid resource type');
  const [, type = '', id = ''] = /"resource_type":"([^"]*)","resource_id":"([^"]*)"/.exec(text) ?? [];
  if (request.method === 'PUT' && request.url.includes('/zones/') && known.includes(type))
    return refusal(404, 9999, `resource not found: type=${type} id=${id}`);
  return undefined;
}

/** Replaces an error code beyond the public service, and its text unless the text is specific to the code. */
function ownError({ code, message }: { code: number; message: string }): { code: number; message: string } {
  if (code < 7000 || code === 10_000) return { code, message };
  return { code: code - 5000, message: code === 10_200 ? message : 'something else' };
}

/** Changes everything in a reply that is marked (beyond): order, codes from 7000 on, extra members of an error. */
async function plain(reply: Response): Promise<Response> {
  const headers = new Headers(reply.headers);
  for (const name of ['cache-control', 'content-length']) headers.delete(name);
  const text = await reply.text();
  if (text === '') return new Response(reply.status === 204 ? null : '', { status: reply.status, headers });
  const envelope = JSON.parse(text) as Envelope;
  if (Array.isArray(envelope.result)) envelope.result.reverse();
  for (const item of Array.isArray(envelope.result) ? envelope.result : [])
    if (Array.isArray(item?.values)) item.values.reverse();
  envelope.errors = envelope.errors.map(ownError);
  envelope.messages = [];
  return new Response(JSON.stringify(envelope), { status: reply.status, headers });
}

/** Runs the tagging cases that apply to the public service, against this service. */
async function results(only: (one: Case) => boolean): Promise<readonly CaseResult[]> {
  const tenants = makeTenants();
  const { origin, stop } = await inMemory({ dialect: 'cloudflare', tenants, settings: {} });
  try {
    const report = await runCases({
      target: {
        name: 'less than ours',
        origin,
        dialect: 'cloudflare',
        account: 'local',
        apiToken: tenants.apiToken,
        readToken: tenants.readToken,
        other: { account: 'other', apiToken: tenants.otherApiToken },
        zoneId: 'zone-local',
        publicService: true,
        fetch: async (request) => {
          if (!/\/tags(?:[/?]|$)/.test(request.url)) return await fetch(request);
          return (await ownAnswer(request.clone())) ?? (await plain(await fetch(request)));
        },
      },
      cases: cases.filter((one) => one.id.startsWith('tags/') && only(one)),
    });
    expect(report.left_behind).toEqual([]);
    return report.cases;
  } finally {
    await stop();
  }
}

it('require nothing beyond the public service', { timeout: 120_000 }, async () => {
  const all = await results(({ beyond }) => beyond !== true);
  expect(all.flatMap(({ id, failure }) => (failure === null ? [] : [`${id}: ${failure.message}`]))).toEqual([]);
  const passed = all.filter(({ status }) => status === 'pass').map(({ id }) => id);
  expect(passed).toEqual(
    expect.arrayContaining(['tags/lists/distinct', 'tags/pages/hundred', 'tags/deletes/idempotent']),
  );
  expect(all.find(({ id }) => id === 'tags/routes/zone')).toMatchObject({
    status: 'skipped',
    reason: 'needs a zone where any id of the type dns_record is taken',
  });
});

it('need fewer requests than one window of the default rate has (TAG-144)', { timeout: 600_000 }, async () => {
  const tenants = makeTenants();
  // The default is 1,200. A case that waits for longer than 330 s fails instead.
  const settings = { rate_tags: { requests: 1150, seconds: 3600 } };
  const { origin, stop } = await inMemory({ dialect: 'neutral', tenants, settings });
  try {
    const { apiToken, readToken, otherApiToken } = tenants;
    const report = await runCases({
      target: {
        name: 'default rate',
        origin,
        dialect: 'neutral',
        account: 'local',
        apiToken,
        readToken,
        other: { account: 'other', apiToken: otherApiToken },
        zoneId: 'zone-local',
      },
      cases: cases.filter(({ id }) => id.startsWith('tags/')),
    });
    const failed = report.cases.flatMap(({ id, failure }) => (failure === null ? [] : [`${id}: ${failure.message}`]));
    expect(failed).toEqual([]);
    expect(report.left_behind).toEqual([]);
  } finally {
    await stop();
  }
});
