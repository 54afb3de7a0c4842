import type { Context, TestRepo } from '../../../core/context.ts';
import { pathOf } from '../../../steps/content.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { same } from '../../../tools/same.ts';
import { discover } from '../../../tools/wire-client.ts';
import type { ModelToken } from './world.ts';

/** Returns the token that a repo was created with. */
export async function firstToken(t: Context, repo: TestRepo): Promise<ModelToken> {
  const [{ id }] = assertSuccess(await t.rest('GET', `${pathOf(repo)}/tokens`), 200, 'the list of tokens');
  return { id, text: repo.token, scope: 'write', revoked: false };
}

/** Expects that a token opens what it may, and nothing once it is revoked. */
export async function checkToken(
  repo: TestRepo,
  { text, scope, revoked }: ModelToken,
  readOnly: boolean,
): Promise<void> {
  const statuses = await Promise.all(
    (['git-upload-pack', 'git-receive-pack'] as const).map(
      async (service) => (await discover({ ...repo, token: text }, { service })).status,
    ),
  );
  const expected = revoked ? [403, 403] : [200, scope === 'write' && !readOnly ? 200 : 403];
  same(statuses, expected, `A token to ${scope}, ${revoked ? 'revoked' : 'active'}: fetches and pushes.`);
}
