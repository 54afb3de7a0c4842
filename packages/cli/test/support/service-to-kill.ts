import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { expect } from 'vitest';
import { apiToken, runCli, startServer, type KillableServer } from './killable-server.ts';
import type { ProgramName } from './runtime-program.ts';

export interface RestReply {
  readonly status: number;
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** A data folder whose server is killed and restarted, with a work tree to push from. */
export interface ServiceToKill {
  /** The folder of everything, removed at the end. */
  readonly folder: string;
  readonly data: string;
  /** A repository of stock git without a commit. */
  readonly work: string;
  /** The configuration file. */
  readonly config: string;
  /** The latest server. */
  readonly server: KillableServer;
  /** Starts a server, always on the port of the first one. */
  start(runtime: ProgramName | 'workerd'): Promise<KillableServer>;
  /** Sends a request with the token of the server. `path`: the path below the namespace. */
  rest(method: string, path: string, body?: unknown): Promise<RestReply>;
  /** Commits a file. Returns the id of the commit. */
  commit(file: string, content: Uint8Array): string;
  /** Expects that `packhouse doctor` finds nothing wrong, while no server runs. Returns its report as JSON. */
  examine(about: string): Promise<unknown>;
  /** Kills the server and removes the folder. No server starts afterwards, even if the test was given up. */
  end(): Promise<void>;
}

/** @param settings of the configuration file. @param branch of the work tree. */
export function serviceToKill(
  name: string,
  settings: Readonly<Record<string, unknown>> = {},
  branch = 'main',
): ServiceToKill {
  const folder = mkdtempSync(join(tmpdir(), `packhouse-${name}-`));
  const [data, work, config] = [join(folder, 'data'), join(folder, 'work'), join(folder, 'config.json')];
  writeFileSync(config, JSON.stringify(settings));
  runGit(['init', '--quiet', `--initial-branch=${branch}`, work]);
  let port = 0;
  let server: KillableServer | undefined;
  let isOver = false;
  const running = (): KillableServer => {
    if (server === undefined) throw new Error('no server was started');
    return server;
  };
  const end = async (): Promise<void> => {
    isOver = true;
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    folder,
    data,
    work,
    config,
    get server() {
      return running();
    },
    async start(runtime) {
      if (isOver) throw new Error('the test is over');
      server = await startServer(data, port, runtime, config);
      port = Number(new URL(server.url).port);
      // The test may have been given up meanwhile.
      if (isOver) await end();
      return server;
    },
    async rest(method, path, body) {
      const response = await fetch(`${running().url}/v4/accounts/local/repos/namespaces/default${path}`, {
        method,
        headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, result: ((await response.json()) as RestReply).result };
    },
    commit(file, content) {
      writeFileSync(join(work, file), content);
      runGit(['add', '.'], { cwd: work });
      runGit(['commit', '--quiet', '-m', file], { cwd: work });
      return runGit(['rev-parse', 'HEAD'], { cwd: work }).toString().trim();
    },
    async examine(about) {
      const doctor = await runCli(['doctor', '--json', '--data', data]);
      expect(doctor.status, `${about}: ${doctor.stdout}${doctor.stderr}`).toBe(0);
      return JSON.parse(doctor.stdout);
    },
    end,
  };
}
