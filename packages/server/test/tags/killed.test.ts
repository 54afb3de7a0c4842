import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tagClient, tagsInAll, type TagClient, type Tagged } from './support/tag-client.ts';
import { startTaggingProcesses, type TaggingProcesses } from './support/tagging-processes.ts';

const writers = 100;
const accountMax = 1_000;
/** Acknowledged writes between a kill and the next, so that each falls among writes. */
const writesBetweenKills = 300;

let processes: TaggingProcesses;

beforeEach(async () => {
  processes = await startTaggingProcesses(4, accountMax);
});

afterEach(() => processes.stop());

/** What one writer knows of its resource. */
interface Own {
  readonly resource: { readonly resource_type: string; readonly resource_id: string };
  attempted: number;
  acknowledged: number;
}

describe('a process killed while a hundred writers set tags through it and three others', () => {
  it('TAG-172, TAG-173: loses nothing that was acknowledged, and leaves no half of a write', async () => {
    const all = Array.from({ length: writers }, (_, writer): Own => ({
      resource: { resource_type: 'worker', resource_id: `own-${writer}` },
      attempted: -1,
      acknowledged: -1,
    }));
    const mapOf = (write: number) => ({
      first: String(write),
      ...(write % 2 === 0 && { even: '' }),
      last: String(write),
    });
    let acknowledged = 0;
    let broken = 0;
    const stop = new AbortController();
    const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
    const until = (count: number): Promise<void> => new Promise((resolve) => waiting.push({ count, resolve }));

    const write = async (own: Own, place: number): Promise<void> => {
      const origin = processes.origins[place % processes.origins.length] as string;
      own.attempted += 1;
      try {
        const { status } = await tagClient(origin).set(own.resource, mapOf(own.attempted));
        expect(status).toBe(200);
      } catch (error) {
        // What `fetch` says where the connection broke; anything else is a fault.
        if (!(error instanceof TypeError)) throw error;
        broken += 1;
        return;
      }
      own.acknowledged = own.attempted;
      acknowledged += 1;
      for (const { count, resolve } of waiting) if (count <= acknowledged) resolve();
    };
    const writing = Promise.all(
      all.map(async (own, writer) => {
        for (let turn = 0; !stop.signal.aborted; turn++) await write(own, writer + turn);
      }),
    );
    for (let kill = 0; kill < 4; kill++) {
      await Promise.race([until(acknowledged + writesBetweenKills), writing]);
      await processes.kill(kill % 3);
      await processes.restart(kill % 3);
    }
    await Promise.race([until(acknowledged + writesBetweenKills), writing]);
    stop.abort();
    await writing;

    // Or no kill came while a write was under way.
    expect(broken).toBeGreaterThan(0);
    for (const origin of processes.origins) {
      const client = tagClient(origin);
      for (const { resource, attempted, acknowledged: least } of all) {
        const { tags } = (await client.get(resource)).result as Tagged;
        const found = Number(tags['first']);
        expect(found, resource.resource_id).toBeGreaterThanOrEqual(least);
        expect(found, resource.resource_id).toBeLessThanOrEqual(attempted);
        expect(tags).toEqual(mapOf(found));
      }
    }
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
