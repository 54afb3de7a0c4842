import { fc, it as property } from '@fast-check/vitest';
import { readRecordings, exchangeBody } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { Scheduler } from '../work/scheduler.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord } from '../refs/ref-record.ts';
import { gathered, sliced } from '../refs/made-refs.test.util.ts';
import { parseRefName, type RefName } from '../refs/ref-name.ts';
import { writeUploadPackAdvertisement, writeV2Advertisement } from '../wire/advertisement.ts';
import { servedFeatures } from '../wire/features.ts';
import { writeLsRefsResponse } from '../wire/fetch/ls-refs.ts';
import { bodyOf, cut, wireText } from '../wire/packets.test.util.ts';
import { readDiscovery, type Discovery } from './read-discovery.ts';
import { readRefList } from './ref-list.ts';
import { RemotePackets } from './remote-packets.ts';
import type { RemoteRefs } from './remote-refs.ts';

const service = '# service=git-upload-pack\n';
const one = '1'.repeat(40);
const two = '2'.repeat(40);

const packetsOf = (...pieces: readonly (string | Uint8Array)[]): RemotePackets =>
  new RemotePackets(bodyOf(pieces), new Scheduler().begin());
const discovered = (...lines: readonly string[]): Promise<Discovery> =>
  readDiscovery(packetsOf(wireText(...lines)), () => true);
const listed = (...lines: readonly string[]): Promise<RemoteRefs> =>
  readRefList(packetsOf(wireText(...lines)), () => true);

const oids = fc.stringMatching(/^[0-9a-f]{40}$/) as unknown as fc.Arbitrary<ObjectId>;
const names = fc
  .tuple(fc.constantFrom('refs/heads/', 'refs/tags/', 'refs/notes/'), fc.stringMatching(/^[a-zä-ü/]{1,12}$/))
  .map(([start, end]) => parseRefName(start + end))
  .filter((name): name is RefName => name !== undefined);
const records = fc.uniqueArray(
  fc.record({ name: names, oid: oids, kind: fc.constant('commit' as const), peeled: fc.option(oids) }),
  { selector: ({ name }) => name, maxLength: 8 },
) as fc.Arbitrary<RefRecord[]>;

describe('readDiscovery', () => {
  property.prop([records, names, fc.option(oids, { nil: undefined }), fc.constantFrom(0, 1), fc.array(fc.nat())])(
    'reads any output of the server side',
    async (refs, ref, oid, version, cuts) => {
      const shallow = refs.map((record) => record.oid);
      const identity = { agent: 'a', sessionId: 's' };
      const head = { ref, oid };
      const body = await gathered(
        writeUploadPackAdvertisement({
          version: version as 0 | 1,
          refs: sliced(refs),
          head,
          features: servedFeatures,
          identity,
          shallow,
        }),
      );
      const read = await readDiscovery(packetsOf(...cut(body, cuts)), () => true);
      const imported = refs.filter(({ name }) => /^refs\/(heads|tags)\//.test(name));
      expect(read).toMatchObject({
        version,
        shallow,
        refs: {
          refs: imported.map((record) => ({ name: record.name, oid: record.oid })),
          head: oid !== undefined && ref.startsWith('refs/heads/') ? ref : undefined,
        },
      });
    },
  );

  it('reads capabilities of version 2, with the line of the service and without', async () => {
    const body = writeV2Advertisement(servedFeatures, { agent: 'a', sessionId: 's' });
    for (const bytes of [body, body.subarray(wireText(service, 'flush').length)]) {
      const { version, capabilities } = await readDiscovery(packetsOf(bytes), () => true);
      expect([version, capabilities.get('ls-refs'), capabilities.get('fetch')]).toEqual([
        2,
        'unborn',
        'shallow wait-for-done filter ref-in-want sideband-all',
      ]);
    }
  });

  it('reads every recorded discovery', async () => {
    let count = 0;
    for (const { version, exchanges } of readRecordings()) {
      const first = exchanges[0];
      if (first === undefined || !first.request.target.endsWith('service=git-upload-pack')) continue;
      count++;
      const discovery = await readDiscovery(packetsOf(exchangeBody(first.response.body)), () => true);
      expect(discovery.version).toBe(version);
    }
    expect(count).toBeGreaterThan(10);
  });

  it('takes the symbolic ref of HEAD, wherever it stands among others', async () => {
    const line = `${one} HEAD\0symref=refs/remotes/o/HEAD:refs/heads/x symref=HEAD:refs/heads/y agent=a\n`;
    expect(await discovered(service, 'flush', line, 'flush')).toMatchObject({ refs: { head: 'refs/heads/y' } });
  });

  it('leaves names out that no ref may have here', async () => {
    const line = (name: string): string => `${one} ${name}\n`;
    const odd = ['refs/heads/a..b', 'refs/x', 'HEAD', `refs/heads/${'x'.repeat(1_100)}`, 'refs/tags/v1^{}'].map(line);
    const discovery = await discovered(...odd, line('refs/heads/ok'), 'flush');
    expect(discovery).toMatchObject({ refs: { refs: [{ name: 'refs/heads/ok' }] } });
    const notUtf8 = Buffer.from(wireText(line('refs/heads/\u00e4'), 'flush'), 'utf8');
    notUtf8[notUtf8.length - 6] = 0xff;
    expect(await readDiscovery(packetsOf(notUtf8), () => true)).toMatchObject({ refs: { refs: [] } });
  });

  it.each([
    ['malformed', [service, 'delim']],
    ['malformed', [service, 'flush', 'version 3\n', 'flush']],
    ['malformed', ['version 2\n', 'agent=x\n', 'delim']],
    ['malformed', [`${one}\n`, 'flush']],
    ['malformed', [`${one} refs/heads/a\n`, `${two} refs/heads/a\n`, 'flush']],
    ['malformed', [`${one} refs/heads/a\n`, 'delim', 'flush']],
    ['malformed', [`${'A'.repeat(40)} refs/heads/a\n`, 'flush']],
    ['malformed', ['version 2\n', ...Array.from({ length: 1_200 }, (_, i) => `c${i}\n`), 'flush']],
    ['refused', [service, 'flush', 'ERR no such repository\n']],
    ['refused', ['version 2\n', 'ERR nothing for you']],
    ['object format', [`${one} HEAD\0object-format=sha256\n`, 'flush']],
    ['object format', [`${'1'.repeat(64)} HEAD\0agent=x\n`, 'flush']],
    ['object format', ['version 2\n', 'object-format=sha256\n', 'flush']],
    ['broken off', [service, 'flush']],
    ['broken off', ['version 2\n', 'agent=x\n']],
  ])('REPO-128: %s: %j', async (code, lines) => {
    await expect(discovered(...lines)).rejects.toMatchObject({ code });
  });

  it('tells what a remote says in one line without control characters, and not at length', async () => {
    const refusal = discovered(`ERR a\nb\u001b[31m${'x'.repeat(1_000)}`);
    await expect(refusal).rejects.toThrow(/^the remote refused: a\?b\?\[31mx{100,200}\.\.\.$/);
  });

  it('LIM-059: stops where there is no memory for more refs', async () => {
    let room = 2_000;
    const tryKeep = (bytes: number): boolean => (room -= bytes) >= 0;
    const lines = Array.from({ length: 10 }, (_, i) => `${one} refs/heads/branch-${i}\n`);
    const reading = readDiscovery(packetsOf(wireText(...lines, 'flush')), tryKeep);
    await expect(reading).rejects.toMatchObject({ code: 'too large' });
    const shallow = readDiscovery(packetsOf(wireText(`shallow ${one}`, 'flush')), () => false);
    await expect(shallow).rejects.toMatchObject({ code: 'too large' });
  });
});

describe('readRefList', () => {
  property.prop([records, names, fc.option(oids, { nil: undefined }), fc.boolean(), fc.array(fc.nat())])(
    'reads any output of the server side',
    async (refs, ref, oid, peel, cuts) => {
      const request = { command: 'ls-refs', peel, symrefs: true, unborn: true, prefixes: [] } as const;
      const body = await gathered(writeLsRefsResponse(request, sliced(refs), { ref, oid }));
      const read = await readRefList(packetsOf(...cut(body, cuts)), () => true);
      const imported = refs.filter(({ name }) => /^refs\/(heads|tags)\//.test(name));
      expect(read).toEqual({
        refs: imported.map((record) => ({ name: record.name, oid: record.oid })),
        head: ref.startsWith('refs/heads/') ? ref : undefined,
      });
    },
  );

  it.each([
    ['malformed', ['delim']],
    ['malformed', [`${one}\n`, 'flush']],
    ['malformed', ['unborn refs/heads/a\n', 'flush']],
    ['malformed', ['x HEAD symref-target:refs/heads/main\n', 'flush']],
    ['malformed', [`${one} refs/heads/a\n`, `${one} refs/heads/a\n`, 'flush']],
    ['refused', ['ERR no\n']],
    ['object format', [`${'1'.repeat(64)} refs/heads/a\n`, 'flush']],
    ['broken off', [`${one} refs/heads/a\n`]],
  ])('REPO-128: %s: %j', async (code, lines) => {
    await expect(listed(...lines)).rejects.toMatchObject({ code });
  });
});
