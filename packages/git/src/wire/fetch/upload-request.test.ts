import { fc, it as property } from '@fast-check/vitest';
import { exchangeBody, readRecordings } from '@packhouse/fixtures';
import { describe, expect, it, vi } from 'vitest';
import { servedFeatures, type Feature } from '../features.ts';
import { cut, listed, packetsOf, readerOf, wireText } from '../packets.test.util.ts';
import { MalformedRequestError, RequestRefusedError } from '../request-error.ts';
import { parseUploadRequest, type UploadRequest } from './upload-request.ts';

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const every = new Set<Feature>(['shallow', 'filter', 'ref-in-want', 'sideband-all', 'wait-for-done']);
const upload = async (...lines: readonly string[]): Promise<ReturnType<typeof listed<UploadRequest>>> =>
  listed(await parseUploadRequest(readerOf(wireText(...lines)), servedFeatures));

const posts = readRecordings().flatMap(({ scenario, version, exchanges }) =>
  exchanges
    .filter(({ request }) => request.method === 'POST' && request.target.endsWith('git-upload-pack'))
    .map(({ request }, at) => ({
      scenario,
      version,
      at,
      body: exchangeBody(request.body),
      text: Buffer.from(exchangeBody(request.body)).toString(),
    })),
);
const idsAfter = (word: string, text: string): readonly string[] =>
  [...text.matchAll(new RegExp(`${word} ([0-9a-f]{40})`, 'g'))].map(([, id]) => id as string);

describe('fetches, as recorded', () => {
  it.each(posts.filter(({ version }) => version < 2))(
    'GIT-062, GIT-063: $scenario v$version, request $at',
    async ({ body, text }) => {
      const request = await parseUploadRequest(readerOf(...cut(body, [1, 77, 78, 400])), every);
      expect(request).toMatchObject({
        acknowledgments: 'multi_ack_detailed',
        noDone: true,
        sideBand: 'side-band-64k',
        thinPack: true,
        ofsDelta: true,
        noProgress: true,
      });
      expect([...request.wants]).toEqual(idsAfter('want', text));
      expect([...request.haves]).toEqual(idsAfter('have', text));
      expect(request.ending).toBe(text.endsWith('done\n') ? 'done' : request.haves.length > 0 ? 'flush' : 'wants');
      expect([...request.shallow]).toEqual(idsAfter('shallow', text));
      const deepen = packetsOf(body)
        .find((packet) => packet.startsWith('deepen '))
        ?.slice('deepen '.length);
      const relative = text.includes('deepen-relative');
      expect(request.depth).toEqual(
        deepen === undefined ? undefined : { deepen: Number(deepen), relative, since: undefined, not: [] },
      );
    },
  );

  property.prop([
    fc.constantFrom(...posts.filter(({ version }) => version < 2)),
    fc.nat(),
    fc.nat(255),
    fc.array(fc.nat(), { maxLength: 5 }),
  ])(
    'GIT-016, GIT-017: one byte changed is read, malformed or refused, nothing else',
    async ({ body }, place, value, cuts) => {
      const changed = Uint8Array.from(body);
      changed[place % body.length] = value;
      const reader = readerOf(...cut(changed, cuts));
      const result = await parseUploadRequest(reader, every).catch((error: unknown) => error);
      if (!(result instanceof Error)) return;
      expect([MalformedRequestError, RequestRefusedError]).toContain(result.constructor);
      if (result instanceof RequestRefusedError) expect(result.text).toMatch(/^[^\p{Cc}]{1,400}$/u);
    },
  );
});

describe('parseUploadRequest', () => {
  it('GIT-062: takes the most detailed mode', async () => {
    const modeOf = async (capabilities: string): Promise<string> =>
      (await upload(`want ${one} ${capabilities}\n`, 'flush', 'done')).acknowledgments;
    expect(await modeOf('thin-pack')).toBe('none');
    expect(await modeOf('multi_ack')).toBe('multi_ack');
    expect(await modeOf('multi_ack_detailed')).toBe('multi_ack_detailed');
    expect(await modeOf('multi_ack_detailed multi_ack')).toBe('multi_ack_detailed');
  });

  it('GIT-063: tells the three endings apart', async () => {
    expect(await upload(`want ${one}`, `want ${two}`, 'flush')).toMatchObject({
      ending: 'wants',
      wants: [one, two],
      haves: [],
    });
    expect(await upload(`want ${one}`, 'flush', 'flush')).toMatchObject({ ending: 'flush', haves: [] });
    expect(await upload(`want ${one}`, 'flush', `have ${two}\n`, 'flush')).toMatchObject({
      ending: 'flush',
      haves: [two],
    });
    expect(await upload(`want ${one}`, 'flush', 'done\n')).toMatchObject({ ending: 'done', haves: [] });
    expect(await upload(`want ${one}`, 'flush', `have ${two}\n`, `have ${three}`, 'done')).toMatchObject({
      ending: 'done',
      haves: [two, three],
    });
    // As in stock upload-pack: each request of stateless HTTP is one round.
    expect(await upload(`want ${one}`, 'flush', `have ${two}\n`, 'flush', `have ${three}`, 'done')).toMatchObject({
      ending: 'flush',
      haves: [two],
    });
  });

  it('GIT-013: a lone flush wants nothing', async () => {
    expect((await upload('flush')).wants).toEqual([]);
  });

  it('GIT-048, GIT-049: ignores what was not advertised, and who the client is', async () => {
    const plain = await upload(`want ${one} ofs-delta\n`, 'flush', 'done');
    expect(
      await upload(`want ${one} ofs-delta filter frotz agent=x/1 session-id=abc object-format=sha1\n`, 'flush', 'done'),
    ).toEqual(plain);
  });

  it('LIM-059: keeps nothing of unadvertised capabilities, for any amount', async () => {
    const words = Array.from({ length: 10_000 }, (_, i) => `x${i}`).join(' ');
    const kept = vi.spyOn(Map.prototype, 'set');
    try {
      await upload(`want ${one} ofs-delta ${words}`, 'flush', 'done');
      expect(kept.mock.calls.filter(([name]) => /^(x|ofs)/.test(String(name)))).toEqual([['ofs-delta', '']]);
    } finally {
      kept.mockRestore();
    }
  });

  it('GIT-069: knows three ways to multiplex, one at a time', async () => {
    const bandOf = async (capabilities: string): Promise<string> =>
      (await upload(`want ${one}${capabilities}`, 'flush', 'done')).sideBand;
    expect(await bandOf('')).toBe('none');
    expect(await bandOf(' side-band')).toBe('side-band');
    expect(await bandOf(' side-band-64k')).toBe('side-band-64k');
    await expect(bandOf(' side-band side-band-64k')).rejects.toThrow('side-band and side-band-64k are exclusive');
  });

  it.each([
    ['a delimiter', wireText(`want ${one}`, 'delim')],
    ['a delimiter among the haves', wireText(`want ${one}`, 'flush', `have ${one}`, 'delim')],
    ['an end before the first flush', wireText(`want ${one}`)],
    ['an end among the haves', wireText(`want ${one}`, 'flush', `have ${one}`)],
    ['an end inside a packet', wireText(`want ${one}`).slice(0, -1)],
    ['no body', ''],
    ['broken framing after what is refused', `${wireText('wants nothing', 'flush')}0003`],
    ['a delimiter behind what is refused', wireText('hello', 'delim', 'flush')],
  ])('GIT-008, GIT-016: %s is malformed', async (_, text) => {
    await expect(parseUploadRequest(readerOf(text), servedFeatures)).rejects.toThrow(MalformedRequestError);
  });

  it.each([
    [[`want ${one} object-format=sha256`, 'flush', 'done'], "unsupported object format 'sha256'"],
    [[`want ${one}${one.slice(16)}`, 'flush', 'done'], "unsupported object format 'sha256'"],
    [[`want ${one}`, 'flush', `have ${one}${one.slice(16)}`, 'done'], "unsupported object format 'sha256'"],
    [
      [`want ${one.slice(1)}`, 'flush', 'done'],
      `upload-pack: protocol error, expected to get object ID, not 'want ${one.slice(1)}'`,
    ],
    [['hello', 'flush', 'done'], "upload-pack: protocol error, expected to get object ID, not 'hello'"],
    [[`want ${one}`, 'flush', 'hello', 'done'], "upload-pack: expected SHA1 list, got 'hello'"],
  ])('GIT-017, GIT-050: refuses %j', async (lines, text) => {
    await expect(upload(...lines)).rejects.toThrow(new RequestRefusedError(text));
  });

  it.each([`shallow ${one}`, 'deepen 1', 'deepen-since 1', 'deepen-not main', 'filter blob:none'])(
    'GIT-048: does not know %j before it is switched on',
    async (line) => {
      const text = `upload-pack: protocol error, expected to get object ID, not '${line}'`;
      const asked = parseUploadRequest(readerOf(wireText(`want ${one}`, line, 'flush', 'done')), new Set());
      await expect(asked).rejects.toThrow(new RequestRefusedError(text));
    },
  );
});
