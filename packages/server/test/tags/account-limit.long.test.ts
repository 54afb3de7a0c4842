import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { tagClient, tagsInAll, type Reply, type TagClient, type TagMap } from './support/tag-client.ts';
import { startTaggingProcesses, type TaggingProcesses } from './support/tagging-processes.ts';

const writers = 100;
const accountMax = 500;

// Processes wait for each other's writes, the longer the busier the machine is.
vi.setConfig({ testTimeout: 240_000 });

let processes: TaggingProcesses;
let clients: readonly TagClient[];

beforeEach(async () => {
  processes = await startTaggingProcesses(4, accountMax);
  clients = processes.origins.map(tagClient);
});

afterEach(() => processes.stop());

const tags = (count: number): TagMap => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, '']));

describe('a hundred writers at four processes over one database file', () => {
  const everyWriter = <T>(work: (writer: number, client: TagClient) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: writers }, (_, writer) => work(writer, clients[writer % clients.length] as TagClient)),
    );
  const worker = (id: string) => ({ resource_type: 'worker', resource_id: id });

  it('TAG-142, TAG-174: get as many tags into an account as it may have, and not one more', async () => {
    const replies = await everyWriter((writer, client) => client.set(worker(`first-${writer}`), tags(10)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(accountMax / 10);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['400 10110']));
    expect(await tagsInAll(clients[0] as TagClient)).toBe(accountMax);
  });

  it('TAG-142, TAG-174: never pass the limit by changing, shrinking and removing, and leave no room uncounted', async () => {
    let accepted = 0;
    let refused = 0;
    for (let round = 0; round < 5; round++) {
      const replies = await everyWriter<Reply<unknown>>((writer, client) => {
        const resource = worker(`own-${writer}`);
        const size = (writer * 7 + round * 5) % 13;
        return size === 0 ? client.remove(resource) : client.set(resource, tags(size));
      });
      accepted += replies.filter(({ status }) => status < 300).length;
      refused += replies.filter(({ code }) => code === 10110).length;
      expect(accepted + refused).toBe((round + 1) * writers);
      const total = await tagsInAll(clients[round % clients.length] as TagClient);
      expect(total).toBeLessThanOrEqual(accountMax);
      // One more than there is room for is too much, and what there is room for is not.
      const [client] = clients as [TagClient];
      const room = accountMax - total;
      expect((await client.set(worker('rest'), tags(room + 1))).code).toBe(10110);
      // An empty record counts as one tag.
      expect((await client.set(worker('rest'), tags(room))).status).toBe(room > 0 ? 200 : 400);
      expect(await tagsInAll(client)).toBe(accountMax);
      if (room > 0) expect((await client.remove(worker('rest'))).status).toBe(204);
    }
    expect(refused).toBeGreaterThan(0);
  });
});
