import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { git } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
  await git(['init', '--quiet', '--initial-branch=main', folder]);
  await git(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: folder });
});

afterAll(async () => {
  await server.close();
  removeFolder(folder);
});

describe('the time of the last push', () => {
  it('GIT-159: is set by a push, and told to the catalog again if the process died before it heard', async () => {
    const repo = await server.createRepo('pushed');
    const path = `/namespaces/default/repos/${repo.name}`;
    expect((await server.rest('GET', path)).result['last_push_at']).toBeNull();
    await git([...repo.auth, 'push', '--quiet', repo.remote, 'main'], { cwd: folder });
    const { result } = await server.rest('GET', path);
    expect(result['last_push_at']).toMatch(/Z$/);
    expect(result['updated_at']).toBe(result['last_push_at']);

    // As if the process had died between the two.
    await server.restart(undefined, () => {
      const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'));
      database.prepare('UPDATE catalog_repos SET last_push_at = -1, updated_at = created_at, version = 0').run();
      database.close();
    });
    await vi.waitFor(async () => {
      const repaired = await server.rest('GET', path);
      expect(repaired.result['last_push_at']).toBe(result['last_push_at']);
      expect(repaired.result['updated_at']).toBe(result['updated_at']);
    }, 20_000);
  });
});
