import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  tagClient,
  type Reply,
  type Resource,
  type TagClient,
  type Tagged,
  type TagMap,
} from './support/tag-client.ts';
import { startTaggingProcesses, type TaggingProcesses } from './support/tagging-processes.ts';

const writers = 100;
const emptyEtag = 'v1:RBNvo1WzZ4oRRq0W9-hkng';

// Processes wait for each other's writes, the longer the busier the machine is.
vi.setConfig({ testTimeout: 240_000 });

let processes: TaggingProcesses;
/** One for each process. */
let clients: readonly TagClient[];

beforeAll(async () => {
  processes = await startTaggingProcesses(4);
  clients = processes.origins.map(tagClient);
});

afterAll(() => processes.stop());

/** Runs the work of all writers at once, spread over the processes. */
const everyWriter = <T>(work: (writer: number, client: TagClient) => Promise<T>): Promise<T[]> =>
  Promise.all(
    Array.from({ length: writers }, (_, writer) => work(writer, clients[writer % clients.length] as TagClient)),
  );

const throughEachProcess = <T>(ask: (client: TagClient) => Promise<T>): Promise<T[]> => Promise.all(clients.map(ask));

const worker = (id: string): Resource => ({ resource_type: 'worker', resource_id: id });

/** Counts the replies by status. */
function statuses(replies: readonly Reply<unknown>[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('a hundred writers at four processes over one database file', () => {
  it('TAG-171: set by the same etag: exactly one succeeds, the others get 412', async () => {
    const resource = worker('same-etag');
    // There is no record yet, which counts as one of the empty map (TAG-047).
    let etag = emptyEtag;
    for (let round = 0; round < 6; round++) {
      const replies = await everyWriter((writer, client) =>
        client.set(resource, { round: String(round), writer: String(writer), [`own-${writer}`]: '' }, etag),
      );
      expect(statuses(replies)).toEqual({ 200: 1, 412: writers - 1 });
      const winner = replies.findIndex(({ status }) => status === 200);
      const { result } = replies[winner] as Reply<Tagged>;
      expect(result.tags).toEqual({ round: String(round), writer: String(winner), [`own-${winner}`]: '' });
      for (const { code } of replies.toSpliced(winner, 1)) expect(code).toBe(10412);
      for (const reply of await throughEachProcess((client) => client.get(resource)))
        expect(reply.result).toEqual(result);
      etag = result.etag;
    }
  });

  it('TAG-171: set and delete by the same etag: exactly one succeeds', async () => {
    const resource = worker('set-or-delete');
    const outcomes = new Set<number>();
    for (let round = 0; round < 6; round++) {
      const { result } = await (clients[0] as TagClient).set(resource, { round: String(round) });
      const replies = await everyWriter<Reply<unknown>>((writer, client) =>
        writer % 2 === round % 2
          ? client.set(resource, { writer: String(writer) }, result.etag)
          : client.remove(resource, result.etag),
      );
      const succeeded = replies.filter(({ status }) => status !== 412);
      expect(succeeded).toHaveLength(1);
      const [winner] = succeeded as [Reply<unknown>];
      outcomes.add(winner.status);
      for (const reply of await throughEachProcess((client) => client.get(resource))) {
        if (winner.status === 204) expect(reply).toMatchObject({ status: 500, code: 10200 });
        else expect(reply.result).toEqual(winner.result);
      }
    }
    for (const status of outcomes) expect([200, 204]).toContain(status);
  });

  it('TAG-050, TAG-171: read, merge and set until it succeeds: no update is lost', async () => {
    const resource = worker('merged');
    await (clients[0] as TagClient).set(resource, { count: '0' });
    let refused = 0;
    await everyWriter(async (writer, client) => {
      for (;;) {
        const { tags, etag } = (await client.get(resource)).result;
        const merged = { ...tags, [`writer-${writer}`]: 'was here', count: String(Number(tags['count']) + 1) };
        const { status } = await client.set(resource, merged, etag);
        if (status === 200) return;
        expect(status).toBe(412);
        refused += 1;
      }
    });
    const own = Array.from({ length: writers }, (_, writer) => [`writer-${writer}`, 'was here']);
    const all = { ...Object.fromEntries(own), count: String(writers) };
    for (const { result } of await throughEachProcess((client) => client.get(resource)))
      expect(result.tags).toEqual(all);
    // Or they went one after the other, and nothing was tested.
    expect(refused).toBeGreaterThan(0);
  });

  it('TAG-172: set without condition: no reader sees a mixture, and the last one wins', async () => {
    const resource = worker('unconditional');
    const mapOf = (writer: number, write: number): TagMap => ({
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`shared-${i}`, `${writer}.${write}`])),
      [`own-${writer}`]: '',
    });
    await (clients[0] as TagClient).set(resource, mapOf(0, 0));
    const expectWhole = (tags: TagMap): void => {
      const [writer = 0, write = 0] = (tags['shared-0'] ?? '').split('.').map(Number);
      expect(tags).toEqual(mapOf(writer, write));
    };
    const written = new AbortController();
    let reads = 0;
    const readers = throughEachProcess(async (client) => {
      for (; !written.signal.aborted; reads += 1) {
        expectWhole((await client.get(resource)).result.tags);
        const [listed] = (await client.list<Tagged>('/resources?type=worker&id=unconditional')).result;
        expectWhole(listed?.tags ?? {});
      }
    });
    const replies = await everyWriter(async (writer, client) => {
      const own: Tagged[] = [];
      for (let write = 1; write <= 3; write++) {
        const { status, result } = await client.set(resource, mapOf(writer, write));
        expect(status).toBe(200);
        expect(result.tags).toEqual(mapOf(writer, write));
        own.push(result);
      }
      return own;
    });
    written.abort();
    await readers;
    expect(reads).toBeGreaterThan(0);
    // Each write is later than the one that it replaced (TAG-053), so the latest is the one that stands.
    const writes = replies.flat();
    const times = writes.map((write) => write.tags_updated_at);
    expect(new Set(times).size).toBe(writes.length);
    const last = writes[times.indexOf(times.toSorted().at(-1) ?? '')];
    for (const { result } of await throughEachProcess((client) => client.get(resource))) expect(result).toEqual(last);
  });

  it('TAG-173: what was acknowledged by one process all of them show at once', async () => {
    await everyWriter(async (writer, client) => {
      const resource = worker(`visible-${writer}`);
      const own = `/resources?id=visible-${writer}&tag=visible`;
      for (let round = 0; round < 3; round++) {
        const { result } = await client.set(resource, { visible: `${writer}.${round}` });
        for (const reply of await throughEachProcess((other) => other.get(resource)))
          expect(reply.result).toEqual(result);
        const lists = await throughEachProcess((other) => other.list<Tagged>(own));
        for (const reply of lists) expect(reply.result).toEqual([result]);
      }
      expect((await client.remove(resource)).status).toBe(204);
      for (const reply of await throughEachProcess((other) => other.list<Tagged>(own)))
        expect(reply.result).toEqual([]);
    });
  });
});
