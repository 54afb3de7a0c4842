import { StorageError, type PackStore, type PackUpload } from '../ports/pack-store.ts';
import type { RepoState } from '../ports/repo-state.ts';
import type { GitRepository } from '../engine/engine.ts';

/** A fault of a write: it fails, or it is done but its reply is lost. */
export type Fault = 'fails' | 'loses its reply';

/** Lets writes of a repository fail. */
export class FaultyRepository {
  /** Returns the fault of a write by number, counted from 0 since this was last set. Default: no faults. */
  fault: (write: number, name: string) => Fault | undefined = () => undefined;
  writes = 0;

  around(repository: GitRepository): GitRepository {
    return { state: this.#state(repository.state), packs: this.#packs(repository.packs) };
  }

  async #write<T>(name: string, work: () => Promise<T>): Promise<T> {
    const fault = this.fault(this.writes++, name);
    if (fault === 'fails') throw new StorageError(`${name} fails`);
    const result = await work();
    if (fault === 'loses its reply') throw new StorageError(`${name} loses its reply`);
    return result;
  }

  #state(state: RepoState): RepoState {
    return {
      snapshot: (known) => state.snapshot(known),
      refs: (version, query) => state.refs(version, query),
      commit: (change) => state.commit(change),
      outcome: (id) => state.outcome(id),
      rowFiles: (ids, files) => state.rowFiles(ids, files),
      replacePacks: (replacement) => this.#write('replacePacks', () => state.replacePacks(replacement)),
      retiredPacks: () => state.retiredPacks(),
      forgetPacks: (ids) => this.#write('forgetPacks', () => state.forgetPacks(ids)),
      retiredTips: () => state.retiredTips(),
      forgetTips: (before) => this.#write('forgetTips', () => state.forgetTips(before)),
      uploadedBlobs: (oids) => state.uploadedBlobs(oids),
      keyedResult: (key, at) => state.keyedResult(key, at),
      planMaintenance: (at, known) => state.planMaintenance(at, known),
    };
  }

  #packs(packs: PackStore): PackStore {
    return {
      partSize: packs.partSize,
      reserve: () => this.#write('reserve', () => packs.reserve()),
      put: (id, file, chunks) => this.#write(`put ${file}`, () => packs.put(id, file, chunks)),
      upload: (id) => this.#write('upload', async () => this.#upload(await packs.upload(id))),
      read: (id, file, ranges) => packs.read(id, file, ranges),
      stream: (id, start, end) => packs.stream(id, start, end),
      framed: (id) => packs.framed(id),
      remove: (id) => this.#write('remove', () => packs.remove(id)),
      leftovers: (before) => packs.leftovers(before),
    };
  }

  #upload(upload: PackUpload): PackUpload {
    return {
      write: (index, part) => this.#write('write', () => upload.write(index, part)),
      complete: (size) => this.#write('complete', () => upload.complete(size)),
      abort: () => this.#write('abort', () => upload.abort()),
    };
  }
}
