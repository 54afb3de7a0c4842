/** The servers that are not ours, and how the suite runs against each. */

import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  cases,
  findTarget,
  runCases,
  selectCases,
  type CaseResult,
  type Report,
  type WantedTarget,
} from '@packhouse/conformance';
import { bundleOf } from '@packhouse/conformance/tools/recording';
import { errorsAlone } from './servers/errors-alone.ts';
import { httpBackend, makeRepository } from './servers/git-http-backend.ts';
import { account, tagsAlone, token } from './servers/tags-alone.ts';

export interface Example {
  /** Also the name of its reports. */
  readonly name: string;
  /** Selects the cases of its reports. */
  readonly pattern: string;
  start(): Promise<StartedExample>;
}

interface StartedExample {
  readonly wanted: WantedTarget;
  close(): void;
}

export const examples: readonly Example[] = [
  {
    name: 'tags-alone',
    pattern: 'tags/*',
    async start() {
      const { origin, close } = await listen(tagsAlone());
      return { wanted: { name: 'tags alone', origin, account, apiToken: token }, close };
    },
  },
  {
    name: 'errors-alone',
    pattern: 'errors/*',
    async start() {
      const { origin, close } = await listen(errorsAlone());
      const alone = { account: '', apiToken: '', areas: ['errors'], zone: origin } as const;
      return { wanted: { name: 'errors alone', origin, ...alone }, close };
    },
  },
  {
    name: 'git-http-backend',
    pattern: 'git/*',
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'packhouse-example-'));
      const { origin, close } = await listen(httpBackend(folder));
      return { wanted: gitAt(`${origin}/{name}.git`), close: () => (close(), removeFolder(folder)) };
    },
  },
  {
    name: 'node-git-server',
    pattern: 'git/*',
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'packhouse-example-'));
      const program = join(import.meta.dirname, 'servers', 'node-git-server.ts');
      const child = fork(program, [folder, '0'], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
      if (child.stdout === null) throw new Error('the server has no output');
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      return { wanted: gitAt(line.toString().trim()), close: () => (child.kill(), removeFolder(folder)) };
    },
  },
];

/** A repository of git http-backend that exists already, which cases only read. */
export const existing: Example = {
  name: 'existing',
  pattern: 'git/existing/*',
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'packhouse-example-'));
    const repository = join(folder, 'kept.git');
    makeRepository(repository);
    const bundle = fileURLToPath(bundleOf('merges'));
    execFileSync('git', ['-C', repository, 'fetch', '--quiet', bundle, '+refs/*:refs/*']);
    const { origin, close } = await listen(httpBackend(folder));
    const wanted = { ...gitAt(`${origin}/kept.git`), readOnly: true };
    return { wanted, close: () => (close(), removeFolder(folder)) };
  },
};

async function listen(server: Server): Promise<{ origin: string; close(): void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

function gitAt(url: string): WantedTarget {
  return { name: url, origin: new URL(url).origin, account: '', apiToken: '', areas: ['git'], git: { url } };
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Runs cases against an example. The seed makes random cases choose the same each time. */
export async function runExample(
  example: Example,
  patterns: readonly string[],
  onResult?: (result: CaseResult) => void,
): Promise<Report> {
  const { wanted, close } = await example.start();
  try {
    const found = await findTarget({ ...wanted, listens: true });
    if (found.kind !== 'target') throw new Error(`${example.name} was taken for ${found.kind}`);
    const { target, areas } = found;
    const chosen = selectCases(cases, patterns);
    const environment = process.env;
    const options = { target, areas, cases: chosen, environment, seed: 1, concurrency: 2, timeLimit: 120_000 };
    return await runCases({ ...options, ...(onResult === undefined ? {} : { onResult }) });
  } finally {
    close();
  }
}
