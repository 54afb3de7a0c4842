/** Section 7 of docs/specification/git.md: receive-pack. */

import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  blob,
  change,
  commit,
  insertingDelta,
  noObject,
  pack,
  packEntry,
  packOfEntries,
  tree,
} from '@packhouse/conformance/tools/made-objects';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';
import {
  flush,
  linesOf,
  listedRefs,
  packet,
  post,
  push,
  pushBody,
  readPackets,
  remove,
  reportOf,
  set,
  type Command,
} from '@packhouse/conformance/tools/wire-client';

const first = change('first');
const ok = (ref: string): string[] => ['unpack ok', `ok ${ref}`];

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('repo');
  expect(await push(repo, [set('refs/heads/main', first)], pack(...first.all))).toEqual(ok('refs/heads/main'));
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/** Sends commands with just these capabilities; the reply as it comes. */
async function send(commands: readonly Command[], capabilities: string, bytes: Uint8Array = pack()): Promise<Buffer> {
  const { status, body } = await post(repo, pushBody(commands, bytes, capabilities), {
    service: 'git-receive-pack',
    version: 0,
  });
  expect(status).toBe(200);
  return body;
}

async function valueOf(ref: string): Promise<string | undefined> {
  return (await listedRefs(repo))[ref];
}

describe('requests', () => {
  it('GIT-110: without commands the reply is empty', async () => {
    for (const body of [flush, Buffer.concat([packet(`shallow ${first.oid}\n`), flush])]) {
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      expect([reply.status, reply.body.length]).toEqual([200, 0]);
    }
  });

  it('GIT-110: shallow lines may come before the commands', async () => {
    const body = Buffer.concat([
      packet(`shallow ${first.oid}\n`),
      pushBody([set('refs/heads/shallow', first)], pack()),
    ]);
    const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
    expect(reportOf(reply.body)).toEqual(ok('refs/heads/shallow'));
    expect(await valueOf('refs/heads/shallow')).toBe(first.oid);
  });

  it('GIT-110: what is no command is malformed', async () => {
    for (const line of [
      'x',
      `${first.oid} ${first.oid}`,
      `${first.oid} refs/heads/x`,
      `${noObject.slice(1)} ${first.oid} refs/heads/x`,
      `${noObject}  ${first.oid} refs/heads/x`,
    ]) {
      const body = Buffer.concat([packet(`${line}\0report-status`), flush, pack()]);
      const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
      expect([line, reply.status, reply.body.toString()]).toEqual([
        line,
        400,
        expect.stringMatching(/^Malformed request: \S/),
      ]);
    }
  });

  it('GIT-111: an empty pack will do where nothing new is needed; none at all will not', async () => {
    const command = set('refs/heads/empty-pack', first);
    expect(await push(repo, [command], Buffer.alloc(0))).toEqual([
      'unpack missing pack',
      'ng refs/heads/empty-pack unpacker error',
    ]);
    expect(await valueOf('refs/heads/empty-pack')).toBeUndefined();
    expect(await push(repo, [command], pack())).toEqual(ok('refs/heads/empty-pack'));
    const mixed = [remove('refs/heads/empty-pack', first), set('refs/heads/other', first)];
    expect(await push(repo, mixed, Buffer.alloc(0))).toEqual([
      'unpack missing pack',
      'ng refs/heads/empty-pack unpacker error',
      'ng refs/heads/other unpacker error',
    ]);
    expect(await valueOf('refs/heads/empty-pack')).toBe(first.oid);
  });

  it('GIT-111, GIT-127: deletes need no pack, and bytes that come all the same are ignored', async () => {
    for (const bytes of [Buffer.alloc(0), pack(), Buffer.from('PACK and nothing else'), Buffer.alloc(200_000, 1)]) {
      await push(repo, [set('refs/heads/doomed', first)], pack());
      expect(await valueOf('refs/heads/doomed')).toBe(first.oid);
      expect(await push(repo, [remove('refs/heads/doomed', first)], bytes)).toEqual(ok('refs/heads/doomed'));
      expect(await valueOf('refs/heads/doomed')).toBeUndefined();
    }
  });
});

describe('the report', () => {
  it('GIT-112: has the commands in their order, each with its outcome', async () => {
    const second = change('second', first);
    const commands = [
      set('refs/heads/z', first),
      set('refs/heads/main', second, second),
      set('HEAD', first),
      set('refs/heads/a', second),
    ];
    expect(await push(repo, commands, pack(...second.all))).toEqual([
      'unpack ok',
      'ok refs/heads/z',
      'ng refs/heads/main stale ref',
      'ng HEAD funny refname',
      'ok refs/heads/a',
    ]);
  });

  it('GIT-112: comes as it is without side-band, and ends with a flush', async () => {
    for (const form of ['report-status', 'report-status-v2', 'report-status report-status-v2']) {
      const ref = `refs/heads/plain-${form.replaceAll(' ', '-')}`;
      expect(linesOf(await send([set(ref, first)], form))).toEqual([...ok(ref), 'flush']);
    }
    expect(linesOf(await send([set('refs/heads/x..y', first)], 'report-status'))).toEqual([
      'unpack ok',
      'ng refs/heads/x..y funny refname',
      'flush',
    ]);
  });

  it('GIT-112: if none was asked for, updates are applied and nothing is told', async () => {
    expect(await send([set('refs/heads/untold', first)], 'ofs-delta')).toHaveLength(0);
    expect(await valueOf('refs/heads/untold')).toBe(first.oid);
    expect(
      linesOf(await send([remove('refs/heads/untold', first)], 'side-band-64k')).filter((line) => line !== '1:'),
    ).toEqual(['flush']);
    expect(await valueOf('refs/heads/untold')).toBeUndefined();
  });

  it('GIT-113: travels in band 1 with a flush of its own, and a flush ends the reply', async () => {
    const packets = readPackets(await send([set('refs/heads/banded', first)], 'report-status side-band-64k'));
    expect(packets.at(-1)).toBe('flush');
    const bands = packets.slice(0, -1) as Buffer[];
    expect(new Set(bands.map((band) => band[0]))).toEqual(new Set([1]));
    const inner = Buffer.concat(bands.map((band) => band.subarray(1)));
    expect(linesOf(inner)).toEqual([...ok('refs/heads/banded'), 'flush']);
  });

  it('GIT-113: one that is larger than a packet is cut into several', async () => {
    const commands = Array.from({ length: 600 }, (_, i) => set(`refs/heads/${'long'.repeat(50)}/${i}`, first));
    const packets = readPackets(await send(commands, 'report-status side-band-64k'));
    expect(packets.filter((read) => typeof read !== 'string' && read.length > 1).length).toBeGreaterThan(1);
    const inner = packets.flatMap((read) => (typeof read === 'string' ? [] : [read.subarray(1)]));
    expect(linesOf(Buffer.concat(inner))).toEqual(['unpack ok', ...commands.map(({ ref }) => `ok ${ref}`), 'flush']);
    expect(
      await push(
        repo,
        commands.map(({ ref }) => remove(ref as string, first)),
      ),
    ).toHaveLength(601);
  });

  it('GIT-115: version 2 of it has no option lines, since what was asked for is what was done', async () => {
    const words = 'side-band-64k object-format=sha1';
    const one = reportOf(await send([set('refs/heads/v2', first)], `report-status ${words}`));
    await push(repo, [remove('refs/heads/v2', first)]);
    expect(reportOf(await send([set('refs/heads/v2', first)], `report-status-v2 ${words}`))).toEqual(one);
    expect(one).toEqual(ok('refs/heads/v2'));
  });

  it('GIT-114: when unpacking fails every command is refused, and no ref changes', async () => {
    const broken = Buffer.from(pack(...change('broken', first).all));
    broken.writeUInt8((broken.at(-1) as number) ^ 1, broken.length - 1);
    const commands = [
      set('refs/heads/b1', first),
      remove('refs/heads/main', first),
      set('refs/heads/b2', change('broken', first)),
    ];
    expect(await push(repo, commands, broken)).toEqual([
      'unpack pack checksum mismatch',
      ...commands.map(({ ref }) => `ng ${ref} unpacker error`),
    ]);
    const refs = await listedRefs(repo);
    expect([refs['refs/heads/main'], refs['refs/heads/b1'], refs['refs/heads/b2']]).toEqual([
      first.oid,
      undefined,
      undefined,
    ]);
    // The pack was not kept either.
    expect(await push(repo, [set('refs/heads/b2', change('broken', first))], pack())).toEqual([
      'unpack ok',
      'ng refs/heads/b2 missing necessary objects',
    ]);
  });

  it('GIT-116: quiet stops band 2, which otherwise says why a pack was refused', async () => {
    const bad = Buffer.from('no pack');
    const bandsOf = async (words: string): Promise<number[]> => {
      const packets = readPackets(
        await send([set('refs/heads/loud', first)], `report-status side-band-64k ${words}`, bad),
      );
      return [...new Set(packets.flatMap((read) => (typeof read === 'string' ? [] : [read[0] as number])))].sort();
    };
    expect(await bandsOf('')).toEqual([1, 2]);
    expect(await bandsOf('quiet')).toEqual([1]);
    const told = (await send([set('refs/heads/loud', first)], 'report-status side-band-64k', bad)).toString('latin1');
    expect(told).toContain('The push was refused: ');
    expect(told).not.toContain(repo.token.split('?')[0]);
    expect(told).not.toContain(server.data);
    expect(told).not.toContain(execPath);
  });
});

describe('push options', () => {
  const body = (options: readonly string[], capability = 'push-options'): Buffer =>
    Buffer.concat([
      pushBody([set('refs/heads/options', first)], Buffer.alloc(0), `report-status side-band-64k ${capability}`),
      ...(capability === '' ? [] : [...options.map((option) => packet(option)), flush]),
      pack(),
    ]);
  const attempt = async (options: readonly string[], capability?: string): Promise<string[]> => {
    const report = reportOf(
      (await post(repo, body(options, capability), { service: 'git-receive-pack', version: 0 })).body,
    );
    if (report[1]?.startsWith('ok')) await push(repo, [remove('refs/heads/options', first)]);
    return report;
  };

  it('GIT-117: none is refused, none has a meaning, also none at all', async () => {
    for (const options of [
      [],
      ['ci.skip'],
      ['', 'a=b\n', 'ünïcode', '\0\x01'],
      Array.from({ length: 64 }, () => 'x'.repeat(1024)),
    ]) {
      expect(await attempt(options)).toEqual(ok('refs/heads/options'));
    }
    expect(await attempt([], '')).toEqual(ok('refs/heads/options'));
  });

  it('LIM-058: more than 64, or one of more than 1,024 bytes, are too many', async () => {
    for (const options of [Array.from({ length: 65 }, () => 'x'), ['x'.repeat(1025)]]) {
      expect(await attempt(options)).toEqual([
        'unpack too many push options',
        'ng refs/heads/options too many push options',
      ]);
    }
    expect(await valueOf('refs/heads/options')).toBeUndefined();
  });
});

describe('GIT-118: deltas', () => {
  const base = blob('the base, which the server has\n');
  const big = Buffer.alloc(3000, 'some text that is changed a little from one version to the next; ');
  const versions = Array.from({ length: 30 }, (_, i) => blob(Buffer.concat([big, Buffer.from(`version ${i}`)])));
  const root = tree(
    Object.fromEntries([['base', base], ...versions.map((version, i) => [`v${String(i).padStart(2, '0')}`, version])]),
  );
  const node = commit('versions', root, [first]);

  /** A delta from one version to another: copies what is the same, inserts the rest. */
  const between = (from: Buffer, to: Buffer): Buffer => {
    const size = (value: number): number[] => (value < 128 ? [value] : [(value % 128) | 0x80, Math.floor(value / 128)]);
    const tail = to.subarray(big.length);
    return Buffer.from([
      ...size(from.length),
      ...size(to.length),
      0x80 | 0x10 | 0x20,
      big.length & 0xff,
      big.length >> 8,
      tail.length,
      ...tail,
    ]);
  };
  const reference = (to: { body: Buffer }, from: { body: Buffer; oid: string }): Buffer => {
    const delta = between(from.body, to.body);
    return packEntry(7, delta, Buffer.from(from.oid, 'hex'));
  };
  const whole = [packEntry(2, root.body), packEntry(1, node.body)];

  beforeAll(async () => {
    const holder = tree({ base });
    const old = commit('old', holder);
    expect(await push(repo, [set('refs/heads/holder', old)], pack(old, holder, base))).toEqual(ok('refs/heads/holder'));
  });

  const accepted = async (name: string, entries: readonly Buffer[]): Promise<void> => {
    const ref = `refs/heads/${name}`;
    expect(await push(repo, [set(ref, node)], packOfEntries(entries))).toEqual(ok(ref));
    expect(await valueOf(ref)).toBe(node.oid);
  };

  it('by reference, chains of them, their bases in any order', async () => {
    const chain = versions
      .slice(1)
      .map((version, i) => reference(version, versions[i] as { body: Buffer; oid: string }));
    const start = packEntry(3, (versions[0] as { body: Buffer }).body);
    await accepted('forward', [start, ...chain, ...whole]);
    const other = await server.createRepo('backward');
    const backward = packOfEntries([...whole, packEntry(3, base.body), ...[...chain].reverse(), start]);
    expect(await push(other, [set('refs/heads/main', node)], backward)).toEqual([
      'unpack ok',
      'ng refs/heads/main missing necessary objects',
    ]);
    const report = await push(
      other,
      [set('refs/heads/main', node)],
      packOfEntries([
        ...whole,
        packEntry(3, base.body),
        ...[...chain].reverse(),
        start,
        ...first.all.map(({ kind, body }) => packEntry({ commit: 1, tree: 2, blob: 3, tag: 4 }[kind], body)),
      ]),
    );
    expect(report).toEqual(ok('refs/heads/main'));
  });

  it('thin: the base is only in the repo', async () => {
    const thin = await server.createRepo('thin');
    const start = versions[0] as (typeof versions)[0];
    const held = tree({ start });
    const old = commit('start', held);
    await push(thin, [set('refs/heads/old', old)], pack(old, held, start));
    const next = versions[1] as (typeof versions)[0];
    const changed = tree({ start: next });
    const newer = commit('changed', changed, [old]);
    const entries = [reference(next, start), packEntry(2, changed.body), packEntry(1, newer.body)];
    expect(await push(thin, [set('refs/heads/new', newer)], packOfEntries(entries))).toEqual(ok('refs/heads/new'));
    // A repo that lacks the base refuses the same pack by the base's id.
    const lacking = await server.createRepo('lacking');
    expect(await push(lacking, [set('refs/heads/new', newer)], packOfEntries(entries))).toEqual([
      `unpack missing base ${start.oid}`,
      'ng refs/heads/new unpacker error',
    ]);
  });

  it('by offset', async () => {
    const offset = await server.createRepo('offset');
    const [one, two] = versions as [(typeof versions)[0], (typeof versions)[0]];
    const trunk = tree({ one, two });
    const top = commit('offsets', trunk);
    const start = packEntry(3, one.body);
    expect(start.length).toBeLessThan(128);
    const entries = [
      start,
      packEntry(6, between(one.body, two.body), Buffer.of(start.length)),
      packEntry(2, trunk.body),
      packEntry(1, top.body),
    ];
    expect(await push(offset, [set('refs/heads/main', top)], packOfEntries(entries))).toEqual(ok('refs/heads/main'));
    const outside = packOfEntries([
      packEntry(6, insertingDelta(one.body.length, two.body), Buffer.of(99)),
      ...entries.slice(2),
    ]);
    expect((await push(offset, [set('refs/heads/x', top)], outside))[0]).toMatch(/^unpack corrupt delta at offset 12$/);
  });
});
