/** A stored pack may be sent unchanged only if it contains exactly the requested objects. */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { copyingDelta, offsetDistance } from '../../tools/copying-delta.ts';
import { askFor, packIn } from '../../tools/fetch-request.ts';
import { expectFetched, fetched, idsOf } from '../../tools/hosted-objects.ts';
import {
  blob,
  change,
  commit,
  made,
  noObject,
  pack,
  packEntry,
  packOfEntries,
  tag,
  tree,
  type MadeObject,
} from '../../tools/made-objects.ts';
import { noise } from '../../tools/noise.ts';
import { readPack } from '../../tools/pack-contents.ts';
import { main } from '../../tools/push-reports.ts';
import { rawTree } from '../../tools/raw-tree.ts';
import { accepted, repoWith } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { push, set, type Command } from '../../tools/wire-client.ts';
import { needFeature } from './shallow/history.ts';

/** A service may store small and large packs in different ways. */
const sizes = { small: 1_000, large: 2_200_000 } as const;
type Size = keyof typeof sizes;

interface Content {
  readonly large: MadeObject;
  readonly root: MadeObject;
  readonly first: MadeObject;
  readonly second: ReturnType<typeof change>;
  readonly aside: ReturnType<typeof change>;
  /** The objects that `second` reaches. */
  readonly all: readonly MadeObject[];
}

function contentOf(size: Size): Content {
  const large = blob(noise(sizes[size], 3));
  const root = tree({ large });
  const first = commit('first', root);
  const second = change('second', first);
  const aside = change('aside', first);
  return { large, root, first, second, aside, all: [large, root, first, ...second.all] };
}

function perSize(
  name: string,
  requirements: readonly string[],
  explanation: string,
  run: (t: Context, content: Content) => Promise<void>,
): Case[] {
  return (Object.keys(sizes) as Size[]).map((size) => ({
    id: `git/whole-pack/${name}/${size}`,
    requirements,
    level: 'MUST',
    explanation,
    run: (t) => run(t, contentOf(size)),
  }));
}

/** Pushes objects for two commands, of which one is refused, and expects only those of the other. */
async function expectWithoutRefused(t: Context, content: Content, command: Command, what: string): Promise<void> {
  const { second, aside, all } = content;
  const repo = await t.createRepo();
  const report = await push(repo, [set(main, second), command], pack(...all, ...aside.all, tag('aside', aside)));
  assert.equal(report.filter((line) => line.startsWith('ng')).length, 1, `One command is refused: ${what}.`);
  assert(report.includes(`ok ${main}`), 'The other one is taken.');
  await expectFetched(repo, [second], [], all, `What a command brought that was ${what} is not sent.`);
}

export const gitWholePack: Suite = suite(
  ...perSize(
    'wants-and-haves',
    ['GIT-066', 'GIT-078'],
    'A repo of one pack sends all of it, or the part that was asked for.',
    async (t, { large, root, first, second, aside, all }) => {
      const repo = await repoWith(t, { [main]: second, 'refs/heads/aside': aside }, [...all, ...aside.all]);
      const base = [large, root, first];
      await expectFetched(repo, [second, aside], [], [...all, ...aside.all], 'All that there is.');
      await expectFetched(repo, [second], [], all, 'One branch of two.');
      await expectFetched(repo, [second, first], [], all, 'A branch, and a commit that it reaches.');
      await expectFetched(repo, [first], [], base, 'An old commit.');
      await expectFetched(repo, [second, aside], [first], [...second.all, ...aside.all], 'What is new to a client.');
    },
  ),
  ...perSize(
    'strays',
    ['GIT-066', 'GIT-078'],
    'What a pack brought and no ref reaches is not sent.',
    async (t, { second, aside, all }) => {
      for (const [name, extra] of [
        ['a blob', [blob('nobody’s\n')]],
        ['a commit', aside.all],
      ] as const) {
        const repo = await repoWith(t, { [main]: second }, [...all, ...extra]);
        await expectFetched(repo, [second], [], all, `${name} that no ref reaches stays away.`);
      }
    },
  ),
  ...perSize(
    'filtered',
    ['GIT-080', 'GIT-078'],
    'A filter leaves out blobs of a repo of one pack, too.',
    async (t, { large, second, all }) => {
      const repo = await repoWith(t, { [main]: second }, all);
      await needFeature(t, repo, 'filter');
      const reply = await askFor(repo, 2, { wants: [second.oid], filter: 'blob:none' });
      const blobs = [large, second.file];
      const expected = idsOf(all.filter((object) => !blobs.includes(object)));
      same(idsOf(readPack(packIn(reply)).objects.values()), expected, 'All but the blobs.');
    },
  ),
  ...perSize(
    'refused-commands',
    ['GIT-066', 'GIT-078', 'GIT-152'],
    'What a refused command brought is not sent with the rest of its pack.',
    async (t, content) => {
      const { aside, first } = content;
      const hole = change('over a hole', made('commit', ''));
      await expectWithoutRefused(t, content, set('refs/x', aside), 'refused for its name');
      await expectWithoutRefused(t, content, set('refs/heads/aside', tag('aside', aside)), 'refused for its kind');
      await expectWithoutRefused(t, content, set('refs/heads/aside', aside, first), 'stale');
      await expectWithoutRefused(t, content, set(`${main}/below`, aside), 'in conflict with another ref');
      await expectWithoutRefused(t, content, set('refs/heads/aside', hole), 'missing something');
    },
  ),
  ...perSize(
    'moved-refs',
    ['GIT-066', 'GIT-078', 'GIT-127'],
    'What a ref reached before it was moved back or deleted is not sent.',
    async (t, { large, root, first, second, all }) => {
      for (const [name, back] of [
        ['moved back', first.oid],
        ['deleted', noObject],
      ] as const) {
        const repo = await repoWith(t, { [main]: second, 'refs/heads/first': first }, all);
        await accepted(repo, [{ old: second.oid, new: back, ref: main }], pack());
        await expectFetched(repo, [first], [], [large, root, first], `After the ref was ${name}.`);
      }
    },
  ),
  ...perSize(
    'offset-deltas',
    ['GIT-067'],
    'Offset deltas are sent only to a client that takes them.',
    async (t, { large }) => {
      const other = blob(Buffer.concat([large.body, Buffer.from('more')]));
      const top = tree({ large, other });
      const value = commit('offsets', top);
      const base = packEntry(3, large.body);
      const delta = packEntry(6, copyingDelta(large.body, other.body), offsetDistance(base.length));
      const repo = await t.createRepo();
      const bytes = packOfEntries([packEntry(1, value.body), packEntry(2, top.body), base, delta]);
      await accepted(repo, [set(main, value)], bytes);
      for (const words of [['ofs-delta'], []]) {
        const { objects, types } = await fetched(repo, [value], [], words);
        same([...objects.keys()].sort(), idsOf([value, top, large, other]), 'All of it comes.');
        if (words.length === 0) assert(!types.includes(6), 'Without ofs-delta no delta leans on an offset.');
      }
    },
  ),
  {
    id: 'git/whole-pack/repeated-clones',
    requirements: ['GIT-187'],
    level: 'SHOULD',
    explanation:
      'A clone that is repeated brings what the refs reach at that time, though the service may keep its pack.',
    async run(t) {
      const { large, root, first, second, aside, all } = contentOf('large');
      const repo = await repoWith(t, { [main]: second, 'refs/heads/aside': aside }, [...all, ...aside.all]);
      const expectClone = async (tip: MadeObject, expected: readonly MadeObject[], what: string): Promise<void> => {
        for (let time = 1; time <= 3; time++) {
          const { objects } = await fetched(repo, [tip], [], ['ofs-delta', 'include-tag']);
          same([...objects.keys()].sort(), idsOf(expected), `Clone ${time} ${what}.`);
        }
      };
      await expectClone(second, all, 'of one branch');
      const mark = tag('mark', second);
      await accepted(repo, [set('refs/tags/mark', mark)], pack(mark));
      await expectClone(second, [...all, mark], 'after a tag was pushed');
      await accepted(repo, [{ old: mark.oid, new: noObject, ref: 'refs/tags/mark' }], pack());
      await expectClone(second, all, 'after the tag was deleted');
      await accepted(repo, [{ old: second.oid, new: first.oid, ref: main }], pack());
      await expectClone(first, [large, root, first], 'after the branch was moved back');
    },
  },
  {
    id: 'git/whole-pack/wanted-trees',
    requirements: ['GIT-060', 'GIT-149', 'GIT-078'],
    level: 'MUST',
    explanation: 'A tree that is wanted by its id comes with all it names but submodules.',
    async run(t) {
      const first = change('first');
      const file = blob('beside a submodule\n');
      const inner = rawTree(['100644', 'file', file], ['160000', 'module', first]);
      const top = rawTree(['40000', 'folder', inner], ['160000', 'other', { oid: '12'.repeat(20) }]);
      const value = commit('submodules', top);
      // The target of the first link is also here, but is not part of the tree.
      const refs = { [main]: value, 'refs/heads/first': first };
      const repo: TestRepo = await repoWith(t, refs, [value, top, inner, file, ...first.all]);
      await expectFetched(repo, [top], [], [top, inner, file], 'A tree with a folder.');
      await expectFetched(repo, [inner], [], [inner, file], 'The folder.');
      await expectFetched(repo, [file], [], [file], 'The file.');
    },
  },
);
