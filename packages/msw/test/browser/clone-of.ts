import http from 'isomorphic-git/http/web';
import type { Mock } from '../../src/index.ts';
import { memoryFs, type MemoryFs } from './memory-fs.ts';

/** The options with which isomorphic-git clones a repo of a mock, and pushes to it. */
export interface CloneOptions {
  readonly fs: MemoryFs;
  readonly http: typeof http;
  /** An empty folder. */
  readonly dir: string;
  readonly url: string;
  readonly onAuth: () => { readonly username: string; readonly password: string };
}

/** Clones into memory, with a new token. */
export async function cloneOf({ store }: Mock, repo: string): Promise<CloneOptions> {
  const [fs, dir] = [memoryFs(), '/clone'];
  await fs.promises.mkdir(dir);
  const [password = ''] = (await store.createToken(repo)).split('?');
  return { fs, http, dir, url: store.remote(repo), onAuth: () => ({ username: 'x', password }) };
}
