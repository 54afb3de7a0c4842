import { fc, it as property } from '@fast-check/vitest';
import { exchangeBody, readRecordings } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { parseCommandRequest, type CommandRequest } from './command-request.ts';
import { servedFeatures, type Feature } from '../features.ts';
import type { FetchRequest } from './fetch-request.ts';
import { cut, listed, packetsOf, readerOf, wireText } from '../packets.test.util.ts';
import { MalformedRequestError, RequestRefusedError } from '../request-error.ts';
import { encodeRefusal } from '../sideband-all.ts';
import { parseUploadRequest } from './upload-request.ts';

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const every = new Set<Feature>(['shallow', 'filter', 'ref-in-want', 'sideband-all', 'wait-for-done', 'object-info']);
const nothing: ReadonlySet<Feature> = new Set();
const command = (...lines: readonly string[]): Promise<CommandRequest | undefined> =>
  parseCommandRequest(readerOf(wireText(...lines)), servedFeatures);

async function fetch(
  features: ReadonlySet<Feature>,
  ...lines: readonly string[]
): Promise<ReturnType<typeof listed<FetchRequest>>> {
  const request = await parseCommandRequest(readerOf(wireText('command=fetch', 'delim', ...lines, 'flush')), features);
  if (request?.command !== 'fetch') throw new Error('not fetch');
  return listed(request);
}

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

describe('commands, as recorded', () => {
  it.each(posts.filter(({ version }) => version === 2))(
    'GIT-090, GIT-093: $scenario v$version, request $at',
    async ({ body, text }) => {
      const request = await parseCommandRequest(readerOf(...cut(body, [1, 77, 78, 400])), every);
      if (request?.command !== 'fetch') return expect(text).toContain('command=ls-refs');
      expect(request).toMatchObject({
        thinPack: true,
        ofsDelta: true,
        noProgress: true,
        includeTag: text.includes('include-tag'),
        done: text.includes('0009done\n'),
      });
      expect([...request.wants]).toEqual(idsAfter('want', text));
      expect([...request.haves]).toEqual(idsAfter('have', text));
    },
  );

  property.prop([
    fc.constantFrom(...posts.filter(({ version }) => version === 2)),
    fc.nat(),
    fc.nat(255),
    fc.array(fc.nat(), { maxLength: 5 }),
  ])(
    'GIT-016, GIT-017: one byte changed is read, malformed or refused, nothing else',
    async ({ body }, place, value, cuts) => {
      const changed = Uint8Array.from(body);
      changed[place % body.length] = value;
      const reader = readerOf(...cut(changed, cuts));
      const result = await parseCommandRequest(reader, every).catch((error: unknown) => error);
      if (!(result instanceof Error)) return;
      expect([MalformedRequestError, RequestRefusedError]).toContain(result.constructor);
      if (result instanceof RequestRefusedError) expect(result.text).toMatch(/^[^\p{Cc}]{1,400}$/u);
    },
  );
});

const knownWords = [
  ...'size done thin-pack sideband-all wait-for-done peel unborn deepen-relative delim'.split(' '),
  ...'deepen 1,deepen-since 5,deepen-not x,filter tree:0,want-ref HEAD,ref-prefix refs/'.split(','),
  ...['want', 'have', 'oid', 'shallow'].map((word) => `${word} ${one}`),
];
const argumentsOfAny = fc.oneof(
  fc.constantFrom(...knownWords),
  fc
    .tuple(fc.constantFrom('want-ref', 'oid', 'filter', 'deepen-not', 'want'), fc.string())
    .map((words) => words.join(' ')),
  fc.constantFrom('want-ref', 'oid', 'x').map((word) => `${word} ${'\u{1f600}\n'.repeat(9000)}`),
);

describe('requests of any arguments', () => {
  property.prop([
    fc.constantFrom('fetch', 'ls-refs', 'object-info'),
    fc.array(argumentsOfAny, { maxLength: 8 }),
    fc.constantFrom(every, nothing, servedFeatures),
  ])(
    'GIT-016, GIT-017: are read, malformed or refused in one packet, in band 3 for a fetch with sideband-all alone',
    async (name, lines, features) => {
      const body = wireText(`command=${name}`, 'delim', ...lines, 'flush');
      const result = await parseCommandRequest(readerOf(body), features).catch((error: unknown) => error);
      if (!(result instanceof Error)) return;
      expect([MalformedRequestError, RequestRefusedError]).toContain(result.constructor);
      if (!(result instanceof RequestRefusedError)) return;
      const banded = name === 'fetch' && features.has('sideband-all') && lines.includes('sideband-all');
      expect(result.sidebandAll).toBe(banded);
      const [packet, ...more] = packetsOf(encodeRefusal(result.text, result.sidebandAll));
      expect([packet?.startsWith(banded ? '\x03' : 'ERR '), more]).toEqual([true, []]);
      expect(result.text).toMatch(/^[^\p{Cc}]{1,1100}$/u);
    },
  );
});

describe('bounds of a request, when they are switched on', () => {
  it('GIT-072 to GIT-076: are read in every version', async () => {
    const lines = [
      `shallow ${one}`,
      `shallow ${two}`,
      'deepen-since 1700000000',
      'deepen-not v1',
      'deepen-not HEAD',
      'deepen-not v1',
      'filter blob:none',
    ];
    const expected = {
      shallow: [one, two],
      filter: 'blob:none',
      depth: { deepen: undefined, relative: false, since: 1_700_000_000, not: ['v1', 'HEAD'] },
    };
    expect(await fetch(every, ...lines)).toMatchObject(expected);
    expect(listed(await parseUploadRequest(readerOf(wireText(`want ${one}`, ...lines, 'flush')), every))).toMatchObject(
      expected,
    );
    const relative = { depth: { deepen: 3, relative: true } };
    expect(await fetch(every, 'deepen 3', 'deepen-relative')).toMatchObject(relative);
    expect(
      await parseUploadRequest(readerOf(wireText(`want ${one} deepen-relative`, 'deepen 3', 'flush')), every),
    ).toMatchObject(relative);
  });

  it('GIT-072: ignores a depth of 0', async () => {
    expect((await fetch(every, 'deepen 0')).depth).toBeUndefined();
    expect((await fetch(every, 'deepen 2147483647')).depth?.deepen).toBe(2_147_483_647);
  });

  it.each([
    'deepen -1',
    'deepen x',
    'deepen ',
    'deepen 2147483648',
    'deepen-since 1e9',
    `deepen-since ${'9'.repeat(17)}`,
  ])('refuses %j', async (line) => {
    await expect(fetch(every, line)).rejects.toThrow(RequestRefusedError);
  });

  it('GIT-073: count and selection exclude each other', async () => {
    const text = 'deepen and deepen-since (or deepen-not) cannot be used together';
    await expect(fetch(every, 'deepen 1', 'deepen-since 1')).rejects.toThrow(text);
    await expect(fetch(every, 'deepen 1', 'deepen-not x')).rejects.toThrow(text);
  });
});

describe('parseCommandRequest', () => {
  it('GIT-090: a lone flush asks for nothing', async () => {
    expect(await command('flush')).toBeUndefined();
  });

  it('GIT-090: a command without arguments needs no delimiter', async () => {
    expect(await command('command=fetch', 'agent=x', 'object-format=sha1', 'session-id=y', 'flush')).toMatchObject({
      command: 'fetch',
      wants: { length: 0 },
      done: false,
    });
  });

  it('GIT-093: reads what fetch takes', async () => {
    const lines = [
      `want ${one}\n`,
      `want ${two}`,
      `have ${three}`,
      'thin-pack',
      'no-progress\n',
      'include-tag',
      'ofs-delta',
      'done',
    ];
    expect(await fetch(servedFeatures, ...lines)).toEqual({
      command: 'fetch',
      wants: [one, two],
      haves: [three],
      wantRefs: [],
      done: true,
      thinPack: true,
      ofsDelta: true,
      includeTag: true,
      noProgress: true,
      sidebandAll: false,
      waitForDone: false,
      shallow: [],
      depth: undefined,
      filter: undefined,
    });
    expect(await fetch(every, 'want-ref refs/heads/a', 'want-ref HEAD', 'sideband-all', 'wait-for-done')).toMatchObject(
      {
        wantRefs: ['refs/heads/a', 'HEAD'],
        sidebandAll: true,
        waitForDone: true,
      },
    );
  });

  it.each([
    'shallow 1',
    'deepen 1',
    'deepen-relative',
    'deepen-since 1',
    'deepen-not x',
    'filter blob:none',
    'want-ref refs/heads/a',
    'sideband-all',
    'wait-for-done',
    'packfile-uris https',
    'Done',
    '',
  ])('GIT-048, GIT-090: does not know %j before it is switched on', async (line) => {
    await expect(fetch(nothing, line)).rejects.toThrow(new RequestRefusedError(`unexpected line: '${line}'`));
  });

  it.each([
    [['command=frotz', 'flush'], "unknown command 'frotz'"],
    [['command=fetch', 'server-option=x', 'flush'], "unknown capability 'server-option'"],
    [['command=fetch', 'hello', 'flush'], "unknown capability 'hello'"],
    [['command=fetch', 'object-format=sha256', 'flush'], "unsupported object format 'sha256'"],
    [['command=fetch', 'delim', `want ${one}${one.slice(16)}`, 'flush'], "unsupported object format 'sha256'"],
    [['command=fetch', 'delim', 'want 12', 'flush'], "unexpected line: 'want 12'"],
    [['agent=x', 'flush'], 'no command requested'],
    [['command=fetch', 'command=ls-refs', 'flush'], 'more than one command requested'],
  ])('GIT-048, GIT-050, GIT-090: refuses %j', async (lines, text) => {
    await expect(command(...lines)).rejects.toThrow(new RequestRefusedError(text));
  });

  it('GIT-017, GIT-048: so does that of a capability that was not offered', async () => {
    const asked = parseCommandRequest(
      readerOf(wireText('command=fetch', 'hello', 'delim', 'sideband-all', 'flush')),
      every,
    );
    await expect(asked).rejects.toEqual(new RequestRefusedError("unknown capability 'hello'", true));
  });

  it('GIT-048, GIT-100: knows object-info once it is switched on', async () => {
    const asked = (features: ReadonlySet<Feature>): ReturnType<typeof parseCommandRequest> =>
      parseCommandRequest(readerOf(wireText('command=object-info', 'delim', 'size', `oid ${one}`, 'flush')), features);
    await expect(asked(nothing)).rejects.toThrow(new RequestRefusedError("unknown command 'object-info'"));
    const request = await asked(every);
    if (request?.command !== 'object-info') throw new Error('not object-info');
    expect([request.size, ...request.ids]).toEqual([true, one]);
  });

  it('GIT-098: refuses a ref that is wanted twice, in one line for a name of any length', async () => {
    await expect(fetch(every, 'want-ref HEAD', 'want-ref HEAD')).rejects.toThrow('duplicate want-ref HEAD');
    const longest = `refs/heads/${'x'.repeat(1013)}`;
    const twice = async (ref: string): Promise<unknown> => fetch(every, `want-ref ${ref}`, `want-ref ${ref}`);
    await expect(twice(longest)).rejects.toThrow(new RequestRefusedError(`duplicate want-ref ${longest}`));
    await expect(twice(`\n${longest}`)).rejects.toThrow(
      new RequestRefusedError(`duplicate want-ref ?${longest.slice(0, 1023)}...`),
    );
  });

  it.each([
    ['before it', ['sideband-all', 'frotz'], true],
    ['behind it', ['frotz', 'sideband-all\n'], true],
    ['nowhere', ['frotz', 'sideband-all '], false],
    ['in what is refused as a whole', ['deepen 1', 'deepen-not x', 'sideband-all'], true],
  ])('GIT-017: a refusal reports sideband-all %s', async (_, lines, sidebandAll) => {
    await expect(fetch(every, ...lines)).rejects.toMatchObject({ name: 'RequestRefusedError', sidebandAll });
    const others = [
      ['command=ls-refs', 'delim', ...lines],
      ['command=object-info', 'delim', ...lines],
    ];
    for (const other of others) {
      const asked = parseCommandRequest(readerOf(wireText(...other, 'flush')), every);
      await expect(asked).rejects.toMatchObject({ name: 'RequestRefusedError', sidebandAll: false });
    }
    const without = new Set<Feature>(['shallow']);
    await expect(fetch(without, ...lines)).rejects.toMatchObject({ name: 'RequestRefusedError', sidebandAll: false });
  });

  it.each([
    ['a second delimiter', wireText('command=fetch', 'delim', 'delim', 'flush')],
    ['no flush', wireText('command=fetch', 'delim', 'done')],
    ['no flush after the command', wireText('command=fetch')],
    ['no body', ''],
    ['broken framing after what is refused', `${wireText('command=frotz', 'delim', 'x')}0002`],
  ])('GIT-008, GIT-016: %s is malformed', async (_, text) => {
    await expect(parseCommandRequest(readerOf(text), servedFeatures)).rejects.toThrow(MalformedRequestError);
  });
});
