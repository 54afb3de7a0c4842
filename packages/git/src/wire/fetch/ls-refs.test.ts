import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, it as property } from '@fast-check/vitest';
import {
  exchangeBody,
  makeSampleRepositories,
  readRecordings,
  runGit,
  type SampleRepository,
  runs,
} from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectId } from '../../object/object-id.ts';
import type { ObjectKind } from '../../object/kind.ts';
import type { RefRecord } from '../../refs/ref-record.ts';
import { resolveHead, type Head } from '../../refs/head.ts';
import { gathered, sliced } from '../../refs/made-refs.test.util.ts';
import type { RefName } from '../../refs/ref-name.ts';
import { parseCommandRequest } from './command-request.ts';
import { servedFeatures } from '../features.ts';
import { writeLsRefsResponse, type LsRefsRequest } from './ls-refs.ts';
import { packetsOf, readerOf, wireText } from '../packets.test.util.ts';
import { prefixTest } from '../../refs/ref-prefixes.ts';

const folder = mkdtempSync(join(tmpdir(), 'ls-refs-'));
let samples: readonly SampleRepository[];
beforeAll(() => void (samples = makeSampleRepositories(folder)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The refs of a repository as stock Git tells them. */
function refsIn(path: string): readonly RefRecord[] {
  const peeled = new Map<string, string>();
  const dereferenced = path.endsWith('empty.git') ? '' : runGit(['show-ref', '-d'], { cwd: path }).toString();
  for (const line of dereferenced.split('\n'))
    if (line.endsWith('^{}')) peeled.set(line.slice(41, -3), line.slice(0, 40));
  const list = runGit(['for-each-ref', '--format=%(objectname) %(objecttype) %(refname)'], { cwd: path }).toString();
  return list
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [oid, kind, name] = line.split(' ') as [string, string, string];
      return {
        name: name as RefName,
        oid: oid as ObjectId,
        kind: kind as ObjectKind,
        peeled: (peeled.get(name) as ObjectId | undefined) ?? null,
      };
    });
}

async function parse(text: string): Promise<LsRefsRequest> {
  const request = await parseCommandRequest(readerOf(text), servedFeatures);
  if (request?.command !== 'ls-refs') throw new Error('not ls-refs');
  return request;
}

const prefixes = fc.array(
  fc.constantFrom(
    '',
    'HEAD',
    'H',
    'refs/',
    'refs/heads/',
    'refs/heads/m',
    'refs/heads/ma',
    'refs/heads/main',
    'refs/heads/mainx',
    'refs/tags/v',
    'refs/keys',
    'refs/heads/gr',
    'refs/heads/日',
    'x',
  ),
  { maxLength: 6 },
);
const words = fc.subarray(['peel', 'symrefs', 'unborn']);

describe('ls-refs', () => {
  property.prop([fc.constantFrom('tags', 'merges', 'encodings', 'empty'), words, prefixes], { numRuns: runs(40) })(
    'GIT-091, GIT-092: is answered as stock upload-pack does',
    async (name, flags, wanted) => {
      const sample = samples.find((one) => one.name === name) as SampleRepository;
      const text = wireText(
        'command=ls-refs',
        'delim',
        ...flags,
        ...wanted.map((prefix) => `ref-prefix ${prefix}\n`),
        'flush',
      );
      const stock = runGit(['-c', 'lsrefs.unborn=advertise', 'upload-pack', '--stateless-rpc', sample.path], {
        input: text,
        env: { GIT_PROTOCOL: 'version=2' },
      });
      const refs = refsIn(sample.path);
      const request = await parse(text);
      const head = prefixTest(request.prefixes)('HEAD') ? resolveHead(refs, 'main') : undefined;
      const asked = refs.filter((ref) => prefixTest(request.prefixes)(ref.name));
      const reply = await gathered(writeLsRefsResponse(request, sliced(asked), head));
      expect(packetsOf(reply)).toEqual(packetsOf(stock));
    },
  );

  const recorded = readRecordings().flatMap(({ scenario, exchanges }) =>
    exchanges
      .filter(({ request }) =>
        request.body.some((piece) => typeof piece === 'string' && piece.includes('command=ls-refs')),
      )
      .map(({ request, response }) => ({
        scenario,
        request: exchangeBody(request.body),
        response: exchangeBody(response.body),
      })),
  );

  it.each(recorded)('GIT-091, GIT-092: $scenario, as recorded', async ({ request, response }) => {
    const parsed = await parseCommandRequest(readerOf(request), servedFeatures);
    if (parsed?.command !== 'ls-refs') throw new Error('not ls-refs');
    const lines = packetsOf(response)
      .slice(0, -1)
      .map((line) => line.trimEnd().split(' '));
    const refs = lines.flatMap(([oid, name, attribute]) =>
      name === 'HEAD'
        ? []
        : [
            {
              oid: oid as ObjectId,
              name: name as RefName,
              kind: 'commit' as const,
              peeled: (attribute?.replace('peeled:', '') as ObjectId | undefined) ?? null,
            },
          ],
    );
    const [oid] = lines.find(([, name]) => name === 'HEAD') ?? [];
    const head: Head = {
      ref: 'refs/heads/main' as RefName,
      oid: oid === 'unborn' ? undefined : (oid as ObjectId | undefined),
    };
    const asked = prefixTest(parsed.prefixes)('HEAD') ? head : undefined;
    expect(Buffer.from(await gathered(writeLsRefsResponse(parsed, sliced(refs), asked)))).toEqual(
      Buffer.from(response),
    );
  });

  it('GIT-090: takes no other argument', async () => {
    await expect(parse(wireText('command=ls-refs', 'delim', 'peels\n', 'flush'))).rejects.toThrow(
      "unexpected line: 'peels'",
    );
    expect(await parse(wireText('command=ls-refs\n', 'flush'))).toEqual({
      command: 'ls-refs',
      peel: false,
      symrefs: false,
      unborn: false,
      prefixes: [],
    });
  });
});

const shortNames = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '🎉', '\uffee'), maxLength: 5 });

it('GIT-091: takes 65,536 prefixes or more for none, as Git does', async () => {
  const lines = (count: number): string => line('ref-prefix refs/heads/a\n').repeat(count);
  const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
  const request = (count: number): Promise<LsRefsRequest> =>
    parse(`${line('command=ls-refs\n')}${line('object-format=sha1')}0001${lines(count)}0000`);
  expect((await request(65_535)).prefixes).toHaveLength(65_535);
  expect((await request(65_536)).prefixes).toEqual([]);
  expect((await request(70_000)).prefixes).toEqual([]);
});

describe('prefixTest', () => {
  property.prop([fc.array(shortNames, { maxLength: 30 }), fc.array(shortNames, { maxLength: 30 })])(
    'GIT-091: is startsWith with any of the prefixes',
    (some, names) => {
      const test = prefixTest(some);
      for (const name of names)
        expect(test(name)).toBe(some.length === 0 || some.some((prefix) => name.startsWith(prefix)));
    },
  );
});
