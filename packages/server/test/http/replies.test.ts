import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server.close();
});

/** The whole reply to raw bytes. */
async function ask(head: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(head, 'latin1');
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return text;
}

const rest = '/v4/accounts/local/repos/namespaces';
const close = 'Host: 127.0.0.1\r\nConnection: close\r\n';

describe('replies that no route makes', () => {
  it.each([
    ['TRACE on a REST path', `TRACE ${rest} HTTP/1.1\r\n${close}\r\n`, 405],
    ['TRACE on a Git route', `TRACE /git/local/n/r.git/info/refs HTTP/1.1\r\n${close}\r\n`, 405],
    ['a Host that is none', `GET ${rest} HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n`, 400],
    ['a target that is none', `OPTIONS * HTTP/1.1\r\n${close}\r\n`, 400],
    ['no request at all', 'hello\r\n\r\n', 400],
    ['a head that is too long', `GET ${rest} HTTP/1.1\r\n${close}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['an expectation that nobody knows', `GET ${rest} HTTP/1.1\r\n${close}Expect: wonders\r\n\r\n`, 401],
  ])('REPO-007: the reply to %s has one request id', async (_, head, status) => {
    const reply = await ask(head);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply.match(/^x-ray-id: [0-9a-f]{16}-LOC\r$/gim)).toHaveLength(1);
  });

  it('REPO-008, REPO-039: TRACE on a REST path is 405 in the envelope, with Allow', async () => {
    const [head, body] = (await ask(`TRACE ${rest} HTTP/1.1\r\n${close}\r\n`)).split('\r\n\r\n');
    expect(head).toMatch(/^allow: POST, GET, HEAD$/im);
    expect(JSON.parse(body ?? '')).toMatchObject({ success: false, errors: [{ code: 7001 }] });
  });

  it('REPO-039: HEAD has the headers of GET', async () => {
    for (const path of [rest, '/healthz', '/none', '/openapi.json', '/docs']) {
      const authorization = `Authorization: Bearer ${server.apiToken}\r\n`;
      const get = await ask(`GET ${path} HTTP/1.1\r\n${close}${authorization}\r\n`);
      const head = await ask(`HEAD ${path} HTTP/1.1\r\n${close}${authorization}\r\n`);
      const [headers, body] = get.split('\r\n\r\n');
      const stable = (text = ''): string[] => text.split('\r\n').filter((line) => !/^(?:date|x-ray-id):/i.test(line));
      expect(stable(head.split('\r\n\r\n')[0])).toEqual(stable(headers));
      expect(head).toContain(`content-length: ${Buffer.byteLength(body ?? '', 'latin1')}\r\n`);
    }
  });

  it('REPO-009: the log shows no token of an address', async () => {
    const token = `rht_v1_${'0123456789abcdef'.repeat(3).slice(0, 40)}`;
    await ask(`GET /v4/accounts/${token}/repos/namespaces HTTP/1.1\r\n${close}\r\n`);
    await ask(`GET http://someone:PASSWORD@127.0.0.1/git/${token}/n/r.git/info/refs HTTP/1.1\r\n${close}\r\n`);
    const logged = (): number => server.requests.filter(({ path }) => String(path).includes('***')).length;
    await expect.poll(logged).toBe(2);
    expect(JSON.stringify(server.requests)).not.toMatch(/0123456789|PASSWORD/);
  });
});
