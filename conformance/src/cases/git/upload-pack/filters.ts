/** GIT-080 to GIT-086 of docs/specification/git.md: the objects that a filter lets through, in each version. */

import fc from 'fast-check';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { askFor, packIn, versions, type Version } from '../../../tools/fetch-request.ts';
import { filtered } from '../../../tools/filter-oracle.ts';
import { holds } from '../../../steps/holds.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { blob, commit, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { pushedHistory, repoWith } from '../../../steps/repo-with.ts';
import { buildHistory, historySteps } from '../../../tools/random-history.ts';
import { same } from '../../../tools/same.ts';
import type { Remote } from '../../../tools/wire-client.ts';
import { needFeature } from '../shallow/history.ts';

const small = blob('small\n');
const kilo = blob('k'.repeat(1024));
const below = blob('b'.repeat(1023));
const shared = blob('in two places\n');
const inner = tree({ deep: small, shared });
const middle = tree({ below, inner });
const patterns = blob('/top\n/folder/\n!/folder/below\n');
const root = tree({ folder: middle, kilo, shared, sparse: patterns, top: blob('top\n') });
const first = commit('first', tree({ sparse: patterns, top: blob('top of old\n') }));
const second = commit('second', root, [first]);
const label = tag('v1', second);
const files = [small, kilo, below, shared, patterns, blob('top\n'), blob('top of old\n')];
const trees = [inner, middle, root, tree({ sparse: patterns, top: blob('top of old\n') })];
const everything: readonly MadeObject[] = [...files, ...trees, first, second, label];
const without = (...left: readonly MadeObject[]): MadeObject[] =>
  [first, second, ...trees, ...files].filter((object) => !left.includes(object));

function repoOfFiles(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': second, 'refs/tags/v1': label }, everything);
}

async function idsFor(repo: Remote, version: Version, filter: string, wants: readonly MadeObject[]): Promise<string[]> {
  const reply = await askFor(repo, version, { wants: wants.map(({ oid }) => oid), filter });
  return idsOf(readPack(packIn(reply)).objects.values());
}

interface Form {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly explanation: string;
  /** The objects that each filter lets through in a clone of the second commit. */
  readonly sent: readonly (readonly [filter: string, sent: readonly MadeObject[]])[];
}

const [, , , oldRoot] = trees as [MadeObject, MadeObject, MadeObject, MadeObject];

const forms: readonly Form[] = [
  {
    id: 'blobs',
    requirements: ['GIT-080'],
    explanation: 'blob:none leaves out blobs, blob:limit those of that many bytes and more',
    sent: [
      ['blob:none', without(...files)],
      ['blob:limit=0', without(...files)],
      ['blob:limit=1023', without(kilo, below)],
      ['blob:limit=1024', without(kilo)],
      ['blob:limit=1k', without(kilo)],
      ['blob:limit=1025', without()],
      ['blob:limit=1m', without()],
      ['blob:limit=1g', without()],
    ],
  },
  {
    id: 'trees',
    requirements: ['GIT-081'],
    explanation: 'tree:<depth> leaves out trees and blobs that are nowhere less deep',
    sent: [
      ['tree:0', [first, second]],
      ['tree:1', [first, second, root, oldRoot]],
      // The shared file is also at the root.
      ['tree:2', without(below, inner, small)],
      ['tree:3', without(small)],
      ['tree:4', without()],
    ],
  },
  {
    id: 'types',
    requirements: ['GIT-082', 'GIT-086'],
    explanation: 'object:type lets objects of one type through, beside what is wanted',
    sent: [
      ['object:type=commit', [first, second]],
      ['object:type=tree', [second, ...trees]],
      ['object:type=blob', [second, ...files]],
      ['object:type=tag', [second]],
    ],
  },
  {
    id: 'combined',
    requirements: ['GIT-084'],
    explanation: 'combine lets through what each of its parts does, after decoding them',
    sent: [
      ['combine:blob:none+tree:2', [first, second, root, oldRoot, middle]],
      ['combine:blob:limit=1k', without(kilo)],
      ['combine:blob:limit=1k+blob:limit=2k', without(kilo)],
      ['combine:blob:limit=2k+blob:limit=1k', without(kilo)],
      ['combine:object:type=tree+tree:1', [second, root, oldRoot]],
      ['combine:%62lob%3Anone+tree:2', [first, second, root, oldRoot, middle]],
      ['combine:combine%3Ablob:none%2Btree:3+tree:2', [first, second, root, oldRoot, middle]],
    ],
  },
  {
    id: 'combined-by-place',
    requirements: ['GIT-084', 'GIT-081'],
    explanation: 'In combine the least deep place of an object counts, whatever other parts say',
    // Stock git 2.39 forgets the file that is also at the root.
    sent: [
      ['combine:tree:2+blob:limit=1k', without(below, inner, small, kilo)],
      ['combine:tree:3+blob:limit=1k', without(small, kilo)],
    ],
  },
  {
    id: 'sparse',
    requirements: ['GIT-083'],
    explanation: 'sparse:oid lets through the blobs that patterns of a visible blob name, told by id or by place',
    sent: [patterns.oid, 'main:sparse', 'refs/heads/main:sparse'].map((name) => [
      `sparse:oid=${name}`,
      // All but one file of the folder, and otherwise only objects at the top.
      without(kilo, patterns, below),
    ]),
  },
];

const specs = ['blob:none', 'blob:limit=10', 'blob:limit=1k', 'tree:0', 'tree:1', 'tree:2', 'tree:3'];
const types = ['blob', 'tree', 'commit', 'tag'].map((type) => `object:type=${type}`);
const oneFilter = fc.constantFrom(...specs, ...types);
const anyFilter = fc.oneof(
  oneFilter,
  fc.tuple(oneFilter, oneFilter).map(([one, other]) => `combine:${one}+${encodeURIComponent(other)}`),
);

/** Invalid filters, with the text that refuses them. */
const bad = [
  '',
  'blob',
  'blob:none2',
  'blob:limit=',
  'blob:limit=1x',
  'blob:limit=-1',
  'tree:',
  'tree:-1',
  'tree:x',
  'object:type=',
  'object:type=file',
  'sparse:oid=',
  `sparse:oid=${'1'.repeat(40)}`,
  'sparse:oid=main:no-such-file',
  'combine:',
  'combine:blob:none+',
  'combine:blob:none+blob:some',
  'combine:blob:none+%zz',
  'auto',
];

export const gitFilters: Suite = suite(
  ...forms.flatMap(({ id, requirements, explanation, sent }) =>
    versions.map((version): Case => ({
      id: `git/filters/${id}-version-${version}`,
      requirements,
      level: 'MUST',
      beyond: true,
      explanation: `${explanation}, in version ${version}.`,
      async run(t) {
        const repo = await repoOfFiles(t);
        await needFeature(t, repo, 'filter');
        for (const [filter, expected] of sent)
          same(await idsFor(repo, version, filter, [second]), idsOf(expected), `${filter} sends just this.`);
      },
    })),
  ),
  {
    id: 'git/filters/wanted-by-id',
    requirements: ['GIT-086', 'GIT-081'],
    level: 'MUST',
    explanation: 'What is wanted by id comes whatever the filter says, also if a common commit reaches it.',
    async run(t) {
      const repo = await repoOfFiles(t);
      await needFeature(t, repo, 'filter');
      for (const version of versions) {
        for (const [wants, filter, sent] of [
          [[kilo, small], 'blob:none', [kilo, small]],
          [[kilo], 'tree:0', [kilo]],
          [[inner], 'blob:none', [inner]],
          [[root], 'tree:0', [root]],
          [[middle], 'tree:1', [middle, below, inner]],
          [[label], 'tree:0', [label, second, first]],
        ] as const) {
          const ids = idsOf(sent);
          const asked = `${filter} for ${wants.length} of kind ${wants[0].kind} in version ${version}`;
          same(await idsFor(repo, version, filter, wants), ids, `${asked} sends what was wanted.`);
          if (wants[0].kind === 'tag') continue;
          const reply = await askFor(repo, version, {
            wants: wants.map(({ oid }) => oid),
            haves: [second.oid],
            filter,
          });
          const got = idsOf(readPack(packIn(reply)).objects.values());
          same(
            wants.filter(({ oid }) => !got.includes(oid)),
            [],
            `${asked} sends it to a client that has the commit.`,
          );
        }
      }
    },
  },
  {
    id: 'git/filters/random',
    requirements: ['GIT-080', 'GIT-081', 'GIT-082', 'GIT-084', 'GIT-086'],
    level: 'MUST',
    beyond: true,
    explanation: 'Of any history just what the filter lets through is sent, in each version.',
    async run(t) {
      const questions = fc.array(fc.tuple(anyFilter, fc.array(fc.nat(), { minLength: 1, maxLength: 3 })), {
        minLength: 6,
        maxLength: 6,
      });
      const property = fc.asyncProperty(historySteps({ isOdd: true }), questions, async (steps, asked) => {
        const history = buildHistory(steps);
        const repo = await pushedHistory(t, history, 2);
        await needFeature(t, repo, 'filter');
        const all = [...history.objects.values()];
        const nodes = all.filter(({ kind }) => kind === 'commit' || kind === 'tag');
        for (const [i, [filter, picks]] of asked.entries()) {
          const version = (i % 3) as Version;
          const from = i % 5 === 4 ? all : nodes;
          const wants = [...new Set(picks.map((number) => from[number % from.length] as MadeObject))];
          const { sent, free } = filtered(filter, wants, history.objects);
          const got = await idsFor(repo, version, filter, wants);
          same(
            got.filter((oid) => sent.includes(oid) || !free.has(oid)),
            sent,
            `${filter} sends just this in version ${version}.`,
          );
        }
      });
      await holds(t, 4, property);
    },
  },
  {
    id: 'git/filters/refused',
    requirements: ['GIT-085', 'GIT-083', 'GIT-017'],
    level: 'MUST',
    explanation: 'Any other filter is refused by the whole of its text, and sparse:path by a text of its own.',
    async run(t) {
      const repo = await repoOfFiles(t);
      await needFeature(t, repo, 'filter');
      for (const version of versions) {
        // Git leaves open what an empty filter means.
        for (const filter of repo.foreign === true ? bad.filter((text) => text !== '') : bad) {
          const { error, pack } = await askFor(repo, version, { wants: [second.oid], filter });
          if (repo.foreign === true) same(pack, undefined, `"${filter}" brings nothing in version ${version}.`);
          else same(error, `invalid filter-spec '${filter}'`, `"${filter}" is refused in version ${version}.`);
        }
        const { error } = await askFor(repo, version, { wants: [second.oid], filter: 'sparse:path=x' });
        if (repo.foreign !== true)
          same(error, 'sparse:path filters support has been dropped', `sparse:path is refused in version ${version}.`);
      }
    },
  },
);
