/** For any wants and haves, the pack and the client's objects together are exactly the objects that the wants reach. */

import { join } from 'node:path';
import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import { holds } from '../../steps/holds.ts';
import { fetched, fetchedPack } from '../../tools/hosted-objects.ts';
import { pack, type MadeObject } from '../../tools/made-objects.ts';
import { pushedHistory } from '../../steps/repo-with.ts';
import { buildHistory, historySteps, type History } from '../../tools/random-history.ts';
import { linksOf, reached } from '../../tools/reached-objects.ts';
import { same } from '../../tools/same.ts';

interface Choice {
  readonly wants: readonly number[];
  readonly haves: readonly number[];
  readonly words: readonly string[];
}

const choice: fc.Arbitrary<Choice> = fc.record({
  wants: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  haves: fc.array(fc.nat(), { maxLength: 4 }),
  words: fc.subarray(['thin-pack', 'ofs-delta', 'include-tag', 'no-progress']),
});

interface Question {
  readonly wants: readonly MadeObject[];
  readonly haves: readonly MadeObject[];
  readonly words: readonly string[];
}

/** Chooses mostly commits and tags as wants, as stock clients do, and sometimes any object. */
function questionOf({ objects }: History, { wants, haves, words }: Choice): Question {
  const all = [...objects.values()];
  const nodes = all.filter(({ kind }) => kind === 'commit' || kind === 'tag');
  const commits = all.filter(({ kind }) => kind === 'commit');
  return {
    wants: wants.map((number, i) => pick(i === 3 ? all : nodes, number)),
    haves: haves.map((number) => pick(commits, number)),
    words,
  };
}

function pick(from: readonly MadeObject[], number: number): MadeObject {
  return from[number % from.length] as MadeObject;
}

function idsReached(from: readonly MadeObject[], { objects }: History): Set<string> {
  return reached(
    from.map(({ oid }) => oid),
    objects,
  );
}

/** Returns every object in the chain of a tag. */
function chainOf(object: MadeObject, { objects }: History): MadeObject[] {
  if (object.kind !== 'tag') return [object];
  const target = objects.get(targetOf(object)) as MadeObject;
  return [object, ...chainOf(target, { objects, refs: new Map() })];
}

function targetOf(object: MadeObject): string {
  return (linksOf(object)[0] as { oid: string }).oid;
}

/** Returns the ids that must be sent (GIT-065, GIT-066, GIT-068). */
function neededIds(history: History, { wants, haves, words }: Question): string[] {
  const held = idsReached(haves, history);
  // An object that is wanted by id or by tag, and is not a commit, is sent with everything it reaches, even if the
  // client has it.
  const insisted = wants.filter((want) => chainOf(want, history).at(-1)?.kind !== 'commit');
  const needed = new Set([...idsReached(wants, history)].filter((oid) => !held.has(oid)));
  for (const oid of idsReached(insisted, history)) needed.add(oid);
  if (!words.includes('include-tag')) return [...needed].sort();
  for (const [name, value] of history.refs) {
    const chain = name.startsWith('refs/tags/') ? chainOf(value, history) : [];
    if (chain.length > 1 && needed.has((chain.at(-1) as MadeObject).oid)) for (const { oid } of chain) needed.add(oid);
  }
  return [...needed].sort();
}

export const gitClosure: Suite = suite(
  {
    id: 'git/closure/exact',
    requirements: ['GIT-060', 'GIT-065', 'GIT-066', 'GIT-067', 'GIT-068', 'GIT-071', 'GIT-078'],
    level: 'MUST',
    explanation: 'Whatever is wanted and had, the pack holds just what the wants reach and the haves do not.',
    async run(t) {
      const property = fc.asyncProperty(
        historySteps({ isOdd: true, most: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(choice, { minLength: 6, maxLength: 6 }),
        async (steps, count, choices) => {
          const history = buildHistory(steps);
          const repo = await pushedHistory(t, history, count);
          for (const question of choices.map((one) => questionOf(history, one))) {
            const { wants, haves, words } = question;
            const held = [...idsReached(haves, history)].map((oid) => history.objects.get(oid) as MadeObject);
            const isThin = words.includes('thin-pack');
            const { objects } = await fetched(repo, wants, haves, words, isThin ? held : []);
            // Git only recommends to send tags (`include-tag`).
            const asked = repo.foreign === true ? { ...question, words: [] } : question;
            const needed = neededIds(history, asked);
            const sent = [...objects.keys()].sort();
            if (repo.foreign === true) {
              // Git lets a server send more, and leave out what the client says that it has.
              const had = new Set(held.map(({ oid }) => oid));
              const missing = needed.filter((oid) => !had.has(oid) && !objects.has(oid));
              same(missing, [], 'The pack holds all that the client lacks.');
            } else same(sent, needed, 'The pack holds just what is needed.');
          }
        },
      );
      await holds(t, 8, property);
    },
  },
  {
    id: 'git/closure/stock-git',
    requirements: ['GIT-065', 'GIT-067', 'GIT-175'],
    level: 'MUST',
    needs: ['git'],
    explanation: 'Stock git takes any such pack with all its checks, and then lacks nothing that was wanted.',
    async run(t) {
      const property = fc.asyncProperty(historySteps({ isOdd: false }), choice, async (steps, chosen) => {
        const history = buildHistory(steps);
        const repo = await pushedHistory(t, history, 3);
        const { wants, haves, words } = questionOf(history, chosen);
        const client = join(await t.folder(), t.name('client'));
        await t.git(['init', '--quiet', '--bare', client]);
        const held = [...idsReached(haves, history)].map((oid) => history.objects.get(oid) as MadeObject);
        if (held.length > 0) await t.git(['index-pack', '--stdin'], { cwd: client, input: pack(...held) });
        const sent = await fetchedPack(repo, wants, haves, words);
        const fix = words.includes('thin-pack') ? ['--fix-thin'] : [];
        if (sent.readUInt32BE(8) > 0) {
          await t.git(['index-pack', '--strict', ...fix, '--stdin'], { cwd: client, input: sent });
        }
        const listed = await t.git(['rev-list', '--objects', '--no-object-names', '--stdin'], {
          cwd: client,
          input: wants.map(({ oid }) => `${oid}\n`).join(''),
        });
        const found = [...new Set(listed.split('\n').filter((line) => line !== ''))].sort();
        same(found, [...idsReached(wants, history)].sort(), 'All that the wants reach is there.');
      });
      await holds(t, 5, property);
    },
  },
);
