import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Remote } from '../client/remote.ts';
import { peakMemoryOf } from './process-memory.ts';
import type { Server } from './server.ts';

/** The line that `packhouse serve --json` prints when it is ready. */
interface ReadyLine {
  readonly url: string;
  readonly account: string;
  readonly pid: number;
  readonly tokenFile: string;
}

const main = join(import.meta.dirname, '..', '..', '..', 'cli', 'src', 'main.ts');

const readyLine = async (child: ChildProcess, errors: () => string): Promise<ReadyLine> => {
  if (!child.stdout) throw new Error('No standard output');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const event = JSON.parse(line) as { event?: string };
    if (event.event === 'listening') return event as unknown as ReadyLine;
  }
  throw new Error(`packhouse serve ended before it was ready: ${errors()}`);
};

/** Starts this project's server from its sources, as `pnpm start` does. */
export const startPackhouse = async (): Promise<Server> => {
  const data = await mkdtemp(join(tmpdir(), 'packhouse-bench-data-'));
  const child = spawn(process.execPath, [main, 'serve', '--port', '0', '--json', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    // The tail is enough to say why it did not start, and a log line a request must not pile up here.
    errors = (errors + chunk.toString()).slice(-4000);
  });
  const ready = await readyLine(child, () => errors);
  const repositories = `${ready.url}/v4/accounts/${ready.account}/repos/namespaces/default/repos`;
  const apiToken = (await readFile(ready.tokenFile, 'utf8')).trim();
  const call = async (method: string, url: string, body?: object): Promise<unknown> => {
    const response = await fetch(url, {
      method,
      headers: { Authorization: `Bearer ${apiToken}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    name: 'packhouse',
    createRepository: async (name): Promise<Remote> => {
      const reply = (await call('POST', repositories, { name })) as { result: { remote: string; token: string } };
      return { url: reply.result.remote, headers: { Authorization: `Bearer ${reply.result.token}` } };
    },
    removeRepository: async (name) => {
      await call('DELETE', `${repositories}/${name}`);
    },
    settle: async () => {},
    peakMemory: async () => peakMemoryOf(ready.pid),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
};
