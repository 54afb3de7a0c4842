/**
 * GIT-176 of docs/specification/git.md: requests in the forms of Git clients other than stock Git. The clients are
 * programs of other platforms; the suite sends the same requests.
 */

import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { TestRepo } from '../../../core/context.ts';
import { readFetchReply, packIn, type Version } from '../../../tools/fetch-request.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change, noObject, pack } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { delim, flush, linesOf, listedRefs, packet, post, readPackets } from '../../../tools/wire-client.ts';

const first = change('first');
const second = change('second', first);
const third = change('third', second);
const main = 'refs/heads/main';

/** The way in which a client writes its requests. */
interface Style {
  readonly id: string;
  readonly client: string;
  readonly version: Version;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns a request for a pack, with haves and `done`. */
  fetch(want: string, haves: readonly string[]): Buffer;
  /** The text after the first command of a push, with its NUL. */
  readonly pushWords: string;
  /** The end of a line. */
  readonly end: '' | '\n';
}

function oldFetch(words: string, end: '' | '\n' = '\n'): Style['fetch'] {
  return (want, haves) =>
    Buffer.concat([
      packet(`want ${want}${words}${end}`),
      flush,
      ...haves.map((have) => packet(`have ${have}${end}`)),
      packet(`done${end}`),
    ]);
}

function newFetch(agent: string, words: readonly string[], end: '' | '\n'): Style['fetch'] {
  return (want, haves) =>
    Buffer.concat([
      packet(`command=fetch${end}`),
      ...(agent === '' ? [] : [packet(`agent=${agent}${end}`)]),
      delim,
      ...words.map((word) => packet(`${word}${end}`)),
      packet(`want ${want}${end}`),
      ...haves.map((have) => packet(`have ${have}${end}`)),
      packet(`done${end}`),
      flush,
    ]);
}

const styles: readonly Style[] = [
  {
    id: 'libgit2',
    client: 'libgit2',
    version: 0,
    headers: { 'user-agent': 'git/2.0 (libgit2 1.7.1)', accept: 'application/x-git-upload-pack-result' },
    // A space follows each word, including the last one.
    fetch: oldFetch(' multi_ack_detailed side-band-64k include-tag ofs-delta '),
    pushWords: '\0 report-status side-band-64k ',
    end: '',
  },
  {
    id: 'go-git',
    client: 'go-git',
    version: 0,
    headers: { 'user-agent': 'go-git/5.12', accept: '*/*' },
    fetch: oldFetch(' agent=go-git/5.x ofs-delta'),
    pushWords: '\0agent=go-git/5.x report-status',
    end: '',
  },
  {
    id: 'dulwich',
    client: 'dulwich',
    version: 0,
    headers: { 'user-agent': 'git/dulwich/0.22.1', pragma: 'no-cache' },
    fetch: oldFetch(' agent=dulwich/0.22.1 multi_ack_detailed no-progress ofs-delta side-band-64k'),
    pushWords: '\0 agent=dulwich/0.22.1 delete-refs ofs-delta report-status side-band-64k',
    end: '\n',
  },
  {
    id: 'jgit',
    client: 'JGit',
    version: 2,
    headers: { 'user-agent': 'JGit/6.9', accept: 'application/x-git-upload-pack-result, */*' },
    fetch: newFetch('JGit/6.9', ['include-tag', 'ofs-delta'], '\n'),
    pushWords: '\0 report-status delete-refs side-band-64k ofs-delta agent=JGit/6.9',
    end: '',
  },
  {
    id: 'gitoxide',
    client: 'gitoxide',
    version: 2,
    headers: { 'user-agent': 'git/oxide-0.64' },
    fetch: newFetch('git/oxide-0.64', ['ofs-delta', 'include-tag'], ''),
    pushWords: '\0report-status object-format=sha1',
    end: '',
  },
];

/** Returns the pack of a reply, with or without bands. */
function packOfReply({ version, fetch }: Style, body: Buffer): Buffer {
  const inBands = version !== 2 && fetch('', []).includes('side-band-64k');
  if (!inBands) return packIn(readFetchReply(version, body, {}));
  const bands = readPackets(body).filter((read) => typeof read !== 'string' && read[0] === 1) as Buffer[];
  return Buffer.concat(bands.map((band) => band.subarray(1)));
}

async function push(repo: TestRepo, { pushWords, end, headers }: Style): Promise<string[]> {
  const commands = [
    packet(`${second.oid} ${third.oid} ${main}${pushWords}${end}`),
    packet(`${noObject} ${first.oid} refs/tags/v1${end}`),
  ];
  const request = Buffer.concat([...commands, flush, pack(...third.all)]);
  const { status, body } = await post(repo, request, { service: 'git-receive-pack', version: 0, headers });
  assert.equal(status, 200, 'The push is answered.');
  if (!pushWords.includes('side-band-64k')) return linesOf(body);
  const bands = readPackets(body).filter((read) => typeof read !== 'string' && read[0] === 1) as Buffer[];
  return linesOf(Buffer.concat(bands.map((band) => band.subarray(1))));
}

export const gitClientsOthers: Suite = suite(
  ...styles.map((style): Case => ({
    id: `git/clients/written-as-${style.id}`,
    requirements: ['GIT-176'],
    level: 'SHOULD',
    explanation: `Clone, fetch and push work as ${style.client} writes its requests.`,
    async run(t) {
      const repo = await repoWith(t, { [main]: second }, [...first.all, ...second.all]);
      const { version, headers } = style;
      for (const [haves, expected] of [
        [[], [...first.all, ...second.all]],
        [[first.oid], second.all],
        [['1'.repeat(40), first.oid], second.all],
      ] as const) {
        const { status, body } = await post(repo, style.fetch(second.oid, haves), { version, headers });
        assert.equal(status, 200, 'The fetch is answered.');
        const { objects } = readPack(packOfReply(style, body));
        same(idsOf(objects.values()), idsOf(expected), `With ${haves.length} haves the pack holds what is new.`);
      }
      same(
        await push(repo, style),
        ['unpack ok', `ok ${main}`, 'ok refs/tags/v1', 'flush'],
        'The push is taken and reported.',
      );
      const refs = await listedRefs(repo);
      same([refs[main], refs['refs/tags/v1']], [third.oid, first.oid], 'The refs stand.');
    },
  })),
);
