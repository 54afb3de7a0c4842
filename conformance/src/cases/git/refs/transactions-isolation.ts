/** GIT-150 and GIT-156 of docs/specification/git.md: the view of other clients while pushes commit. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { fetchFeatures } from '../../../tools/advertised.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, discover, linesOf, post, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);

export const gitTransactionsIsolation: Suite = suite({
  id: 'git/transactions/all-or-none-seen',
  requirements: ['GIT-150', 'GIT-156'],
  level: 'MUST',
  beyond: true,
  own: true,
  explanation:
    'Whoever lists or fetches the refs while pushes move twenty of them at once sees all of a push or nothing of it.',
  async run(t) {
    const names = Array.from({ length: 20 }, (_, i) => `refs/heads/b${String(i).padStart(2, '0')}`);
    const refs = Object.fromEntries(names.map((name) => [name, first]));
    const repo = await repoWith(t, refs, [...first.all, ...second.all]);
    const state = { pushing: true };
    const move = async (): Promise<void> => {
      try {
        for (let i = 0; i < 10; i++) {
          const [old, next] = i % 2 === 0 ? [first, second] : [second, first];
          const commands = names.map((name) => set(name, next, old));
          await accepted(repo, commands, pack(...second.all));
        }
      } finally {
        state.pushing = false;
      }
    };
    const seen = new Set<string>();
    const watch = async (list: () => Promise<readonly string[]>): Promise<void> => {
      while (state.pushing) {
        const values = (await list()).filter((line) => line.includes(' refs/heads/')).map((line) => line.slice(0, 40));
        assert.equal(values.length, names.length, 'Every ref is listed.');
        seen.add([...new Set(values)].join(' and '));
      }
    };
    // Asked first: what it throws would leave the watchers behind.
    const features = await fetchFeatures(repo);
    const watchers = [watch(async () => (await discover(repo)).lines)];
    if (features.includes('ref-in-want')) {
      const words = [...names.map((name) => `want-ref ${name}`), `have ${first.oid}`, 'no-progress', 'done'];
      watchers.push(watch(async () => linesOf((await post(repo, commandBody('fetch', words))).body)));
    }
    await Promise.all([
      move(),
      ...watchers,
      watch(async () => linesOf((await post(repo, commandBody('ls-refs', ['ref-prefix refs/']))).body)),
    ]);
    const mixed = [...seen].filter((values) => values !== first.oid && values !== second.oid);
    same(mixed, [], 'No list mixes the values of two pushes.');
    assert.ok(seen.size > 0, 'The refs were listed at least once.');
  },
});
