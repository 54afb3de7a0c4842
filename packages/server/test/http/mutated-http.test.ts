/** Requests of Git whose head and chunks are changed at random: what Node's listener makes of them. */

import { connect } from 'node:net';
import { fc, test } from '@fast-check/vitest';
import { change, pack } from '@packhouse/conformance/tools/made-objects';
import { fetchBody, listedRefs, push, pushBody, set } from '@packhouse/conformance/tools/wire-client';
import { runs } from '@packhouse/fixtures';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
const base = change('base');
const next = change('next', base);
const ref = 'refs/heads/next';

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  // What is shown here is not how many requests are let through.
  server = await startTestServer({ settings: { rate_git: { requests: 1_000_000, seconds: 1 } } });
  repo = await server.createRepo('mutated');
  expect(await push(repo, [set(main, base)], pack(...base.all))).toEqual(['unpack ok', `ok ${main}`]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/** Writes bytes to a connection and ends it; everything that came back. */
function exchangeRaw(bytes: Buffer): Promise<string> {
  const { port, hostname } = new URL(repo.remote);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
    socket.end(bytes);
  });
}

/** Puts other bytes in place of some. */
const edit = fc.record({
  at: fc.oneof(fc.nat(400), fc.nat(2_000)),
  removed: fc.nat(40),
  added: fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.constantFrom('\r\n', '\r\n\r\n', 'chunked', ': ', '0\r\n', 'ffffffff\r\n').map((text) => Buffer.from(text)),
  ),
});

describe('a request of Git', () => {
  test.prop([fc.boolean(), fc.boolean(), fc.array(edit, { minLength: 1, maxLength: 3 })], { numRuns: runs(150) })(
    'GIT-016: whose head and chunks are changed at random does not hurt the server, and moves no ref but as it says',
    async (isPush, isChunked, edits) => {
      const service = isPush ? 'git-receive-pack' : 'git-upload-pack';
      const plain = isPush ? pushBody([set(ref, next)], pack(...next.all)) : fetchBody([base.oid], []);
      const head = [
        `POST ${new URL(repo.remote).pathname}/${service} HTTP/1.1`,
        `host: ${new URL(repo.remote).host}`,
        `authorization: Bearer ${repo.token}`,
        `content-type: application/x-${service}-request`,
        isChunked ? 'transfer-encoding: chunked' : `content-length: ${plain.length}`,
        'connection: close',
      ].join('\r\n');
      const half = plain.length >> 1;
      const chunk = (bytes: Buffer): Buffer =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
      const rest = isChunked
        ? Buffer.concat([chunk(plain.subarray(0, half)), chunk(plain.subarray(half)), Buffer.from('0\r\n\r\n')])
        : plain;
      let sent: Buffer = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), rest]);
      for (const { at, removed, added } of edits) {
        const from = at % (sent.length + 1);
        sent = Buffer.concat([sent.subarray(0, from), added, sent.subarray(from + removed)]);
      }
      const reply = await exchangeRaw(sent);
      for (const [, status] of reply.matchAll(/HTTP\/1\.1 (\d{3})/g)) expect(Number(status)).toBeLessThan(500);

      const { HEAD: _, [main]: still, ...others } = await listedRefs(repo);
      expect(still).toBe(base.oid);
      for (const [name, value] of Object.entries(others)) {
        expect(sent.includes(Buffer.from(`${value} ${name}`, 'latin1'))).toBe(true);
        const back = { old: value, new: '0'.repeat(40), ref: Buffer.from(name, 'latin1') };
        expect((await push(repo, [back]))[1]).toMatch(/^ok /);
      }
    },
  );
});
