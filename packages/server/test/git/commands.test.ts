/** Section 6 of docs/specification/git.md: the commands of version 2. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { change, pack, tag } from '@packhouse/conformance/tools/made-objects';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  commandBody,
  flush,
  linesOf,
  packet,
  packOf,
  post,
  push,
  readPackets,
  remove,
  set,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const second = change('second', first);
const side = change('side', first);
const apart = change('apart');
const annotated = tag('v1', second);
const unknown = '1'.repeat(40);

let server: TestServer;
let repo: TestRepo;
let empty: TestRepo;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  repo = await server.createRepo('repo');
  empty = await server.createRepo('empty', { default_branch: 'trunk' });
  const report = await push(
    repo,
    [
      set('refs/heads/main', second),
      set('refs/heads/side', side),
      set('refs/tags/v1', annotated),
      set('refs/x/apart', apart),
    ],
    pack(...first.all, ...second.all, ...side.all, ...apart.all, annotated),
  );
  expect(report[0]).toBe('unpack ok');
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

async function ask(
  one: TestRepo,
  name: string,
  words: readonly string[] = [],
  capabilities: readonly string[] = [],
): Promise<string[]> {
  const { status, body } = await post(one, commandBody(name, words, capabilities));
  expect(status).toBe(200);
  return linesOf(body);
}

/** Ids of what a pack holds, which stands alone. */
async function objectsOf(pack: Buffer): Promise<string[]> {
  removeFolder(folder);
  await git(['init', '--quiet', '--bare', folder]);
  await git(['index-pack', '--stdin'], { cwd: folder, input: pack });
  return (await git(['cat-file', '--batch-all-objects', '--batch-check=%(objectname)'], { cwd: folder }))
    .trim()
    .split('\n');
}

function ids(...objects: readonly { readonly oid: string }[]): string[] {
  return objects.map(({ oid }) => oid).sort();
}

describe('requests', () => {
  it('GIT-090: an unknown command, a request without one, and one with two are refused', async () => {
    for (const name of ['object-infos', 'bundle-uri', 'object-info', '']) {
      expect(await ask(repo, name)).toEqual([`ERR unknown command '${name}'`]);
    }
    for (const body of [
      Buffer.concat([packet('agent=x\n'), flush]),
      Buffer.concat([packet('command=ls-refs\n'), packet('command=fetch\n'), flush]),
    ]) {
      const { status, body: reply } = await post(repo, body);
      expect([status, linesOf(reply)]).toEqual([200, [expect.stringMatching(/^ERR \S/)]]);
    }
  });

  it('GIT-090, GIT-048: an unknown argument, and one of what is not advertised, is refused as it was sent', async () => {
    for (const [name, line] of [
      ['ls-refs', 'none'],
      ['ls-refs', `want ${first.oid}`],
      ['fetch', 'none'],
      ['fetch', 'ref-prefix refs/'],
      ['fetch', `want ${first.oid.slice(1)}`],
      ['fetch', 'packfile-uris https'],
    ] as const) {
      expect(await ask(repo, name, [line])).toEqual([`ERR unexpected line: '${line}'`]);
    }
  });

  it('GIT-090: a lone flush is answered with nothing; a command needs neither delimiter nor LF', async () => {
    const { status, body } = await post(repo, flush);
    expect([status, body.length]).toEqual([200, 0]);
    const bare = await post(repo, Buffer.concat([packet('command=ls-refs'), flush]));
    expect(linesOf(bare.body)).toEqual(await ask(repo, 'ls-refs'));
  });
});

describe('ls-refs', () => {
  const refs = [
    `${second.oid} refs/heads/main`,
    `${side.oid} refs/heads/side`,
    `${annotated.oid} refs/tags/v1`,
    `${apart.oid} refs/x/apart`,
  ];

  it('GIT-091: HEAD first, then the refs, with what was asked for', async () => {
    expect(await ask(repo, 'ls-refs')).toEqual([`${second.oid} HEAD`, ...refs, 'flush']);
    expect(await ask(repo, 'ls-refs', ['symrefs', 'peel', 'unborn'])).toEqual([
      `${second.oid} HEAD symref-target:refs/heads/main`,
      ...refs.slice(0, 2),
      `${annotated.oid} refs/tags/v1 peeled:${second.oid}`,
      refs[3],
      'flush',
    ]);
  });

  it('GIT-091: prefixes pick what is listed, HEAD included', async () => {
    const [main, branch, v1] = refs as [string, string, string, string];
    for (const [prefixes, expected] of [
      [['refs/heads/'], [main, branch]],
      [
        ['refs/heads/s', 'refs/tags/'],
        [branch, v1],
      ],
      [['HEAD'], [`${second.oid} HEAD`]],
      [
        ['H', 'refs/heads/main'],
        [`${second.oid} HEAD`, main],
      ],
      [['refs/heads/main', 'refs/heads/main'], [main]],
      [['refs/none'], []],
      [['heads'], []],
    ] as const) {
      const words = prefixes.map((prefix) => `ref-prefix ${prefix}`);
      expect([prefixes, await ask(repo, 'ls-refs', words)]).toEqual([prefixes, [...expected, 'flush']]);
    }
  });

  it('GIT-092: an unborn HEAD is told only where both arguments ask for it and the prefixes admit it', async () => {
    const told = ['unborn HEAD symref-target:refs/heads/trunk', 'flush'];
    expect(await ask(empty, 'ls-refs', ['symrefs', 'unborn'])).toEqual(told);
    expect(await ask(empty, 'ls-refs', ['symrefs', 'unborn', 'ref-prefix HEAD'])).toEqual(told);
    for (const words of [[], ['symrefs'], ['unborn'], ['symrefs', 'unborn', 'ref-prefix refs/']]) {
      expect(await ask(empty, 'ls-refs', words)).toEqual(['flush']);
    }
  });
});

describe('fetch', () => {
  it('GIT-094: after done, and without any have, the packfile comes at once', async () => {
    const direct = await ask(repo, 'fetch', [`want ${second.oid}`, 'no-progress']);
    expect(direct[0]).toBe('packfile');
    for (const words of [['done'], [`have ${first.oid}`, 'done'], [`have ${unknown}`, 'done']]) {
      expect((await ask(repo, 'fetch', [`want ${second.oid}`, ...words]))[0]).toBe('packfile');
    }
    expect(direct.at(-1)).toBe('flush');
    expect(direct).not.toContain('delim');
  });

  it('GIT-094, GIT-095: if not ready, acknowledgments and flush alone', async () => {
    expect(await ask(repo, 'fetch', [`want ${second.oid}`, `have ${unknown}`])).toEqual([
      'acknowledgments',
      'NAK',
      'flush',
    ]);
    // What is common does not help: one of the wants reaches none of it.
    const haves = [`have ${unknown}`, `have ${side.oid}`, `have ${second.oid}`];
    const acknowledged = ['acknowledgments', `ACK ${side.oid}`, `ACK ${second.oid}`];
    expect(await ask(repo, 'fetch', [`want ${second.oid}`, `want ${apart.oid}`, ...haves])).toEqual([
      ...acknowledged,
      'flush',
    ]);
    // Wants that are no commits do not count.
    const ready = await ask(repo, 'fetch', [`want ${second.oid}`, `want ${apart.file.oid}`, ...haves]);
    expect(ready.slice(0, 6)).toEqual([...acknowledged, 'ready', 'delim', 'packfile']);
  });

  it('GIT-094, GIT-095: ready is told, and the packfile follows after a delimiter', async () => {
    const { body } = await post(
      repo,
      commandBody('fetch', [`want ${second.oid}`, `have ${unknown}`, `have ${first.oid}`, 'no-progress']),
    );
    const lines = linesOf(body);
    expect(lines.slice(0, 5)).toEqual(['acknowledgments', `ACK ${first.oid}`, 'ready', 'delim', 'packfile']);
    expect(lines.at(-1)).toBe('flush');
    expect(await objectsOf(packOf(body))).toEqual(ids(...second.all));
  });

  it('GIT-096: without a want the reply is empty', async () => {
    for (const words of [[], ['done'], [`have ${first.oid}`], ['ofs-delta', 'thin-pack']]) {
      const { status, body } = await post(repo, commandBody('fetch', words));
      expect([words, status, body.length]).toEqual([words, 200, 0]);
    }
  });

  it('GIT-093: an argument may come in any order, and twice', async () => {
    const words = [
      'done',
      'ofs-delta',
      `want ${side.oid}`,
      'done',
      `have ${first.oid}`,
      `want ${side.oid}`,
      'no-progress',
      'thin-pack',
    ];
    const { body } = await post(repo, commandBody('fetch', words));
    expect(await objectsOf(packOf(body))).toEqual(ids(...side.all));
  });

  it('GIT-101, GIT-069: the packfile is multiplexed, in packets of at most 65,520 bytes', async () => {
    const big = await server.createRepo('big');
    const large = change(Array.from({ length: 30_000 }, (_, i) => String((i * 7919 * 7919) % 1_000_003)).join(' '));
    await push(big, [set('refs/heads/main', large)], pack(...large.all));
    const { body } = await post(big, commandBody('fetch', [`want ${large.oid}`, 'done', 'no-progress']));
    const [header, ...rest] = readPackets(body);
    expect(header?.toString()).toBe('packfile\n');
    const bands = rest.slice(0, -1) as Buffer[];
    expect(new Set(bands.map((band) => band[0]))).toEqual(new Set([1]));
    expect(Math.max(...bands.map((band) => band.length + 4))).toBe(65_520);
    expect(await objectsOf(packOf(body))).toEqual(ids(...large.all));
  });

  it('GIT-060: a want that no visible ref reaches is refused, by the same words whether it is stored or not', async () => {
    await push(repo, [set('refs/heads/gone', change('gone', first))], pack(...change('gone', first).all));
    await push(repo, [remove('refs/heads/gone', change('gone', first))]);
    for (const oid of [unknown, change('gone', first).oid, change('gone', first).root.oid]) {
      for (const words of [[`want ${oid}`], [`want ${second.oid}`, `want ${oid}`, 'done']]) {
        expect(await ask(repo, 'fetch', words)).toEqual([`ERR upload-pack: not our ref ${oid}`]);
      }
    }
  });

  it('GIT-064: what no ref reaches any more is still common', async () => {
    const old = change('old', first);
    await push(repo, [set('refs/heads/old', old)], pack(...old.all));
    await push(repo, [remove('refs/heads/old', old)]);
    expect(await ask(repo, 'fetch', [`want ${apart.oid}`, `have ${old.oid}`])).toEqual([
      'acknowledgments',
      `ACK ${old.oid}`,
      'flush',
    ]);
  });

  it('GIT-156: what was listed can be fetched, and the want of an empty repo cannot', async () => {
    expect(await ask(empty, 'fetch', [`want ${first.oid}`, 'done'])).toEqual([
      `ERR upload-pack: not our ref ${first.oid}`,
    ]);
  });
});
