import { expect, it } from 'vitest';
import { blob, closure, commit, tag, tree, type MadeObject } from '../../maintain/made-history.test.util.ts';
import { MaintainedRepository, type MadeCommand } from '../../maintain/maintained-repository.test.util.ts';
import { idOf } from '../../pack/made-pack.test.util.ts';
import type { DescribedUpdate } from './describe-updates.ts';

const root = tree([{ name: 'a', object: blob('a') }]);

/** Commits one on the other, oldest first. */
function chain(length: number, from: readonly MadeObject[] = [], second = 0): MadeObject[] {
  const commits: MadeObject[] = [];
  for (let i = 0; i < length; i++)
    commits.push(commit(root, i === 0 ? from : [commits[i - 1] as MadeObject], second + i));
  return commits;
}

class Described extends MaintainedRepository {
  told: DescribedUpdate[] = [];

  override describe = (updates: readonly DescribedUpdate[]): undefined[] => {
    this.told = [...updates];
    return updates.map(() => undefined);
  };

  /** Pushes the new values with all missing objects. Returns the description of each ref. */
  async tell(...commands: readonly MadeCommand[]): Promise<unknown[]> {
    this.told = [];
    const values = commands.flatMap(({ new: value }) => value ?? []);
    await this.push(commands, [...closure(values, closure(this.refs.values())).values()]);
    return this.told.map(({ name, before, after, commits, total, truncated }) => {
      const seconds = commits.map(({ committedAt }) => committedAt - 1_700_000_000);
      return [name, before, after, seconds, total, truncated];
    });
  }
}

const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, i) => from - i);

it('REPO-194, REPO-195: describes the gained commits of each changed ref', async () => {
  const repository = new Described();
  const main = chain(30);
  const [first, fifth, last] = [main[0], main[4], main[29]] as [MadeObject, MadeObject, MadeObject];
  const ref = 'refs/heads/main';
  expect(await repository.tell({ ref, new: first })).toEqual([[ref, null, first.id, [0], 1, false]]);
  expect(await repository.tell({ ref, new: fifth })).toEqual([[ref, first.id, fifth.id, [4, 3, 2, 1], 4, false]]);
  expect(await repository.tell({ ref, new: last })).toEqual([[ref, fifth.id, last.id, down(29, 10), 21, true]]);
  // Nothing changes.
  expect(await repository.tell({ ref, new: last })).toEqual([]);
  // Moved back, and aside: what it had is not told again.
  expect(await repository.tell({ ref, new: fifth })).toEqual([[ref, last.id, fifth.id, [], 0, false]]);
  const aside = chain(2, [first], 100);
  const end = aside[1] as MadeObject;
  expect(await repository.tell({ ref, new: end })).toEqual([[ref, fifth.id, end.id, [101, 100], 2, false]]);
  // Merged: the other side is not gone into.
  const merge = commit(root, [end, last], 200);
  const label = tag(merge, 1);
  expect(
    await repository.tell(
      { ref, new: merge },
      { ref: 'refs/heads/other', new: last },
      { ref: 'refs/tags/v1', new: label },
      { ref: 'refs/notes/x', new: first },
    ),
  ).toEqual([
    [ref, end.id, merge.id, [200], 1, false],
    ['refs/heads/other', null, last.id, down(29, 10), 21, true],
    ['refs/tags/v1', null, label.id, [], 0, false],
    ['refs/notes/x', null, first.id, [], 0, false],
  ]);
  expect(await repository.tell({ ref: 'refs/heads/other', new: null })).toEqual([
    ['refs/heads/other', last.id, null, [], 0, false],
  ]);
});

it('REPO-195: describes the state on which a repeated push is committed', async () => {
  const repository = new Described();
  const ref = 'refs/heads/main';
  const main = chain(3);
  await repository.tell({ ref, new: main[1] as MadeObject });
  await repository.tell({ ref: 'refs/heads/gone', new: chain(1, [], 500)[0] as MadeObject });
  const snapshot = repository.state.current;
  await repository.tell({ ref: 'refs/heads/gone', new: null });
  // What the snapshot leans on has lost something meanwhile.
  repository.pass(10_000);
  await repository.maintain({ mode: 'full' });
  let times = 0;
  const { describe } = repository;
  repository.describe = (updates) => {
    times++;
    return describe(updates);
  };
  const results = await repository.push([{ ref, new: main[2] as MadeObject }], [main[2] as MadeObject], snapshot);
  expect([results, times]).toEqual([[`ok ${ref}`], 2]);
  expect(repository.told).toMatchObject([{ commits: [{ id: main[2]?.id }], total: 1, truncated: false }]);
});

it('REPO-195: describes commits within the limits, and counts the others', async () => {
  const repository = new Described();
  const { id } = root;
  const by = `Ada <a@b> 1700000000 +0000`;
  const { kind } = chain(1)[0] as MadeObject;
  const long = (i: number): MadeObject => {
    const ends = Array.from({ length: 12_000 }, () => `parent ${before.id}\n`).join('');
    const body = Buffer.from(
      `tree ${id}\n${i === 1 ? ends : `parent ${before.id}\n`}author ${by}\ncommitter ${by}\n\n${i}`,
    );
    return madeCommit(kind, body, [root, before]);
  };
  let before = chain(1)[0] as MadeObject;
  const commits = [before];
  for (let i = 0; i < 3; i++) commits.push((before = long(i)));
  await repository.tell({ ref: 'refs/heads/main', new: before });
  // The second newest has too many parents for a description.
  expect(repository.told).toMatchObject([{ commits: [{ id: before.id }], total: 4, truncated: true }]);
});

function madeCommit(kind: MadeObject['kind'], body: Buffer, links: readonly MadeObject[]): MadeObject {
  const object = { kind, body: new Uint8Array(body) };
  return { ...object, id: idOf(object), links };
}
