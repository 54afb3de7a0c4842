/** Cases that send recorded requests again. */

import assert from 'node:assert/strict';
import type { Case } from '../core/case.ts';
import type { Context } from '../core/context.ts';
import { masked, type Values } from '../tools/placeholders.ts';
import {
  readSample,
  sampleBody,
  sampleRequest,
  type SampleArea,
  type SampleExchange,
} from '../tools/sample-exchanges.ts';
import { same } from '../tools/same.ts';

/** Declares the case of a recording. */
export function sampleCase(
  area: SampleArea,
  name: string,
  testCase: Pick<Case, 'requirements' | 'explanation' | 'needs' | 'level'>,
): Case {
  return {
    id: `${area}/recorded/${name}`,
    beyond: true,
    ...testCase,
    async run(t) {
      const { exchanges } = readSample(area, name, t.dialect.name);
      const values: Values = new Map([
        ['account', t.account],
        ['name namespace', t.namespace],
        ['name resource', t.name('resource')],
        ['name other resource', t.name('resource')],
        area === 'errors' ? ['zone', new URL(t.zone).hostname] : ['token api', t.apiToken],
        ...(testCase.needs?.includes('read token') === true ? [['token read', t.readToken] as const] : []),
      ]);
      for (const exchange of exchanges)
        await expectRecorded(t, area === 'errors' ? t.zone : t.origin, exchange, values);
    },
  };
}

async function expectRecorded(t: Context, origin: string, exchange: SampleExchange, values: Values): Promise<void> {
  const { request, reply: expected } = exchange;
  const { method, path, ...sent } = sampleRequest(exchange, values);
  // Where the recorded reply is 429, it is what the case is about.
  const asked = { base: origin, token: null, untyped: true, waits: expected.status !== 429 };
  const reply = await t.rest(method, path, { ...sent, ...asked });
  const what = `${request.method} ${request.path}`;
  const headers = Object.fromEntries(Object.keys(expected.headers).map((name) => [name, reply.headers.get(name)]));
  const seen = { status: reply.status, headers, body: expected.contains === undefined ? sampleBody(reply) : undefined };
  const { contains = [], ...whole } = expected;
  same(masked(seen, whole, values), { body: undefined, ...whole }, `${what}: the recorded reply.`);
  for (const text of contains) assert.ok(reply.text.includes(text), `${what}: expected a body with ${text}`);
}
