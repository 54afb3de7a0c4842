import { fc } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { MadeEntry } from '../pack/made-pack.test.util.ts';
import { blob, closure, commit, tag, tree, type MadeObject, type MadeTreeEntry } from './made-history.test.util.ts';
import type { MaintainedRepository } from './maintained-repository.test.util.ts';

/** One thing that happens to a repository; the numbers say where and how. */
export interface Step {
  readonly what: (typeof kinds)[number];
  readonly seed: number;
}

const kinds = [
  'push',
  'push',
  'push',
  'merge',
  'revert',
  'orphan',
  'tag',
  'force',
  'delete',
  'together',
  'late',
  'meanwhile',
  'twice',
  'wait',
  'usual',
  'usual',
  'full',
  'quiet',
] as const;

export const someSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ what: fc.constantFrom(...kinds), seed: fc.nat(0x7fff_ffff) }),
  { minLength: 5, maxLength: 60 },
);

type Files = ReadonlyMap<string, MadeObject | string>;

/** A history that grows at random, and a repository that it is pushed to. */
export class RandomHistory {
  readonly repository: MaintainedRepository;
  readonly #commits: { readonly object: MadeObject; readonly files: Files }[] = [];
  #seed = 1;
  #second = 0;
  #committed = 0;

  constructor(repository: MaintainedRepository) {
    this.repository = repository;
  }

  async run({ what, seed }: Step): Promise<void> {
    this.#seed = seed;
    const { repository } = this;
    if (what === 'wait') repository.pass(this.nat(repository.grace));
    else if (what === 'usual' || what === 'full') await this.#maintain(what);
    else if (what === 'quiet') await this.quiet();
    else if (what === 'together') await this.#pushTogether();
    else if (what === 'late') await this.#pushLate();
    else if (what === 'meanwhile') await this.#maintain('usual', () => this.#pushSomething());
    else if (what === 'twice') await this.#maintain('full', async () => void (await repository.maintain()));
    else if (what === 'delete') await this.#push([{ ref: this.#someRef(), new: null }]);
    else if (what === 'force') await this.#force();
    else if (what === 'tag') await this.#push([{ ref: `refs/tags/t${this.nat(5)}`, new: this.#tag() }]);
    else await this.#push([{ ref: this.#branch(), new: this.#commit(what) }]);
  }

  /**
   * Pushes a branch of some hundred commits in one pack as stock git makes them: newest first, most objects as deltas of
   * any object in front.
   */
  async pushNewestFirst(seed: number): Promise<void> {
    this.#seed = seed;
    let tip = this.#commit('orphan');
    for (let i = 0; i < 120; i++) {
      const side = this.nat(4) === 0 ? this.#commit('push') : undefined;
      tip = this.#child(tip, side);
    }
    const reached = closure([tip]);
    const entries: MadeEntry[] = [];
    const depths = new Map<MadeEntry, number>();
    for (const { object } of this.#commits.toReversed()) {
      for (const part of [object, ...closure(object.links.slice(0, 1)).values()]) {
        if (!reached.delete(part.id)) continue;
        const isBase = (entry: MadeEntry): boolean => entry.kind === part.kind && (depths.get(entry) as number) < 50;
        const bases = part.body.length === 0 ? [] : entries.filter(isBase);
        const base = bases.at(-1 - this.nat(Math.min(6, bases.length + 1)));
        const entry: MadeEntry = base === undefined ? part : { ...part, base, by: 'offset' };
        depths.set(entry, base === undefined ? 0 : (depths.get(base) as number) + 1);
        entries.push(entry);
      }
    }
    await this.repository.push([{ ref: 'refs/heads/b0', new: tip }], entries);
    this.#committed++;
  }

  /** After the grace, with nothing else going on, just what the refs reach is left. */
  async quiet(): Promise<void> {
    const { repository } = this;
    repository.pass(repository.grace * 2);
    await this.#maintain('usual');
    expect([...(await repository.stored())].sort()).toEqual([...closure(repository.refs.values()).keys()].sort());
  }

  /** `meanwhile` happens when the first packs are about to be replaced. */
  async #maintain(mode: 'usual' | 'full', meanwhile = async (): Promise<void> => {}): Promise<void> {
    const { repository } = this;
    repository.state.beforeReplace = async () => {
      repository.state.beforeReplace = async () => {};
      await meanwhile();
    };
    const before = await repository.nodes();
    const old = repository.state.current;
    const expected = closure(repository.refs.values());
    const small = this.nat(3) === 0 ? 100_000 : 0;
    const mergeMax = this.nat(6) === 0 ? 3_000 : Infinity;
    await repository.maintain({ mode, rowsMax: small, mergeMax });
    repository.state.beforeReplace = async () => {};
    await repository.check();
    const after = await repository.nodes();
    for (const [id, said] of after) expect(said).toEqual(before.get(id) ?? said);
    const { packs } = repository.state;
    if (mergeMax === Infinity && mode === 'full') expect(packs.length).toBeLessThanOrEqual(1);
    if (mergeMax === Infinity) expect(packs.length).toBeLessThanOrEqual(Math.log2(this.#committed + 1) + 2);
    // A client with the old snapshot can fetch everything in it.
    if (this.nat(4) === 0) expect(sorted(await repository.clone(old))).toEqual(sorted(expected.keys()));
    if (this.nat(4) === 0) {
      const now = closure(repository.refs.values());
      expect(sorted(await repository.clone(repository.state.current))).toEqual(sorted(now.keys()));
    }
    if (this.nat(4) === 0) await repository.checkByGit();
  }

  async #push(commands: { ref: string; new: MadeObject | null }[]): Promise<void> {
    const results = await this.repository.push(commands, this.pack(commands));
    this.#committed++;
    for (const result of results) expect(result).toMatch(/^ok /);
  }

  #force(): Promise<void> {
    return this.#push([{ ref: this.#branch(), new: this.#someCommit()?.object ?? null }]);
  }

  async #pushSomething(): Promise<void> {
    for (let pushes = 1 + this.nat(2); pushes > 0; pushes--) {
      if (this.nat(2) === 0) await this.#force();
      else await this.#push([{ ref: this.#branch(), new: this.#commit('push') }]);
    }
  }

  /** A push that looked at the repository before a maintenance, and comes in after it. */
  async #pushLate(): Promise<void> {
    const { repository } = this;
    const snapshot = repository.state.current;
    const isForced = this.nat(2) === 0;
    const value = isForced ? this.#someCommit()?.object : this.#commit('push');
    await this.#maintain(this.nat(2) === 0 ? 'usual' : 'full');
    const command = { ref: this.#branch(), new: value ?? null };
    for (const result of await repository.push([command], this.pack([command]), snapshot))
      expect(result).toMatch(/^ok /);
    this.#committed++;
  }

  /** Pushes that do not know of each other, and share what they bring. */
  async #pushTogether(): Promise<void> {
    const { repository } = this;
    const snapshot = repository.state.current;
    const value = this.#commit('push');
    const both = [0, 1].map((i) => ({ ref: `refs/heads/b${i}`, new: i === 0 ? value : this.#child(value) }));
    const packs = both.map((command) => this.pack([command]));
    for (const [i, command] of both.entries()) {
      await repository.push([command], packs[i] as MadeEntry[], snapshot);
      this.#committed++;
    }
  }

  /** Returns the objects that a push must bring, with some more, in any order, some as deltas, some of these thin. */
  pack(commands: readonly { readonly new: MadeObject | null }[]): MadeEntry[] {
    const had = closure(this.repository.refs.values());
    const values = commands.flatMap((command) => command.new ?? []);
    const needed = closure(values, had);
    const all = [...had.values()];
    for (let extra = this.nat(3) === 0 ? this.nat(4) : 0; extra > 0 && all.length > 0; extra--) {
      const more = all[this.nat(all.length)] as MadeObject;
      needed.set(more.id, more);
    }
    if (this.nat(4) === 0) {
      const junk = blob(`junk ${this.#second++}`);
      needed.set(junk.id, junk);
      const parts = closure([this.#commit('orphan')]);
      for (const [id, object] of parts) if (this.nat(2) === 0) needed.set(id, object);
    }
    const order = [...needed.values()].sort(() => this.nat(3) - 1);
    const entries: (MadeEntry & MadeObject)[] = [];
    for (const object of order) {
      const inPack = entries.filter(({ kind }) => kind === object.kind);
      const outside = this.nat(2) === 0 ? all.filter(({ kind, id }) => kind === object.kind && !needed.has(id)) : [];
      const bases = this.nat(3) === 0 || object.body.length === 0 ? [] : inPack.length > 0 ? inPack : outside;
      const base =
        bases.length === 0
          ? undefined
          : (bases[this.nat(2) === 0 ? bases.length - 1 : this.nat(bases.length)] as MadeEntry);
      const by = inPack.includes(base as MadeEntry & MadeObject) && this.nat(2) === 0 ? 'offset' : 'id';
      entries.push(base === undefined ? object : { ...object, base, by });
    }
    // Those that name their base by id may stand before it.
    if (this.nat(3) === 0) entries.sort((a, b) => Number(a.by === 'offset') - Number(b.by === 'offset'));
    return entries.some((entry, i) => entry.by === 'offset' && entries.indexOf(entry.base as (typeof entries)[0]) > i)
      ? order
      : entries;
  }

  /** Below `end`. */
  nat(end: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (this.#seed >>> 8) % end;
  }

  #branch(): string {
    return `refs/heads/b${this.nat(4)}`;
  }

  #someRef(): string {
    const refs = [...this.repository.refs.keys()];
    return refs[this.nat(refs.length + 1)] ?? this.#branch();
  }

  #someCommit(): { readonly object: MadeObject; readonly files: Files } | undefined {
    const newest = this.nat(2) === 0 ? Math.min(5, this.#commits.length) : this.#commits.length;
    return this.#commits.at(-1 - this.nat(newest + 1)) ?? this.#commits.at(-1);
  }

  #commit(what: 'push' | 'merge' | 'revert' | 'orphan'): MadeObject {
    const parent = what === 'orphan' ? undefined : this.#someCommit();
    const other = what === 'merge' || what === 'revert' ? this.#someCommit() : undefined;
    const files = new Map(parent?.files ?? []);
    if (what === 'merge') for (const [path, file] of other?.files ?? []) if (this.nat(2) === 0) files.set(path, file);
    if (what === 'revert') {
      files.clear();
      for (const [path, file] of other?.files ?? []) files.set(path, file);
    } else {
      for (let edits = 1 + this.nat(3); edits > 0; edits--) this.#edit(files);
    }
    const parents = [parent, ...(what === 'merge' && other !== parent ? [other] : [])];
    return this.#remember(
      files,
      parents.flatMap((one) => one?.object ?? []),
    );
  }

  #child(parent: MadeObject, merged?: MadeObject): MadeObject {
    const filesOf = (one: MadeObject | undefined): Files =>
      this.#commits.find(({ object }) => object === one)?.files ?? new Map();
    const files = new Map(filesOf(parent));
    for (const [path, file] of filesOf(merged)) if (this.nat(3) === 0) files.set(path, file);
    this.#edit(files);
    return this.#remember(files, merged === undefined ? [parent] : [parent, merged]);
  }

  #remember(files: Files, parents: readonly MadeObject[]): MadeObject {
    const object = commit(treeOf(files), parents, this.#second++);
    this.#commits.push({ object, files });
    return object;
  }

  #edit(files: Map<string, MadeObject | string>): void {
    const folder = ['', 'a/', 'a/deep/', 'b/'][this.nat(4)] as string;
    const path = `${folder}f${this.nat(4)}`;
    const old = files.get(path);
    const kind = this.nat(8);
    if (kind === 0) files.delete(path);
    else if (kind === 1) files.set(`${folder}link`, '1234567890'.repeat(4));
    else if (kind === 2 && old !== undefined) {
      files.delete(path);
      files.set(`b/moved${this.nat(3)}`, old);
    } else {
      const text =
        old === undefined || typeof old === 'string'
          ? 'a file\n'.repeat(this.nat(9))
          : Buffer.from(old.body).toString();
      files.set(path, blob(`${text}line ${this.nat(50)}\n`));
    }
  }

  #tag(): MadeObject {
    const refs = [...this.repository.refs.values()];
    const all = [...closure(refs).values()];
    const target = this.nat(2) === 0 ? refs[this.nat(refs.length + 1)] : all[this.nat(all.length + 1)];
    const object = target ?? this.#commit('push');
    if (this.nat(4) === 0) return object;
    const tagged = tag(object, this.#second++);
    return this.nat(3) === 0 ? tag(tagged, this.#second++) : tagged;
  }
}

function treeOf(files: Files, folder = ''): MadeObject {
  const entries = new Map<string, MadeTreeEntry>();
  for (const [path, file] of files) {
    if (!path.startsWith(folder)) continue;
    const name = (path.slice(folder.length).split('/') as [string])[0];
    if (path !== `${folder}${name}`) entries.set(name, { name, object: treeOf(files, `${folder}${name}/`) });
    else entries.set(name, typeof file === 'string' ? { name, link: file } : { name, object: file });
  }
  return tree([...entries.values()]);
}

function sorted(ids: Iterable<string>): string[] {
  return [...ids].sort();
}
