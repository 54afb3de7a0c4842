import { join } from 'node:path';
import type { Dice } from '@packhouse/conformance/tools/dice';
import {
  blob,
  commit,
  insertingDelta,
  noObject,
  packEntry,
  packOfEntries,
  tag,
  tree,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { reached } from '@packhouse/conformance/tools/reached-objects';
import { push, pushBody } from '@packhouse/conformance/tools/wire-client';
import { expect } from 'vitest';
import { git, gitBytes } from './git.ts';
import type { TestRepo, TestServer } from './test-server.ts';

const kinds = { commit: 1, tree: 2, blob: 3, tag: 4 } as const;
const referenceDelta = 7;
const main = 'refs/heads/main';
const names = [main, 'refs/heads/side', 'refs/heads/hidden/one', 'refs/tags/t'];

/** A repository of the server, and the one of stock git that it is to be like. */
export interface Twin {
  readonly repo: TestRepo;
  /** A bare repository, which gets the same pushes. */
  readonly folder: string;
  readonly refs: Map<string, MadeObject>;
  /** Ids of all that a ref of it ever reached: what of that is left the server may lean on until it is collected. */
  readonly ever: Set<string>;
}

/** A parent and its forks, beside clones by stock git, and every object that was made for any of them. */
export class ForkOracle {
  readonly twins: Twin[] = [];
  readonly objects: Map<string, MadeObject> = new Map();
  /** Prefix of the refs that are hidden by now. */
  hidden: string | undefined;
  readonly #server: TestServer;
  readonly #folder: string;
  readonly #name: string;
  readonly #dice: Dice;

  constructor(server: TestServer, folder: string, name: string, dice: Dice) {
    this.#server = server;
    this.#folder = folder;
    this.#name = name;
    this.#dice = dice;
  }

  /** A parent with one pack in the store, of which its forks reach a part. */
  async begin(): Promise<void> {
    const name = `${this.#name}-0`;
    const repo = await this.#server.createRepo(name);
    const folder = join(this.#folder, name);
    await git(['init', '--quiet', '--bare', '--initial-branch=main', folder]);
    const twin = { repo, folder, refs: new Map<string, MadeObject>(), ever: new Set<string>() };
    this.twins.push(twin);
    const base = this.#commit([]);
    const large = this.#keep(commit('large', this.#keep(tree({ large: this.#keep(blob(noise(1_600_000))) })), [base]));
    await this.#push(
      twin,
      new Map([
        [main, this.#commit([base])],
        ['refs/heads/side', large],
      ]),
      new Set(),
    );
  }

  /** Forks one of them, and clones its model. */
  async fork(): Promise<void> {
    const parent = this.#dice.pick(this.twins);
    const isOne = this.#dice.below(3) > 0;
    const name = `${this.#name}-${this.twins.length}`;
    const { status, result } = await this.#server.rest('POST', `/namespaces/default/repos/${parent.repo.name}/fork`, {
      name,
      default_branch_only: isOne,
    });
    expect(status).toBe(201);
    const { id, remote, token } = result as { id: string; remote: string; token: string };
    const folder = join(this.#folder, name);
    const what = isOne ? ['--bare', '--single-branch', '--no-tags'] : ['--mirror'];
    await git(['clone', '--quiet', '--no-local', ...what, parent.folder, folder]);
    const refs = new Map([...parent.refs].filter(([ref]) => (isOne ? ref === main : !this.#isHidden(ref))));
    const ever = reached(oidsOf(refs.values()), this.objects);
    expect(result['objects']).toBe(ever.size);
    this.twins.push({ repo: { name, id, remote, token, auth: [] }, folder, refs, ever });
  }

  /** Hides refs from now on: the models delete them. The caller must configure the server. */
  async hide(prefix: string): Promise<void> {
    this.hidden = prefix;
    for (const { folder, refs } of this.twins) {
      const ids = [...refs].filter(([ref]) => this.#isHidden(ref)).map(([ref]) => `delete ${ref}\n`);
      await git(['update-ref', '--stdin'], { cwd: folder, input: ids.join('') });
    }
  }

  /** One push to one of them: to a new commit or tag, to an old one, or the end of a ref. */
  async step(): Promise<void> {
    const twin = this.#dice.pick(this.twins);
    const ref = this.#dice.pick(names.filter((name) => !this.#isHidden(name)));
    const commits = this.#of('commit');
    const kind = this.#dice.below(8);
    if (kind === 0 && ref !== main && twin.refs.has(ref)) return this.#remove(twin, ref);
    const old = this.#dice.pick(commits);
    const parents = this.#dice.below(4) === 0 ? [] : [this.#dice.pick(commits), twin.refs.get(main) ?? old];
    const fresh = (): MadeObject => this.#commit(parents.slice(0, 1 + this.#dice.below(2)));
    const made = kind < 3 ? old : fresh();
    const isTag = ref === 'refs/tags/t' && this.#dice.below(2) === 0;
    const value = isTag ? this.#keep(tag(`t${this.objects.size}`, this.#dice.pick([...this.objects.values()]))) : made;
    await this.#push(twin, new Map([[ref, value]]), this.#foreign(twin));
  }

  /** Returns the objects that stock git still has after it has collected everything that it may. */
  async held({ folder }: Twin): Promise<Set<string>> {
    await git(['gc', '--quiet', '--prune=now'], { cwd: folder });
    const input = [...this.objects.keys()].join('\n');
    const lines = (await git(['cat-file', '--batch-check'], { cwd: folder, input })).trim().split('\n');
    return new Set(lines.filter((line) => !line.endsWith(' missing')).map((line) => line.slice(0, 40)));
  }

  /** Returns the objects that pushes must not depend on: those that no ref ever reached, or only hidden refs reach. */
  #foreign({ refs, ever }: Twin): Set<string> {
    const visible = reached(
      oidsOf([...refs].flatMap(([ref, value]) => (this.#isHidden(ref) ? [] : [value]))),
      this.objects,
    );
    const hidden = reached(
      oidsOf([...refs].flatMap(([ref, value]) => (this.#isHidden(ref) ? [value] : []))),
      this.objects,
    );
    return new Set([...this.objects.keys()].filter((id) => !ever.has(id) || (hidden.has(id) && !visible.has(id))));
  }

  /**
   * Pushes the same bytes to both. Of what the repository lacks, some that is another's may be left out, and a blob may
   * come as a delta of another's: stock git refuses that, since it has none of it.
   */
  async #push(twin: Twin, values: ReadonlyMap<string, MadeObject>, foreign: ReadonlySet<string>): Promise<void> {
    const { repo, folder, refs, ever } = twin;
    const shown = [...refs].flatMap(([ref, value]) => (this.#isHidden(ref) ? [] : [value]));
    const has = reached(oidsOf(shown), this.objects);
    const isSly = this.#dice.below(2) === 0;
    const lacking = [...reached(oidsOf(values.values()), this.objects)].filter((id) => !has.has(id));
    const sent = lacking.filter((id) => !(isSly && foreign.has(id) && this.#dice.below(3) === 0));
    const bases = [...this.objects.values()].filter(
      ({ oid, kind }) => kind === 'blob' && !sent.includes(oid) && (has.has(oid) || foreign.has(oid)),
    );
    const entries = sent.map((id) => {
      const { kind, body } = this.objects.get(id) as MadeObject;
      if (kind !== 'blob' || bases.length === 0 || this.#dice.below(8) > 0) return packEntry(kinds[kind], body);
      const base = this.#dice.pick(bases);
      const delta = insertingDelta(base.body.length, body);
      return packEntry(referenceDelta, delta, Buffer.from(base.oid, 'hex'));
    });
    const commands = [...values].map(([ref, { oid }]) => ({ ref, old: refs.get(ref)?.oid ?? noObject, new: oid }));
    // Otherwise stock git accepts pushes that depend on objects that only hidden refs reach. It keeps them in packs.
    await git(['gc', '--quiet', '--prune=now'], { cwd: folder });
    const pack = packOfEntries(entries);
    const reply = await gitBytes(['-c', 'gc.auto=0', 'receive-pack', '--stateless-rpc', folder], {
      input: pushBody(commands, pack, 'report-status'),
    });
    const report = await push(repo, commands, pack);
    const taken = commands.filter(({ ref }) => reply.includes(`ok ${ref}\n`)).map(({ ref }) => ref);
    expect(commands.map(({ ref }) => ref).filter((ref) => report.includes(`ok ${ref}`))).toEqual(taken);
    for (const [ref, value] of values) if (taken.includes(ref)) refs.set(ref, value);
    for (const id of reached(oidsOf(refs.values()), this.objects)) ever.add(id);
  }

  async #remove({ repo, folder, refs }: Twin, ref: string): Promise<void> {
    const command = { ref, old: refs.get(ref)?.oid as string, new: noObject };
    await git(['update-ref', '-d', ref], { cwd: folder });
    expect(await push(repo, [command])).toEqual(['unpack ok', `ok ${ref}`]);
    refs.delete(ref);
  }

  /** With files and folders of any of them. */
  #commit(parents: readonly MadeObject[]): MadeObject {
    const known = [...this.objects.values()].filter(
      ({ kind, body }) => kind !== 'commit' && kind !== 'tag' && body.length < 1e6,
    );
    const file = (): MadeObject =>
      known.length > 0 && this.#dice.below(2) === 0
        ? this.#dice.pick(known)
        : this.#keep(blob(`file ${this.objects.size} of ${this.#name}\n`.repeat(1 + this.#dice.below(4))));
    const root = this.#keep(
      tree(Object.fromEntries(['a', 'b', 'c'].slice(this.#dice.below(3)).map((name) => [name, file()]))),
    );
    return this.#keep(commit(`${this.objects.size}`, root, parents));
  }

  #keep(object: MadeObject): MadeObject {
    this.objects.set(object.oid, object);
    return object;
  }

  #of(kind: MadeObject['kind']): MadeObject[] {
    return [...this.objects.values()].filter((object) => object.kind === kind);
  }

  #isHidden(ref: string): boolean {
    return this.hidden !== undefined && ref.startsWith(`${this.hidden}/`);
  }
}

function oidsOf(objects: Iterable<MadeObject>): string[] {
  return [...objects].map(({ oid }) => oid);
}
