import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tagClient, type Tagged, type TagClient, type TagMap } from './support/tag-client.ts';
import { startTaggingProcesses, type TaggingProcesses } from './support/tagging-processes.ts';

/**
 * Number of stable resources of each type: one type has short ids, the other has places that are too long for a cursor
 * (TAG-141).
 */
const stableOfEach = 130;
const writers = 20;
const walksOfEach = 5;
/** Turns of a writer until it removes what it has set; odd, or both would be of one type. */
const stays = 9;

// Processes wait for each other's writes, the longer the busier the machine is.
vi.setConfig({ testTimeout: 240_000 });

let processes: TaggingProcesses;
let clients: readonly TagClient[];

const numbers = Array.from({ length: stableOfEach }, (_, number) => String(number).padStart(3, '0'));
const types = ['queue', 'worker'] as const;
const long = '長'.repeat(1_000);

/**
 * Texts of a number, and of one that is not stable where `other` says whose. All orders of lists are that of numbers.
 */
const idOf = (type: string, number: string, other = ''): string =>
  `${type === 'queue' ? long : 'short'}-${number}${other}`;
const keyOf = (type: string, number: string, other = ''): string => `key-${type}-${number}${other}`;
const valueOf = (type: string, number: string, other = ''): string =>
  `${type === 'queue' ? long : 'short'}-${number}${other}`;
const tagsOf = (type: string, number: string, other = ''): TagMap => ({
  [keyOf(type, number, other)]: 'x',
  shared: valueOf(type, number, other),
});

/** Each type with each number. */
const stable = types.flatMap((type) => numbers.map((number) => ({ type, number })));

beforeAll(async () => {
  processes = await startTaggingProcesses(4);
  clients = processes.origins.map(tagClient);
  const left = stable.values();
  const fill = async (client: TagClient): Promise<void> => {
    for (const { type, number } of left) {
      const { status } = await client.set(
        { resource_type: type, resource_id: idOf(type, number) },
        tagsOf(type, number),
      );
      expect(status).toBe(200);
    }
  };
  await Promise.all(clients.map(fill));
});

afterAll(() => processes.stop());

/** All pages of a list, each asked of another process. */
async function walk<T>(target: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page++) {
    const client = clients[page % clients.length] as TagClient;
    const query: string = cursor === '' ? '' : `${target.includes('?') ? '&' : '?'}cursor=${cursor}`;
    const reply = await client.list<T>(target + query);
    expect(reply.status).toBe(200);
    expect(reply.cursor === null || reply.result.length === 100, 'a full page').toBe(true);
    items.push(...reply.result);
    cursor = reply.cursor;
  }
  return items;
}

/** Fails unless the texts ascend by code point, so that none is there twice. */
function expectAscending(texts: readonly string[]): void {
  texts.forEach((text, index) => {
    const before = texts[index - 1];
    if (before !== undefined) expect(Buffer.compare(Buffer.from(before), Buffer.from(text))).toBeLessThan(0);
  });
}

/** Sets and removes what is not stable, all around what is, until `stop` says so; answers how often. */
async function churn(writer: number, stop: AbortSignal): Promise<number> {
  const client = clients[writer % clients.length] as TagClient;
  const other = `-of-${writer}`;
  const at = (turn: number) => {
    const [type, number] = [types[turn % 2] as string, numbers[(turn * 37 + writer * 11) % numbers.length] as string];
    return {
      resource: { resource_type: type, resource_id: idOf(type, number, other) },
      tags: tagsOf(type, number, other),
    };
  };
  let turn = 0;
  for (; !stop.aborted; turn++) {
    const { resource, tags } = at(turn);
    expect((await client.set(resource, tags)).status).toBe(200);
    // What was set stays for the length of some pages.
    if (turn >= stays) expect((await client.remove(at(turn - stays).resource)).status).toBe(204);
  }
  return turn;
}

describe('walks of lists at four processes while others set and remove', () => {
  it('TAG-079: return each stable item exactly once, on all four lists', async () => {
    const walked = new AbortController();
    const churning = Promise.all(Array.from({ length: writers }, (_, writer) => churn(writer, walked.signal)));
    /** Items that were not there during the whole walk. */
    let passing = 0;
    const expectStable = (found: readonly string[], wanted: readonly string[]): void => {
      expectAscending(found);
      const all = new Set(wanted);
      expect(found.filter((text) => all.has(text))).toEqual(wanted);
      passing += found.length - wanted.length;
    };
    const keys = [...stable.map(({ type, number }) => keyOf(type, number)), 'shared'];
    const values = stable.map(({ type, number }) => valueOf(type, number)).sort();
    const walks: readonly (() => Promise<void>)[] = [
      async () => {
        const found = await walk<Tagged & { readonly type: string }>('/resources');
        expectStable(
          found.map(({ type, id }) => `${type} ${id}`),
          stable.map(({ type, number }) => `${type} ${idOf(type, number)}`),
        );
      },
      async () => {
        const found = await walk<Tagged & { readonly type: string }>('/resources?tag=!unused&tag=shared&name=0');
        expectStable(
          found.map(({ type, id }) => `${type} ${id}`),
          stable
            .filter(({ number }) => number.includes('0'))
            .map(({ type, number }) => `${type} ${idOf(type, number)}`),
        );
      },
      async () => expectStable(await walk('/keys'), keys),
      async () => expectStable(await walk('/values/shared'), values),
      async () => {
        const found = await walk<{ readonly key: string; readonly values: readonly string[] }>('/summary');
        expectStable(
          found.map(({ key }) => key),
          keys,
        );
        const shared = found.find(({ key }) => key === 'shared');
        expectStable(shared?.values ?? [], values);
        for (const { key, values: own } of found) if (key !== 'shared') expect(own).toEqual(['x']);
      },
    ];
    try {
      await Promise.all(
        walks.map(async (take) => {
          for (let round = 0; round < walksOfEach; round++) await take();
        }),
      );
    } finally {
      walked.abort();
    }
    const written = await churning;
    for (const turns of written) expect(turns, 'each writer wrote meanwhile').toBeGreaterThan(stays);
    expect(passing, 'walks met what others set').toBeGreaterThan(0);
  });
});
