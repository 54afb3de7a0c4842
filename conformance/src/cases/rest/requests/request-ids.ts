import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

/** Requests replies of every kind, and returns the request id of each. */
async function askedIds(t: Context): Promise<Map<string, string | null>> {
  const repo = await t.createRepo();
  const own = `/namespaces/${repo.namespace}/repos/${repo.name}`;
  const ids = new Map<string, string | null>();
  const note = (what: string, headers: Headers): void => {
    ids.set(what, headers.get(t.dialect.requestIdHeader));
  };
  const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
    ['GET', own],
    ['HEAD', own],
    ['POST', `/namespaces/${repo.namespace}/tokens`, { repo: repo.name }],
    ['POST', `/namespaces/${repo.namespace}/tokens`, '{'],
    ['GET', `/namespaces/${t.name('none')}`],
    ['PUT', own],
    ['GET', `${own}/`],
    ['DELETE', own],
  ];
  for (const [method, path, body] of asked) {
    note(`${method} ${path}`, (await t.rest(method, path, body === undefined ? {} : { body })).headers);
  }
  note('no credential', (await t.rest('GET', own, { token: null })).headers);
  for (const address of [
    `${t.origin}/`,
    `${t.origin}/healthz`,
    `${t.origin}/openapi.json`,
    `${t.origin}/none`,
    `${repo.remote}/info/refs?service=git-upload-pack`,
    `${repo.remote}/info/refs`,
    repo.remote,
  ]) {
    const reply = await t.fetch(address);
    await reply.arrayBuffer();
    note(address, reply.headers);
  }
  return ids;
}

function assertIds(ids: ReadonlyMap<string, string | null>, form: RegExp): void {
  for (const [what, id] of ids) assert.match(id ?? '(none)', form, `${what}: expected a request id`);
  assert.equal(new Set(ids.values()).size, ids.size, 'expected a fresh request id in every reply');
}

export const requestIds: Suite = suite(
  {
    id: 'rest/request-ids/every-reply',
    requirements: ['REPO-007', 'REPO-015'],
    level: 'MUST',
    explanation: 'Every reply, also a failure and one of Git, has a fresh request id in the header of the dialect.',
    run: async (t) => {
      const ids = await askedIds(t);
      assertIds(ids, /^[0-9a-f]{16}-[A-Z]{3}$/);
    },
  },
  {
    id: 'rest/request-ids/site',
    requirements: ['REPO-007'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'site'),
    explanation: 'A request id ends in the three letters of the site setting.',
    run: async (t) => {
      assertIds(await askedIds(t), /^[0-9a-f]{16}-XYZ$/);
    },
  },
);
