import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { closedFlag, kindMask, noObject } from '../graph/pack-graph.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../object/object-id.ts';
import { madePack, type MadeEntry } from '../pack/made-pack.test.util.ts';
import { MemoryStore } from '../pack/memory-store.test.util.ts';
import { openStoredPack } from '../pack/read/stored-pack.ts';
import { stockGit } from '../pack/stock-git.test.util.ts';
import { newPackId } from '../ports/pack-store.ts';
import type { PackRecord, RepoSnapshot } from '../ports/repo-state.ts';
import type { PushRules } from '../receive-pack/push-rules.ts';
import { receivePack, type ReceivePackOptions } from '../receive-pack/receive-pack.ts';
import { createGitEngine, type GitEngine, type GitRepository } from '../engine/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { uploadPack } from '../upload-pack/upload-pack.ts';
import { verifyRepository } from '../verify/verify-repository.ts';
import { closure, type MadeObject } from './made-history.test.util.ts';
import { MemoryState } from './memory-state.test.util.ts';
import { maintainRepository } from './maintain.ts';
import type { MaintainOptions, MaintenanceReport } from './maintenance.ts';

const codec = nodeCodec();
const none = '0'.repeat(40);

/** A value for a ref; null deletes it. */
export interface MadeCommand {
  readonly ref: string;
  readonly new: MadeObject | null;
}

/** A request for objects: ids, capabilities, and further lines. */
export interface MadeFetch {
  readonly wants: readonly string[];
  readonly words: string;
  readonly lines: readonly string[];
  /** Ids that the client has. Default: none. */
  readonly haves?: readonly string[];
}

/** A repository in memory with its own clock, which knows its expected contents. */
export class MaintainedRepository {
  readonly store: MemoryStore;
  readonly state: MemoryState = new MemoryState();
  engine: GitEngine = createGitEngine({ codec });
  readonly repository: GitRepository;
  clock: number = 1_000_000;
  readonly refs: Map<string, MadeObject> = new Map();
  /** By id: when it was last needed, by a ref or since it had just come in. */
  readonly #needed = new Map<string, number>();
  #pushes = 0;
  readonly grace: number = 1_000;
  /** Told what each push does. */
  describe: PushRules['describe'];

  constructor(partSize = 700, around: (repository: GitRepository) => GitRepository = (repository) => repository) {
    this.store = new MemoryStore(partSize);
    this.repository = around({ id: crypto.randomUUID(), state: this.state, packs: this.store });
  }

  /** Pushes; `pack` may hold deltas, and more or less than it must. Answers what was reported for each command. */
  async push(
    commands: readonly MadeCommand[],
    pack: readonly MadeEntry[],
    snapshot: RepoSnapshot = this.state.current,
  ): Promise<string[]> {
    const report = await this.report(commands, pack, snapshot);
    expect(report).toContain('unpack ok');
    return commands.map(({ ref }) => new RegExp(`(ok|ng) ${ref}\\b[^\\n]*`).exec(report)?.[0] ?? report);
  }

  /** Pushes what may be refused as a whole; answers all that was reported. */
  async report(
    commands: readonly MadeCommand[],
    pack: readonly MadeEntry[],
    snapshot: RepoSnapshot = this.state.current,
  ): Promise<string> {
    const records = this.state.recordsAt(snapshot.version);
    const old = (ref: string): string => records.find(({ name }) => name === ref)?.oid ?? none;
    const lines = commands.map(({ ref, new: value }, i) => {
      const text = `${old(ref)} ${value?.id ?? none} ${ref}${i === 0 ? '\0 report-status delete-refs ofs-delta' : ''}`;
      return (text.length + 4).toString(16).padStart(4, '0') + text;
    });
    const bytes = commands.some((command) => command.new !== null) ? madePack(pack).bytes : Buffer.alloc(0);
    const body = Buffer.concat([Buffer.from(`${lines.join('')}0000`), bytes]);
    const failures: unknown[] = [];
    const packsBefore = this.state.packs.length;
    const reply = await receivePack(this.engine, this.repository, snapshot, once(body), {
      ...pushOptions,
      pushId: `push ${this.#pushes++}`,
      now: () => this.clock,
      failed: (error) => void failures.push(error),
      describe: this.describe,
    });
    const report = await new Response(reply as BodyInit).text();
    expect(failures).toEqual([]);
    commands.forEach(({ ref, new: value }) => {
      if (!new RegExp(`ok ${ref}\n`).test(report)) return;
      if (value === null) this.refs.delete(ref);
      else this.refs.set(ref, value);
    });
    const isAdded = this.state.packs.length > packsBefore;
    if (isAdded) for (const entry of pack) this.#needed.set((entry as MadeObject).id, this.clock);
    this.note();
    return report;
  }

  /** Remembers what is needed now; to be called before the clock moves. */
  note(): void {
    for (const id of closure(this.refs.values()).keys()) this.#needed.set(id, this.clock);
  }

  pass(time: number): void {
    this.note();
    this.clock += time;
  }

  maintain(options: Partial<MaintainOptions> = {}): Promise<MaintenanceReport> {
    return maintainRepository(this.engine, this.repository, {
      now: this.clock,
      grace: this.grace,
      retireGrace: 1e9,
      mode: 'usual',
      mergeMax: Infinity,
      rowsMax: 0,
      inUse: () => false,
      newId: newPackId,
      ...options,
    });
  }

  /** Ids of all that is stored, as the indexes say. */
  async stored(): Promise<Set<string>> {
    const ids = new Set<string>();
    const view = await this.freshView();
    for (const pack of view.set.packs) {
      const index = await view.packIndex(pack);
      for (let ordinal = 0; ordinal < index.count; ordinal++) ids.add(index.id(ordinal));
    }
    return ids;
  }

  /** Opens a view of a process without caches. */
  freshView(snapshot: RepoSnapshot = this.state.current): Promise<RepositoryView> {
    const engine = createGitEngine({ codec });
    const repository = { state: this.state, packs: this.store };
    return RepositoryView.open(engine, repository, snapshot, engine.scheduler.begin());
  }

  /** All that must hold at any time: nothing is lost, and what is stored fits together. */
  async check(): Promise<void> {
    this.note();
    const bare = { state: this.state, packs: this.store };
    expect(await verifyRepository(createGitEngine({ codec }), bare, this.state.current)).toEqual([]);
    const stored = await this.stored();
    const lost = [...this.#needed].filter(([id, at]) => this.clock - at < this.grace && !stored.has(id));
    expect(lost).toEqual([]);
    await this.#checkGraph();
  }

  /** Checks that each graph fits its pack, and that all of them number each object once. */
  async #checkGraph(): Promise<void> {
    const view = await this.freshView();
    const { set } = view;
    const numbers = new Map<string, number>();
    for (const pack of set.packs) {
      const { graph } = pack;
      const index = await view.packIndex(pack);
      const bytes = await view.readRows(pack);
      const { store } = this;
      const { codec: ours, pages } = view.engine;
      const reader = openStoredPack({ id: pack.record.id, index, store, bytes, codec: ours, pages, work: view.work });
      const listed = new Set(graph.lists);
      for (let node = 0; node < graph.nodeCount; node++) {
        const list = graph.lists.subarray(graph.listStarts[node], graph.listStarts[node + 1]);
        expect([...list]).toEqual([...new Set(list.toSorted())]);
      }
      for (let ordinal = 0; ordinal < graph.count; ordinal++) {
        const id = index.id(ordinal);
        const number = numbers.get(id) ?? set.home(pack, ordinal);
        numbers.set(id, number);
        expect([id, set.home(pack, ordinal)]).toEqual([id, number]);
        expect([id, (await reader.entry(ordinal)).base]).toEqual([id, graph.bases[ordinal]]);
        expect([id, ((graph.kinds[ordinal] as number) & closedFlag) !== 0]).toEqual([id, listed.has(ordinal)]);
        expect((graph.kinds[ordinal] as number) & ~(kindMask | closedFlag)).toBe(0);
      }
      for (let i = 0; i < pack.extObjects.length; i++) expect(pack.extObjects[i]).not.toBe(noObject);
    }
  }

  /** Returns the graph's data of every node by id. Copies in several packs must agree. */
  async nodes(): Promise<Map<string, unknown>> {
    const view = await this.freshView();
    await view.loadIndexes();
    const { set } = view;
    const found = new Map<string, unknown>();
    for (const pack of set.packs) {
      for (let rank = 0; rank < pack.graph.nodeCount; rank++) {
        const local = pack.graph.nodesById[rank] as number;
        const node = pack.nodeStart + local;
        const id = objectIdAt(pack.graph.nodeIds, rank * objectIdBytes);
        const list: ObjectId[] = [];
        for (const object of set.introduced(node)) list.push(view.objectId(object));
        const tree = set.nodeTrees[node] as number;
        const parents = set.parents.subarray(set.parentStarts[node], set.parentStarts[node + 1]);
        const said = {
          object: view.objectId(set.nodeObjects[node] as number),
          tree: tree === noObject ? undefined : view.objectId(tree),
          parents: Array.from(parents, (parent) => view.objectId(set.nodeObjects[parent] as number)),
          date: pack.graph.dates[local],
          list: list.sort(),
        };
        expect(said).toEqual(found.get(id) ?? said);
        found.set(id, said);
      }
    }
    return found;
  }

  /** Stock `git` on an export of the packs must find all in order, and reach just what the refs should. */
  async checkByGit(): Promise<void> {
    const git = stockGit();
    try {
      const folder = join(git.folder, 'objects/pack');
      mkdirSync(folder, { recursive: true });
      for (const record of this.state.packs) {
        const names = { pack: `pack-${record.id}${'0'.repeat(8)}.pack`, idx: `pack-${record.id}${'0'.repeat(8)}.idx` };
        writeFileSync(join(folder, names.pack), await this.#file(record, 'pack'));
        const idx = await this.#file(record, 'idx');
        writeFileSync(join(folder, names.idx), idx);
        git.run(['verify-pack', join(folder, names.idx)]);
        // The index is what git would write, byte for byte.
        const own = join(git.folder, `${record.id}.idx`);
        git.run(['index-pack', '-o', own, join(folder, names.pack)]);
        expect(Buffer.compare(readFileSync(own), idx)).toBe(0);
      }
      for (const [ref, { id }] of this.refs) git.run(['update-ref', ref, id]);
      git.run(['fsck', '--strict', '--full', '--no-dangling']);
      const listed = git
        .run(['rev-list', '--objects', '--all', '--no-object-names'])
        .toString()
        .split('\n')
        .slice(0, -1);
      expect(listed.sort()).toEqual([...closure(this.refs.values()).keys()].sort());
    } finally {
      git.remove();
    }
  }

  /** Bytes of the pack that stock `git` makes of the packs, with new deltas. */
  async sizeByGit(): Promise<number> {
    const git = stockGit();
    try {
      for (const record of this.state.packs) {
        const pack = join(git.folder, `${record.id}.pack`);
        writeFileSync(pack, await this.#file(record, 'pack'));
        git.run(['unpack-objects', '-q'], readFileSync(pack));
      }
      for (const [ref, { id }] of this.refs) git.run(['update-ref', ref, id]);
      git.run(['repack', '-adfq']);
      const folder = join(git.folder, 'objects/pack');
      return readdirSync(folder).reduce(
        (sum, name) => sum + (name.endsWith('.pack') ? statSync(join(folder, name)).size : 0),
        0,
      );
    } finally {
      git.remove();
    }
  }

  async #file({ id, where }: PackRecord, file: 'pack' | 'idx'): Promise<Uint8Array> {
    if (where === 'store') return this.store.files.get(`${id}.${file}`) as Uint8Array;
    return (await this.state.rowFiles([id], [file]))[0]?.bytes as Uint8Array;
  }

  /** A clone of all refs of a snapshot, by a process that has cached what this one has: the ids it brings. */
  clone(snapshot: RepoSnapshot, engine: GitEngine = this.engine): Promise<Set<string>> {
    const wants = [...new Set(this.state.recordsAt(snapshot.version).map(({ oid }) => oid))];
    return this.fetch({ wants, words: 'ofs-delta', lines: [] }, engine, snapshot);
  }

  /** The reply to a request of protocol 0. Expects these errors to be `reported`. */
  async reply(
    { wants, words, lines, haves = [] }: MadeFetch,
    engine: GitEngine = this.engine,
    snapshot: RepoSnapshot = this.state.current,
    reported: readonly string[] = [],
  ): Promise<Buffer> {
    const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
    const wantLines = wants.map((want, i) => `want ${want}${i === 0 ? ` ${words}` : ''}`);
    const body = `${[...wantLines, ...lines].map((text) => line(`${text}\n`)).join('')}0000${haves.map((id) => line(`have ${id}\n`)).join('')}${line('done\n')}`;
    const failures: unknown[] = [];
    const reply = await uploadPack(engine, this.repository, snapshot, once(Buffer.from(body)), {
      version: 0,
      hiddenRefs: [],
      bodyMax: 1e6,
      keepAlive: 60_000,
      failed: (error) => void failures.push(error),
    });
    const bytes = Buffer.from(await new Response(reply.body as BodyInit).arrayBuffer());
    await engine.prepared.idle();
    expect(failures.map((error) => (error as Error).message)).toEqual(reported);
    return bytes;
  }

  /** The ids that a client without any object gets. Expects these errors to be `reported`. */
  async fetch(
    { wants, words, lines }: MadeFetch,
    engine: GitEngine,
    snapshot: RepoSnapshot = this.state.current,
    reported: readonly string[] = [],
  ): Promise<Set<string>> {
    if (wants.length === 0) return new Set();
    const bytes = await this.reply({ wants, words, lines }, engine, snapshot, reported);
    const git = stockGit();
    try {
      const pack = join(git.folder, 'x.pack');
      writeFileSync(pack, bytes.subarray(bytes.indexOf('PACK')));
      // A part of a history lacks what its objects name.
      git.run(['index-pack', ...(lines.length === 0 ? ['--strict'] : []), pack]);
      const shown = git.run(['show-index'], readFileSync(join(git.folder, 'x.idx')));
      return new Set(
        shown
          .toString()
          .split('\n')
          .slice(0, -1)
          .map((text) => text.split(' ')[1] as string),
      );
    } finally {
      git.remove();
    }
  }
}

/** Rules of all pushes. */
export const pushOptions: Omit<ReceivePackOptions, 'failed' | 'now' | 'pushId'> = {
  hiddenRefs: [],
  denyDeleteDefault: false,
  denyNonFastForward: false,
  strictObjects: true,
  blobMax: 1e7,
  objectMax: 1e6,
  memoryMax: 67_108_864,
  chainDepthMax: 50,
  chainMax: 2 ** 31,
  commitMax: 1 << 20,
  commitParentsMax: 100_000,
  inflatedMax: 2 ** 32,
  graphMax: 1 << 24,
  repoStorageMax: 1e9,
  accountStorageLeft: async () => 1e9,
  bodyMax: 1e9,
  commandsMax: 10,
  keepAlive: 60_000,
  committed: async () => undefined,
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
