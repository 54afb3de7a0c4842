import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tagClient, tagsInAll, type TagClient, type TagMap } from './support/tag-client.ts';
import { startTaggingProcesses, type TaggingProcesses } from './support/tagging-processes.ts';

const writers = 100;
const accountMax = 1_000;
const kills = 4;
/** Acknowledged writes before a kill, so that it falls among writes. */
const writesBeforeKill = 150;

// Processes wait for each other's writes, the longer the busier the machine is.
vi.setConfig({ testTimeout: 240_000 });

let processes: TaggingProcesses;

beforeEach(async () => {
  processes = await startTaggingProcesses(4, accountMax);
});

afterEach(() => processes.stop());

/** One writer's knowledge of its resource. */
interface Own {
  readonly resource: { readonly resource_type: string; readonly resource_id: string };
  attempted: number;
  acknowledged: number;
}

const mapOf = (write: number): TagMap => ({
  first: String(write),
  ...(write % 2 === 0 && { even: '' }),
  last: String(write),
});

/** Has all writers write, each at all processes in turn, until one process is killed; answers how many writes broke. */
async function writeUntilKilled(all: readonly Own[], victim: number): Promise<number> {
  const clients = processes.origins.map(tagClient);
  const killed = new AbortController();
  let acknowledged = 0;
  let broken = 0;
  const due = Promise.withResolvers<void>();
  const write = async (own: Own, client: TagClient): Promise<void> => {
    own.attempted += 1;
    try {
      const { status } = await client.set(own.resource, mapOf(own.attempted));
      expect(status).toBe(200);
    } catch (error) {
      // What `fetch` says where the connection broke; anything else is a fault.
      if (!(error instanceof TypeError)) throw error;
      broken += 1;
      return;
    }
    own.acknowledged = own.attempted;
    acknowledged += 1;
    if (acknowledged >= writesBeforeKill) due.resolve();
  };
  const writing = Promise.all(
    all.map(async (own, writer) => {
      for (let turn = 0; !killed.signal.aborted; turn++) {
        await write(own, clients[(writer + turn) % clients.length] as TagClient);
      }
    }),
  );
  await Promise.race([due.promise, writing]);
  // Stop all writers, so that the state that the killed process left stays visible.
  killed.abort();
  await processes.kill(victim);
  await writing;
  return broken;
}

describe('a process killed while a hundred writers set tags through it and three others', () => {
  it('TAG-172, TAG-173: loses nothing that was acknowledged, and leaves no half of a write', async () => {
    const all = Array.from({ length: writers }, (_, writer): Own => ({
      resource: { resource_type: 'worker', resource_id: `own-${writer}` },
      attempted: -1,
      acknowledged: -1,
    }));
    let broken = 0;
    for (let kill = 0; kill < kills; kill++) {
      const victim = kill % processes.origins.length;
      broken += await writeUntilKilled(all, victim);
      const [client] = processes.origins.toSpliced(victim, 1).map(tagClient) as [TagClient];
      for (const { resource, attempted, acknowledged } of all) {
        const { status, result } = await client.get(resource);
        if (status === 500) {
          expect(acknowledged, resource.resource_id).toBe(-1);
          continue;
        }
        const found = Number(result.tags['first']);
        expect(found, resource.resource_id).toBeGreaterThanOrEqual(acknowledged);
        expect(found, resource.resource_id).toBeLessThanOrEqual(attempted);
        expect(result.tags).toEqual(mapOf(found));
      }
      await processes.restart(victim);
    }
    // Or no kill came while a write was under way.
    expect(broken).toBeGreaterThan(0);

    const [client] = processes.origins.map(tagClient) as [TagClient];
    const room = accountMax - (await tagsInAll(client));
    const filler = { resource_type: 'worker', resource_id: 'filler' };
    const tags = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, '']));
    expect((await client.set(filler, tags(room + 1))).code, 'TAG-142').toBe(10110);
    expect((await client.set(filler, tags(room))).status, 'TAG-142').toBe(200);
    const database = new DatabaseSync(processes.file, { readOnly: true });
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  });
});
