/** GIT-060, GIT-064, GIT-093 to GIT-096 and GIT-101 of docs/specification/git.md: the command fetch of version 2. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { fetchFeatures } from '../../../tools/advertised.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change, pack, tag } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, linesOf, packOf, post, readPackets, remove, set } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const side = change('side', first);
const apart = change('apart');
const treeTag = tag('tree', apart.root);
const unknown = '1'.repeat(40);

function repoOfFour(t: Context): Promise<TestRepo> {
  const refs = {
    'refs/heads/main': second,
    'refs/heads/side': side,
    'refs/tags/tree': treeTag,
    'refs/x/apart': apart,
  };
  return repoWith(t, refs, [...first.all, ...second.all, ...side.all, ...apart.all, treeTag]);
}

async function fetchLines(repo: TestRepo, words: readonly string[]): Promise<string[]> {
  const { status, body } = await post(repo, commandBody('fetch', words));
  assert.equal(status, 200, `fetch with [${words.join(', ')}] is answered 200.`);
  return linesOf(body);
}

export const gitCommandsFetch: Suite = suite(
  {
    id: 'git/commands/fetch-at-once',
    requirements: ['GIT-094', 'GIT-097'],
    level: 'MUST',
    explanation: 'After done, and without any have, the packfile comes at once and alone.',
    async run(t) {
      const repo = await repoOfFour(t);
      for (const words of [[], ['done'], [`have ${first.oid}`, 'done'], [`have ${unknown}`, 'done']]) {
        const lines = await fetchLines(repo, [`want ${second.oid}`, 'no-progress', ...words]);
        const what = `With [${words.join(', ')}]`;
        same([lines[0], lines.at(-1)], ['packfile', 'flush'], `${what} the reply is the packfile.`);
        assert.ok(!lines.includes('delim'), `${what} there is no other section.`);
      }
      // Stock git sends a pack.
      if (repo.foreign === true || !(await fetchFeatures(repo)).includes('wait-for-done')) return;
      same(
        await fetchLines(repo, [`want ${second.oid}`, 'wait-for-done']),
        ['acknowledgments', 'NAK', 'flush'],
        'With wait-for-done acknowledgments come alone, also without a have.',
      );
    },
  },
  {
    id: 'git/commands/fetch-not-ready',
    requirements: ['GIT-094', 'GIT-095', 'GIT-064'],
    level: 'MUST',
    explanation: 'If not ready, acknowledgments and a flush come alone; only wants that peel to commits count.',
    async run(t) {
      const repo = await repoOfFour(t);
      same(
        await fetchLines(repo, [`want ${second.oid}`, `have ${unknown}`]),
        ['acknowledgments', 'NAK', 'flush'],
        'Nothing is common.',
      );
      const haves = [`have ${unknown}`, `have ${side.oid}`, `have ${second.oid}`];
      const acknowledged = ['acknowledgments', `ACK ${side.oid}`, `ACK ${second.oid}`];
      same(
        await fetchLines(repo, [`want ${second.oid}`, `want ${apart.oid}`, ...haves]),
        [...acknowledged, 'flush'],
        'One of the wants reaches nothing that is common.',
      );
      for (const want of [apart.file, treeTag]) {
        const ready = await fetchLines(repo, [`want ${second.oid}`, `want ${want.oid}`, ...haves]);
        same(
          ready.slice(0, 6),
          [...acknowledged, 'ready', 'delim', 'packfile'],
          `A want that peels to no commit does not count: a ${want.kind}.`,
        );
      }
    },
  },
  {
    id: 'git/commands/fetch-ready',
    requirements: ['GIT-094', 'GIT-095', 'GIT-066'],
    level: 'MUST',
    explanation: 'Ready is told, and after a delimiter the packfile follows, with what is not common.',
    async run(t) {
      const repo = await repoOfFour(t);
      const words = [`want ${second.oid}`, `have ${unknown}`, `have ${first.oid}`, 'no-progress'];
      const { body } = await post(repo, commandBody('fetch', words));
      const lines = linesOf(body);
      same(
        [...lines.slice(0, 5), lines.at(-1)],
        ['acknowledgments', `ACK ${first.oid}`, 'ready', 'delim', 'packfile', 'flush'],
        'The sections come in their order.',
      );
      same(idsOf(readPack(packOf(body)).objects.values()), idsOf(second.all), 'The pack holds what is new.');
    },
  },
  {
    id: 'git/commands/fetch-nothing',
    requirements: ['GIT-096'],
    level: 'MUST',
    explanation: 'Without a want the reply is empty.',
    async run(t) {
      const repo = await repoOfFour(t);
      for (const words of [[], ['done'], [`have ${first.oid}`], ['ofs-delta', 'thin-pack']])
        same(await fetchLines(repo, words), [], `There is no want among [${words.join(', ')}].`);
    },
  },
  {
    id: 'git/commands/fetch-arguments',
    requirements: ['GIT-093'],
    level: 'MUST',
    explanation: 'An argument of fetch may come in any order, and twice.',
    async run(t) {
      const repo = await repoOfFour(t);
      const before = ['done', 'ofs-delta', `want ${side.oid}`, 'done', `have ${first.oid}`];
      const words = [...before, `want ${side.oid}`, 'no-progress', 'thin-pack', 'include-tag'];
      const { body } = await post(repo, commandBody('fetch', words));
      const { objects } = readPack(packOf(body), first.all);
      same(idsOf(objects.values()), idsOf(side.all), 'The pack holds what is new.');
    },
  },
  {
    id: 'git/commands/packfile-multiplexed',
    requirements: ['GIT-101', 'GIT-069', 'GIT-070'],
    level: 'MUST',
    explanation: 'The packfile is multiplexed in packets of at most 65,520 bytes, without progress if asked so.',
    async run(t) {
      // Shuffled numbers do not compress to less than a packet.
      const noise = Array.from({ length: 30_000 }, (_, i) => String((i * 7919 * 7919) % 1_000_003)).join(' ');
      const large = change(noise);
      const repo = await repoWith(t, { 'refs/heads/main': large }, large.all);
      const { body } = await post(repo, commandBody('fetch', [`want ${large.oid}`, 'done', 'no-progress']));
      const [header, ...rest] = readPackets(body);
      assert.equal(header?.toString(), 'packfile\n', 'The section begins with its name.');
      const bands = rest.slice(0, -1).filter((read) => typeof read !== 'string');
      same([...new Set(bands.map((band) => band[0]))], [1], 'All that comes is band 1.');
      assert.ok(bands.length > 1, 'The pack does not fit into one packet.');
      const longest = Math.max(...bands.map((band) => band.length + 4));
      assert.ok(longest <= 65_520, `No packet is longer than 65,520 bytes: ${longest}`);
      same(idsOf(readPack(packOf(body)).objects.values()), idsOf(large.all), 'The pack holds all of it.');
    },
  },
  {
    id: 'git/commands/not-our-ref',
    requirements: ['GIT-060', 'GIT-160'],
    level: 'MUST',
    own: true,
    explanation: 'A want that no ref ever reached is refused by the same words, whether it was ever sent or not.',
    async run(t) {
      const repo = await repoOfFour(t);
      const empty = await t.createRepo();
      const stray = change('stray', first);
      await accepted(repo, [set('refs/heads/beside', first)], pack(...stray.all));
      for (const oid of [unknown, stray.oid, stray.root.oid]) {
        for (const words of [[`want ${oid}`], [`want ${second.oid}`, `want ${oid}`, 'done']])
          same(await fetchLines(repo, words), [`ERR upload-pack: not our ref ${oid}`], 'No ref reaches it.');
      }
      same(
        await fetchLines(empty, [`want ${first.oid}`, 'done']),
        [`ERR upload-pack: not our ref ${first.oid}`],
        'An empty repo has nothing to want.',
      );
    },
  },
  {
    id: 'git/commands/deleted-is-common',
    requirements: ['GIT-064', 'GIT-127', 'LIM-064'],
    level: 'MUST',
    explanation: 'What a deleted ref reached is still common, so that a running negotiation does not break.',
    async run(t) {
      const repo = await repoOfFour(t);
      const old = change('old', first);
      await accepted(repo, [set('refs/heads/old', old)], pack(...old.all));
      await accepted(repo, [remove('refs/heads/old', old)]);
      same(
        await fetchLines(repo, [`want ${apart.oid}`, `have ${old.oid}`]),
        ['acknowledgments', `ACK ${old.oid}`, 'flush'],
        'The commit of the deleted branch is acknowledged.',
      );
    },
  },
);
