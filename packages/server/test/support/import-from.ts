import { createGitEngine, importRemote, verifyRepository, type ImportOptions, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { nodeStorage } from '@packhouse/storage/node';
import { expect } from 'vitest';
import type { TestRepo, TestServer } from './test-server.ts';

/** Limits of an import in tests, with ample time and memory. */
export const importRules: Omit<ImportOptions, 'url' | 'branch' | 'depth'> = {
  fetch,
  agent: 'packhouse/test',
  time: { idle: 30_000, total: 60_000 },
  hiddenRefs: [],
  strictObjects: false,
  blobMax: 33_554_432,
  objectMax: 33_554_432,
  memoryMax: 67_108_864,
  chainDepthMax: 4_095,
  chainMax: 2 ** 31,
  commitMax: 1 << 20,
  commitParentsMax: 1024,
  inflatedMax: 2 ** 32,
  graphMax: 1 << 24,
  repoStorageMax: 1_073_741_824,
  accountStorageLeft: async () => 1_073_741_824,
  pushId: 'import',
  now: () => Date.now(),
};

/**
 * Imports into a repo of the server that has nothing yet, on its data folder, and checks every object of what comes.
 * The boundary is sorted.
 */
export async function importFrom(
  server: TestServer,
  repo: TestRepo,
  url: URL,
  changed: Partial<ImportOptions> = {},
): Promise<{ shallow: string[]; defaultBranch: string }> {
  const storage = nodeStorage({ dataDir: server.data });
  try {
    const repository = storage.repos.repo('local', repo.id, 'default');
    const snapshot = async (): Promise<RepoSnapshot> => (await repository.state.snapshot()) as RepoSnapshot;
    const engine = createGitEngine({ codec: nodeCodec() });
    const choice = { branch: undefined, depth: undefined };
    const pushId = crypto.randomUUID();
    const { plan } = await importRemote(engine, repository, await snapshot(), {
      ...importRules,
      ...choice,
      pushId,
      url,
      ...changed,
    });
    const after = await snapshot();
    expect(await verifyRepository(engine, repository, after)).toEqual([]);
    return { shallow: [...after.shallow].sort(), defaultBranch: plan.defaultBranch };
  } finally {
    storage.close();
  }
}
