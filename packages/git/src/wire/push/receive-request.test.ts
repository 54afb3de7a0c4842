import { fc, it as property } from '@fast-check/vitest';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import { exchangeBody, readRecordings } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { bandOf, bytesOf, cut, packetsOf, readerOf, wireText } from '../packets.test.util.ts';
import { parseReceiveRequest, type ReceiveRequest } from './receive-request.ts';
import { writeReport } from './report.ts';
import { MalformedRequestError } from '../request-error.ts';

const [zero, one, two] = ['0', '1', '2'].map((digit) => digit.repeat(40)) as [string, string, string];
const parse = (...lines: readonly string[]): Promise<ReceiveRequest> =>
  parseReceiveRequest(readerOf(wireText(...lines)));

const pushes = readRecordings().flatMap(({ scenario, version, exchanges }) =>
  exchanges
    .filter(({ request }) => request.method === 'POST' && request.target.endsWith('git-receive-pack'))
    .map(({ request, response }) => ({
      scenario,
      version,
      request: exchangeBody(request.body),
      response: exchangeBody(response.body),
    })),
);

describe('pushes, as recorded', () => {
  it.each(pushes)(
    'GIT-110, GIT-111: $scenario v$version is read up to its pack',
    async ({ scenario, request: body }) => {
      const reader = readerOf(...cut(body, [3, 50, 61, 200, 300]));
      const request = await parseReceiveRequest(reader);
      expect(request.refusal).toBeUndefined();
      expect(request).toMatchObject({
        report: 'report-status-v2',
        sideBand: 'side-band-64k',
        quiet: true,
        atomic: scenario.includes('atomic'),
      });
      expect(request.commands.length).toBeGreaterThan(0);
      expect(request.pushOptions.map((option) => Buffer.from(option).toString())).toEqual(
        scenario.includes('options') ? ['first option', 'second=größe'] : [],
      );
      const pack = await bytesOf(reader.rest());
      const deletesOnly = request.commands.every((command) => command.new === null);
      expect(pack.toString('latin1', 0, 4)).toBe(deletesOnly ? '' : 'PACK');
      for (const command of request.commands) expect(command.name).toBe(Buffer.from(command.ref).toString());
    },
  );

  it.each(pushes)(
    'GIT-112, GIT-113, GIT-115: the report of $scenario v$version is written the same',
    async ({ request: body, response }) => {
      const request = await parseReceiveRequest(readerOf(body));
      const [unpack, ...lines] = packetsOf(bandOf(packetsOf(response), 1))
        .slice(0, -1)
        .map((line) => line.trimEnd());
      const results = lines.map((line, at) => {
        const ref = request.commands[at]?.ref as Uint8Array;
        return line.startsWith('ok ') ? { ref } : { ref, reason: line.slice('ng '.length + ref.length + 1) };
      });
      const written = writeReport(request, { unpack: unpack?.slice('unpack '.length) as string, results });
      const report = packetsOf(response).filter((packet) => !packet.startsWith('\x02'));
      expect(packetsOf(written)).toEqual(report);
    },
  );
});

describe('parseReceiveRequest', () => {
  it('GIT-110: reads shallow lines, commands, options and stops at the pack', async () => {
    const reader = readerOf(
      wireText(
        `shallow ${one}\n`,
        `${zero} ${one} refs/heads/a\0 report-status push-options atomic\n`,
        `${one} ${zero} refs/heads/b\n`,
        `${one} ${two} refs/heads/c`,
        'flush',
        'option\n',
        '',
        'flush',
      ),
      'PACK',
    );
    expect(await parseReceiveRequest(reader)).toEqual({
      commands: [
        { old: null, new: one, name: 'refs/heads/a', ref: Buffer.from('refs/heads/a') },
        { old: one, new: null, name: 'refs/heads/b', ref: Buffer.from('refs/heads/b') },
        { old: one, new: two, name: 'refs/heads/c', ref: Buffer.from('refs/heads/c') },
      ].map(({ ref, ...command }) => ({ ...command, ref: new Uint8Array(ref) })),
      report: 'report-status',
      sideBand: 'none',
      atomic: true,
      quiet: false,
      shallow: [one],
      pushOptions: [Uint8Array.from(Buffer.from('option')), new Uint8Array(0)],
      refusal: undefined,
    });
    expect((await bytesOf(reader.rest())).toString()).toBe('PACK');
  });

  it('GIT-013, GIT-110: a lone flush and shallow lines alone ask for nothing', async () => {
    expect((await parse('flush')).commands).toEqual([]);
    expect((await parse(`shallow ${one}`, 'flush')).commands).toEqual([]);
  });

  it.each(['HEAD', 'refs/x', 'refs/heads/a..b', 'refs/heads/a\nb'])(
    'GIT-120, GIT-121: keeps the funny name %j for the report',
    async (name) => {
      const { commands, refusal } = await parse(`${zero} ${one} ${name}\0report-status`, 'flush');
      expect(commands).toMatchObject([{ name: undefined }]);
      expect(Buffer.from(commands[0]?.ref as Uint8Array).toString()).toBe(name);
      expect(refusal).toBeUndefined();
    },
  );

  it.each([
    ['no delimiter', wireText('delim')],
    ['a body that ends early', wireText(`${zero} ${one} refs/heads/a\0`)],
    ['options that end early', wireText(`${zero} ${one} refs/heads/a\0push-options`, 'flush', 'option')],
    ['no body at all', ''],
    ['an id of 39 digits', wireText(`${zero} ${one.slice(1)} refs/heads/a`, 'flush')],
    ['capital letters', wireText(`${zero} ${'A'.repeat(40)} refs/heads/a`, 'flush')],
    ['no name', wireText(`${zero} ${one} `, 'flush')],
    ['no ref at all', wireText(`${zero} ${one}`, 'flush')],
    ['a bad shallow line', wireText('shallow 12', 'flush')],
    ['a shallow line with more', wireText(`shallow ${one}1`, 'flush')],
  ])('GIT-016: refuses %s', async (_, text) => {
    await expect(parseReceiveRequest(readerOf(text))).rejects.toThrow(MalformedRequestError);
  });

  it('LIM-054: refuses too many commands in the report', async () => {
    const lines = Array.from({ length: 4 }, (_, at) => `${zero} ${one} refs/heads/b${at}`);
    const read = (commandsMax: number): Promise<ReceiveRequest> =>
      parseReceiveRequest(readerOf(wireText(...lines, 'flush')), { commandsMax });
    expect((await read(4)).refusal).toBeUndefined();
    const request = await read(3);
    expect(request.refusal).toEqual({
      reason: 'too many ref updates: limit 3 (push_commands_max)',
      commandReason: 'too many ref updates',
    });
    expect(request.commands).toHaveLength(4);
  });

  it('LIM-054: refuses names that are too long together, and keeps no more of them', async () => {
    const lines = (name: number): string[] =>
      Array.from({ length: 10_000 }, (_, at) => `${zero} ${one} refs/tags/${String(at).padStart(name - 10, 'x')}`);
    expect((await parse(...lines(128), 'flush')).refusal).toBeUndefined();
    const long = await parse(...lines(1_000), 'flush');
    expect(long.refusal).toEqual({
      reason: 'too many ref updates: limit 2100000 bytes (push_commands_max)',
      commandReason: 'too many ref updates',
    });
    expect(long.commands).toHaveLength(1_940);
    const [one1024] = lines(1_024) as [string];
    expect(
      (await parseReceiveRequest(readerOf(wireText(one1024, 'flush')), { commandsMax: 1 })).refusal,
    ).toBeUndefined();
  });

  it('LIM-059: keeps no more of the shallow lines than fits', async () => {
    const line = wireText(`shallow ${one}`);
    const shallow = await parseReceiveRequest(
      readerOf(line.repeat(400_000), wireText(`${zero} ${one} refs/heads/a`, 'flush')),
    );
    expect(shallow.refusal?.reason).toBe('not enough memory');
    expect(shallow.shallow.length).toBeLessThan(350_000);
    expect(shallow.commands).toHaveLength(1);
  });

  it('LIM-059: asks for room beyond what every push has, and can tell a push that is refused for that', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => `${zero} ${one} refs/heads/${at}${'x'.repeat(1_000)}`);
    let told = 0;
    const count = (bytes: number): undefined => void (told += bytes);
    const full = (needed: number): NotEnoughMemoryError =>
      new NotEnoughMemoryError({ needed, limit: 10, setting: 'memory_max', isTemporary: true });
    expect((await parseReceiveRequest(readerOf(wireText(...lines, 'flush')), {}, count)).refusal).toBeUndefined();
    expect(told).toBeGreaterThan(200 * 3_000 - 64 * 1024);
    const refused = await parseReceiveRequest(readerOf(wireText(...lines, 'flush')), {}, full);
    expect(refused.refusal).toEqual({
      reason: expect.stringMatching(/^not enough memory now, try again: \d+ bytes, limit 10 \(memory_max\)$/),
      commandReason: 'not enough memory',
    });
    expect(refused.commands.length).toBeGreaterThan(10);
    expect(refused.commands.length).toBeLessThan(25);
    const long = wireText(`${zero} ${one} refs/heads/${'x'.repeat(65_000)}`, 'flush');
    expect(await parseReceiveRequest(readerOf(long), {}, full)).toMatchObject({
      commands: [{ old: null, new: one }],
      refusal: { commandReason: 'not enough memory' },
    });
  });

  it('LIM-058: refuses too many or too long push options in the report', async () => {
    const read = (options: readonly string[]): Promise<ReceiveRequest> =>
      parse(`${zero} ${one} refs/heads/a\0push-options`, 'flush', ...options, 'flush');
    const full = Array.from({ length: 64 }, () => 'o'.repeat(1024));
    expect((await read(full)).pushOptions).toHaveLength(64);
    const commandReason = 'too many push options';
    const reason = `${commandReason}: limit 64 (push_options_max) of 1024 bytes each (push_option_bytes_max)`;
    expect((await read([...full, 'x'])).refusal).toEqual({ reason, commandReason });
    expect((await read(['o'.repeat(1025)])).refusal?.reason).toBe(reason);
    expect((await read(['o'.repeat(1025)])).pushOptions).toEqual([]);
  });

  it('GIT-050: another object format is refused in the report', async () => {
    const refusal = { reason: "unsupported object format 'sha256'", commandReason: 'unpacker error' };
    expect((await parse(`${zero} ${one} refs/heads/a\0object-format=sha256`, 'flush')).refusal).toEqual(refusal);
    const long = await parse(`${'0'.repeat(64)} ${'1'.repeat(64)} refs/heads/a\0report-status`, 'flush');
    expect(long.refusal).toEqual(refusal);
    expect(long.commands).toMatchObject([{ name: 'refs/heads/a' }]);
    expect((await parse(`${zero} ${one} refs/heads/a\0object-format=sha1`, 'flush')).refusal).toBeUndefined();
  });

  it('GIT-048: a signed push is refused in the report, which names its commands', async () => {
    const request = await parse(
      'push-cert\0report-status side-band-64k push-options\n',
      'certificate version 0.1\n',
      'pusher key 1700000000 +0000\n',
      'nonce x\n',
      '\n',
      `${zero} ${one} refs/heads/a\n`,
      `${one} ${two} refs/heads/b\n`,
      '-----BEGIN PGP SIGNATURE-----\n',
      'abc\n',
      '-----END PGP SIGNATURE-----\n',
      'push-cert-end\n',
      'flush',
      'option',
      'flush',
    );
    expect(request.refusal).toEqual({ reason: 'push certificates are not supported', commandReason: 'unpacker error' });
    expect(request.commands).toMatchObject([
      { name: 'refs/heads/a', new: one },
      { name: 'refs/heads/b', old: one },
    ]);
    expect(request.report).toBe('report-status');
    expect(request.pushOptions).toHaveLength(1);
  });

  property.prop([fc.constantFrom(...pushes), fc.nat(), fc.nat(255), fc.array(fc.nat(), { maxLength: 5 })])(
    'GIT-016: a request with one byte changed is read or malformed, nothing else',
    async ({ request }, place, value, cuts) => {
      const body = Uint8Array.from(request);
      body[place % body.length] = value;
      const result = await parseReceiveRequest(readerOf(...cut(body, cuts))).catch((error: unknown) => error);
      if (result instanceof Error) expect(result).toBeInstanceOf(MalformedRequestError);
    },
  );
});

describe('writeReport', () => {
  const report = {
    unpack: 'ok',
    results: [
      { ref: Buffer.from('refs/heads/a') },
      { ref: Buffer.from('refs/heads/\xff', 'latin1'), reason: 'funny refname' },
    ],
  };
  const lines = ['unpack ok\n', 'ok refs/heads/a\n', 'ng refs/heads/\xff funny refname\n', 'flush'];

  it('GIT-112: repeats names byte by byte', () => {
    expect(packetsOf(writeReport({ report: 'report-status', sideBand: 'none' }, report))).toEqual(lines);
    expect(packetsOf(writeReport({ report: 'report-status-v2', sideBand: 'none' }, report))).toEqual(lines);
  });

  it('GIT-112, GIT-113: without a report there is only what ends the side-band', () => {
    expect(writeReport({ report: 'none', sideBand: 'none' }, report)).toHaveLength(0);
    expect(packetsOf(writeReport({ report: 'none', sideBand: 'side-band-64k' }, report))).toEqual(['flush']);
  });

  it('GIT-113: a report longer than a packet is split in band 1', () => {
    const results = Array.from({ length: 5000 }, (_, at) => ({ ref: Buffer.from(`refs/heads/branch-${at}`) }));
    const packets = packetsOf(
      writeReport({ report: 'report-status', sideBand: 'side-band-64k' }, { unpack: 'ok', results }),
    );
    expect(packets.length).toBeGreaterThan(2);
    expect(packets.at(-1)).toBe('flush');
    expect(packetsOf(bandOf(packets, 1))).toHaveLength(5002);
  });

  it('GIT-112: every line is a packet, for names of any length', () => {
    const packets = packetsOf(
      writeReport(
        { report: 'report-status', sideBand: 'none' },
        { unpack: 'x\ny', results: [{ ref: Buffer.alloc(65_434, 'a'), reason: 'r'.repeat(3000) }] },
      ),
    );
    expect(packets).toHaveLength(3);
    expect(packets[0]).toBe('unpack x y\n');
    expect(packets[1]?.length).toBe(65_516);
  });
});
