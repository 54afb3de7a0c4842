import { fc } from '@fast-check/vitest';
import { expect } from 'vitest';
import { blob, closure, commit, tag, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import { forkOf, isCommon, isRead, isServed, isTold } from './forked-repository.test.util.ts';

/** One thing that happens to one of the repositories; the numbers say to which, where and how. */
export interface ForkStep {
  readonly what: (typeof kinds)[number];
  readonly seed: number;
}

const kinds = [
  'push',
  'push',
  'push',
  'push',
  'force',
  'tag',
  'delete',
  'lacking',
  'lacking',
  'thin',
  'fork',
  'fork',
  'usual',
  'usual',
  'full',
  'wait',
] as const;

export const someForkSteps: fc.Arbitrary<ForkStep[]> = fc.array(
  fc.record({ what: fc.constantFrom(...kinds), seed: fc.nat(0x7fff_ffff) }),
  { minLength: 15, maxLength: 45 },
);

const forksMax = 4;
const branches = ['main', 'b1', 'b2', 'hidden'];

interface Family {
  readonly repository: MaintainedRepository;
  /** Ids of all that a ref of it ever reached, or that was pushed to it. */
  readonly own: Set<string>;
}

/** Repositories that are forks of one another, and what each of them may know. */
export class RandomForks {
  readonly family: Family[] = [];
  readonly #all = new Map<string, MadeObject>();
  readonly #commits: MadeObject[] = [];
  #seed = 1;
  #second = 0;

  constructor(partSize: number) {
    this.family.push({ repository: new MaintainedRepository(partSize), own: new Set() });
  }

  async run({ what, seed }: ForkStep): Promise<void> {
    this.#seed = seed;
    const one = this.#some(this.family) as Family;
    const { repository } = one;
    if (what === 'fork') await this.#fork(one);
    else if (what === 'wait') repository.pass(this.nat(2 * repository.grace));
    else if (what === 'usual' || what === 'full') await this.#maintain(one, what);
    else if (what === 'lacking') await this.#pushLacking(one);
    else if (what === 'thin') await this.#pushThin(one);
    else if (what === 'delete') await this.#delete(one);
    else if (what === 'tag') await this.#push(one, `refs/tags/t${this.nat(3)}`, this.#tag());
    else await this.#push(one, this.#branch(), what === 'force' ? this.#someCommit() : this.#commit());
    await this.probe();
  }

  /** Asks each repository for something that exists somewhere. */
  async probe(): Promise<void> {
    for (const { repository, own } of this.family) {
      const id = this.#some([...this.#all.keys()]);
      if (id === undefined) return;
      const visible = closure(repository.refs.values());
      const asked = [isServed(repository, id), isTold(repository, id), isRead(repository, id)];
      // What refs do not reach is not served, wherever else it lies.
      expect([id, await Promise.all(asked)]).toEqual([id, asked.map(() => visible.has(id))]);
      const isNode = this.#commits.some((object) => object.id === id);
      if (isNode && visible.has(id)) expect([id, await isCommon(repository, id)]).toEqual([id, true]);
      if (!own.has(id)) expect([id, await isCommon(repository, id)]).toEqual([id, false]);
    }
  }

  /** Each of them is what its own history says; what stock git lists for one of them tells it, too. */
  async checkAll(): Promise<void> {
    const listed = this.#some(this.family);
    for (const { repository } of this.family) {
      await repository.check();
      if (repository === listed?.repository && this.nat(3) === 0) await repository.checkByGit();
      const reached = closure(repository.refs.values());
      expect([...(await repository.clone(repository.state.current))].sort()).toEqual([...reached.keys()].sort());
    }
  }

  async #fork({ repository, own }: Family): Promise<void> {
    if (this.family.length === forksMax) return;
    // One pack of everything is what forks have parts of.
    if (this.nat(3) > 0) await repository.maintain({ mode: 'full' });
    const defaultBranchOnly = this.nat(3) > 0;
    const hiddenRefs = this.nat(3) === 0 ? ['refs/heads/hidden'] : [];
    const { plan, names, repository: fork } = await forkOf(repository, { defaultBranchOnly, hiddenRefs });
    const visible = [...repository.refs.keys()].filter((name) => !hiddenRefs.includes(name));
    const heads = visible.filter((name) => name.startsWith('refs/heads/'));
    const head = heads.length === 1 ? heads : heads.filter((name) => name === 'refs/heads/main');
    expect(names).toEqual((defaultBranchOnly ? head : visible).sort());
    const reached = closure(fork.refs.values());
    expect(plan.objects).toBe(reached.size);
    for (const id of reached.keys()) expect(own.has(id)).toBe(true);
    this.family.push({ repository: fork, own: new Set(reached.keys()) });
    await fork.check();
  }

  async #maintain({ repository }: Family, mode: 'usual' | 'full'): Promise<void> {
    const before = repository.state.packs.filter(({ borrowed }) => borrowed !== 'no').length;
    const rowsMax = this.nat(3) === 0 ? 100_000 : 0;
    await repository.maintain({ mode, rowsMax });
    await repository.check();
    const { packs } = repository.state;
    const borrowed = packs.filter((pack) => pack.borrowed !== 'no').length;
    if (mode === 'full') expect([borrowed, packs.length - borrowed <= 1]).toEqual([before, true]);
  }

  async #delete({ repository }: Family): Promise<void> {
    const ref = this.#some([...repository.refs.keys()]);
    if (ref !== undefined) expect(await repository.push([{ ref, new: null }], [])).toEqual([`ok ${ref}`]);
  }

  /** Pushes all objects that no ref of this repository reaches, even if other repositories have them. */
  async #push({ repository, own }: Family, ref: string, value: MadeObject): Promise<void> {
    const pack = [...closure([value], closure(repository.refs.values())).values()];
    expect(await repository.push([{ ref, new: value }], pack)).toEqual([`ok ${ref}`]);
    for (const id of closure([value]).keys()) own.add(id);
  }

  /** Leaves out some of what no ref of this repository reaches. */
  async #pushLacking({ repository, own }: Family): Promise<void> {
    const value = this.nat(2) === 0 ? this.#commit() : this.#someCommit();
    const needed = [...closure([value], closure(repository.refs.values())).values()];
    const pack = needed.filter(() => this.nat(3) > 0);
    const lacking = needed.filter((object) => !pack.includes(object));
    const ref = this.#branch();
    const [result] = await repository.push([{ ref, new: value }], pack);
    if (lacking.length === 0) expect(result).toBe(`ok ${ref}`);
    if (lacking.some(({ id }) => !own.has(id))) expect(result).toBe(`ng ${ref} missing necessary objects`);
    if (result === `ok ${ref}`) for (const id of closure([value]).keys()) own.add(id);
  }

  /** Sends one blob as a delta of another one that lies somewhere. */
  async #pushThin({ repository, own }: Family): Promise<void> {
    const base = this.#some([...this.#all.values()].filter(({ kind, body }) => kind === 3 && body.length > 0));
    const parent = this.#some([...repository.refs.values()].filter(({ kind }) => kind === 1));
    if (base === undefined || parent === undefined) return;
    const file = blob(`${Buffer.from(base.body).toString()}more ${this.#second}\n`);
    const root = tree([{ name: 'thin', object: file }]);
    const value = this.#remember(commit(root, [parent], this.#second++));
    const isVisible = closure(repository.refs.values()).has(base.id);
    const delta: MadeEntry = { ...file, base, by: 'id' };
    const ref = 'refs/heads/main';
    const report = await repository.report([{ ref, new: value }], [value, root, delta]);
    if (isVisible) expect(report).toContain(`ok ${ref}`);
    if (!own.has(base.id)) expect(report).toContain(`missing base ${base.id}`);
    if (report.includes(`ok ${ref}`)) for (const id of closure([value]).keys()) own.add(id);
  }

  #branch(): string {
    return `refs/heads/${this.#some(branches)}`;
  }

  #someCommit(): MadeObject {
    return this.#some(this.#commits) ?? this.#commit();
  }

  /** On commits of any of them, with files of any of them. */
  #commit(): MadeObject {
    const parents = new Set(this.nat(5) === 0 ? [] : [this.#someCommitOrNone(), this.#someCommitOrNone()]);
    const used = [...parents].flatMap((one) => one ?? []).slice(0, 1 + this.nat(2));
    const files = [...this.#all.values()].filter(({ kind }) => kind === 3 || kind === 2);
    const entries = ['a', 'b', 'c'].slice(0, 1 + this.nat(3)).map((name) => {
      const known = this.nat(2) === 0 ? this.#some(files) : undefined;
      return { name, object: known ?? blob(`file ${this.#second++} ${'text '.repeat(this.nat(20))}\n`) };
    });
    return this.#remember(commit(tree(entries), used, this.#second++));
  }

  #someCommitOrNone(): MadeObject | undefined {
    return this.#some(this.#commits);
  }

  #tag(): MadeObject {
    const target = this.#some([...this.#all.values()]) ?? this.#commit();
    const object = this.nat(4) === 0 ? target : tag(target, this.#second++);
    for (const [id, one] of closure([object])) this.#all.set(id, one);
    return object;
  }

  #remember(object: MadeObject): MadeObject {
    this.#commits.push(object);
    for (const [id, one] of closure([object])) this.#all.set(id, one);
    return object;
  }

  #some<T>(of: readonly T[]): T | undefined {
    return of[this.nat(Math.max(of.length, 1))];
  }

  /** Below `end`. */
  nat(end: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.#seed >>> 8) % end;
  }
}
