import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../../core/case.ts';
import { discover } from '../../../tools/wire-client.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { only, tightSettings } from '../../../steps/settings.ts';

interface Minted {
  readonly id: string;
  readonly plaintext: string;
}

export const tokenExpiry: Suite = suite({
  id: 'rest/token-expiry/states',
  requirements: ['TOKEN-004', 'TOKEN-007', 'TOKEN-008', 'TOKEN-010', 'TOKEN-012'],
  level: 'MUST',
  needs: ['settings'],
  settings: only(tightSettings, 'token_ttl_min'),
  explanation:
    'A token ends when its time has come, is then listed as expired, and stays so when it is revoked; a revoked one stays revoked.',
  run: async (t) => {
    const repo = await t.createRepo();
    const own = `/namespaces/${repo.namespace}`;
    const mint = async (ttl: number): Promise<Minted> =>
      assertSuccess(await t.rest('POST', `${own}/tokens`, { body: { repo: repo.name, ttl } }), 201, 'POST of a token');
    const statesOf = async (): Promise<Readonly<Record<string, string>>> => {
      const rows: readonly { id: string; state: string }[] = assertSuccess(
        await t.rest('GET', `${own}/repos/${repo.name}/tokens?state=all`),
        200,
        'the list of tokens',
      );
      return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
    };
    const statusOf = async (token: string): Promise<number> => (await discover({ ...repo, token })).status;

    // Long enough that it is still active when requested, even on a slow machine.
    const lasting = await mint(86_400);
    assert.equal((await statesOf())[lasting.id], 'active', 'expected a new token to be active');
    assert.equal(await statusOf(lasting.plaintext), 200, 'Git with a new token: expected 200');
    const [expiring, revoked] = [await mint(1), await mint(1)];
    assertSuccess(await t.rest('DELETE', `${own}/tokens/${revoked.id}`), 200, 'DELETE of a token');
    // On a slow machine it may have expired before it was revoked.
    const ended = (await statesOf())[revoked.id];
    assert.ok(ended === 'revoked' || ended === 'expired', 'expected the revoked token to have ended');
    await wait(1100);

    for (const suffix of ['', '?expires=99999999999']) {
      const token = `${expiring.plaintext.split('?')[0]}${suffix}`;
      assert.equal(await statusOf(token), 403, `Git with an expired token and "${suffix}": expected 403`);
    }
    const late = assertSuccess(
      await t.rest('DELETE', `${own}/tokens/${expiring.id}`),
      200,
      'DELETE of an expired token',
    );
    assert.deepEqual(late, { id: expiring.id }, 'expected its id');
    const states = await statesOf();
    assert.equal(states[expiring.id], 'expired', 'expected a token that ran out to stay expired when it is revoked');
    assert.equal(states[revoked.id], ended, 'expected a revoked token to stay so when its time has come');
    assert.equal(states[lasting.id], 'active', 'expected the lasting token to be active');
    assert.equal(await statusOf(lasting.plaintext), 200, 'Git with the lasting token: expected 200');
  },
});
