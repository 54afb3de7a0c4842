import { expect } from 'vitest';
import { ContentReader } from '../content/content-reader.ts';
import type { MadeObject } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { PackFile } from '../ports/pack-store.ts';
import type { NewPack, PackRecord, RefUpdate } from '../ports/repo-state.ts';
import { recordsOf } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';
import { uploadPack } from '../upload-pack/upload-pack.ts';
import { wireText } from '../wire/packets.test.util.ts';
import { planFork, type ForkOptions, type ForkPlan } from './plan-fork.ts';

export interface MadeFork {
  readonly plan: ForkPlan;
  /** Names of the copied refs. */
  readonly names: readonly RefName[];
  readonly repository: MaintainedRepository;
}

/** A fork of the repository as it is now, with the same engine, and the very same bytes of packs. */
export async function forkOf(parent: MaintainedRepository, options: Partial<ForkOptions> = {}): Promise<MadeFork> {
  const all = { defaultBranchOnly: false, hiddenRefs: [], ...options };
  const plan = await planFork(parent.engine, parent.repository, parent.state.current, all);
  const repository = new MaintainedRepository(parent.store.partSize);
  repository.engine = parent.engine;
  repository.clock = parent.clock;
  for (const [key, bytes] of parent.store.files) {
    if (plan.packs.some(({ id }) => key.startsWith(id))) repository.store.files.set(key, bytes);
  }
  const copied = plan.refs.flatMap((slice) => [...recordsOf(slice)]);
  for (const { name } of copied) repository.refs.set(name, parent.refs.get(name) as MadeObject);
  const addPacks: NewPack[] = [];
  for (const pack of plan.packs) addPacks.push(await addedPack(parent, pack));
  const updates = copied.map(({ name, ...target }): RefUpdate => ({
    name,
    old: null,
    new: target,
    forward: true,
  }));
  await repository.state.commit({
    pushId: 'fork',
    at: repository.clock,
    updates,
    atomic: true,
    addPacks,
    leansOn: [],
    addShallow: plan.shallow,
    isImport: true,
  });
  expect(repository.state.packs).toEqual(plan.packs.map((pack) => ({ ...pack, at: repository.clock })));
  return { plan, names: copied.map(({ name }) => name), repository };
}

async function addedPack({ state }: MaintainedRepository, pack: PackRecord): Promise<NewPack> {
  const { position: _, at: __, ...added } = pack;
  if (pack.where === 'store') return added;
  const rows = await state.rowFiles([pack.id], ['pack', 'idx', 'graph']);
  const files = Object.fromEntries(rows.map(({ file, bytes }) => [file, bytes])) as Record<PackFile, Uint8Array>;
  return { ...added, files };
}

/** Tests if a client that wants the object by id gets it. */
export async function isServed(repository: MaintainedRepository, id: string): Promise<boolean> {
  const text = await ask(repository, 0, wireText(`want ${id} ofs-delta\n`, 'flush', 'done\n'));
  if (text.includes(`not our ref ${id}`)) return false;
  expect(text).toContain('PACK');
  return true;
}

/** Tests if a `have` of the object counts as common. */
export async function isCommon(repository: MaintainedRepository, id: string): Promise<boolean> {
  const [tip] = repository.refs.values();
  if (tip === undefined) return false;
  const lines = ['command=fetch', 'delim', `want ${tip.id}`, `have ${id}`, 'flush'];
  return (await ask(repository, 2, wireText(...lines))).includes(`ACK ${id}`);
}

/** Tests if `object-info` reports it. */
export async function isTold(repository: MaintainedRepository, id: string): Promise<boolean> {
  const text = await ask(repository, 2, wireText('command=object-info', 'delim', 'size', `oid ${id}`, 'flush'));
  return new RegExp(`${id} \\d+0000$`).test(text);
}

/** Tests if content reads find it, each with the engine's cache of earlier reads. */
export async function isRead(repository: MaintainedRepository, id: string): Promise<boolean> {
  const { engine, state } = repository;
  const reader = await ContentReader.open(engine, repository.repository, state.current, { hiddenRefs: [] });
  const kind = await reader.kindOf(id as ObjectId);
  reader.release();
  return kind !== undefined;
}

/** All that is answered to a request of `git-upload-pack`. */
export async function ask(repository: MaintainedRepository, version: 0 | 2, body: string): Promise<string> {
  const { engine, state } = repository;
  const failures: unknown[] = [];
  const reply = await uploadPack(engine, repository.repository, state.current, once(Buffer.from(body)), {
    version,
    hiddenRefs: [],
    bodyMax: 1e6,
    keepAlive: 60_000,
    failed: (error) => void failures.push(error),
  });
  const bytes = await new Response(reply.body as BodyInit).arrayBuffer();
  expect(failures).toEqual([]);
  return Buffer.from(bytes).toString('latin1');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
