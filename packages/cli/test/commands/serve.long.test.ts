import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packhouse, startServer, type Server } from './program.ts';

let root: string;
let servers: Server[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packhouse-serve-'));
});

afterEach(async () => {
  for (const { child } of servers) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  servers = [];
  rmSync(root, { recursive: true, force: true });
});

async function serve(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const server = await startServer(['--data', join(root, 'data'), ...args], env);
  servers.push(server);
  return server;
}

function tokenOf(server: Server): string {
  return readFileSync(server.ready.tokenFile as string, 'utf8').trim();
}

describe('serve', () => {
  it('prints one line when ready and nothing else, names the token file and never shows the token', async () => {
    const server = await serve();
    const token = tokenOf(server);
    expect(server.ready).toEqual({
      event: 'listening',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      account: 'local',
      pid: server.child.pid,
      tokenFile: join(root, 'data', 'api-token'),
    });
    expect(statSync(server.ready.tokenFile as string).mode & 0o777).toBe(0o600);
    const namespaces = `${server.ready.url}/v4/accounts/local/repos/namespaces`;
    expect((await fetch(namespaces, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect((await fetch(`${server.ready.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.ready.url}/readyz`)).status).toBe(200);
    expect(await server.stop()).toBe(0);
    expect(server.out().trimEnd().split('\n')).toHaveLength(1);
    expect(server.out() + server.err()).not.toContain(token);
  });

  it('REPO-009: logs one structured line per request, without query or credential', async () => {
    const server = await serve();
    const secret = `rht_v1_${'ab'.repeat(20)}`;
    const reply = await fetch(
      `${server.ready.url}/git/local/default/${secret}.git/info/refs?service=git-upload-pack&x=hush`,
      {
        headers: { authorization: `Bearer ${secret}` },
      },
    );
    await reply.text();
    await server.stop();
    const lines = server
      .err()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter((line) => line['event'] === 'request')).toEqual([
      expect.objectContaining({
        level: 'info',
        method: 'GET',
        status: reply.status,
        request_id: reply.headers.get('x-ray-id'),
        ms: expect.any(Number),
      }),
    ]);
    expect(server.err()).not.toMatch(/(?:ab){12}|hush|Bearer/);
  });

  it('shows people the URL, the token file and the next steps, and hides the token from a pipe', async () => {
    const server = await serve();
    const port = new URL(server.ready.url).port;
    await server.stop();
    // Without --json the text ends with commands to try. The process is stopped once they have appeared.
    const { spawn } = await import('node:child_process');
    const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, 'serve', '--port', port, '--data', join(root, 'data')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      text += String(chunk);
      if (text.includes('repo list')) child.kill('SIGTERM');
    }
    expect(text).toContain(`Packhouse serves http://127.0.0.1:${port}\n`);
    expect(text).toContain(`API token in ${join(root, 'data', 'api-token')}\n`);
    expect(text).toContain(
      `export PACKHOUSE_URL=http://127.0.0.1:${port} PACKHOUSE_API_TOKEN="$(cat '${join(root, 'data', 'api-token')}')"`,
    );
    expect(text).toContain('\n  npx -y pnpm@12 packhouse repo create hello\n');
    expect(text).toContain(`REST API  http://127.0.0.1:${port}/docs\n`);
    expect(text).not.toContain(tokenOf(server));
  });

  it('keeps token and data across a restart, and prefers PACKHOUSE_API_TOKEN', async () => {
    const first = await serve();
    const token = tokenOf(first);
    expect((await packhouse(['repo', 'create', 'kept', '--url', first.ready.url, '--api-token', token])).code).toBe(0);
    await first.stop();
    const second = await serve();
    expect(tokenOf(second)).toBe(token);
    expect(
      JSON.parse(
        (await packhouse(['repo', 'get', 'kept', '--json', '--url', second.ready.url, '--api-token', token])).out,
      ),
    ).toMatchObject({ name: 'kept' });
    await second.stop();

    const third = await serve([], { PACKHOUSE_API_TOKEN: 'from-the-environment' });
    expect(third.ready.tokenFile).toBeNull();
    const list = async (given: string): Promise<number | null> =>
      (await packhouse(['repo', 'list', '--url', third.ready.url, '--api-token', given])).code;
    expect(await list('from-the-environment')).toBe(0);
    expect(await list(token)).toBe(4);
  });

  it('serves HTTPS, with the configured account, dialect and public URL', async () => {
    const pem = (kind: string): string =>
      fileURLToPath(import.meta.resolve(`../../../server/test/sockets/localhost.test.${kind}.pem`));
    const server = await serve(
      [
        '--tls-cert',
        pem('cert'),
        '--tls-key',
        pem('key'),
        '--account',
        'a1',
        '--dialect',
        'cloudflare',
        '--public-url',
        'https://git.example.com/',
      ],
      { PACKHOUSE_API_TOKEN: 'from-the-environment' },
    );
    expect(server.ready).toMatchObject({ url: 'https://git.example.com', account: 'a1' });
    // The output does not contain the port, so ask the operating system.
    const port = listeningPort(server.child.pid as number);
    const body = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const outgoing = httpsRequest(
        {
          port,
          host: '127.0.0.1',
          ca: readFileSync(pem('cert')),
          method: 'POST',
          path: '/client/v4/accounts/a1/artifacts/namespaces/default/repos',
          headers: { authorization: 'Bearer from-the-environment' },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          incoming.on('end', () => resolve({ status: incoming.statusCode, text }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end('{"name":"secure"}');
    });
    expect(body.status).toBe(201);
    expect((JSON.parse(body.text) as { result: { remote: string } }).result.remote).toBe(
      'https://a1.git.example.com/git/default/secure.git',
    );
  });

  it('names a usable address when it listens on every address', async () => {
    const server = await serve(['--host', '0.0.0.0']);
    expect(server.ready.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${server.ready.url}/healthz`)).status).toBe(200);
    expect(server.err()).toMatch(/"level":"warn".*plain HTTP.*--tls-cert/);
    expect(server.err()).toMatch(/"level":"warn".*which only this machine reaches.*--public-url/);
  });

  it('reads settings, accounts and API tokens from a configuration file', async () => {
    const config = join(root, 'packhouse.json');
    writeFileSync(
      config,
      JSON.stringify({
        site: 'FRA',
        accounts: ['a1', 'a2'],
        repo_name_max: 5,
        api_tokens: [{ token: 'reader-of-account-2', account: 'a2', permissions: ['read'] }],
      }),
    );
    const server = await serve(['--config', config]);
    expect(server.ready.account).toBe('a1');
    const run = async (token: string, ...args: string[]): Promise<{ code: number | null; err: string }> =>
      await packhouse([...args, '--url', server.ready.url, '--api-token', token]);
    expect((await run('reader-of-account-2', 'repo', 'list', '--account', 'a2')).code).toBe(0);
    expect((await run('reader-of-account-2', 'repo', 'create', 'x', '--account', 'a2')).err).toMatch(
      /^error: The API token does not allow this in account "a2"\.\nhint: /,
    );
    expect((await run(tokenOf(server), 'repo', 'create', 'toolong', '--account', 'a1')).code).toBe(3);
    expect((await fetch(`${server.ready.url}/v4/accounts/a1/repos/namespaces`)).headers.get('x-ray-id')).toMatch(
      /-FRA$/,
    );
  });
});

/** Returns the port that a process listens on, from Linux's tables. */
function listeningPort(pid: number): number {
  const listening = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === '0A');
  const inodes = new Map(
    listening.map((columns) => [`socket:[${columns[9]}]`, Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)]),
  );
  for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
    const port = inodes.get(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
    if (port !== undefined) return port;
  }
  throw new Error('listens nowhere');
}

describe('serve refuses to start', () => {
  async function refused(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number | null; message: string; hint: string }> {
    const { code, out, err } = await packhouse(['serve', '--json', ...args], { cwd: root, env });
    expect(out).toBe('');
    const [, message = '', hint = ''] = /^error: (.*)\nhint: (.*)\n$/.exec(err) ?? [];
    expect(message, err).not.toBe('');
    return { code, message, hint };
  }

  it('on a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await refused(['--port', String(port)])).toEqual({
      code: 6,
      message: `Port ${port} on 127.0.0.1 is already in use.`,
      hint: 'Stop what uses it, or choose another with --port N (0 picks a free one).',
    });
    other.close();
  });

  it('with a data folder that is a file, or is in a folder without write permission', async () => {
    writeFileSync(join(root, 'file'), '');
    expect(await refused(['--port', '0', '--data', 'file'])).toEqual({
      code: 6,
      message: `The data folder ${join(root, 'file')} is a file.`,
      hint: 'Choose a folder with --data DIR; it is made if it does not exist.',
    });
    expect((await refused(['--port', '0', '--data', '/proc/nowhere'])).message).toMatch(
      /^The data folder \/proc\/nowhere cannot be made: /,
    );
    if (process.getuid?.() !== 0) {
      chmodSync(root, 0o500);
      expect((await refused(['--port', '0', '--data', 'below'])).message).toMatch(/this user may not write there\.$/);
      chmodSync(root, 0o700);
    }
  });

  it('on a data folder that another server holds, but starts at once after kill -9', async () => {
    const first = await serve();
    expect(await refused(['--port', '0', '--data', 'data'])).toEqual({
      code: 6,
      message: `The data folder ${join(root, 'data')} is in use by process ${first.child.pid}.`,
      hint: 'Stop that server first, or choose another folder with --data DIR.',
    });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await serve();
    expect(await second.stop()).toBe(0);
  });

  it.each([
    [['--port', 'eighty'], 2, '--port cannot be "eighty".'],
    [['--port', '70000'], 2, '--port cannot be "70000".'],
    [['--tls-cert', 'x.pem'], 2, '--tls-key is missing.'],
    [['--public-url', 'https://a.test/?path'], 2, '--public-url cannot be "https://a.test/?path".'],
    [['--account', 'a b'], 2, '--account cannot be "a b".'],
    [['--port', '0', '--host', '192.0.2.1'], 6, 'Cannot listen on 192.0.2.1 port 0 (EADDRNOTAVAIL).'],
  ])('with %j', async (args, code, message) => {
    expect(await refused(args)).toMatchObject({ code, message, hint: expect.stringMatching(/\S/) });
  });

  it('with a wrong configuration, naming the member or the rule', async () => {
    const write = (config: unknown): void => writeFileSync(join(root, 'c.json'), JSON.stringify(config));
    const args = ['--port', '0', '--config', 'c.json'];
    expect((await refused(args)).message).toBe(`The file ${join(root, 'c.json')} does not exist.`);
    write({ blob_maxx: 1 });
    expect((await refused(args)).message).toMatch(
      /^c\.json: blob_maxx: unknown member \(did you mean "blob_max"\?\)\.$/,
    );
    write({ api_tokens: [{ token: 'x'.repeat(16), account: 'else', permissions: ['read'] }] });
    expect((await refused(args)).message).toBe('api_tokens[0].account: "else" is none of the accounts served (local).');
    // REPO-026: the message names the rule.
    write({ remote_template: 'https://git.example.com/{repo}.git' });
    expect((await refused(args)).message).toMatch(/^The setting remote_template .*\{namespace\}/);
    const open = await refused(['--port', '0', '--public-url', 'http://git.example.com']);
    expect(open.message).toMatch(/^The setting remote_template must be an https URL/);
    expect(open.hint).toBe(
      'Serve HTTPS with --tls-cert and --tls-key, or name the https origin of the proxy with --public-url.',
    );
  });

  it('with an invalid certificate, or an invalid token in the environment', async () => {
    writeFileSync(join(root, 'x.pem'), 'x');
    expect((await refused(['--port', '0', '--tls-cert', 'x.pem', '--tls-key', 'x.pem'])).message).toBe(
      'The TLS certificate and key cannot be used.',
    );
    // Files without any PEM block, and a key in place of the certificate: no client could ever connect.
    const key = fileURLToPath(import.meta.resolve('../../../server/test/sockets/localhost.test.key.pem'));
    for (const cert of [join(root, 'x.pem'), key]) {
      expect((await refused(['--port', '0', '--tls-cert', cert, '--tls-key', key])).message).toBe(
        'The TLS certificate and key cannot be used.',
      );
    }
    const { message, code } = await refused(['--port', '0'], { PACKHOUSE_API_TOKEN: 'short one' });
    expect({ message, code }).toEqual({ code: 6, message: 'PACKHOUSE_API_TOKEN holds no fit API token.' });
  });
});

describe('serve stops', () => {
  /** Sends a request with an incomplete body, like that of a push in progress. */
  async function halfRequest(server: Server): Promise<{ finish: () => Promise<string>; gone: Promise<unknown> }> {
    const body = '{"name":"slow"}';
    const socket = connect(Number(new URL(server.ready.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    const closed = once(socket, 'close').catch(() => undefined);
    socket.write(
      `POST /v4/accounts/local/repos/namespaces/default/repos HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tokenOf(server)}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    // Once the server asks for the body, it is handling the request.
    while (!text.includes('100 Continue')) await once(socket, 'data');
    socket.write(body.slice(0, 5));
    return {
      gone: closed,
      async finish(): Promise<string> {
        socket.write(body.slice(5));
        await closed;
        return text;
      },
    };
  }

  async function logged(server: Server, event: string): Promise<void> {
    while (!server.err().includes(`"event":"${event}"`))
      await once(server.child.stderr as NodeJS.ReadableStream, 'data');
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s after a running request has ended, also if the signal arrives twice',
    async (signal) => {
      const server = await serve();
      const ended = once(server.child, 'close');
      const request = await halfRequest(server);
      server.child.kill(signal);
      server.child.kill(signal);
      await logged(server, 'stopping');
      server.child.kill(signal);
      await expect(fetch(server.ready.url)).rejects.toThrow();
      expect(await request.finish()).toMatch(/HTTP\/1\.1 201 Created\r\n[^]*connection: close/i);
      expect(await ended).toEqual([0, null]);
      expect(server.err()).toContain('"event":"stopped","cut":0');
      expect(server.err()).not.toContain('"event":"waiting"');
    },
  );

  it('at the end of the grace period, and says what it cut', async () => {
    const config = join(root, 'c.json');
    writeFileSync(config, '{"shutdown_grace":1}');
    const server = await serve(['--config', config]);
    const ended = once(server.child, 'close');
    const request = await halfRequest(server);
    server.child.kill('SIGTERM');
    await request.gone;
    expect(await ended).toEqual([1, null]);
    expect(server.err()).toContain('"event":"stopped","cut":1');
  });

  it('at once even if an idle connection is open', async () => {
    const server = await serve();
    const socket = connect(Number(new URL(server.ready.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    await fetch(server.ready.url).then((reply) => reply.text());
    expect(await server.stop()).toBe(0);
    expect(server.err()).toContain('"cut":0');
  });
});
