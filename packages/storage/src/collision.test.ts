import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleHead, sampleRepoId, sampleToken } from './contract/repo-state-samples.ts';
import { testCollision } from './contract/collision.ts';
import { nodeStorage } from './node-storage.ts';

testCollision('SQLite and files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'packhouse-collision-'));
  const storage = nodeStorage({ dataDir: folder });
  const id = sampleRepoId();
  const repository = storage.repoStorage.repo('a1', id, 'default');
  await repository.state.begin(sampleHead(id), sampleToken('t1'));
  return {
    repository,
    close: () => {
      storage.close();
      rmSync(folder, { recursive: true });
    },
  };
});
