/** GIT-090 to GIT-093 of docs/specification/git.md: the commands of version 2. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { advertised, fetchFeatures } from '../../../tools/advertised.ts';
import { change, tag } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { commandBody, flush, linesOf, packet, post } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const side = change('side', first);
const apart = change('apart');
const annotated = tag('v1', second);

const refs = {
  'refs/heads/main': second,
  'refs/heads/side': side,
  'refs/tags/v1': annotated,
  'refs/x/apart': apart,
};
const listed = Object.entries(refs).map(([name, { oid }]) => `${oid} ${name}`) as [string, string, string, string];

/** A line of `fetch` for each feature that it may have. */
const lineOfFeature = {
  shallow: `shallow ${first.oid}`,
  filter: 'filter blob:none',
  'ref-in-want': 'want-ref refs/heads/main',
  'sideband-all': 'sideband-all',
  'wait-for-done': 'wait-for-done',
  'packfile-uris': 'packfile-uris https',
};

function repoOfFour(t: Context): Promise<TestRepo> {
  return repoWith(t, refs, [...first.all, ...second.all, ...side.all, ...apart.all, annotated]);
}

async function ask(repo: TestRepo, name: string, words: readonly string[] = []): Promise<string[]> {
  const { status, body } = await post(repo, commandBody(name, words));
  assert.equal(status, 200, `The command '${name}' with [${words.join(', ')}] is answered 200.`);
  return linesOf(body);
}

export const gitCommands: Suite = suite(
  {
    id: 'git/commands/unknown',
    requirements: ['GIT-090'],
    level: 'MUST',
    own: true,
    explanation: 'An unknown command, a request without one and one with two are refused with ERR.',
    async run(t) {
      const repo = await repoOfFour(t);
      const known = await advertised(repo, 'git-upload-pack', 2);
      const optional = ['object-info', 'bundle-uri'].filter((name) => !known.some((word) => word.startsWith(name)));
      for (const name of ['object-infos', 'none', '', ...optional])
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
    requirements: ['GIT-090', 'GIT-093', 'GIT-048'],
    level: 'MUST',
    own: true,
    explanation: 'An unknown argument of a command, or one of what is not advertised, is refused as it was sent.',
    async run(t) {
      const repo = await repoOfFour(t);
      const features = await fetchFeatures(repo);
      const unadvertised = Object.entries(lineOfFeature)
        .filter(([feature]) => !features.includes(feature))
        .map(([, line]) => ['fetch', line] as const);
      for (const [name, line] of [
        ['ls-refs', 'none'],
        ['ls-refs', `want ${first.oid}`],
        ['fetch', 'none'],
        ['fetch', 'ref-prefix refs/'],
        ['fetch', `want ${first.oid.slice(1)}`],
        ...unadvertised,
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
      same(
        await ask(repo, 'ls-refs', ['symrefs']),
        [`${second.oid} HEAD symref-target:refs/heads/main`, ...listed, 'flush'],
        'Without peel, no tag tells that.',
      );
      same(
        await ask(repo, 'ls-refs', ['peel']),
        [`${second.oid} HEAD`, main, branch, peeled, other, 'flush'],
        'Without symrefs, HEAD does not tell its branch.',
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
      const [main, branch, v1, other] = listed;
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
        [
          ['refs/heads/', 'refs/heads/s', 'refs/'],
          [main, branch, v1, other],
        ],
        [['refs/none'], []],
        [['heads'], []],
      ] as const) {
        const words = prefixes.map((prefix) => `ref-prefix ${prefix}`);
        same(await ask(repo, 'ls-refs', words), [...expected, 'flush'], `Prefixes: ${prefixes.join(', ')}`);
      }
      const many = Array<string>(65_536).fill('ref-prefix refs/none');
      same(await ask(repo, 'ls-refs', many), [head, ...listed, 'flush'], '65,536 prefixes mean all refs.');
      same(await ask(repo, 'ls-refs', many.slice(1)), ['flush'], 'One less pick what they name.');
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
);
