import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { Scheduler } from '../work/scheduler.ts';
import { flushPacket } from '../wire/pkt-line.ts';
import { encodeBand, keepAlivePacket, type SideBand } from '../wire/side-band.ts';
import { bodyOf, bytesOf, cut, wireText } from '../wire/packets.test.util.ts';
import { readFetchReply, readUploadReply } from './fetch-pack-reply.ts';
import { RemotePackets } from './remote-packets.ts';

const one = '1'.repeat(40);
const keep = (): boolean => true;
const packetsOf = (...pieces: readonly (string | Uint8Array)[]): RemotePackets =>
  new RemotePackets(bodyOf(pieces), new Scheduler().begin());

async function packOf(...pieces: readonly (string | Uint8Array)[]): Promise<Buffer> {
  return bytesOf((await readFetchReply(packetsOf(...pieces), keep)).bytes);
}

describe('the pack of a reply', () => {
  const sideBands = fc.constantFrom<SideBand>('none', 'side-band', 'side-band-64k');
  const pieces = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 2_500 })), { maxLength: 8 });

  property.prop([sideBands, pieces, fc.boolean(), fc.array(fc.nat())])(
    'GIT-069: comes as it was sent, however it was multiplexed and cut',
    async (sideBand, sent, isDeepened, cuts) => {
      const bands = sent.map(([band, bytes]) => encodeBand(band as 1 | 2, bytes, sideBand));
      const alive = sideBand === 'none' ? [] : [keepAlivePacket()];
      const body = Buffer.concat([
        Buffer.from(wireText(...(isDeepened ? [`shallow ${one}\n`, 'flush'] : []), 'NAK\n')),
        ...bands,
        ...alive,
        ...(sideBand === 'none' ? [] : [flushPacket()]),
      ]);
      const { shallow, bytes } = await readUploadReply(packetsOf(...cut(body, cuts)), sideBand, isDeepened, keep);
      expect(shallow).toEqual(isDeepened ? [one] : []);
      const payload = sent.filter(([band]) => band === 1).map(([, piece]) => piece);
      expect((await bytesOf(bytes)).equals(Buffer.concat(payload))).toBe(true);
    },
  );

  it('GIT-094: applies the lines of a boundary, if any', async () => {
    const packets = packetsOf(wireText('shallow-info\n', `shallow ${one}`, 'delim', 'packfile\n', '\u0001ab', 'flush'));
    const { shallow, bytes } = await readFetchReply(packets, keep);
    expect([shallow, (await bytesOf(bytes)).toString()]).toEqual([[one], 'ab']);
    expect((await packOf(wireText('shallow-info\n', 'delim', 'packfile\n', '\u0001c', 'flush'))).toString()).toBe('c');
  });

  it.each([
    ['malformed', ['flush']],
    ['malformed', ['wanted-refs\n']],
    ['malformed', ['shallow-info\n', 'flush']],
    ['malformed', ['shallow-info\n', `unshallow ${one}\n`]],
    ['malformed', ['shallow-info\n', 'shallow x\n']],
    ['object format', ['shallow-info\n', `shallow ${'1'.repeat(64)}\n`]],
    ['malformed', ['packfile\n', 'delim']],
    ['malformed', ['packfile\n', '']],
    ['malformed', ['packfile\n', '\u0004x']],
    ['refused', ['packfile\n', '\u0001PACK', '\u0003aborting\n']],
    ['refused', ['ERR upload-pack: not our ref\n']],
    ['broken off', ['packfile\n', '\u0001PACK']],
    ['broken off', ['shallow-info\n']],
    ['broken off', []],
  ])('REPO-128: %s: %j', async (code, lines) => {
    await expect(packOf(wireText(...lines))).rejects.toMatchObject({ code });
  });

  it('REPO-128: is not begun in versions 0 and 1 without NAK', async () => {
    for (const lines of [[`ACK ${one}\n`], ['flush'], ['delim'], [`shallow ${one}\n`]]) {
      const reading = readUploadReply(packetsOf(wireText(...lines)), 'none', false, keep);
      await expect(reading).rejects.toMatchObject({ code: 'malformed' });
    }
    const reading = readUploadReply(packetsOf(wireText('delim')), 'none', true, keep);
    await expect(reading).rejects.toMatchObject({ code: 'malformed' });
  });

  it('LIM-059: stops where there is no memory for a boundary', async () => {
    const reading = readFetchReply(packetsOf(wireText('shallow-info\n', `shallow ${one}\n`)), () => false);
    await expect(reading).rejects.toMatchObject({ code: 'too large' });
  });
});
