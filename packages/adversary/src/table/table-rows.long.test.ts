import {
  chainFetchInput,
  chainInput,
  duplicatesInput,
  graphPushInput,
  largeGraphInput,
  largeTreesInput,
  longNamesInput,
  manyParentsInput,
  manyRefsInput,
  manyUpdatesInput,
  parallelInput,
  spineInput,
  starInput,
  tinyObjectsInput,
  zerosInput,
} from '@packhouse/fixtures/hostile';
import { cost, unitsOf } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { stepMax } from '../search/judge.ts';
import { attack, unitsIn, unpackOf, type Attacked } from './attack.ts';

const mebibyte = 1024 * 1024;
const size = 16 * mebibyte;

/** Limits that an operator has raised: then only short steps keep the service responsive. */
const raised = {
  commit_max: 32 * mebibyte,
  commit_parents_max: 1_000_000,
  push_graph_max: 1024 * mebibyte,
  push_inflated_max: 1024 * 1024 * mebibyte,
};

/** Expects what holds for every input: short steps, no uncounted work, no unexpected failure. */
function expectBounded({ longest, longestAsked, counted, asked, failures }: Attacked): void {
  expect(failures).toEqual([]);
  expect(longest).toBeLessThan(stepMax);
  expect(longestAsked).toBeLessThan(stepMax);
  for (const kind of ['inflated', 'hashed', 'compared', 'deflated'] as const) {
    expect(counted[kind], `${kind} bytes that were counted`).toBeGreaterThanOrEqual(0.95 * asked[kind] - mebibyte);
  }
}

describe('hostile inputs of one tenant', { timeout: 120_000 }, () => {
  it('LIM-066: refuses commits of many parents by their size', async () => {
    const attacked = await attack(manyParentsInput(4));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['commit too large: 33554404 bytes, limit 1048576 (commit_max)']);
  });

  it('LIM-067: refuses commits of many parents by their number', async () => {
    const attacked = await attack(manyParentsInput(4, 10_000));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['too many parents: 10000, limit 1024 (commit_parents_max)']);
  });

  it('accepts allowed commits of many parents in short steps', async () => {
    const attacked = await attack(manyParentsInput(2), { settings: raised });
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
    expect(attacked.counted.parsed + attacked.counted.edges).toBeGreaterThan(2 * 699_048);
  });

  it('compares the trees of a merge in short steps, and only few of them', async () => {
    const trees = 9;
    const attacked = await attack(largeTreesInput(trees - 1, size), { settings: { strict_objects: false } });
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
    // Each tree is compared with one parent at most.
    expect(attacked.counted.compared).toBeLessThan(1.5 * (trees + 1) * size);
    expect(attacked.counted.entries).toBeLessThan(2 * trees * size);
  });

  it('compares copies of one object in short steps', async () => {
    const attacked = await attack(duplicatesInput(12, size));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
  });

  it.each([chainInput(20), chainFetchInput(20)])('reads a long chain in short steps: $name', async (input) => {
    const attacked = await attack(input);
    expectBounded(attacked);
    expect(attacked.replies[0]?.status).toBe(200);
    expect(unitsIn(attacked.counted)).toBeGreaterThan(20 * 32 * mebibyte * unitsOf[cost.rebuilt]);
  });

  it('reads the parents of a commit once, even if many refs are set to it', async () => {
    const attacked = await attack(manyUpdatesInput(500), { settings: raised });
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
    expect(attacked.counted.edges).toBeLessThan(20 * 699_048);
  });

  it('LIM-054: counts the rows of a commit of many refs, and refuses many long names', async () => {
    const updates = 5_000;
    const attacked = await attack(longNamesInput(updates, 128));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
    expect(attacked.counted.rows).toBeGreaterThanOrEqual(attacked.asked.rows);
    // A look-up and a write for each, and some for the push.
    expect(attacked.asked.rows).toBeLessThan(2.5 * updates);
    const refused = await attack(longNamesInput(updates, 400));
    expect(refused.replies.map(unpackOf)).toEqual(['too many ref updates: limit 2100000 bytes (push_commands_max)']);
  });

  it('LIM-070: refuses history whose graph is far larger than its pack', async () => {
    const attacked = await attack(graphPushInput(5, 340_000), { settings: { ...raised, push_graph_max: mebibyte } });
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)[0]).toMatch(/^history too large: graph of \d+ bytes, limit 1048576 /);
    expect(attacked.stored).toBe(0);
  });

  it('reads next to an allowed large graph in short steps', async () => {
    const attacked = await attack(largeGraphInput(3, 340_000), { settings: raised });
    expectBounded(attacked);
    expect(attacked.replies[0]?.status).toBe(200);
  });

  it('LIM-068: stops a star of deltas that inflates to too much', async () => {
    const attacked = await attack(starInput(60, size), { settings: { push_inflated_max: 256 * mebibyte } });
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)[0]).toMatch(/^push inflates to too much: \d+ bytes, limit 268435456 /);
    expect(attacked.asked.hashed).toBeLessThan(2 * 256 * mebibyte);
  });

  it('makes a spine of deltas without making each base again for each level', async () => {
    const objects = 45;
    const attacked = await attack(spineInput(objects, size));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
    expect(attacked.counted.rebuilt).toBeLessThan(4 * objects * size);
  });

  it('keeps parallel pushes within the memory of the process', async () => {
    const memory = 160 * mebibyte;
    const attacked = await attack(parallelInput(4, 340_000), { engine: { memory }, settings: raised });
    expectBounded(attacked);
    expect(attacked.reserved).toBeLessThanOrEqual(memory);
    const known = /^(?:ok|not enough memory(?: now, try again)?: \d+ bytes, limit \d+ \((?:request_)?memory_max\))$/;
    for (const reason of attacked.replies.map(unpackOf)) expect(reason).toMatch(known);
  });

  it('accepts compressed zeros in short steps', async () => {
    const attacked = await attack(zerosInput(16));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok']);
  });

  it('reads one ref of many at the cost of one of few', async () => {
    const [many, few] = [await attack(manyRefsInput(20_000)), await attack(manyRefsInput(200, 100))];
    expectBounded(many);
    expect(unitsIn(many.asked)).toBeLessThan(1.5 * unitsIn(few.asked));
    expect(unitsIn(many.counted)).toBeLessThan(1.5 * unitsIn(few.counted) + 1_000_000);
  });

  it('shares the processor between pushes of many tiny objects', async () => {
    const attacked = await attack(tinyObjectsInput(4, 60_000));
    expectBounded(attacked);
    expect(attacked.replies.map(unpackOf)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });
});
