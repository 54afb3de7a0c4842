import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, it as property } from '@fast-check/vitest';
import { exchangeBody, makeSampleRepositories, readRecordings, runGit, runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectIdAt } from '../object/object-id.ts';
import { parseCommandRequest } from '../wire/fetch/command-request.ts';
import type { Feature } from '../wire/features.ts';
import { packetsOf, readerOf, wireText } from '../wire/packets.test.util.ts';
import { parseUploadRequest } from '../wire/fetch/upload-request.ts';
import { Scheduler } from '../work/scheduler.ts';
import { negotiateFetch, negotiateUpload, type CommonHistory, type Negotiation } from './acknowledgments.ts';

const every = new Set<Feature>(['shallow', 'filter', 'ref-in-want', 'sideband-all', 'wait-for-done']);
const work = new Scheduler().begin();
const folder = mkdtempSync(join(tmpdir(), 'negotiation-'));
const path = join(folder, 'merges.git');
/** Commits newest first, with their parents. */
let parents: ReadonlyMap<string, readonly string[]>;
let dates: ReadonlyMap<string, number>;
let tips: readonly string[];

beforeAll(() => {
  makeSampleRepositories(folder);
  const lines = runGit(['rev-list', '--all', '--parents', '--date-order'], { cwd: path }).toString().trim().split('\n');
  parents = new Map(lines.map((line) => [line.slice(0, 40), line.split(' ').slice(1)]));
  const dated = runGit(['log', '--all', '--format=%H %ct'], { cwd: path }).toString().trim().split('\n');
  dates = new Map(dated.map((line) => [line.slice(0, 40), Number(line.slice(41))]));
  tips = runGit(['for-each-ref', '--format=%(objectname)'], { cwd: path }).toString().trim().split('\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A history told by ids. */
interface KnownHistory {
  readonly isCommon: (oid: string) => boolean;
  readonly isReady: (common: readonly string[]) => boolean;
}

/** Each common id has a number as its node. */
function overNodes({ isCommon, isReady }: KnownHistory): CommonHistory {
  const oids: string[] = [];
  return {
    commonNode(ids, at) {
      const oid = objectIdAt(ids, at);
      if (!isCommon(oid)) return -1;
      const known = oids.indexOf(oid);
      return known < 0 ? oids.push(oid) - 1 : known;
    },
    isReady: (common) => isReady(common.map((node) => oids[node] as string)),
  };
}

/**
 * Readiness as stock upload-pack sees it: a common commit counts with its parents, and no commit older than the oldest
 * common one is looked behind.
 */
function history(wants: readonly string[]): CommonHistory {
  return overNodes({
    isCommon: (oid) => parents.has(oid),
    isReady(common) {
      const known = new Set(common.flatMap((oid) => [oid, ...(parents.get(oid) ?? [])]));
      const oldest = Math.min(...common.map((oid) => dates.get(oid) as number));
      const reaches = (oid: string): boolean =>
        known.has(oid) ||
        (parents.get(oid) ?? []).some(
          (parent) => known.has(parent) || ((dates.get(parent) as number) >= oldest && reaches(parent)),
        );
      return wants.every(reaches);
    },
  });
}

function stock(body: string, version: 0 | 2): readonly string[] {
  const output = runGit(['upload-pack', '--stateless-rpc', path], {
    input: body,
    env: { GIT_PROTOCOL: `version=${version}` },
  });
  const packets: string[] = [];
  // Without a side-band the raw pack follows the last packet.
  const pack = output.indexOf('PACK');
  for (const packet of packetsOf(pack < 0 ? output : output.subarray(0, pack))) {
    if (/^(packfile\n|\x01)/.test(packet)) break;
    packets.push(packet);
  }
  return [...packets.filter((packet) => packet !== '\x01' && packet.length > 1), ...(pack < 0 ? [] : ['PACK'])];
}

const packetsOfReply = ({ reply, packFollows }: Negotiation): readonly string[] => [
  ...packetsOf(reply),
  ...(packFollows ? ['PACK'] : []),
];

const unknown = 'f'.repeat(40);
const picks = fc.uniqueArray(fc.nat(), { maxLength: 6 });
const pick = <T>(list: readonly T[], numbers: readonly number[]): readonly T[] => [
  ...new Set(numbers.map((number) => list[number % list.length] as T)),
];

describe('negotiation of version 0', () => {
  property.prop(
    [
      fc.nat(),
      picks,
      fc.constantFrom('', 'multi_ack', 'multi_ack_detailed', 'multi_ack_detailed no-done'),
      fc.constantFrom('flush', 'done', 'wants'),
    ],
    { numRuns: runs(80) },
  )(
    "GIT-062, GIT-063, GIT-064: is stock upload-pack's where all haves are known",
    async (want, known, capabilities, ending) => {
      const wants = pick(tips, [want]);
      const haves = ending === 'wants' ? [] : pick([...parents.keys()], known);
      const body = wireText(
        `want ${wants[0]} ${capabilities}`,
        'flush',
        ...haves.map((oid) => `have ${oid}\n`),
        ...(ending === 'wants' ? [] : [ending]),
      );
      const reply = packetsOfReply(
        await negotiateUpload(await parseUploadRequest(readerOf(body), every), history(wants), work),
      );
      const expected = stock(body, 0);
      // Without multi_ack, stock repeats an ACK for commits that it knew to be common; once is what GIT-062 asks for.
      expect(reply).toEqual(
        capabilities === ''
          ? expected.filter(
              (packet, at) => !packet.startsWith('ACK') || expected.findIndex((one) => one.startsWith('ACK')) === at,
            )
          : expected,
      );
    },
  );

  property.prop(
    [
      fc.nat(),
      picks,
      fc.nat(6),
      fc.constantFrom('multi_ack', 'multi_ack_detailed', 'multi_ack_detailed no-done'),
      fc.constantFrom('flush', 'done'),
    ],
    { numRuns: runs(40) },
  )(
    'GIT-064: an unknown have changes nothing, and stock is never ready before us',
    async (want, known, place, capabilities, ending) => {
      const wants = pick(tips, [want]);
      const haves = [...pick([...parents.keys()], known)];
      const run = async (list: readonly string[]): Promise<readonly string[]> => {
        const body = wireText(
          `want ${wants[0]} ${capabilities}`,
          'flush',
          ...list.map((oid) => `have ${oid}\n`),
          ending,
        );
        return packetsOfReply(
          await negotiateUpload(await parseUploadRequest(readerOf(body), every), history(wants), work),
        );
      };
      const reply = await run(haves.toSpliced(place, 0, unknown));
      expect(reply).toEqual(await run(haves));
      if (ending === 'done') return;
      const body = wireText(
        `want ${wants[0]} ${capabilities}`,
        'flush',
        ...haves.toSpliced(place, 0, unknown).map((oid) => `have ${oid}\n`),
        ending,
      );
      const ready = (packets: readonly string[]): boolean => packets.some((packet) => packet.endsWith(' ready\n'));
      if (ready(stock(body, 0))) expect(ready(reply)).toBe(true);
      expect(reply.filter((packet) => / (common|continue)\n$/.test(packet))).toEqual(
        stock(body, 0).filter((packet) => / (common|continue)\n$/.test(packet) && !packet.includes(unknown)),
      );
    },
  );
});

describe('negotiation of version 2', () => {
  property.prop([picks, picks, fc.boolean(), fc.boolean(), fc.subarray(['done', 'wait-for-done'])], {
    numRuns: runs(60),
  })("GIT-094, GIT-095, GIT-096, GIT-097: is stock upload-pack's", async (wanted, known, odd, unwanted, words) => {
    const wants = unwanted ? [] : pick(tips, wanted);
    const haves = [...pick([...parents.keys()], known), ...(odd ? [unknown] : [])];
    // Stock git answers these two with an unwanted pack, and without waiting: see the examples below.
    if (words.includes('wait-for-done') && (haves.length === 0 || (wants.length === 0 && words.includes('done'))))
      return;
    const body = wireText(
      'command=fetch',
      'delim',
      ...wants.map((oid) => `want ${oid}\n`),
      ...haves.map((oid) => `have ${oid}\n`),
      ...words,
      'flush',
    );
    const request = await parseCommandRequest(readerOf(body), every);
    if (request?.command !== 'fetch') throw new Error('not fetch');
    const { reply, packFollows } = await negotiateFetch(request, history(wants), work);
    const output = runGit(['upload-pack', '--stateless-rpc', path], {
      input: body,
      env: { GIT_PROTOCOL: 'version=2' },
    });
    const whole = packetsOf(output);
    const packfile = whole.indexOf('packfile\n');
    expect(packFollows).toBe(packfile >= 0);
    expect(packetsOf(reply)).toEqual(
      (packfile < 0 ? whole : whole.slice(0, packfile)).filter(
        (packet) => packet.length > 0 && packet !== 'flush' && packet !== 'delim',
      ),
    );
  });

  const oid = '1'.repeat(40);
  const never: KnownHistory = { isCommon: () => false, isReady: () => true };
  const always: KnownHistory = { isCommon: () => true, isReady: () => true };
  const negotiate = async (
    of: KnownHistory,
    ...lines: readonly string[]
  ): Promise<Omit<Negotiation, 'reply'> & { readonly reply: string }> => {
    const request = await parseCommandRequest(readerOf(wireText('command=fetch', 'delim', ...lines, 'flush')), every);
    if (request?.command !== 'fetch') throw new Error('not fetch');
    const { common, reply, packFollows } = await negotiateFetch(request, overNodes(of), work);
    return { common, reply: Buffer.from(reply).toString(), packFollows };
  };

  it('GIT-096: nothing wanted is an empty reply, or acknowledgements with wait-for-done', async () => {
    expect(await negotiate(always, `have ${oid}`)).toEqual({ common: [], reply: '', packFollows: false });
    expect(await negotiate(always, `have ${oid}`, 'wait-for-done', 'done')).toMatchObject({
      reply: wireText('acknowledgments\n', `ACK ${oid}\n`),
      packFollows: false,
    });
  });

  it('GIT-097: wait-for-done waits also without haves', async () => {
    expect(await negotiate(always, `want ${oid}`, 'wait-for-done')).toMatchObject({
      reply: wireText('acknowledgments\n', 'NAK\n'),
      packFollows: false,
    });
    expect(await negotiate(always, `want ${oid}`, 'wait-for-done', 'done')).toMatchObject({
      reply: '',
      packFollows: true,
    });
    expect(await negotiate(always, `want ${oid}`)).toMatchObject({ reply: '', packFollows: true });
  });

  it('GIT-064, GIT-095: never ready with nothing in common; one ACK an object', async () => {
    expect(await negotiate(never, `want ${oid}`, `have ${oid}`)).toMatchObject({
      reply: wireText('acknowledgments\n', 'NAK\n'),
      packFollows: false,
    });
    expect(await negotiate(always, `want-ref HEAD`, `have ${oid}`, `have ${oid}`)).toEqual({
      common: [0],
      reply: wireText('acknowledgments\n', `ACK ${oid}\n`, 'ready\n'),
      packFollows: true,
    });
  });
});

describe('fetches, as recorded', () => {
  const recorded = readRecordings().flatMap(({ scenario, version, exchanges }) =>
    exchanges
      .filter(
        ({ request }) =>
          request.target.endsWith('/git-upload-pack') &&
          request.body.some((piece) => typeof piece === 'string' && piece.includes('want ')),
      )
      .map(({ request, response }, at) => ({
        scenario,
        version,
        at,
        body: exchangeBody(request.body),
        packets: packetsOf(exchangeBody(response.body)),
      })),
  );

  it.each(recorded)(
    'GIT-062, GIT-063, GIT-094, GIT-095: $scenario v$version, reply $at',
    async ({ version, body, packets }) => {
      const acknowledged = new Set(packets.map((packet) => /^ACK ([0-9a-f]{40})/.exec(packet)?.[1]));
      // An id without ACK in a reply to done may still be known; version 2 then sends only the pack.
      const of = overNodes({
        isCommon: (oid) => acknowledged.has(oid),
        isReady: () => packets.some((packet) => packet.endsWith('ready\n')),
      });
      const told = packets.filter((packet) => /^(acknowledgments|ACK|NAK|ready)/.test(packet));
      let negotiation: Negotiation;
      if (version === 2) {
        const request = await parseCommandRequest(readerOf(body), every);
        if (request?.command !== 'fetch') throw new Error('not fetch');
        negotiation = await negotiateFetch(request, of, work);
      } else {
        negotiation = await negotiateUpload(await parseUploadRequest(readerOf(body), every), of, work);
      }
      expect(packetsOf(negotiation.reply)).toEqual(told);
      expect(negotiation.packFollows).toBe(packets.some((packet) => packet.startsWith('\x01PACK')));
    },
  );
});
