import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { sendJson, type Remote } from '../client/remote.ts';
import { countPacks } from './count-packs.ts';
import { peakMemoryOf, peakMemoryOfChildren, processorTimeOf, processorTimeOfChildren } from './process-memory.ts';
import { profiled } from './profile.ts';
import type { Server } from './server.ts';
import { storedBytes } from './stored-bytes.ts';
import { usageLogged } from './usage.ts';

/** The runtimes of `serve --runtime`. */
export const runtimeNames = ['node', 'workerd', 'deno', 'bun'] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** A storage that the server shares with others: words of its command, and environment variables. */
export interface SharedPlaces {
  /** The heading of the column of the server. */
  readonly name: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The line that `packhouse serve --json` prints when it is ready. */
interface ReadyLine {
  readonly url: string;
  readonly account: string;
  readonly pid: number;
  /** Null where the token came from the environment. */
  readonly tokenFile: string | null;
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

/** Milliseconds without work after which maintenance has ended. It begins up to 2.5 s after a push. */
const quietTime = 4_000;
const pollTime = 500;

/** Waits until a server has done nothing for a while. */
const idle = async (processorTime: () => number): Promise<void> => {
  let before = processorTime();
  for (let quiet = 0; quiet < quietTime; quiet += pollTime) {
    await pause(pollTime);
    const now = processorTime();
    if (now - before > pollTime / 10) quiet = 0;
    before = now;
  }
};

/** Servers that share a storage need the same one. */
const sharedToken = 'bench-token-that-is-long-enough-0123456789';

/**
 * Starts this project's server from its sources on a runtime, as `pnpm start --runtime` does. `settings` are members of
 * its configuration file. `shared`: the storage, instead of a data folder.
 */
export const startPackhouse = async (
  runtime: RuntimeName,
  settings: object = {},
  shared?: SharedPlaces,
): Promise<Server> => {
  const data = await mkdtemp(join(tmpdir(), 'packhouse-bench-data-'));
  const config = join(data, 'bench.json');
  const rate = { requests: 1_000_000, seconds: 1 };
  await writeFile(config, JSON.stringify({ rate_rest: rate, rate_git: rate, rate_tags: rate, ...settings }));
  const args = [main, 'serve', '--port', '0', '--json', '--runtime', runtime, '--data', join(data, 'data')];
  args.push('--config', config, ...(shared?.words ?? []));
  const env = shared && { ...process.env, PACKHOUSE_API_TOKEN: sharedToken, ...shared.env };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(env && { env }) });
  let errors = '';
  const log = createInterface({ input: child.stderr });
  log.on('line', (line) => {
    // The tail is enough to explain a failed start, and one log line per request must not pile up here.
    errors = `${errors}${line}\n`.slice(-4000);
  });
  const ready = await readyLine(child, () => errors);
  const repositories = `${ready.url}/v4/accounts/${ready.account}/repos/namespaces/default/repos`;
  const apiToken = ready.tokenFile === null ? sharedToken : (await readFile(ready.tokenFile, 'utf8')).trim();
  const call = async (method: string, url: string, body?: object): Promise<unknown> =>
    JSON.parse((await sendJson(url, method, apiToken, body)).toString());
  const ids = new Map<string, string>();
  const processorTime = (): number =>
    runtime === 'workerd' ? processorTimeOfChildren(ready.pid) : processorTimeOf(ready.pid);
  return {
    name: shared?.name ?? runtime,
    origin: ready.url,
    createRepository: async (name): Promise<Remote> => {
      const reply = (await call('POST', repositories, { name })) as {
        result: { id: string; remote: string; token: string };
      };
      ids.set(name, reply.result.id);
      return { url: reply.result.remote, headers: { Authorization: `Bearer ${reply.result.token}` } };
    },
    removeRepository: async (name) => {
      await call('DELETE', `${repositories}/${name}`);
    },
    fork: async (name, as, refs) => {
      const body = { name: as, default_branch_only: refs === 'default branch' };
      const reply = (await call('POST', `${repositories}/${name}/fork`, body)) as { result: { objects: number } };
      return reply.result.objects;
    },
    rest: (method, path, body) => sendJson(`${ready.url}/v4/accounts/${ready.account}${path}`, method, apiToken, body),
    processorTime,
    // On workerd, packs are in an emulated bucket instead.
    ...(runtime === 'workerd' ? {} : { storedBytes: async () => storedBytes(join(data, 'data', 'packs')) }),
    ...(runtime === 'node' ? { profile: (work) => profiled(ready.pid, work) } : {}),
    settle: () => idle(processorTime),
    countPacks: async (name) => countPacks(join(data, 'data'), ids.get(name) ?? ''),
    // workerd is a child of the process that starts it. The parent does none of the work.
    peakMemory: async () => (runtime === 'workerd' ? peakMemoryOfChildren(ready.pid) : peakMemoryOf(ready.pid)),
    ...(runtime === 'workerd' ? { usageOf: (service, work) => usageLogged(log, service, work) } : {}),
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
};
