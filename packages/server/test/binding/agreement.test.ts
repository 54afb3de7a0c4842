/**
 * Random steps over REST and a binding: each sees at once what the other did, and both say the same (BIND-024,
 * REPO-005).
 */

import { fc, test } from '@fast-check/vitest';
import { RepoError, type Repo } from '@packhouse/binding';
import { runs } from '@packhouse/fixtures';
import { cloudflare, neutral } from '@packhouse/hosting';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { describe, expect } from 'vitest';
import { openTestHost, type TestHost } from '../support/test-host.ts';

const names = ['a', 'B', 'c-1'] as const;
const name = fc.constantFrom(...names);
const side = fc.constantFrom('REST', 'binding');
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), side, name, readOnly: fc.boolean() }),
  fc.record({ kind: fc.constant('delete' as const), side, name }),
  fc.record({ kind: fc.constant('fork' as const), side, name, to: name }),
  fc.record({ kind: fc.constant('token' as const), side, name }),
  fc.record({ kind: fc.constant('revoke' as const), side, name, which: fc.nat(3) }),
  fc.record({ kind: fc.constant('push' as const), name }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns the REST error code of a call, or 0 if it succeeds. */
async function codeOf(call: Promise<unknown>): Promise<number> {
  return call.then(
    () => 0,
    (error: unknown) => {
      if (error instanceof RepoError) return error.numericCode;
      throw error;
    },
  );
}

/** Does one step over one side, and answers its code; `undefined` where the two sides differ by rule. */
async function run({ repos, rest, fetch }: TestHost, one: Step, serial: number): Promise<void> {
  const viaRest = async (method: string, path: string, body?: unknown): Promise<number> =>
    (await rest(method, path, body)).code ?? 0;
  const known = async (wanted: string): Promise<Repo | undefined> => repos.get(wanted).catch(() => undefined);
  const expected = async (): Promise<number> => {
    const isThere = (await known(one.name)) !== undefined;
    switch (one.kind) {
      case 'create':
        return isThere ? 10201 : 0;
      case 'fork':
        return !isThere ? 10200 : (await known(one.to)) === undefined ? 0 : 10201;
      default:
        return isThere ? 0 : 10200;
    }
  };
  const wanted = await expected();
  switch (one.kind) {
    case 'create': {
      const { readOnly } = one;
      const code =
        one.side === 'REST'
          ? await viaRest('POST', '/repos', { name: one.name, read_only: readOnly })
          : await codeOf(repos.create(one.name.toLowerCase(), { readOnly }));
      return expect(code).toBe(wanted);
    }
    case 'delete': {
      if (one.side === 'binding') return expect(await repos.delete(one.name)).toBe(wanted === 0);
      const { status } = await rest('DELETE', `/repos/${one.name}`);
      // REST remembers what was deleted (REPO-117).
      return expect(wanted === 0 ? [202] : [202, 404]).toContain(status);
    }
    case 'fork': {
      const handle = await known(one.name);
      const code =
        one.side === 'REST' || handle === undefined
          ? await viaRest('POST', `/repos/${one.name}/fork`, { name: one.to })
          : await codeOf(handle.fork(one.to));
      return expect(code).toBe(wanted);
    }
    case 'token': {
      const handle = await known(one.name);
      const code =
        one.side === 'REST' || handle === undefined
          ? await viaRest('POST', '/tokens', { repo: one.name, scope: 'read' })
          : await codeOf(handle.createToken('read'));
      return expect(code).toBe(wanted);
    }
    case 'revoke': {
      const handle = await known(one.name);
      const { tokens = [] } = (await handle?.listTokens()) ?? {};
      const token = tokens[one.which % Math.max(1, tokens.length)];
      if (handle === undefined || token === undefined) return;
      if (one.side === 'REST') expect(await viaRest('DELETE', `/tokens/${token.id}`)).toBe(0);
      else expect(await handle.revokeToken(token.id)).toBe(token.state === 'active');
      return;
    }
    case 'push': {
      const handle = await known(one.name);
      if (handle === undefined || (await handle.info()).readOnly) return;
      const { plaintext: token } = await handle.createToken('write');
      const { remote } = await handle.info();
      const made = change(`push ${serial}`);
      const [head] = await handle.log();
      const command = { ...set('refs/heads/main', made), old: head?.hash ?? '0'.repeat(40) };
      const report = await push({ remote, token, fetch }, [command], pack(...made.all));
      expect(report).toEqual(['unpack ok', 'ok refs/heads/main']);
    }
  }
}

const camel = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    camel(member),
  ]);
  return Object.fromEntries(members);
};

/** Everything that both sides show. */
async function expectAgreement({ repos, rest }: TestHost): Promise<void> {
  const listed = await rest('GET', '/repos?limit=200');
  const list = await repos.list({ limit: 200 });
  expect(list.repos).toEqual((camel(listed.result) as Record<string, unknown>[]).map(({ remote: _, ...item }) => item));
  expect(list.total).toBe(listed.info['total_count']);
  for (const one of names) {
    const shown = await rest('GET', `/repos/${one}`);
    if (shown.status === 404) {
      expect(await codeOf(repos.get(one))).toBe(10200);
      continue;
    }
    using handle = await repos.get(one);
    expect(await handle.info()).toEqual(camel(shown.result));
    const tokens = await rest('GET', `/repos/${one}/tokens?state=all&per_page=100`);
    const ours = await handle.listTokens();
    expect(ours.total).toBe(tokens.info['total_count']);
    expect(ours.tokens.toSorted(byId)).toEqual((camel(tokens.result) as { readonly id: string }[]).toSorted(byId));
    const log = await rest('GET', `/repos/${one}/log`);
    expect(await handle.log()).toEqual(log.result);
  }
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

describe.each([neutral, cloudflare])('REST and a binding in the dialect $name', (dialect) => {
  test.prop([fc.array(step, { minLength: 4, maxLength: 25 })], { numRuns: runs(8) })(
    'BIND-024, REPO-005, REPO-006: say the same after any steps over either',
    async (steps) => {
      const host = await openTestHost({}, dialect);
      try {
        for (const [serial, one] of steps.entries()) {
          await run(host, one, serial);
          if (serial % 5 === 4) await expectAgreement(host);
        }
        await expectAgreement(host);
        expect(host.failures).toEqual([]);
      } finally {
        await host.close();
      }
    },
  );
});
