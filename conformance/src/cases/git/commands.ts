/** GIT-090 to GIT-096 and GIT-101 of docs/specification/git.md: the commands of version 2. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { change, pack, tag, type MadeObject } from '../../tools/made-objects.ts';
import { readPack } from '../../tools/pack-contents.ts';
import { accepted, repoWith } from '../../tools/repo-with.ts';
import { same } from '../../tools/same.ts';
import {
  commandBody,
  flush,
  linesOf,
  packet,
  packOf,
  post,
  readPackets,
  remove,
  set,
} from '../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const side = change('side', first);
const apart = change('apart');
const annotated = tag('v1', second);
const unknown = '1'.repeat(40);

const refs = {
  'refs/heads/main': second,
  'refs/heads/side': side,
  'refs/tags/v1': annotated,
  'refs/x/apart': apart,
};
const listed = Object.entries(refs).map(([name, { oid }]) => `${oid} ${name}`) as [string, string, string, string];

function repoOfFour(t: Context): Promise<TestRepo> {
  return repoWith(t, refs, [...first.all, ...second.all, ...side.all, ...apart.all, annotated]);
}

async function ask(repo: TestRepo, name: string, words: readonly string[] = []): Promise<string[]> {
  const { status, body } = await post(repo, commandBody(name, words));
  assert.equal(status, 200, `The command '${name}' with [${words.join(', ')}] is answered 200.`);
  return linesOf(body);
}

function ids(objects: Iterable<Pick<MadeObject, 'oid'>>): string[] {
  return [...objects].map(({ oid }) => oid).sort();
}

export const gitCommands: Suite = suite(
  {
    id: 'git/commands/unknown',
    requirements: ['GIT-090'],
    level: 'MUST',
    explanation: 'An unknown command, a request without one and one with two are refused with ERR.',
    async run(t) {
      const repo = await repoOfFour(t);
      for (const name of ['object-infos', 'none', ''])
        same(await ask(repo, name), [`ERR unknown command '${name}'`], 'The command is told as it was sent.');
      for (const lines of [['agent=x\n'], ['command=ls-refs\n', 'command=fetch\n']]) {
        const { status, body } = await post(repo, Buffer.concat([...lines.map((line) => packet(line)), flush]));
        assert.equal(status, 200, 'The refusal is told inside the protocol.');
        assert.match(linesOf(body).join('\n'), /^ERR \S[^\n]*$/, 'It is one ERR packet.');
      }
    },
  },
  {
    id: 'git/commands/unknown-arguments',
    requirements: ['GIT-090', 'GIT-093'],
    level: 'MUST',
    explanation: 'An unknown argument of a command is refused as it was sent.',
    async run(t) {
      const repo = await repoOfFour(t);
      for (const [name, line] of [
        ['ls-refs', 'none'],
        ['ls-refs', `want ${first.oid}`],
        ['fetch', 'none'],
        ['fetch', 'ref-prefix refs/'],
        ['fetch', `want ${first.oid.slice(1)}`],
      ] as const) {
        same(await ask(repo, name, [line]), [`ERR unexpected line: '${line}'`], `${name} does not take this line.`);
      }
    },
  },
  {
    id: 'git/commands/least-requests',
    requirements: ['GIT-090'],
    level: 'MUST',
    explanation: 'A lone flush is answered with nothing; a command needs neither a delimiter nor an LF.',
    async run(t) {
      const repo = await repoOfFour(t);
      const { status, body } = await post(repo, flush);
      same([status, body.length], [200, 0], 'A lone flush is answered with nothing.');
      const bare = await post(repo, Buffer.concat([packet('command=ls-refs'), flush]));
      same(linesOf(bare.body), [`${second.oid} HEAD`, ...listed, 'flush'], 'A bare command lists everything.');
    },
  },
  {
    id: 'git/commands/ls-refs',
    requirements: ['GIT-091'],
    level: 'MUST',
    explanation: 'ls-refs lists HEAD, then the refs, with what peel and symrefs ask for.',
    async run(t) {
      const repo = await repoOfFour(t);
      const [main, branch, v1, other] = listed;
      same(await ask(repo, 'ls-refs'), [`${second.oid} HEAD`, ...listed, 'flush'], 'All refs are listed.');
      const peeled = `${v1} peeled:${second.oid}`;
      same(
        await ask(repo, 'ls-refs', ['symrefs', 'peel', 'unborn']),
        [`${second.oid} HEAD symref-target:refs/heads/main`, main, branch, peeled, other, 'flush'],
        'HEAD tells its branch, and a tag object what it peels to.',
      );
    },
  },
  {
    id: 'git/commands/ref-prefixes',
    requirements: ['GIT-091'],
    level: 'MUST',
    explanation: 'The prefixes of ls-refs pick what is listed, HEAD included.',
    async run(t) {
      const repo = await repoOfFour(t);
      const [main, branch, v1] = listed;
      const head = `${second.oid} HEAD`;
      for (const [prefixes, expected] of [
        [['refs/heads/'], [main, branch]],
        [
          ['refs/heads/s', 'refs/tags/'],
          [branch, v1],
        ],
        [['HEAD'], [head]],
        [
          ['H', 'refs/heads/main'],
          [head, main],
        ],
        [['refs/heads/main', 'refs/heads/main'], [main]],
        [['refs/none'], []],
        [['heads'], []],
      ] as const) {
        const words = prefixes.map((prefix) => `ref-prefix ${prefix}`);
        same(await ask(repo, 'ls-refs', words), [...expected, 'flush'], `Prefixes: ${prefixes.join(', ')}`);
      }
    },
  },
  {
    id: 'git/commands/unborn',
    requirements: ['GIT-092', 'GIT-160'],
    level: 'MUST',
    explanation: 'An unborn HEAD is told where both arguments ask for it and the prefixes admit it, else not.',
    async run(t) {
      const repo = await t.createRepo({ body: { default_branch: 'trunk' } });
      const told = ['unborn HEAD symref-target:refs/heads/trunk', 'flush'];
      for (const words of [
        ['symrefs', 'unborn'],
        ['symrefs', 'unborn', 'ref-prefix HEAD'],
      ])
        same(await ask(repo, 'ls-refs', words), told, `It is told with [${words.join(', ')}].`);
      for (const words of [[], ['symrefs'], ['unborn'], ['symrefs', 'unborn', 'ref-prefix refs/']])
        same(await ask(repo, 'ls-refs', words), ['flush'], `It is left out with [${words.join(', ')}].`);
    },
  },
  {
    id: 'git/commands/fetch-at-once',
    requirements: ['GIT-094'],
    level: 'MUST',
    explanation: 'After done, and without any have, the packfile comes at once and alone.',
    async run(t) {
      const repo = await repoOfFour(t);
      for (const words of [[], ['done'], [`have ${first.oid}`, 'done'], [`have ${unknown}`, 'done']]) {
        const lines = await ask(repo, 'fetch', [`want ${second.oid}`, 'no-progress', ...words]);
        const what = `With [${words.join(', ')}]`;
        same([lines[0], lines.at(-1)], ['packfile', 'flush'], `${what} the reply is the packfile.`);
        assert.ok(!lines.includes('delim'), `${what} there is no other section.`);
      }
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
        await ask(repo, 'fetch', [`want ${second.oid}`, `have ${unknown}`]),
        ['acknowledgments', 'NAK', 'flush'],
        'Nothing is common.',
      );
      const haves = [`have ${unknown}`, `have ${side.oid}`, `have ${second.oid}`];
      const acknowledged = ['acknowledgments', `ACK ${side.oid}`, `ACK ${second.oid}`];
      same(
        await ask(repo, 'fetch', [`want ${second.oid}`, `want ${apart.oid}`, ...haves]),
        [...acknowledged, 'flush'],
        'One of the wants reaches nothing that is common.',
      );
      const ready = await ask(repo, 'fetch', [`want ${second.oid}`, `want ${apart.file.oid}`, ...haves]);
      same(
        ready.slice(0, 6),
        [...acknowledged, 'ready', 'delim', 'packfile'],
        'A want that is no commit does not count.',
      );
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
      same(ids(readPack(packOf(body)).objects.values()), ids(second.all), 'The pack holds what is new.');
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
        same(await ask(repo, 'fetch', words), [], `There is no want among [${words.join(', ')}].`);
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
      same(ids(objects.values()), ids(side.all), 'The pack holds what is new.');
    },
  },
  {
    id: 'git/commands/packfile-multiplexed',
    requirements: ['GIT-101', 'GIT-069', 'GIT-070'],
    level: 'MUST',
    explanation: 'The packfile is multiplexed in packets of at most 65,520 bytes, without progress if asked so.',
    async run(t) {
      // Numbers in disorder do not compress to less than a packet.
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
      same(ids(readPack(packOf(body)).objects.values()), ids(large.all), 'The pack holds all of it.');
    },
  },
  {
    id: 'git/commands/not-our-ref',
    requirements: ['GIT-060', 'GIT-160'],
    level: 'MUST',
    explanation: 'A want that no ref ever reached is refused by the same words, whether it was ever sent or not.',
    async run(t) {
      const repo = await repoOfFour(t);
      const empty = await t.createRepo();
      const stray = change('stray', first);
      await accepted(repo, [set('refs/heads/beside', first)], pack(...stray.all));
      for (const oid of [unknown, stray.oid, stray.root.oid]) {
        for (const words of [[`want ${oid}`], [`want ${second.oid}`, `want ${oid}`, 'done']])
          same(await ask(repo, 'fetch', words), [`ERR upload-pack: not our ref ${oid}`], 'No ref reaches it.');
      }
      same(
        await ask(empty, 'fetch', [`want ${first.oid}`, 'done']),
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
        await ask(repo, 'fetch', [`want ${apart.oid}`, `have ${old.oid}`]),
        ['acknowledgments', `ACK ${old.oid}`, 'flush'],
        'The commit of the deleted branch is acknowledged.',
      );
    },
  },
);
