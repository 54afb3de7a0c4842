import { packFiles, RepoGoneError, type PackId } from '@packhouse/git';
import type { HostedRepo, RepoPlace, RepoStorage } from '../../ports/repo-storage.ts';
import { sweepLeftovers } from '../../lifecycle/left-overs.ts';
import { sampleBytes } from '@packhouse/git/contract';
import {
  change,
  replacement,
  sampleHead,
  samplePack,
  sampleRepoId,
  sampleToken,
  update,
} from '../repo-state/samples.ts';

/** A repository of sample packs, with the operations of a service. */
export class SharingRepo {
  readonly place: RepoPlace;
  readonly #storage: () => RepoStorage;
  readonly #account: string;
  #erasedPacks: readonly PackId[] = [];
  #pushes = 0;

  /** @param place default: a new repository, to be begun. */
  constructor(
    storage: () => RepoStorage,
    account: string,
    place: RepoPlace = { id: sampleRepoId(), jurisdiction: 'unrestricted' },
  ) {
    this.#storage = storage;
    this.#account = account;
    this.place = place;
  }

  get repo(): HostedRepo {
    return this.#storage().repo(this.#account, this.place.id, this.place.jurisdiction);
  }

  async begin(): Promise<this> {
    await this.repo.state.begin(sampleHead(this.place.id), sampleToken('t1'));
    return this;
  }

  /** Returns the ids of its packs in the store. */
  async packs(): Promise<PackId[]> {
    const packs = (await this.repo.state.snapshot())?.packs ?? [];
    return packs.flatMap(({ id, where }) => (where === 'store' ? [id] : []));
  }

  async push(): Promise<PackId> {
    const { packs } = this.repo;
    const id = await packs.reserve();
    for (const [i, file] of packFiles.entries()) await packs.put(id, file, [contentsOf(id, i)]);
    await this.commit([id]);
    return id;
  }

  async share(child: SharingRepo, ids: readonly PackId[]): Promise<boolean> {
    return this.#storage().sharePacks(this.#account, this.place, child.place, ids);
  }

  /** Commits packs, the last step of a push or fork. */
  async commit(ids: readonly PackId[], borrowed: 'no' | 'whole' = 'no'): Promise<void> {
    const name = `refs/heads/b${this.#pushes++}`;
    const addPacks = ids.map((id) => samplePack({ id, borrowed }));
    await this.repo.state.commit(change([update(name, null, 1)], { addPacks }));
  }

  /** Removes a pack like maintenance after the grace period, for a pack without live objects. */
  async retire(id: PackId): Promise<void> {
    await this.replace(id);
    await this.removeRetired();
  }

  /** Retires a pack; its bytes stay. */
  async replace(id: PackId): Promise<void> {
    const { state } = this.repo;
    const ifVersion = (await state.snapshot())?.version;
    await state.replacePacks(replacement([id], undefined, { ifVersion }));
  }

  async removeRetired(): Promise<void> {
    const { state, packs } = this.repo;
    for (const { pack } of await state.retiredPacks()) {
      await packs.remove(pack.id);
      await state.forgetPacks([pack.id]);
    }
  }

  /** Removes packs outside the manifest, regardless of their age. */
  async sweep(): Promise<readonly PackId[]> {
    const { state, packs } = this.repo;
    return sweepLeftovers(state, packs, Number.MAX_SAFE_INTEGER, 0);
  }

  /** Erases it like a deletion, and again if called later. */
  async erase(): Promise<void> {
    const { state, packs } = this.repo;
    try {
      this.#erasedPacks = await this.packs();
    } catch (error) {
      if (!(error instanceof RepoGoneError)) throw error;
    }
    await state.erase();
    const left = await packs.leftovers(Number.MAX_SAFE_INTEGER);
    for (const id of new Set([...this.#erasedPacks, ...left])) await packs.remove(id);
  }

  /** Returns the ids of packs that it cannot read unchanged. */
  async unreadable(ids: readonly PackId[]): Promise<PackId[]> {
    const { packs } = this.repo;
    const lost: PackId[] = [];
    for (const id of ids) {
      const isWhole = await Promise.all(
        packFiles.map(async (file, i) => {
          const expected = contentsOf(id, i);
          const read = await packs.read(id, file, [{ offset: 0, length: expected.length }]).catch(() => []);
          return read[0] !== undefined && String(read[0]) === String(expected);
        }),
      );
      if (isWhole.includes(false)) lost.push(id);
    }
    return lost;
  }
}

/** Makes different contents for each file of each pack. */
function contentsOf(id: PackId, file: number): Uint8Array {
  return sampleBytes(20 + file, Number.parseInt(id.slice(0, 6), 16) + file);
}
