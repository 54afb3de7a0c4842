import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HttpStep } from '../../evidence/evidence.ts';
import { flush, packet } from '../../tools/wire-client.ts';
import { anyText } from '../../tools/hostile-report.ts';
import { lineDiff } from './line-diff.ts';
import { packetRows } from './pkt-lines.ts';
import { shellCommand } from './shell-command.ts';

it('a difference has all lines of both sides in order, and no common line twice', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (expected, seen) => {
      const lines = lineDiff(expected, seen);
      const side = (sign: string): string =>
        lines
          .filter((line) => line.sign === ' ' || line.sign === sign)
          .map((line) => line.text)
          .join('\n');
      expect([side('-'), side('+')]).toEqual([expected, seen]);
    }),
  );
  expect(
    lineDiff('a\nb\nc', 'a\nx\nc')
      .map(({ sign }) => sign)
      .join(''),
  ).toBe(' -+ ');
});

it('packets are decoded: refs, commands, bands, packs, reports of pushes, and other bytes', () => {
  const oid = '1'.repeat(40);
  const pack = Buffer.from('5041434b0000000200000003aabb', 'hex');
  const band = (number: number, data: Uint8Array | string): Buffer =>
    packet(Buffer.concat([Buffer.from([number]), Buffer.from(data)]));
  const body = Buffer.concat([
    packet(`${oid} HEAD\0side-band-64k agent=x\n`),
    Buffer.from('00010002'),
    packet(`${oid} ${oid} refs/heads/main`),
    band(2, 'Counting\n'),
    band(1, pack),
    band(1, Buffer.concat([packet('unpack ok\n'), flush])),
    band(3, 'no space'),
    packet('ERR no such repo'),
    flush,
    pack,
  ]);
  expect(packetRows(body).map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    `ref: ${oid} HEAD`,
    'capabilities: side-band-64k agent=x',
    'delimiter: ',
    'response end: ',
    `command: ${oid} ${oid} refs/heads/main`,
    'band 2, progress: Counting',
    'band 1, data: pack of version 2 with 3 objects; 14 bytes of it',
    'band 1, data: ',
    'within: line: unpack ok',
    'within: flush: ',
    'band 3, error: no space',
    'error: ERR no such repo',
    'flush: ',
    'pack: pack of version 2 with 3 objects; 14 bytes of it',
  ]);
});

it('any bytes are decoded to rows', () => {
  const framed = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => packet(bytes)),
      fc.uint8Array({ maxLength: 6 }),
    ),
  );
  fc.assert(fc.property(framed, (parts) => void packetRows(Buffer.concat(parts))));
  expect(packetRows(Buffer.from('0009hello0004'.repeat(1000))).length).toBe(201);
  let nested: Uint8Array = flush;
  for (let depth = 0; depth < 3000; depth++) nested = packet(Buffer.concat([Buffer.from([1]), nested]));
  expect(packetRows(nested).map(({ kind }) => kind)).toEqual(['band 1, data', 'within: binary']);
});

it('a shell sees the words of a request as they were, and only credentials become variables', () => {
  const word = anyText.map((text) => text.toWellFormed().replaceAll('\0', '') || 'x');
  const made = fc.record({ url: word, name: word.map((text) => `x-${text}`), value: word, text: word });
  fc.assert(
    fc.property(made, ({ url, name, value, text }) => {
      const headers = [
        [name, value],
        ['authorization', 'Bearer $CONFORMANCE_API_TOKEN'],
        ['x', 'a $CONFORMANCE_API_TOKEN'],
      ] as const;
      const step: HttpStep = {
        kind: 'http',
        at: 0,
        milliseconds: 1,
        raw: false,
        method: 'PUT',
        url,
        headers,
        reply: null,
        error: null,
        body: { bytes: 1, text, cut: false, ended: true },
      };
      const command = shellCommand(step) ?? '';
      // A function in place of curl prints its arguments and its input.
      const shell = `curl() { printf '%s\\0' "$@"; case "$*" in *@-*) cat;; esac; }\n${command}`;
      const out = execFileSync('/bin/sh', ['-c', shell], {
        env: { PATH: process.env['PATH'] ?? '', CONFORMANCE_API_TOKEN: 'secret' },
      });
      const words = out.toString().split('\0');
      const literal = /[[\]{}]/.test(url) ? ['-g'] : [];
      expect(words.slice(0, 4 + literal.length)).toEqual(['-i', ...literal, '-X', 'PUT', url]);
      expect(words.filter((_one, index) => words[index - 1] === '-H')).toEqual([
        `${name}: ${value}`,
        'authorization: Bearer secret',
        'x: a $CONFORMANCE_API_TOKEN',
        'content-type:',
      ]);
      expect(words.slice(-2).concat(words.slice(-3)).includes(text)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('a request whose body is not kept whole has no command', () => {
  const step: HttpStep = {
    kind: 'http',
    at: 0,
    milliseconds: 1,
    raw: false,
    method: 'PUT',
    url: 'http://x/',
    headers: [],
    reply: null,
    error: null,
    body: { bytes: 9, text: 'x', cut: true, ended: true },
  };
  expect(shellCommand(step)).toBeUndefined();
  expect(
    shellCommand({
      kind: 'git',
      at: 0,
      milliseconds: 1,
      arguments: ['clone', "it's"],
      credential: true,
      status: 0,
      stdout: null,
      stderr: null,
      error: null,
    }),
  ).toBe(`git -c http.extraHeader="Authorization: Bearer $REPO_TOKEN" clone 'it'\\''s'`);
});
