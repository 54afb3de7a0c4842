import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packhouse, startServer, type Server } from './program.ts';

const apiToken = 'test-token-that-is-long-enough-0123456789';
/** The body of the slow request. */
const body = '{"namespace":"slow"}';

describe('serve --runtime workerd', () => {
  let folder: string;
  let data: string;
  let server: Server | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packhouse-workerd-'));
    data = join(folder, 'data');
  });

  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (...args: readonly string[]): Promise<Server> => {
    server = await startServer(['--runtime', 'workerd', '--data', data, ...args]);
    return server;
  };
  const refused = (...args: readonly string[]) =>
    packhouse(['serve', '--runtime', 'workerd', '--data', data, '--port', '0', ...args]);

  it('says where it listens, keeps a token, stops on a signal, and starts again on the same folder', async () => {
    for (const created of [true, false]) {
      const { ready, stop } = await start('--account', 'team');
      expect(ready).toMatchObject({ event: 'listening', account: 'team', tokenFile: join(data, 'api-token') });
      const cli = await packhouse(
        ['repo', created ? 'create' : 'get', 'kept', '--account', 'team', '--url', ready.url],
        {
          cwd: folder,
          env: { PACKHOUSE_API_TOKEN: await tokenIn(data) },
        },
      );
      expect(cli).toMatchObject({ code: 0 });
      expect(await stop()).toBe(0);
    }
  });

  it('holds the folder, and reports a port that is taken', async () => {
    const { ready } = await start();
    expect((await refused()).err).toContain(`is in use by process ${ready.pid}`);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const second = ['--data', join(folder, 'second'), '--port', String(port)];
    expect((await refused(...second)).err).toContain(`Port ${port} on 127.0.0.1 is already in use`);
    other.close();
  });

  it('refuses a wrong setting, and a folder of another runtime', async () => {
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ public_url: 'nonsense' }));
    expect((await refused('--config', config)).err).toContain('The setting public_url');
    const node = await startServer(['--data', data]);
    expect(await node.stop()).toBe(0);
    const { code, err } = await refused();
    expect(code).toBe(6);
    expect(err).toContain('was made by another runtime or with another storage');
  });

  it('stores data where no other runtime mistakes it for its own', async () => {
    expect(await (await start()).stop()).toBe(0);
    const { code, err } = await packhouse(['serve', '--data', data, '--port', '0']);
    expect(code).toBe(6);
    expect(err).toContain('--runtime workerd');
  });

  it('starts on the same port after kill -9, although its workerd is still running', async () => {
    const { ready, child } = await start();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await fetch(`${ready.url}/healthz`)).toMatchObject({ status: 200 });
    const { port } = new URL(ready.url);
    expect((await start('--port', port)).ready.url).toBe(ready.url);
  });

  it('waits for a running request', async () => {
    server = await startServer(['--runtime', 'workerd', '--data', data], { PACKHOUSE_API_TOKEN: apiToken });
    const { ready, child, stop, err } = server;
    const socket = await slowRequest(ready.url);
    // Ctrl-C signals all processes of a terminal.
    const { pid } = JSON.parse(await readFile(join(data, 'workerd.json'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGINT');
    child.kill('SIGINT');
    await until(() => err().includes('"stopping"'));
    expect(err()).toContain('"running":1');
    expect(child.exitCode).toBeNull();
    const replied = once(socket, 'data');
    socket.write(body.slice(1));
    expect(String((await replied)[0])).toMatch(/^HTTP\/1\.1 201 /);
    expect(await stop()).toBe(0);
    expect(err()).toContain('"cut":0');
  });
});

async function tokenIn(data: string): Promise<string> {
  return (await readFile(join(data, 'api-token'), 'utf8')).trim();
}

/** Sends a request with only the first byte of its body, and waits until it has reached the Worker. */
async function slowRequest(url: string): Promise<Socket> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const head = [
    'POST /v4/accounts/local/repos/namespaces HTTP/1.1',
    `Host: ${host}`,
    `Authorization: Bearer ${apiToken}`,
  ];
  const length = ['Content-Type: application/json', `Content-Length: ${body.length}`, ''];
  socket.write([...head, ...length, body[0]].join('\r\n'));
  socket.on('error', () => undefined);
  // The Worker receives requests in order.
  for (let i = 0; i < 3; i++) await fetch(`${url}/healthz`);
  return socket;
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 400 && !condition(); waited++) await new Promise((resolve) => setTimeout(resolve, 25));
}
