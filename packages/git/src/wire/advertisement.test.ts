import { readRecordings, exchangeBody } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { resolveHead } from '../refs/head.ts';
import { gathered, sliced } from '../refs/made-refs.test.util.ts';
import type { RefName } from '../refs/ref-name.ts';
import { writeReceivePackAdvertisement, writeUploadPackAdvertisement, writeV2Advertisement } from './advertisement.ts';
import { servedFeatures, type Feature } from './features.ts';
import { packetsOf } from './packets.test.util.ts';

const identity = { agent: 'git/fixture', sessionId: 'x'.repeat(43) };
const id = (digit: string): ObjectId => digit.repeat(40) as ObjectId;
const ref = (name: string, oid: ObjectId, peeled: ObjectId | null = null): RefRecord => ({
  name: name as RefName,
  oid,
  kind: peeled === null ? 'commit' : 'tag',
  peeled,
});

/** Parses a recorded list of version 0 or 1 to records. */
function refsOf(packets: readonly string[]): readonly RefRecord[] {
  const refs: RefRecord[] = [];
  for (const packet of packets) {
    const [, oid, name, peeled] = /^([0-9a-f]{40}) ((?:refs\/|HEAD)[^\0\n^]*)(\^\{\})?/.exec(packet) ?? [];
    if (oid === undefined || name === undefined || name === 'HEAD') continue;
    if (peeled === undefined) refs.push(ref(Buffer.from(name, 'latin1').toString(), oid as ObjectId));
    else refs.push({ ...(refs.pop() as RefRecord), kind: 'tag', peeled: oid as ObjectId });
  }
  return refs;
}

/** The packets of an advertisement. */
const written = async (pieces: AsyncIterable<Uint8Array>): Promise<readonly string[]> =>
  packetsOf(await gathered(pieces));

const withoutCapabilities = (packets: readonly string[]): readonly string[] =>
  packets.map((packet) => packet.replace(/\0[^\n]*/, ''));
const capabilitiesOf = (packets: readonly string[]): readonly string[] =>
  packets.flatMap((packet) => (/\0(.*)\n/.exec(packet)?.[1] ?? '').trim().split(' ')).filter((word) => word !== '');

const discoveries = readRecordings().flatMap(({ scenario, version, exchanges }) =>
  exchanges
    .filter(({ request }) => request.method === 'GET')
    .map(({ request, response }) => ({
      scenario,
      version,
      service: request.target.split('=')[1],
      packets: packetsOf(exchangeBody(response.body)),
    })),
);

describe('discovery, as recorded', () => {
  it.each(
    discoveries.filter(
      ({ scenario, service, version }) => service === 'git-upload-pack' && version < 2 && !scenario.endsWith('empty'),
    ),
  )('GIT-041, GIT-043, GIT-044: upload-pack, $scenario v$version', async ({ version, packets }) => {
    const refs = refsOf(packets);
    const features = new Set<Feature>(['shallow']);
    const lines = await written(
      writeUploadPackAdvertisement({
        version: version as 0 | 1,
        refs: sliced(refs),
        head: resolveHead(refs, 'main'),
        identity,
        shallow: [],
        features,
      }),
    );
    expect(withoutCapabilities(lines)).toEqual(withoutCapabilities(packets));
    // Stock Git has the same ones in another order.
    expect([...capabilitiesOf(lines)].sort()).toEqual([...capabilitiesOf(packets)].sort());
  });

  it.each(discoveries.filter(({ service }) => service === 'git-receive-pack'))(
    'GIT-041, GIT-042, GIT-045, GIT-046: receive-pack, $scenario v$version',
    async ({ version, packets }) => {
      const refs = sliced(refsOf(packets));
      const lines = await written(
        writeReceivePackAdvertisement({ version: version === 1 ? 1 : 0, refs, identity, shallow: [] }),
      );
      expect(withoutCapabilities(lines)).toEqual(withoutCapabilities(packets));
      expect([...capabilitiesOf(lines)].sort()).toEqual([...capabilitiesOf(packets)].sort());
    },
  );

  it.each(discoveries.filter(({ service, version }) => service === 'git-upload-pack' && version === 2))(
    'GIT-041, GIT-047: upload-pack, $scenario v$version',
    ({ packets }) => {
      const lines = packetsOf(writeV2Advertisement(new Set<Feature>(['shallow', 'wait-for-done']), identity));
      expect(lines.slice(0, 3)).toEqual(['# service=git-upload-pack\n', 'flush', 'version 2\n']);
      expect(lines.at(-1)).toBe('flush');
      const withoutOthers = packets.filter((packet) => !/^(object-info|server-option)/.test(packet));
      // Stock http-backend leaves the line of the service out in version 2; clients take both.
      expect(lines.slice(2).sort()).toEqual(withoutOthers.sort());
    },
  );
});

describe('discovery', () => {
  const refs = [ref('refs/heads/main', id('1')), ref('refs/tags/größe', id('2'), id('3'))];

  it('GIT-048: names nothing that is switched off', async () => {
    const head = resolveHead(refs, 'main');
    const v0 = capabilitiesOf(
      await written(
        writeUploadPackAdvertisement({
          version: 0,
          refs: sliced(refs),
          head,
          identity,
          shallow: [],
          features: new Set(),
        }),
      ),
    );
    expect(v0.filter((word) => /^(shallow|deepen|filter)/.test(word))).toEqual([]);
    const v2 = (features: ReadonlySet<Feature>): readonly string[] =>
      packetsOf(writeV2Advertisement(features, identity)).slice(2);
    const common = ['version 2\n', 'agent=git/fixture\n', 'ls-refs=unborn\n', 'object-format=sha1\n'];
    const last = [`session-id=${identity.sessionId}\n`, 'flush'];
    expect([...v2(new Set())].sort()).toEqual([...common, 'fetch\n', ...last].sort());
    const all = new Set<Feature>(['shallow', 'filter', 'ref-in-want', 'sideband-all', 'wait-for-done', 'object-info']);
    const offered = ['fetch=shallow wait-for-done filter ref-in-want sideband-all\n', 'object-info=size\n'];
    expect([...v2(all)].sort()).toEqual([...common, ...offered, ...last].sort());
  });

  it('GIT-043: lists peeled tags, counts bytes in names, and has no HEAD that does not resolve', async () => {
    const head = resolveHead(refs.slice(1), 'main');
    const packets = await written(
      writeUploadPackAdvertisement({
        version: 0,
        refs: sliced(refs.slice(1)),
        head,
        identity,
        shallow: [],
        features: servedFeatures,
      }),
    );
    const name = Buffer.from('refs/tags/größe').toString('latin1');
    expect(withoutCapabilities(packets)).toEqual([
      '# service=git-upload-pack\n',
      'flush',
      `${id('2')} ${name}\n`,
      `${id('3')} ${name}^{}\n`,
      'flush',
    ]);
    expect(capabilitiesOf(packets).filter((word) => word.startsWith('symref'))).toEqual([]);
  });

  it('GIT-046: an empty repository still tells its capabilities', async () => {
    // Stock upload-pack began to do so after 2.39.
    const packets = await written(
      writeUploadPackAdvertisement({
        version: 1,
        refs: sliced([]),
        head: resolveHead([], 'main'),
        identity,
        shallow: [],
        features: servedFeatures,
      }),
    );
    expect(withoutCapabilities(packets)).toEqual([
      '# service=git-upload-pack\n',
      'flush',
      'version 1\n',
      `${id('0')} capabilities^{}\n`,
      'flush',
    ]);
    expect(capabilitiesOf(packets)).toContain('object-format=sha1');
  });

  it('GIT-075: ends with the boundary of a shallow repository', async () => {
    const upload = await written(
      writeUploadPackAdvertisement({
        version: 0,
        refs: sliced(refs),
        head: resolveHead(refs, 'main'),
        identity,
        shallow: [id('4'), id('5')],
        features: servedFeatures,
      }),
    );
    const receive = await written(
      writeReceivePackAdvertisement({ version: 0, refs: sliced(refs), identity, shallow: [id('4')] }),
    );
    expect(upload.slice(-3)).toEqual([`shallow ${id('4')}\n`, `shallow ${id('5')}\n`, 'flush']);
    expect(receive.slice(-3)).toEqual([
      `${id('2')} ${Buffer.from('refs/tags/größe').toString('latin1')}\n`,
      `shallow ${id('4')}\n`,
      'flush',
    ]);
  });
});
