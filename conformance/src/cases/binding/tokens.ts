/** `createToken`, `listTokens` and `revokeToken` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { discover } from '../../tools/wire-client.ts';
import { assertApart, assertMembers, idForm } from '../../steps/values.ts';
import { assertRejected, remoteOf } from './rejections.ts';

export const tokens: Suite = suite(
  {
    id: 'binding/tokens/create',
    requirements: ['BIND-062', 'BIND-080', 'BIND-085', 'BIND-087', 'TOKEN-006'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A token is minted with scope and lifetime as asked, and opens the repo by Git.',
    async run(t) {
      const binding = t.binding();
      const made = await binding.create(t.name());
      const repo = await binding.get(made.name);
      const plain = await repo.createToken();
      assertMembers(plain, ['id', 'plaintext', 'scope', 'expiresAt'], 'a minted token');
      assert.match(plain.id, idForm, 'expected an id of 16 characters');
      assert.equal(plain.scope, 'write', 'expected the default scope');
      const { tokens: listed } = await repo.listTokens();
      const row = listed.find(({ id }) => id === plain.id);
      assertApart(String(row?.createdAt), plain.expiresAt, 86_400, 'the default lifetime');
      const read = await repo.createToken('read', 60);
      const readRow = (await repo.listTokens()).tokens.find(({ id }) => id === read.id);
      assertApart(String(readRow?.createdAt), read.expiresAt, 60, 'the shortest lifetime');
      await repo.createToken('write', 31_536_000);
      await repo.createToken(undefined, undefined);
      for (const [token, service, status] of [
        [plain.plaintext, 'git-receive-pack', 200],
        [read.plaintext, 'git-upload-pack', 200],
        [read.plaintext, 'git-receive-pack', 403],
      ] as const) {
        const reply = await discover({ ...remoteOf(t, made), token }, { service });
        assert.equal(reply.status, status, `${service}: expected ${status}`);
      }
      for (const scope of ['admin', '', 'READ', 7, null, {}]) {
        await assertRejected(t, repo.createToken(scope), 'INVALID_INPUT', `createToken(${JSON.stringify(scope)})`);
      }
      for (const ttl of [0, 59, 31_536_001, 60.5, -60, Number.NaN, Number.POSITIVE_INFINITY, '3600', null, {}]) {
        await assertRejected(t, repo.createToken('read', ttl), 'INVALID_TTL', `createToken("read", ${String(ttl)})`);
      }
    },
  },
  {
    id: 'binding/tokens/list',
    requirements: ['BIND-063', 'TOKEN-011'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'Active tokens come first, the newest first among them, then ended ones; no secret is shown.',
    async run(t) {
      const binding = t.binding();
      const { name } = await binding.create(t.name());
      const repo = await binding.get(name);
      const ids: string[] = [String((await repo.listTokens()).tokens[0]?.id)];
      for (let i = 0; i < 4; i += 1) {
        // Times have milliseconds.
        await new Promise((resolve) => setTimeout(resolve, 3));
        ids.unshift((await repo.createToken(i % 2 === 0 ? 'read' : 'write')).id);
      }
      const [newest, , third] = ids as [string, string, string];
      assert.equal(await repo.revokeToken(newest), true, 'expected true for an active token');
      assert.equal(await repo.revokeToken(third), true, 'expected true for an active token');
      const { tokens: listed, total } = await repo.listTokens();
      const order = [...ids.filter((id) => id !== newest && id !== third), newest, third];
      assert.deepEqual(
        listed.map(({ id }) => id),
        order,
        'expected active ones first, newest first in each group',
      );
      assert.equal(total, ids.length, 'expected the number of those kept');
      const states = listed.map(({ state }) => state);
      assert.deepEqual(states, ['active', 'active', 'active', 'revoked', 'revoked'], 'expected their states');
      for (const row of listed) assertMembers(row, ['id', 'scope', 'state', 'createdAt', 'expiresAt'], 'a token');
    },
  },
  {
    id: 'binding/tokens/revoke',
    requirements: ['BIND-064', 'BIND-065', 'BIND-080', 'TOKEN-007', 'TOKEN-008'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'A token is revoked by its id, its plaintext or its secret, once, and by its own repo alone.',
    async run(t) {
      const binding = t.binding();
      const made = await binding.create(t.name());
      const repo = await binding.get(made.name);
      const other = await binding.get((await binding.create(t.name('other'))).name);
      const forms = [
        ({ id }: { id: string; plaintext: string }) => id,
        ({ plaintext }: { plaintext: string }) => plaintext,
        ({ plaintext }: { plaintext: string }) => String(plaintext.split('?')[0]),
        ({ plaintext }: { plaintext: string }) => `${String(plaintext.split('?')[0])}?expires=1`,
      ];
      for (const [i, form] of forms.entries()) {
        const token = await repo.createToken('read');
        const given = form(token);
        const remote = { ...remoteOf(t, made), token: token.plaintext };
        assert.equal(await other.revokeToken(given), false, `form ${i}: expected false for that of another repo`);
        assert.equal((await discover(remote)).status, 200, `form ${i}: expected it to work still`);
        assert.equal(await repo.revokeToken(given), true, `form ${i}: expected true`);
        assert.equal((await discover(remote)).status, 403, `form ${i}: expected it to work no more`);
        assert.equal(await repo.revokeToken(given), false, `form ${i}: expected false for one that has ended`);
      }
      const digits = '0123456789abcdef0123456789abcdef01234567';
      const unknown = [
        'a'.repeat(16),
        ...['rht_v1_', 'rht_v2_', 'art_v2_x_', 'art_v2_q_', 'art_v1_b_'].map((p) => p + digits),
      ];
      for (const given of [...unknown, `rht_v1_${digits}?expires=17`]) {
        assert.equal(await repo.revokeToken(given), false, `${given.slice(0, 9)}: expected false for what is unknown`);
      }
      const bad = [
        '',
        undefined,
        null,
        7,
        {},
        'short',
        'A'.repeat(16),
        'a'.repeat(17),
        digits,
        `xyz_v1_${digits}`,
        `rht_v1_${digits}0`,
        `rht_v1_${digits}?expires=`,
        `rht_v1_${digits}?expires=1&x`,
      ];
      for (const given of bad) {
        const what = `revokeToken(${JSON.stringify(given)?.slice(0, 12) ?? 'undefined'}...)`;
        await assertRejected(t, repo.revokeToken(given), 'INVALID_INPUT', what);
      }
    },
  },
);
