import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { assertRefused, assertSuccess, failures } from '../../../steps/replies.ts';
import { assertMembers, idForm, timeOf } from '../../../steps/values.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

interface TokenInfo {
  readonly id: string;
  readonly scope: string;
  readonly state: string;
  readonly created_at: string;
  readonly expires_at: string;
}

async function list(t: Context, path: string): Promise<readonly TokenInfo[]> {
  return assertSuccess(await t.rest('GET', path), 200, `GET ${path}`);
}

/** Asserts the order newest first, with ties by id in one direction. */
function assertNewestFirst(rows: readonly TokenInfo[]): void {
  const ties = new Set<boolean>();
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (before === undefined) continue;
    const [newer, older] = [timeOf(before.created_at, 'created_at'), timeOf(row.created_at, 'created_at')];
    assert.ok(newer >= older, 'expected the newest token first');
    if (newer === older) ties.add(before.id < row.id);
  }
  assert.ok(ties.size <= 1, 'expected tokens of one age to be ordered by id');
}

export const tokenLists: Suite = suite(
  {
    id: 'rest/token-lists/states',
    requirements: ['REPO-054', 'REPO-086', 'REPO-113', 'TOKEN-007', 'TOKEN-010'],
    level: 'MUST',
    explanation: 'Tokens are listed newest first, by state, with their members in order; active ones unless asked.',
    run: async (t) => {
      const repo = await t.createRepo();
      const path = `/namespaces/${repo.namespace}/repos/${repo.name}/tokens`;
      for (const scope of ['read', 'write', 'read'] as const) await t.mintToken(repo, { scope });
      const all = await list(t, `${path}?state=all`);
      assert.equal(all.length, 4, 'expected the first token and three more');
      assertNewestFirst(all);
      for (const token of all) {
        assertMembers(token, ['id', 'scope', 'state', 'created_at', 'expires_at'], 'a token in a list');
        assert.match(token.id, idForm, 'expected an id of 16 characters');
        timeOf(token.expires_at, 'expires_at');
      }
      const dead = all.filter((_, i) => i % 2 === 0);
      const live = all.filter((_, i) => i % 2 === 1);
      for (const { id } of dead) {
        assertSuccess(await t.rest('DELETE', `/namespaces/${repo.namespace}/tokens/${id}`), 200, 'DELETE of a token');
      }
      const revoked = dead.map((token) => ({ ...token, state: 'revoked' }));
      assert.deepEqual(await list(t, `${path}?state=revoked`), revoked, 'expected the revoked ones');
      assert.deepEqual(await list(t, `${path}?state=active`), live, 'expected the active ones');
      assert.deepEqual(await list(t, path), live, 'expected the active ones by default');
      assert.deepEqual(await list(t, `${path}?state=expired`), [], 'expected none to have expired');
      const both = await list(t, `${path}?state=all`);
      assert.deepEqual(
        both.map(({ id }) => id),
        all.map(({ id }) => id),
        'expected all in the same order',
      );
    },
  },
  {
    id: 'rest/token-lists/pages',
    requirements: ['LIM-017', 'REPO-095'],
    level: 'MUST',
    explanation: 'Lists of tokens have the offset form always, with 30 rows a page unless the request says otherwise.',
    run: async (t) => {
      const repo = await t.createRepo();
      const path = `/namespaces/${repo.namespace}/repos/${repo.name}/tokens`;
      await Promise.all(Array.from({ length: 30 }, async () => t.mintToken(repo)));
      const whole = await list(t, `${path}?per_page=100`);
      assert.equal(whole.length, 31, 'expected every token on a page of 100');
      assertNewestFirst(whole);
      const asked: readonly (readonly [query: string, info: readonly number[]])[] = [
        ['', [1, 30, 2, 30, 31]],
        ['?page=2', [2, 30, 2, 1, 31]],
        ['?page=3', [3, 30, 2, 0, 31]],
        ['?per_page=10&page=4', [4, 10, 4, 1, 31]],
        ['?per_page=31', [1, 31, 1, 31, 31]],
        ['?cursor=&per_page=100', [1, 100, 1, 31, 31]],
        ['?state=revoked', [1, 30, 0, 0, 0]],
        ['?page=9007199254740991', [9_007_199_254_740_991, 30, 2, 0, 31]],
      ];
      for (const [query, values] of asked) {
        const { result_info: info } = (await t.rest('GET', path + query)).json;
        assertMembers(info, ['page', 'per_page', 'total_pages', 'count', 'total_count'], `${query}, the offset form`);
        assert.deepEqual(Object.values(info), values, `GET .../tokens${query}: expected these values`);
      }
      const paged: TokenInfo[] = [];
      for (let page = 1; page <= 5; page++) paged.push(...(await list(t, `${path}?per_page=7&page=${page}`)));
      assert.deepEqual(paged, whole, 'expected the pages to hold what the whole list does');
    },
  },
  {
    id: 'rest/token-lists/history',
    requirements: ['LIM-011', 'TOKEN-011'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'token_history'),
    explanation: 'The newest tokens that have ended stay listed, as many as token_history says, and every active one.',
    run: async (t) => {
      const repo = await t.createRepo();
      const own = `/namespaces/${repo.namespace}`;
      const path = `${own}/repos/${repo.name}/tokens`;
      for (let i = 0; i < 6; i++) await t.mintToken(repo);
      const minted = await list(t, path);
      const [live, ended] = [minted.slice(4), minted.slice(0, 4)];
      for (const { id } of ended.toReversed()) {
        assertSuccess(await t.rest('DELETE', `${own}/tokens/${id}`), 200, 'DELETE of a token');
      }
      await t.mintToken(repo);
      const kept = await list(t, `${path}?state=revoked`);
      const ids = kept.map(({ id }) => id);
      const newest = ended.slice(0, 2).map(({ id }) => id);
      assert.deepEqual(
        ids.filter((id) => newest.includes(id)),
        newest,
        'expected the newest two that have ended',
      );
      const active = (await list(t, path)).slice(1).map(({ id }) => id);
      assert.deepEqual(
        active,
        live.map(({ id }) => id),
        'expected every active token',
      );
    },
  },
  {
    id: 'rest/token-lists/revoke',
    requirements: ['REPO-088', 'REPO-167', 'TOKEN-007', 'TOKEN-008', 'TOKEN-012'],
    level: 'MUST',
    explanation:
      'A revoked token ends at once and for good; again it is 200, and 404 in another namespace or for an unknown id.',
    run: async (t) => {
      const repo = await t.createRepo();
      const other = await t.createRepo({ namespace: t.name('other') });
      const own = `/namespaces/${repo.namespace}/tokens`;
      const [{ id }] = (await list(t, `/namespaces/${repo.namespace}/repos/${repo.name}/tokens`)) as [TokenInfo];
      await assertRefused(t, ['DELETE', `/namespaces/${other.namespace}/tokens/${id}`], failures.noToken);
      for (const bad of ['0'.repeat(16), 'x', id.toUpperCase(), `${id}0`, id.slice(1), '%20', 'A'.repeat(16)]) {
        if (bad !== id) await assertRefused(t, ['DELETE', `${own}/${bad}`], failures.noToken);
      }
      const url = `${repo.remote}/info/refs?service=git-upload-pack`;
      const headers = { authorization: `Bearer ${repo.token}` };
      const git = async (): Promise<number> => {
        const reply = await t.fetch(url, { headers });
        await reply.arrayBuffer();
        return reply.status;
      };
      assert.equal(await git(), 200, 'expected the token to work before');
      for (const path of [own, own, own.replace(repo.namespace, repo.namespace.toUpperCase())]) {
        const result = assertSuccess(await t.rest('DELETE', `${path}/${id}`), 200, 'DELETE of the token');
        assert.deepEqual(result, { id }, 'expected the id of the token');
        assert.equal(await git(), 403, 'expected the token to be refused from then on');
      }
    },
  },
);
