import { createHash } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { GitObject } from '../object/kind.ts';
import { DeltaEncoder } from '../pack/encode-delta.ts';
import { blob, closure, commit, historyOf, tree, type MadeObject } from './made-history.test.util.ts';
import { MaintainedRepository } from './maintained-repository.test.util.ts';

/** Pushes a history in parts, each object whole, as libraries do. */
async function pushWhole(commits: readonly MadeObject[], step: number): Promise<MaintainedRepository> {
  const repository = new MaintainedRepository(100_000);
  let known = new Map<string, MadeObject>();
  for (let i = step - 1; i < commits.length; i += step) {
    const tip = commits[i] as MadeObject;
    const all = closure([tip]);
    const fresh = [...all.values()].filter(({ id }) => !known.has(id));
    await repository.push([{ ref: 'refs/heads/main', new: tip }], fresh as (MadeObject & GitObject)[]);
    known = all;
  }
  return repository;
}

const sizeOf = (repository: MaintainedRepository): number =>
  repository.state.packs.reduce((sum, { packSize }) => sum + packSize, 0);

it.each([
  ['one push', 120],
  ['many pushes', 4],
])('makes deltas of what came whole in %s, about as small as stock git does', async (_, step) => {
  const repository = await pushWhole(historyOf(120), step);
  const before = sizeOf(repository);
  await repository.maintain({ mode: 'full' });
  await repository.check();
  await repository.checkByGit();
  const repacked = await repository.sizeByGit();
  expect(sizeOf(repository)).toBeLessThan(before / 2);
  expect(sizeOf(repository)).toBeLessThan(1.1 * repacked);
  const made = repository.state.packs.map(({ id }) => id);
  await repository.maintain({ mode: 'full' });
  expect(repository.state.packs.map(({ id }) => id)).toEqual(made);
});

it('makes deltas in the usual maintenance too', async () => {
  const repository = await pushWhole(historyOf(120), 4);
  const before = sizeOf(repository);
  await repository.maintain();
  expect(repository.state.packs.length).toBeLessThan(10);
  expect(sizeOf(repository)).toBeLessThan(before / 2);
  await repository.check();
  await repository.checkByGit();
});

it('tries few bases for a file that many names of a folder share', async () => {
  const noise = (number: number): MadeObject =>
    blob(Array.from({ length: 9 }, (_, i) => createHash('sha256').update(`${number} ${i}`).digest('hex')).join(''));
  const naming = (object: MadeObject): MadeObject =>
    tree(Array.from({ length: 90 }, (_, i) => ({ name: `name-${String(i).padStart(3, '0')}`, object })));
  const commits: MadeObject[] = [];
  for (let i = 0; i < 8; i++) commits.push(commit(naming(noise(i)), commits.slice(-1), i));
  const repository = await pushWhole(commits, 4);
  const encode = vi.spyOn(DeltaEncoder.prototype, 'encode');
  await repository.maintain({ mode: 'full' });
  // One for each version of the folder, and four for each of the file.
  expect(encode.mock.calls.length).toBeLessThanOrEqual(5 * 8);
  encode.mockRestore();
  await repository.check();
});
