import { blob, commit, tree } from '@packhouse/conformance/tools/made-objects';
import type { Dice } from '@packhouse/conformance/tools/dice';
import { largeFile, noise } from './git-load.ts';
import type { Actor } from './load.ts';
import { repoPath } from './observe.ts';
import { outcomeOf } from './rest-load.ts';
import type { World } from './world.ts';

const author = { name: 'Ada Example', email: 'ada@example.com', time: 1_700_000_000 };

/** Commits to branches over REST, and deletes them. The id of each commit is known before its request. */
export function commitActor(world: World): Actor {
  const { ledger } = world;
  const step = async (dice: Dice): Promise<void> => {
    // A new branch begins at the default one (REPO-253), which gets one commit.
    const start = ledger.get('ref commits refs/heads/main');
    const branch = start === undefined ? 'main' : `b${dice.below(6)}`;
    const key = `ref commits refs/heads/${branch}`;
    if (ledger.isOpen(key)) return;
    const head = ledger.get(key);
    const parent = head ?? start;
    if (head !== undefined && dice.below(5) === 0) {
      await ledger.change('deletion over REST', new Map([[key, undefined]]), async () => {
        const reply = await world.rest('DELETE', `${repoPath('commits')}/refs/heads/${branch}`);
        return outcomeOf(world, 'deletion over REST', reply, 200);
      });
      return;
    }
    const content = noise(dice.below(6) === 0 ? largeFile : 200 + dice.below(5_000), dice).toString('base64');
    const made = commit(branch, tree({ file: blob(content) }), parent === undefined ? [] : [{ oid: parent }]);
    await ledger.change('commit', new Map([[key, made.oid]]), async () => {
      const reply = await world.rest('POST', `${repoPath('commits')}/commits`, {
        branch,
        message: branch,
        author,
        expected_head: head ?? null,
        changes: [{ op: 'put', path: 'file', content }],
      });
      return outcomeOf(world, 'commit', reply, 201);
    });
  };
  return { name: 'commits', step };
}
