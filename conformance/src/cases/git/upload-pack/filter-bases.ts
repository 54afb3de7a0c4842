/** GIT-087 of docs/specification/git.md: the delta bases of a filtered pack. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { askFor, packIn, versions } from '../../../tools/fetch-request.ts';
import { deltaPack } from '../../../tools/delta-pack.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { blob, commit, pack, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { set } from '../../../tools/wire-client.ts';
import { needFeature } from '../shallow/history.ts';

const lines = Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join('');
const fillers = Array.from({ length: 60 }, (_, i) => [`file${String(i).padStart(2, '0')}`, blob(`${i}`)] as const);

interface Version {
  readonly node: MadeObject;
  readonly root: MadeObject;
  readonly inner: MadeObject;
  readonly file: MadeObject;
  readonly all: readonly MadeObject[];
}

/** Makes a commit whose file, folder and root differ little from those of the one before. */
function version(number: number, ...parents: readonly MadeObject[]): Version {
  const file = blob(`${lines}version ${number}\n`);
  const inner = tree({ ...Object.fromEntries(fillers), 'large.txt': file });
  const root = tree({ ...Object.fromEntries(fillers), folder: inner, 'large.txt': file });
  const node = commit(`version ${number}`, root, parents);
  return { node, root, inner, file, all: [node, root, inner, file] };
}

const one = version(1);
const two = version(2, one.node);
const three = version(3, two.node);
const held = [...one.all, ...fillers.map(([, file]) => file)];

/** Creates a repo with three commits, in which each object is stored as a delta of the previous one of its kind. */
async function repoOfDeltas(t: Context): Promise<TestRepo> {
  const repo = await t.createRepo();
  const main = 'refs/heads/main';
  await accepted(repo, [set(main, one.node)], pack(...held));
  await accepted(repo, [set(main, two.node, one.node)], deltaPack(two.all, one.all));
  await accepted(repo, [set(main, three.node, two.node)], deltaPack(three.all, two.all));
  return repo;
}

const words = ['thin-pack', 'ofs-delta', 'no-progress'];
const news = [...two.all, ...three.all];

export const gitFilterBases: Suite = suite(
  {
    id: 'git/filters/bases',
    requirements: ['GIT-087', 'GIT-086', 'GIT-067'],
    level: 'MUST',
    explanation: 'In a filtered reply a file leans on none outside of the pack, nor does a folder unless each comes.',
    async run(t) {
      const repo = await repoOfDeltas(t);
      await needFeature(t, repo, 'filter');
      const request = { wants: [three.node.oid], haves: [one.node.oid], words };
      for (const version of versions) {
        const whole = readPack(packIn(await askFor(repo, version, request)), held);
        same(idsOf(whole.objects.values()), idsOf(news), `All that is new comes in version ${version}.`);
        for (const [filter, sent, kinds] of [
          ['blob:none', news.filter(({ kind }) => kind !== 'blob'), ['commit', 'tree']],
          ['blob:limit=1g', news, ['commit', 'tree']],
          ['combine:blob:none+blob:limit=5', news.filter(({ kind }) => kind !== 'blob'), ['commit', 'tree']],
          ['tree:9', news, ['commit']],
          ['tree:1', [two.node, two.root, three.node, three.root], ['commit']],
          ['object:type=blob', [three.node, two.file, three.file], ['commit']],
          ['object:type=tree', [three.node, two.root, two.inner, three.root, three.inner], ['commit', 'tree']],
          ['combine:tree:9+blob:limit=1g', news, ['commit']],
        ] as const) {
          const { objects, outside } = readPack(packIn(await askFor(repo, version, { ...request, filter })), held);
          same(idsOf(objects.values()), idsOf(sent), `${filter} sends just this in version ${version}.`);
          const strange = held.filter(
            ({ oid, kind }) => outside.has(oid) && !(kinds as readonly string[]).includes(kind),
          );
          same(idsOf(strange), [], `${filter} leans on nothing that a partial clone may lack, in version ${version}.`);
        }
      }
    },
  },
  {
    id: 'git/filters/bases-left-out',
    requirements: ['GIT-087', 'GIT-078', 'GIT-080'],
    level: 'MUST',
    explanation: 'What is stored as a delta of a file that the filter leaves out comes in another form.',
    async run(t) {
      const repo = await t.createRepo();
      const large = blob(`${lines}${lines}`.padEnd(2 ** 20 - 1, 'x'));
      const small = blob(lines);
      const root = tree({ large, small });
      const node = commit('both', root);
      await accepted(repo, [set('refs/heads/main', node)], deltaPack([large, small, root, node]));
      await needFeature(t, repo, 'filter');
      for (const version of versions) {
        for (const [filter, sent] of [
          [`blob:limit=${large.body.length}`, [small, root, node]],
          ['blob:limit=1m', [large, small, root, node]],
          ['object:type=commit', [node]],
        ] as const) {
          const reply = await askFor(repo, version, { wants: [node.oid], filter, words });
          const { objects, outside } = readPack(packIn(reply));
          same(idsOf(objects.values()), idsOf(sent), `${filter} sends just this in version ${version}.`);
          assert.equal(outside.size, 0, 'It needs nothing else.');
        }
        const reply = await askFor(repo, version, {
          wants: [small.oid],
          haves: [node.oid],
          filter: 'blob:none',
          words,
        });
        same(idsOf(readPack(packIn(reply)).objects.values()), [small.oid], 'So it does when wanted by its id.');
      }
    },
  },
);
