import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitRepository } from '@packhouse/git';
import { sampleHead, sampleRepoId, sampleToken } from '@packhouse/hosting/contract';
import { nodeStorage } from '../src/node-storage.ts';

/** Makes an empty repository over SQLite and files in a new folder, which `close` removes. */
export async function emptyNodeRepository(): Promise<{ readonly repository: GitRepository; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-repository-'));
  const storage = nodeStorage({ dataDir: folder });
  const id = sampleRepoId();
  const repository = storage.repos.repo('a1', id, 'default');
  await repository.state.begin(sampleHead(id), sampleToken('t1'));
  return {
    repository,
    close() {
      storage.close();
      rmSync(folder, { recursive: true });
    },
  };
}
