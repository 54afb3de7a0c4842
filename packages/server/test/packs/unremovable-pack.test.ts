import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { startTestServer } from '../support/test-server.ts';

it('REPO-118, GIT-153: a pack that cannot be removed stops neither the start nor the erasure of others', async () => {
  const server = await startTestServer();
  try {
    const [stuck, other] = [await server.createRepo('stuck'), await server.createRepo('other')];
    const file = (id: string, name: string): string => join(server.data, 'packs', 'local', id, name);
    // A folder with something in it, in the place of a pack: nothing removes that as a file.
    const bad = file(stuck.id, `${'a'.repeat(32)}.pack`);
    const left = file(other.id, `${'b'.repeat(32)}.idx`);
    mkdirSync(join(bad, 'inside'), { recursive: true });
    mkdirSync(join(left, '..'), { recursive: true });
    writeFileSync(left, 'left by a push that died');
    const path = '/namespaces/default/repos';
    expect((await server.rest('DELETE', `${path}/${stuck.name}`)).status).toBe(202);
    await vi.waitFor(() => expect(server.failures).toHaveLength(1), 20_000);

    const due = (): void => {
      const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'));
      database.prepare('UPDATE catalog_deleted SET due = 0').run();
      database.close();
    };
    await server.restart(undefined, due);
    expect(server.failures).toHaveLength(2);
    due();
    expect((await server.rest('DELETE', `${path}/${other.name}`)).status).toBe(202);
    await vi.waitFor(() => expect(existsSync(left)).toBe(false), 20_000);
    expect(existsSync(bad)).toBe(true);
  } finally {
    await server.close();
  }
});
