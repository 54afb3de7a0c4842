import { createGitEngine, receivePack, type RepoSnapshot } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { nodeStorage } from '@packhouse/storage/node';
import { expect } from 'vitest';
import type { TestRepo, TestServer } from './test-server.ts';

/**
 * Gives the engine a push that may cut history off, as an import does: nothing over HTTP makes a shallow repository
 * (GIT-075). What the repository's boundary is then, sorted.
 */
export async function importBody(server: TestServer, repo: TestRepo, body: Uint8Array): Promise<string[]> {
  const storage = nodeStorage({ dataDir: server.data });
  try {
    const repository = storage.repos.repo('local', repo.id, 'default');
    const snapshot = (await repository.state.snapshot()) as RepoSnapshot;
    const reply = await receivePack(createGitEngine({ codec: nodeCodec() }), repository, snapshot, once(body), {
      acceptShallow: true,
      hiddenRefs: [],
      denyDeleteDefault: false,
      denyNonFastForward: false,
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
      pushId: crypto.randomUUID(),
      now: () => Date.now(),
      bodyMax: 10_000_000,
      keepAlive: 60_000,
      committed: async () => undefined,
      failed: (error) => expect.unreachable(String(error)),
    });
    expect(await new Response(reply as BodyInit).text()).toContain('ok refs/heads/main');
    return [...((await repository.state.snapshot()) as RepoSnapshot).shallow].sort();
  } finally {
    storage.close();
  }
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield body;
}
