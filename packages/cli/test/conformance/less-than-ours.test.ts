/** The cases of tagging against a service that does only what the public one is known to do. */

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

/** Types of zones that it knows the resources of (TAG-054). */
const known = ['dns_record', 'worker_route'];

/** What it answers by itself, since it has no repos to tag, and knows what a zone has. */
async function ownAnswer(request: Request): Promise<Response | undefined> {
  if (request.method !== 'PUT' && request.method !== 'DELETE') return undefined;
  const text = await request.text();
  if (/"resource_type":"repository"/.test(text)) return refusal(400, 1006, 'Invalid resource type');
  const [, type = '', id = ''] = /"resource_type":"([^"]*)","resource_id":"([^"]*)"/.exec(text) ?? [];
  if (request.method === 'PUT' && request.url.includes('/zones/') && known.includes(type))
    return refusal(404, 9999, `resource not found: type=${type} id=${id}`);
  return undefined;
}

/** A failure whose code goes beyond the public service has another one, and another text but where that is its own. */
function ownError({ code, message }: { code: number; message: string }): { code: number; message: string } {
  if (code < 7000 || code === 10_000) return { code, message };
  return { code: code - 5000, message: code === 10_200 ? message : 'something else' };
}

/** The reply with all that is marked (beyond) in another way: order, codes from 7000 on, what goes with an error. */
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

/** The cases of tagging that the public service is held to, against this service. */
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

it('hold a service to nothing that goes beyond the public one', { timeout: 120_000 }, async () => {
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
