import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packhouse, startServer, type Server } from './program.ts';
import { findProgram } from '../../src/runtimes/find-program.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const apiToken = 'test-token-that-is-long-enough-0123456789';
const env = { PACKHOUSE_API_TOKEN: apiToken };

let root: string;
let servers: Server[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-serve-runtimes-'));
});

afterEach(async () => {
  await Promise.all(
    servers.map(async ({ child }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }),
  );
  servers = [];
  rmSync(root, { recursive: true, force: true });
});

async function serve(runtime: string, args: readonly string[] = []): Promise<Server> {
  const server = await startServer(['--data', join(root, 'data'), '--runtime', runtime, ...args], env);
  servers.push(server);
  return server;
}

describe.each(['deno', 'bun'] as const)('serve --runtime %s', (runtime) => {
  it(`becomes ${runtime} in the same process, and passes the token only through the environment`, async () => {
    const server = await serve(runtime);
    expect(server.ready).toMatchObject({
      event: 'listening',
      account: 'local',
      pid: server.child.pid,
      tokenFile: null,
    });
    const commandLine = readFileSync(`/proc/${server.child.pid}/cmdline`, 'latin1');
    expect(commandLine).toMatch(new RegExp(`^[^\0]*${runtime}`));
    expect(commandLine).not.toContain(apiToken);
    const { code, out } = await packhouse(['repo', 'create', 'one', '--url', server.ready.url], { env });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('one') });
    expect(await server.stop()).toBe(0);
    expect(server.err()).toMatch(/"event":"request".*"status":201/);
    expect(server.err()).toContain('"event":"stopped","cut":0');
    // Only lines of the log: no warning or other text of the runtime.
    for (const line of server.err().trimEnd().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
    expect(server.out().trimEnd().split('\n')).toHaveLength(1);
    expect(server.out() + server.err()).not.toContain(apiToken);
  });

  it(`on ${runtime} reads data written on Node, and vice versa`, async () => {
    for (const [one, name] of [
      ['node', 'first'],
      [runtime, 'second'],
      ['node', 'third'],
    ] as const) {
      const server = await serve(one);
      expect((await packhouse(['repo', 'create', name, '--url', server.ready.url], { env })).code).toBe(0);
      await server.stop();
    }
    const server = await serve(runtime);
    const list = await packhouse(
      ['repo', 'list', '--json', '--sort', 'name', '--direction', 'asc', '--url', server.ready.url],
      { env },
    );
    expect(list.out.match(/"name":"(?:first|second|third)"/g)).toHaveLength(3);
  });

  it('runs no code from the working directory', async () => {
    const ran = join(root, 'ran');
    writeFileSync(
      join(root, 'strange.mjs'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync('${ran}', '');\n`,
    );
    writeFileSync(join(root, 'bunfig.toml'), 'preload = ["./strange.mjs"]\n');
    writeFileSync(join(root, 'deno.json'), '{"imports":{"node:sqlite":"./strange.mjs"}}');
    const server = await startServer(['--data', join(root, 'data'), '--runtime', runtime], env, root);
    servers.push(server);
    expect(await server.stop()).toBe(0);
    expect(existsSync(ran)).toBe(false);
  });

  it('serves HTTPS', async () => {
    const pem = (kind: string): string =>
      fileURLToPath(import.meta.resolve(`../../../server/test/sockets/localhost.test.${kind}.pem`));
    const server = await serve(runtime, ['--tls-cert', pem('cert'), '--tls-key', pem('key')]);
    expect(server.ready.url).toMatch(/^https:/);
    const [reply] = (await once(
      get(`${server.ready.url}/healthz`, { ca: readFileSync(pem('cert')), checkServerIdentity: () => undefined }),
      'response',
    )) as [{ statusCode: number; headers: Record<string, string>; resume: () => void }];
    reply.resume();
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['x-ray-id']).toMatch(/^[0-9a-f]{16}-LOC$/);
  });

  it('refuses to start for the same reasons as on Node', async () => {
    const server = await serve(runtime);
    const refused = async (...args: string[]): Promise<{ code: number | null; message: string | undefined }> => {
      const { code, err } = await packhouse(['serve', '--runtime', runtime, '--port', '0', ...args], { env });
      return { code, message: /^error: (.*)$/m.exec(err)?.[1] };
    };
    expect(await refused('--data', join(root, 'data'))).toEqual({
      code: 6,
      message: `The data folder ${join(root, 'data')} is in use by process ${server.child.pid}.`,
    });
    const { port } = new URL(server.ready.url);
    expect(await refused('--data', join(root, 'other'), '--port', port)).toEqual({
      code: 6,
      message: `Port ${port} on 127.0.0.1 is already in use.`,
    });
    expect((await refused('--data', join(root, 'other'), '--host', '192.0.2.1')).message).toMatch(
      /^Cannot listen on 192\.0\.2\.1 port 0 \(/,
    );
    writeFileSync(join(root, 'x.pem'), 'x');
    const pem = ['--tls-cert', join(root, 'x.pem'), '--tls-key', join(root, 'x.pem')];
    expect(await refused('--data', join(root, 'other'), ...pem)).toEqual({
      code: 6,
      message: 'The TLS certificate and key cannot be used.',
    });
  });

  it('finishes a running request after SIGTERM, and cuts it at the end of the grace period', async () => {
    const config = join(root, 'c.json');
    writeFileSync(config, '{"shutdown_grace":1}');
    for (const finishes of [true, false]) {
      const server = await serve(runtime, ['--config', config]);
      const ended = once(server.child, 'close');
      const body = `{"name":"slow"}`;
      const socket = connect(Number(new URL(server.ready.url).port), '127.0.0.1');
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk) => {
        text += String(chunk);
      });
      socket.on('error', () => undefined);
      const gone = new Promise((resolve) => socket.once('close', resolve));
      socket.write(
        `POST /v4/accounts/local/repos/namespaces/default/repos HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiToken}\r\n` +
          `Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      while (!text.includes('100 Continue')) await once(socket, 'data');
      socket.write(body.slice(0, 5));
      server.child.kill('SIGTERM');
      while (!server.err().includes('"event":"stopping"'))
        await once(server.child.stderr as NodeJS.ReadableStream, 'data');
      if (finishes) socket.write(body.slice(5));
      await gone;
      expect(await ended).toEqual([finishes ? 0 : 1, null]);
      if (finishes) expect(text).toMatch(/HTTP\/1\.1 201 /);
      else expect(text).not.toMatch(/HTTP\/1\.1 [2-5]/);
      expect(server.err()).toContain(`"event":"stopped","cut":${finishes ? 0 : 1}`);
    }
  });

  it(`is the default runtime if ${runtime} runs the command`, async () => {
    const program = findProgram(
      runtime === 'deno'
        ? { name: 'deno', inPackage: 'deno', tellPath: ['eval', 'console.log(Deno.execPath())'] }
        : { name: 'bun', inPackage: 'bin/bun.exe', tellPath: ['-e', 'console.log(process.execPath)'] },
      process.env,
    );
    const before = runtime === 'deno' ? ['run', '-A'] : [];
    const child = spawn(
      program as string,
      [...before, main, 'serve', '--json', '--port', '0', '--data', join(root, 'data')],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const ended = once(child, 'close');
    let out = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      out += String(chunk);
      if (out.includes('\n')) child.kill('SIGTERM');
    }
    expect(JSON.parse(out)).toMatchObject({ event: 'listening', pid: child.pid });
    expect(await ended).toEqual([0, null]);
  });
});
