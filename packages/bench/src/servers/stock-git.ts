import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Remote } from '../client/remote.ts';
import { runGit } from '../internal/run-git.ts';
import type { Server } from './server.ts';

/** True to write reachability bitmaps when a repository has settled. */
export interface StockGitSettings {
  readonly bitmaps: boolean;
  /** True to sample memory. Sampling costs a little, so only the memory measurement does it. */
  readonly watchMemory?: boolean;
}

const prepare = async (path: string): Promise<void> => {
  await runGit(['init', '--quiet', '--bare', '--initial-branch=main', path]);
  for (const setting of [
    'http.receivepack true',
    'receive.autogc false',
    'gc.auto 0',
    'core.logAllRefUpdates false',
    'uploadpack.allowFilter true',
  ]) {
    await runGit(['config', ...setting.split(' ')], { cwd: path });
  }
};

/** Starts `git http-backend` behind the CGI bridge. */
export const startStockGit = async (settings: StockGitSettings): Promise<Server> => {
  const root = await mkdtemp(join(tmpdir(), 'packhouse-bench-git-'));
  const bridge = fork(join(import.meta.dirname, 'cgi-bridge.ts'), [root], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ask = async (message: string): Promise<{ port?: number; peak?: number | null }> => {
    const reply = once(bridge, 'message');
    bridge.send(message);
    const [answer] = await reply;
    return answer as { peak: number | null };
  };
  const [{ port }] = (await once(bridge, 'message')) as [{ port: number }];
  if (settings.watchMemory) await ask('sample');
  const path = (name: string): string => join(root, `${name}.git`);
  return {
    name: settings.bitmaps ? 'git, bitmaps' : 'git http-backend',
    createRepository: async (name): Promise<Remote> => {
      await prepare(path(name));
      return { url: `http://127.0.0.1:${port}/${name}.git`, headers: {} };
    },
    removeRepository: (name) => rm(path(name), { recursive: true, force: true }),
    settle: async (name) => {
      // Loose refs would make it slower than a well-maintained server.
      await runGit(['pack-refs', '--all'], { cwd: path(name) });
      if (settings.bitmaps) await runGit(['repack', '-a', '-d', '-b', '-q'], { cwd: path(name) });
    },
    peakMemory: async () => (await ask('peak')).peak ?? null,
    stop: async () => {
      const ended = once(bridge, 'exit');
      bridge.disconnect();
      await ended;
      await rm(root, { recursive: true, force: true });
    },
  };
};
